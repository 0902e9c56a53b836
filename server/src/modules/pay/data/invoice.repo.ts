import type { DueState } from '#contract/pay/order.state.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { allOf, sql } from '#kernel/db/sql.ts'

/** Dues whose invoice is about to change: those of one person where `userId` is given. */
export const lockDuesForInvoice = (
  db: TenantDb,
  ids: readonly string[],
  userId: string | undefined,
): Promise<{ id: string; state: DueState; isInvoice: number }[]> =>
  db.all(sql<{ id: string; state: DueState; isInvoice: number }>`
    select id::text as id, state, is_invoice as "isInvoice" from exam_pay
    where ${allOf([sql`id = any(${[...ids]}::bigint[])`, sql`not is_deleted`, userId !== undefined && sql`user_id = ${userId}`])} for update`)

export const applyForInvoices = async (
  db: TenantDb,
  ids: readonly string[],
  of: { readonly title: string; readonly taxNo: string | null },
): Promise<void> => {
  await db.run(sql`
    update exam_pay set is_invoice = 2, invoice_title = ${of.title}, invoice_tax_no = ${of.taxNo}, updated_at = app_now()
    where id = any(${[...ids]}::bigint[])`)
}

export const recordInvoices = async (
  db: TenantDb,
  ids: readonly string[],
  invoice: { readonly no: string | null; readonly url: string | null; readonly isIssued: boolean },
  userId: string,
): Promise<void> => {
  await db.run(sql`
    update exam_pay set is_invoice = ${invoice.isIssued ? 1 : 0}, invoice_no = ${invoice.no}, invoice_url = ${invoice.url},
      invoice_time = ${invoice.isIssued ? db.now : null}, updated_at = app_now(), updated_by = ${userId}
    where id = any(${[...ids]}::bigint[])`)
}
