/**
 * Totals, ranks and shortlists (domain 3.1, 4.11, 11.1). Scores and weights are hundredths, intermediate values keep four decimals,
 * all as integers, so nothing depends on binary fractions.
 */

/** Half-up division of integers; the quotient is never negative here. */
export const divideHalfUp = (value: number, by: number): number => Math.floor((2 * value + by) / (2 * by))

/** One weighted part: 78.50 at 50 % is `{scoreHundredths: 7850, weightHundredths: 5000}`. */
export interface WeightedPart {
  readonly scoreHundredths: number
  readonly weightHundredths: number
}

/** Sum of score × weight, each product rounded half-up to four decimals, in ten-thousandths: 78.50 × 50 % → 392500. */
export const weightedSum = (parts: readonly WeightedPart[]): number =>
  // 1/100 × 1/100 of a percent is 1e-6; ten-thousandths are 1e-4.
  parts.reduce((sum, part) => sum + divideHalfUp(part.scoreHundredths * part.weightHundredths, 100), 0)

/**
 * A score as people read it, in ten-thousandths: 59.996 at scale 2 is 600000, as 60.00 is. Whatever compares scores (pass lines, ranks, ties,
 * shortlists) takes this type, so nothing that is decided can contradict the numbers that are shown.
 */
export type Published = number & { readonly __published: true }

/** Rounds ten-thousandths half-up to `scale` decimals (0–4). */
export function publish(tenThousandths: number, scale: number): Published {
  if (!Number.isInteger(scale) || scale < 0 || scale > 4) throw new RangeError(`scale ${scale} is not in 0–4`)
  const unit = 10 ** (4 - scale)
  return (divideHalfUp(tenThousandths, unit) * unit) as Published
}

/** Whether a published score reaches a line in hundredths; without a line everything does. */
export const reachesLine = (score: Published, lineHundredths: number | null): boolean =>
  lineHundredths === null || score >= lineHundredths * 100

/** Text of ten-thousandths rounded half-up to `scale` decimals (0–4): 818750 at scale 2 → `81.88`. */
export function roundToScale(tenThousandths: number, scale: number): string {
  const digits = String(publish(tenThousandths, scale) / 10 ** (4 - scale)).padStart(scale + 1, '0')
  return scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}

/** Total of written and interview score (or of the papers within one): weights in percent, rounded half-up to the exam's scale. */
export const total = (parts: readonly WeightedPart[], scale: number): string => roundToScale(weightedSum(parts), scale)

/** What ranks are made of: larger is better, compared from the first value on (total, then the exam's tie-break list). */
export interface Ranked {
  readonly id: string
  readonly values: readonly number[]
}

const compare = (a: Ranked, b: Ranked): number => {
  for (let i = 0; i < Math.max(a.values.length, b.values.length); i++) {
    const difference = (b.values[i] ?? 0) - (a.values[i] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

/** Ranks by id; equal values share a rank and the next rank skips (1, 2, 2, 4). */
export function rankOf(rows: readonly Ranked[]): Map<string, number> {
  const sorted = [...rows].sort(compare)
  const ranks = new Map<string, number>()
  let rank = 0
  sorted.forEach((row, i) => {
    const previous = sorted[i - 1]
    if (previous === undefined || compare(previous, row) !== 0) rank = i + 1
    ranks.set(row.id, rank)
  })
  return ranks
}

export interface ShortlistRow extends Ranked {
  /** Gave up or failed the re-review; the place goes to the next in rank. */
  readonly isOut?: boolean
}

/**
 * `signup.shortlist` by id: 0 not in, 1 in, 2 moved up, 3 gave up. In are the best `plan × ratio` with everybody who ties with the last
 * of them; others move up, in order of rank and with their ties, only while fewer than that number remain. Rows below the line or
 * without a valid score are not handed in.
 */
export function shortlist(rows: readonly ShortlistRow[], plan: number, ratio: number): Map<string, 0 | 1 | 2 | 3> {
  const places = plan * ratio
  const ranks = rankOf(rows)
  const rankOfRow = (row: ShortlistRow) => ranks.get(row.id) ?? Number.POSITIVE_INFINITY
  const result = new Map<string, 0 | 1 | 2 | 3>(rows.map(row => [row.id, 0]))
  let remaining = 0
  for (const row of rows) {
    if (rankOfRow(row) > places) continue
    result.set(row.id, row.isOut ? 3 : 1)
    if (!row.isOut) remaining++
  }
  const waiting = rows.filter(row => rankOfRow(row) > places && !row.isOut).sort(compare)
  let lastRank = 0
  for (const row of waiting) {
    if (remaining >= places && rankOfRow(row) !== lastRank) break
    result.set(row.id, 2)
    remaining++
    lastRank = rankOfRow(row)
  }
  return result
}

/** A stored decimal of four places, which is rounded already, at the examination's scale: `81.8800` at 2 → `81.88`. */
export const atScale = (text: string, scale: number): string => {
  const [whole = '0', decimals = ''] = text.split('.')
  return scale === 0 ? whole : `${whole}.${decimals.slice(0, scale).padEnd(scale, '0')}`
}
