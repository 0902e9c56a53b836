import { describe, expect, test } from 'vitest'
import { aheadOf, expectedWait, type ReviewPace, type ReviewQueue, waitHint } from './review-queue.ts'

const now = Date.parse('2026-03-18T10:00:00+08:00')
const hour = 3_600_000
const idle: ReviewPace = { reviewers: 0, medianMs: null, decided: 0, since: null }
const busy: ReviewPace = { reviewers: 5, medianMs: 45_000, decided: 400, since: now - 4 * 24 * hour }

describe('the place in the queue', () => {
  const marks = [10, 20, 20, 30]
  test('all that were submitted before, none of the same instant', () => {
    const queue = { marks, step: 1, waiting: 4 }
    expect([5, 10, 15, 20, 25, 30, 35].map(at => aheadOf(queue, at))).toEqual([0, 0, 1, 1, 3, 3, 4])
    expect(aheadOf({ marks: [], step: 1, waiting: 0 }, 10)).toBe(0)
  })
  test('of a long queue every so many are marked, and no place lies behind its end', () => {
    expect(aheadOf({ marks, step: 100, waiting: 350 }, 25)).toBe(300)
    expect(aheadOf({ marks, step: 100, waiting: 350 }, 99)).toBe(350)
  })
})

describe('the expected time', () => {
  test.each([
    ['340 ahead, five reviewers, 45 s each: 51 minutes', 340, busy, { unit: 'hour', count: 1 }],
    ['nobody ahead', 0, busy, { unit: 'minute', count: 5 }],
    ['40 ahead: 6 minutes', 40, busy, { unit: 'minute', count: 10 }],
    ['62 ahead, decided at a glance: 21 minutes, not five', 62, { ...busy, reviewers: 1, medianMs: 4_000 }, { unit: 'minute', count: 25 }],
    ['300 ahead: 45 minutes', 300, busy, { unit: 'minute', count: 45 }],
    ['3,000 ahead: 7.5 hours', 3_000, busy, { unit: 'hour', count: 8 }],
    ['more than a sitting: by the days that decisions took, 100 a day', 3_999, busy, { unit: 'day', count: 40 }],
    ['nobody reviews at this hour', 150, { ...busy, reviewers: 0, medianMs: null }, { unit: 'day', count: 2 }],
    [
      'the first decisions are an hour old',
      150,
      { reviewers: 0, medianMs: null, decided: 10, since: now - hour },
      { unit: 'day', count: 16 },
    ],
    ['months are no forecast', 30_000, busy, undefined],
    ['nobody has decided anything', 1, idle, undefined],
  ] as const)('%s', (_title, ahead, pace, expected) => {
    expect(expectedWait(ahead, pace, now)).toEqual(expected)
  })
})

test('the words', () => {
  const queue: ReviewQueue = { waiting: 4, marks: [10, 20, 30, 40], step: 1, pace: busy }
  expect(waitHint(queue, 30, now)).toEqual({
    zh: '前面还有 2 人，照现在的审核速度约 5 分钟',
    en: '2 people ahead of you, about 5 minutes at the present pace',
  })
  expect(waitHint({ ...queue, pace: idle }, 20, now)).toEqual({ zh: '前面还有 1 人', en: '1 person ahead of you' })
  expect(waitHint({ ...queue, pace: idle }, 10, now)).toEqual({ zh: '您排在最前面', en: 'You are the first in the queue' })
  expect(waitHint({ ...queue, waiting: 680, step: 170 }, 30, now)).toEqual({
    zh: '前面约 340 人，照现在的审核速度约 1 小时',
    en: 'about 340 people ahead of you, about 1 hour at the present pace',
  })
})
