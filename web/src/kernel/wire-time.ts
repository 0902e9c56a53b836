/** `yyyy-MM-dd HH:mm:ss` of the wire as `yyyy-MM-dd HH:mm`; empty values as `-`. */
export const minuteOf = (wire: string | null | undefined): string => (wire ? wire.slice(0, 16) : '-')
export const dayOf = (wire: string | null | undefined): string => (wire ? wire.slice(0, 10) : '-')

/** Wire time (Asia/Shanghai, no offset in the text) as epoch milliseconds. */
export const epochOf = (wire: string): number => Date.parse(`${wire.replace(' ', 'T')}+08:00`)
