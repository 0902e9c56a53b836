import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'

/** Whether the caller asked to hear of new examinations. */
export const isSubscribed = async (db: TenantDb): Promise<boolean> =>
  (await db.maybe(sql`select 1 from exam_subscription where user_id = ${db.actor.userId}`)) !== undefined

export const subscribe = async (db: TenantDb, on: boolean): Promise<void> => {
  const { tenantId, userId } = db.actor
  await db.run(
    on
      ? sql`insert into exam_subscription (tenant_id, user_id) values (${tenantId}, ${userId}) on conflict do nothing`
      : sql`delete from exam_subscription where user_id = ${userId}`,
  )
}

/** Who asked for it and still has an account in use, behind account `after` in the order of their ids. */
export const listSubscribers = (db: TenantDb, after: string, limit: number): Promise<{ readonly userId: string }[]> =>
  db.all(sql<{ userId: string }>`
    select s.user_id::text as "userId" from exam_subscription s join account a on a.tenant_id = s.tenant_id and a.id = s.user_id and a.status = 1
    where s.user_id > ${after} order by s.user_id limit ${limit}`)
