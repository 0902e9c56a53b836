/** The product's time zone is Asia/Shanghai, which has had no daylight saving since 1991: a fixed offset, no Intl in hot paths. */
const offsetMs = 8 * 3_600_000

/** `yyyy-MM-dd HH:mm:ss` in Asia/Shanghai. */
export const toWireTime = (instant: Date): string => new Date(instant.getTime() + offsetMs).toISOString().slice(0, 19).replace('T', ' ')
/** `yyyy-MM-dd` in Asia/Shanghai. */
export const toWireDay = (instant: Date): string => toWireTime(instant).slice(0, 10)
/** Undefined for a text that is no existing instant; no calendar, and no database, has a year 0. */
export const fromWireTime = (text: string): Date | undefined => {
  if (!/^(?!0000)\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/.test(text)) return undefined
  const instant = new Date(`${text.replace(' ', 'T')}+08:00`)
  return Number.isNaN(instant.getTime()) || toWireTime(instant) !== text ? undefined : instant
}
