import type { Refusal } from '#contract/kernel/refusal.ts'
import { refusePerson } from '#contract/person/person.errors.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'

/** As many as one person keeps; those that were changed last stay. */
const most = 200
/** Characters of one value as JSON. */
const longest = 4_000

export interface OwnSetting {
  readonly name: string
  readonly value: unknown
}

export const listSettings = (db: TenantDb): Promise<OwnSetting[]> =>
  db.all(sql<{ name: string; value: unknown }>`select name, value from user_setting where user_id = ${db.actor.userId} order by name`)

/** Keeps the settings of the caller. */
export const keepOwnSettings = async (db: TenantDb, settings: readonly OwnSetting[]): Promise<number | Refusal> => {
  const { tenantId, userId } = db.actor
  // Of two with one name the later counts.
  const byName = new Map(settings.map(({ name, value }) => [name, JSON.stringify(value ?? null)]))
  const long = [...byName].find(([, text]) => text.length > longest)
  if (long) return refusePerson('person/setting-too-long', { name: long[0], limit: longest })
  for (const [name, text] of byName)
    await db.run(sql`
      insert into user_setting (tenant_id, user_id, name, value) values (${tenantId}, ${userId}, ${name}, ${text}::jsonb)
      on conflict (tenant_id, user_id, name) do update set value = excluded.value, updated_at = excluded.updated_at`)
  await db.run(sql`
    delete from user_setting where user_id = ${userId} and name in (
      select name from user_setting where user_id = ${userId} order by updated_at desc, name offset ${most})`)
  return byName.size
}
