import { expect, it } from 'vitest'
import { marksOf } from './marks.ts'

it('[S4.09][S3.19] marks finished nodes as done, unfinished ones as active and lines as highlighted', () => {
  const entry = (historyActivityId: string, historyActivityType: string, endTime: string | null) => ({
    historyActivityId,
    historyActivityType,
    endTime,
  })
  const marks = marksOf([
    entry('start', 'startEvent', '2026-11-20 09:00:00'),
    entry('line', 'sequenceFlow', '2026-11-20 09:00:00'),
    entry('check', 'userTask', '2026-11-20 09:10:00'),
    entry('again', 'userTask', ''),
    entry('again', 'userTask', '2026-11-20 09:05:00'),
    entry('now', 'userTask', null),
  ])
  expect(Object.fromEntries(marks)).toEqual({ start: 'done', line: 'highlight', check: 'done', again: 'active', now: 'active' })
})
