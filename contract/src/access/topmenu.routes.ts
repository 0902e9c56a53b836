import { Type } from 'typebox'
import { defineRoute } from '../kernel/route.ts'
import { flag, id, ids, optional, strict } from '../kernel/schema.ts'
import { treeNode, treeOf } from '../kernel/tree.ts'
import { menuLevels } from './menu.ts'

/** Which menus a tab of the top bar shows (S6.04, S7.20); a reader still sees of them only what their roles hold. */
export const topMenuGrant = defineRoute({
  method: 'POST',
  path: '/blade-system/topmenu/grant',
  access: { staff: 'topmenu_setting' },
  input: strict({
    topMenuIds: Type.Array(id(), { minItems: 1, maxItems: 50, 'x-required': { zh: '请选择至少一条数据', en: 'Select at least one row' } }),
    menuIds: Type.Array(id(), { maxItems: 1_000 }),
  }),
  output: Type.Object({ changed: Type.Integer() }),
  means: 'replaces the menus of each of the top menus',
})
export const topMenuTree = defineRoute({
  method: 'GET',
  path: '/blade-system/menu/grant-top-tree',
  access: { staff: 'topmenu_setting' },
  input: strict({}),
  output: Type.Object({ menu: Type.Array(treeOf(treeNode, menuLevels)) }),
  tx: 'read',
})
export const topMenuKeys = defineRoute({
  method: 'GET',
  path: '/blade-system/menu/top-tree-keys',
  access: { staff: 'topmenu_setting' },
  input: strict({ topMenuIds: ids() }),
  output: Type.Object({ menu: Type.Array(Type.String()) }),
  tx: 'read',
})
export const topMenuEnable = defineRoute({
  method: 'POST',
  path: '/blade-system/topmenu/enable',
  access: { staff: 'topmenu_edit' },
  input: strict({ id: id(), enable: optional(flag()) }),
  output: Type.Object({ isMain: Type.Integer() }),
  means: 'makes this the main one instead of whichever was; with `enable` 0 it is that no longer',
})
export const topMenuRoutes = [topMenuGrant, topMenuEnable, topMenuTree, topMenuKeys] as const
