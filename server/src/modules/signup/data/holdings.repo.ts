import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import type { Level } from './allot.repo.ts'

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
