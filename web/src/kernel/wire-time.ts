import { endText } from '#contract/kernel/end-text.ts'

/** `yyyy-MM-dd HH:mm:ss` of the wire as `yyyy-MM-dd HH:mm`; empty values as `-`. */
export const minuteOf = (wire: string | null | undefined): string => (wire ? wire.slice(0, 16) : '-')
/** The same of an end: the first instant of a day is the day before at 24:00, as whoever set it has written it. */
export const endMinuteOf = (wire: string | null | undefined): string => minuteOf(wire && endText(wire))
export const dayOf = (wire: string | null | undefined): string => (wire ? wire.slice(0, 10) : '-')

/** Wire time (Asia/Shanghai, no offset in the text) as epoch milliseconds. */
export const epochOf = (wire: string): number => Date.parse(`${wire.replace(' ', 'T')}+08:00`)
