import type { TenantDb } from '#kernel/db/scope.ts'
import { type RawBuilder, sql } from '#kernel/db/sql.ts'

export interface MenuRow {
  readonly id: string
  readonly parentId: string
  readonly code: string
  readonly name: string
  readonly nameEn: string
  readonly alias: string
  readonly path: string
  readonly source: string
  readonly sort: number
  readonly category: number
  readonly action: number
  readonly isOpen: number
  readonly remark: string
  readonly roles: readonly string[]
}

const menuColumns = sql`
  m.id::text as id, m.parent_id::text as "parentId", m.code, m.name, m.name_en as "nameEn", m.alias, m.path, m.source, m.sort, m.category, m.action, m.is_open as "isOpen", m.remark`

/** Menus and buttons that these roles hold, each with the aliases of all roles that hold it. */
export const listGranted = (
  db: TenantDb,
  roleIds: readonly string[],
  category: 1 | 2 | undefined,
  topMenuId?: string,
): Promise<MenuRow[]> => {
  const ofCategory: RawBuilder<unknown> = category === undefined ? sql`true` : sql`m.category = ${category}`
  const ofTopMenu: RawBuilder<unknown> =
    topMenuId === undefined ? sql`true` : sql`m.id in (select menu_id from top_menu_menu where top_menu_id = ${topMenuId})`
  return db.all(sql<MenuRow>`
    select ${menuColumns},
      coalesce((select json_agg(r.role_alias order by r.sort) from role_menu rm join role r on r.tenant_id = rm.tenant_id and r.id = rm.role_id
        where rm.menu_id = m.id and not r.is_deleted), '[]') as roles
    from menu m
    where not m.is_deleted and ${ofCategory} and ${ofTopMenu}
      and exists (select 1 from role_menu rm join role r on r.tenant_id = rm.tenant_id and r.id = rm.role_id and not r.is_deleted
        where rm.menu_id = m.id and rm.role_id = any(${[...roleIds]}::bigint[]))
    order by m.sort, m.id`)
}

/** All live menus of category 1, for the ancestors of granted ones. */
export const listMenus = (db: TenantDb): Promise<MenuRow[]> =>
  db.all(
    sql<MenuRow>`select ${menuColumns}, '[]'::json as roles from menu m where not m.is_deleted and m.category = 1 order by m.sort, m.id`,
  )
