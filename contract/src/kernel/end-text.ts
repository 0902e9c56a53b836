// By itself, because the first page of every program says an end and reads no other time.

/** The end of a day as people write it: 24:00 is the next day's first instant. */
export const endOfDay = ' 24:00:00'
export const dayMs = 24 * 3_600_000

/** An end as people read and write it, of the text of its instant: the first instant of a day is the day before at 24:00. */
export const endText = (wire: string): string => {
  if (!wire.endsWith(' 00:00:00')) return wire
  const day = wire.slice(0, 10)
  const midnight = new Date(`${day}T00:00:00Z`)
  // A day that is in no calendar is left as it stands; a browser reads some of them as the next month's.
  if (Number.isNaN(midnight.getTime()) || midnight.toISOString().slice(0, 10) !== day) return wire
  return `${new Date(midnight.getTime() - dayMs).toISOString().slice(0, 10)}${endOfDay}`
}
