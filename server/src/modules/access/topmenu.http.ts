import { menuPathProblem } from '#contract/access/menu.ts'
import { topmenu } from '#contract/access/topmenu.resource.ts'
import { topMenuEnable, topMenuGrant, topMenuKeys, topMenuTree } from '#contract/access/topmenu.routes.ts'
import { refuse, refuseField } from '#contract/kernel/errors.ts'
import { audit } from '#kernel/audit.ts'
import { crud } from '#kernel/crud/crud.ts'
import { type Handler, handle } from '#kernel/http/context.ts'
import { countMenus, listMenuTitles } from './data/menu.repo.ts'
import { dropShown, listShown, lockMain, lockTopMenus, setMain, setShown } from './data/topmenu.repo.ts'
import { treeWithAncestors } from './domain/menu-tree.ts'

/** Tabs of the top bar and the menus they show. */
export const topMenuHandlers: readonly Handler[] = [
  ...crud(topmenu, {
    // Clients of the framework know one name, and leave the path out where there is none.
    complete: ({ input, id }) => ({
      ...input,
      ...(id === undefined && input['nameEn'] === undefined && input['name'] ? { nameEn: input['name'] } : {}),
    }),
    prepare: async ({ input }) => {
      const problem = input['path'] ? menuPathProblem(String(input['path'])) : null
      return problem ? refuseField('path', problem) : input
    },
    afterWrite: async ({ db, before, after }) => {
      if (!after) await dropShown(db, String(before?.['id']))
    },
  }),
  handle(topMenuTree, async ({ ctx, db }) => {
    const menus = await listMenuTitles(db, ctx.language)
    const nodes = menus.map(menu => ({ ...menu, key: menu.id, value: menu.id }))
    return { menu: treeWithAncestors(nodes, nodes) as never }
  }),
  handle(topMenuKeys, async ({ db, input }) => {
    const rows = await listShown(db, input.topMenuIds.split(','))
    return { menu: [...new Set(rows.map(row => row.menuId))] }
  }),
  handle(topMenuEnable, async ({ ctx, db, input }) => {
    const isMain = input.enable !== 0
    const tops = await lockMain(db)
    if (!tops.some(top => top.id === input.id)) return refuse('kernel/not-found', {})
    const changed = tops.filter(top => (top.id === input.id ? top.isMain !== isMain : isMain && top.isMain))
    // The one that was goes first: there is never more than one.
    for (const top of changed.toSorted((a, b) => Number(b.isMain) - Number(a.isMain))) {
      await setMain(db, top.id, !top.isMain)
      await audit(db, ctx, {
        action: 'topmenu.main-set',
        entity: 'topmenu',
        entityId: top.id,
        before: { isMain: top.isMain ? 1 : 0 },
        after: { isMain: top.isMain ? 0 : 1 },
      })
    }
    return { isMain: isMain ? 1 : 0 }
  }),
  handle(topMenuGrant, async ({ ctx, db, input }) => {
    const [topMenuIds, menuIds] = [[...new Set(input.topMenuIds)], [...new Set(input.menuIds)]]
    const tops = await lockTopMenus(db, topMenuIds)
    // One that is not there, or another tenant's: nothing is done (decision 3.4).
    if (tops.length !== topMenuIds.length || (await countMenus(db, menuIds)) !== menuIds.length) return refuse('kernel/not-found', {})
    const before = await listShown(db, topMenuIds)
    await setShown(db, topMenuIds, menuIds)
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
