import { Type } from 'typebox'
import { defineRoute, type Route } from '../kernel/route.ts'
import { id, named, nullable, optional, strict, text } from '../kernel/schema.ts'

/** How a due can be paid on the device that asks: a code for another device, inside WeChat, from any other browser of a phone. */
export const payWays = defineRoute({
  method: 'GET',
  path: '/pay/wxpay/ways',
  keepsPlace: true,
  access: { candidate: 'own' },
  input: strict({ payId: id() }),
  output: Type.Object({
    ways: Type.Array(
      Type.Union([Type.Literal('native'), Type.Literal('jsapi'), Type.Literal('h5'), Type.Literal('alipay'), Type.Literal('nontax')]),
    ),
    /** Where WeChat says who pays; it comes back to the page of payments with `code` and `state`. */
    authorizeUrl: nullable(Type.String()),
    state: nullable(Type.String()),
  }),
  tx: 'own',
  means: 'Which ways of paying the office has opened',
})

/** Makes an order that is paid on the same phone (domain 8.2; the provider refuses codes from the album and by long press). */
export const prepay = defineRoute({
  method: 'POST',
  path: '/pay/wxpay/prepay',
  keepsPlace: true,
  access: { candidate: 'own' },
  input: strict({
    payId: id(),
    way: named({ zh: '支付方式', en: 'Way of payment' }, Type.Union([Type.Literal('jsapi'), Type.Literal('h5')])),
    /** What WeChat has sent along, for `jsapi`: it is good once and for five minutes. */
    code: optional(text(512, { 'x-label': { zh: '微信授权码', en: 'Code of WeChat' } })),
  }),
  output: Type.Object({
    orderNo: Type.String(),
    amount: Type.Integer(),
    expireTime: Type.String(),
    serverTime: Type.String(),
    /** Opens the provider's page; good for five minutes. */
    h5Url: nullable(Type.String()),
    /** For `getBrandWCPayRequest` of WeChat's browser, signed with the merchant's key. */
    bridge: nullable(
      Type.Object({
        appId: Type.String(),
        timeStamp: Type.String(),
        nonceStr: Type.String(),
        package: Type.String(),
        signType: Type.String(),
        paySign: Type.String(),
      }),
    ),
    /** Demo and test: the page where a person presses "pay". */
    demoPayUrl: nullable(Type.String()),
  }),
  tx: 'own',
  means: 'An order that is paid inside WeChat or from the browser of a phone',
})

export const wireRoutes = [payWays, prepay] as const satisfies readonly Route[]
