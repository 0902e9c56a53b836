import { nameWords } from '#contract/person/person-name.ts'
import type { AccommodationState } from '#contract/ticket/accommodation.state.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { wordsLike } from '#kernel/db/search.ts'
import { allOf, sql } from '#kernel/db/sql.ts'

export interface AccommodationRow {
  readonly id: string
  readonly examId: string
  readonly signupId: string
  readonly userId: string
  readonly kinds: readonly string[]
  readonly reason: string
  readonly proofFileId: string | null
  readonly state: AccommodationState
  readonly extraMinutes: number | null
  readonly remark: string | null
  readonly version: number
}
const columns = sql`
  a.id::text as id, a.exam_id::text as "examId", a.signup_id::text as "signupId", a.user_id::text as "userId", a.kinds, a.reason,
  a.proof_file_id::text as "proofFileId", a.state, a.extra_minutes as "extraMinutes", a.remark, a.version`

export const accommodationOf = (db: TenantDb, signupId: string): Promise<AccommodationRow | undefined> =>
  db.maybe(sql<AccommodationRow>`select ${columns} from accommodation a where a.signup_id = ${signupId} and not a.is_deleted`)

/** Keeps the row from being changed until the transaction ends. */
export const lockAccommodation = (db: TenantDb, id: string): Promise<AccommodationRow | undefined> =>
  db.maybe(sql<AccommodationRow>`select ${columns} from accommodation a where a.id = ${id} and not a.is_deleted for update`)

export const addAccommodation = (
  db: TenantDb,
  of: {
    readonly examId: string
    readonly signupId: string
    readonly userId: string
    readonly kinds: readonly string[]
    readonly reason: string
    readonly proofFileId: string
  },
): Promise<{ id: string }> =>
  db.one(sql<{ id: string }>`
    insert into accommodation (tenant_id, exam_id, signup_id, user_id, kinds, reason, proof_file_id, created_by)
    values (${db.actor.tenantId}, ${of.examId}, ${of.signupId}, ${of.userId}, ${JSON.stringify(of.kinds)}, ${of.reason}, ${of.proofFileId}, ${of.userId})
    returning id::text as id`)

/** Whether the person has a seat already in a written paper. */
export const hasSeat = async (db: TenantDb, signupId: string): Promise<boolean> =>
  (await db.maybe(sql`
    select 1 from ticket where signup_id = ${signupId} and type = 1 and ticket_state <> 'void' and not is_deleted limit 1`)) !== undefined

export interface AccommodationListRow extends AccommodationRow {
  readonly signNo: string
  readonly name: string
  readonly codeName: string
  readonly askedAt: Date
  readonly decidedAt: Date | null
}
export const pageAccommodations = async (
  db: TenantDb,
  filter: { readonly examId: string; readonly state: AccommodationState | undefined; readonly keyword: string | undefined },
  page: { readonly size: number; readonly offset: number },
): Promise<{ rows: AccommodationListRow[]; total: number }> => {
  const from = sql`
    from accommodation a join signup s on s.id = a.signup_id
    left join type_code p on p.exam_id = s.exam_id and p.code = s.code and not p.is_deleted
    where ${allOf([
      sql`not a.is_deleted`,
      sql`a.exam_id = ${filter.examId}`,
      filter.state !== undefined && sql`a.state = ${filter.state}`,
      filter.keyword !== undefined && sql`(s.sign_no = ${filter.keyword} or ${wordsLike(sql`s.name`, nameWords(filter.keyword))})`,
    ])}`
  return {
    total: (await db.one(sql<{ total: number }>`select count(*)::int as total ${from}`)).total,
    rows: await db.all(sql<AccommodationListRow>`
      select ${columns}, coalesce(s.sign_no, '') as "signNo", coalesce(s.name, '') as name, coalesce(p.code_name, s.code, '') as "codeName",
        a.created_at as "askedAt", a.decided_at as "decidedAt" ${from}
      order by a.state <> 'asked', a.id limit ${page.size} offset ${page.offset}`),
  }
}
