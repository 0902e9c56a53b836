import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import { insistOnGate } from '#kernel/two-persons.ts'

/** People who stand in the publicity and whom no list that is public, or was in full, has named yet; undefined where nobody has come so far. */
export const listToPublish = async (db: TenantDb, examId: string): Promise<string[] | undefined> => {
  const { any } = await db.one(sql<{ any: boolean }>`
    select exists (select 1 from signup where exam_id = ${examId} and stage >= 5 and not is_deleted) as any`)
  if (!any) return undefined
  const rows = await db.all(sql<{ id: string }>`
    select s.id::text as id from signup s where s.exam_id = ${examId} and s.stage = 7 and not s.is_deleted
      and not exists (select 1 from selection_publicity p join notice n on n.tenant_id = p.tenant_id and n.id = p.notice_id and not n.is_deleted
        where p.tenant_id = s.tenant_id and p.signup_id = s.id and n.state = 1) order by s.id`)
  return rows.map(({ id }) => id)
}
export const notePublicity = async (db: TenantDb, examId: string, noticeId: string, signupIds: readonly string[]): Promise<void> => {
  await db.run(sql`
    insert into selection_publicity (tenant_id, exam_id, notice_id, signup_id)
    select ${db.actor.tenantId}, ${examId}, ${noticeId}, s from unnest(${[...signupIds]}::bigint[]) s`)
}
/** When the lists that named somebody were public. */
export const listPublicity = (
  db: TenantDb,
  signupIds: readonly string[],
): Promise<{ readonly signupId: string; readonly from: Date; readonly until: Date | null }[]> =>
  db.all(sql<{ signupId: string; from: Date; until: Date | null }>`
    select p.signup_id::text as "signupId", n.release_time as "from", n.end_time as until
    from selection_publicity p join notice n on n.tenant_id = p.tenant_id and n.id = p.notice_id and not n.is_deleted and n.state = 1
    where p.signup_id = any(${[...signupIds]}::bigint[])`)

export interface ObjectionRow {
  readonly id: string
  readonly signupId: string
  readonly examId: string
  readonly userId: string
  readonly name: string
  readonly code: string
  readonly content: string
  readonly source: string | null
  readonly state: number
  readonly decision: string | null
  readonly byName: string
  readonly createdAt: Date
  readonly decidedName: string | null
  readonly decidedAt: Date | null
  readonly recordedById: string | null
  readonly answerUntil: Date | null
}
const columns = sql`
  o.id::text as id, o.signup_id::text as "signupId", o.exam_id::text as "examId", s.user_id::text as "userId", coalesce(s.name, '') as name, coalesce(s.code, '') as code, o.content, o.source, o.state,
  o.decision, o.by_name as "byName", o.created_at as "createdAt", o.decided_name as "decidedName", o.decided_at as "decidedAt", o.created_by::text as "recordedById", o.answer_until as "answerUntil"`
const from = sql`selection_objection o join signup s on s.tenant_id = o.tenant_id and s.id = o.signup_id`
export const listObjections = (db: TenantDb, examId: string, units: readonly string[] | null): Promise<ObjectionRow[]> =>
  db.all(sql<ObjectionRow>`
    select ${columns} from ${from} where o.exam_id = ${examId} ${units === null ? sql`` : sql`and s.unit = any(${[...units]})`} order by o.state, o.id desc`)
export const findObjection = (db: TenantDb, id: string): Promise<ObjectionRow | undefined> =>
  db.maybe(sql<ObjectionRow>`select ${columns} from ${from} where o.id = ${id}`)
export const insertObjection = async (
  db: TenantDb,
  objection: {
    readonly examId: string
    readonly signupId: string
    readonly content: string
    readonly source: string | null
    readonly byName: string
    readonly userId: string
    readonly answerUntil: Date
  },
): Promise<string> =>
  (
    await db.one(sql<{ id: string }>`
      insert into selection_objection (tenant_id, exam_id, signup_id, user_id, content, source, by_name, answer_until, created_by, updated_by)
      values (${db.actor.tenantId}, ${objection.examId}, ${objection.signupId}, ${objection.userId}, ${objection.content}, ${objection.source}, ${objection.byName},
        ${objection.answerUntil}, ${db.actor.userId}, ${db.actor.userId})
      returning id::text as id`)
  ).id
export const decideObjection = async (
  db: TenantDb,
  id: string,
  of: { readonly state: number; readonly decision: string; readonly byName: string },
): Promise<boolean> => {
  if (of.state === 3) insistOnGate(db, 'objectionUpheld')
  return (
    (await db.run(sql`
    update selection_objection set state = ${of.state}, decision = ${of.decision}, decided_by = ${db.actor.userId}, decided_name = ${of.byName}, decided_at = app_now(),
      updated_by = ${db.actor.userId}, updated_at = app_now(), version = version + 1
    where id = ${id} and state = 1`)) === 1
  )
}
/** Objections to a person, the newest first. */
export const listOwnObjections = (db: TenantDb, userId: string): Promise<ObjectionRow[]> =>
  db.all(sql<ObjectionRow>`select ${columns} from ${from} where o.user_id = ${userId} and o.answer_until is not null order by o.id desc`)
/** Of these people, those with an objection that is open or upheld. */
export const listObjected = async (db: TenantDb, signupIds: readonly string[]): Promise<string[]> =>
  (
    await db.all(sql<{ id: string }>`
      select distinct signup_id::text as id from selection_objection where signup_id = any(${[...signupIds]}::bigint[]) and state in (1, 3)`)
  ).map(({ id }) => id)
