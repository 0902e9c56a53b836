import { setImmediate } from 'node:timers/promises'

/** Rows seen before other calls have their turn: some milliseconds of work. */
const turn = 1_000

/** Walks a list of any length without holding up the event loop. */
export const inTurns = async <T>(rows: Iterable<T>, visit: (row: T, index: number) => void): Promise<void> => {
  let i = 0
  for (const row of rows) {
    visit(row, i)
    i += 1
    if (i % turn === 0) await setImmediate()
  }
}
