import { refuse } from '#contract/kernel/errors.ts'
import { refuseSignup } from '#contract/signup/signup.errors.ts'
import { holdsPlace } from '#contract/signup/signup.state.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { transition } from '#kernel/db/transition.ts'
import { accepted, type Ctx, Refused } from '#kernel/http/context.ts'
import { freeSeat, lockExam } from '#modules/exam/index.ts'
import { findLiveLock } from '../data/examine.repo.ts'
import { lockSignup, storePayState } from '../data/signup.repo.ts'
import type { SignupContext } from '../deps.ts'
import { decideWithdraw } from '../domain/withdraw.ts'

/**
 * Takes the candidate's own sign-ups back. The rows stay and can be submitted again; places are given back, unpaid dues are void.
 * One id of somebody else: nothing is done.
 */
export const withdrawSignups = async (deps: SignupContext, db: TenantDb, ctx: Ctx, ids: readonly string[]): Promise<number> => {
  const userId = ctx.session?.userId ?? '0'
  for (const id of [...new Set(ids)].sort()) {
    const row = await lockSignup(db, id)
    if (!row || row.userId !== userId) throw new Refused(refuse('kernel/not-found', {}))
    const exam = await lockExam(db, row.examId)
    if (!exam) throw new Refused(refuse('kernel/not-found', {}))
    const lock = await findLiveLock(db, id)
    const to = accepted(
      decideWithdraw({ now: ctx.arrivedAt, exam, state: row.examine, payState: row.payState, isOpenAtReviewer: lock !== undefined }),
    )
    if (!(await transition(db, 'signup', id, { from: row.examine, to, column: 'examine' })))
      throw new Refused(refuseSignup('signup/changed', {}))
    if (holdsPlace[row.examine] && row.code) await freeSeat(db, row.examId, row.code)
    if (row.payState === 'due' || row.payState === 'overdue') {
      await deps.pay.voidDues(db, id)
      await storePayState(db, id, 'none')
    }
    await audit(db, ctx, {
      action: 'signup.withdrawn',
      entity: 'signup',
      entityId: id,
      before: { examine: row.examine, code: row.code },
      after: { examine: to },
    })
  }
  return new Set(ids).size
}
