import { expect, test } from 'vitest'
import { epochOf } from '#web/kernel/format.ts'
import type { ExamDetail } from '../wire.ts'
import { hereOf, stageState, stagesOf } from './stages.ts'

const exam = {
  signBegin: '2026-11-17 09:00:00',
  signEnd: '2026-12-04 17:00:00',
  modifyEnd: '2026-12-05 17:00:00',
  examineEnd: '2026-12-19 17:00:00',
  payBegin: '2026-11-18 09:00:00',
  payEnd: '2026-12-20 17:00:00',
  ticketBegin: '2026-12-28 09:00:00',
  ticketEnd: '2027-01-03 08:30:00',
  scoreBegin: '2027-01-20 10:00:00',
  feeMode: 3,
  examItems: [{ id: '1', itemName: '公共基础', itemType: 1, startTime: '2027-01-03 09:00:00', endTime: '2027-01-03 11:00:00' }],
} as unknown as ExamDetail

test('the course is in order of time, without what this exam does not have', () => {
  expect(stagesOf(exam).map(stage => stage.key)).toEqual(['sign', 'modify', 'examine', 'pay', 'ticket', 'item', 'score'])
  expect(stagesOf({ ...exam, feeMode: 0, ticketBegin: null, scoreBegin: null, examItems: [] }).map(stage => stage.key)).toEqual([
    'sign',
    'modify',
    'examine',
  ])
})

test('somebody sees the papers that they sit', () => {
  const [paper] = exam.examItems
  if (paper === undefined) throw new Error('no paper')
  const two = { ...exam, examItems: [paper, { ...paper, id: '2', itemName: '护理学' }] }
  const named = (papers?: readonly string[]) => stagesOf(two, papers).flatMap(stage => stage.name ?? [])
  expect([named(), named(['2']), named([])]).toEqual([['公共基础', '护理学'], ['护理学'], []])
})

test('tickets are printed before the papers, though they can be printed until the last of them is over', () => {
  const late = { ...exam, ticketEnd: '2027-01-13 09:00:00' }
  expect(stagesOf(late).map(stage => stage.key)).toEqual(['sign', 'modify', 'examine', 'pay', 'ticket', 'item', 'score'])
})

test('a window is half-open: its end second is over', () => {
  const [sign] = stagesOf(exam)
  if (sign === undefined) throw new Error('no stage')
  expect(stageState(sign, epochOf('2026-11-17 08:59:59'))).toBe('next')
  expect(stageState(sign, epochOf('2026-11-17 09:00:00'))).toBe('now')
  expect(stageState(sign, epochOf('2026-12-04 17:00:00') - 1)).toBe('now')
  expect(stageState(sign, epochOf('2026-12-04 17:00:00'))).toBe('done')
})

test('"you are here" follows the reader’s own sign-up: nobody is at the ticket who has none, nor at the sign-up who has to pay', () => {
  const stages = stagesOf(exam)
  const at = (time: string, examine?: number, payState = 0) =>
    hereOf(stages, epochOf(time), examine === undefined ? null : ({ examine, payState } as unknown as NonNullable<ExamDetail['my']>))?.key
  const [before, open, late, over] = ['2026-11-01 12:00:00', '2026-11-20 12:00:00', '2026-12-25 12:00:00', '2027-02-01 12:00:00'] as const
  expect([at(before), at(open), at(late), at(open, 0), at(open, 4), at(open, 6)]).toEqual([
    'sign',
    'sign',
    undefined,
    'sign',
    'sign',
    'sign',
  ])
  expect([at(open, 1), at(open, 2), at(open, 3), at('2026-12-04 18:00:00', 3)]).toEqual(['examine', 'examine', 'sign', 'modify'])
  expect([at(open, 5, 1), at(open, 5, 2), at(late, 5, 2), at(late, 5, 5), at(over, 5, 2)]).toEqual([
    'pay',
    'ticket',
    'ticket',
    undefined,
    undefined,
  ])
})
