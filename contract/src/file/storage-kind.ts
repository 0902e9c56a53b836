/** Keys of the dictionary `oss` that mean more than the name of who runs the service: all others are S3-compatible services. */
export const storageKind = { tencent: '4', local: '7' } as const
