import { platformTenant } from '#contract/kernel/platform.ts'
import type { RechargeGateway } from '#modules/message/index.ts'
import type { Providers } from './accounts.ts'
import type { PayGateway } from './gateway.ts'
import { paymentOfTrade } from './payment.ts'

/** Purchases of messages are paid to the platform's own merchant, over the same provider as fees. */
export const rechargeGateway = (
  providers: Pick<Providers, 'of'>,
  gateway: PayGateway,
  notifyUrl: (tenantId: string) => string,
): RechargeGateway => ({
  merchant: async () => {
    const merchant = await providers.of(platformTenant)
    return merchant && { mchid: merchant.mchid, appid: merchant.appid }
  },
  open: async order => {
    const answer = await (await providers.of(platformTenant))?.provider.createNative({ ...order, notifyUrl: notifyUrl(platformTenant) })
    return answer?.ok ? answer.value.codeUrl : undefined
  },
  ask: async orderNo => {
    const answer = await (await providers.of(platformTenant))?.provider.query(orderNo)
    if (!answer?.ok) return { kind: answer?.problem.kind === 'not-found' ? 'none' : 'unknown' }
    const payment = paymentOfTrade(answer.value)
    if (payment) return { kind: 'paid', payment: { ...payment, attach: answer.value.attach ?? '' } }
    return { kind: answer.value.tradeState === 'CLOSED' || answer.value.tradeState === 'REVOKED' ? 'closed' : 'open' }
  },
  close: async orderNo => {
    const answer = await (await providers.of(platformTenant))?.provider.close(orderNo)
    if (answer?.ok || answer?.problem.kind === 'not-found') return 'closed'
    return answer?.problem.kind === 'order-paid' ? 'paid' : 'unknown'
  },
  demoPayUrl: (codeUrl, language) => gateway.demoPayUrl?.(codeUrl, language) ?? null,
})
