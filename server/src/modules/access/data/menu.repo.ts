import type { Language } from '#contract/kernel/label.ts'
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

/** The menu of an id from what stands before: looked up by its key, however many menus a tenant has. */
const menuOf = (id: RawBuilder<unknown>, condition: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`lateral (select ${menuColumns} from menu m where m.id = ${id} and not m.is_deleted and ${condition} limit 1)`

/** Menus and buttons that these roles hold, each with the aliases of all roles that hold it. */
export const listGranted = (
  db: TenantDb,
  roleIds: readonly string[],
  category: 1 | 2 | undefined,
  topMenuId?: string,
): Promise<MenuRow[]> => {
  const ofCategory: RawBuilder<unknown> = category === undefined ? sql`true` : sql`m.category = ${category}`
  const ofTopMenu: RawBuilder<unknown> =
    topMenuId === undefined ? sql`true` : sql`rm.menu_id in (select menu_id from top_menu_menu where top_menu_id = ${topMenuId})`
  return db.all(sql<MenuRow>`
    select m.*, held.roles from (
      select rm.menu_id, json_agg(r.role_alias order by r.sort) as roles
      from role_menu rm join role r on r.tenant_id = rm.tenant_id and r.id = rm.role_id
      where not r.is_deleted and ${ofTopMenu} group by rm.menu_id having bool_or(r.id = any(${[...roleIds]}::bigint[]))) held,
      ${menuOf(sql`held.menu_id`, ofCategory)} m
    order by m.sort, m.id::bigint`)
}

/** The live menus above these that are not among them, for their tree. */
export const listMenusAbove = async (db: TenantDb, granted: readonly MenuRow[]): Promise<MenuRow[]> => {
  const known = new Set(granted.map(menu => menu.id))
  const missing = [...new Set(granted.map(menu => menu.parentId))].filter(id => id !== '0' && !known.has(id))
  if (missing.length === 0) return []
  return db.all(sql<MenuRow>`
    with recursive above as (
      select m.* from unnest(${missing}::bigint[]) start, ${menuOf(sql`start`, sql`m.category = 1`)} m
      union
      select m.* from above, ${menuOf(sql`above."parentId"::bigint`, sql`m.category = 1`)} m)
    select above.*, '[]'::json as roles from above`)
}

/** Every live menu by its title in a language, for trees that are ticked. */
export const listMenuTitles = (
  db: TenantDb,
  language: Language,
): Promise<{ id: string; parentId: string; title: string; sort: number }[]> =>
  db.all(sql<{ id: string; parentId: string; title: string; sort: number }>`
    select id::text as id, parent_id::text as "parentId", case when ${language === 'en'} and name_en <> '' then name_en else name end as title, sort
    from menu where category = 1 and not is_deleted order by sort, id`)

/** How many of these ids are live menus (buttons are none). */
export const countMenus = async (db: TenantDb, ids: readonly string[]): Promise<number> =>
  (
    await db.one(sql<{ n: number }>`
      select count(*)::int as n from menu where id = any(${[...ids]}::bigint[]) and category = 1 and not is_deleted`)
  ).n

/** Codes of the live menus. */
export const listMenuCodes = async (db: TenantDb): Promise<ReadonlySet<string>> =>
  new Set((await db.all(sql<{ code: string }>`select code from menu where category = 1 and not is_deleted`)).map(menu => menu.code))
