import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'

export interface TopMenuRow {
  readonly id: string
  readonly code: string
  readonly name: string
  readonly nameEn: string
  readonly source: string
  readonly sort: number
  /** 1: what the home item of the bar shows. */
  readonly isMain: number
}
/** Tabs of the top bar that show a menu of one of these roles. */
export const listTopMenus = (db: TenantDb, roleIds: readonly string[]): Promise<TopMenuRow[]> =>
  db.all(sql<TopMenuRow>`
    select t.id::text as id, t.code, t.name, t.name_en as "nameEn", t.source, t.sort, t.is_main::int as "isMain" from top_menu t
    where not t.is_deleted and exists (
      select 1 from top_menu_menu tm join role_menu rm on rm.menu_id = tm.menu_id
      join menu m on m.id = tm.menu_id and m.category = 1 and not m.is_deleted
      where tm.top_menu_id = t.id and rm.role_id = any(${[...roleIds]}::bigint[]))
    order by t.sort, t.id`)

/** Which live menus each of these tabs shows. */
export const listShown = (db: TenantDb, topMenuIds: readonly string[]): Promise<{ topMenuId: string; menuId: string }[]> =>
  db.all(sql<{ topMenuId: string; menuId: string }>`
    select tm.top_menu_id::text as "topMenuId", tm.menu_id::text as "menuId" from top_menu_menu tm join menu m on m.tenant_id = tm.tenant_id and m.id = tm.menu_id
    where tm.top_menu_id = any(${[...topMenuIds]}::bigint[]) and not m.is_deleted order by m.sort, m.id`)

export const lockTopMenus = (db: TenantDb, ids: readonly string[]): Promise<{ id: string; code: string }[]> =>
  db.all(sql<{ id: string; code: string }>`
    select id::text as id, code from top_menu where id = any(${[...ids]}::bigint[]) and not is_deleted order by id for update`)

/** The live tabs, held: which of them is the main one is changed by one person at a time. */
export const lockMain = (db: TenantDb): Promise<{ id: string; code: string; isMain: boolean }[]> =>
  db.all(sql<{ id: string; code: string; isMain: boolean }>`
    select id::text as id, code, is_main as "isMain" from top_menu where not is_deleted order by id for update`)
export const setMain = async (db: TenantDb, id: string, isMain: boolean): Promise<void> => {
  await db.run(sql`
    update top_menu set is_main = ${isMain}, updated_at = app_now(), updated_by = ${db.actor.userId}, version = version + 1 where id = ${id}`)
}

/** Each of these tabs shows just these menus; what the tenant's package hides at the moment stays where it was. */
export const setShown = async (db: TenantDb, topMenuIds: readonly string[], menuIds: readonly string[]): Promise<void> => {
  await db.run(sql`delete from top_menu_menu where top_menu_id = any(${[...topMenuIds]}::bigint[]) and menu_id in (select id from menu)`)
  await db.run(sql`
    insert into top_menu_menu (tenant_id, top_menu_id, menu_id)
    select ${db.actor.tenantId}, t.id, m.id from unnest(${[...topMenuIds]}::bigint[]) as t(id) cross join unnest(${[...menuIds]}::bigint[]) as m(id)`)
}

/** A tab that is gone shows nothing, also what the package hides. */
export const dropShown = async (db: TenantDb, topMenuId: string): Promise<void> => {
  await db.run(sql`delete from top_menu_menu where top_menu_id = ${topMenuId}`)
}
