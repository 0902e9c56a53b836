import { refuse } from '#contract/kernel/errors.ts'
import { ownReasons } from '#contract/kernel/own-reason.ts'
import type { InputOf } from '#contract/kernel/route.ts'
import { payStateWire } from '#contract/pay/order.state.ts'
import { storedAdvice } from '#contract/signup/canned-advice.ts'
import type { examine } from '#contract/signup/examine.routes.ts'
import { refuseSignup } from '#contract/signup/signup.errors.ts'
import { signupMachine } from '#contract/signup/signup.state.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { transition } from '#kernel/db/transition.ts'
import { accepted, type Ctx, Refused, type Session } from '#kernel/http/context.ts'
import { lockExam } from '#modules/exam/index.ts'
import { dropWaiting, hasTicket, insertRecord, readOverwritten } from '../data/examine.repo.ts'
import { lockSignup, storePayState } from '../data/signup.repo.ts'
import type { SignupContext } from '../deps.ts'
import { decideCorrection } from '../domain/correct.ts'
import { expectParts, tellDecision } from './examine-signup.ts'
import { maySee } from './visibility.ts'

/**
 * Level 4, of a sign-up that has passed: returns it for correction, with the dues that arose by the pass taken off, or proposes to disqualify it
 * (domain 4.2).
 *
 * Refusals: kernel/not-found, kernel/forbidden, signup/exam-not-open, examine/wrong-state, stale, correct-moving, correct-result, correct-begun,
 * remark-required, advice-required, unknown-advice, too-late-to-return; of a proposal selection/disqualify-waiting.
 */
export const correctPassed = async (
  deps: SignupContext,
  db: TenantDb,
  ctx: Ctx,
  session: Session,
  input: InputOf<typeof examine>,
): Promise<{ examine: number; nextId: null; payState: number }> => {
  if (!session.permissions.has('examine_correct')) throw new Refused(refuse('kernel/forbidden', {}))
  const signup = await lockSignup(db, input.signUpId)
  const exam = signup && (await lockExam(db, signup.examId))
  if (!signup || !exam || !maySee(session, signup)) throw new Refused(refuse('kernel/not-found', {}))
  const advisements = (input.advisementList ?? []).map(advice => ({ ...advice, advice: storedAdvice(advice.advice) }))
  const decision = accepted(
    decideCorrection({
      now: ctx.arrivedAt,
      exam,
      signup: { ...signup, state: signup.examine },
      signVersion: input.signVersion,
      result: input.examineResult,
      remark: input.examineResultRemark ?? '',
      adviceCount: advisements.length,
      extendHours: input.extendHours,
      hasTicket: await hasTicket(db, signup.id),
    }),
  )
  const remark = storedAdvice(input.examineResultRemark ?? '')
  if (decision.kind === 'propose') {
    await deps.proposeDisqualifying(db, ctx, signup, remark)
    return { examine: signupMachine.wire[signup.examine], nextId: null, payState: payStateWire[signup.payState] }
  }
  await expectParts(db, exam, advisements)
  const { to, extendUntil } = decision
  const overwritten = await readOverwritten(db, signup.id)
  const set = {
    ...{ examine_remark: remark, examine_time: ctx.arrivedAt, examine_level: 1, extend_until: extendUntil },
    advisements: JSON.stringify(advisements),
  }
  if (!(await transition(db, 'signup', signup.id, { from: signup.examine, to, column: 'examine' }, set)))
    throw new Refused(refuseSignup('signup/changed', {}))
  const recordId = await insertRecord(db, {
    ...{ signupId: signup.id, examId: exam.id, userId: signup.userId, signVersion: signup.signVersion, level: 4, result: 2, remark },
    ...{ advisements, before: signup.examine, after: to, examinerId: session.userId, examinerName: session.realName },
    ...{ durationMs: 0, overwritten },
  })
  await dropWaiting(db, signup.id)
  let { payState } = signup
  // Dues that arose with the pass go with it and come back with the next; those of the submit stay.
  if (exam.payWhen === 1) {
    payState = await deps.pay.voidDues(db, signup.id, ownReasons.reviewUndone.zh)
    await storePayState(db, signup.id, payState)
  }
  await tellDecision(deps, db, exam, signup, to, { recordId, count: advisements.length, remark, extendUntil, dueFen: 0 })
  await audit(db, ctx, {
    action: 'signup.corrected',
    entity: 'signup',
    entityId: signup.id,
    before: { examine: signup.examine },
    after: { examine: to, signVersion: signup.signVersion },
    reason: remark,
  })
  return { examine: signupMachine.wire[to], nextId: null, payState: payStateWire[payState] }
}
