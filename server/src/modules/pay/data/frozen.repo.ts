import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'

export interface FrozenList {
  readonly id: string
  readonly examId: string
  readonly name: string
  readonly state: number
  readonly count: number
  readonly amountFen: number
  readonly refundFen: number
  readonly createdAt: Date
}
const columns = sql`
  id::text as id, exam_id::text as "examId", name, state, count, amount as "amountFen", refund_amount as "refundFen", created_at as "createdAt"`
export const findFrozen = (db: TenantDb, id: string): Promise<FrozenList | undefined> =>
  db.maybe(sql<FrozenList>`select ${columns} from pay_export_main where id = ${id} and not is_deleted`)
export const lockFrozen = (db: TenantDb, id: string): Promise<FrozenList | undefined> =>
  db.maybe(sql<FrozenList>`select ${columns} from pay_export_main where id = ${id} and not is_deleted for update`)

/** Payments `p` of the span of list `m`. */
const received = sql`
  from pay_export_main m
  join exam_pay p on p.tenant_id = m.tenant_id and p.exam_id = m.exam_id and (m.item_id = 0 or p.item_id = m.item_id)
    and p.paid_fen > 0 and not p.is_deleted and p.paid_time >= m.begin_time and p.paid_time < m.end_time`
/** The list that has payment `p` already: what was received is handed over once. */
const elsewhere = sql`
  from pay_export x join pay_export_main y on y.tenant_id = x.tenant_id and y.id = x.main_id and y.state = 1 and not y.is_deleted
  where x.tenant_id = p.tenant_id and x.exam_pay_id = p.id and y.id <> m.id`

/**
 * Writes the rows of a list as they are now and its sums. Call with the list locked, once, and no other list of the examination being made.
 * @returns how many payments were left out because another list has them, and the name of one such list
 */
export const freezeRows = async (
  db: TenantDb,
  id: string,
): Promise<{ readonly rows: number; readonly skipped: number; readonly other: string | null }> => {
  const { skipped, other } = await db.one(sql<{ skipped: number; other: string | null }>`
    select count(*)::int as skipped, min(held.name) as other
    ${received} cross join lateral (select y.name ${elsewhere} limit 1) held where m.id = ${id}`)
  await db.run(sql`
    insert into pay_export (tenant_id, main_id, exam_pay_id, row_no, pay_name, order_no, transaction_id, voucher_no, pay_way, sign_no, name, id_card_mask, unit, code,
      amount, fee, paid_time, refund_amount, created_by)
    select p.tenant_id, m.id, p.id, row_number() over (order by p.paid_time, p.id), p.pay_name, o.order_no, o.transaction_id, p.voucher_no,
      array_position(array['wechat', 'bankTransfer', 'cash', 'unit', 'alipay', 'nontax'], p.pay_way::text), s.sign_no, s.name, s.id_card_mask, s.unit, s.code, p.paid_fen, o.fee,
      p.paid_time, p.refunded_fen, m.created_by
    ${received}
    join signup s on s.tenant_id = p.tenant_id and s.id = p.signup_id
    left join pay_order o on o.tenant_id = p.tenant_id and o.id = p.order_id
    where m.id = ${id} and not exists (select 1 ${elsewhere})`)
  const { rows } = await db.one(sql<{ rows: number }>`select count(*)::int as rows from pay_export where main_id = ${id}`)
  await db.run(sql`
    update pay_export_main m set state = 1, problem = null, skipped = ${skipped}, done_time = app_now(), updated_at = app_now(), version = version + 1, count = n.count, amount = n.amount,
      refund_amount = n.back
    from (select count(*)::int as count, coalesce(sum(amount), 0)::int as amount, coalesce(sum(refund_amount), 0)::int as back from pay_export where main_id = ${id}) n
    where m.id = ${id}`)
  return { rows, skipped, other }
}

export const writeFailed = async (db: TenantDb, id: string, problem: string): Promise<void> => {
  await db.run(sql`
    update pay_export_main set state = 2, problem = ${problem.slice(0, 200)}, updated_at = app_now(), version = version + 1 where id = ${id} and state = 0`)
}

/** A row as the workbook has it. */
export interface FrozenRow {
  readonly row: number
  readonly signNo: string | null
  readonly name: string | null
  readonly idCardMask: string | null
  readonly unit: string | null
  readonly code: string | null
  readonly payName: string
  readonly payWay: number | null
  readonly orderNo: string | null
  readonly evidence: string | null
  readonly amountFen: number
  readonly fee: string | null
  readonly paidTime: Date | null
  readonly refundFen: number
}
/** The rows of a list after this one. */
export const listFrozenRows = (db: TenantDb, id: string, after: number, limit: number): Promise<FrozenRow[]> =>
  db.all(sql<FrozenRow>`
    select row_no as row, sign_no as "signNo", name, id_card_mask as "idCardMask", unit, code, pay_name as "payName", pay_way as "payWay", order_no as "orderNo",
      coalesce(transaction_id, voucher_no) as evidence, amount as "amountFen", fee::text as fee, paid_time as "paidTime", refund_amount as "refundFen"
    from pay_export where main_id = ${id} and row_no > ${after} order by row_no limit ${limit}`)
/** What the provider has kept of the payments of a list, in yuan. */
export const sumFees = async (db: TenantDb, id: string): Promise<string> =>
  (await db.one(sql<{ fee: string }>`select coalesce(sum(fee), 0)::text as fee from pay_export where main_id = ${id}`)).fee
