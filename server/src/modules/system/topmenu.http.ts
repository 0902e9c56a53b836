import { refuse } from '#contract/kernel/errors.ts'
import { topmenu } from '#contract/system/topmenu.resource.ts'
import { topMenuGrant, topMenuKeys, topMenuTree } from '#contract/system/topmenu.routes.ts'
import { audit } from '#kernel/audit.ts'
import { crud } from '#kernel/crud/crud.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import { type Handler, handle } from '#kernel/http/context.ts'
import { treeWithAncestors } from './domain/menu-tree.ts'

const shownIn = (db: TenantDb, topMenuIds: readonly string[]): Promise<{ topMenuId: string; menuId: string }[]> =>
  db.all(sql<{ topMenuId: string; menuId: string }>`
    select tm.top_menu_id::text as "topMenuId", tm.menu_id::text as "menuId" from top_menu_menu tm join menu m on m.tenant_id = tm.tenant_id and m.id = tm.menu_id
    where tm.top_menu_id = any(${[...topMenuIds]}::bigint[]) and not m.is_deleted order by m.sort, m.id`)

/** Tabs of the top bar and the menus they show. */
export const topMenuHandlers: readonly Handler[] = [
  ...crud(topmenu, {
    // A tab that is gone shows nothing, also when another one takes its place.
    afterWrite: async ({ db, before, after }) => {
      if (!after) await db.run(sql`delete from top_menu_menu where top_menu_id = ${String(before?.['id'])}`)
    },
  }),
  handle(topMenuTree, async ({ ctx, db }) => {
    const menus = await db.all(sql<{ id: string; parentId: string; title: string; sort: number }>`
      select id::text as id, parent_id::text as "parentId", case when ${ctx.language === 'en'} and name_en <> '' then name_en else name end as title, sort
      from menu where category = 1 and not is_deleted order by sort, id`)
    const nodes = menus.map(menu => ({ ...menu, key: menu.id, value: menu.id }))
    return { menu: treeWithAncestors(nodes, nodes) as never }
  }),
  handle(topMenuKeys, async ({ db, input }) => {
    const rows = await shownIn(db, input.topMenuIds.split(','))
    return { menu: [...new Set(rows.map(row => row.menuId))] }
  }),
  handle(topMenuGrant, async ({ ctx, db, input }) => {
    const [topMenuIds, menuIds] = [[...new Set(input.topMenuIds)], [...new Set(input.menuIds)]]
    const tops = await db.all(
      sql<{
        id: string
        code: string
      }>`select id::text as id, code from top_menu where id = any(${topMenuIds}::bigint[]) and not is_deleted order by id for update`,
    )
    const { known } = await db.one(
      sql<{
        known: number
      }>`select count(*)::int as known from menu where id = any(${menuIds}::bigint[]) and category = 1 and not is_deleted`,
    )
    // One that is not there, or another tenant's: nothing is done (decision 3.4).
    if (tops.length !== topMenuIds.length || known !== menuIds.length) return refuse('kernel/not-found', {})
    const before = await shownIn(db, topMenuIds)
    // What the tenant's package hides at the moment stays where it was.
    await db.run(sql`delete from top_menu_menu where top_menu_id = any(${topMenuIds}::bigint[]) and menu_id in (select id from menu)`)
    await db.run(sql`
      insert into top_menu_menu (tenant_id, top_menu_id, menu_id)
      select ${db.actor.tenantId}, t.id, m.id from unnest(${topMenuIds}::bigint[]) as t(id) cross join unnest(${menuIds}::bigint[]) as m(id)`)
    for (const top of tops)
      await audit(db, ctx, {
        action: 'topmenu.granted',
        entity: 'topmenu',
        entityId: top.id,
        before: { menuIds: before.filter(row => row.topMenuId === top.id).map(row => row.menuId) },
        after: { menuIds },
      })
    return { changed: tops.length }
  }),
]
