import { refuse } from '#contract/kernel/errors.ts'
import { isRefusal, type Refusal } from '#contract/kernel/refusal.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import type { PayChannel } from '#contract/pay/channel.ts'
import { orderDescription } from '#contract/pay/fee.ts'
import { makeOrderNo } from '#contract/pay/order-no.ts'
import { refusePay } from '#contract/pay/pay.errors.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { transition } from '#kernel/db/transition.ts'
import type { Ctx } from '#kernel/http/context.ts'
import { qrSvg } from '#kernel/qr.ts'
import { enqueue } from '#kernel/queue/outbox.ts'
import { randomInt } from '#kernel/random.ts'
import { type DueRow, findDue, lockDue } from '../data/due.repo.ts'
import { findLiveOrder, findOrderById, insertOrder, type OrderRow } from '../data/order.repo.ts'
import type { PayKit } from '../deps.ts'
import { decidePayable, isReusable } from '../domain/payable.ts'
import type { Merchant } from '../providers/accounts.ts'
import type { NativeOrder, PayAnswer, PayProvider } from '../providers/provider.ts'
import { asTenant, closeOrder, lookAtOrder } from './close-order.ts'
import { raiseAlarm } from './news.ts'
import { reachesDues } from './pay-scope.ts'

const busy = (): Refusal => refusePay('pay/gateway-busy', {}, { retryAfterSeconds: 5 })

/** Minutes after its creation at which an order is asked about when no notice came (domain 8.4). */
export const watchMinutes = [1, 3, 5, 10, 30] as const

export const notifyUrlOf = (kit: PayKit, tenantId: string, kind: 'notify' | 'refundNotify' | 'alipay' | 'nontax'): string => {
  const { publicUrl, port } = kit.services.config
  const path = kind === 'alipay' || kind === 'nontax' ? `${kind}/notify` : `wxpay/${kind}`
  return `${publicUrl ?? `http://localhost:${port}`}/api/pay/${path}/${tenantId}`
}

/** Where an order's notices go. */
export const noticeKindOf = (channel: PayChannel, about: 'notify' | 'refundNotify') => (channel === 'wechat' ? about : channel)

/** So long the provider is given to answer before an order counts as given up. */
const openingMs = 10_000

type Plan =
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  /** Ready to be shown. */
  | { readonly kind: 'show'; readonly order: OrderRow }
  /** Exists here; the provider has to be told, again with the same number if need be. */
  | { readonly kind: 'issue'; readonly order: OrderRow; readonly payerName: string }
  /** Must be closed at the provider before another one can be made. */
  | { readonly kind: 'stale'; readonly orderNo: string }

/** How an order is to be paid; who pays is known where the provider asks for it. */
export type Wire =
  | { readonly way: 'native' | 'precreate' | 'nontax' }
  | { readonly way: 'jsapi'; readonly openid: string }
  | { readonly way: 'h5'; readonly payerIp: string }
/** A code stays good and is shown again; what the other ways hand out is good once or for minutes. */
const isCode = (way: Wire['way']): boolean => way === 'native' || way === 'precreate' || way === 'nontax'
const codeWay = { wechat: 'native', alipay: 'precreate', nontax: 'nontax' } as const satisfies Record<PayChannel, Wire['way']>

const addOrder = async (db: TenantDb, ctx: Ctx, due: DueRow, until: Date, merchant: Merchant, way: Wire['way']): Promise<OrderRow> => {
  // A number that people take to a bank is good for as long as the due can be paid.
  const limit = way === 'nontax' ? until.getTime() : db.now.getTime() + due.payLimitMinutes * 60_000
  const order = await insertOrder(db, {
    orderNo: makeOrderNo({ kind: 'E', at: db.now, examNo: due.examNo, randomBelow: bound => randomInt(0, bound) }),
    payId: due.id,
    userId: due.userId,
    amountFen: due.amountFen,
    description: orderDescription(due.examName, due.payName),
    // The provider counts whole seconds.
    expireTime: new Date(Math.floor(Math.min(limit, until.getTime()) / 1000) * 1000),
    mchid: merchant.mchid,
    appid: merchant.appid,
    way,
    channel: merchant.channel,
  })
  await enqueue(
    db,
    'pay.watch-order',
    { orderNo: order.orderNo, step: 0 },
    { runAt: new Date(db.now.getTime() + watchMinutes[0] * 60_000), jobKey: `watch-${order.orderNo}` },
  )
  await audit(db, ctx, {
    action: 'payorder.created',
    entity: 'payorder',
    entityId: order.id,
    after: { orderNo: order.orderNo, amountFen: order.amountFen, payId: due.id, way },
  })
  return order
}

const plan = async (db: TenantDb, ctx: Ctx, payId: string, merchant: Merchant, way: Wire['way']): Promise<Plan> => {
  const due = await lockDue(db, payId)
  if (!due) return { kind: 'refused', refusal: refuse('kernel/not-found', {}) }
  const payable = decidePayable({ ...due, dueState: due.state }, db.now)
  if (!payable.ok)
    return { kind: 'refused', refusal: refusePay(payable.problem === 'notOwed' ? 'pay/not-payable' : 'pay/outside-window', {}) }
  const live = await findLiveOrder(db, payId)
  if (!live) return { kind: 'issue', payerName: due.payerName, order: await addOrder(db, ctx, due, payable.until, merchant, way) }
  const usable =
    isReusable(live.expireTime, payable.until, db.now) &&
    live.amountFen === due.amountFen &&
    live.mchid === merchant.mchid &&
    live.way === way &&
    isCode(way)
  if (!usable) {
    // Asked for by several requests at once, the first is served: its answer would be closed before anybody has read it.
    const isOpening = live.state === 'created' && db.now.getTime() - live.createdAt.getTime() < openingMs
    const isJustOpened = live.state === 'pending' && live.updatedAt > ctx.arrivedAt
    if ((isOpening || isJustOpened) && isReusable(live.expireTime, payable.until, db.now))
      return { kind: 'refused', refusal: refusePay('pay/way-opening', {}, { retryAfterSeconds: 3 }) }
    return { kind: 'stale', orderNo: live.orderNo }
  }
  return live.codeUrl === null ? { kind: 'issue', payerName: due.payerName, order: live } : { kind: 'show', order: live }
}

interface Handed {
  readonly codeUrl: string
  readonly payCode?: string
}
/** Makes the order by its wire; what the payer's device is handed comes back as a text. */
const orderAt = async (provider: PayProvider, wire: Wire, order: NativeOrder): Promise<PayAnswer<Handed>> => {
  if (wire.way === 'jsapi') {
    const answer = await provider.createJsapi({ ...order, openid: wire.openid })
    return answer.ok ? { ok: true, value: { codeUrl: answer.value.prepayId } } : answer
  }
  if (wire.way === 'h5') {
    const answer = await provider.createH5({ ...order, payerIp: wire.payerIp })
    return answer.ok ? { ok: true, value: { codeUrl: answer.value.h5Url } } : answer
  }
  return provider.createNative(order)
}

/** Tells the provider about an order. A lost answer leaves it `created`: the next try repeats the same number, the watch asks. */
const issue = async (
  kit: PayKit,
  tenantId: string,
  merchant: Merchant,
  { order, payerName }: { readonly order: OrderRow; readonly payerName: string },
  wire: Wire,
): Promise<OrderRow | Refusal> => {
  const answer = await orderAt(merchant.provider, wire, {
    orderNo: order.orderNo,
    amountFen: order.amountFen,
    description: order.description,
    expiresAt: order.expireTime,
    notifyUrl: notifyUrlOf(kit, tenantId, noticeKindOf(merchant.channel, 'notify')),
    attach: order.payId,
    payerName,
  })
  if (answer.ok) {
    const { codeUrl, payCode } = answer.value
    const issued = await asTenant(kit, tenantId, async db => {
      await lockDue(db, order.payId)
      await transition(db, 'pay_order', order.id, { from: 'created', to: 'pending' }, { code_url: codeUrl, pay_code: payCode ?? null })
      return findOrderById(db, order.id)
    })
    return issued?.state === 'pending' ? issued : refusePay('pay/not-payable', {})
  }
  const { kind, detail, providerCode } = answer.problem
  kit.services.log.warn({ orderNo: order.orderNo, kind, detail }, 'the payment provider took no order')
  if (kind === 'order-paid' || kind === 'order-closed') {
    const look = await lookAtOrder(kit, tenantId, merchant.provider, order)
    return look.ok ? refusePay('pay/not-payable', {}) : busy()
  }
  if (kind === 'rejected')
    await asTenant(kit, tenantId, db =>
      raiseAlarm(kit, db, { orderId: order.id, kind: 'providerRejected', detail: `${order.orderNo} ${providerCode ?? ''} ${detail}` }),
    )
  return busy()
}

/**
 * The code to pay a due with (domain 8.2): the live order while it has more than two minutes left, else a new one after the stale
 * one was closed at the provider. The caller has seen that the due is theirs to pay.
 */
export const openOrder = async (kit: PayKit, ctx: Ctx, payId: string, merchant: Merchant, wire: Wire): Promise<OrderRow | Refusal> => {
  const { tenantId } = ctx
  // A stale order is closed once; a third round would mean that somebody else keeps opening orders.
  for (let round = 1; round <= 2; round += 1) {
    const next = await ctx.asSystem('an order is a fact of the tenant, written under the lock of its due', db =>
      plan(db, ctx, payId, merchant, wire.way),
    )
    if (next.kind === 'refused') return next.refusal
    if (next.kind === 'show') return next.order
    if (next.kind === 'issue') return issue(kit, tenantId, merchant, next, wire)
    const closed = await closeOrder(kit, tenantId, next.orderNo, { userId: ctx.session?.userId ?? '0', reason: 'replaced', ctx })
    if (closed?.kind === 'unknown') return busy()
    if (closed?.kind === 'paid') return refusePay('pay/not-payable', {})
  }
  return busy()
}

/** Whether the caller may see, and so pay, this due. */
export const isOwnDue = (ctx: Ctx, payId: string): Promise<boolean> =>
  ctx.tx(async db => (await reachesDues(ctx, db, [payId])) && (await findDue(db, payId)) !== undefined)

/** The code that a payer's phone reads, and until when it is good. */
export const showPayCode = async (kit: PayKit, ctx: Ctx, payId: string, channel: PayChannel = 'wechat') => {
  if (!(await isOwnDue(ctx, payId))) return refuse('kernel/not-found', {})
  const merchant = await kit.providers.of(ctx.tenantId, channel)
  if (!merchant && channel !== 'wechat') return refusePay('pay/way-closed', {})
  if (!merchant) {
    kit.services.log.error({ tenantId: ctx.tenantId }, 'the tenant has no merchant account')
    return busy()
  }
  const order = await openOrder(kit, ctx, payId, merchant, { way: codeWay[channel] })
  if (isRefusal(order)) return order
  const codeUrl = order.codeUrl ?? ''
  return {
    orderNo: order.orderNo,
    amount: order.amountFen,
    codeUrl,
    payCode: order.payCode,
    qr: Buffer.from(qrSvg(codeUrl)).toString('base64'),
    expireTime: toWireTime(order.expireTime),
    serverTime: toWireTime(kit.services.clock.now()),
    demoPayUrl: kit.deps.gateway.demoPayUrl?.(codeUrl, ctx.language) ?? null,
  }
}
