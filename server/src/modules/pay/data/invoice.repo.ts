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

/** Something that was paid, as a list of receipts names it. */
export interface PaidDue {
  readonly id: string
  readonly signNo: string
  readonly name: string
  readonly payName: string
  readonly isInvoice: number
  readonly invoiceNo: string | null
}
export const listPaidDues = (db: TenantDb, examId: string, signNos: readonly string[]): Promise<PaidDue[]> =>
  db.all(sql<PaidDue>`
    select p.id::text as id, s.sign_no as "signNo", coalesce(s.name, '') as name, p.pay_name as "payName", p.is_invoice as "isInvoice", p.invoice_no as "invoiceNo"
    from exam_pay p join signup s on s.tenant_id = p.tenant_id and s.id = p.signup_id
    where p.exam_id = ${examId} and s.sign_no = any(${[...signNos]}) and p.state = 'paid' and not p.is_deleted order by p.id`)

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
