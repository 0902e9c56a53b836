/** `yyyy-MM-dd HH:mm` in Asia/Shanghai, which has no daylight saving. */
export const toWireMinute = (ms: number): string => new Date(ms + 8 * 3_600_000).toISOString().slice(0, 16).replace('T', ' ')
