import {
  authRoutes,
  externalRoutes,
  frameworkButtons,
  mainMenu,
  menuButtons,
  menuRoutes,
  roleList,
  topMenus,
} from '#contract/access/granted.routes.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, type Handler, handle, sessionOf } from '#kernel/http/context.ts'
import type { KeptAnswers } from '#kernel/http/kept-answers.ts'
import { listGranted, listMenusAbove, type MenuRow } from './data/menu.repo.ts'
import { listNamesOfRoles } from './data/role.repo.ts'
import { listTopMenus } from './data/topmenu.repo.ts'
import { type Tree, treeWithAncestors } from './domain/menu-tree.ts'
import { presentMenu } from './domain/present-menu.ts'

/** What is granted, in its menus, granted or not. */
const grantedTree = async (ctx: Ctx, db: TenantDb, granted: readonly MenuRow[]) => {
  const present = presentMenu(sessionOf(ctx).roleAliases)
  return treeWithAncestors(granted.map(present), (await listMenusAbove(db, granted)).map(present))
}
type Node = Tree<ReturnType<ReturnType<typeof presentMenu>>>
/** With the names besides under which clients of the framework look for some of the buttons. */
const withFrameworkNames = (nodes: readonly Node[]): Node[] =>
  nodes.flatMap(node => {
    const named = frameworkButtons[node.code]
    const own = node.children ? { ...node, children: withFrameworkNames(node.children) } : node
    return named === undefined ? [own] : [own, { ...own, code: named }]
  })

/** Asked with every page that is loaded, and the same for everybody with the same roles: kept until menus, roles or grants change. */
const keptOfRoles = (kept: KeptAnswers, ctx: Ctx, what: string, make: (db: TenantDb) => Promise<unknown>) => {
  const { roleIds, roleAliases } = sessionOf(ctx)
  return kept.of(ctx.tenantId, [what, ...roleIds, ...roleAliases].join(' '), () => ctx.tx(make))
}

/** What the caller's own roles hold. */
export const grantedHandlers = (kept: KeptAnswers): readonly Handler[] => [
  handle(menuRoutes, ({ ctx, input }) =>
    keptOfRoles(kept, ctx, `routes ${input.topMenuId ?? ''}`, async db =>
      grantedTree(ctx, db, await listGranted(db, sessionOf(ctx).roleIds, 1, input.topMenuId)),
    ),
  ),
  handle(externalRoutes, async ({ ctx, db }) => {
    const menus = await listGranted(db, sessionOf(ctx).roleIds, 1)
    return grantedTree(
      ctx,
      db,
      menus.filter(menu => /^https?:/i.test(menu.path)),
    )
  }),
  handle(authRoutes, async ({ ctx, db }) => {
    const menus = await listGranted(db, sessionOf(ctx).roleIds, 1)
    return menus.filter(menu => menu.path !== '').map(menu => ({ [menu.path]: { authority: [...menu.roles] } }))
  }),
  handle(menuButtons, ({ ctx }) =>
    keptOfRoles(kept, ctx, 'buttons', async db =>
      withFrameworkNames(await grantedTree(ctx, db, await listGranted(db, sessionOf(ctx).roleIds, 2))),
    ),
  ),
  handle(topMenus, ({ ctx, db }) => listTopMenus(db, sessionOf(ctx).roleIds)),
  handle(mainMenu, async ({ ctx, db }) => (await listTopMenus(db, sessionOf(ctx).roleIds)).find(top => top.isMain === 1) ?? {}),
  handle(roleList, ({ ctx, db }) => listNamesOfRoles(db, sessionOf(ctx).roleIds, ctx.language)),
]
