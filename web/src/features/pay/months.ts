const shanghaiMs = 8 * 60 * 60_000
const monthsShown = 13

/** This month and the twelve before it, as people in China count them. */
export const monthsUntil = (now: number): readonly string[] => {
  const today = new Date(now + shanghaiMs)
  return Array.from({ length: monthsShown }, (_, back) =>
    new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - back, 1)).toISOString().slice(0, 7),
  )
}

const dayMs = 86_400_000
/** The days from one to the other, both included; undefined where they are in the wrong order or more than `most`. */
export const daysBetween = (from: string, to: string, most: number): readonly string[] | undefined => {
  const [first, last] = [Date.parse(from), Date.parse(to)]
  const count = (last - first) / dayMs + 1
  if (!(count >= 1 && count <= most)) return undefined
  return Array.from({ length: count }, (_, day) => new Date(first + day * dayMs).toISOString().slice(0, 10))
}
