import { audit } from '#kernel/audit.ts'
import { systemOf, type TenantDb } from '#kernel/db/scope.ts'
import { transition } from '#kernel/db/transition.ts'
import type { Ctx } from '#kernel/http/context.ts'
import { enqueue } from '#kernel/queue/outbox.ts'
import { lockDue } from '../data/due.repo.ts'
import {
  findLiveOrder,
  findOrder,
  findOrderById,
  isLive,
  liveStates,
  lockOrder,
  type OrderRow,
  writeTradeState,
} from '../data/order.repo.ts'
import type { PayKit } from '../deps.ts'
import { paymentOfTrade } from '../providers/payment.ts'
import type { PayProblem, PayProvider, TradeFact } from '../providers/provider.ts'
import { raiseAlarm } from './news.ts'
import { noteReceipt } from './receipt.ts'
import { settlePayment } from './settle.ts'

/** A step of the system in one tenant, in a transaction of its own: provider calls stand between such steps, never inside one. */
export const asTenant = <T>(kit: PayKit, tenantId: string, work: (db: TenantDb) => Promise<T>, userId = '0'): Promise<T> =>
  kit.services.scopes.tx({ ...systemOf(tenantId), userId }, kit.services.clock.now(), work)

export interface Closer {
  readonly userId: string
  readonly reason: string
  readonly ctx?: Ctx
}

/** Marks an order closed after the provider has said so; an order that moved on meanwhile stays as it is. */
const markClosed = (kit: PayKit, tenantId: string, orderId: string, by: Closer): Promise<OrderRow> =>
  asTenant(
    kit,
    tenantId,
    async db => {
      const seen = await findOrderById(db, orderId)
      if (!seen) throw new Error(`order ${orderId} is unknown`)
      await lockDue(db, seen.payId)
      const order = await lockOrder(db, orderId)
      const set = { closed_at: db.now, closed_by: by.userId, close_reason: by.reason }
      if (!(await transition(db, 'pay_order', orderId, { from: liveStates, to: 'closed' }, set))) return order
      await audit(db, by.ctx, {
        action: 'payorder.closed',
        entity: 'payorder',
        entityId: orderId,
        before: { state: order.state },
        after: { state: 'closed', reason: by.reason },
      })
      return lockOrder(db, orderId)
    },
    by.userId,
  )

/** Posts what a signed answer says about an order. @returns the order afterwards */
const applyTrade = (kit: PayKit, tenantId: string, trade: TradeFact): Promise<OrderRow | undefined> =>
  asTenant(kit, tenantId, async db => {
    const payment = paymentOfTrade(trade)
    if (payment) await settlePayment(kit, db, payment, trade)
    else await writeTradeState(db, trade.orderNo, trade.tradeState)
    for (const receipt of trade.receipts ?? []) await noteReceipt(kit, db, receipt)
    return findOrder(db, trade.orderNo)
  })

export type Look =
  | { readonly ok: true; readonly order: OrderRow; readonly tradeState: string }
  | { readonly ok: false; readonly problem: PayProblem }

/** Asks the provider about an order and applies the answer: a payment is posted, a closed order closed. */
export const lookAtOrder = async (kit: PayKit, tenantId: string, provider: PayProvider, order: OrderRow): Promise<Look> => {
  const answer = await provider.query(order.orderNo)
  if (!answer.ok) return answer
  const { tradeState } = answer.value
  const after = (await applyTrade(kit, tenantId, answer.value)) ?? order
  if ((tradeState === 'CLOSED' || tradeState === 'REVOKED') && isLive(after.state))
    return { ok: true, tradeState, order: await markClosed(kit, tenantId, order.id, { userId: '0', reason: tradeState }) }
  return { ok: true, tradeState, order: after }
}

/** `closed`: nobody can pay it any more; `paid`: money came, it is posted or on its way back; `unknown`: the provider did not say. */
export type CloseOutcome = { readonly kind: 'closed' | 'paid' | 'unknown'; readonly order: OrderRow }

const outcomeOf = (order: OrderRow): CloseOutcome => ({
  kind: order.state === 'closed' ? 'closed' : isLive(order.state) ? 'unknown' : 'paid',
  order,
})

/**
 * Closes an order at the provider first and here only afterwards (domain 8.3): a payment that the provider knows of is posted
 * instead. An order the provider never got is closed at once.
 */
export const closeOrder = async (kit: PayKit, tenantId: string, orderNo: string, by: Closer): Promise<CloseOutcome | undefined> => {
  const order = await asTenant(kit, tenantId, db => findOrder(db, orderNo))
  if (!order) return undefined
  if (!isLive(order.state)) return outcomeOf(order)
  const provider = (await kit.providers.of(tenantId, order.channel))?.provider
  if (!provider) return { kind: 'unknown', order }

  const look = await lookAtOrder(kit, tenantId, provider, order)
  if (!look.ok && look.problem.kind === 'not-found') return outcomeOf(await markClosed(kit, tenantId, order.id, by))
  if (!look.ok) return refusedBy(kit, tenantId, order, look.problem)
  if (!isLive(look.order.state)) return outcomeOf(look.order)

  const closed = await provider.close(orderNo)
  if (closed.ok || closed.problem.kind === 'not-found') return outcomeOf(await markClosed(kit, tenantId, order.id, by))
  if (closed.problem.kind !== 'order-paid') return refusedBy(kit, tenantId, order, closed.problem)
  // Paid between our question and our close: the answer to a second question carries the payment.
  const again = await lookAtOrder(kit, tenantId, provider, order)
  return again.ok ? outcomeOf(again.order) : { kind: 'unknown', order }
}

const refusedBy = async (kit: PayKit, tenantId: string, order: OrderRow, problem: PayProblem): Promise<CloseOutcome> => {
  if (problem.kind === 'rejected')
    await asTenant(kit, tenantId, db =>
      raiseAlarm(kit, db, {
        orderId: order.id,
        kind: 'providerRejected',
        detail: `${order.orderNo} ${problem.providerCode ?? ''} ${problem.detail}`,
      }),
    )
  kit.services.log.warn({ orderNo: order.orderNo, kind: problem.kind, detail: problem.detail }, 'the payment provider did not answer')
  return { kind: 'unknown', order }
}

/** Closes the live order of a due. @returns undefined when there is none */
export const closeLiveOrder = async (kit: PayKit, tenantId: string, payId: string, by: Closer): Promise<CloseOutcome | undefined> => {
  const live = await asTenant(kit, tenantId, db => findLiveOrder(db, payId))
  return live && closeOrder(kit, tenantId, live.orderNo, by)
}

/** Orders the close of what is live, for callers inside a transaction. */
export const orderClose = (db: TenantDb, orderNo: string, reason: string): Promise<void> =>
  enqueue(db, 'pay.close-order', { orderNo, reason }, { jobKey: `close-${orderNo}` })
