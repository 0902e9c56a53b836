import type { TenantDb } from '#kernel/db/scope.ts'
import { allOf, type RawBuilder, sql } from '#kernel/db/sql.ts'

/** Which dues each list holds: what was asked for, what was paid whatever became of it, what went back. */
const holds = {
  due: sql`p.state <> 'void'`,
  paid: sql`p.paid_fen > 0`,
  refund: sql`p.refunded_fen > 0`,
} as const

export interface DueList {
  readonly examId: string
  readonly kind: keyof typeof holds
  readonly itemId?: string | undefined
  /** What narrows the caller to rows of their own. */
  readonly scope: RawBuilder<unknown> | undefined
}
/** The dues of a list in the order of their ids, at most `limit`: the lines themselves follow in batches. */
export const listDueIds = async (db: TenantDb, { examId, kind, itemId, scope }: DueList, limit: number): Promise<string[]> => {
  const where = allOf([
    sql`p.exam_id = ${examId}`,
    sql`not p.is_deleted`,
    scope && sql`p.id in (select id from exam_pay_row where ${scope})`,
    holds[kind],
    itemId === undefined ? false : sql`p.item_id = ${itemId}`,
  ])
  const rows = await db.all(sql<{ id: string }>`select p.id::text as id from exam_pay p where ${where} order by p.id limit ${limit}`)
  return rows.map(row => row.id)
}

/** A line of finance's lists. */
export interface DueLine {
  readonly signNo: string | null
  readonly name: string | null
  readonly tail: string | null
  readonly unit: string | null
  readonly code: string | null
  readonly itemName: string | null
  readonly payName: string
  readonly amountFen: number
  readonly state: string
  readonly paidFen: number
  readonly payWay: string | null
  readonly orderNo: string | null
  readonly evidence: string | null
  readonly paidTime: Date | null
  readonly refundedFen: number
  readonly refundTime: Date | null
  readonly invoiceNo: string | null
}
export const listDueLines = (db: TenantDb, ids: readonly string[]): Promise<DueLine[]> =>
  db.all(sql<DueLine>`
    select r.sign_no as "signNo", r.name, r.id_card_tail as tail, coalesce(c.unit_name, (select u.name from user_code u where u.tenant_id = r.tenant_id and u.code = r.unit and not u.is_deleted), r.unit) as unit, r.code, r.item_name as "itemName", r.pay_name as "payName", r.amount as "amountFen",
      r.state::text as state, r.paid_amount as "paidFen", r.pay_way::text as "payWay", r.order_no as "orderNo",
      coalesce(o.transaction_id, r.voucher_no) as evidence, r.paid_time as "paidTime", r.refund_amount as "refundedFen",
      (select max(f.success_time) from pay_refund f where f.pay_id = r.id and f.state = 'succeeded') as "refundTime", r.invoice_no as "invoiceNo"
    from exam_pay_row r left join pay_order o on o.tenant_id = r.tenant_id and o.order_no = r.order_no
      left join type_code c on c.tenant_id = r.tenant_id and c.exam_id = r.exam_id and c.code = r.code and not c.is_deleted
    where r.id = any(${[...ids]}::bigint[]) order by r.id`)
