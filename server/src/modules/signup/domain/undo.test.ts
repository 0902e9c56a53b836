import { expect, test } from 'vitest'
import { isRefusal } from '#contract/kernel/refusal.ts'
import { decideUndo, type UndoFacts } from './undo.ts'

const at = (time: string): Date => new Date(`2026-03-17T${time}+08:00`)
/** A first pass of ten minutes ago, taken back by its author. */
const fine: UndoFacts = {
  now: at('10:10:00'),
  exam: { state: 'released' },
  signup: { state: 'second', signVersion: 2, payState: 'none', reductionState: 0 },
  signVersion: 2,
  decision: {
    level: 1,
    before: 'waiting',
    after: 'second',
    signVersion: 2,
    examinerId: '7',
    createdAt: at('10:00:00'),
    canBePutBack: true,
  },
  actorId: '7',
  isExamAdmin: false,
  mayPullBack: true,
  undoMinutes: 30,
  isOpenAtAnother: false,
  hasTicket: false,
  reason: '',
}
const decision = fine.decision as NonNullable<UndoFacts['decision']>
/** The same of a second review that passed. */
const passed: Partial<UndoFacts> = {
  signup: { state: 'passed', signVersion: 2, payState: 'due', reductionState: 0 },
  decision: { ...decision, level: 2, before: 'second', after: 'passed' },
}
const decide = (facts: Partial<UndoFacts>) => {
  const undone = decideUndo({ ...fine, ...facts })
  return isRefusal(undone) ? [undone.reason, undone.text.en] : undone
}
const refused = (reason: string) => [reason, expect.any(String)]

test('[S4.10] the author takes a decision back, and the sign-up is where it was before it', () => {
  expect([decide({}), decide(passed)]).toEqual([
    { to: 'waiting', level: 1 },
    { to: 'second', level: 2 },
  ])
})

test('[S4.10] the return of a sign-up that had passed is taken back: it has passed again, until it is handed in anew', () => {
  const corrected: Partial<UndoFacts> = {
    signup: { state: 'returned', signVersion: 2, payState: 'none', reductionState: 0 },
    decision: { ...decision, level: 4, before: 'passed', after: 'returned' },
  }
  expect(decide(corrected)).toEqual({ to: 'passed', level: 4 })
  expect(decide({ ...corrected, signup: { ...fine.signup, state: 'waiting', signVersion: 3 }, signVersion: 3 })).toEqual(
    refused('examine/undo-moved-on'),
  )
})

test('[S4.10] others do it only as administrators of examinations and with a reason; authors within their minutes and their role', () => {
  expect(decide({ actorId: '8' })).toEqual(refused('examine/undo-not-yours'))
  expect(decide({ mayPullBack: false })).toEqual(refused('examine/undo-off'))
  expect(decide({ now: at('10:29:59') })).toEqual({ to: 'waiting', level: 1 })
  expect(decide({ now: at('10:30:00') })).toEqual(refused('examine/undo-too-late'))
  const admin = { actorId: '9', isExamAdmin: true, mayPullBack: false, now: at('18:00:00') }
  expect(decide(admin)).toEqual(refused('examine/undo-reason'))
  expect(decide({ ...admin, reason: '复查' })).toEqual({ to: 'waiting', level: 1 })
  expect(decide({ ...admin, actorId: '7' })).toEqual({ to: 'waiting', level: 1 })
})

test('[S4.10] nothing is taken back once the next step has begun', () => {
  const moved = refused('examine/undo-moved-on')
  expect(decide({ isOpenAtAnother: true })).toEqual(moved)
  expect(decide({ signup: { ...fine.signup, state: 'passed' } })).toEqual(moved)
  expect(decide({ decision: { ...decision, signVersion: 1 } })).toEqual(moved)
  expect(decide({ decision: { ...decision, canBePutBack: false } })).toEqual(moved)
  expect(decide({ decision: { ...decision, level: 2 } })).toEqual(moved)
  expect(decide({ ...passed, hasTicket: true })).toEqual(moved)
  // What a decision about the post in the place of a cancelled one has brought about: a choice, money.
  for (const reductionState of [1, 3, 4, 5])
    expect([reductionState, decide({ signup: { ...fine.signup, reductionState } })]).toEqual([reductionState, moved])
  expect(decide({ signup: { ...fine.signup, reductionState: 2 } })).toEqual({ to: 'waiting', level: 1 })
  for (const payState of ['paid', 'refunding', 'refunded'] as const)
    expect([payState, decide({ ...passed, signup: { state: 'passed', signVersion: 2, payState, reductionState: 0 } })]).toEqual([
      payState,
      moved,
    ])
})

test('[S4.10] there must be a decision of the version that was read, in an open examination; the state is named in the reader’s language', () => {
  expect(decide({ exam: { state: 'closed' } })).toEqual(refused('signup/exam-not-open'))
  expect(decide({ signVersion: 1 })).toEqual(refused('examine/stale'))
  expect(decide({ decision: undefined })).toEqual(['examine/wrong-state', expect.stringContaining('Waiting for second review')])
})
