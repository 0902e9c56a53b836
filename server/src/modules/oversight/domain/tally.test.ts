import { expect, test } from 'vitest'
import { type TrailLine, tallyOf } from './tally.ts'

const hour = new Date('2026-03-17T10:00:00+08:00')
const line = (of: Partial<TrailLine>): TrailLine => ({
  userId: '7',
  userType: 1,
  action: 'signup.read',
  rows: null,
  at: new Date('2026-03-17T10:59:59+08:00'),
  ...of,
})

test('lines become sums of measure, person and hour; candidates are left out, the program has no work of its own', () => {
  expect(
    tallyOf([
      line({}),
      line({}),
      line({ userId: '8' }),
      line({ at: new Date('2026-03-17T11:00:00+08:00') }),
      line({ action: 'signup.exported', rows: 12 }),
      line({ action: 'ticket.printed', rows: 3 }),
      line({ action: 'person.exported', userType: 2 }),
      line({ action: 'account.shut-out', userId: '0', userType: null }),
    ]),
  ).toEqual([
    { measure: 'exportedRows', userId: '7', hour, amount: 15 },
    { measure: 'exports', userId: '7', hour, amount: 2 },
    { measure: 'lockouts', userId: '0', hour, amount: 1 },
    { measure: 'reads', userId: '7', hour, amount: 2 },
    { measure: 'reads', userId: '7', hour: new Date('2026-03-17T11:00:00+08:00'), amount: 1 },
    { measure: 'reads', userId: '8', hour, amount: 1 },
    { measure: 'work', userId: '7', hour, amount: 4 },
    { measure: 'work', userId: '7', hour: new Date('2026-03-17T11:00:00+08:00'), amount: 1 },
    { measure: 'work', userId: '8', hour, amount: 1 },
  ])
})
