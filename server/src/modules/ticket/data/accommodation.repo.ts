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
  readonly reasonSealed: Buffer | null
  /** Of requests that were made before reasons were sealed, until the nightly job has sealed them. */
  readonly plainReason: string | null
  readonly proofFileId: string | null
  readonly state: AccommodationState
  readonly extraMinutes: number | null
  readonly remark: string | null
  readonly version: number
}
const columns = sql`
  a.id::text as id, a.exam_id::text as "examId", a.signup_id::text as "signupId", a.user_id::text as "userId", a.kinds,
  a.reason_sealed as "reasonSealed", a.reason as "plainReason", a.proof_file_id::text as "proofFileId", a.state, a.extra_minutes as "extraMinutes", a.remark, a.version`

export const accommodationOf = (db: TenantDb, signupId: string): Promise<AccommodationRow | undefined> =>
  db.maybe(sql<AccommodationRow>`select ${columns} from accommodation a where a.signup_id = ${signupId} and not a.is_deleted`)

/** Keeps the row from being changed until the transaction ends. */
export const lockAccommodation = (db: TenantDb, id: string): Promise<AccommodationRow | undefined> =>
  db.maybe(sql<AccommodationRow>`select ${columns} from accommodation a where a.id = ${id} and not a.is_deleted for update`)

/** Number for a row that is not written yet: what is sealed in it is bound to its number. */
export const newAccommodationId = async (db: TenantDb): Promise<string> =>
  (await db.one(sql<{ id: string }>`select next_id()::text as id`)).id

export const addAccommodation = async (
  db: TenantDb,
  of: {
    readonly id: string
    readonly examId: string
    readonly signupId: string
    readonly userId: string
    readonly kinds: readonly string[]
    readonly reasonSealed: Buffer
    readonly proofFileId: string
  },
): Promise<void> => {
  await db.run(sql`
    insert into accommodation (tenant_id, id, exam_id, signup_id, user_id, kinds, reason_sealed, proof_file_id, created_by)
    values (${db.actor.tenantId}, ${of.id}, ${of.examId}, ${of.signupId}, ${of.userId}, ${JSON.stringify(of.kinds)}, ${of.reasonSealed}, ${of.proofFileId}, ${of.userId})`)
}

/** What was granted to people, by sign-up: sheets and devices of the day show it. */
export interface HelpRow {
  readonly signupId: string
  readonly kinds: readonly string[]
  readonly extraMinutes: number | null
}
export const listHelp = async (db: TenantDb, signupIds: readonly string[]): Promise<ReadonlyMap<string, HelpRow>> =>
  new Map(
    (
      await db.all(sql<HelpRow>`
        select a.signup_id::text as "signupId", a.kinds, a.extra_minutes as "extraMinutes" from accommodation a
        where a.signup_id = any(${[...signupIds]}::bigint[]) and a.state = 'granted' and not a.is_deleted`)
    ).map(row => [row.signupId, row]),
  )

/** Requests that nobody needs any more, by the end of the examination's last paper; whose time each had is on their ticket. */
export const listOldAccommodations = (db: TenantDb, before: Date, limit: number): Promise<{ id: string; proofFileId: string | null }[]> =>
  db.all(sql<{ id: string; proofFileId: string | null }>`
    select a.id::text as id, a.proof_file_id::text as "proofFileId" from accommodation a
    where a.erased_at is null and coalesce((
      select max(coalesce(t.end_time, i.end_time)) from exam_item i left join ticket t on t.item_id = i.id and t.signup_id = a.signup_id and not t.is_deleted
      where i.exam_id = a.exam_id and not i.is_deleted), a.created_at) <= ${before}
    order by a.id limit ${limit}`)

export const markAccommodationsErased = async (db: TenantDb, ids: readonly string[]): Promise<void> => {
  await db.run(sql`
    update accommodation set proof_file_id = null, reason = null, reason_sealed = null, erased_at = app_now() where id = any(${[...ids]}::bigint[])`)
}

export const listPlainReasons = (db: TenantDb, limit: number): Promise<{ id: string; reason: string }[]> =>
  db.all(
    sql<{
      id: string
      reason: string
    }>`select id::text as id, reason from accommodation where reason is not null order by id limit ${limit}`,
  )

export const sealReason = async (db: TenantDb, id: string, sealed: Buffer): Promise<void> => {
  await db.run(sql`update accommodation set reason = null, reason_sealed = ${sealed} where id = ${id}`)
}

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
