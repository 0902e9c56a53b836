import { refuse } from '#contract/kernel/errors.ts'
import { step } from '#contract/kernel/machine.ts'
import { refuseSignup } from '#contract/signup/signup.errors.ts'
import { holdsPlace, type SignupState, signupMachine } from '#contract/signup/signup.state.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { transition } from '#kernel/db/transition.ts'
import { accepted, type Ctx, Refused } from '#kernel/http/context.ts'
import { freeSeat, lockExam } from '#modules/exam/index.ts'
import { findLiveLock } from '../data/examine.repo.ts'
import { lockForeignHolders, lockSignup, type SignupRow, storePayState } from '../data/signup.repo.ts'
import type { SignupContext } from '../deps.ts'
import { decideWithdraw } from '../domain/withdraw.ts'

const withdrawAll = async (deps: SignupContext, db: TenantDb, ctx: Ctx, ids: readonly string[]): Promise<number> => {
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
    await takeBack(deps, db, ctx, row, to)
  }
  return new Set(ids).size
}

/**
 * Takes the candidate's own sign-ups back. The rows stay and can be submitted again; places are given back, unpaid dues are void.
 * One id of somebody else: nothing is done.
 */
export const withdrawOwn = async (deps: SignupContext, ctx: Ctx, ids: readonly string[]): Promise<{ withdrawn: number }> => ({
  withdrawn: await ctx.asSystem('a withdrawal gives back places and voids dues, which a candidate may not touch', db =>
    withdrawAll(deps, db, ctx, ids),
  ),
})

/** Its place is given back, unpaid dues are void. */
const takeBack = async (
  deps: SignupContext,
  db: TenantDb,
  ctx: Ctx | undefined,
  row: SignupRow,
  to: SignupState,
  reason?: string,
): Promise<void> => {
  if (!(await transition(db, 'signup', row.id, { from: row.examine, to, column: 'examine' })))
    throw new Refused(refuseSignup('signup/changed', {}))
  if (holdsPlace[row.examine] && row.code) await freeSeat(db, row.examId, row.code)
  if (row.payState === 'due' || row.payState === 'overdue') {
    await deps.pay.voidDues(db, row.id)
    await storePayState(db, row.id, 'none')
  }
  await audit(db, ctx, {
    action: 'signup.withdrawn',
    entity: 'signup',
    entityId: row.id,
    before: { examine: row.examine, code: row.code },
    after: { examine: to },
    ...(reason === undefined ? {} : { reason }),
  })
}

/**
 * Takes back the sign-ups that hold an id number although it is not their owner's, by the decision of staff; their owners are told.
 *
 * Refusals: signup/release-paid, signup/release-second.
 */
export const releaseNumber = async (
  deps: SignupContext,
  db: TenantDb,
  ctx: Ctx | undefined,
  { idCardIndex, ownerId }: { readonly idCardIndex: string; readonly ownerId: string | null },
  reason: string,
): Promise<string[]> => {
  const ids = await lockForeignHolders(db, idCardIndex, ownerId)
  for (const id of ids) {
    const row = await lockSignup(db, id)
    const exam = row && (await lockExam(db, row.examId))
    if (!row || !exam) continue
    const { signNo } = row
    if (row.payState !== 'none' && row.payState !== 'due' && row.payState !== 'overdue' && row.payState !== 'refunded')
      throw new Refused(refuseSignup('signup/release-paid', { signNo: signNo ?? id }))
    const to = step(signupMachine, row.examine, 'withdraw')
    if (to === undefined)
      throw new Refused(refuseSignup('signup/release-second', { signNo: signNo ?? id, state: signupMachine.label[row.examine] }))
    await takeBack(deps, db, ctx, row, to, reason)
    await deps.message.notify(db, {
      userId: row.userId,
      examId: row.examId,
      kind: 1,
      title: { zh: '报名已被撤回', en: 'Your sign-up was taken back' },
      content: {
        zh: `${exam.examName}：报名所用的证件号码经核实属于他人，报名已撤回。如有疑问请联系我们。`,
        en: `${exam.examName}: the id number of this sign-up belongs to somebody else, so it was taken back. Contact us if you disagree.`,
      },
      link: '/signup/myExam',
      eventKey: `signup.released:${id}:${row.signVersion}`,
    })
  }
  return ids
}
