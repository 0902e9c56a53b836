const most = 99

/** The number after the highest of a year, else the first that is free; null when all are taken. */
export const freeNo = (taken: readonly number[]): number | null => {
  const next = Math.max(0, ...taken) + 1
  if (next <= most) return next
  const numbers = new Set(taken)
  return Array.from({ length: most }, (_, index) => index + 1).find(no => !numbers.has(no)) ?? null
}
