import type { PayChannel } from '#contract/pay/channel.ts'
import type { Ctx } from '#kernel/http/context.ts'
import { keepNotice, writeOutcome } from '../data/notice.repo.ts'
import { countNotice, findOrder } from '../data/order.repo.ts'
import type { PayKit } from '../deps.ts'
import { paymentOfTrade, rechargeOf } from '../providers/payment.ts'
import { isOutcomeUnknown, type Notification, type PayProvider } from '../providers/provider.ts'
import { asTenant, lookAtOrder } from './close-order.ts'
import { raiseAlarm } from './news.ts'
import { noteReceipt } from './receipt.ts'
import { applyRefundFact } from './refund.ts'
import { settlePayment } from './settle.ts'

const signed = ['wechatpay-timestamp', 'wechatpay-nonce', 'wechatpay-signature', 'wechatpay-serial'] as const

const subjectOf = ({ resource }: Notification): string | null =>
  resource.kind === 'trade'
    ? resource.trade.orderNo
    : resource.kind === 'refund'
      ? resource.refund.refundNo
      : resource.kind === 'receipt'
        ? resource.receipt.orderNo
        : null

/** 204 when the notice is ours and applied, 401 with FAIL when its signature is not to be believed, 503 when it has to come again. */
export interface NoticeAnswer {
  readonly status: number
  readonly json?: { readonly code: string; readonly message: string }
}

const declined = (message: string): NoticeAnswer => ({ status: 401, json: { code: 'FAIL', message } })

/**
 * One notice of the provider (domain 8.4): checked over its raw bytes, stored as it came, then applied in one transaction and only
 * then answered. A repeat is counted and changes nothing.
 */
export const receiveNotice = async (kit: PayKit, ctx: Ctx, tenantId: string, channel: PayChannel = 'wechat'): Promise<NoticeAnswer> => {
  const merchant = await kit.providers.of(tenantId, channel)
  if (!merchant) return declined('unknown merchant')
  const headers = Object.fromEntries(signed.map(name => [name, ctx.header(name)]))
  const checked = await merchant.provider.verifyNotification({ headers, rawBody: ctx.rawBody })
  if (!checked.ok) {
    // A probe is told what it wants to hear; it is no attack and nobody has to look.
    if (checked.problem === 'probe') return declined(checked.problem)
    await asTenant(kit, tenantId, db => raiseAlarm(kit, db, { orderId: null, kind: 'noticeRefused', detail: checked.problem }))
    return declined(checked.problem)
  }
  const { notification } = checked
  await asTenant(kit, tenantId, db =>
    keepNotice(db, {
      noticeId: notification.id,
      eventType: notification.eventType,
      subjectNo: subjectOf(notification),
      body: ctx.rawBody.toString('utf8'),
    }),
  )
  const current = await withWhatBecame(kit, tenantId, merchant.provider, notification)
  if (current === undefined) return { status: 503, json: { code: 'FAIL', message: 'try again' } }
  const outcome = await apply(kit, tenantId, current)
  await asTenant(kit, tenantId, db => writeOutcome(db, notification.id, outcome))
  return { status: 204 }
}

/** Alipay reads one word and sends the notice again until it is `success`. */
export const receiveAlipayNotice = async (kit: PayKit, ctx: Ctx, tenantId: string) => {
  const { status } = await receiveNotice(kit, ctx, tenantId, 'alipay')
  return status === 204 ? { status: 200, text: 'success' } : { status, text: 'fail' }
}

/** The non-tax platform reads the code of a message and sends the notice again until it is the one of success. */
export const receiveNontaxNotice = async (kit: PayKit, ctx: Ctx, tenantId: string): Promise<NoticeAnswer> => {
  const { status, json } = await receiveNotice(kit, ctx, tenantId, 'nontax')
  return status === 204 ? { status: 200, json: { code: 'S0000', message: 'success' } } : { status, ...(json === undefined ? {} : { json }) }
}

/** So old a payment may have gone back meanwhile; a younger one is believed when the provider cannot be asked. */
const lateMs = 5 * 60_000

/**
 * A notice says what was true when it was made, and it may come a day late: what was paid then may have gone back in the provider's own console.
 * So an order whose payment we have not recorded is asked about before its notice is applied.
 *
 * @returns undefined when that cannot be known now, and the notice must come again
 */
const withWhatBecame = async (
  kit: PayKit,
  tenantId: string,
  provider: PayProvider,
  notification: Notification,
): Promise<Notification | undefined> => {
  const { resource } = notification
  if (resource.kind === 'other') return notification
  const { orderNo } = resource.kind === 'trade' ? resource.trade : resource.kind === 'refund' ? resource.refund : resource.receipt
  const order = await asTenant(kit, tenantId, db => findOrder(db, orderNo))
  if (!order || order.transactionId !== null) return notification
  // Money that went back, and a receipt for it, tell of a payment that we have missed.
  if (resource.kind !== 'trade') return (await lookAtOrder(kit, tenantId, provider, order)).ok ? notification : undefined
  const answer = await provider.query(orderNo)
  const { trade } = resource
  if (answer.ok)
    return answer.value.tradeState === 'REFUND' && trade.tradeState === 'SUCCESS'
      ? { ...notification, resource: { kind: 'trade', trade: { ...trade, tradeState: 'REFUND' } } }
      : notification
  const isLate = kit.services.clock.now().getTime() - (trade.successTime?.getTime() ?? 0) > lateMs
  return isLate && isOutcomeUnknown(answer.problem) ? undefined : notification
}

const apply = async (kit: PayKit, tenantId: string, { resource }: Notification): Promise<string> => {
  const recharge = resource.kind === 'trade' ? rechargeOf(resource.trade) : undefined
  if (recharge) return kit.deps.message.receiveRecharge(recharge, true)
  return asTenant(kit, tenantId, async db => {
    if (resource.kind === 'refund') return (await applyRefundFact(kit, db, resource.refund))?.kind ?? 'unknownRefund'
    if (resource.kind === 'receipt') return noteReceipt(kit, db, resource.receipt)
    if (resource.kind === 'other') return 'ignored'
    const payment = paymentOfTrade(resource.trade)
    const outcome = payment ? (await settlePayment(kit, db, payment, resource.trade)).kind : 'ignored'
    await countNotice(db, resource.trade.orderNo)
    return outcome
  })
}
