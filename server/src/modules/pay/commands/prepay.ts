import { refuse, refuseField } from '#contract/kernel/errors.ts'
import { isRefusal } from '#contract/kernel/refusal.ts'
import type { InputOf } from '#contract/kernel/route.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { refusePay } from '#contract/pay/pay.errors.ts'
import type { prepay } from '#contract/pay/wires.routes.ts'
import type { Ctx } from '#kernel/http/context.ts'
import { randomBytes } from '#kernel/random.ts'
import type { PayKit } from '../deps.ts'
import type { Merchant } from '../providers/accounts.ts'
import { authorizeUrl, WECHAT_OPEN_ORIGIN } from '../providers/wechat-openid.ts'
import { payPage } from './news.ts'
import { isOwnDue, openOrder, type Wire } from './pay-qrcode.ts'

/** Where the payer comes back to: the page they are on, because each organisation may have an address of its own. */
const publicUrlOf = (kit: PayKit, ctx: Ctx): string => {
  const { publicUrl, port } = kit.services.config
  const scheme = publicUrl?.startsWith('https:') ? 'https' : 'http'
  return `${scheme}://${ctx.host === '' ? `localhost:${port}` : ctx.host}`
}

/** The ways that the office has opened for one due, and where WeChat is asked who pays. */
export const listWays = async (kit: PayKit, ctx: Ctx, payId: string) => {
  if (!(await isOwnDue(ctx, payId))) return refuse('kernel/not-found', {})
  const merchant = await kit.providers.of(ctx.tenantId)
  const others: ('alipay' | 'nontax')[] = []
  for (const channel of ['alipay', 'nontax'] as const)
    if ((await kit.providers.of(ctx.tenantId, channel)) !== undefined) others.push(channel)
  if (!merchant) return { ways: others, authorizeUrl: null, state: null }
  const { wires } = merchant.provider
  // The page compares it with what it has kept, so that nobody sends a payer back with a code of their own.
  const state = randomBytes(16).toString('hex')
  const page = kit.deps.gateway.demoAuthorizePage ?? `${WECHAT_OPEN_ORIGIN}/connect/oauth2/authorize`
  const redirect = `${publicUrlOf(kit, ctx)}${payPage}?payId=${payId}`
  const asks = wires.includes('jsapi')
  return {
    ways: ['native' as const, ...wires, ...others],
    authorizeUrl: asks ? authorizeUrl(page, { appid: merchant.appid, redirect, state }) : null,
    state: asks ? state : null,
  }
}

const wireOf = async (ctx: Ctx, merchant: Merchant, input: InputOf<typeof prepay>): Promise<Wire | ReturnType<typeof refusePay>> => {
  if (!merchant.provider.wires.includes(input.way)) return refusePay('pay/way-closed', {})
  if (input.way === 'h5') return { way: 'h5', payerIp: ctx.ip }
  if (!input.code) return refuseField('code', { zh: '缺少微信授权码', en: 'The code of WeChat is missing' })
  const who = await merchant.askOpenid?.(input.code)
  if (who?.ok) return { way: 'jsapi', openid: who.openid }
  return who?.problem === 'refused' ? refusePay('pay/openid-refused', {}) : refusePay('pay/gateway-busy', {}, { retryAfterSeconds: 5 })
}

/** An order that is paid on the phone it is made on: the same due, guards and engine as a code, another wire. */
export const prepayDue = async (kit: PayKit, ctx: Ctx, input: InputOf<typeof prepay>) => {
  if (!(await isOwnDue(ctx, input.payId))) return refuse('kernel/not-found', {})
  const merchant = await kit.providers.of(ctx.tenantId)
  if (!merchant) return refusePay('pay/way-closed', {})
  const wire = await wireOf(ctx, merchant, input)
  if (isRefusal(wire)) return wire
  const order = await openOrder(kit, ctx, input.payId, merchant, wire)
  if (isRefusal(order)) return order
  const handed = order.codeUrl ?? ''
  const back = `${publicUrlOf(kit, ctx)}${payPage}?payId=${input.payId}`
  return {
    orderNo: order.orderNo,
    amount: order.amountFen,
    expireTime: toWireTime(order.expireTime),
    serverTime: toWireTime(kit.services.clock.now()),
    // The provider's page comes back to ours; whether the money has come is asked there.
    h5Url: wire.way === 'h5' ? `${handed}&redirect_url=${encodeURIComponent(back)}` : null,
    bridge: wire.way === 'jsapi' ? merchant.provider.bridge(handed) : null,
    demoPayUrl: kit.deps.gateway.demoPayUrl?.(handed, ctx.language) ?? null,
  }
}
