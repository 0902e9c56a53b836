import { setImmediate } from 'node:timers/promises'

/** Rows seen before other calls have their turn: some milliseconds of work. */
const turn = 1_000

/** Walks a list of any length without holding up the event loop. */
export const inTurns = async <T>(rows: readonly T[], visit: (row: T, index: number) => void): Promise<void> => {
  for (const [i, row] of rows.entries()) {
    visit(row, i)
    if (i % turn === turn - 1) await setImmediate()
  }
}
