import { expect, it } from 'vitest'
import type { ExamRow } from '#web/resource/exams.ts'
import { deadlinesOf } from './deadlines.ts'

const exam = (id: string, state: number, of: Partial<ExamRow>) =>
  ({ id, examName: `E${id}`, state, signEnd: '', examineEnd: '', payEnd: '', ticketBegin: '', ...of }) as ExamRow

it('[S2.07] lists the dates of the next thirty days of released examinations, the nearest first', () => {
  const now = Date.parse('2026-11-20T09:00:00+08:00')
  const found = deadlinesOf(
    [
      exam('1', 1, { signEnd: '2026-11-20 08:59:59', examineEnd: '2026-11-25 17:00:00', payEnd: '2026-12-20 09:00:00' }),
      exam('2', 1, { signEnd: '2026-11-20 17:00:00', ticketBegin: '2026-12-20 08:59:59' }),
      exam('3', 0, { signEnd: '2026-11-21 17:00:00' }),
    ],
    now,
  )
  expect(found.map(({ exam: name, kind, days }) => [name, kind, days])).toEqual([
    ['E2', 'signEnd', 0],
    ['E1', 'examineEnd', 5],
    ['E2', 'ticketBegin', 29],
  ])
})
