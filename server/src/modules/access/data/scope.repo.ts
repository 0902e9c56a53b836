import { apartRoles } from '#contract/access/role.ts'
import type { ScopeRow } from '#contract/access/scope.routes.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { textHolds } from '#kernel/db/search.ts'
import { allOf, byPinyin, type RawBuilder, sql } from '#kernel/db/sql.ts'
import type { RoleNames } from '../domain/role-title.ts'

/** Of these codes the first that a live menu or button has, menus before buttons. */
export const findMenuOf = (db: TenantDb, codes: readonly string[]): Promise<{ id: string; code: string } | undefined> =>
  db.maybe(sql<{ id: string; code: string }>`
    select id::text as id, code from menu where code = any(${[...codes]}) and not is_deleted order by category, array_position(${[...codes]}, code) limit 1`)

/** Whether a scope belongs to a menu or to one of its buttons. */
export const isOfMenu = (menuId: string): RawBuilder<unknown> =>
  sql`(menu_id = ${menuId} or menu_id in (select id from menu where parent_id = ${menuId} and category = 2))`

/** One of administrator, security administrator and auditor that has one of these rights and is none of the caller's own roles. */
export const findOtherDuty = (db: TenantDb, codes: readonly string[], own: readonly string[]): Promise<RoleNames | undefined> =>
  db.maybe(sql<RoleNames>`
    select r.role_name as "roleName", r.role_name_en as "roleNameEn", r.role_alias as "roleAlias" from role r
    where not r.is_deleted and r.role_alias = any(${[...apartRoles]}) and not r.role_alias = any(${[...own]})
      and exists (select 1 from role_menu rm join menu m on m.tenant_id = rm.tenant_id and m.id = rm.menu_id and not m.is_deleted
        where rm.role_id = r.id and m.code = any(${[...codes]}))
    order by r.sort, r.id limit 1`)

/** Calls that an API scope keeps, as `GET /path`. */
export const listScopedCalls = async (db: TenantDb): Promise<ReadonlySet<string>> =>
  new Set(
    (await db.all(sql<{ place: string }>`select scope_method || ' ' || scope_path as place from api_scope where not is_deleted`)).map(
      row => row.place,
    ),
  )

/** A removed scope is held by nobody. */
export const takeFromRoles = async (db: TenantDb, table: 'role_data_scope' | 'role_api_scope', scopeId: unknown): Promise<void> => {
  await db.run(sql`delete from ${sql.table(table)} where scope_id = ${scopeId}`)
}

const both = (where: RawBuilder<unknown>): RawBuilder<ScopeRow> => sql<ScopeRow>`
  select id::text as id, kind, menu_id::text as "menuId", scope_name as "scopeName", resource_code as "resourceCode", scope_type as "scopeType",
    scope_path as "scopePath", coalesce(remark, '') as remark from (
    select id, 'data' as kind, menu_id, scope_name, resource_code, scope_type, '' as scope_path, remark from data_scope where not is_deleted
    union all
    select id, 'api', menu_id, scope_name, resource_code, 0, scope_method || ' ' || scope_path, remark from api_scope where not is_deleted) s
  where ${where} order by ${byPinyin(sql`scope_name`)}, id`

/** Data scopes and API scopes together, by name. */
export const listBothScopes = (
  db: TenantDb,
  of: { readonly scopeName?: string | undefined; readonly resourceCode?: string | undefined; readonly menuId?: string | undefined },
): Promise<ScopeRow[]> =>
  db.all(
    both(
      allOf([
        of.scopeName !== undefined && textHolds(sql`scope_name`, of.scopeName),
        of.resourceCode !== undefined && sql`resource_code = ${of.resourceCode}`,
        of.menuId !== undefined && sql`menu_id = ${of.menuId}`,
      ]),
    ),
  )

export const findScope = (db: TenantDb, id: string): Promise<ScopeRow | undefined> => db.maybe(both(sql`id = ${id}`))

/**
 * The first of these roles that sees rows of one of these nouns which its giver does not: it sees the noun and no rule narrows it, or a rule does
 * that none of the giver's roles holds.
 */
export const roleReachingMore = async (
  db: TenantDb,
  roleIds: readonly string[],
  giver: { readonly roleIds: readonly string[]; readonly narrowed: readonly string[] },
): Promise<RoleNames | undefined> => {
  if (giver.narrowed.length === 0) return undefined
  const its = sql`from role_data_scope h join data_scope d on d.tenant_id = h.tenant_id and d.id = h.scope_id and not d.is_deleted and d.resource_code = noun`
  return db.maybe(sql<RoleNames>`
    select r.role_name as "roleName", r.role_name_en as "roleNameEn", r.role_alias as "roleAlias" from role r join unnest(${[...giver.narrowed]}::text[]) noun on true
    where r.id = any(${[...roleIds]}::bigint[])
      and exists (select 1 from role_menu rm join menu m on m.tenant_id = rm.tenant_id and m.id = rm.menu_id and not m.is_deleted
        where rm.role_id = r.id and m.code = noun || '_view')
      and (not exists (select 1 ${its} where h.role_id = r.id)
        or exists (select 1 ${its} where h.role_id = r.id
          and not exists (select 1 from role_data_scope o where o.scope_id = d.id and o.role_id = any(${[...giver.roleIds]}::bigint[]))))
    order by r.sort, r.id limit 1`)
}
