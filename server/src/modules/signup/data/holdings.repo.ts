import type { TenantDb } from '#kernel/db/scope.ts'
import { type RawBuilder, sql } from '#kernel/db/sql.ts'
import { type Level, stateOfLevel } from './allot.repo.ts'

/** Takes reviewers off their lists; whoever takes over gets the same units, posts and quota, as far as they are not listed already. */
export const passReviewer = async (db: TenantDb, ids: readonly string[], to: string | undefined): Promise<void> => {
  await db.run(sql`
    update exam_user set is_deleted = true, updated_at = app_now(), updated_by = ${db.actor.userId}, version = version + 1 where id = any(${[...ids]}::bigint[])`)
  if (to === undefined) return
  await db.run(sql`
    insert into exam_user (tenant_id, exam_id, user_id, level, units, codes, quota, state, created_by, updated_by)
    select tenant_id, exam_id, ${to}, level, units, codes, quota, state, ${db.actor.userId}, ${db.actor.userId} from exam_user where id = any(${[...ids]}::bigint[])
    on conflict (tenant_id, exam_id, user_id, level) where not is_deleted do nothing`)
}

/** Takes all that waits for a reviewer at a level from them, open or not. @returns the sign-ups */
export const takeAllOf = async (db: TenantDb, examId: string, level: Level, userId: string): Promise<string[]> =>
  (
    await db.all(sql<{ id: string }>`
      update examine_allot set state = 3, lock_until = null
      where exam_id = ${examId} and level = ${level} and reviewer_id = ${userId} and state < 2 returning signup_id::text as id`)
  ).map(({ id }) => id)

export const reviewerRows = (right: string, level: Level): RawBuilder<unknown> => sql`
        select u.user_id as holder, u.id::text as id, e.exam_name as name, 1 as count, ${right}::text as needs, null::bigint as dept,
          case when e.managers ? u.user_id::text then null else e.dept_id end as reach
        from exam_user u join examination e on e.tenant_id = u.tenant_id and e.id = u.exam_id and not e.is_deleted and e.state <> 'closed'
        where u.tenant_id = app_tenant() and not u.is_deleted and u.level = ${level}`

export const waitingRows = (right: string, level: Level): RawBuilder<unknown> => sql`
        select a.reviewer_id as holder, a.exam_id::text as id, e.exam_name as name, count(*) as count, ${right}::text as needs, null::bigint as dept,
          case when e.managers ? a.reviewer_id::text then null else e.dept_id end as reach
        from examine_allot a join examination e on e.tenant_id = a.tenant_id and e.id = a.exam_id and not e.is_deleted
          join signup s on s.tenant_id = a.tenant_id and s.id = a.signup_id and s.examine = ${stateOfLevel[level]} and not s.is_deleted
        where a.tenant_id = app_tenant() and a.level = ${level} and a.state < 2 and (a.allotted or a.lock_until > app_now())
        group by a.reviewer_id, a.exam_id, e.exam_name, e.managers, e.dept_id`

export const recusalRows = (): RawBuilder<unknown> => sql`
      select r.reviewer_id as holder, r.id::text as id, concat_ws(' · ', e.exam_name, s.sign_no, r.unit) as name, 1 as count, null::text as needs, null::bigint as dept, null::bigint as reach
      from recuse r join examination e on e.tenant_id = r.tenant_id and e.id = r.exam_id and not e.is_deleted
        left join signup s on s.tenant_id = r.tenant_id and s.id = r.signup_id
      where r.tenant_id = app_tenant() and not r.is_deleted`

/** With an account that is removed. */
export const endRecusals = async (db: TenantDb, ids: readonly string[]): Promise<void> => {
  await db.run(
    sql`update recuse set is_deleted = true, updated_at = app_now(), updated_by = ${db.actor.userId} where id = any(${[...ids]}::bigint[])`,
  )
}
