const shanghaiMs = 8 * 60 * 60_000
const monthsShown = 13

/** This month and the twelve before it, as people in China count them. */
export const monthsUntil = (now: number): readonly string[] => {
  const today = new Date(now + shanghaiMs)
  return Array.from({ length: monthsShown }, (_, back) =>
    new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - back, 1)).toISOString().slice(0, 7),
  )
}
