/** Texts made of values. Masks of personal data are the server's: what arrives is what may be shown. */

import { endText } from '#contract/kernel/end-text.ts'
import { dayOf } from './wire-time.ts'

export { dayOf, endMinuteOf, epochOf, minuteOf } from './wire-time.ts'
export { grouped, yuanOf } from './yuan.ts'

/** The last day of something that ends at an instant. */
export const endDayOf = (wire: string | null | undefined): string => dayOf(wire && endText(wire))

/** A typed amount in yuan as fen; null when it is none. */
export const fenOf = (yuan: string): number | null => {
  const match = yuan
    .trim()
    .replace(/,/g, '')
    .match(/^(\d{1,9})(?:\.(\d{1,2}))?$/)
  return match === null ? null : Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0'))
}

/** Bytes for people; KB = 1,024 (decision 4.7). */
export const sizeOf = (bytes: number): string =>
  bytes < 1024 ? `${bytes} B` : bytes < 1024 * 1024 ? `${Math.round(bytes / 1024)} KB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`

export const isEmpty = (value: unknown): boolean => value === null || value === undefined || value === ''
