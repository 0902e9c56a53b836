import type { Ctx } from '#kernel/http/context.ts'
import { keepNotice, writeOutcome } from '../data/notice.repo.ts'
import { countNotice } from '../data/order.repo.ts'
import type { PayKit } from '../deps.ts'
import { paymentOfTrade } from '../providers/payment.ts'
import type { Notification } from '../providers/provider.ts'
import { asTenant } from './close-order.ts'
import { raiseAlarm } from './news.ts'
import { applyRefundFact } from './refund.ts'
import { settlePayment } from './settle.ts'

const signed = ['wechatpay-timestamp', 'wechatpay-nonce', 'wechatpay-signature', 'wechatpay-serial'] as const

const subjectOf = ({ resource }: Notification): string | null =>
  resource.kind === 'trade' ? resource.trade.orderNo : resource.kind === 'refund' ? resource.refund.refundNo : null

/** 204 when the notice is ours and applied, 401 with FAIL when its signature is not to be believed; anything else is repeated. */
export interface NoticeAnswer {
  readonly status: number
  readonly json?: { readonly code: string; readonly message: string }
}

const declined = (message: string): NoticeAnswer => ({ status: 401, json: { code: 'FAIL', message } })

/**
 * One notice of the provider (domain 8.4): checked over its raw bytes, stored as it came, then applied in one transaction and only
 * then answered. A repeat is counted and changes nothing.
 */
export const receiveNotice = async (kit: PayKit, ctx: Ctx, tenantId: string): Promise<NoticeAnswer> => {
  const merchant = await kit.providers.of(tenantId)
  if (!merchant) return declined('unknown merchant')
  const headers = Object.fromEntries(signed.map(name => [name, ctx.header(name)]))
  const checked = await merchant.provider.verifyNotification({ headers, rawBody: ctx.rawBody })
  if (!checked.ok) {
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
  const outcome = await apply(kit, tenantId, notification)
  await asTenant(kit, tenantId, db => writeOutcome(db, notification.id, outcome))
  return { status: 204 }
}

const apply = (kit: PayKit, tenantId: string, { resource }: Notification): Promise<string> =>
  asTenant(kit, tenantId, async db => {
    if (resource.kind === 'refund') return (await applyRefundFact(kit, db, resource.refund))?.kind ?? 'unknownRefund'
    if (resource.kind === 'other') return 'ignored'
    const payment = paymentOfTrade(resource.trade)
    const outcome = payment ? (await settlePayment(kit, db, payment, resource.trade)).kind : 'ignored'
    await countNotice(db, resource.trade.orderNo)
    return outcome
  })
