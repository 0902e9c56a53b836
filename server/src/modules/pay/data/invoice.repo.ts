import { numberKey } from '#contract/pay/numbers.ts'
import type { DueState } from '#contract/pay/order.state.ts'
import { lock } from '#kernel/db/lock.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { allOf, sql } from '#kernel/db/sql.ts'
import type { ReceiptFact } from '../domain/receipt.ts'

export interface InvoiceDue {
  readonly id: string
  readonly state: DueState
  readonly isInvoice: number
  readonly invoiceNo: string | null
  readonly invoiceTitle: string | null
  readonly invoiceTaxNo: string | null
}
/** Dues whose invoice is about to change: those of one person where `userId` is given. */
export const lockDuesForInvoice = (db: TenantDb, ids: readonly string[], userId: string | undefined): Promise<InvoiceDue[]> =>
  db.all(sql<InvoiceDue>`
    select id::text as id, state, is_invoice as "isInvoice", invoice_no as "invoiceNo", invoice_title as "invoiceTitle", invoice_tax_no as "invoiceTaxNo" from exam_pay
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

/** Those of these numbers, as `numberKey` has them, that receipts of other payments have. Call with the numbers of receipts held (`lockReceiptNumbers`). */
export const receiptNumbersOfOthers = async (
  db: TenantDb,
  numbers: readonly string[],
  ids: readonly string[],
): Promise<ReadonlySet<string>> => {
  const rows = await db.all(sql<{ no: string }>`
    select distinct number_key(invoice_no) as no from exam_pay
    where number_key(invoice_no) = any(${numbers.map(numberKey)}) and is_invoice = 1 and not is_deleted and not id = any(${[...ids]}::bigint[])`)
  return new Set(rows.map(row => row.no))
}
/** One number is of one receipt: whoever records one waits for the others. */
export const lockReceiptNumbers = (db: TenantDb): Promise<void> => lock(db, 'receipt-numbers')

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
  invoice: {
    readonly no: string | null
    readonly url: string | null
    readonly isIssued: boolean
    /** What was said with it; what was said before stays where it is absent. */
    readonly title?: string | null
    readonly taxNo?: string | null
  },
  userId: string,
): Promise<void> => {
  await db.run(sql`
    update exam_pay set is_invoice = ${invoice.isIssued ? 1 : 0}, invoice_no = ${invoice.no}, invoice_url = ${invoice.url},
      invoice_title = coalesce(${invoice.title ?? null}, invoice_title), invoice_tax_no = coalesce(${invoice.taxNo ?? null}, invoice_tax_no),
      invoice_time = ${invoice.isIssued ? db.now : null}, updated_at = app_now(), updated_by = ${userId}
    where id = any(${[...ids]}::bigint[])`)
}

/** What the provider says about a receipt of an order; one that was reversed stays so. @returns whether it says anything new */
export const keepReceipt = async (db: TenantDb, orderId: string, receipt: ReceiptFact): Promise<boolean> =>
  (await db.run(sql`
    insert into pay_receipt as r (tenant_id, order_id, receipt_no, url, is_reversed, issued_at)
    values (${db.actor.tenantId}, ${orderId}, ${receipt.receiptNo}, ${receipt.url ?? null}, ${receipt.isReversed}, ${receipt.issuedAt})
    on conflict (tenant_id, order_id, receipt_no) do update set is_reversed = true, updated_at = app_now() where excluded.is_reversed and not r.is_reversed`)) ===
  1

/** The due of an order shows the latest receipt that was not reversed. @returns that receipt */
export const showLatestReceipt = async (db: TenantDb, payId: string, orderId: string): Promise<{ no: string } | undefined> => {
  const latest = await db.maybe(sql<{ no: string; url: string | null; issuedAt: Date }>`
    select receipt_no as no, url, issued_at as "issuedAt" from pay_receipt where order_id = ${orderId} and not is_reversed order by issued_at desc, id desc limit 1`)
  await db.run(sql`
    update exam_pay set is_invoice = ${latest ? 1 : 0}, invoice_no = ${latest?.no ?? null}, invoice_url = ${latest?.url ?? null}, invoice_time = ${latest?.issuedAt ?? null},
      updated_at = app_now(), updated_by = ${db.actor.userId}
    where id = ${payId}`)
  return latest
}
