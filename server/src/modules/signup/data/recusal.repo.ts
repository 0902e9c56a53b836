import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import type { ConflictItem, ConflictReviewer, Recusal } from '../domain/conflict.ts'

/** What of a sign-up can stand between it and a reviewer. */
export const conflictColumns = sql`
  s.id::text as "signupId", s.user_id::text as "ownerId", s.id_card_index as "idCardIndex", s.phone_index as "phoneIndex", coalesce(s.unit, '') as unit,
  coalesce(s.content->>'workUnit', '') as "workUnit", s.relatives`

export const findConflictItem = (db: TenantDb, signupId: string): Promise<ConflictItem> =>
  db.one(sql<ConflictItem>`select ${conflictColumns} from signup s where s.id = ${signupId}`)

const reviewerColumns = sql`
  a.id::text as "userId", a.real_name as name, a.id_card_index as "idCardIndex", a.phone_index as "phoneIndex",
  coalesce((select json_agg(n.name) from dept d cross join lateral unnest(array[d.dept_name, d.full_name]) as n(name)
    where d.id = any(a.dept_ids) and not d.is_deleted), '[]') as workplaces`

export const listConflictReviewers = (db: TenantDb, userIds: readonly string[]): Promise<ConflictReviewer[]> =>
  db.all(sql<ConflictReviewer>`select ${reviewerColumns} from account a where a.id = any(${[...userIds]}::bigint[])`)

export const listRecusals = (db: TenantDb, examId: string): Promise<Recusal[]> =>
  db.all(sql<Recusal>`
    select reviewer_id::text as "userId", signup_id::text as "signupId", id_card_index as "idCardIndex", unit from recuse where exam_id = ${examId} and not is_deleted`)

/** One reviewer with what they declared, by one statement whose plan is kept: whoever takes or decides asks for it. */
export const findConflictReviewer = (
  db: TenantDb,
  examId: string,
  userId: string,
): Promise<(ConflictReviewer & { readonly recusals: readonly Recusal[] }) | undefined> =>
  db.maybe(sql<ConflictReviewer & { readonly recusals: readonly Recusal[] }>`
    select ${reviewerColumns},
      coalesce((select json_agg(json_build_object('userId', a.id::text, 'signupId', r.signup_id::text, 'idCardIndex', r.id_card_index, 'unit', r.unit))
        from recuse r where r.exam_id = ${examId} and r.reviewer_id = a.id and not r.is_deleted), '[]') as recusals
    from account a where a.id = ${userId}`)

export interface RecusalRow {
  readonly id: string
  readonly examId: string
  readonly userId: string
  readonly reviewerName: string
  readonly signUpId: string | null
  readonly signNo: string | null
  readonly name: string | null
  readonly unit: string | null
  readonly unitName: string | null
  readonly reason: string
  readonly isOwn: boolean
  readonly createdAt: Date
}
const shown = sql`
  select r.id::text as id, r.exam_id::text as "examId", r.reviewer_id::text as "userId", a.real_name as "reviewerName", r.signup_id::text as "signUpId", s.sign_no as "signNo", s.name,
    r.unit, (select max(t.unit_name) from type_code t where t.exam_id = r.exam_id and t.unit = r.unit and not t.is_deleted) as "unitName",
    r.reason, r.created_by = r.reviewer_id as "isOwn", r.created_at as "createdAt"
  from recuse r join account a on a.id = r.reviewer_id left join signup s on s.id = r.signup_id`
export const pageRecusals = async (db: TenantDb, examId: string, page: { readonly limit: number; readonly offset: number }) => {
  const rows = await db.all(
    sql<RecusalRow>`${shown} where r.exam_id = ${examId} and not r.is_deleted order by r.id desc limit ${page.limit} offset ${page.offset}`,
  )
  const { total } = await db.one(
    sql<{ total: number }>`select count(*)::int as total from recuse where exam_id = ${examId} and not is_deleted`,
  )
  return { rows, total }
}
export const findRecusal = (db: TenantDb, id: string): Promise<RecusalRow | undefined> =>
  db.maybe(sql<RecusalRow>`${shown} where r.id = ${id} and not r.is_deleted`)

/** @returns its id, undefined when the same one is there already */
export const insertRecusal = async (
  db: TenantDb,
  one: {
    readonly examId: string
    readonly userId: string
    readonly signupId: string | null
    readonly idCardIndex: string | null
    readonly unit: string | null
    readonly reason: string
  },
): Promise<string | undefined> =>
  (
    await db.maybe(sql<{ id: string }>`
      insert into recuse (tenant_id, exam_id, reviewer_id, signup_id, id_card_index, unit, reason, created_by)
      values (${db.actor.tenantId}, ${one.examId}, ${one.userId}, ${one.signupId}, ${one.idCardIndex}, ${one.unit}, ${one.reason}, ${db.actor.userId})
      on conflict do nothing returning id::text as id`)
  )?.id
export const dropRecusal = async (db: TenantDb, id: string): Promise<void> => {
  await db.run(sql`update recuse set is_deleted = true, updated_at = app_now(), updated_by = ${db.actor.userId} where id = ${id}`)
}

/** Takes what a reviewer has of a sign-up or of a unit from them, open or not. @returns the sign-ups by level */
export const takeFromReviewer = (
  db: TenantDb,
  of: { readonly examId: string; readonly userId: string; readonly signupId: string | null; readonly unit: string | null },
): Promise<{ signupId: string; level: 1 | 2 }[]> =>
  db.all(sql<{ signupId: string; level: 1 | 2 }>`
    update examine_allot a set state = 3, lock_until = null
    where a.exam_id = ${of.examId} and a.reviewer_id = ${of.userId} and a.state < 2 and a.level in (1, 2)
      and ${
        of.signupId === null
          ? sql`exists (select 1 from signup s where s.id = a.signup_id and s.unit = ${of.unit})`
          : sql`a.signup_id = ${of.signupId}`
      }
    returning a.signup_id::text as "signupId", a.level`)

export const isUnitOf = async (db: TenantDb, examId: string, unit: string): Promise<boolean> =>
  (await db.maybe(sql`select 1 from type_code where exam_id = ${examId} and unit = ${unit} and not is_deleted limit 1`)) !== undefined
