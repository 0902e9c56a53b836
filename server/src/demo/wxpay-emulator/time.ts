const SHANGHAI_OFFSET_MS = 8 * 60 * 60 * 1000

const shifted = (at: Date): string => new Date(at.getTime() + SHANGHAI_OFFSET_MS).toISOString()

/** `2026-03-17T10:00:00+08:00` */
export const rfc3339 = (at: Date): string => `${shifted(at).slice(0, 19)}+08:00`
/** `2026-03-17` */
export const shanghaiDate = (at: Date): string => shifted(at).slice(0, 10)
/** `2026-03-17 10:00:00` */
export const shanghaiTime = (at: Date): string => shifted(at).slice(0, 19).replace('T', ' ')
