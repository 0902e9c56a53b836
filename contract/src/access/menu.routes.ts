import { type Static, Type } from 'typebox'
import { exportJobView } from '../kernel/export-job.ts'
import { defineRoute } from '../kernel/route.ts'
import { id, ids, named, optional, strict, text } from '../kernel/schema.ts'
import { treeNode, treeOf } from '../kernel/tree.ts'
import { menuLevels } from './menu.ts'

/** A menu or a button as its administrators see it (S3.15, framework-contract 3.6). */
const menuRow = Type.Object({
  id: Type.String(),
  parentId: Type.String(),
  code: Type.String(),
  name: Type.String(),
  nameEn: Type.String(),
  alias: Type.String(),
  path: Type.String(),
  source: Type.String(),
  sort: Type.Integer(),
  /** 1 menu, 2 button. */
  category: Type.Integer(),
  /** Of a button: 1 toolbar, 2 row, 3 both; 0 for menus. */
  action: Type.Integer(),
  /** 2: opens in a window of its own. */
  isOpen: Type.Integer(),
  remark: Type.String(),
  /** 1: part of the program; its code stays and it cannot be removed. */
  isSystem: Type.Integer(),
  /** 1: of the platform's own administration; a tenant cannot grant it. */
  isPlatform: Type.Integer(),
  version: Type.Integer(),
})
export type MenuWire = Static<typeof menuRow>
/** The numbers of a row in the reader's words, as the framework's views have them; `actionName` is empty for menus. */
const words = { categoryName: Type.String(), actionName: Type.String(), isOpenName: Type.String() }
const menuShown = Type.Object({ ...menuRow.properties, ...words })
/** Menus of all levels and the buttons of the lowest. */
const menuTree = treeOf(menuShown, menuLevels + 1)
const menuLine = Type.Object({ ...menuShown.properties, parentName: Type.String(), hasChildren: Type.Boolean() })
export type MenuLine = Static<typeof menuLine>

const view = { staff: 'menu_view' } as const
const search = {
  code: optional(named({ zh: '菜单编号', en: 'Menu code' }, text(60))),
  name: optional(named({ zh: '菜单名称', en: 'Menu name' }, text(60))),
  alias: optional(named({ zh: '菜单别名', en: 'Alias' }, text(60))),
}

export const menu = {
  list: defineRoute({
    method: 'GET',
    path: '/blade-system/menu/list',
    access: view,
    input: strict(search),
    output: Type.Array(menuTree),
    tx: 'read',
    means: 'with a search: what fits and everything above it',
  }),
  lazyList: defineRoute({
    method: 'GET',
    path: '/blade-system/menu/lazy-list',
    access: view,
    input: strict({ parentId: optional(Type.Union([id(), Type.Literal('')])), ...search }),
    output: Type.Array(menuLine),
    tx: 'read',
    means: 'one level, buttons too; with a search the matches of every level, flat',
  }),
  menuList: defineRoute({
    method: 'GET',
    path: '/blade-system/menu/menu-list',
    access: view,
    input: strict(search),
    output: Type.Array(treeOf(menuShown, menuLevels)),
    tx: 'read',
    means: 'menus without their buttons; with a search: what fits and everything above it',
  }),
  lazyMenuList: defineRoute({
    method: 'GET',
    path: '/blade-system/menu/lazy-menu-list',
    access: view,
    input: strict({ parentId: optional(Type.Union([id(), Type.Literal('')])), ...search }),
    output: Type.Array(menuLine),
    tx: 'read',
    means: 'one level, menus only; with a search the menus of every level that fit, flat',
  }),
  tree: defineRoute({
    method: 'GET',
    path: '/blade-system/menu/tree',
    access: view,
    input: strict({}),
    output: Type.Array(treeOf(treeNode, menuLevels)),
    tx: 'read',
  }),
  detail: defineRoute({
    method: 'GET',
    path: '/blade-system/menu/detail',
    access: view,
    input: strict({ id: id() }),
    output: menuLine,
    tx: 'read',
  }),
  submit: defineRoute({
    method: 'POST',
    path: '/blade-system/menu/submit',
    also: ['POST /blade-system/menu/save', 'POST /blade-system/menu/update'],
    access: { staff: ['menu_add', 'menu_edit'] },
    input: strict({
      id: optional(Type.Union([id(), Type.Literal('')])),
      parentId: optional(Type.Union([id(), Type.Literal(''), Type.Null()])),
      code: text(60, {
        minLength: 1,
        pattern: '^[A-Za-z][A-Za-z0-9_-]{0,59}$',
        'x-label': { zh: '菜单编号', en: 'Code' },
        'x-required': { zh: '请输入菜单编号', en: 'Please enter the code' },
      }),
      name: text(60, {
        minLength: 1,
        'x-label': { zh: '菜单名称', en: 'Name' },
        'x-required': { zh: '请输入菜单名称', en: 'Please enter the name' },
      }),
      /** Absent: of a new one its name, else as it is. */
      nameEn: optional(
        text(100, {
          minLength: 1,
          'x-label': { zh: '英文名称', en: 'English name' },
          'x-required': { zh: '请输入英文名称', en: 'Please enter the English name' },
        }),
      ),
      alias: optional(text(60, { 'x-label': { zh: '菜单别名', en: 'Alias' } })),
      path: optional(text(255, { 'x-label': { zh: '路由地址', en: 'Path' } })),
      source: optional(text(60, { 'x-label': { zh: '菜单图标', en: 'Icon' } })),
      sort: Type.Integer({
        minimum: 0,
        maximum: 9999,
        'x-label': { zh: '排序', en: 'Order' },
        'x-required': { zh: '请输入排序', en: 'Please enter the order' },
      }),
      category: Type.Union([Type.Literal(1), Type.Literal(2)], {
        'x-label': { zh: '菜单类型', en: 'Kind' },
        'x-required': { zh: '请选择菜单类型', en: 'Please select the kind' },
      }),
      action: optional(Type.Integer({ minimum: 0, maximum: 3 })),
      /** 0, of clients that know 0 and 1: as 1. */
      isOpen: optional(Type.Integer({ minimum: 0, maximum: 2 })),
      remark: optional(text(255, { 'x-label': { zh: '备注', en: 'Remark' } })),
      version: optional(Type.Integer({ minimum: 0 })),
    }),
    output: Type.Object({ id: Type.String() }),
  }),
  remove: defineRoute({
    method: 'POST',
    path: '/blade-system/menu/remove',
    access: { staff: 'menu_delete' },
    input: strict({ ids: optional(ids()) }),
    output: Type.Object({ removed: Type.Integer() }),
  }),
  export: defineRoute({
    method: 'GET',
    path: '/blade-system/menu/export-menu',
    access: { staff: 'menu_export' },
    input: strict(search),
    output: exportJobView,
    answer: 'file',
    tx: 'own',
  }),
  sort: defineRoute({
    method: 'POST',
    path: '/blade-system/menu/sort',
    access: { staff: 'menu_edit' },
    input: strict({ ids: ids() }),
    several: { because: 'the order of the entries of one menu' },
    output: Type.Object({ sorted: Type.Integer() }),
    means: 'all items below one parent in their new order',
  }),
} as const

export const menuAdminRoutes = Object.values(menu)
