import type { WaiverKind, WaiverState } from '#contract/pay/waiver.state.ts'
import { nameWords } from '#contract/person/person-name.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { wordsLike } from '#kernel/db/search.ts'
import { allOf, sql } from '#kernel/db/sql.ts'
import { insistOnGate } from '#kernel/two-persons.ts'

export interface WaiverRow {
  readonly id: string
  readonly examId: string
  readonly signupId: string
  readonly userId: string
  readonly kind: WaiverKind
  readonly reason: string
  readonly proofFileId: string
  readonly state: WaiverState
  readonly percent: number | null
  readonly remark: string | null
  readonly version: number
}
const columns = sql`
  w.id::text as id, w.exam_id::text as "examId", w.signup_id::text as "signupId", w.user_id::text as "userId", w.kind, w.reason,
  w.proof_file_id::text as "proofFileId", w.state, w.percent, w.remark, w.version`

/** Keeps the row from being changed until the transaction ends. */
export const lockWaiver = (db: TenantDb, id: string): Promise<WaiverRow | undefined> =>
  db.maybe(sql<WaiverRow>`select ${columns} from fee_waiver w where w.id = ${id} and not w.is_deleted for update`)
export const findWaiver = (db: TenantDb, id: string): Promise<WaiverRow | undefined> =>
  db.maybe(sql<WaiverRow>`select ${columns} from fee_waiver w where w.id = ${id} and not w.is_deleted`)
export const waiverOf = (db: TenantDb, signupId: string): Promise<WaiverRow | undefined> =>
  db.maybe(sql<WaiverRow>`select ${columns} from fee_waiver w where w.signup_id = ${signupId} and not w.is_deleted`)

/** How much of each fee of a sign-up is let off, in percent. */
export const waivedPercent = async (db: TenantDb, signupId: string): Promise<number> => {
  const waiver = await waiverOf(db, signupId)
  return waiver?.state === 'granted' ? (waiver.percent ?? 0) : 0
}

/** The same of several; sign-ups that nothing was let off are not among them. */
export const waivedPercents = async (db: TenantDb, signupIds: readonly string[]): Promise<ReadonlyMap<string, number>> => {
  const rows = await db.all(sql<{ signupId: string; percent: number }>`
    select signup_id::text as "signupId", percent from fee_waiver
    where signup_id = any(${[...signupIds]}::bigint[]) and state = 'granted' and percent is not null and not is_deleted`)
  return new Map(rows.map(({ signupId, percent }) => [signupId, percent]))
}

export const addWaiver = (
  db: TenantDb,
  of: Pick<WaiverRow, 'examId' | 'signupId' | 'userId' | 'kind' | 'reason' | 'proofFileId'>,
): Promise<{ id: string }> =>
  db.one(sql<{ id: string }>`
    insert into fee_waiver (tenant_id, exam_id, signup_id, user_id, kind, reason, proof_file_id, created_by)
    values (${db.actor.tenantId}, ${of.examId}, ${of.signupId}, ${of.userId}, ${of.kind}, ${of.reason}, ${of.proofFileId}, ${of.userId})
    returning id::text as id`)

/** A person's sign-up in an examination with fees, as requests are judged. */
export interface WaiverBasis {
  readonly examId: string
  readonly examName: string
  readonly signupId: string
  readonly examine: string
  readonly examState: string
  readonly payEnd: Date | null
  readonly takesWaivers: boolean
}
/** Sign-ups of a person where fees are let off, or something was asked for; of one examination where it is named. */
export const listWaiverBases = (db: TenantDb, userId: string, examId?: string): Promise<WaiverBasis[]> =>
  db.all(sql<WaiverBasis>`
    select e.id::text as "examId", e.exam_name as "examName", s.id::text as "signupId", s.examine, e.state as "examState", e.pay_end as "payEnd",
      e.fee_waiver = 1 as "takesWaivers"
    from signup s join examination e on e.tenant_id = s.tenant_id and e.id = s.exam_id
    where ${allOf([
      sql`s.user_id = ${userId}`,
      sql`not s.is_deleted`,
      sql`e.fee_mode > 0`,
      sql`(e.fee_waiver = 1 or exists (select 1 from fee_waiver w where w.signup_id = s.id))`,
      examId !== undefined && sql`e.id = ${examId}`,
    ])} order by s.id desc limit 50`)

export interface WaiverListRow extends WaiverRow {
  readonly signNo: string
  readonly name: string
  readonly codeName: string
  readonly dueAmount: number
  readonly paidAmount: number
  readonly askedAt: Date
  readonly decidedAt: Date | null
}
export const pageWaivers = async (
  db: TenantDb,
  filter: { readonly examId: string; readonly state: WaiverState | undefined; readonly keyword: string | undefined },
  page: { readonly size: number; readonly offset: number },
): Promise<{ rows: WaiverListRow[]; total: number }> => {
  const from = sql`
    from fee_waiver w join signup s on s.id = w.signup_id
    left join type_code p on p.exam_id = s.exam_id and p.code = s.code and not p.is_deleted
    where ${allOf([
      sql`not w.is_deleted`,
      sql`w.exam_id = ${filter.examId}`,
      filter.state !== undefined && sql`w.state = ${filter.state}`,
      filter.keyword !== undefined && sql`(s.sign_no = ${filter.keyword} or ${wordsLike(sql`s.name`, nameWords(filter.keyword))})`,
    ])}`
  const sum = (what: ReturnType<typeof sql>) =>
    sql`(select coalesce(sum(${what}), 0)::int from exam_pay d where d.signup_id = s.id and not d.is_deleted)`
  return {
    total: (await db.one(sql<{ total: number }>`select count(*)::int as total ${from}`)).total,
    rows: await db.all(sql<WaiverListRow>`
      select ${columns}, coalesce(s.sign_no, '') as "signNo", coalesce(s.name, '') as name, coalesce(p.code_name, s.code, '') as "codeName",
        ${sum(sql`case when d.state in ('due', 'overdue') then d.amount_fen end`)} as "dueAmount", ${sum(sql`d.paid_fen - d.refunded_fen`)} as "paidAmount",
        w.created_at as "askedAt", w.decided_at as "decidedAt" ${from}
      order by w.state <> 'asked', w.id limit ${page.size} offset ${page.offset}`),
  }
}

/** The open dues of a sign-up. */
export const listOpenDues = (db: TenantDb, signupId: string): Promise<{ id: string }[]> =>
  db.all(sql<{ id: string }>`
    select id::text as id from exam_pay where signup_id = ${signupId} and state in ('due', 'overdue') and not is_deleted order by id`)

/** Call with the due locked. */
export const writeDueAmount = async (db: TenantDb, payId: string, amountFen: number): Promise<void> => {
  await db.run(sql`update exam_pay set amount_fen = ${amountFen}, updated_at = app_now(), version = version + 1 where id = ${payId}`)
}
/** So much of what was paid is let off; all of it leaves its owner the place. */
export const writeWaived = async (db: TenantDb, payId: string, waivedFen: number): Promise<void> => {
  if (waivedFen > 0) insistOnGate(db, 'waiverRefund')
  await db.run(sql`
    update exam_pay set waived_fen = ${waivedFen}, is_waived = ${waivedFen} >= paid_fen, updated_at = app_now(), version = version + 1 where id = ${payId}`)
}
