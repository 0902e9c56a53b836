import { formatFen } from '#contract/pay/fee.ts'
import { writeBill } from '../data/bill.repo.ts'
import { listOrdersByNo, type OrderRow } from '../data/order.repo.ts'
import { listRefundsByNo } from '../data/refund.repo.ts'
import type { PayKit } from '../deps.ts'
import { isRechargeNo } from '../providers/payment.ts'
import type { PayProvider, RefundFact, RefundStatus, TradeBillRow } from '../providers/provider.ts'
import { asTenant, lookAtOrder } from './close-order.ts'
import { raiseAlarm } from './news.ts'
import { applyRefundFact } from './refund.ts'
import { settlePayment } from './settle.ts'

/** As the bill says it: CHANGE and FAIL have not reached the payer, as ABNORMAL of a query. */
const statusOf = (row: TradeBillRow): RefundStatus =>
  row.refundStatus === 'SUCCESS' ? 'SUCCESS' : row.refundStatus === 'PROCESSING' ? 'PROCESSING' : 'ABNORMAL'

const refundOf = (row: TradeBillRow, paidFen: number): RefundFact | undefined =>
  row.refundNo === undefined || row.refundNo === ''
    ? undefined
    : {
        refundNo: row.refundNo,
        orderNo: row.orderNo,
        providerRefundId: row.providerRefundId ?? '',
        transactionId: row.transactionId,
        status: statusOf(row),
        refundFen: row.refundFen,
        totalFen: paidFen,
        successTime: row.tradeTime,
        mchid: row.mchid,
      }

/** A payment of the bill that we have not recorded is asked about, because the bill does not say what became of it since. @returns whether it was news */
const takePayment = async (
  kit: PayKit,
  tenantId: string,
  provider: PayProvider,
  row: TradeBillRow,
  order: OrderRow | undefined,
): Promise<boolean> => {
  if (isRechargeNo(row.orderNo)) {
    const outcome = await kit.deps.message.receiveRecharge({ ...row, successTime: row.tradeTime }, false)
    return outcome !== 'repeat'
  }
  if (order && order.transactionId === null) {
    const look = await lookAtOrder(kit, tenantId, provider, order)
    if (!look.ok) throw new Error(`order ${row.orderNo} of the bill could not be asked about: ${look.problem.detail}`)
    return true
  }
  if (order?.transactionId === row.transactionId) {
    if (order.paidFen === row.amountFen) return false
    const detail = `${row.orderNo} ${formatFen(row.amountFen)}/${formatFen(order.paidFen ?? order.amountFen)}`
    await asTenant(kit, tenantId, db => raiseAlarm(kit, db, { orderId: order.id, kind: 'billDiffers', detail }))
    return true
  }
  // Nobody's order, or a second payment of one: what becomes of it is decided where every payment is.
  const payment = { ...row, successTime: row.tradeTime, isRefunded: false }
  await asTenant(kit, tenantId, db => settlePayment(kit, db, payment, { tradeState: 'SUCCESS' }))
  return true
}

/** Whether a day's bill was read and everything in it is known here now. */
export type BillReading =
  | { readonly kind: 'read'; readonly rows: number; readonly amountFen: number; readonly refundFen: number; readonly found: number }
  | { readonly kind: 'notReady' | 'unread' }

/**
 * Compares one day's bill with what is known here (domain 8.6). What only the provider knows is taken over by the rules of notices: payments whose
 * news was lost, refunds that were made in its own console. Reading a day again changes nothing.
 *
 * @param date - `yyyy-MM-dd` in Asia/Shanghai
 */
export const readBill = async (kit: PayKit, tenantId: string, date: string): Promise<BillReading> => {
  const merchant = await kit.providers.of(tenantId)
  if (!merchant) return { kind: 'notReady' }
  const answer = await merchant.provider.tradeBill(date)
  if (!answer.ok && answer.problem.kind !== 'rejected') return { kind: 'notReady' }
  if (!answer.ok) {
    const problem = `${answer.problem.providerCode ?? ''} ${answer.problem.detail}`.trim().slice(0, 200)
    await asTenant(kit, tenantId, async db => {
      if (await writeBill(db, { date, rowCount: 0, amountFen: 0, refundFen: 0, found: 0, problem }))
        await raiseAlarm(kit, db, { orderId: null, kind: 'billUnread', detail: `${date} ${problem}` })
    })
    return { kind: 'unread' }
  }
  const { rows, summary } = answer.value
  const orders = new Map(
    (await asTenant(kit, tenantId, db => listOrdersByNo(db, [...new Set(rows.map(row => row.orderNo))]))).map(order => [
      order.orderNo,
      order,
    ]),
  )
  let found = 0
  for (const row of rows)
    if (row.kind === 'pay' && (await takePayment(kit, tenantId, merchant.provider, row, orders.get(row.orderNo)))) found += 1

  const refundRows = rows.filter(row => row.kind !== 'pay')
  const known = new Map(
    (
      await asTenant(kit, tenantId, db =>
        listRefundsByNo(
          db,
          refundRows.flatMap(row => row.refundNo ?? []),
        ),
      )
    ).map(refund => [refund.refundNo, refund.state]),
  )
  for (const row of refundRows) {
    const order = orders.get(row.orderNo)
    const fact = refundOf(row, order?.paidFen ?? order?.amountFen ?? 0)
    const state = fact && known.get(fact.refundNo)
    if (!fact || (state !== undefined && state !== 'submitted' && state !== 'abnormal')) continue
    // A payment of an earlier day that went back before we knew of it.
    if (order && order.transactionId === null) await lookAtOrder(kit, tenantId, merchant.provider, order)
    await asTenant(kit, tenantId, db => applyRefundFact(kit, db, fact))
    if (state === undefined) found += 1
  }
  const { count: rowCount, amountFen, refundFen } = summary
  await asTenant(kit, tenantId, db => writeBill(db, { date, rowCount, amountFen, refundFen, found, problem: null }))
  return { kind: 'read', rows: rowCount, amountFen, refundFen, found }
}
