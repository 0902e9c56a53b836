import { refuse } from '#contract/kernel/errors.ts'
import type { Label } from '#contract/kernel/label.ts'
import type { InputOf } from '#contract/kernel/route.ts'
import { toEndMinute } from '#contract/kernel/when.ts'
import { dueDeadline, formatFen } from '#contract/pay/fee.ts'
import { payStateWire } from '#contract/pay/order.state.ts'
import { adviceIn, storedAdvice } from '#contract/signup/canned-advice.ts'
import type { Advisement } from '#contract/signup/content-diff.ts'
import type { examine } from '#contract/signup/examine.routes.ts'
import { reductionStates } from '#contract/signup/reduction-state.ts'
import { asksRegion } from '#contract/signup/region.ts'
import { refuseSignup } from '#contract/signup/signup.errors.ts'
import { type SignupState, signupMachine } from '#contract/signup/signup.state.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { transition } from '#kernel/db/transition.ts'
import { accepted, type Ctx, Refused, type Session } from '#kernel/http/context.ts'
import { type ExamRow, freeSeat, listSignFiles, listSignItems, lockExam } from '#modules/exam/index.ts'
import type { Notice } from '#modules/message/index.ts'
import { findLiveLock, finishLock, hasOpened, insertRecord, readOverwritten } from '../data/examine.repo.ts'
import { lockSignup, type SignupRow, storePayState } from '../data/signup.repo.ts'
import type { SignupContext } from '../deps.ts'
import { adviceOnNothing } from '../domain/advice.ts'
import { decideExamine, type ExamineResult, levelOf } from '../domain/examine.ts'
import { correctionsEnd } from '../domain/windows.ts'
import { conflictOf } from './conflict-of.ts'
import { nextFor } from './next-for.ts'
import { orderAllotment } from './order-allotment.ts'
import { mayReach, reviewScopeOf } from './review-scope.ts'
import { maySee } from './visibility.ts'

type Input = InputOf<typeof examine>

/** Which level's decisions this person may take. */
export const mayDecideAt = (session: Session, level: 1 | 2): boolean =>
  session.permissions.has(level === 1 ? 'examine_first' : 'examine_second')

/** Tells the candidate, in the transaction of the decision. */
export const tellDecision = async (
  deps: SignupContext,
  db: TenantDb,
  exam: ExamRow,
  signup: SignupRow,
  to: SignupState,
  facts: { recordId: string; count: number; remark: string; extendUntil: Date | null; dueFen: number },
): Promise<void> => {
  const deadline = (at: Date | null): string => (at ? toEndMinute(at) : '-')
  // Whoever passes after the window has a day of their own.
  const payUntil = deadline(exam.payEnd && dueDeadline(exam.payEnd, db.now))
  const until = deadline(correctionsEnd(exam, facts.extendUntil))
  const notice = (title: Label, content: Label, link: string, words?: Notice['words']) =>
    deps.message.notify(db, {
      userId: signup.userId,
      examId: exam.id,
      kind: 1,
      title,
      content,
      ...(words && { words }),
      link,
      // A decision that was undone and taken again is news once more.
      eventKey: `signup.${to}:${facts.recordId}`,
    })
  if (to === 'returned') {
    const params = { exam: exam.examName, count: String(facts.count), deadline: until, reason: facts.remark }
    await notice(
      { zh: '报名需要修改', en: 'Your sign-up needs corrections' },
      {
        zh: `${exam.examName}：需修改 ${facts.count} 处，截止 ${until}。${facts.remark}`.slice(0, 500),
        en: `${exam.examName}: parts to correct: ${facts.count}, until ${until}. ${adviceIn(facts.remark, 'en')}`.slice(0, 800),
      },
      `/signup/form/${exam.id}`,
      { scene: 'signup-returned', params },
    )
    await deps.message.sendSmsTo(db, { userId: signup.userId, examId: exam.id }, 'signup-returned', params)
  } else if (to === 'refused') {
    const params = { exam: exam.examName, deadline: deadline(exam.signEnd), reason: facts.remark }
    await notice(
      { zh: '资格审核未通过', en: 'Your sign-up was refused' },
      { zh: `${exam.examName}：${facts.remark}`.slice(0, 500), en: `${exam.examName}: ${adviceIn(facts.remark, 'en')}`.slice(0, 800) },
      '/signup/myExam',
      { scene: 'signup-refused', params },
    )
    await deps.message.sendSmsTo(db, { userId: signup.userId, examId: exam.id }, 'signup-refused', params)
  } else if (to === 'passed') {
    const params = { exam: exam.examName, deadline: payUntil, amount: formatFen(facts.dueFen) }
    await notice(
      { zh: '资格审核通过', en: 'Your sign-up has passed the review' },
      facts.dueFen > 0
        ? {
            zh: `${exam.examName}：请于 ${payUntil} 前缴费 ${formatFen(facts.dueFen)} 元。`,
            en: `${exam.examName}: please pay ${formatFen(facts.dueFen)} yuan until ${payUntil}.`,
          }
        : { zh: `${exam.examName}：审核通过，请留意准考证发布。`, en: `${exam.examName}: passed; watch for the admission ticket.` },
      facts.dueFen > 0 ? '/signup/examPay' : '/signup/myExam',
      facts.dueFen > 0 ? { scene: 'signup-passed', params } : undefined,
    )
    if (facts.dueFen > 0) await deps.message.sendSmsTo(db, { userId: signup.userId, examId: exam.id }, 'signup-passed', params)
  }
}

/** Nobody is sent back to mend what their form does not have. */
export const expectParts = async (db: TenantDb, exam: ExamRow, advisements: readonly Advisement[]): Promise<void> => {
  if (advisements.length === 0) return
  const [items, files] = [await listSignItems(db, exam.id), await listSignFiles(db, exam.id)]
  const form = { items, files, asksRegion: asksRegion(exam.regionLabel, items), needSignature: exam.needSignature }
  const wrong = adviceOnNothing(advisements, form)
  if (wrong) throw new Refused(refuseSignup('examine/unknown-advice', { key: wrong.label || wrong.key }))
}

/**
 * Records a reviewer's decision: state, record, dues, notice and audit in one transaction (domain 4.2, 4.10).
 *
 * Refusals: kernel/not-found, kernel/forbidden (level), examine/no-lock, stale, recused, same-reviewer, remark-required,
 * advice-required, unknown-advice, too-late-to-return, wrong-state, signup/exam-not-open.
 */
export const examineSignup = async (
  deps: SignupContext,
  db: TenantDb,
  ctx: Ctx,
  session: Session,
  input: Input,
): Promise<{ examine: number; nextId: string | null; payState: number }> => {
  const signup = await lockSignup(db, input.signUpId)
  if (!signup || !maySee(session, signup)) throw new Refused(refuse('kernel/not-found', {}))
  const exam = await lockExam(db, signup.examId)
  if (!exam || !(await mayReach(db, session, signup.id))) throw new Refused(refuse('kernel/not-found', {}))
  const lock = await findLiveLock(db, signup.id)
  const level = levelOf(signup.examine) ?? 1
  const advisements = (input.advisementList ?? []).map(advice => ({ ...advice, advice: storedAdvice(advice.advice) }))
  const decision = accepted(
    decideExamine({
      now: ctx.arrivedAt,
      exam,
      signup: { state: signup.examine, signVersion: signup.signVersion, reviewer1Id: signup.reviewer1Id, extendUntil: signup.extendUntil },
      reviewerId: session.userId,
      lock,
      // Whose turn it is not has lost it to somebody who was quicker.
      hasOpened: lock === undefined && (!mayDecideAt(session, level) || (await hasOpened(db, signup.id, level, session.userId))),
      isRecused: (await conflictOf(db, { examId: exam.id, reviewerId: session.userId, signupId: signup.id })) !== undefined,
      result: input.examineResult as ExamineResult,
      remark: input.examineResultRemark ?? '',
      advisements,
      signVersion: input.signVersion,
      extendHours: session.roleAliases.has('exam_admin') ? input.extendHours : undefined,
    }),
  )
  if (!mayDecideAt(session, decision.level)) throw new Refused(refuse('kernel/forbidden', {}))
  await expectParts(db, exam, advisements)

  const remark = storedAdvice(input.examineResultRemark ?? '') || null
  const overwritten = await readOverwritten(db, signup.id)
  const isMoved = await transition(
    db,
    'signup',
    signup.id,
    { from: signup.examine, to: decision.to, column: 'examine' },
    {
      examine_remark: remark,
      examine_time: ctx.arrivedAt,
      examine_level: decision.to === 'second' ? 2 : 1,
      extend_until: decision.extendUntil,
      advisements: JSON.stringify(input.examineResult === 2 ? advisements : []),
      ...(input.photoState === undefined ? {} : { photo_state: input.photoState }),
      ...(decision.level === 1
        ? { reviewer1_id: session.userId, reviewer1_time: ctx.arrivedAt }
        : { reviewer2_id: session.userId, reviewer2_time: ctx.arrivedAt }),
    },
  )
  if (!isMoved) throw new Refused(refuseSignup('signup/changed', {}))
  const recordId = await insertRecord(db, {
    signupId: signup.id,
    examId: exam.id,
    userId: signup.userId,
    signVersion: signup.signVersion,
    level: decision.level,
    result: input.examineResult,
    remark,
    advisements,
    before: signup.examine,
    after: decision.to,
    examinerId: session.userId,
    examinerName: session.realName,
    durationMs: lock ? Math.max(0, ctx.arrivedAt.getTime() - lock.openedAt.getTime()) : 0,
    overwritten,
  })
  await finishLock(db, signup.id, decision.level)
  if (decision.to === 'refused' && signup.code) await freeSeat(db, exam.id, signup.code)
  let payState = signup.payState
  const isTransfer = signup.reductionState === reductionStates.choosing || signup.reductionState === reductionStates.inReview
  // Whoever moves from a cancelled post has paid for it.
  if (decision.to === 'passed' && exam.payWhen === 1 && !isTransfer) {
    payState = await deps.pay.openDues(db, signup.id)
    await storePayState(db, signup.id, payState)
  }
  if (decision.to === 'passed' || decision.to === 'refused')
    payState = (await deps.reviewed(db, ctx, { ...signup, to: decision.to, remark: remark ?? '' })) ?? payState
  // Of the post that somebody moves to they are told with what it means for the money.
  if (!isTransfer || decision.to === 'returned')
    await tellDecision(deps, db, exam, signup, decision.to, {
      recordId,
      count: advisements.length,
      remark: remark ?? '',
      extendUntil: decision.extendUntil,
      dueFen: await deps.pay.dueFen(db, signup.id),
    })
  await audit(db, ctx, {
    action: 'signup.examined',
    entity: 'signup',
    entityId: signup.id,
    before: { examine: signup.examine },
    after: { examine: decision.to, level: decision.level, result: input.examineResult, signVersion: signup.signVersion },
    ...(remark ? { reason: remark } : {}),
  })
  if (decision.to === 'second' || decision.to === 'waiting') await orderAllotment(db, exam, decision.to === 'second' ? 2 : 1)
  const scope = await reviewScopeOf(db, session, exam, decision.level)
  const next = await nextFor(db, session, exam, decision.level, scope)
  return { examine: signupMachine.wire[decision.to], nextId: next ?? null, payState: payStateWire[payState] }
}
