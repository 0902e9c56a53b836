import { refuse } from '#contract/kernel/errors.ts'
import { can } from '#contract/kernel/machine.ts'
import type { Refusal } from '#contract/kernel/refusal.ts'
import { dueMachine } from '#contract/pay/order.state.ts'
import { refusePay } from '#contract/pay/pay.errors.ts'
import { audit } from '#kernel/audit.ts'
import { transition } from '#kernel/db/transition.ts'
import { type Ctx, Refused } from '#kernel/http/context.ts'
import { findDue, lockDue } from '../data/due.repo.ts'
import { findLiveOrder } from '../data/order.repo.ts'
import type { PayKit } from '../deps.ts'
import { closeLiveOrder } from './close-order.ts'
import { mirror } from './news.ts'
import { reachesDues } from './pay-scope.ts'

/** Voids dues by hand (delExamPay): all or none; open orders are closed at the provider first, and a payment found there stops it. */
export const voidByHand = async (kit: PayKit, ctx: Ctx, ids: readonly string[]): Promise<{ readonly removed: number } | Refusal> => {
  if (!(await ctx.tx(db => reachesDues(ctx, db, ids)))) return refuse('kernel/not-found', {})
  const wanted = [...new Set(ids)].sort()
  const dues = await ctx.tx(async db => {
    const rows = []
    for (const id of wanted) rows.push(await findDue(db, id))
    return rows
  })
  if (dues.some(due => due === undefined)) return refuse('kernel/not-found', {})
  const stuck = dues.find(due => due && !can(dueMachine, due.state, 'void'))
  if (stuck) {
    const { zh, en } = dueMachine.label[stuck.state]
    const refusal = refusePay('pay/paid-in-batch', {})
    // What was voided or waived already has not been paid: its state is the reason.
    return ['paid', 'refunding', 'refunded'].includes(stuck.state)
      ? refusal
      : { ...refusal, text: { zh: `选中的记录“${zh}”，不能作废`, en: `A selected row cannot be voided, its state is: ${en}` } }
  }
  for (const id of wanted) {
    const closed = await closeLiveOrder(kit, ctx.tenantId, id, { userId: ctx.session?.userId ?? '0', reason: 'delExamPay', ctx })
    if (closed?.kind === 'paid') return refusePay('pay/order-paid', {})
    if (closed?.kind === 'unknown') return refusePay('pay/gateway-busy', {}, { retryAfterSeconds: 5 })
  }
  await ctx.tx(async db => {
    const signups = new Set<string>()
    for (const id of wanted) {
      const due = await lockDue(db, id)
      const isFree = due !== undefined && can(dueMachine, due.state, 'void') && !(await findLiveOrder(db, id))
      if (!isFree || !(await transition(db, 'exam_pay', id, { from: due.state, to: 'void' }, { voided_by: db.actor.userId })))
        throw new Refused(refusePay('pay/changed-meanwhile', {}))
      signups.add(due.signupId)
      await audit(db, ctx, {
        action: 'exampay.voided',
        entity: 'exampay',
        entityId: id,
        before: { state: due.state },
        after: { state: 'void' },
      })
    }
    for (const signupId of signups) await mirror(kit, db, signupId)
  })
  return { removed: wanted.length }
}
