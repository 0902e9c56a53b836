import type { Label } from '#contract/kernel/label.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'

/** Of these roles, those that nobody holds who may log in, each with its alias, which the server's commands name. */
export const listRolesWithout = (db: TenantDb, aliases: readonly string[]): Promise<Label[]> =>
  db.all(sql<Label>`
      select coalesce(n.role_name || '（' || w.alias || '）', w.alias) as zh, coalesce(n.role_name_en || ' (' || w.alias || ')', w.alias) as en from unnest(${[...aliases]}::text[]) with ordinality as w (alias, place)
      left join role n on n.role_alias = w.alias and not n.is_deleted
      where not exists (
        select 1 from role r join account_role k on k.tenant_id = r.tenant_id and k.role_id = r.id join account a on a.tenant_id = k.tenant_id and a.id = k.user_id
        where r.role_alias = w.alias and not r.is_deleted and a.status = 1 and not a.is_deleted) order by w.place`)

/** Staff whose one-time password was never changed: they have not been here yet. */
export const listNeverHere = async (db: TenantDb): Promise<string[]> =>
  (
    await db.all(
      sql<{
        account: string
      }>`select account from account where user_type = 1 and must_change_password and not is_deleted order by account limit 21`,
    )
  ).map(({ account }) => account)

export interface TryRow {
  readonly step: string
  readonly isOk: boolean
  readonly isLeftOut: boolean
  readonly zh: string
  readonly en: string
  readonly account: string
  readonly at: Date
}
export const listTries = (db: TenantDb): Promise<TryRow[]> =>
  db.all(sql<TryRow>`
    select s.step, s.is_ok as "isOk", s.is_left_out as "isLeftOut", s.said_zh as zh, s.said_en as en, coalesce(a.account, '') as account, s.tried_at as at
    from setup_try s left join account a on a.tenant_id = s.tenant_id and a.id = s.tried_by`)
export const keepTry = async (
  db: TenantDb,
  of: {
    readonly step: string
    readonly isOk: boolean
    readonly isLeftOut: boolean
    readonly zh: string
    readonly en: string
    readonly userId: string
  },
): Promise<void> => {
  await db.run(sql`
    insert into setup_try (tenant_id, step, is_ok, is_left_out, said_zh, said_en, tried_by)
    values (${db.actor.tenantId}, ${of.step}, ${of.isOk}, ${of.isLeftOut}, ${of.zh.slice(0, 500)}, ${of.en.slice(0, 500)}, ${of.userId})
    on conflict (tenant_id, step) do update set is_ok = excluded.is_ok, is_left_out = excluded.is_left_out, said_zh = excluded.said_zh, said_en = excluded.said_en,
      tried_by = excluded.tried_by, tried_at = app_now()`)
}
