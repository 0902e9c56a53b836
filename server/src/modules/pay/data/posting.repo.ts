import { numberKey } from '#contract/pay/numbers.ts'
import type { PayWay } from '#contract/pay/order.state.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'

/** What the first of two people has entered about a payment that came by hand. */
export interface Posting {
  readonly id: string
  readonly payWay: string
  readonly amountFen: number
  readonly paidTime: Date
  readonly voucherNo: string
  readonly voucherFileId: string | null
  readonly postedBy: string
}
export const lockWaitingPosting = (db: TenantDb, payId: string): Promise<Posting | undefined> =>
  db.maybe(sql<Posting>`
    select id::text as id, pay_way as "payWay", amount_fen as "amountFen", paid_time as "paidTime", voucher_no as "voucherNo",
      voucher_file_id::text as "voucherFileId", posted_by::text as "postedBy"
    from pay_posting where pay_id = ${payId} and state = 'waiting' for update`)

/** Whether a voucher stands for another due already, or is entered for one. */
export const isVoucherUsed = async (db: TenantDb, voucherNo: string, payId: string): Promise<boolean> =>
  (await db.maybe(sql`
    select 1 from exam_pay where number_key(voucher_no) = number_key(${voucherNo}) and state <> 'void' and id <> ${payId}
    union all select 1 from pay_posting w join exam_pay p on p.tenant_id = w.tenant_id and p.id = w.pay_id
      where number_key(w.voucher_no) = number_key(${voucherNo}) and w.state = 'waiting' and p.state in ('due', 'overdue') and w.pay_id <> ${payId} limit 1`)) !==
  undefined

/** Which of these vouchers, as `numberKey` has them, stand for a due already, or are entered for one. */
export const usedVouchers = async (db: TenantDb, numbers: readonly string[]): Promise<ReadonlySet<string>> => {
  const rows = await db.all(sql<{ no: string }>`
    select number_key(voucher_no) as no from exam_pay where number_key(voucher_no) = any(${numbers.map(numberKey)}) and state <> 'void'
    union select number_key(w.voucher_no) from pay_posting w join exam_pay p on p.tenant_id = w.tenant_id and p.id = w.pay_id
      where number_key(w.voucher_no) = any(${numbers.map(numberKey)}) and w.state = 'waiting' and p.state in ('due', 'overdue')`)
  return new Set(rows.map(row => row.no))
}

export const insertPosting = async (
  db: TenantDb,
  posting: {
    readonly payId: string
    readonly payWay: PayWay
    readonly amountFen: number
    readonly paidTime: Date
    readonly voucherNo: string
    readonly voucherFileId: string | null
    readonly remark: string | null
  },
): Promise<string> => {
  const { id } = await db.one(sql<{ id: string }>`
    insert into pay_posting (tenant_id, pay_id, pay_way, amount_fen, paid_time, voucher_no, voucher_file_id, remark, posted_by)
    values (${db.actor.tenantId}, ${posting.payId}, ${posting.payWay}, ${posting.amountFen}, ${posting.paidTime}, ${posting.voucherNo},
      ${posting.voucherFileId}, ${posting.remark}, ${db.actor.userId})
    returning id::text as id`)
  return id
}

export const dropPosting = async (db: TenantDb, id: string): Promise<void> => {
  await db.run(sql`update pay_posting set state = 'dropped', updated_at = app_now(), updated_by = ${db.actor.userId} where id = ${id}`)
}

/** The second person's yes. */
export const confirmPosting = async (db: TenantDb, id: string): Promise<void> => {
  await db.run(sql`
    update pay_posting set state = 'confirmed', confirmed_by = ${db.actor.userId}, updated_at = app_now(), updated_by = ${db.actor.userId} where id = ${id}`)
}
