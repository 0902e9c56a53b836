import type { MenuWire } from '#contract/access/menu.routes.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { holdsWord } from '#kernel/db/search-part.ts'
import { allOf, type RawBuilder, sql } from '#kernel/db/sql.ts'

const columns = sql`
  m.id::text as id, m.parent_id::text as "parentId", m.code, m.name, m.name_en as "nameEn", m.alias, m.path, m.source, m.sort, m.category, m.action,
  m.is_open as "isOpen", m.remark, m.is_system::int as "isSystem", m.is_platform::int as "isPlatform", m.version`
const line = sql`${columns}, coalesce(p.name, '') as "parentName",
  exists (select 1 from menu c where c.parent_id = m.id and not c.is_deleted) as "hasChildren"`
const withParent = sql`menu m left join menu p on p.tenant_id = m.tenant_id and p.id = m.parent_id and not p.is_deleted`

/** A menu as lists place it. */
export interface PlacedMenu extends MenuWire {
  readonly parentName: string
  readonly hasChildren: boolean
}

export interface MenuSearch {
  readonly code?: string
  readonly name?: string
  readonly alias?: string
}
const matches = ({ code, name, alias }: MenuSearch): RawBuilder<unknown>[] => {
  const holds = (word: string, ...texts: Parameters<typeof holdsWord>[0]) => [
    holdsWord(texts, word, sql`m.id`, same => sql`select m.id from menu m where m.is_system and not m.is_deleted and ${same}`),
  ]
  return [
    ...(code ? holds(code, { field: 'menuCode', column: sql`m.code` }) : []),
    // Either name: a reader of English looks for the English one.
    ...(name ? holds(name, { field: 'menuName', column: sql`m.name` }, { field: 'menuNameEn', column: sql`m.name_en` }) : []),
    ...(alias ? holds(alias, { field: 'menuAlias', column: sql`m.alias` }) : []),
  ]
}
export const isSearch = (search: MenuSearch): boolean => matches(search).length > 0

/** Menus and buttons that fit, by sort. */
export const listAllMenus = (db: TenantDb, search: MenuSearch = {}): Promise<MenuWire[]> =>
  db.all(sql<MenuWire>`select ${columns} from menu m where ${allOf([sql`not m.is_deleted`, ...matches(search)])} order by m.sort, m.id`)

/** Who has a menu or button by the seed, for those that are kept apart (ADR 0116), by their ids. */
export const listKept = async (db: TenantDb): Promise<ReadonlyMap<string, readonly string[]>> =>
  new Map(
    (
      await db.all(sql<{ id: string; who: string[] }>`
        select m.id::text as id, kept_for(m.code) as who from menu m where not m.is_deleted and kept_for(m.code) is not null`)
    ).map(({ id, who }) => [id, who]),
  )

/** One level, or with a search the matches of every level. */
export const listMenuLines = (db: TenantDb, parentId: string, search: MenuSearch): Promise<PlacedMenu[]> => {
  // Whatever the word, menus are looked up by their keys: among thousands of them planning took longer than the search.
  if (isSearch(search)) db.planOnce()
  return db.all(sql<PlacedMenu>`
    select ${line} from ${withParent}
    where ${allOf([sql`not m.is_deleted`, ...(isSearch(search) ? matches(search) : [sql`m.parent_id = ${parentId}`])])}
    order by m.sort, m.id limit 2000`)
}

export const findMenuLine = (db: TenantDb, id: string): Promise<PlacedMenu | undefined> =>
  db.maybe(sql<PlacedMenu>`select ${line} from ${withParent} where m.id = ${id} and not m.is_deleted`)

/** The tree is judged as a whole: two people who move menus at once wait for each other. */
export const lockMenus = async (db: TenantDb): Promise<MenuWire[]> => {
  await db.run(sql`select pg_advisory_xact_lock(hashtextextended(${`menus|${db.actor.tenantId}`}, 0))`)
  return listAllMenus(db)
}

export type MenuValues = Omit<MenuWire, 'id' | 'isSystem' | 'isPlatform' | 'version'>

export const insertMenu = async (db: TenantDb, m: MenuValues): Promise<string> => {
  const { id } = await db.one(sql<{ id: string }>`
    insert into menu (tenant_id, parent_id, code, name, name_en, alias, path, source, sort, category, action, is_open, remark, created_by, updated_by)
    values (${db.actor.tenantId}, ${m.parentId}, ${m.code}, ${m.name}, ${m.nameEn}, ${m.alias}, ${m.path}, ${m.source}, ${m.sort}, ${m.category}, ${m.action},
      ${m.isOpen}, ${m.remark}, ${db.actor.userId}, ${db.actor.userId})
    returning id::text as id`)
  return id
}
export const updateMenu = async (db: TenantDb, id: string, m: MenuValues): Promise<void> => {
  await db.run(sql`
    update menu set parent_id = ${m.parentId}, code = ${m.code}, name = ${m.name}, name_en = ${m.nameEn}, alias = ${m.alias}, path = ${m.path},
      source = ${m.source}, sort = ${m.sort}, category = ${m.category}, action = ${m.action}, is_open = ${m.isOpen}, remark = ${m.remark},
      updated_at = app_now(), updated_by = ${db.actor.userId}, version = version + 1
    where id = ${id} and not is_deleted`)
}
/** With what was granted of them: a new menu of the same code begins with nothing. */
export const removeMenus = async (db: TenantDb, ids: readonly string[]): Promise<void> => {
  await db.run(sql`delete from role_menu where menu_id = any(${[...ids]}::bigint[])`)
  await db.run(sql`delete from top_menu_menu where menu_id = any(${[...ids]}::bigint[])`)
  await db.run(sql`
    update menu set is_deleted = true, updated_at = app_now(), updated_by = ${db.actor.userId}, version = version + 1 where id = any(${[...ids]}::bigint[])`)
}
export const sortMenus = async (db: TenantDb, ids: readonly string[]): Promise<void> => {
  await db.run(sql`
    update menu m set sort = o.at, updated_at = app_now(), updated_by = ${db.actor.userId}, version = version + 1
    from unnest(${[...ids]}::bigint[]) with ordinality as o(id, at) where m.id = o.id and m.sort <> o.at`)
}
