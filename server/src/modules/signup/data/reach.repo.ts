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

/** Of sign-ups `s`, those from which nothing keeps this person: answers and files of others are closed to them, whatever their roles. */
export const isNotRecused = (userId: string): RawBuilder<unknown> => sql`
  not exists (select 1 from recuse q where q.tenant_id = s.tenant_id and q.exam_id = s.exam_id and q.reviewer_id = ${userId} and not q.is_deleted
    and (q.signup_id = s.id or q.id_card_index = s.id_card_index or q.unit = s.unit))`

export const findReach = (db: TenantDb, signupId: string, userId: string): Promise<{ inReach: boolean; isRecused: boolean } | undefined> =>
  db.maybe(sql<{ inReach: boolean; isRecused: boolean }>`
    select ${isInReach(userId)} as "inReach", not ${isNotRecused(userId)} as "isRecused" from signup s where s.id = ${signupId}`)
