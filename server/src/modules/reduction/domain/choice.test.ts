import { expect, test } from 'vitest'
import { choiceBar, targetBar } from './choice.ts'

const window = { choiceBegin: new Date('2026-03-23T01:00:00Z'), choiceEnd: new Date('2026-03-24T09:00:00Z') }
const at = (text: string): Date => new Date(text)
const within = at('2026-03-24T08:59:59.999Z')

test('[S4.04] a choice counts from the first instant of its window and not at its last', () => {
  const bar = (now: Date) => choiceBar(now, 'released', window, 'open')?.reason
  expect([at('2026-03-23T00:59:59.999Z'), window.choiceBegin, within, window.choiceEnd].map(bar)).toEqual([
    'reduction/closed',
    undefined,
    undefined,
    'reduction/closed',
  ])
})

test('[S4.04] it may be changed until the new post is reviewed, never afterwards, and not while the examination is closed', () => {
  const states = ['open', 'review', 'done', 'refunding', 'removed'] as const
  expect(states.map(state => choiceBar(within, 'released', window, state)?.reason)).toEqual([
    undefined,
    undefined,
    'reduction/decided',
    'reduction/decided',
    'reduction/decided',
  ])
  expect(choiceBar(within, 'closed', window, 'open')?.reason).toBe('reduction/exam-not-open')
})

test('[S4.04] open, reduced and receiving posts can be chosen; cancelled, paused, full ones and those with other papers cannot', () => {
  const from = { code: 'A001', itemCodes: ['01'] }
  const target = { code: 'A002', postState: 0, itemCodes: ['01'], maxSign: 0, usedSign: 5 }
  const bar = (change: Partial<typeof target>, isOwn = false, hasTickets = false) =>
    targetBar({ ...target, ...change }, from, isOwn, hasTickets)?.en
  expect([0, 1, 3].map(postState => bar({ postState }))).toEqual([undefined, undefined, undefined])
  expect([2, 4].map(postState => bar({ postState }))).toEqual(['it is cancelled', 'it is paused'])
  expect(bar({ code: 'A001' })).toBe('it is the cancelled post')
  expect([bar({ maxSign: 5 }), bar({ maxSign: 6 }), bar({ maxSign: 5 }, true)]).toEqual(['no places are left', undefined, undefined])
  expect([bar({ itemCodes: ['02'] }), bar({ itemCodes: ['02'] }, false, true), bar({}, false, true)]).toEqual([
    undefined,
    'seats are allotted, so only posts with the same papers can be chosen',
    undefined,
  ])
})
