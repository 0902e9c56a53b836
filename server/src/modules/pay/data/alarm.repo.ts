import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'

export const lockAlarm = (db: TenantDb, id: string): Promise<{ kind: string; isHandled: boolean } | undefined> =>
  db.maybe(sql<{ kind: string; isHandled: boolean }>`
    select kind, handled_at is not null as "isHandled" from pay_alarm where id = ${id} for update`)

export const markHandled = async (db: TenantDb, id: string, remark: string): Promise<void> => {
  await db.run(sql`
    update pay_alarm set handled_by = ${db.actor.userId}, handled_at = ${db.now}, handle_remark = ${remark} where id = ${id}`)
}
