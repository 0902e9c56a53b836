import type { PayWay } from '#contract/pay/order.state.ts'
import type { PostEvent } from '#contract/signup/post-event.ts'
import { holdsNumber, type SignupState } from '#contract/signup/signup.state.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import type { KnownDue } from '../domain/second-due.ts'
import { dueUntil } from './due.repo.ts'

/** Somebody who has signed up for the examination of an import. */
export interface Payer {
  readonly signupId: string
  readonly userId: string
  readonly name: string
  readonly examine: SignupState
  readonly postEvent: PostEvent
  readonly code: string | null
}
/** Of a sign-up `s`. */
const payerColumns = sql`
  s.id::text as "signupId", s.user_id::text as "userId", s.name, s.examine, s.code, post_event(s.tenant_id, s.exam_id, s.id, s.code) as "postEvent"`
const holding = Object.entries(holdsNumber).flatMap(([state, holds]) => (holds ? [state] : []))
/** Sign-ups by the keyed hash of the id number, as `index`: one for each, before all others the one that holds it. */
export const listPayers = (db: TenantDb, examId: string, indexes: readonly string[]): Promise<(Payer & { readonly index: string })[]> =>
  db.all(sql<Payer & { readonly index: string }>`
    select distinct on (s.id_card_index) ${payerColumns}, s.id_card_index as index
    from signup s where s.exam_id = ${examId} and s.id_card_index = any(${[...indexes]}::bpchar[]) and s.sign_no is not null and not s.is_deleted
    order by s.id_card_index, s.examine = any(${holding}) desc, s.submit_time desc, s.id desc`)

/** Sign-ups by their numbers. */
export const listPayersBySignNo = (
  db: TenantDb,
  examId: string,
  signNos: readonly string[],
): Promise<(Payer & { readonly signNo: string })[]> =>
  db.all(sql<Payer & { readonly signNo: string }>`
    select ${payerColumns}, s.sign_no as "signNo"
    from signup s where s.exam_id = ${examId} and s.sign_no = any(${[...signNos]}) and not s.is_deleted`)

/** The countries of the passports that people have signed up with. */
export const listPassportCountries = async (db: TenantDb, examId: string): Promise<string[]> =>
  (
    await db.all(sql<{ nationality: string }>`
      select distinct nationality from signup where exam_id = ${examId} and nationality is not null and sign_no is not null and not is_deleted`)
  ).map(row => row.nationality)

/** Somebody by the number of their sign-up, held so that the same fee is not entered twice at once. */
export const findPayerBySignNo = async (db: TenantDb, examId: string, signNo: string): Promise<Payer | undefined> => {
  await db.maybe(sql`select 1 from signup where exam_id = ${examId} and sign_no = ${signNo} and not is_deleted for update`)
  return (await listPayersBySignNo(db, examId, [signNo]))[0]
}

/** Holds these sign-ups: their post is cancelled before or after, and what is asked next knows which. */
export const holdPayers = async (db: TenantDb, signupIds: readonly string[]): Promise<void> => {
  await db.all(sql`select 1 from signup where id = any(${[...signupIds]}::bigint[]) order by id for update`)
}

/** The batch an import leaves behind, so that finance finds its rows again. @returns its id */
export const openBatch = async (
  db: TenantDb,
  batch: {
    readonly examId: string
    readonly itemId: string
    readonly name: string
    /** 1 dues, 2 payments. */
    readonly kind: 1 | 2
    readonly importId: string
    readonly total: number
    readonly amountFen: number
  },
): Promise<string> => {
  const { id } = await db.one(sql<{ id: string }>`
    insert into pay_record_main (tenant_id, exam_id, item_id, batch_name, kind, import_id, total, amount_fen, created_by, updated_by)
    values (${db.actor.tenantId}, ${batch.examId}, ${batch.itemId}, ${batch.name}, ${batch.kind}, ${batch.importId}, ${batch.total}, ${batch.amountFen},
      ${db.actor.userId}, ${db.actor.userId}) returning id::text as id`)
  return id
}

/** What one fee of one person is told apart by. */
export interface FeeOfSignup {
  readonly signupId: string
  readonly itemId: string
  readonly payName: string
}
/** Dues that the sign-ups have already, paid or not, whoever has made them, by sign-up. */
export const listKnownDues = async (
  db: TenantDb,
  examId: string,
  signupIds: readonly string[],
): Promise<ReadonlyMap<string, readonly KnownDue[]>> =>
  Map.groupBy(
    await db.all(sql<KnownDue & { readonly signupId: string }>`
      select p.id::text as id, p.signup_id::text as "signupId", p.item_id::text as "itemId", p.pay_name as "payName", p.amount_fen as "amountFen", p.state,
        p.created_at as "madeAt", p.source, coalesce(a.real_name, a.nick_name) as "madeBy"
      from exam_pay p left join account a on a.tenant_id = p.tenant_id and a.id = p.created_by
      where p.exam_id = ${examId} and p.signup_id = any(${[...signupIds]}::bigint[]) and p.state <> 'void' and not p.is_deleted order by p.id`),
    due => due.signupId,
  )

/** The batch of a row and its number in the sheet. */
export interface RowOfBatch {
  readonly mainId: string
  readonly row: number
}
interface NewDue extends FeeOfSignup {
  readonly examId: string
  readonly userId: string
  readonly kind: number
  readonly amountFen: number
  readonly deadline: Date
  /** The end was written down for this due; otherwise it ends with the payments of the examination, whenever that is. */
  readonly ownDeadline: boolean
  readonly remark: string | null
}
/** A due that somebody has entered. @returns its id */
export const insertDueByHand = async (db: TenantDb, due: NewDue): Promise<string> => {
  const { id } = await db.one(sql<{ id: string }>`
    insert into exam_pay (tenant_id, exam_id, signup_id, user_id, item_id, pay_kind, pay_name, amount_fen, deadline, own_deadline, source, remark, created_by, updated_by)
    values (${db.actor.tenantId}, ${due.examId}, ${due.signupId}, ${due.userId}, ${due.itemId}, ${due.kind}, ${due.payName}, ${due.amountFen}, ${due.deadline}, ${due.ownDeadline},
      3, ${due.remark}, ${db.actor.userId}, ${db.actor.userId}) returning id::text as id`)
  return id
}
/** A due of an import with its line in the batch. @returns the due's id */
export const insertImportedDue = async (db: TenantDb, due: NewDue, { mainId, row }: RowOfBatch): Promise<string> => {
  const { id } = await db.one(sql<{ id: string }>`
    insert into exam_pay (tenant_id, exam_id, signup_id, user_id, item_id, pay_kind, pay_name, amount_fen, deadline, own_deadline, source, main_id, remark, created_by, updated_by)
    values (${db.actor.tenantId}, ${due.examId}, ${due.signupId}, ${due.userId}, ${due.itemId}, ${due.kind}, ${due.payName}, ${due.amountFen}, ${due.deadline}, ${due.ownDeadline},
      2, ${mainId}, ${due.remark}, ${db.actor.userId}, ${db.actor.userId}) returning id::text as id`)
  await db.run(sql`
    insert into pay_record (tenant_id, main_id, pay_id, row_no, amount_fen) values (${db.actor.tenantId}, ${mainId}, ${id}, ${row}, ${due.amountFen})`)
  return id
}

/** The line that an imported payment leaves in its batch. */
export const recordPayment = async (
  db: TenantDb,
  payment: {
    readonly payId: string
    readonly amountFen: number
    readonly paidTime: Date
    readonly payWay: PayWay
    readonly voucherNo: string
  },
  { mainId, row }: RowOfBatch,
): Promise<void> => {
  await db.run(sql`
    insert into pay_record (tenant_id, main_id, pay_id, row_no, amount_fen, pay_time, pay_way, voucher_no)
    values (${db.actor.tenantId}, ${mainId}, ${payment.payId}, ${row}, ${payment.amountFen}, ${payment.paidTime}, ${payment.payWay}, ${payment.voucherNo})`)
}

/** A due that a payment of an import may be for. */
export interface OpenDue {
  readonly id: string
  readonly signupId: string
  readonly payName: string
  readonly amountFen: number
  readonly state: 'due' | 'overdue'
  readonly deadline: Date
  readonly hasOrder: boolean
}
export const listOpenDues = (
  db: TenantDb,
  examId: string,
  itemId: string | null,
  signupIds: readonly string[],
): Promise<readonly OpenDue[]> =>
  db.all(sql<OpenDue>`
    select p.id::text as id, p.signup_id::text as "signupId", p.pay_name as "payName", p.amount_fen as "amountFen", p.state, ${dueUntil} as deadline,
      exists (select 1 from pay_order o where o.pay_id = p.id and o.state in ('created', 'pending')) as "hasOrder"
    from exam_pay p join examination e on e.tenant_id = p.tenant_id and e.id = p.exam_id
    where p.exam_id = ${examId} and (${itemId}::bigint is null or p.item_id = ${itemId}::bigint) and p.signup_id = any(${[...signupIds]}::bigint[])
      and p.state in ('due', 'overdue') and not p.is_deleted order by p.id`)
