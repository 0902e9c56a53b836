import { expect, it } from 'vitest'
import { stepKeys } from '#contract/statistics/overview.routes.ts'
import { type NextFacts, nextAction } from './next-action.ts'

type Counts = NextFacts['counts']
const none = Object.fromEntries([...stepKeys, 'proposals', 'approvals', 'reductions'].map(key => [key, 0])) as Counts
const next = (counts: Partial<Counts>, more: Partial<NextFacts> = {}) =>
  nextAction({
    isDraft: false,
    isReleased: true,
    problems: 0,
    counts: { ...none, ...counts },
    isSignupOver: true,
    isSat: false,
    isOver: false,
    may: () => true,
    ...more,
  })

it('a draft is mended, then released', () => {
  expect(next({}, { isDraft: true, isReleased: false, problems: 3 })).toEqual({ key: 'mend', count: 3 })
  expect(next({}, { isDraft: true, isReleased: false })).toEqual({ key: 'release', count: 0 })
  expect(next({}, { isDraft: true, isReleased: false, may: code => code === 'examination_edit' })).toEqual({ key: 'none', count: 0 })
})
it('what waits comes before what could be begun', () => {
  const all = { waiting: 4, second: 2, refunds: 1, toSeat: 1, toReleaseTickets: 1, toScore: 1, toReleaseResults: 1 }
  expect(next(all)).toEqual({ key: 'reviewFirst', count: 4 })
  expect(next({ ...all, waiting: 0 })).toEqual({ key: 'reviewSecond', count: 2 })
  expect(next({ ...all, waiting: 0, second: 0 })).toEqual({ key: 'refunds', count: 1 })
  expect(next({ ...all, waiting: 0, second: 0, refunds: 0 })).toEqual({ key: 'seat', count: 1 })
  expect(next({ rereview: 4, toSeat: 1 }, { isOver: true })).toEqual({ key: 'rereview', count: 4 })
})
it('what a second person decides on goes by their right, and posts are decided on before seats are drawn', () => {
  const all = { proposals: 2, approvals: 1, reductions: 3, toSeat: 1 }
  const of = (code: string) => next(all, { may: one => one === code || one === 'ticket_generate' })
  expect([of('recheck_uphold'), of('signup_approve'), of('reduction_edit'), of('')]).toEqual([
    { key: 'proposals', count: 2 },
    { key: 'approvals', count: 1 },
    { key: 'reductions', count: 3 },
    { key: 'seat', count: 1 },
  ])
})
it('nobody draws seats while people are reviewed or sign up', () => {
  expect(next({ waiting: 1, toSeat: 1 }, { may: code => code !== 'examine_first' })).toEqual({ key: 'none', count: 0 })
  expect(next({ toSeat: 1 }, { isSignupOver: false })).toEqual({ key: 'none', count: 0 })
})
it('whoever was not reviewed before the papers keeps neither results nor the end waiting', () => {
  const all = { waiting: 3, second: 1, toReleaseResults: 2 }
  expect(next(all, { isSat: true })).toEqual({ key: 'releaseResults', count: 2 })
  expect(next({ waiting: 3 }, { isSat: true, isOver: true })).toEqual({ key: 'close', count: 1 })
  expect(next({ waiting: 3 }, { isSat: true })).toEqual({ key: 'reviewFirst', count: 3 })
})
it('offers what the person may do', () => {
  const of = (code: string) => next({ waiting: 4, toReleaseTickets: 1, toReleaseResults: 2 }, { may: one => one === code }).key
  expect([of('examine_first'), of('ticket_release'), of('result_release'), of('signup_view')]).toEqual([
    'reviewFirst',
    'releaseTickets',
    'releaseResults',
    'none',
  ])
})
it('is closed when all is over, and has nothing to do afterwards', () => {
  expect(next({}, { isOver: true })).toEqual({ key: 'close', count: 1 })
  expect(next({}, { isReleased: false, isOver: true })).toEqual({ key: 'none', count: 0 })
})
