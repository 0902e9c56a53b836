import { refuse } from '#contract/kernel/errors.ts'
import { ownReasons } from '#contract/kernel/own-reason.ts'
import { isRefusal } from '#contract/kernel/refusal.ts'
import type { InputOf } from '#contract/kernel/route.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { payStateWire } from '#contract/pay/order.state.ts'
import type { examine } from '#contract/signup/examine.routes.ts'
import { refuseSignup } from '#contract/signup/signup.errors.ts'
import { holdsNumber, holdsPlace, signupMachine } from '#contract/signup/signup.state.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { transition } from '#kernel/db/transition.ts'
import { accepted, type Ctx, Refused, type Session } from '#kernel/http/context.ts'
import { type ExamRow, findExam, lockExam, takeSeat } from '#modules/exam/index.ts'
import {
  dropWaiting,
  findLiveLock,
  hasTicket,
  lastDecision,
  markUndone,
  mayPullBack,
  type Overwritten,
  takeLock,
} from '../data/examine.repo.ts'
import { isPersonTaken, lockSignup, type SignupRow, storePayState } from '../data/signup.repo.ts'
import type { SignupContext } from '../deps.ts'
import { decideUndo, type UndoFacts } from '../domain/undo.ts'
import { orderAllotment } from './order-allotment.ts'
import { numbersOf } from './parameters.ts'
import { maySee } from './visibility.ts'

/** Whose decisions they are, by level. */
const rights = { 1: 'examine_first', 2: 'examine_second', 4: 'examine_correct' } as const

const factsOf = async (
  db: TenantDb,
  session: Session,
  facts: { now: Date; exam: ExamRow; signup: SignupRow; signVersion: number; reason: string },
) => {
  const { now, exam, signup, signVersion, reason } = facts
  const decision = await lastDecision(db, signup.id)
  const minutes = await numbersOf(db, ['examine.undoMinutes', 'examine.lockMinutes'])
  const lock = await findLiveLock(db, signup.id)
  const permission = decision === undefined ? rights[1] : rights[decision.level]
  const undo: UndoFacts = {
    now,
    exam,
    signup: { state: signup.examine, signVersion: signup.signVersion, payState: signup.payState, reductionState: signup.reductionState },
    signVersion,
    decision: decision && { ...decision, canBePutBack: decision.overwritten !== null },
    actorId: session.userId,
    isExamAdmin: session.roleAliases.has('exam_admin'),
    mayPullBack: session.permissions.has(permission) && (await mayPullBack(db, session.roleIds, permission)),
    undoMinutes: minutes['examine.undoMinutes'],
    isOpenAtAnother: lock !== undefined && lock.reviewerId !== session.userId,
    hasTicket: await hasTicket(db, signup.id),
    reason,
  }
  return { undo, decision, lockMinutes: minutes['examine.lockMinutes'] }
}

/** The last decision on a sign-up where this person may undo it now; null otherwise. */
export const undoable = async (db: TenantDb, ctx: Ctx, session: Session, signup: SignupRow) => {
  const exam = await findExam(db, signup.examId)
  if (!exam) return null
  const { undo, decision } = await factsOf(db, session, {
    now: ctx.arrivedAt,
    exam,
    signup,
    signVersion: signup.signVersion,
    reason: '-',
  })
  if (!decision || isRefusal(decideUndo(undo))) return null
  return {
    result: decision.result,
    examinerName: decision.examinerName,
    until: undo.isExamAdmin ? null : toWireTime(new Date(decision.createdAt.getTime() + undo.undoMinutes * 60_000)),
    needsReason: decision.examinerId !== session.userId,
  }
}

const reviewedAgain = (exam: string) => ({
  title: { zh: '审核结果已撤回，正在重新审核', en: 'The review result was taken back; your sign-up is reviewed again' },
  content: {
    zh: `${exam}：此前的审核结果不再有效，请等待新的审核结果。`,
    en: `${exam}: the earlier result no longer counts; please wait for the new one.`,
  },
})
const passedAgain = (exam: string) => ({
  title: { zh: '退回修改已撤回，报名仍为审核通过', en: 'The return was taken back; your sign-up has passed' },
  content: {
    zh: `${exam}：无需修改，此前的审核通过结果有效；需缴费的请在缴费截止前完成。`,
    en: `${exam}: nothing has to be corrected, the earlier pass counts; where there is a fee, please pay before the payment ends.`,
  },
})

const tell = (deps: SignupContext, db: TenantDb, exam: ExamRow, signup: SignupRow, recordId: string, hasPassedAgain: boolean) =>
  deps.message.notify(db, {
    userId: signup.userId,
    examId: exam.id,
    kind: 1,
    ...(hasPassedAgain ? passedAgain(exam.examName) : reviewedAgain(exam.examName)),
    link: '/signup/myExam',
    eventKey: `signup.undone:${recordId}`,
  })

/** What the decision had overwritten, as columns. */
const putBack = ({ advisements, ...columns }: Overwritten): Record<string, unknown> => ({
  ...columns,
  advisements: JSON.stringify(advisements),
})

/**
 * Takes the last decision back: the sign-up, its place and its dues are as they were before it, the record stays and says so, the
 * author holds the lock again (domain 4.2, last row).
 *
 * Refusals: kernel/not-found, signup/exam-not-open, signup/post-full, examine/wrong-state, stale, undo-not-yours, undo-off,
 * undo-moved-on, undo-too-late, undo-reason, undo-number-taken.
 */
export const undoExamine = async (
  deps: SignupContext,
  db: TenantDb,
  ctx: Ctx,
  session: Session,
  input: InputOf<typeof examine>,
): Promise<{ examine: number; nextId: string | null; payState: number }> => {
  const signup = await lockSignup(db, input.signUpId)
  if (!signup || !maySee(session, signup)) throw new Refused(refuse('kernel/not-found', {}))
  const exam = await lockExam(db, signup.examId)
  if (!exam) throw new Refused(refuse('kernel/not-found', {}))
  const reason = input.examineResultRemark?.trim() ?? ''
  const facts = await factsOf(db, session, { now: ctx.arrivedAt, exam, signup, signVersion: input.signVersion, reason })
  const { to, level } = accepted(decideUndo(facts.undo))
  const { decision } = facts
  if (!decision?.overwritten || !(await markUndone(db, decision.id))) throw new Refused(refuseSignup('examine/undo-moved-on', {}))
  if (holdsPlace[to] && !holdsPlace[signup.examine] && signup.code && !(await takeSeat(db, exam.id, signup.code)))
    throw new Refused(refuseSignup('signup/post-full', {}))
  if (
    holdsNumber[to] &&
    !holdsNumber[signup.examine] &&
    signup.idCardIndex &&
    (await isPersonTaken(db, exam.id, signup.idCardIndex, signup.id))
  )
    throw new Refused(refuseSignup('examine/undo-number-taken', {}))
  const move = { from: signup.examine, to, column: 'examine' }
  if (!(await transition(db, 'signup', signup.id, move, putBack(decision.overwritten))))
    throw new Refused(refuseSignup('signup/changed', {}))
  await dropWaiting(db, signup.id)
  let { payState } = signup
  // Dues that arose with the pass go with it; those of the submit stay.
  if (signup.examine === 'passed' && exam.payWhen === 1) {
    payState = await deps.pay.voidDues(db, signup.id, ownReasons.reviewUndone.zh)
    await storePayState(db, signup.id, payState)
  }
  // Dues that went with the pass come back with it.
  if (to === 'passed' && exam.payWhen === 1) {
    payState = await deps.pay.openDues(db, signup.id)
    await storePayState(db, signup.id, payState)
  }
  if (level !== 4 && decision.examinerId === session.userId)
    await takeLock(db, {
      signupId: signup.id,
      examId: exam.id,
      level,
      reviewerId: session.userId,
      reviewerName: session.realName,
      until: new Date(ctx.arrivedAt.getTime() + facts.lockMinutes * 60_000),
    })
  else if (level !== 4) await orderAllotment(db, exam, level)
  if (['returned', 'refused', 'passed'].includes(signup.examine)) await tell(deps, db, exam, signup, decision.id, to === 'passed')
  await audit(db, ctx, {
    action: 'signup.examine-undone',
    entity: 'signup',
    entityId: signup.id,
    before: { examine: signup.examine, recordId: decision.id, level, result: decision.result },
    after: { examine: to },
    ...(reason === '' ? {} : { reason }),
  })
  return { examine: signupMachine.wire[to], nextId: null, payState: payStateWire[payState] }
}
