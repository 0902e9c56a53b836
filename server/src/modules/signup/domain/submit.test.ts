import { describe, expect, test } from 'vitest'
import { label } from '#contract/kernel/label.ts'
import { isRefusal, type Refusal } from '#contract/kernel/refusal.ts'
import type { ConditionCheck } from '#contract/signup/conditions.ts'
import { decideSubmit, isAppealOpen, type SubmitDecision, type SubmitFacts } from './submit.ts'

const at = (time: string): Date => new Date(`2026-03-${time}+08:00`)
const exam: SubmitFacts['exam'] = {
  state: 'released',
  signBegin: at('16T09:00:00'),
  signEnd: at('20T17:00:00'),
  modifyEnd: at('21T12:00:00'),
  examineEnd: at('21T17:00:00'),
  appealEnd: at('22T17:00:00'),
  allowChangePost: true,
  changePostMax: 1,
  contactPhone: '0571-88880000',
}
/** A first submit in which nothing is amiss. */
const fine: SubmitFacts = {
  now: at('17T10:00:00'),
  exam,
  current: undefined,
  isOpenAtReviewer: false,
  isOnIntegrityList: false,
  code: 'B001',
  post: { postState: 1 },
  isAppeal: false,
  hasPromised: true,
  insists: false,
  problems: [],
  lockedParts: [],
  checks: [],
}
const stands = (state: NonNullable<SubmitFacts['current']>['state'], more: Partial<NonNullable<SubmitFacts['current']>> = {}) =>
  ({ state, code: 'B001', changePostCount: 0, extendUntil: null, hasAppealed: false, ...more }) as const
const told = (decision: SubmitDecision | Refusal) => (isRefusal(decision) ? [decision.reason, decision.text.en] : decision)
const decide = (facts: Partial<SubmitFacts>) => told(decideSubmit({ ...fine, ...facts }))
const check = (result: ConditionCheck['result'], blocking: boolean): ConditionCheck => ({
  rule: 'sex',
  result,
  need: label('女', 'Female'),
  got: label('男', 'Male'),
  blocking,
})

describe('decideSubmit', () => {
  test('what waits, was returned, refused or withdrawn, or is new, waits afterwards; another post than before is counted', () => {
    expect([
      decide({}),
      decide({ current: stands('draft', { code: 'A001' }) }),
      decide({ current: stands('waiting') }),
      decide({ current: stands('waiting', { code: 'A001' }) }),
      decide({ current: stands('returned') }),
      decide({ current: stands('refused', { code: 'A001' }) }),
      decide({ current: stands('refused'), isAppeal: true }),
      decide({ current: stands('withdrawn', { code: 'A001' }) }),
    ]).toEqual([false, false, false, true, false, true, false, false].map(changesPost => ({ to: 'waiting', changesPost })))
  })

  test('the examination must be released, and each window is half-open', () => {
    const window = (what: string, from: string, to: string) => ['signup/outside-window', `Outside the time for ${what} (${from} to ${to})`]
    expect(decide({ exam: { ...exam, state: 'closed' } })).toEqual(['signup/exam-not-open', expect.any(String)])
    const times = { begin: '2026-03-16 09:00', end: '2026-03-20 17:00' }
    expect(decide({ now: at('16T08:59:59.999') })).toEqual(window('sign-up', times.begin, times.end))
    expect(decide({ now: at('16T09:00:00') })).toEqual({ to: 'waiting', changesPost: false })
    expect(decide({ now: at('20T16:59:59.999') })).toEqual({ to: 'waiting', changesPost: false })
    expect(decide({ now: at('20T17:00:00') })).toEqual(window('sign-up', times.begin, times.end))
    expect(decide({ now: at('21T12:00:00'), current: stands('returned') })).toEqual(window('corrections', times.begin, '2026-03-21 12:00'))
    expect(decide({ now: at('22T17:00:00'), current: stands('refused'), isAppeal: true })).toEqual(
      window('appeals', times.begin, '2026-03-22 17:00'),
    )
    expect(decide({ now: at('21T10:00:00'), current: stands('refused', { code: 'A001' }) })).toEqual(
      window('sign-up', times.begin, times.end),
    )
  })

  test('whoever was given more time may mend until then, and an extension that ends earlier takes nothing away', () => {
    const given = stands('returned', { extendUntil: at('22T12:00:00') })
    expect(decide({ now: at('22T11:59:59.999'), current: given })).toEqual({ to: 'waiting', changesPost: false })
    expect(decide({ now: at('22T12:00:00'), current: given })).toMatchObject(['signup/outside-window', expect.anything()])
    const shorter = stands('returned', { extendUntil: at('20T12:00:00') })
    expect(decide({ now: at('21T11:00:00'), current: shorter })).toEqual({ to: 'waiting', changesPost: false })
  })

  test('reasons come in the order in which a person can do something about them', () => {
    const facts: Partial<SubmitFacts>[] = [
      { exam: { ...exam, state: 'closed' } },
      { now: at('20T17:00:00') },
      { isOnIntegrityList: true },
      { current: stands('passed') },
      { post: undefined },
      { hasPromised: false },
      { problems: [{ field: 'school', message: label('请填写毕业院校', 'Give the school') }] },
      { lockedParts: [label('专业', 'Major')] },
      { checks: [check('no', true)] },
    ]
    const reasons = facts.map((_, from) => {
      const decision = decideSubmit(Object.assign({}, fine, ...facts.slice(from).reverse()))
      return isRefusal(decision) ? decision.reason : decision.to
    })
    expect(reasons).toEqual([
      'signup/exam-not-open',
      'signup/outside-window',
      'signup/blocked',
      'signup/changed',
      'signup/unknown-post',
      'signup/promise-missing',
      'signup/incomplete',
      'signup/locked-part',
      'signup/conditions',
    ])
  })

  test('[A7] whoever insists has a person decide; age and sex stay, and every unmet condition says whether it may be insisted on', () => {
    const no = (rule: 'sex' | 'education'): ConditionCheck => ({ ...check('no', true), rule })
    expect(decide({ checks: [no('education')], insists: true })).toEqual({ to: 'waiting', changesPost: false })
    const refused = decideSubmit({ ...fine, checks: [no('sex'), no('education')] })
    expect(
      isRefusal(refused) && (refused.data as { items: { rule: string; mayInsist: boolean }[] }).items.map(one => [one.rule, one.mayInsist]),
    ).toEqual([
      ['sex', false],
      ['education', true],
    ])
    expect(decide({ checks: [no('sex'), no('education')], insists: true })).toMatchObject(['signup/conditions', expect.anything()])
  })

  test('what somebody reviews, and what is past the review, is not submitted anew', () => {
    expect(decide({ current: stands('waiting'), isOpenAtReviewer: true })).toMatchObject(['signup/under-review', expect.anything()])
    for (const state of ['second', 'passed', 'disqualified'] as const)
      expect([state, decide({ current: stands(state) })]).toEqual([state, ['signup/changed', expect.any(String)]])
  })

  test('a refused sign-up comes back as another post within the allowed changes, or as the one appeal', () => {
    const other = stands('refused', { code: 'A001' })
    expect(decide({ current: other, exam: { ...exam, allowChangePost: false } })).toMatchObject([
      'signup/changes-used-up',
      expect.anything(),
    ])
    expect(decide({ current: { ...other, changePostCount: 1 } })).toMatchObject(['signup/changes-used-up', expect.anything()])
    expect(decide({ current: stands('refused') })).toMatchObject(['signup/changed', expect.anything()])
    expect(decide({ current: stands('refused', { hasAppealed: true }), isAppeal: true })).toMatchObject([
      'signup/changed',
      expect.anything(),
    ])
  })

  test('what waits changes its post only where and as often as the examination allows; a withdrawn one chooses anew', () => {
    const other = stands('waiting', { code: 'A001' })
    const usedUp = ['signup/changes-used-up', expect.anything()]
    const none = { ...exam, allowChangePost: false }
    expect([
      decide({ current: other, exam: none }),
      decide({ current: { ...other, changePostCount: 1 } }),
      decide({ current: stands('waiting', { changePostCount: 1 }), exam: none }),
      decide({ current: stands('withdrawn', { code: 'A001', changePostCount: 1 }), exam: none }),
      decide({ current: stands('returned', { code: 'A001', changePostCount: 1 }), exam: none }),
    ]).toEqual([usedUp, usedUp, ...[false, false, true].map(changesPost => ({ to: 'waiting', changesPost }))])
  })

  test('a paused post takes nobody new and keeps whoever has a place; a cancelled one keeps nobody', () => {
    const paused = { post: { postState: 4 } }
    const closed = ['signup/post-closed', expect.any(String)]
    expect([
      decide({ ...paused, current: stands('waiting') }),
      decide({ ...paused, current: stands('returned') }),
      decide({ ...paused, current: stands('waiting', { code: 'A001' }) }),
      decide({ ...paused, current: stands('withdrawn') }),
      decide({ ...paused, current: stands('refused'), isAppeal: true }),
      decide({ post: { postState: 2 }, current: stands('returned') }),
    ]).toEqual([...[false, false].map(changesPost => ({ to: 'waiting', changesPost })), closed, closed, closed, closed])
  })

  test('a post that is cancelled or full of nothing takes nobody', () => {
    expect([2, 4, 3].map(postState => decide({ post: { postState } }))).toEqual([
      ['signup/post-closed', expect.any(String)],
      ['signup/post-closed', expect.any(String)],
      { to: 'waiting', changesPost: false },
    ])
  })

  test('every problem and every condition that blocks travels with the refusal', () => {
    const problems = ['school', 'major'].map(field => ({ field, message: label(`缺 ${field}`, `No ${field}`) }))
    expect(decideSubmit({ ...fine, problems })).toMatchObject({
      reason: 'signup/incomplete',
      data: { fields: problems.map(({ field, message }) => ({ field, msg: message })) },
    })
    expect(decideSubmit({ ...fine, checks: [check('warn', false), check('no', true)] })).toMatchObject({
      reason: 'signup/conditions',
      data: { items: [{ rule: 'sex', field: 'sex', need: label('女', 'Female'), got: label('男', 'Male') }] },
    })
    expect(decide({ checks: [check('warn', false), check('no', false), check('ok', true)] })).toEqual({ to: 'waiting', changesPost: false })
  })
})

test('isAppealOpen: once, and until the day for appeals or else the end of the review', () => {
  expect([
    isAppealOpen(at('22T16:59:59'), exam, false),
    isAppealOpen(at('22T17:00:00'), exam, false),
    isAppealOpen(at('21T16:59:59'), { ...exam, appealEnd: null }, false),
    isAppealOpen(at('21T17:00:00'), { ...exam, appealEnd: null }, false),
    isAppealOpen(at('17T10:00:00'), exam, true),
  ]).toEqual([true, false, true, false, false])
})
