import { toWireTime } from '#contract/kernel/when.ts'
import type { OrderState } from '#contract/pay/order.state.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import {
  type BillOf,
  type DayStanding,
  type HandleWay,
  listDifferences,
  listOurOrders,
  listOurRefunds,
  noteBilled,
  noteFees,
  putDifference,
  type StoredDifference,
  settleDay,
  writeBill,
  writeHandled,
  writeUnread,
} from '../data/bill.repo.ts'
import { findOrder } from '../data/order.repo.ts'
import type { PayKit } from '../deps.ts'
import { compareBill, type Difference, keyOfDifference, type OurOrder, type OurRefund, sumsOfDay } from '../domain/compare-bill.ts'
import type { Merchant } from '../providers/accounts.ts'
import { isRechargeNo } from '../providers/payment.ts'
import { isOutcomeUnknown, type RefundFact, type RefundStatus, type TradeBill, type TradeBillRow } from '../providers/provider.ts'
import { asTenant, lookAtOrder } from './close-order.ts'
import { raiseAlarm, tellFinance } from './news.ts'
import { applyRefundFact } from './refund.ts'
import { settlePayment } from './settle.ts'

/** As the bill says it: CHANGE and FAIL have not reached the payer, as ABNORMAL of a query. */
const statusOf = (row: TradeBillRow): RefundStatus =>
  row.refundStatus === 'SUCCESS' ? 'SUCCESS' : row.refundStatus === 'PROCESSING' ? 'PROCESSING' : 'ABNORMAL'

const refundOf = (row: TradeBillRow, paidFen: number): RefundFact => ({
  refundNo: row.refundNo ?? '',
  orderNo: row.orderNo,
  providerRefundId: row.providerRefundId ?? '',
  transactionId: row.transactionId,
  status: statusOf(row),
  refundFen: row.refundFen,
  totalFen: paidFen,
  successTime: row.tradeTime,
  mchid: row.mchid,
})

const dayMs = 24 * 60 * 60_000

/** The provider cannot be asked now; the day is read again later. */
class NotNow extends Error {}

interface Ours {
  readonly orders: readonly OurOrder[]
  readonly refunds: readonly OurRefund[]
}
/** Orders of purchases of messages count in numbers as those of fees do. */
const rechargeStates: Readonly<Record<number, OrderState>> = { 0: 'created', 1: 'pending', 2: 'paid', 3: 'closed', 7: 'abnormal' }
/** Purchases of messages stand in a book of their own; the bill of their merchant names them beside the fees. */
const rechargesOf = async (kit: PayKit, of: BillOf, orderNos: readonly string[]): Promise<OurOrder[]> => {
  const from = new Date(`${of.date}T00:00:00+08:00`)
  const orders = await kit.deps.message.billedRecharges({ mchid: of.mchid, from, to: new Date(from.getTime() + dayMs), orderNos })
  return orders.map(order => ({ ...order, id: null, state: rechargeStates[order.state] ?? 'abnormal' }))
}
const readOurs = async (kit: PayKit, tenantId: string, of: BillOf, rows: readonly TradeBillRow[]): Promise<Ours> => {
  const named = [...new Set(rows.map(row => row.orderNo))]
  const recharges = await rechargesOf(kit, of, named.filter(isRechargeNo))
  return asTenant(kit, tenantId, async db => ({
    orders: [...(await listOurOrders(db, of, named)), ...recharges],
    refunds: await listOurRefunds(
      db,
      of,
      rows.flatMap(row => row.refundNo || []),
    ),
  }))
}

/** What only the bill knows of is taken over by the rules of notices (domain 8.4). */
const mendTheirs = async (kit: PayKit, tenantId: string, merchant: Merchant, of: Difference, row: TradeBillRow): Promise<void> => {
  const order = await asTenant(kit, tenantId, db => findOrder(db, of.orderNo))
  if (of.subject === 'pay' && isRechargeNo(of.orderNo)) {
    // Its own book takes a payment once, however often it is told.
    await kit.deps.message.receiveRecharge({ ...row, successTime: row.tradeTime }, false)
    return
  }
  if (of.subject === 'refund') {
    // A payment of an earlier day that went back before we knew of it.
    if (order && order.transactionId === null) await ask(kit, tenantId, merchant, of.orderNo)
    await asTenant(kit, tenantId, db => applyRefundFact(kit, db, refundOf(row, order?.paidFen ?? order?.amountFen ?? 0)))
    return
  }
  // The bill does not say what became of a payment since.
  if (order && order.transactionId === null) return ask(kit, tenantId, merchant, of.orderNo)
  // Nobody's order, or a second payment of one: what becomes of it is decided where every payment is.
  const payment = { ...row, successTime: row.tradeTime, isRefunded: false }
  await asTenant(kit, tenantId, db => settlePayment(kit, db, payment, { tradeState: 'SUCCESS' }))
}

const ask = async (kit: PayKit, tenantId: string, merchant: Merchant, orderNo: string): Promise<void> => {
  const order = await asTenant(kit, tenantId, db => findOrder(db, orderNo))
  const look = order && (await lookAtOrder(kit, tenantId, merchant.provider, order))
  if (look && !look.ok && isOutcomeUnknown(look.problem)) throw new NotNow(look.problem.detail)
}

/** Whether the provider itself stands by what its bill leaves out: a signed answer is worth more than a file (domain 8.2). */
const isConfirmed = async (merchant: Merchant, of: Difference): Promise<boolean> => {
  if (of.subject === 'refund') {
    const answer = await merchant.provider.queryRefund(of.refundNo)
    if (!answer.ok && isOutcomeUnknown(answer.problem)) throw new NotNow(answer.problem.detail)
    return answer.ok && answer.value.status === 'SUCCESS' && answer.value.refundFen === of.ourFen
  }
  const answer = await merchant.provider.query(of.orderNo)
  if (!answer.ok && isOutcomeUnknown(answer.problem)) throw new NotNow(answer.problem.detail)
  if (!answer.ok) return false
  const { tradeState, transactionId, amountFen } = answer.value
  return (tradeState === 'SUCCESS' || tradeState === 'REFUND') && transactionId === of.transactionId && amountFen === of.ourFen
}

/** A difference that no rule mends is a task of finance until the end of the next day. */
const dueOf = (now: Date): Date => {
  const shanghaiMs = 8 * 60 * 60_000
  return new Date(Math.floor((now.getTime() + shanghaiMs) / dayMs + 2) * dayMs - shanghaiMs)
}

/** What the rules have done about the differences of the first look, by the second look at the books. */
const waysOf = (first: readonly Difference[], after: ReadonlySet<string>, confirmed: ReadonlySet<string>): ReadonlyMap<string, HandleWay> =>
  new Map(
    first.flatMap((of): readonly (readonly [string, HandleWay])[] => {
      const key = keyOfDifference(of)
      if (confirmed.has(key)) return [[key, 'confirmed']]
      if (after.has(key)) return []
      return [[key, of.subject === 'refund' ? 'refunded' : 'posted']]
    }),
  )

/** Whether a day's bill was read, and how the day stands. */
export type Reconciled =
  | (DayStanding & {
      readonly kind: 'read'
      readonly rows: number
      readonly amountFen: number
      readonly refundFen: number
      readonly found: number
    })
  | { readonly kind: 'notReady' }
  | { readonly kind: 'unread'; readonly problem: string }

const store = async (
  kit: PayKit,
  db: TenantDb,
  of: BillOf,
  bill: TradeBill,
  facts: {
    readonly first: readonly Difference[]
    readonly rest: readonly Difference[]
    readonly confirmed: ReadonlySet<string>
    readonly sums: ReturnType<typeof sumsOfDay>
    readonly fund: { readonly inFen: number; readonly outFen: number; readonly feeFen: number } | null
  },
): Promise<DayStanding & { readonly fresh: number }> => {
  const { summary, rows } = bill
  const billId = await writeBill(db, {
    ...of,
    ...facts.sums,
    rowCount: summary.count,
    payCount: rows.filter(row => row.kind === 'pay').length,
    amountFen: summary.amountFen,
    refundFen: summary.refundFen,
    fund: facts.fund,
  })
  const refundNos = facts.first.flatMap(one => (one.subject === 'refund' && one.kind === 2 ? [one.refundNo] : []))
  const fees = rows.filter(row => row.kind === 'pay' && /^\d+(\.\d{1,5})?$/.test(row.serviceFeeText))
  await noteFees(
    db,
    fees.map(({ orderNo, transactionId, serviceFeeText }) => ({ orderNo, transactionId, fee: serviceFeeText })),
  )
  const named = rows.flatMap(row => row.refundNo || [])
  await noteBilled(db, of.date, [...new Set([...named, ...refundNos])])
  const known = await listDifferences(db, of)
  const keys = new Set(facts.rest.map(keyOfDifference))
  const ways = waysOf(facts.first, keys, facts.confirmed)
  const all = new Map([...facts.first, ...facts.rest].map(one => [keyOfDifference(one), one]))
  for (const [key, one] of all) await putDifference(db, billId, one, { way: ways.get(key) ?? null, dueAt: dueOf(db.now) })
  for (const old of known)
    if (!old.handled && !all.has(keyOfDifference(old))) await writeHandled(db, old.id, { way: 'gone', remark: '', userId: null })
  const standing = await settleDay(db, billId)
  const fresh = [...all.keys()].filter(key => !known.some(old => keyOfDifference(old) === key)).length
  if (standing.openCount > 0)
    await tellFinance(kit, db, {
      text: {
        title: { zh: '对账有差异', en: 'The bill of a day differs' },
        content: {
          zh: `${of.date} 有 ${standing.openCount} 笔对账差异待处理`,
          en: `${standing.openCount} differences of ${of.date} are to be settled`,
        },
      },
      link: '/pay/reconciliation',
      eventKey: `bill-differs:${billId}:${standing.openCount}:${standing.diffCount}`,
    })
  return { ...standing, fresh }
}

/** The money of the account against the trade of the day: differences only where the provider's own two bills do not agree. */
const fundDifference = (bill: TradeBill, fund: { readonly inFen: number; readonly outFen: number } | null): readonly Difference[] => {
  const trade = bill.summary.amountFen - bill.summary.refundFen
  if (fund === null || fund.inFen - fund.outFen === trade) return []
  return [
    {
      subject: 'fund',
      kind: 3,
      orderNo: '',
      refundNo: '',
      transactionId: '',
      orderId: null,
      ourFen: trade,
      billFen: fund.inFen - fund.outFen,
      ourState: '',
      billState: '',
      ourTime: null,
      billTime: null,
      closedTime: null,
    },
  ]
}

const unread = async (kit: PayKit, tenantId: string, of: BillOf, problem: string): Promise<Reconciled> => {
  const text = problem.trim().slice(0, 200)
  await asTenant(kit, tenantId, async db => {
    if (await writeUnread(db, of, text)) await raiseAlarm(kit, db, { orderId: null, kind: 'billUnread', detail: `${of.date} ${text}` })
  })
  return { kind: 'unread', problem: text }
}

/**
 * Compares one day's bill with our books (domain 8.6): reads both, lets the rules mend what they may, reads our books again and notes what differed, how it
 * was mended, and what is left for a person. Each step is a transaction of its own that changes nothing when it is done twice, so a run that was cut off is begun again.
 *
 * @param date - `yyyy-MM-dd` in Asia/Shanghai
 */
export const reconcileDay = async (kit: PayKit, tenantId: string, merchant: Merchant, date: string): Promise<Reconciled> => {
  const of: BillOf = { date, channel: merchant.channel, mchid: merchant.mchid }
  const answer = await merchant.provider.tradeBill(date)
  if (!answer.ok && answer.problem.kind !== 'rejected') return { kind: 'notReady' }
  if (!answer.ok) return unread(kit, tenantId, of, `${answer.problem.providerCode ?? ''} ${answer.problem.detail}`)
  const bill = answer.value
  const stranger = bill.rows.find(row => row.mchid !== merchant.mchid)
  if (stranger) return unread(kit, tenantId, of, `mchid ${stranger.mchid} ${stranger.orderNo}`)
  const funds = await merchant.provider.fundBill(date)
  if (!funds.ok && isOutcomeUnknown(funds.problem)) return { kind: 'notReady' }
  if (!funds.ok) return unread(kit, tenantId, of, `${funds.problem.providerCode ?? ''} ${funds.problem.detail}`)

  const { rows } = bill
  const first = compareBill(rows, await readOurs(kit, tenantId, of, rows))
  const known = new Map((await asTenant(kit, tenantId, db => listDifferences(db, of))).map(one => [keyOfDifference(one), one]))
  const confirmed = new Set<string>()
  try {
    for (const difference of first) await mend(kit, tenantId, merchant, difference, { rows, known, confirmed })
  } catch (error) {
    if (error instanceof NotNow) return { kind: 'notReady' }
    throw error
  }
  const ours = first.length === 0 ? undefined : await readOurs(kit, tenantId, of, rows)
  const now = ours ?? (await readOurs(kit, tenantId, of, rows))
  const rest = ours ? compareBill(rows, ours) : []
  const sums = sumsOfDay(rows, now)
  const fund = fundDifference(bill, funds.value)
  const { fresh, ...standing } = await asTenant(kit, tenantId, db =>
    store(kit, db, of, bill, {
      first: [...first, ...fund],
      rest: [...rest, ...fund],
      confirmed,
      sums,
      fund: funds.value,
    }),
  )
  const { count, amountFen, refundFen } = bill.summary
  return { kind: 'read', rows: count, amountFen, refundFen, found: fresh, ...standing }
}

const mend = async (
  kit: PayKit,
  tenantId: string,
  merchant: Merchant,
  of: Difference,
  at: {
    readonly rows: readonly TradeBillRow[]
    readonly known: ReadonlyMap<string, StoredDifference>
    readonly confirmed: Set<string>
  },
): Promise<void> => {
  const key = keyOfDifference(of)
  if (of.kind === 1) {
    if (await isConfirmed(merchant, of)) at.confirmed.add(key)
    return
  }
  if (of.kind === 3) return
  const row = at.rows.find(one =>
    of.subject === 'refund'
      ? one.kind === 'refund' && (one.refundNo ?? '') === of.refundNo
      : one.orderNo === of.orderNo && one.transactionId === of.transactionId && one.kind !== 'refund',
  )
  // Strangers are told to finance once; money that a person has decided on is left alone.
  const stored = at.known.get(key)
  const isTold = stored !== undefined && (stored.handled || (of.kind === 2 && of.ourState === ''))
  if (!row || row.kind === 'revoked' || isTold) return
  await mendTheirs(kit, tenantId, merchant, of, row)
}

/** The days of a tenant that were not settled in time, told to finance once a day. */
export const remindOfDifferences = async (kit: PayKit, db: TenantDb, overdue: number): Promise<void> => {
  if (overdue === 0) return
  await tellFinance(kit, db, {
    text: {
      title: { zh: '对账差异逾期未处理', en: 'Differences are overdue' },
      content: { zh: `${overdue} 笔对账差异超过处理期限`, en: `${overdue} differences should have been settled by now` },
    },
    link: '/pay/reconciliation',
    eventKey: `bill-overdue:${toWireTime(db.now).slice(0, 10)}`,
  })
}
