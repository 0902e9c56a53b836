import { type Label, label } from '#contract/kernel/label.ts'
import { step } from '#contract/kernel/machine.ts'
import type { Refusal } from '#contract/kernel/refusal.ts'
import { toWireEnd, toWireTime } from '#contract/kernel/when.ts'
import { blockingChecks, type ConditionCheck, checkLabel, conditionMessage, fieldOfCheck, mayInsist } from '#contract/signup/conditions.ts'
import { lateFilesMs } from '#contract/signup/draft-merge.ts'
import { refuseSignup } from '#contract/signup/signup.errors.ts'
import { holdsPlace, type SignupState, signupMachine } from '#contract/signup/signup.state.ts'
import { correctionsEnd, isWithin } from './windows.ts'

/** One place of the form that needs attention. */
export interface Problem {
  readonly field: string
  readonly message: Label
}

/** What a decision about a submit is made from: read under the locks of the transaction, so nothing here can be stale. */
export interface SubmitFacts {
  readonly now: Date
  readonly exam: {
    readonly state: string
    readonly signBegin: Date | null
    readonly signEnd: Date | null
    readonly modifyEnd: Date | null
    readonly examineEnd: Date | null
    readonly appealEnd: Date | null
    readonly allowChangePost: boolean
    readonly changePostMax: number
    readonly contactPhone: string
  }
  /** The sign-up as it stands; undefined before the first save. */
  readonly current:
    | {
        readonly state: SignupState
        readonly code: string | null
        readonly changePostCount: number
        readonly extendUntil: Date | null
        readonly hasAppealed: boolean
      }
    | undefined
  readonly isOpenAtReviewer: boolean
  readonly isOnIntegrityList: boolean
  readonly code: string
  readonly post: { readonly postState: number } | undefined
  readonly isAppeal: boolean
  readonly hasPromised: boolean
  /** The candidate was told which conditions are not met, and wants a person to decide. */
  readonly insists: boolean
  readonly problems: readonly Problem[]
  /** Parts of a returned sign-up that changed although nobody asked for it, by their labels. */
  readonly lockedParts: readonly Label[]
  readonly checks: readonly ConditionCheck[]
}

export interface SubmitDecision {
  readonly to: SignupState
  readonly changesPost: boolean
}

const span = (from: Date | null, to: Date | null) => ({ from: from ? toWireTime(from) : '-', to: to ? toWireEnd(to) : '-' })

/** A refused sign-up is looked at once more on the candidate's word, once, until the examination's day for it (domain 4.2). */
export const isAppealOpen = (
  now: Date,
  exam: Pick<SubmitFacts['exam'], 'signBegin' | 'appealEnd' | 'examineEnd'>,
  hasAppealed: boolean,
): boolean => !hasAppealed && isWithin(now, exam.signBegin, exam.appealEnd ?? exam.examineEnd)

const late = (what: Label, from: Date | null, to: Date | null): Refusal =>
  refuseSignup('signup/outside-window', { what, ...span(from, to) })

/**
 * Whether a form may be begun now: nobody fills in what can never be handed in. What was begun in time is kept after the end, and as long as
 * files may still follow so is what a device was late to send.
 */
export const beginRefusal = (now: Date, exam: Pick<SubmitFacts['exam'], 'state' | 'signBegin' | 'signEnd'>): Refusal | undefined => {
  if (exam.state !== 'released') return refuseSignup('signup/exam-not-open', {})
  const last = exam.signEnd && new Date(exam.signEnd.getTime() + lateFilesMs)
  return isWithin(now, exam.signBegin, last) ? undefined : late(label('报名', 'sign-up'), exam.signBegin, exam.signEnd)
}

const windowRefusal = ({ now, exam, current, isAppeal, code }: SubmitFacts): Refusal | undefined => {
  const state = current?.state ?? 'draft'
  if (state === 'returned') {
    const end = correctionsEnd(exam, current?.extendUntil)
    return isWithin(now, exam.signBegin, end) ? undefined : late(label('修改', 'corrections'), exam.signBegin, end)
  }
  if (state === 'refused' && isAppeal && code === current?.code) {
    const end = exam.appealEnd ?? exam.examineEnd
    return isWithin(now, exam.signBegin, end) ? undefined : late(label('申诉', 'appeals'), exam.signBegin, end)
  }
  return isWithin(now, exam.signBegin, exam.signEnd) ? undefined : late(label('报名', 'sign-up'), exam.signBegin, exam.signEnd)
}

const stateRefusal = (facts: SubmitFacts): Refusal | undefined => {
  const { current, exam, code, isAppeal } = facts
  if (!current) return undefined
  if (step(signupMachine, current.state, 'submit') === undefined) return refuseSignup('signup/changed', {})
  if (current.state === 'waiting' && facts.isOpenAtReviewer) return refuseSignup('signup/under-review', {})
  const changesPost = current.code !== null && current.code !== code
  // A returned sign-up changes its post where the reviewer asked for that, and then it is no choice of the candidate's.
  const isOwnChange = changesPost && (current.state === 'waiting' || current.state === 'refused')
  if (isOwnChange && (!exam.allowChangePost || current.changePostCount >= exam.changePostMax))
    return refuseSignup('signup/changes-used-up', { max: exam.allowChangePost ? exam.changePostMax : 0 })
  if (current.state === 'refused' && !changesPost && (!isAppeal || current.hasAppealed)) return refuseSignup('signup/changed', {})
  return undefined
}

/** A cancelled post takes nobody; a paused one keeps those who have their place, who may only want to mend something. */
const isPostClosed = ({ current, code }: SubmitFacts, { postState }: NonNullable<SubmitFacts['post']>): boolean => {
  const keepsPlace = current !== undefined && holdsPlace[current.state] && current.code === code
  return postState === 2 || (postState === 4 && !keepsPlace)
}

/** Every condition of either choice that is not met, with what is needed and what was given. */
const unmetIn = (checks: readonly ConditionCheck[], insists: boolean) =>
  blockingChecks(checks, insists).map(check => ({
    rule: check.rule,
    ruleLabel: checkLabel(check),
    choice: check.choice ?? 1,
    field: fieldOfCheck(check),
    msg: conditionMessage(check),
    need: check.need,
    got: check.got,
    result: check.result,
    mayInsist: mayInsist(check),
  }))

/**
 * Whether a sign-up may be submitted now, and what it becomes (domain 4.2). The order of the reasons is the order in which a
 * person can do something about them: time, state, post, undertaking, form, conditions.
 */
export const decideSubmit = (facts: SubmitFacts): SubmitDecision | Refusal => {
  const { exam, current, code, post } = facts
  if (exam.state !== 'released') return refuseSignup('signup/exam-not-open', {})
  const tooLate = windowRefusal(facts)
  if (tooLate) return tooLate
  if (facts.isOnIntegrityList) return refuseSignup('signup/blocked', { phone: exam.contactPhone })
  const wrongState = stateRefusal(facts)
  if (wrongState) return wrongState
  if (!post) return refuseSignup('signup/unknown-post', { code })
  if (isPostClosed(facts, post)) return refuseSignup('signup/post-closed', {})
  if (!facts.hasPromised) return refuseSignup('signup/promise-missing', {})
  const items = unmetIn(facts.checks, facts.insists)
  const [problem] = facts.problems
  if (problem) {
    const fields = facts.problems.map(one => ({ field: one.field, msg: one.message }))
    // Conditions that are not met are told along: nobody mends a form twice.
    const data = items.length === 0 ? { fields } : { fields, items }
    return refuseSignup('signup/incomplete', { count: fields.length, first: problem.message }, { data })
  }
  if (facts.lockedParts.length > 0) {
    const { lockedParts } = facts
    const parts = label(lockedParts.map(part => part.zh).join('、'), lockedParts.map(part => part.en).join(', '))
    return refuseSignup('signup/locked-part', { parts })
  }
  const [unmet] = items
  if (unmet) return refuseSignup('signup/conditions', { first: unmet.msg }, { data: { items } })
  const to = step(signupMachine, current?.state ?? 'draft', 'submit')
  return to === undefined
    ? refuseSignup('signup/changed', {})
    : { to, changesPost: current?.code != null && current.state !== 'draft' && current.state !== 'withdrawn' && current.code !== code }
}
