import { expect, test } from 'vitest'
import { firstToDecide } from './longest-waiting.ts'

const row = (id: string, submitTime: string, lockedBy: string | null = null, recusal: string | null = null) => ({
  ...{ id, submitTime, lockedBy, recusal },
})

test('work starts with what has waited longest and nobody has open, whichever of the two steps it waits for', () => {
  const rows = [row('first', '2026-03-03 10:00:00'), row('open', '2026-03-01 10:00:00', '卫初审'), row('second', '2026-03-02 10:00:00')]
  // What somebody must not decide on is not theirs to begin with, however long it waits.
  const kept = row('relative', '2026-02-01 10:00:00', null, '考生申报其为亲属')
  expect([firstToDecide([kept, ...rows], '李初审'), firstToDecide([kept], '李初审')]).toEqual([{ id: 'second' }, { held: 0 }])
  // What a colleague has open is left to them, also where nothing else waits; what somebody holds themselves is not.
  const [open] = [rows.slice(1, 2)]
  expect([firstToDecide(rows, '李初审'), firstToDecide(open, '李初审'), firstToDecide(open, '卫初审')]).toEqual([
    { id: 'second' },
    { held: 1 },
    { id: 'open' },
  ])
})
