import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'

export interface OwnSetting {
  readonly name: string
  readonly value: unknown
}

/** The settings of the caller. */
export const listSettings = (db: TenantDb): Promise<OwnSetting[]> =>
  db.all(sql<OwnSetting>`select name, value from user_setting where user_id = ${db.actor.userId} order by name`)

/** @param text - the value as JSON */
export const keepSetting = async (db: TenantDb, name: string, text: string): Promise<void> => {
  await db.run(sql`
    insert into user_setting (tenant_id, user_id, name, value) values (${db.actor.tenantId}, ${db.actor.userId}, ${name}, ${text}::jsonb)
    on conflict (tenant_id, user_id, name) do update set value = excluded.value, updated_at = excluded.updated_at`)
}

/** Keeps the caller's settings that were changed last. */
export const dropOldSettings = async (db: TenantDb, kept: number): Promise<void> => {
  await db.run(sql`
    delete from user_setting where user_id = ${db.actor.userId} and name in (
      select name from user_setting where user_id = ${db.actor.userId} order by updated_at desc, name offset ${kept})`)
}
