import { sign } from 'node:crypto'
import { randomBytes } from '#kernel/random.ts'
import type { NativeOrder, PayProvider } from './provider.ts'
import { emptyBill, parseFundBill, parseTradeBill } from './wechat-bill.ts'
import { createWechatPayChannel, tryRead, type WechatPayOptions } from './wechat-channel.ts'
import { verifyWechatPayNotification } from './wechat-notice.ts'
import { readRefund, readText, readTrade } from './wechat-read.ts'
import { toRfc3339 } from './wechat-wire.ts'

const about = (orderNo: string): string => `/v3/pay/transactions/out-trade-no/${encodeURIComponent(orderNo)}`
const refundPath = '/v3/refund/domestic/refunds'

/**
 * A merchant's client of WeChat Pay API v3 (Native, JSAPI, H5). Every answer that decides something is believed only when the provider's
 * signature over its bytes is right and fresh.
 *
 * @see https://pay.weixin.qq.com/doc/v3/merchant/4012791877
 */
export const createWechatPay = (options: WechatPayOptions): PayProvider => {
  const { settings, clock } = options
  const { keys, call, callTwice, downloadBill } = createWechatPayChannel(options)
  const bodyOf = (order: NativeOrder) => ({
    appid: settings.appid,
    mchid: settings.mchid,
    description: order.description,
    out_trade_no: order.orderNo,
    time_expire: toRfc3339(order.expiresAt),
    attach: order.attach,
    notify_url: order.notifyUrl,
    amount: { total: order.amountFen, currency: 'CNY' },
  })
  return {
    wires: [...(settings.appSecret === undefined ? [] : (['jsapi'] as const)), ...(settings.h5 === true ? (['h5'] as const) : [])],

    async createNative(order) {
      const answer = await callTwice('/v3/pay/transactions/native', bodyOf(order))
      return answer.ok ? tryRead(() => ({ codeUrl: readText(answer.value.body, 'code_url') })) : answer
    },

    async createJsapi({ openid, ...order }) {
      const answer = await callTwice('/v3/pay/transactions/jsapi', { ...bodyOf(order), payer: { openid } })
      return answer.ok ? tryRead(() => ({ prepayId: readText(answer.value.body, 'prepay_id') })) : answer
    },

    bridge(prepayId) {
      const [timeStamp, nonceStr, parcel] = [
        String(Math.floor(clock.now().getTime() / 1000)),
        randomBytes(16).toString('hex'),
        `prepay_id=${prepayId}`,
      ]
      const message = `${settings.appid}\n${timeStamp}\n${nonceStr}\n${parcel}\n`
      const paySign = sign('sha256', Buffer.from(message), settings.merchantPrivateKeyPem).toString('base64')
      return { appId: settings.appid, timeStamp, nonceStr, package: parcel, signType: 'RSA', paySign }
    },

    async createH5({ payerIp, ...order }) {
      const scene = { payer_client_ip: payerIp, h5_info: { type: 'Wap' } }
      const answer = await callTwice('/v3/pay/transactions/h5', { ...bodyOf(order), scene_info: scene })
      return answer.ok ? tryRead(() => ({ h5Url: readText(answer.value.body, 'h5_url') })) : answer
    },

    async query(orderNo) {
      const answer = await call('GET', `${about(orderNo)}?mchid=${settings.mchid}`)
      if (!answer.ok) return answer
      return tryRead(() => {
        const trade = readTrade(answer.value.body)
        if (trade.orderNo !== orderNo) throw new Error('the answer is about another order')
        return trade
      })
    },

    async close(orderNo) {
      const answer = await call('POST', `${about(orderNo)}/close`, { mchid: settings.mchid })
      if (answer.ok || answer.problem.kind === 'order-closed') return { ok: true, value: 'closed' }
      return answer
    },

    async refund(refund) {
      const answer = await callTwice(refundPath, {
        out_trade_no: refund.orderNo,
        out_refund_no: refund.refundNo,
        reason: refund.reason,
        notify_url: refund.notifyUrl,
        amount: { refund: refund.refundFen, total: refund.totalFen, currency: 'CNY' },
      })
      return answer.ok ? tryRead(() => readRefund(answer.value.body)) : answer
    },

    async queryRefund(refundNo) {
      const answer = await call('GET', `${refundPath}/${encodeURIComponent(refundNo)}`)
      return answer.ok ? tryRead(() => readRefund(answer.value.body)) : answer
    },

    async tradeBill(date) {
      const answer = await call('GET', `/v3/bill/tradebill?bill_date=${encodeURIComponent(date)}&bill_type=ALL&tar_type=GZIP`)
      if (!answer.ok && answer.problem.providerCode === 'NO_STATEMENT_EXIST') return { ok: true, value: emptyBill(date) }
      if (!answer.ok) return answer
      const file = tryRead(() => ({ url: readText(answer.value.body, 'download_url'), sha1: readText(answer.value.body, 'hash_value') }))
      if (!file.ok) return file
      const text = await downloadBill(file.value.url, file.value.sha1)
      return text.ok ? tryRead(() => parseTradeBill(date, text.value)) : text
    },

    async fundBill(date) {
      const answer = await call('GET', `/v3/bill/fundflowbill?bill_date=${encodeURIComponent(date)}&account_type=BASIC&tar_type=GZIP`)
      if (!answer.ok && answer.problem.providerCode === 'NO_STATEMENT_EXIST') return { ok: true, value: { inFen: 0, outFen: 0, feeFen: 0 } }
      if (!answer.ok) return answer
      const file = tryRead(() => ({ url: readText(answer.value.body, 'download_url'), sha1: readText(answer.value.body, 'hash_value') }))
      if (!file.ok) return file
      const text = await downloadBill(file.value.url, file.value.sha1)
      return text.ok ? tryRead(() => parseFundBill(text.value)) : text
    },

    verifyNotification: notice => verifyWechatPayNotification(notice, { keys, clock, apiV3Key: settings.apiV3Key }),
  }
}
