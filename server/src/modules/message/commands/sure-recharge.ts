import { refuse } from '#contract/kernel/errors.ts'
import type { Refusal } from '#contract/kernel/refusal.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { refuseSend } from '#contract/message/send.errors.ts'
import { audit } from '#kernel/audit.ts'
import { systemOf } from '#kernel/db/scope.ts'
import { type Ctx, Refused } from '#kernel/http/context.ts'
import { creditParts } from '../data/balance.repo.ts'
import { listPending, lockPurchase, setPurchase, tenantOfPurchase } from '../data/recharge.repo.ts'
import type { MessageKit } from '../deps.ts'
import { tellOfMoney } from './recharge.ts'

/** Purchases of all tenants that wait for the platform's word. */
export const pendingRecharges = async ({ services }: MessageKit, ctx: Ctx) =>
  (await services.scopes.asPlatform('the platform confirms the transfers of its tenants', ctx.arrivedAt, listPending)).map(
    ({ createdAt, ...row }) => ({ ...row, createTime: toWireTime(createdAt) }),
  )

/** The platform says that a transfer has come, and the parts are credited once; or that it has not, and the purchase is closed. */
export const sureRecharge = async (
  { services }: MessageKit,
  ctx: Ctx,
  input: { readonly id: string; readonly voucher: string; readonly pass?: 0 | 1 | undefined },
): Promise<{ id: string; state: number } | Refusal> => {
  const owner = await services.scopes.asPlatform('a purchase of another tenant is confirmed', ctx.arrivedAt, db =>
    tenantOfPurchase(db, input.id),
  )
  if (!owner) return refuse('kernel/not-found', {})
  const userId = ctx.session?.userId ?? '0'
  const sureName = ctx.session?.realName ?? ''
  return services.scopes.tx(systemOf(owner.tenantId), ctx.arrivedAt, async db => {
    const purchase = await lockPurchase(db, input.id)
    if (purchase?.state !== 3) throw new Refused(refuseSend('send/pay-state', {}))
    const isCredited = input.pass !== 0
    if (isCredited) await creditParts(db, purchase)
    const state = isCredited ? 1 : 2
    await setPurchase(db, purchase.id, { state, sureVoucher: input.voucher.trim(), sureUser: userId, sureName, isCredited })
    await audit(db, undefined, {
      action: isCredited ? 'sendpay.credited' : 'sendpay.closed',
      entity: 'sendpay',
      entityId: purchase.id,
      before: { state: 3, voucher: purchase.voucher },
      after: { state, count: purchase.count, voucher: purchase.voucher, sureVoucher: input.voucher.trim(), by: sureName },
    })
    await tellOfMoney(
      db,
      `recharge:${purchase.id}`,
      isCredited ? `“${purchase.packageName}”已到账 ${purchase.count} 条。` : `“${purchase.packageName}”的转账未确认，充值已关闭。`,
      isCredited
        ? `“${purchase.packageName}”: ${purchase.count} parts were credited.`
        : `The transfer for “${purchase.packageName}” was not found: the purchase is closed.`,
    )
    return { id: purchase.id, state }
  })
}
