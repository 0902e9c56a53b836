import { expect, it } from 'vitest'
import { bodyOf, daysLater, nameFor } from './copy.ts'

it('counts the days between the sign-up of a copy and of its pattern, whatever the hours', () => {
  expect([daysLater('2025-03-09 23:00:00', '2026-03-09'), daysLater('2026-03-16 00:00:00', '2026-03-15')]).toEqual([365, -1])
})

it('puts the year of the copy into its name', () => {
  expect([nameFor('2025年公开招聘', 2026, ' (copy)'), nameFor('Batch 3', 2026, ' (copy)')]).toEqual(['2026年公开招聘', 'Batch 3 (copy)'])
})

it('moves every window by the same days and leaves lists to the server', () => {
  const exam = {
    id: '7',
    version: 3,
    state: 2,
    examName: '2025年公开招聘',
    examCode: 'A',
    examNo: 1,
    year: 2025,
    signBegin: '2025-03-09 09:00:00',
    signEnd: '2025-03-20 23:59:59',
    signitems: [],
    signfiles: [],
    examitems: [],
  }
  const body = bodyOf(exam as never, { examName: '2026年公开招聘', examCode: 'B', examNo: 2, signDay: '2026-03-10' })
  expect(body).toMatchObject({
    copyFrom: '7',
    year: 2026,
    examCode: 'B',
    examNo: 2,
    signBegin: '2026-03-10 09:00:00',
    signEnd: '2026-03-21 23:59:59',
  })
  expect(Object.keys(body).filter(name => ['id', 'version', 'signitems', 'signfiles', 'examitems'].includes(name))).toEqual([])
})
