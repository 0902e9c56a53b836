import { expect, it } from 'vitest'
import { daysUntil, idleOf, isOfOneExam, moneyPaths, nearOf, newestOf, placeOf, placeOfDeadline, type ToDo } from './to-dos.ts'

const toDo = (of: Partial<ToDo>): ToDo => ({
  key: 'reviewFirst',
  count: 1,
  oldestTime: null,
  path: '/examine/list',
  examId: '7',
  examName: 'E',
  ...of,
})

it('[S2.07] leads to the list of the work, narrowed to it and to the examination where it has waited longest', () => {
  expect([
    placeOf(toDo({})),
    placeOf(toDo({ key: 'refunds', path: '/pay/payRefund' })),
    placeOf(toDo({ key: 'postings', path: '/pay/examPay' })),
    placeOf(toDo({ key: 'corrections', path: '/result/result' })),
    placeOf(toDo({ key: 'ticketsToRelease', path: '/ticket/ticket' })),
    placeOf(toDo({ key: 'drafts', path: '/exam/examination' })),
    placeOf(toDo({ key: 'registrations', path: '/system/user', examId: null })),
    placeOf(toDo({ key: 'rechecks', path: '/examine/review' })),
    placeOf(toDo({ key: 'calls', path: '/examine/review' })),
    placeOf(toDo({ key: 'proposals', path: '/examine/signup' })),
    placeOf(toDo({ key: 'approvals', path: '/examine/export', examId: null })),
    placeOf(toDo({ key: 'exports', path: '/monitor/audit', examId: null })),
    placeOf(toDo({ path: null })),
  ]).toEqual([
    '/examine/list?examId=7&examine=1&mayTake=1',
    '/pay/payRefund?examId=7&state=0',
    '/pay/examPay?examId=7&waitsFor=2',
    '/result/result?examId=7&correctionWaits=1',
    '/ticket/ticket?examId=7',
    '/exam/examination?state=0',
    '/system/user',
    '/examine/review?examId=7&reviewState=1',
    '/examine/review?examId=7&callState=0',
    '/examine/signup?examId=7&proposed=1',
    '/examine/export',
    '/monitor/audit?measure=exports',
    null,
  ])
})

it('[S2.07] shows the ends of the next thirty days, six at most', () => {
  const now = Date.parse('2026-11-20T09:00:00+08:00')
  const end = (time: string) => ({ examId: '1', examName: 'E', kind: 'signEnd', paper: '', papers: 0, path: null, time }) as const
  const times = ['2026-11-20 17:00:00', '2026-11-21 08:00:00', '2026-12-19 23:59:59', '2026-12-20 00:00:00']
  expect(nearOf(times.map(end), now).map(({ time }) => [time, daysUntil(time, now)])).toEqual([
    [times[0], 0],
    [times[1], 1],
    [times[2], 29],
  ])
  expect(
    nearOf(
      Array.from({ length: 8 }, () => end(times[0] ?? '')),
      now,
    ),
  ).toHaveLength(6)
})

it('[S2.07] leads from an end to the list where one works towards it', () => {
  const end = { examId: '7', examName: 'E', kind: 'paper', paper: 'P', papers: 1, time: '2026-12-21 09:00:00' } as const
  expect([placeOfDeadline({ ...end, path: '/ticket/day' }), placeOfDeadline({ ...end, path: null })]).toEqual([
    '/ticket/day?examId=7',
    null,
  ])
})

it('[S2.07] lists the unread messages before the others, the newest first, five at most', () => {
  const message = (id: number, isUnread: boolean) => ({ id, isUnread, createTime: `2026-11-0${id} 09:00:00` })
  const all = [message(1, true), message(2, false), message(3, true), message(4, false), message(5, false), message(6, false)]
  expect(newestOf(all).map(({ id }) => id)).toEqual([3, 1, 6, 5, 4])
})

it('[S2.07] keeps the way to the own work where nothing waits', () => {
  const idle = (key: ToDo['key'], path: string | null = '/x') => toDo({ key, path, count: 0 })
  expect(idleOf([idle('rooms'), idle('tasks'), idle('claims'), idle('alerts', null)]).map(({ key }) => key)).toEqual(['rooms'])
})

it('[26.8] a sum of today leads to the rows that make it up', () => {
  expect(moneyPaths('2026-03-17 00:00:00')).toEqual({
    received: '/pay/examPay?paidTime_ge=2026-03-17+00%3A00%3A00',
    refunded: '/pay/payRefund?successTime_ge=2026-03-17+00%3A00%3A00',
  })
})

it('[S2.07] knows which number is over all examinations while its list shows one', () => {
  expect([toDo({}), toDo({ key: 'drafts' }), toDo({ examId: null }), toDo({ path: null }), toDo({ count: 0 })].map(isOfOneExam)).toEqual([
    true,
    false,
    false,
    false,
    false,
  ])
})
