import { type Measure, measuresOf } from '#contract/oversight/measure.ts'
import { hourOf } from './volume.ts'

/** What is read of a line of the trail to count it. */
export interface TrailLine {
  readonly userId: string
  /** 1 staff, 2 candidate, 3 service account; null for the program. */
  readonly userType: number | null
  readonly action: string
  /** Rows or people that the line tells of. */
  readonly rows: number | null
  readonly at: Date
}
export interface Tally {
  readonly measure: Measure
  readonly userId: string
  readonly hour: Date
  readonly amount: number
}

/** Sums of one measure, person and hour, in a steady order: two processes would take their rows in the same one. */
export const summed = (tallies: readonly Tally[]): readonly Tally[] => {
  const sums = new Map<string, Tally>()
  for (const tally of tallies) {
    const key = `${tally.measure}|${tally.userId}|${tally.hour.toISOString()}`
    sums.set(key, { ...tally, amount: tally.amount + (sums.get(key)?.amount ?? 0) })
  }
  return [...sums.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, tally]) => tally)
}

/** What a candidate does with their own data is nobody's business here; what the program does counts for the tenant alone. */
export const tallyOf = (lines: readonly TrailLine[]): readonly Tally[] =>
  summed(
    lines
      .filter(line => line.userType !== 2)
      .flatMap(line =>
        measuresOf(line.action)
          .filter(measure => line.userType !== null || measure !== 'work')
          .map(
            (measure): Tally => ({
              measure,
              userId: line.userType === null ? '0' : line.userId,
              hour: hourOf(line.at),
              amount: measure === 'exportedRows' ? (line.rows ?? 0) : 1,
            }),
          ),
      )
      .filter(({ amount }) => amount > 0),
  )
