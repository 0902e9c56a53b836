import type { RoleKeys, RoleWire } from '#contract/access/role.routes.ts'
import { reviewCodes, systemRoles } from '#contract/access/role.ts'
import type { Language } from '#contract/kernel/label.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { byPinyin, frozen, type RawBuilder, sql } from '#kernel/db/sql.ts'

export type RoleRow = Omit<RoleWire, 'mayManage' | 'holders'>

// No parameters, so that the plan is made once and kept: in a large tenant the planner would make it anew for each reader, which takes longer than the list.
const literals = (texts: readonly string[]): RawBuilder<unknown> => frozen(sql.join(texts.map(text => sql.lit(text))))
const reviewers = frozen(sql`reviewing as materialized (
  select rm.role_id from role_menu rm where rm.menu_id = any (array(select m.id from menu m where not m.is_deleted and m.code in (${literals(reviewCodes)}))))`)

/** All live roles by sort; a tenant has dozens, so the tree is judged in one piece. */
export const listRoles = (db: TenantDb): Promise<RoleRow[]> =>
  db.all(sql<RoleRow>`
    with ${reviewers}
    select r.id::text as id, r.tenant_id as "tenantId", r.parent_id::text as "parentId", r.role_name as "roleName", r.role_name_en as "roleNameEn",
      r.role_alias as "roleAlias", r.sort, case when r.id in (select role_id from reviewing) then r.is_back else -1 end as "isBack",
      (r.role_alias in (${literals(systemRoles)}))::int as "isSystem", r.version
    from role r where not r.is_deleted order by r.sort, r.id`)

/** Names of these live roles in a language. */
export const listNamesOfRoles = (
  db: TenantDb,
  ids: readonly string[],
  language: Language,
): Promise<{ id: string; roleName: string; roleAlias: string }[]> =>
  db.all(sql<{ id: string; roleName: string; roleAlias: string }>`
    select id::text as id, case when ${language === 'en'} and role_name_en <> '' then role_name_en else role_name end as "roleName", role_alias as "roleAlias"
    from role where not is_deleted and id = any(${[...ids]}::bigint[]) order by sort, id`)

/** How far the people of a role are counted: a role of candidates has hundreds of thousands. */
export const mostHolders = 1_000
/** How many people hold each live role, one more than the most where there are more. */
export const countHolders = async (db: TenantDb): Promise<ReadonlyMap<string, number>> =>
  new Map(
    (
      await db.all(sql<{ id: string; holders: number }>`
        select r.id::text as id, (select count(*)::int from (
          select 1 from account_role ar where ar.role_id = r.id limit ${sql.lit(mostHolders + 1)}) held) as holders
        from role r where not r.is_deleted`)
    ).map(row => [row.id, row.holders]),
  )

/** Two people who change roles at once wait for each other: a grant is judged on what is there. */
export const lockRoles = async (db: TenantDb): Promise<RoleRow[]> => {
  await db.run(sql`select pg_advisory_xact_lock(hashtextextended(${`roles|${db.actor.tenantId}`}, 0))`)
  return listRoles(db)
}

export interface RoleValues {
  readonly parentId: string
  readonly roleName: string
  readonly roleNameEn: string
  readonly roleAlias: string
  readonly sort: number
}
export const insertRole = async (db: TenantDb, r: RoleValues): Promise<string> => {
  const { id } = await db.one(sql<{ id: string }>`
    insert into role (tenant_id, parent_id, role_name, role_name_en, role_alias, sort, created_by, updated_by)
    values (${db.actor.tenantId}, ${r.parentId}, ${r.roleName}, ${r.roleNameEn}, ${r.roleAlias}, ${r.sort}, ${db.actor.userId}, ${db.actor.userId})
    returning id::text as id`)
  return id
}
const changed = (db: TenantDb): RawBuilder<unknown> => sql`updated_at = app_now(), updated_by = ${db.actor.userId}, version = version + 1`
export const updateRole = async (db: TenantDb, id: string, r: RoleValues): Promise<void> => {
  await db.run(sql`
    update role set parent_id = ${r.parentId}, role_name = ${r.roleName}, role_name_en = ${r.roleNameEn}, role_alias = ${r.roleAlias}, sort = ${r.sort},
      ${changed(db)} where id = ${id} and not is_deleted`)
}
/** With what it held: a new role of the same alias begins with nothing. */
export const removeRoles = async (db: TenantDb, ids: readonly string[]): Promise<void> => {
  const theirs = sql`role_id = any(${[...ids]}::bigint[])`
  await db.run(sql`delete from role_menu where ${theirs}`)
  await db.run(sql`delete from role_data_scope where ${theirs}`)
  await db.run(sql`delete from role_api_scope where ${theirs}`)
  await db.run(sql`delete from role_field_rule where ${theirs}`)
  await db.run(sql`delete from account_role where ${theirs}`)
  await db.run(sql`update role set is_deleted = true, ${changed(db)} where id = any(${[...ids]}::bigint[])`)
}
export const switchPullBack = async (db: TenantDb, ids: readonly string[], status: 0 | 1): Promise<number> =>
  await db.run(sql`update role set is_back = ${status}, ${changed(db)} where id = any(${[...ids]}::bigint[]) and is_back <> ${status}`)

/** The three sets a role holds. */
export type Held = keyof RoleKeys
const heldTables = {
  menu: { table: 'role_menu', column: 'menu_id', of: 'menu' },
  dataScope: { table: 'role_data_scope', column: 'scope_id', of: 'data_scope' },
  apiScope: { table: 'role_api_scope', column: 'scope_id', of: 'api_scope' },
} as const satisfies Record<Held, { table: string; column: string; of: string }>

/** By the id of a role. */
type HeldOfRoles = ReadonlyMap<string, ReadonlySet<string>>
/** What each of these roles holds, of live things only. */
export const listHeld = async (db: TenantDb, what: Held, roleIds: readonly string[]): Promise<HeldOfRoles> => {
  const { table, column, of } = heldTables[what]
  const rows = await db.all(sql<{ roleId: string; id: string }>`
    select h.role_id::text as "roleId", h.${sql.ref(column)}::text as id from ${sql.table(table)} h
    join ${sql.table(of)} t on t.tenant_id = h.tenant_id and t.id = h.${sql.ref(column)} and not t.is_deleted
    where h.role_id = any(${[...roleIds]}::bigint[]) order by 2`)
  return new Map(roleIds.map(roleId => [roleId, new Set(rows.filter(row => row.roleId === roleId).map(row => row.id))]))
}
/** All three sets of each of these roles. */
export const listAllHeld = async (db: TenantDb, roleIds: readonly string[]): Promise<Readonly<Record<Held, HeldOfRoles>>> => {
  db.planOnce()
  const [menu, dataScope, apiScope] = await Promise.all([
    listHeld(db, 'menu', roleIds),
    listHeld(db, 'dataScope', roleIds),
    listHeld(db, 'apiScope', roleIds),
  ])
  return { menu, dataScope, apiScope }
}
export const changeHeld = async (
  db: TenantDb,
  what: Held,
  roleId: string,
  change: { readonly added: readonly string[]; readonly removed: readonly string[] },
): Promise<void> => {
  const { table, column } = heldTables[what]
  if (change.removed.length > 0)
    await db.run(
      sql`delete from ${sql.table(table)} where role_id = ${roleId} and ${sql.ref(column)} = any(${[...change.removed]}::bigint[])`,
    )
  if (change.added.length > 0)
    await db.run(sql`
      insert into ${sql.table(table)} (tenant_id, role_id, ${sql.ref(column)})
      select ${db.actor.tenantId}, ${roleId}, id from unnest(${[...change.added]}::bigint[]) as a(id) on conflict do nothing`)
}

/** Live data or API scopes, for the trees that are ticked. */
export const listScopes = (
  db: TenantDb,
  what: 'dataScope' | 'apiScope',
): Promise<{ id: string; menuId: string; name: string; code: string }[]> =>
  db.all(sql<{ id: string; menuId: string; name: string; code: string }>`
    select id::text as id, menu_id::text as "menuId", scope_name as name, resource_code as code from ${sql.table(heldTables[what].of)}
    where not is_deleted order by ${byPinyin(sql`scope_name`)}, id`)
