import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'

/** What came of reading the provider's bill of one day. */
export interface BillRecord {
  /** `yyyy-MM-dd` in Asia/Shanghai. */
  readonly date: string
  readonly rowCount: number
  readonly amountFen: number
  readonly refundFen: number
  /** Rows that this program had not known of. */
  readonly found: number
  /** Why it could not be read. */
  readonly problem: string | null
}

/** @returns whether this is the first word about the day */
export const writeBill = async (db: TenantDb, bill: BillRecord): Promise<boolean> => {
  const { isNew } = await db.one(sql<{ isNew: boolean }>`
    insert into pay_bill (tenant_id, bill_date, row_count, amount_fen, refund_fen, found_count, problem)
    values (${db.actor.tenantId}, ${bill.date}, ${bill.rowCount}, ${bill.amountFen}, ${bill.refundFen}, ${bill.found}, ${bill.problem})
    on conflict (tenant_id, bill_date) do update set row_count = excluded.row_count, amount_fen = excluded.amount_fen, refund_fen = excluded.refund_fen,
      found_count = pay_bill.found_count + excluded.found_count, problem = excluded.problem, updated_at = app_now()
    returning xmax = 0 as "isNew"`)
  return isNew
}

/** Of these days, those whose bill was read. */
export const listReadDays = async (db: TenantDb, dates: readonly string[]): Promise<ReadonlySet<string>> =>
  new Set(
    (
      await db.all(sql<{ date: string }>`
        select to_char(bill_date, 'YYYY-MM-DD') as date from pay_bill where bill_date = any(${[...dates]}::date[]) and problem is null`)
    ).map(row => row.date),
  )

/** Whether anything was paid through the provider before this instant and may still go back. */
export const hasPayments = async (db: TenantDb, before: Date): Promise<boolean> =>
  (await db.maybe(sql`
    select 1 from pay_order where success_time < ${before} and success_time > ${before}::timestamptz - interval '1 year' limit 1`)) !==
  undefined
