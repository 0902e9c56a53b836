import type { DueState } from '#contract/pay/order.state.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'

/** A row of an import with what became of its due. */
export interface BatchRow {
  readonly id: string
  readonly mainId: string
  /** 1 dues, 2 payments. */
  readonly kind: 1 | 2
  readonly mainState: number
  readonly row: number
  readonly payId: string
  readonly name: string
  readonly signNo: string
  readonly amountFen: number
  readonly state: DueState
  readonly refundedFen: number
  readonly isInvoice: number
  /** The payment of the due is the one of this row. */
  readonly isPaidByIt: boolean
  readonly hasRefund: boolean
  readonly isUndone: boolean
}
const rows = sql`
  select r.id::text as id, r.main_id::text as "mainId", m.kind, m.state as "mainState", r.row_no as row, r.pay_id::text as "payId", coalesce(s.name, '') as name,
    coalesce(s.sign_no, '') as "signNo", r.amount_fen as "amountFen", p.state, p.refunded_fen as "refundedFen", p.is_invoice as "isInvoice",
    p.main_id = r.main_id and p.order_id is null and p.voucher_no = r.voucher_no as "isPaidByIt",
    exists (select 1 from pay_refund f where f.pay_id = p.id and f.state not in ('closed', 'rejected')) as "hasRefund",
    case m.kind when 1 then p.state = 'void' else exists (select 1 from pay_ledger l where l.kind = 'adjust' and l.evidence = 'undo:' || r.id) end as "isUndone"
  from pay_record r join pay_record_main m on m.tenant_id = r.tenant_id and m.id = r.main_id
    join exam_pay p on p.tenant_id = r.tenant_id and p.id = r.pay_id join signup s on s.tenant_id = p.tenant_id and s.id = p.signup_id`

/** The rows of batches, in the order of their dues, as every transaction locks them. */
export const listBatchRows = (db: TenantDb, mainIds: readonly string[]): Promise<BatchRow[]> =>
  db.all(sql<BatchRow>`${rows} where r.main_id = any(${[...mainIds]}::bigint[]) order by r.pay_id`)
export const listRows = (db: TenantDb, ids: readonly string[]): Promise<BatchRow[]> =>
  db.all(sql<BatchRow>`${rows} where r.id = any(${[...ids]}::bigint[]) order by r.pay_id`)

/** The batches of these ids that belong to this examination and paper and are in force. */
export const lockBatches = (
  db: TenantDb,
  ids: readonly string[],
): Promise<{ id: string; examId: string; itemId: string; state: number }[]> =>
  db.all(sql<{ id: string; examId: string; itemId: string; state: number }>`
    select id::text as id, exam_id::text as "examId", item_id::text as "itemId", state from pay_record_main
    where id = any(${[...ids]}::bigint[]) and not is_deleted order by id for update`)

export const markUndone = async (db: TenantDb, id: string): Promise<void> => {
  await db.run(sql`
    update pay_record_main set state = 2, undone_at = app_now(), undone_by = ${db.actor.userId}, updated_at = app_now(), updated_by = ${db.actor.userId},
      version = version + 1 where id = ${id}`)
}

/** How often a voucher has stood in the ledger: one that was undone may be entered again under another number. */
export const countPayLines = async (db: TenantDb, evidence: string): Promise<number> =>
  (
    await db.one(sql<{ n: number }>`
      select count(*)::int as n from pay_ledger where kind = 'pay' and (evidence = ${evidence} or starts_with(evidence, ${`${evidence}#`}))`)
  ).n
