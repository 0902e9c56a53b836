import { type MenuWire, menu } from '#contract/access/menu.routes.ts'
import { refuse, refuseField } from '#contract/kernel/errors.ts'
import { idsOf } from '#contract/kernel/ids.ts'
import type { Label } from '#contract/kernel/label.ts'
import type { Refusal } from '#contract/kernel/refusal.ts'
import type { InputOf } from '#contract/kernel/route.ts'
import { allRoutes } from '#contract/registry.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, type Handler, handle, handleExport } from '#kernel/http/context.ts'
import { planMenus } from './commands/export-access.ts'
import {
  findMenuLine,
  insertMenu,
  isSearch,
  listAllMenus,
  listMenuLines,
  lockMenus,
  type MenuValues,
  removeMenus,
  sortMenus,
  updateMenu,
} from './data/menu-admin.repo.ts'
import { type MenuProblem, menuProblem, menuRemoval } from './domain/menu-place.ts'
import { treeWithAncestors } from './domain/menu-tree.ts'

type Submit = InputOf<typeof menu.submit>

const valuesOf = (input: Submit, before: MenuWire | undefined): MenuValues => {
  const isMenu = input.category === 1
  return {
    parentId: (input.parentId ?? before?.parentId) || '0',
    code: input.code,
    name: input.name.trim(),
    nameEn: input.nameEn?.trim() || before?.nameEn || input.name.trim(),
    alias: input.alias ?? before?.alias ?? '',
    path: isMenu ? (input.path ?? before?.path ?? '') : '',
    source: input.source ?? before?.source ?? '',
    sort: input.sort,
    category: input.category,
    action: isMenu ? 0 : input.action || before?.action || 2,
    isOpen: input.isOpen === undefined ? (before?.isOpen ?? 1) : input.isOpen || 1,
    remark: input.remark ?? before?.remark ?? '',
  }
}

/** A code that a route asks for is made by the program only: whoever could make its button could give the right away. */
const reservedProblem = (code: string): MenuProblem | undefined => {
  const isAsked = allRoutes().some(({ access }) => 'staff' in access && [access.staff].flat().includes(code as never))
  return isAsked
    ? { field: 'code', text: { zh: `编号 ${code} 由程序使用，不能新建`, en: `The code ${code} belongs to the program and cannot be made` } }
    : undefined
}

const submit = async (ctx: Ctx, db: TenantDb, input: Submit): Promise<{ id: string } | Refusal> => {
  const id = input.id || undefined
  if (!ctx.session?.permissions.has(id === undefined ? 'menu_add' : 'menu_edit')) return refuse('kernel/forbidden', {})
  const all = await lockMenus(db)
  const before = id === undefined ? undefined : all.find(item => item.id === id)
  if (id !== undefined && !before) return refuse('kernel/not-found', {})
  if (before && input.version !== undefined && input.version !== before.version) return refuse('kernel/changed-meanwhile', {})
  const values = valuesOf(input, before)
  const problem =
    menuProblem({ ...values, ...(id === undefined ? {} : { id }) }, all) ??
    (values.code === before?.code ? undefined : reservedProblem(values.code))
  if (problem) return refuseField(problem.field, problem.text)
  if (id !== undefined) await updateMenu(db, id, values)
  const savedId = id ?? (await insertMenu(db, values))
  await audit(db, ctx, {
    action: before ? 'menu.updated' : 'menu.added',
    entity: 'menu',
    entityId: savedId,
    ...(before ? { before } : {}),
    after: values,
  })
  return { id: savedId }
}

const remove = async (ctx: Ctx, db: TenantDb, raw: string | undefined): Promise<{ removed: number } | Refusal> => {
  const ids = idsOf(raw)
  if (ids.length === 0) return refuse('kernel/select-one', {})
  const all = await lockMenus(db)
  const wanted = all.filter(item => ids.includes(item.id))
  if (wanted.length !== ids.length) return refuse('kernel/not-found', {})
  const what = menuRemoval(ids, all)
  if (what) return refuse('kernel/in-use', { what })
  await removeMenus(db, ids)
  for (const before of wanted) await audit(db, ctx, { action: 'menu.removed', entity: 'menu', entityId: before.id, before })
  return { removed: wanted.length }
}

/** Siblings in a new order; the list must be all of them, so that no order is made up of half a picture. */
const sort = async (ctx: Ctx, db: TenantDb, raw: string): Promise<{ sorted: number } | Refusal> => {
  const ids = idsOf(raw)
  const all = await lockMenus(db)
  const wanted = all.filter(item => ids.includes(item.id))
  const parentId = wanted[0]?.parentId
  if (wanted.length !== ids.length) return refuse('kernel/not-found', {})
  const siblings = all.filter(item => item.parentId === parentId)
  if (siblings.length !== ids.length || wanted.some(item => item.parentId !== parentId)) return refuse('kernel/changed-meanwhile', {})
  await sortMenus(db, ids)
  await audit(db, ctx, {
    action: 'menu.sorted',
    entity: 'menu',
    entityId: parentId ?? '0',
    before: siblings.map(item => item.code),
    after: ids.map(id => wanted.find(item => item.id === id)?.code),
  })
  return { sorted: ids.length }
}

const isMenu = (item: MenuWire): boolean => item.category === 1

const categoryWords: Readonly<Record<number, Label>> = { 1: { zh: '菜单', en: 'Menu' }, 2: { zh: '按钮', en: 'Button' } }
const actionWords: Readonly<Record<number, Label>> = {
  1: { zh: '工具栏', en: 'Toolbar' },
  2: { zh: '操作栏', en: 'Row' },
  3: { zh: '工具栏和操作栏', en: 'Toolbar and row' },
}
const openWords: Readonly<Record<number, Label>> = { 1: { zh: '否', en: 'No' }, 2: { zh: '是', en: 'Yes' } }
const inWords =
  ({ say }: Ctx) =>
  <Row extends MenuWire>(row: Row) => {
    const word = (words: Readonly<Record<number, Label>>, value: number): string => say(words[value] ?? { zh: '', en: '' })
    return {
      ...row,
      categoryName: word(categoryWords, row.category),
      actionName: word(actionWords, row.action),
      isOpenName: word(openWords, row.isOpen),
    }
  }

/** The administration of menus and buttons (S7.17). What a person gets of them stands in `http.ts`. */
export const menuHandlers = (): Handler[] => [
  handle(menu.list, async ({ ctx, db, input }) => {
    const all = (await listAllMenus(db)).map(inWords(ctx))
    return treeWithAncestors(isSearch(input) ? (await listAllMenus(db, input)).map(inWords(ctx)) : all, all)
  }),
  handle(menu.lazyList, async ({ ctx, db, input }) => (await listMenuLines(db, input.parentId || '0', input)).map(inWords(ctx))),
  handle(menu.menuList, async ({ ctx, db, input }) => {
    const all = (await listAllMenus(db)).filter(isMenu).map(inWords(ctx))
    return treeWithAncestors(isSearch(input) ? (await listAllMenus(db, input)).filter(isMenu).map(inWords(ctx)) : all, all)
  }),
  handle(menu.lazyMenuList, async ({ ctx, db, input }) => {
    // A menu that has nothing but buttons below it does not open here.
    const parents = new Set((await listAllMenus(db)).filter(isMenu).map(item => item.parentId))
    const lines = await listMenuLines(db, input.parentId || '0', input)
    return lines.filter(isMenu).map(item => ({ ...inWords(ctx)(item), hasChildren: parents.has(item.id) }))
  }),
  handle(menu.tree, async ({ ctx, db }) => {
    const menus = (await listAllMenus(db)).filter(isMenu)
    const node = (item: MenuWire) => ({
      id: item.id,
      parentId: item.parentId,
      title: ctx.say({ zh: item.name, en: item.nameEn }),
      key: item.id,
      value: item.id,
      sort: item.sort,
    })
    return treeWithAncestors(menus.map(node), menus.map(node))
  }),
  handle(menu.detail, async ({ ctx, db, input }) => {
    const found = await findMenuLine(db, input.id)
    return found ? inWords(ctx)(found) : refuse('kernel/not-found', {})
  }),
  handle(menu.submit, ({ ctx, db, input }) => submit(ctx, db, input)),
  handle(menu.remove, ({ ctx, db, input }) => remove(ctx, db, input.ids)),
  handleExport(menu.export, async ({ ctx, input }) => {
    const { found, all } = await ctx.tx(async db => {
      const all = await listAllMenus(db)
      return { all, found: isSearch(input) ? await listAllMenus(db, input) : all }
    })
    return planMenus(ctx, input, found, all)
  }),
  handle(menu.sort, ({ ctx, db, input }) => sort(ctx, db, input.ids)),
]
