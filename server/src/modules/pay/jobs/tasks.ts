import { enqueue, type Task } from '#kernel/queue/outbox.ts'
import type { Processor } from '#kernel/queue/processor.ts'
import { passAlone } from '#kernel/two-persons.ts'
import { orderRefund } from '../commands/ask-refund.ts'
import { asTenant, closeOrder, lookAtOrder } from '../commands/close-order.ts'
import { lapseDue, moveDues } from '../commands/dues.ts'
import { freezeList } from '../commands/freeze-list.ts'
import { raiseAlarm } from '../commands/news.ts'
import { noticeKindOf, notifyUrlOf, watchMinutes } from '../commands/pay-qrcode.ts'
import { applyRefundFact, approveRefund, closeDeclined, reasonText } from '../commands/refund.ts'
import { listDuesToLapse } from '../data/due.repo.ts'
import {
  findOrder,
  findOrderById,
  isLive,
  listOrdersToWatch,
  listOrdersWithoutReceipt,
  type OrderRow,
  tenantsWithOpenMoney,
} from '../data/order.repo.ts'
import { countQuestion, findRefund, listRefundsToAdvance, type RefundRow } from '../data/refund.repo.ts'
import type { PayKit } from '../deps.ts'
import type { PayAnswer, RefundFact } from '../providers/provider.ts'

const minuteMs = 60_000
/** An order is closed so long after its end, when every payment in time has been told (domain 8.3). */
const graceMs = minuteMs
/** Minutes between questions about a refund: five times one, then longer (domain 8.5). */
const refundPauses = [1, 1, 1, 1, 1, 5, 10, 20, 30] as const
const maxRefundQuestions = 60
/** Minutes between questions about a refund that an office decides on; its notice comes by itself. */
const officePause = 12 * 60

type Payload<P> = P & { readonly tenantId: string }

/** Asks about an order until it is paid or over, and closes it a minute after its end. */
const watchOrder = async (kit: PayKit, payload: Payload<{ orderNo?: string; step?: number }>): Promise<void> => {
  const { tenantId, orderNo = '', step = 0 } = payload
  const now = kit.services.clock.now()
  const order = await asTenant(kit, tenantId, db => findOrder(db, orderNo))
  if (!order || !isLive(order.state)) return
  const endsAt = order.expireTime.getTime() + graceMs
  const isOver = now.getTime() >= endsAt
  const provider = (await kit.providers.of(tenantId, order.channel))?.provider
  const after = isOver
    ? (await closeOrder(kit, tenantId, orderNo, { userId: '0', reason: 'expired' }))?.order
    : provider && (await look(kit, tenantId, order))
  if (!isLive(after?.state ?? order.state)) return
  const nextMinutes = watchMinutes[step + 1]
  const wanted = nextMinutes === undefined ? endsAt : Math.min(order.createdAt.getTime() + nextMinutes * minuteMs, endsAt)
  const runAt = new Date(Math.max(wanted, now.getTime() + minuteMs))
  await asTenant(kit, tenantId, db => enqueue(db, 'pay.watch-order', { orderNo, step: step + 1 }, { runAt, jobKey: `watch-${orderNo}` }))
}

const look = async (kit: PayKit, tenantId: string, order: OrderRow): Promise<OrderRow> => {
  const merchant = await kit.providers.of(tenantId, order.channel)
  const answer = merchant && (await lookAtOrder(kit, tenantId, merchant.provider, order))
  return answer?.ok ? answer.order : order
}

const closeByOrder = async (
  kit: PayKit,
  { tenantId, orderNo = '', reason = '' }: Payload<{ orderNo?: string; reason?: string }>,
): Promise<void> => {
  const outcome = await closeOrder(kit, tenantId, orderNo, { userId: '0', reason })
  // Thrown, so that the queue tries again with its growing pauses.
  if (outcome?.kind === 'unknown') throw new Error(`order ${orderNo} could not be closed yet`)
}

const askProvider = async (
  kit: PayKit,
  tenantId: string,
  refund: RefundRow,
  order: OrderRow,
): Promise<PayAnswer<RefundFact> | undefined> => {
  const provider = (await kit.providers.of(tenantId, order.channel))?.provider
  if (!provider) return undefined
  if (refund.providerRefundId !== null) return provider.queryRefund(refund.refundNo)
  return provider.refund({
    orderNo: order.orderNo,
    refundNo: refund.refundNo,
    refundFen: refund.amountFen,
    totalFen: order.paidFen ?? order.amountFen,
    reason: reasonText(refund.reason),
    notifyUrl: notifyUrlOf(kit, tenantId, noticeKindOf(order.channel, 'refundNotify')),
  })
}

/** One step of a refund: approves what a rule has asked for, submits it under its number, then asks until it is settled. */
const advanceRefund = async (kit: PayKit, { tenantId, refundId = '' }: Payload<{ refundId?: string }>): Promise<void> => {
  const open = await asTenant(kit, tenantId, async db => {
    const before = await findRefund(db, refundId)
    if (before?.state === 'requested' && before.approvedByRule) {
      passAlone(db, 'refund', 'byRule')
      await approveRefund(kit, db, { refundId, verdict: 'approve' })
    }
    const refund = await findRefund(db, refundId)
    const order = refund?.orderId != null ? await findOrderById(db, refund.orderId) : undefined
    if (!refund || !order || refund.state !== 'submitted') return undefined
    // The approval has ordered the submission for later when another refund of the order was just sent.
    if (refund.submittedAt !== null && refund.submittedAt > db.now) return undefined
    await countQuestion(db, refundId)
    return { refund, order }
  })
  if (!open) return
  const { refund, order } = open
  const answer = await askProvider(kit, tenantId, refund, order)
  const isDeclined = answer?.ok === false && answer.problem.kind === 'rejected' && refund.providerRefundId === null
  // Why, the order itself tells: money that has gone back by somebody else's hand.
  const trade = isDeclined ? await (await kit.providers.of(tenantId, order.channel))?.provider.query(order.orderNo) : undefined
  await asTenant(kit, tenantId, async db => {
    if (isDeclined && (await closeDeclined(kit, db, refundId, trade?.ok === true && trade.value.tradeState === 'REFUND'))) return
    if (answer?.ok) await applyRefundFact(kit, db, answer.value)
    else if (answer?.problem.kind === 'rejected')
      await raiseAlarm(kit, db, {
        orderId: order.id,
        kind: 'refundRejected',
        detail: `${refund.refundNo} ${answer.problem.providerCode ?? ''} ${answer.problem.detail}`,
      })
    if ((await findRefund(db, refundId))?.state !== 'submitted') return
    if (refund.queryCount >= maxRefundQuestions)
      return raiseAlarm(kit, db, { orderId: order.id, kind: 'refundStuck', detail: `${refund.refundNo} ${refund.queryCount}` })
    const pause =
      answer?.ok === false && answer.problem.kind === 'rejected'
        ? 30
        : order.channel === 'nontax'
          ? officePause
          : (refundPauses[refund.queryCount] ?? 60)
    await orderRefund(db, refundId, new Date(db.now.getTime() + pause * minuteMs))
  })
}

const lapse = (kit: PayKit, { tenantId, payId = '' }: Payload<{ payId?: string }>): Promise<void> =>
  asTenant(kit, tenantId, async db => {
    const later = await lapseDue(kit, db, payId)
    if (later) await enqueue(db, 'pay.lapse', { payId }, { runAt: later, jobKey: `lapse-${payId}` })
  })

/** Orders again whatever should have happened by now in one tenant. @returns how much that is */
const sweepTenant = (kit: PayKit, tenantId: string): Promise<{ orders: number; dues: number; refunds: number }> =>
  asTenant(kit, tenantId, async db => {
    const orders = await listOrdersToWatch(db)
    for (const { orderNo } of orders)
      await enqueue(db, 'pay.watch-order', { orderNo, step: watchMinutes.length }, { jobKey: `watch-${orderNo}` })
    const dues = await listDuesToLapse(db)
    for (const { id } of dues) await enqueue(db, 'pay.lapse', { payId: id }, { jobKey: `lapse-${id}` })
    const refunds = await listRefundsToAdvance(db)
    for (const { id } of refunds) await enqueue(db, 'pay.refund', { refundId: id }, { jobKey: `refund-${id}` })
    for (const { orderNo } of await listOrdersWithoutReceipt(db))
      await enqueue(db, 'pay.ask-receipt', { orderNo }, { jobKey: `receipt-${orderNo}` })
    return { orders: orders.length, dues: dues.length, refunds: refunds.length }
  })

/** Looks in all tenants for what lost orders or a moved clock have left behind. */
export const sweepProcessor = ({ services, ...kit }: PayKit): Processor => ({
  name: 'pay.sweep',
  label: { zh: '支付补查', en: 'Look after payments' },
  help: {
    zh: '关闭到期订单、查询未支付订单和退费、处理逾期应缴；各订单另有定时处理，此任务补上遗漏的',
    en: 'Closes orders that are over, asks about open ones and refunds, and lapses dues: whatever their own times have missed',
  },
  scope: 'platform',
  own: { cron: '0 */10 * * * ?', mayPause: false },
  run: async ({ now, log }) => {
    const tenants = await services.scopes.asPlatform('the sweep looks after every tenant', now, tenantsWithOpenMoney)
    let all = 0
    for (const { tenantId } of tenants) {
      const { orders, dues, refunds } = await sweepTenant({ services, ...kit }, tenantId)
      all += orders + dues + refunds
      log(2, {
        zh: `机构 ${tenantId}：未完成订单 ${orders} 笔，逾期应缴 ${dues} 笔，退费 ${refunds} 笔`,
        en: `Tenant ${tenantId}: ${orders} open orders, ${dues} dues that lapse, ${refunds} refunds`,
      })
    }
    return {
      zh: `检查 ${tenants.length} 个机构，安排处理 ${all} 笔`,
      en: `${tenants.length} tenants looked at, ${all} pieces of work ordered`,
    }
  },
})

const task = <P extends object>(name: string, run: (payload: Payload<P>) => Promise<void>): Task => ({
  name,
  run: payload => run(payload as Payload<P>),
})

export const payTasks = (kit: PayKit): readonly Task[] => [
  task<{ orderNo?: string; step?: number }>('pay.watch-order', payload => watchOrder(kit, payload)),
  task<{ orderNo?: string; reason?: string }>('pay.close-order', payload => closeByOrder(kit, payload)),
  task<{ orderNo?: string }>('pay.ask-receipt', async ({ tenantId, orderNo = '' }) => {
    const order = await asTenant(kit, tenantId, db => findOrder(db, orderNo))
    if (order) await look(kit, tenantId, order)
  }),
  task<{ refundId?: string }>('pay.refund', payload => advanceRefund(kit, payload)),
  task<{ payId?: string }>('pay.lapse', payload => lapse(kit, payload)),
  task<{ listId?: string }>('pay.freeze-list', ({ tenantId, listId = '' }) => freezeList(kit, tenantId, listId)),
  task<{ examId?: string }>('pay.extend', ({ tenantId, examId = '' }) => asTenant(kit, tenantId, db => moveDues(kit, db, examId))),
]
