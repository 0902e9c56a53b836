import type { TenantDb } from '#kernel/db/scope.ts'
import { type RawBuilder, sql } from '#kernel/db/sql.ts'

/**
 * Of sign-ups `s`, those that a reviewer is concerned with: given to them, open or decided; where the examination hands out nothing, those of the
 * units and posts for which it lists them, and all where it lists nobody. One rule for every list, count and search of reviewers.
 */
export const isInReach = (userId: string): RawBuilder<unknown> => sql`
  (exists (select 1 from examine_allot a where a.tenant_id = s.tenant_id and a.signup_id = s.id and a.reviewer_id = ${userId} and a.state in (0, 1, 2))
    or exists (select 1 from examination x where x.tenant_id = s.tenant_id and x.id = s.exam_id and x.allot_mode = 0 and (
      not exists (select 1 from exam_user u where u.tenant_id = x.tenant_id and u.exam_id = x.id and u.state = 1 and not u.is_deleted)
      or exists (select 1 from exam_user u where u.tenant_id = x.tenant_id and u.exam_id = x.id and u.state = 1 and not u.is_deleted and u.user_id = ${userId}
        and (u.units = '[]' or u.units ? s.unit) and (u.codes = '[]' or u.codes ? s.code)))))`

/**
 * Of waiting sign-ups `s`, those that somebody may decide on at the level at which they wait (domain 2.1, 3.9): given to them, or, where nothing is handed out, of the
 * units and posts for which they are listed; the office of the examination decides on all. One person never decides both levels, unless the examination says so.
 * One definition for the list, its counts and the first page.
 */
export const mayTake = ({ userId, runsExams }: { readonly userId: string; readonly runsExams: boolean }): RawBuilder<unknown> => {
  const level = sql`case s.examine when 'second' then 2 else 1 end`
  const listed = sql`u.tenant_id = x.tenant_id and u.exam_id = x.id and u.level = ${level} and u.state = 1 and not u.is_deleted`
  const isTheirs = runsExams
    ? sql`true`
    : sql`case when x.allot_mode <> 0
        then exists (select 1 from examine_allot a where a.tenant_id = s.tenant_id and a.signup_id = s.id and a.level = ${level} and a.reviewer_id = ${userId} and a.state < 2)
        else not exists (select 1 from exam_user u where ${listed})
          or exists (select 1 from exam_user u where ${listed} and u.user_id = ${userId}
            and (u.units = '[]' or u.units ? s.unit) and (u.codes = '[]' or u.codes ? s.code)) end`
  return sql`(s.examine in ('waiting', 'second') and exists (select 1 from examination x where x.tenant_id = s.tenant_id and x.id = s.exam_id
    and (s.examine = 'waiting' or x.allow_same_reviewer or s.reviewer1_id is distinct from ${userId}) and (${isTheirs})))`
}

/** Of sign-ups `s`, those from which nothing keeps this person: answers and files of others are closed to them, whatever their roles. */
export const isNotRecused = (userId: string): RawBuilder<unknown> => sql`
  not exists (select 1 from recuse q where q.tenant_id = s.tenant_id and q.exam_id = s.exam_id and q.reviewer_id = ${userId} and not q.is_deleted
    and (q.signup_id = s.id or q.id_card_index = s.id_card_index or q.unit = s.unit))`

export const findReach = (db: TenantDb, signupId: string, userId: string): Promise<{ inReach: boolean; isRecused: boolean } | undefined> =>
  db.maybe(sql<{ inReach: boolean; isRecused: boolean }>`
    select ${isInReach(userId)} as "inReach", not ${isNotRecused(userId)} as "isRecused" from signup s where s.id = ${signupId}`)
