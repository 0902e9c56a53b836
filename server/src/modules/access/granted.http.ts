import { authRoutes, externalRoutes, mainMenu, menuButtons, menuRoutes, roleList, topMenus } from '#contract/access/granted.routes.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Handler, handle, sessionOf } from '#kernel/http/context.ts'
import { listGranted, listMenusAbove, type MenuRow } from './data/menu.repo.ts'
import { listNamesOfRoles } from './data/role.repo.ts'
import { listTopMenus } from './data/topmenu.repo.ts'
import { treeWithAncestors } from './domain/menu-tree.ts'

const presentMenu = ({ nameEn, roles, ...menu }: MenuRow) => ({ ...menu, meta: { i18n: { zh: menu.name, en: nameEn }, roles: [...roles] } })

/** What is granted, in its menus, granted or not. */
const grantedTree = async (db: TenantDb, granted: readonly MenuRow[]) =>
  treeWithAncestors(granted.map(presentMenu), (await listMenusAbove(db, granted)).map(presentMenu))

/** What the caller's own roles hold. */
export const grantedHandlers: readonly Handler[] = [
  handle(menuRoutes, async ({ ctx, db, input }) => grantedTree(db, await listGranted(db, sessionOf(ctx).roleIds, 1, input.topMenuId))),
  handle(externalRoutes, async ({ ctx, db }) => {
    const menus = await listGranted(db, sessionOf(ctx).roleIds, 1)
    return grantedTree(
      db,
      menus.filter(menu => /^https?:/i.test(menu.path)),
    )
  }),
  handle(authRoutes, async ({ ctx, db }) => {
    const menus = await listGranted(db, sessionOf(ctx).roleIds, 1)
    return menus.filter(menu => menu.path !== '').map(menu => ({ [menu.path]: { authority: [...menu.roles] } }))
  }),
  handle(menuButtons, async ({ ctx, db }) => grantedTree(db, await listGranted(db, sessionOf(ctx).roleIds, 2))),
  handle(topMenus, ({ ctx, db }) => listTopMenus(db, sessionOf(ctx).roleIds)),
  handle(mainMenu, async ({ ctx, db }) => (await listTopMenus(db, sessionOf(ctx).roleIds)).find(top => top.isMain === 1) ?? {}),
  handle(roleList, ({ ctx, db }) => listNamesOfRoles(db, sessionOf(ctx).roleIds, ctx.language)),
]
