import { describe, expect, test } from 'vitest'
import { type BilledTrade, writeFundBill, writeTradeBill } from '#server/demo/alipay-emulator/bill.ts'
import { parseAlipayFundBill, parseAlipayTradeBill } from './alipay-bill.ts'

const seller = '2088123412341234'
const orderNo = 'E26031710000003A1B2C3D4E5'
const paid: BilledTrade = {
  orderNo,
  totalFen: 10_000,
  subject: '区属医院招聘,第一批-报名费',
  tradeNo: '2026031722001',
  paidAt: '2026-03-17 10:00:00',
  refunds: [{ requestNo: `R${orderNo}01`, fen: 4_000, at: '2026-03-17 11:00:00' }],
}
const tomorrow: BilledTrade = { ...paid, orderNo: 'E26031710000003ZZZZZZZZZZ', paidAt: '2026-03-18 00:00:00', refunds: [] }
const trade = () => writeTradeBill([paid, tomorrow], seller, '2026-03-17') ?? ''
const fund = () => writeFundBill([paid, tomorrow], seller, '2026-03-17') ?? ''
const read = (text: string) => parseAlipayTradeBill('2026-03-17', text, '2021000000000001')

describe('[29.4] the bills of Alipay', () => {
  test('payments and refunds of the day, a name with a comma in it, the account from the head', () => {
    const own = { mchid: seller, appid: '2021000000000001', currency: 'CNY', attach: '', orderNo, transactionId: '2026031722001' }
    expect(read(trade())).toEqual({
      date: '2026-03-17',
      rows: [
        { ...own, kind: 'pay', tradeTime: new Date('2026-03-17T10:00:00+08:00'), amountFen: 10_000, refundFen: 0, serviceFeeText: '0.60' },
        {
          ...own,
          kind: 'refund',
          tradeTime: new Date('2026-03-17T11:00:00+08:00'),
          amountFen: 0,
          refundFen: 4_000,
          refundNo: `R${orderNo}01`,
          providerRefundId: `R${orderNo}01`,
          refundStatus: 'SUCCESS',
          serviceFeeText: '0.00',
        },
      ],
      summary: { count: 2, amountFen: 10_000, refundFen: 4_000 },
    })
    expect(parseAlipayFundBill(fund())).toEqual({ inFen: 10_000, outFen: 4_000, feeFen: 60 })
    expect(writeTradeBill([paid], seller, '2026-03-16')).toBeUndefined()
  })

  test('money that was paid out to the bank is neither trade nor fee', () => {
    const payout = '9\t,,,,2026-03-17 12:00:00,,0.00,-50.00,9.40,支付宝,提现,'
    const moved = fund().replace('#支出合计：2笔，共-40.60元', `${payout}\r\n#支出合计：3笔，共-90.60元`)
    expect(parseAlipayFundBill(moved)).toEqual({ inFen: 10_000, outFen: 4_000, feeFen: 60 })
  })

  test.each([
    ['a line is missing', (text: string) => text.replace(/^2026031722001\t.*交易.*\r\n/m, ''), '交易合计 says 1, 10000; the rows say 0, 0'],
    ['the foot is missing', (text: string) => text.slice(0, text.indexOf('#交易合计')), 'the total 交易合计 is missing'],
    ['a column is missing', (text: string) => text.replace('完成时间,', ''), 'column 完成时间 is missing'],
    ['a field is missing', (text: string) => text.replace(',交易,', ''), 'fields where the header has 25'],
    ['no amount', (text: string) => text.replaceAll('100.00,100.00', '1oo.00,100.00'), 'not an amount in yuan: 1oo.00'],
    ['no time', (text: string) => text.replaceAll('2026-03-17 11:00:00', '2026/03/17'), 'not a time: 2026/03/17'],
    ['no account', (text: string) => text.replace(/#账号.*\r\n/, ''), 'the account is missing'],
    ['another kind', (text: string) => text.replace(',退款,', ',调账,'), 'unknown kind 调账'],
  ] as const)('[29.9] %s: refused', (_, edit, told) => {
    expect(() => read(edit(trade()))).toThrow(told)
  })

  test('[29.9] an account that does not add up is refused', () => {
    expect(() => parseAlipayFundBill(fund().replace('共100.00元', '共90.00元'))).toThrow('the totals of the account differ from its rows')
  })
})
