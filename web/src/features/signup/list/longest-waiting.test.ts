import { expect, test } from 'vitest'
import { firstToDecide } from './longest-waiting.ts'

const row = (id: string, submitTime: string, lockedBy: string | null = null) => ({ id, submitTime, lockedBy })

test('work starts with what has waited longest and nobody has open, whichever of the two steps it waits for', () => {
  const rows = [row('first', '2026-03-03 10:00:00'), row('open', '2026-03-01 10:00:00', '卫初审'), row('second', '2026-03-02 10:00:00')]
  expect([firstToDecide(rows), firstToDecide(rows.slice(1, 2)), firstToDecide([])]).toEqual(['second', 'open', null])
})
