/** Kinds of files that calls answer, by the ends of their names, and what they are called in HTTP. */
export const mediaTypes = {
  jpg: 'image/jpeg',
  png: 'image/png',
  pdf: 'application/pdf',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  zip: 'application/zip',
} as const
export type MediaKind = keyof typeof mediaTypes
