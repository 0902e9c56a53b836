/** At most a year. */
const mostSeconds = 366 * 86_400

/** Seconds of a fixed ISO 8601 duration (`P2D`, `PT48H`, `PT90M`); undefined for everything else. */
export const durationSeconds = (text: string): number | undefined => {
  const found = /^P(?:(\d{1,4})D)?(?:T(?:(\d{1,5})H)?(?:(\d{1,6})M)?(?:(\d{1,8})S)?)?$/.exec(text.trim())
  if (!found) return undefined
  const [days, hours, minutes, seconds] = found.slice(1).map(part => Number(part ?? 0)) as [number, number, number, number]
  const all = ((days * 24 + hours) * 60 + minutes) * 60 + seconds
  return all > 0 && all <= mostSeconds ? all : undefined
}
