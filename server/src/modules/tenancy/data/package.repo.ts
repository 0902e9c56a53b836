import { platformTenant } from '#contract/kernel/platform.ts'
import type { PlatformDb, TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'

/** The first page: a console without it shows nothing after the login. */
const always = ['wel']

/** Writes what a package means: codes of the chosen menus, of all above them and of their buttons. */
export const expandPackages = async (db: TenantDb, packageIds: readonly string[]): Promise<void> => {
  await db.run(sql`delete from tenant_package_menu where package_id = any(${[...packageIds]}::bigint[])`)
  await db.run(sql`
    with recursive chosen as (
      select k.id as package_id, m.id, m.parent_id from tenant_package k join menu m on m.id::text = any(string_to_array(k.menu_id, ',')) or m.code = any(${always})
      where k.id = any(${[...packageIds]}::bigint[]) and not k.is_deleted and not m.is_deleted),
    above as (
      select package_id, id, parent_id from chosen
      union select a.package_id, m.id, m.parent_id from above a join menu m on m.id = a.parent_id and not m.is_deleted)
    insert into tenant_package_menu (tenant_id, package_id, code)
    select ${db.actor.tenantId}, a.package_id, m.code from above a join menu m on m.id = a.id
    union select ${db.actor.tenantId}, c.package_id, m.code from chosen c join menu m on m.parent_id = c.id and m.category = 2 and not m.is_deleted`)
}

/** All of them, as at a start: a new release has other menus. */
export const expandAllPackages = async (db: TenantDb): Promise<void> => {
  const rows = await db.all(sql<{ id: string }>`select id::text as id from tenant_package`)
  await expandPackages(
    db,
    rows.map(row => row.id),
  )
}

/** @returns `menuId`: ids of the chosen menus, comma-joined */
export const findPackage = (
  db: PlatformDb,
  id: string,
): Promise<{ id: string; packageName: string; menuId: string; remark: string } | undefined> =>
  db.maybe(sql<{ id: string; packageName: string; menuId: string; remark: string }>`
    select id::text as id, package_name as "packageName", menu_id as "menuId", coalesce(remark, '') as remark from tenant_package
    where tenant_id = ${platformTenant} and id = ${id} and not is_deleted`)
