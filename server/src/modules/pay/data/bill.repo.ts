import type { PayChannel } from '#contract/pay/channel.ts'
import { payDifference, reconciliation } from '#contract/pay/reconciliation.resource.ts'
import { findRows } from '#kernel/crud/crud.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { allOf, type RawBuilder, sql } from '#kernel/db/sql.ts'
import type { Difference, OurOrder, OurRefund } from '../domain/compare-bill.ts'

/** Which bill: that of one day, of one merchant at one provider. */
export interface BillOf {
  /** `yyyy-MM-dd` in Asia/Shanghai. */
  readonly date: string
  readonly channel: PayChannel
  readonly mchid: string
}
/** What came of reading the provider's bill of one day. */
export interface BillRecord extends BillOf {
  readonly rowCount: number
  readonly payCount: number
  readonly amountFen: number
  readonly refundFen: number
  readonly ourCount: number
  readonly ourFen: number
  readonly ourRefundFen: number
  readonly fund: { readonly inFen: number; readonly outFen: number; readonly feeFen: number } | null
}

/** The first instant of a day in Asia/Shanghai and of the one after. */
const dayStart = (date: string) => sql`(${date}::date::timestamp at time zone 'Asia/Shanghai')`
const dayEnd = (date: string) => sql`((${date}::date + 1)::timestamp at time zone 'Asia/Shanghai')`

/** Notes that a bill cannot be read. @returns whether this is the first word about the day */
export const writeUnread = async (db: TenantDb, of: BillOf, problem: string): Promise<boolean> => {
  const { isNew } = await db.one(sql<{ isNew: boolean }>`
    insert into pay_bill (tenant_id, bill_date, channel, mchid, problem, state, run_at)
    values (${db.actor.tenantId}, ${of.date}, ${of.channel}, ${of.mchid}, ${problem}, 0, app_now())
    on conflict (tenant_id, bill_date, channel, mchid) do update set problem = excluded.problem, run_at = app_now(), updated_at = app_now()
    returning xmax = 0 as "isNew"`)
  return isNew
}

/** Writes what both books come to on a day. @returns the id of the day */
export const writeBill = async (db: TenantDb, bill: BillRecord): Promise<string> => {
  const { id } = await db.one(sql<{ id: string }>`
    insert into pay_bill (tenant_id, bill_date, channel, mchid, row_count, pay_count, amount_fen, refund_fen, our_count, our_fen, our_refund_fen, fund_in_fen,
      fund_out_fen, fund_fee_fen, run_at)
    values (${db.actor.tenantId}, ${bill.date}, ${bill.channel}, ${bill.mchid}, ${bill.rowCount}, ${bill.payCount}, ${bill.amountFen}, ${bill.refundFen},
      ${bill.ourCount}, ${bill.ourFen}, ${bill.ourRefundFen}, ${bill.fund?.inFen ?? null}, ${bill.fund?.outFen ?? null}, ${bill.fund?.feeFen ?? null}, app_now())
    on conflict (tenant_id, bill_date, channel, mchid) do update set row_count = excluded.row_count, pay_count = excluded.pay_count,
      amount_fen = excluded.amount_fen, refund_fen = excluded.refund_fen, our_count = excluded.our_count, our_fen = excluded.our_fen,
      our_refund_fen = excluded.our_refund_fen, fund_in_fen = excluded.fund_in_fen, fund_out_fen = excluded.fund_out_fen,
      fund_fee_fen = excluded.fund_fee_fen, problem = null, run_at = app_now(), updated_at = app_now()
    returning id::text as id`)
  return id
}

/** Counts the differences of a day anew and says how it stands. Call after the last change of one. */
export const settleDay = (db: TenantDb, billId: string): Promise<DayStanding> =>
  db.one(sql<DayStanding>`
    update pay_bill b set found_count = n.found, open_count = n.open, updated_at = app_now(),
      state = case when n.open > 0 then 2 when n.found > 0 then 3 else 1 end
    from (select count(*)::int as found, count(*) filter (where not handled)::int as open from pay_bill_difference where bill_id = ${billId}) n
    where b.id = ${billId}
    returning b.id::text as id, b.state, b.found_count as "diffCount", b.open_count as "openCount"`)
export interface DayStanding {
  readonly id: string
  readonly state: number
  readonly diffCount: number
  readonly openCount: number
}

/** Of these days, those whose bill of this merchant was read. */
export const listReadDays = async (db: TenantDb, of: Omit<BillOf, 'date'>, dates: readonly string[]): Promise<ReadonlySet<string>> =>
  new Set(
    (
      await db.all(sql<{ date: string }>`
        select to_char(bill_date, 'YYYY-MM-DD') as date from pay_bill
        where bill_date = any(${[...dates]}::date[]) and channel = ${of.channel} and mchid in (${of.mchid}, '') and problem is null`)
    ).map(row => row.date),
  )

/** Whether anything was paid through this merchant before this instant and may still go back. */
export const hasPayments = async (db: TenantDb, mchid: string, before: Date): Promise<boolean> =>
  (await db.maybe(sql`
    select 1 from pay_order where mchid = ${mchid} and success_time < ${before} and success_time > ${before}::timestamptz - interval '1 year' limit 1`)) !==
  undefined

/** The providers beside WeChat through which anything was paid. */
export const listOtherChannels = async (db: TenantDb): Promise<PayChannel[]> =>
  (
    await db.all(sql<{ channel: PayChannel }>`
      select distinct channel from pay_order where channel <> 'wechat' and success_time is not null`)
  ).map(row => row.channel)

/** Our orders that a bill names, or that were paid on its day through its merchant. */
export const listOurOrders = (db: TenantDb, of: BillOf, orderNos: readonly string[]): Promise<readonly OurOrder[]> => {
  const inDay = sql`(o.mchid = ${of.mchid} and o.success_time >= ${dayStart(of.date)} and o.success_time < ${dayEnd(of.date)})`
  return db.all(sql<OurOrder>`
    select o.id::text as id, o.order_no as "orderNo", o.state, o.transaction_id as "transactionId", o.paid_fen as "paidFen", o.success_time as "successTime",
      o.closed_at as "closedAt", coalesce(${inDay}, false) as "inDay"
    from pay_order o where o.id in (select id from pay_order where order_no = any(${[...orderNos]}) union all select o.id from pay_order o where ${inDay})
    order by o.id`)
}

/** Our refunds that a bill names, or that came through on its day by its merchant. */
export const listOurRefunds = (db: TenantDb, of: BillOf, refundNos: readonly string[]): Promise<readonly OurRefund[]> => {
  const inDay = allOf([
    sql`r.state = 'succeeded'`,
    sql`r.voucher_no is null`,
    sql`r.success_time >= ${dayStart(of.date)}`,
    sql`r.success_time < ${dayEnd(of.date)}`,
    sql`(r.billed_on is null or r.billed_on = ${of.date}::date)`,
  ])
  return db.all(sql<OurRefund>`
    select r.order_id::text as "orderId", o.order_no as "orderNo", r.refund_no as "refundNo", r.state, r.amount_fen as "amountFen",
      r.success_time as "successTime", r.voucher_no is not null as "byHand", (o.mchid = ${of.mchid} and ${inDay}) is true as "inDay"
    from pay_refund r join pay_order o on o.tenant_id = r.tenant_id and o.id = r.order_id
    where r.id in (select id from pay_refund where refund_no = any(${[...refundNos]})
      union all select r.id from pay_refund r where ${inDay}) and (o.mchid = ${of.mchid} or r.refund_no = any(${[...refundNos]}))
    order by r.id`)
}

/** What the provider has kept of payments, as its bill says. */
export const noteFees = async (
  db: TenantDb,
  lines: readonly { readonly orderNo: string; readonly transactionId: string; readonly fee: string }[],
): Promise<void> => {
  if (lines.length === 0) return
  await db.run(sql`
    update pay_order o set fee = x.fee::numeric from unnest(${lines.map(one => one.orderNo)}::text[], ${lines.map(one => one.transactionId)}::text[],
      ${lines.map(one => one.fee)}::text[]) as x(order_no, transaction_id, fee)
    where o.order_no = x.order_no and o.transaction_id = x.transaction_id and o.fee is null`)
}

/** Remembers which day's bill has named these refunds. */
export const noteBilled = async (db: TenantDb, date: string, refundNos: readonly string[]): Promise<void> => {
  if (refundNos.length === 0) return
  await db.run(sql`update pay_refund set billed_on = ${date} where refund_no = any(${[...refundNos]}) and billed_on is null`)
}

export type HandleWay = 'posted' | 'refunded' | 'confirmed' | 'gone' | 'corrected' | 'accepted' | 'returned'
export interface StoredDifference extends Difference {
  readonly id: string
  readonly billId: string
  readonly handled: boolean
  readonly handleWay: HandleWay | null
}
const differenceColumns = sql`
  id::text as id, bill_id::text as "billId", subject, kind, order_no as "orderNo", refund_no as "refundNo", transaction_id as "transactionId",
  order_id::text as "orderId", our_fen::int as "ourFen", bill_fen::int as "billFen", our_state as "ourState", bill_state as "billState",
  our_time as "ourTime", bill_time as "billTime", closed_time as "closedTime", handled, handle_way as "handleWay"`
/** The differences of a bill that are known. Call with `lock` before they change. */
export const listDifferences = (db: TenantDb, of: BillOf): Promise<readonly StoredDifference[]> =>
  db.all(sql<StoredDifference>`
    select ${differenceColumns} from pay_bill_difference where bill_id = (select id from pay_bill
      where bill_date = ${of.date}::date and channel = ${of.channel} and mchid = ${of.mchid}) order by id`)

/** Adds a difference, settled already where `way` says how. One that is there keeps what a person has said of it. */
export const putDifference = async (
  db: TenantDb,
  billId: string,
  of: Difference,
  more: { readonly way: HandleWay | null; readonly dueAt: Date },
): Promise<void> => {
  await db.run(sql`
    insert into pay_bill_difference as d (tenant_id, bill_id, subject, kind, order_no, refund_no, transaction_id, order_id, our_fen, bill_fen, our_state, bill_state,
      our_time, bill_time, closed_time, handled, handle_way, handled_at, due_at)
    values (${db.actor.tenantId}, ${billId}, ${of.subject}, ${of.kind}, ${of.orderNo}, ${of.refundNo}, ${of.transactionId}, ${of.orderId}, ${of.ourFen},
      ${of.billFen}, ${of.ourState}, ${of.billState}, ${of.ourTime}, ${of.billTime}, ${of.closedTime}, ${more.way !== null}, ${more.way},
      ${more.way === null ? null : db.now}, ${more.dueAt})
    on conflict (tenant_id, bill_id, subject, kind, order_no, refund_no, transaction_id) do update set our_fen = excluded.our_fen, bill_fen = excluded.bill_fen,
      handled = d.handled or excluded.handled, handle_way = coalesce(d.handle_way, excluded.handle_way), handled_at = coalesce(d.handled_at, excluded.handled_at),
      updated_at = app_now()
    where not d.handled`)
}

/** A difference with its day, both locked. */
export const lockDifference = (db: TenantDb, id: string): Promise<(StoredDifference & { readonly handleBy: string | null }) | undefined> =>
  db.maybe(sql<StoredDifference & { readonly handleBy: string | null }>`
    select ${differenceColumns}, handle_by::text as "handleBy" from pay_bill_difference where id = ${id} for update`)

/** A person's word on a difference; without a way it is open again. */
export const writeHandled = async (
  db: TenantDb,
  id: string,
  word: { readonly way: HandleWay; readonly remark: string; readonly userId: string | null } | null,
): Promise<void> => {
  await db.run(sql`
    update pay_bill_difference set handled = ${word !== null}, handle_way = ${word?.way ?? null}, handle_remark = ${word?.remark || null},
      handle_by = ${word?.userId ?? null}, handled_at = ${word === null ? null : db.now}, updated_at = app_now(), updated_by = ${db.actor.userId}, version = version + 1
    where id = ${id}`)
}

/** Differences that nobody has settled in time. */
export const countOverdue = async (db: TenantDb): Promise<number> =>
  (await db.one(sql<{ n: number }>`select count(*)::int as n from pay_bill_difference where not handled and due_at <= app_now()`)).n

export interface MonthRow extends BillOf {
  readonly days: number
  readonly openDays: number
  readonly ourCount: number
  readonly ourAmount: number
  readonly billCount: number
  readonly billAmount: number
  readonly ourRefund: number
  readonly billRefund: number
  readonly fundFee: number
  readonly diffCount: number
  readonly openCount: number
}
/** The sums of the days of a month, by merchant. */
export const sumMonth = (db: TenantDb, month: string): Promise<Omit<MonthRow, 'date'>[]> =>
  db.all(sql<Omit<MonthRow, 'date'>>`
    select channel, mchid, count(*)::int as days, count(*) filter (where state in (0, 2))::int as "openDays", sum(our_count)::int as "ourCount",
      sum(our_fen)::float8 as "ourAmount", sum(pay_count)::int as "billCount", sum(amount_fen)::float8 as "billAmount", sum(our_refund_fen)::float8 as "ourRefund",
      sum(refund_fen)::float8 as "billRefund", coalesce(sum(fund_fee_fen), 0)::float8 as "fundFee", sum(found_count)::int as "diffCount", sum(open_count)::int as "openCount"
    from pay_bill where to_char(bill_date, 'YYYY-MM') = ${month} group by channel, mchid order by channel, mchid`)

/** Days of a month that are over, on which something was paid or went back, and whose bill was not read; by provider. */
export const listMissingDays = (db: TenantDb, month: string): Promise<{ billDate: string; channel: PayChannel }[]> =>
  db.all(sql<{ billDate: string; channel: PayChannel }>`
    select to_char(x.day, 'YYYY-MM-DD') as "billDate", x.channel from (
      select distinct (success_time at time zone 'Asia/Shanghai')::date as day, mchid, channel from pay_order
      where success_time >= ((${month} || '-01')::date::timestamp at time zone 'Asia/Shanghai')
        and success_time < (((${month} || '-01')::date + interval '1 month')::timestamp at time zone 'Asia/Shanghai')) x
    where x.day < (app_now() at time zone 'Asia/Shanghai')::date
      and not exists (select 1 from pay_bill b where b.bill_date = x.day and b.mchid in (x.mchid, '') and b.problem is null)
    group by x.day, x.channel order by x.day, x.channel`)

/** A day and its differences as the lists show them, each within what the reader's data scopes leave. */
export const findDay = async (
  db: TenantDb,
  id: string,
  scopes: { readonly days: RawBuilder<unknown> | undefined; readonly differences: RawBuilder<unknown> | undefined },
) => {
  const [day] = await findRows(db, reconciliation, allOf([sql`id = ${id}`, scopes.days]))
  return { day, differences: day ? await findRows(db, payDifference, allOf([sql`bill_id = ${id}`, scopes.differences])) : [] }
}
