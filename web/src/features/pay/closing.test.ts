import { expect, it } from 'vitest'
import { closingOf } from './closing.ts'
import { payTexts } from './texts.ts'

it('[S7.41] says in words why the program closed an order, and leaves what people wrote', () => {
  const reasons = ['expired', 'exam closed', 'closePayOrder', 'delExamPay', 'handleUp', 'replaced', 'CLOSED', 'REVOKED']
  const words = reasons.map(reason => {
    const closing = closingOf(reason)
    return closing === null ? null : [payTexts.zh[`order.closed.${closing}`], payTexts.en[`order.closed.${closing}`]]
  })
  expect(words).toEqual([
    ['超过支付时间', 'not paid in time'],
    ['考试已关闭', 'the examination was closed'],
    ['手工关闭', 'closed by hand'],
    ['应缴已作废', 'the due was voided'],
    ['已手工登记缴费', 'paid by hand instead'],
    ['已换新的二维码', 'replaced by a new code'],
    ['微信支付已关闭', 'closed at WeChat Pay'],
    ['微信支付已关闭', 'closed at WeChat Pay'],
  ])
  expect(['考生来电要求', 'toString', '', null, undefined].map(closingOf)).toEqual([null, null, null, null, null])
})
