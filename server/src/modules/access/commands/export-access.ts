import type { MenuWire } from '#contract/access/menu.routes.ts'
import type { RoleWire } from '#contract/access/role.routes.ts'
import type { Label } from '#contract/kernel/label.ts'
import { type ExportColumn, planSheet } from '#kernel/crud/export.ts'
import type { Ctx, ExportPlan } from '#kernel/http/context.ts'
import { mostHolders } from '../data/role.repo.ts'

const words = {
  yes: { zh: '是', en: 'yes' },
  no: { zh: '否', en: 'no' },
  top: { zh: '顶级', en: 'Top level' },
  menu: { zh: '菜单', en: 'Menu' },
  button: { zh: '按钮', en: 'Button' },
} satisfies Readonly<Record<string, Label>>

interface Node {
  readonly id: string
  readonly parentId: string
}
/** Rows of a tree as they are read: each one below its parent, with the names of those above it. */
const inOrder = <R extends Node>(rows: readonly R[], nameOf: (row: R) => string): { readonly row: R; readonly above: string }[] => {
  const ids = new Set(rows.map(row => row.id))
  const below = Map.groupBy(rows, row => (ids.has(row.parentId) ? row.parentId : ''))
  const walk = (parentId: string, above: string): { row: R; above: string }[] =>
    (below.get(parentId) ?? []).flatMap(row => [{ row, above }, ...walk(row.id, above === '' ? nameOf(row) : `${above} / ${nameOf(row)}`)])
  return walk('', '')
}

/**
 * Roles with those above them and how many people hold them.
 *
 * @param found - what fits; `all` tells where it stands
 */
export const planRoles = (ctx: Ctx, filter: object, found: readonly RoleWire[], all: readonly RoleWire[]): ExportPlan => {
  const yes = (is: boolean) => ctx.say(is ? words.yes : words.no)
  const wanted = new Set(found.map(row => row.id))
  const rows = inOrder(all, row => ctx.say({ zh: row.roleName, en: row.roleNameEn || row.roleName })).filter(({ row }) =>
    wanted.has(row.id),
  )
  const columns: readonly ExportColumn<{ row: RoleWire; above: string }>[] = [
    { name: 'parent', label: { zh: '上级角色', en: 'Parent' }, value: ({ above }) => above || ctx.say(words.top) },
    { name: 'roleName', label: { zh: '角色名称', en: 'Name' }, value: ({ row }) => row.roleName },
    { name: 'roleNameEn', label: { zh: '英文名称', en: 'English name' }, value: ({ row }) => row.roleNameEn },
    { name: 'roleAlias', label: { zh: '角色别名', en: 'Alias' }, value: ({ row }) => row.roleAlias },
    { name: 'sort', label: { zh: '排序', en: 'Order' }, kind: 'number', value: ({ row }) => row.sort },
    {
      name: 'holders',
      label: { zh: '持有人数', en: 'Holders' },
      value: ({ row }) => (row.holders > mostHolders ? `${mostHolders}+` : String(row.holders)),
    },
    {
      name: 'isBack',
      label: { zh: '可撤回审核', en: 'May pull back' },
      value: ({ row }) => (row.isBack === -1 ? '' : yes(row.isBack === 1)),
    },
    { name: 'isSystem', label: { zh: '系统角色', en: 'Of the program' }, value: ({ row }) => yes(row.isSystem === 1) },
  ]
  return planSheet(ctx, {
    label: { zh: '角色', en: 'Roles' },
    action: 'role.exported',
    entity: 'role',
    filter,
    total: rows.length,
    columns,
    rows,
  })
}

/**
 * Menus and buttons, each below its menu.
 *
 * @param found - what fits; `all` tells where it stands
 */
export const planMenus = (ctx: Ctx, filter: object, found: readonly MenuWire[], all: readonly MenuWire[]): ExportPlan => {
  const yes = (is: boolean) => ctx.say(is ? words.yes : words.no)
  const wanted = new Set(found.map(row => row.id))
  const rows = inOrder(all, row => ctx.say({ zh: row.name, en: row.nameEn })).filter(({ row }) => wanted.has(row.id))
  const columns: readonly ExportColumn<{ row: MenuWire; above: string }>[] = [
    { name: 'parent', label: { zh: '上级菜单', en: 'Parent' }, value: ({ above }) => above || ctx.say(words.top) },
    { name: 'code', label: { zh: '菜单编号', en: 'Code' }, value: ({ row }) => row.code },
    { name: 'name', label: { zh: '菜单名称', en: 'Name' }, value: ({ row }) => row.name },
    { name: 'nameEn', label: { zh: '英文名称', en: 'English name' }, value: ({ row }) => row.nameEn },
    { name: 'alias', label: { zh: '菜单别名', en: 'Alias' }, value: ({ row }) => row.alias },
    {
      name: 'category',
      label: { zh: '菜单类型', en: 'Kind' },
      value: ({ row }) => ctx.say(row.category === 1 ? words.menu : words.button),
    },
    { name: 'path', label: { zh: '路由地址', en: 'Path' }, value: ({ row }) => row.path },
    { name: 'source', label: { zh: '菜单图标', en: 'Icon' }, value: ({ row }) => row.source },
    { name: 'sort', label: { zh: '排序', en: 'Order' }, kind: 'number', value: ({ row }) => row.sort },
    { name: 'isOpen', label: { zh: '新窗口', en: 'Window of its own' }, value: ({ row }) => yes(row.isOpen === 2) },
    { name: 'isSystem', label: { zh: '系统菜单', en: 'Of the program' }, value: ({ row }) => yes(row.isSystem === 1) },
    { name: 'remark', label: { zh: '备注', en: 'Remark' }, value: ({ row }) => row.remark },
  ]
  return planSheet(ctx, {
    label: { zh: '菜单', en: 'Menus' },
    action: 'menu.exported',
    entity: 'menu',
    filter,
    total: rows.length,
    columns,
    rows,
  })
}
