import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { doWork } from '../../support/own-work.ts'
import { emulatorOf, payScene } from '../../support/pay.ts'

/** A year of 120,000 orders takes minutes and is for the long run; the short one is a fortnight with the same kinds of differences. */
const isLong = process.env['KAOPU_LONG'] === '1'
const year = isLong ? { days: 365, orders: 120_000, planted: 200 } : { days: 5, orders: 200, planted: 20 }
const dayMs = 24 * 60 * 60_000
const begin = new Date('2026-04-01T00:00:00+08:00').getTime()

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())

const header =
  '交易时间,公众账号ID,商户号,特约商户号,设备号,微信订单号,商户订单号,用户标识,交易类型,交易状态,付款银行,货币种类,应结订单金额,代金券金额,微信退款单号,商户退款单号,退款金额,充值券退款金额,退款类型,退款状态,商品名称,商户数据包,手续费,费率,订单金额,申请退款金额,费率备注'
const summary = '总交易单数,应结订单总金额,退款总金额,充值券退款总金额,手续费总金额,订单总金额,申请退款总金额'
const fundHeader =
  '记账时间,微信支付业务单号,资金流水单号,业务名称,业务类型,收支类型,收支金额（元）,账户结余（元）,资金变更提交申请人,备注,业务凭证号'
const fundSummary = '资金流水总笔数,收入笔数,收入金额,支出笔数,支出金额'
const write = (fields: readonly string[]) => fields.map(field => `\`${field}`).join(',')
const yuan = (fen: number) => (fen / 100).toFixed(2)
interface Line {
  readonly orderNo: string
  readonly transactionId: string
  readonly at: string
  readonly fen: number
}
const tradeBill = (mchid: string, lines: readonly Line[]): string => {
  const total = yuan(lines.reduce((sum, line) => sum + line.fen, 0))
  const rows = lines.map(({ orderNo, transactionId, at, fen }) =>
    write(
      [
        at,
        'wx',
        mchid,
        '0',
        '',
        transactionId,
        orderNo,
        'o',
        'NATIVE',
        'SUCCESS',
        'OTHERS',
        'CNY',
        yuan(fen),
        '0.00',
        '0',
        '0',
        '0.00',
        '0.00',
        '',
        '',
        '费',
        '1',
      ].concat([(fen * 0.00006).toFixed(5), '0.60%', yuan(fen), '0.00', '']),
    ),
  )
  return [header, ...rows, summary, write([String(lines.length), total, '0.00', '0.00', '0.00', total, '0.00'])].join('\r\n')
}
const fundBill = (lines: readonly Line[]): string => {
  const total = yuan(lines.reduce((sum, line) => sum + line.fen, 0))
  return [
    fundHeader,
    write(['', '1', '1', '交易', '交易', '收入', total, total, 'system', '', '']),
    fundSummary,
    write(['1', '1', total, '0', '0.00']),
  ].join('\r\n')
}

test(
  `[29.4] ${year.orders} orders of ${year.days} days with ${year.planted} planted differences: all are found, none is invented`,
  async () => {
    const scene = await payScene(t)
    const { payId, person } = await scene.payer()
    const { emulator, payments } = await emulatorOf(t)
    const { mchid } = await payments.merchantOf(scene.tenant.tenantId)
    await scene.tenant.rows(sql`
      insert into pay_order (tenant_id, order_no, pay_id, user_id, amount_fen, description, state, expire_time, transaction_id, success_time, paid_fen, mchid, appid,
        trade_state)
      select ${scene.tenant.tenantId}, 'E' || to_char(n, 'FM00000000000000') || 'AAAAAAAAAA', ${payId}, ${person.userId}, 10000, '费', 'paid',
        ${new Date(begin)}::timestamptz + (n % ${year.days}) * interval '1 day' + interval '12 hours', 'T' || n,
        ${new Date(begin)}::timestamptz + (n % ${year.days}) * interval '1 day' + (n * 7 % 86400) * interval '1 second', 10000, ${mchid}, 'wx', 'SUCCESS'
      from generate_series(1, ${year.orders}) n`)
    const stored = await scene.tenant.rows(sql<Line & { day: string }>`
      select order_no as "orderNo", transaction_id as "transactionId", to_char(success_time at time zone 'Asia/Shanghai', 'YYYY-MM-DD HH24:MI:SS') as at,
        to_char(success_time at time zone 'Asia/Shanghai', 'YYYY-MM-DD') as day, paid_fen as fen from pay_order order by order_no`)
    const bills = new Map<string, Line[]>()
    const planted: string[] = []
    const step = Math.floor(stored.length / year.planted)
    for (const [index, { day, ...line }] of stored.entries()) {
      const number = index / step
      const isPlanted = Number.isInteger(number) && number < year.planted
      const lines = bills.get(day) ?? []
      bills.set(day, lines)
      if (!isPlanted) {
        lines.push(line)
        continue
      }
      // In turn: missing in the bill, another amount, a second payment beside ours, an order of nobody's.
      if (number % 4 === 0) planted.push(`${day} 1 ${line.orderNo} ${line.transactionId}`)
      else if (number % 4 === 1) {
        lines.push({ ...line, fen: 9_999 })
        planted.push(`${day} 3 ${line.orderNo} ${line.transactionId}`)
      } else {
        const other =
          number % 4 === 2
            ? { ...line, transactionId: `X${line.transactionId}` }
            : { ...line, orderNo: `E${line.orderNo.slice(1, 15)}ZZZZZZZZZZ`, transactionId: `Z${line.transactionId}` }
        lines.push(line, other)
        planted.push(`${day} 2 ${other.orderNo} ${other.transactionId}`)
      }
    }
    emulator.faults.bill = ({ kind, date }) => {
      const lines = bills.get(date)
      return lines && (kind === 'trade' ? tradeBill(mchid, lines) : fundBill(lines))
    }
    for (let day = 1; day <= year.days; day += 1) {
      t.clock.set(new Date(begin + day * dayMs + 11 * 60 * 60_000).toISOString())
      await doWork(t, 'pay.bills', scene.tenant.tenantId)
    }
    const found = await scene.tenant.rows(sql<{ key: string }>`
      select to_char(b.bill_date, 'YYYY-MM-DD') || ' ' || d.kind || ' ' || d.order_no || ' ' || d.transaction_id as key
      from pay_bill_difference d join pay_bill b on b.id = d.bill_id where not d.handled`)
    expect(found.map(row => row.key).sort()).toEqual(planted.sort())
    expect(
      await scene.tenant.rows(
        sql`select sum(our_count)::int as ours, count(*) filter (where state = 2)::int as open, count(*) filter (where state = 1)::int as flat from pay_bill`,
      ),
    ).toEqual([
      {
        ours: year.orders,
        open: new Set(planted.map(key => key.slice(0, 10))).size,
        flat: year.days - new Set(planted.map(key => key.slice(0, 10))).size,
      },
    ])
  },
  isLong ? 1_800_000 : 60_000,
)
