import { refuseRole } from '#contract/access/role.errors.ts'
import { type GrantNode, type RoleKeys, type RoleWire, role, roleLevels } from '#contract/access/role.routes.ts'
import { isSystemRole } from '#contract/access/role.ts'
import { refuse, refuseField } from '#contract/kernel/errors.ts'
import { idsOf } from '#contract/kernel/ids.ts'
import type { Label } from '#contract/kernel/label.ts'
import { isRefusal, type Refusal } from '#contract/kernel/refusal.ts'
import type { InputOf } from '#contract/kernel/route.ts'
import { isFoundIn } from '#contract/kernel/search-fold.ts'
import { audit } from '#kernel/audit.ts'
import { duplicateValue } from '#kernel/crud/duplicate.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, type Handler, handle, handleExport, type Session, sessionOf } from '#kernel/http/context.ts'
import { planRoles } from './commands/export-access.ts'
import { ceilingFor, grantRoles, keeperOf } from './commands/grant-role.ts'
import { listAllMenus } from './data/menu-admin.repo.ts'
import { userScope } from './data/organisation-scope.ts'
import {
  countHolders,
  type Held,
  insertRole,
  listAllHeld,
  listNamesOfRoles,
  listRoles,
  listScopes,
  lockRoles,
  mostHolders,
  type RoleRow,
  type RoleValues,
  removeRoles,
  switchPullBack,
  updateRole,
} from './data/role.repo.ts'
import { findDepartmentsOf, menusOfRoles, rolesOfUsers, staffRoles } from './data/role-rights.repo.ts'
import { isApart } from './domain/hand-out.ts'
import { treeWithAncestors } from './domain/menu-tree.ts'
import { isKeeper, mayManage, mayPlace } from './domain/role-grant.ts'
import { roleTitle } from './domain/role-title.ts'

const byId = (rows: readonly RoleRow[]): ReadonlyMap<string, RoleRow> => new Map(rows.map(row => [row.id, row]))

/** Each role with its people and what this reader may do to it. */
const shown = async (session: Session, db: TenantDb): Promise<RoleWire[]> => {
  const [rows, holders] = await Promise.all([listRoles(db), countHolders(db)])
  const all = byId(rows)
  const keeper = keeperOf(session)
  return rows.map(row => ({
    ...row,
    holders: holders.get(row.id) ?? 0,
    mayManage: !mayManage(keeper, row, all) ? 0 : session.roleIds.includes(row.id) ? 1 : 2,
  }))
}

const texts = {
  parent: { zh: '上级角色不存在', en: 'There is no such parent' },
  circle: { zh: '不能移到自己的下级', en: 'A role cannot be moved below itself' },
  depth: { zh: `角色最多 ${roleLevels} 级`, en: `Roles have at most ${roleLevels} levels` },
  place: { zh: '请选择您自己的角色或其下级作为上级', en: 'Choose a role of your own, or one below it, as the parent' },
} satisfies Readonly<Record<string, Label>>

const placeProblem = (values: RoleValues, id: string | undefined, all: ReadonlyMap<string, RoleRow>): Refusal | undefined => {
  if (values.parentId !== '0' && !all.has(values.parentId)) return refuseField('parentId', texts.parent)
  let above = 0
  for (let at = all.get(values.parentId); at; at = all.get(at.parentId)) {
    if (at.id === id) return refuseField('parentId', texts.circle)
    above += 1
  }
  const depthOf = (of: string): number =>
    Math.max(0, ...[...all.values()].filter(row => row.parentId === of).map(row => 1 + depthOf(row.id)))
  if (above + 1 + (id === undefined ? 0 : depthOf(id)) > roleLevels) return refuseField('parentId', texts.depth)
  return undefined
}

const submit = async (ctx: Ctx, db: TenantDb, input: InputOf<typeof role.submit>): Promise<{ id: string } | Refusal> => {
  const session = sessionOf(ctx)
  const id = input.id || undefined
  if (!session.permissions.has(id === undefined ? 'role_add' : 'role_edit')) return refuse('kernel/forbidden', {})
  const all = byId(await lockRoles(db))
  const keeper = keeperOf(session)
  const before = id === undefined ? undefined : all.get(id)
  if (id !== undefined && !before) return refuse('kernel/not-found', {})
  if (before && !mayManage(keeper, before, all)) return refuseRole('role/not-yours', { role: roleTitle(before) })
  if (before && input.version !== undefined && input.version !== before.version) return refuse('kernel/changed-meanwhile', {})
  if (before?.isSystem === 1 && before.roleAlias !== input.roleAlias) return refuseRole('role/system', { role: roleTitle(before) })
  const values: RoleValues = {
    parentId: (input.parentId ?? before?.parentId) || '0',
    roleName: input.roleName.trim(),
    roleNameEn: input.roleNameEn ?? before?.roleNameEn ?? '',
    roleAlias: input.roleAlias,
    sort: input.sort,
  }
  const problem = placeProblem(values, id, all)
  if (problem) return problem
  if (values.parentId !== before?.parentId && !mayPlace(keeper, values.parentId, all)) return refuseField('parentId', texts.place)
  const others = [...all.values()].filter(row => row.id !== id)
  // A role of the program that is not there cannot be made by hand: the alias alone would carry its powers.
  if (others.some(row => row.roleAlias === values.roleAlias) || (!before && isSystemRole(values.roleAlias)))
    return duplicateValue('roleAlias', { zh: '角色别名', en: 'The alias' }, values.roleAlias)
  if (others.some(row => row.roleName === values.roleName))
    return duplicateValue('roleName', { zh: '角色名称', en: 'The name' }, values.roleName)
  if (before && !before.isSystem && isSystemRole(values.roleAlias))
    return duplicateValue('roleAlias', { zh: '角色别名', en: 'The alias' }, values.roleAlias)
  if (id !== undefined) await updateRole(db, id, values)
  const savedId = id ?? (await insertRole(db, values))
  await audit(db, ctx, {
    action: before ? 'role.updated' : 'role.added',
    entity: 'role',
    entityId: savedId,
    ...(before ? { before } : {}),
    after: values,
  })
  return { id: savedId }
}

const remove = async (ctx: Ctx, db: TenantDb, raw: string | undefined): Promise<{ removed: number } | Refusal> => {
  const ids = idsOf(raw)
  if (ids.length === 0) return refuse('kernel/select-one', {})
  const all = byId(await lockRoles(db))
  const keeper = keeperOf(sessionOf(ctx))
  const wanted: RoleRow[] = []
  const granter = { aliases: keeper.roleAliases, menuIds: await menusOfRoles(db, keeper.roleIds) }
  const rights = await staffRoles(db, ids)
  const holders = await countHolders(db)
  for (const id of ids) {
    const found = all.get(id)
    if (!found) return refuse('kernel/not-found', {})
    // With the role goes what it holds.
    if (!mayManage(keeper, found, all) || rights.some(role => role.id === id && isApart(granter, role)))
      return refuseRole('role/not-yours', { role: roleTitle(found) })
    if (found.isSystem === 1) return refuseRole('role/system', { role: roleTitle(found) })
    const count = holders.get(id) ?? 0
    if (count > 0) return refuseRole('role/held', { role: roleTitle(found), count: count > mostHolders ? `${mostHolders}+` : count })
    const left = [...all.values()].filter(row => row.parentId === id && !ids.includes(row.id)).length
    if (left > 0)
      return refuse('kernel/in-use', {
        what: { zh: `${found.roleName} 还有 ${left} 个下级`, en: `${found.roleAlias} has ${left} below it` },
      })
    wanted.push(found)
  }
  await removeRoles(db, ids)
  for (const before of wanted) await audit(db, ctx, { action: 'role.removed', entity: 'role', entityId: before.id, before })
  return { removed: wanted.length }
}

const changeIsBack = async (ctx: Ctx, db: TenantDb, input: InputOf<typeof role.changeIsBack>): Promise<{ changed: number } | Refusal> => {
  const all = byId(await lockRoles(db))
  const keeper = keeperOf(sessionOf(ctx))
  const named = input.id === undefined ? undefined : all.get(input.id)
  if (input.id !== undefined && !named) return refuse('kernel/not-found', {})
  if (named && !mayManage(keeper, named, all)) return refuseRole('role/not-yours', { role: roleTitle(named) })
  if (named?.isBack === -1) return refuseRole('role/no-review', { role: roleTitle(named) })
  const wanted = named ? [named] : [...all.values()].filter(row => row.isBack !== -1 && mayManage(keeper, row, all))
  const switched = wanted.filter(row => row.isBack !== input.status)
  await switchPullBack(
    db,
    switched.map(row => row.id),
    input.status,
  )
  for (const row of switched)
    await audit(db, ctx, {
      action: 'role.pull-back-switched',
      entity: 'role',
      entityId: row.id,
      before: { isBack: row.isBack },
      after: { isBack: input.status },
    })
  return { changed: switched.length }
}

/** What all of these roles hold. */
const keysOf = async (db: TenantDb, raw: string): Promise<RoleKeys | Refusal> => {
  const roleIds = idsOf(raw)
  const [held, roles] = await Promise.all([listAllHeld(db, roleIds), listRoles(db)])
  const live = new Set(roles.map(row => row.id))
  if (roleIds.some(id => !live.has(id))) return refuse('kernel/not-found', {})
  const common = (what: Held): string[] => {
    const [first = new Set<string>(), ...rest] = [...held[what].values()]
    return [...first].filter(id => rest.every(set => set.has(id)))
  }
  return { menu: common('menu'), dataScope: common('dataScope'), apiScope: common('apiScope') }
}

type Line = GrantNode & { readonly sort: number }
const lineOf = (id: string, parentId: string, title: string, kind: number, code: string, may: number, sort: number): Line => ({
  id,
  parentId,
  title,
  key: id,
  value: id,
  kind,
  code,
  may,
  sort,
})

/** Menus, data scopes and API scopes that this person may give, with the menus above them. */
const grantTrees = async (ctx: Ctx, db: TenantDb) => {
  const keeper = keeperOf(sessionOf(ctx))
  const [menus, ceiling] = [await listAllMenus(db), await ceilingFor(db, keeper)]
  const lines = menus.map(item =>
    lineOf(
      item.id,
      item.parentId,
      ctx.say({ zh: item.name, en: item.nameEn }),
      item.category,
      item.code,
      ceiling.has(item.id) ? 1 : 0,
      item.sort,
    ),
  )
  const groups = lines.filter(line => line.kind === 1).map(line => ({ ...line, may: 0 }))
  const scopes = async (what: 'dataScope' | 'apiScope') => {
    if (!isKeeper(keeper)) return []
    const own = (await listScopes(db, what)).map((scope, at) => lineOf(scope.id, scope.menuId, scope.name, 3, scope.code, 1, at))
    return treeWithAncestors(own, groups)
  }
  return {
    menu: treeWithAncestors(
      lines.filter(line => line.may === 1),
      lines,
    ),
    dataScope: await scopes('dataScope'),
    apiScope: await scopes('apiScope'),
  }
}

const fitting =
  ({ roleName = '', roleAlias = '' }: InputOf<typeof role.list>) =>
  (row: RoleWire): boolean =>
    (isFoundIn(row.roleName, roleName) || isFoundIn(row.roleNameEn, roleName)) && isFoundIn(row.roleAlias, roleAlias)

const nameOf = (ctx: Ctx, row: RoleRow): string => ctx.say({ zh: row.roleName, en: row.roleNameEn || row.roleName })
const treeOfRoles = (ctx: Ctx, rows: readonly RoleRow[]) => {
  const nodes = rows.map(row => ({
    id: row.id,
    parentId: row.parentId,
    title: nameOf(ctx, row),
    key: row.id,
    value: row.id,
    sort: row.sort,
  }))
  return treeWithAncestors(nodes, nodes)
}

/** Without a name: the roles of this session. */
const rolesOfPerson = async (ctx: Ctx, db: TenantDb, userId: string | undefined): Promise<readonly string[] | Refusal> => {
  const session = sessionOf(ctx)
  if (userId === undefined || userId === session.userId) return session.roleIds
  if (!session.permissions.has('user_view')) return refuse('kernel/forbidden', {})
  if (!(await findDepartmentsOf(db, userId, userScope(session)))) return refuse('kernel/not-found', {})
  return (await rolesOfUsers(db, [userId])).map(row => row.id)
}

/** Roles and what they hold (S7.20). The caller's own names stand in `http.ts`. */
export const roleHandlers = (): Handler[] => [
  handle(role.list, async ({ ctx, db, input }) => {
    const all = await shown(sessionOf(ctx), db)
    return treeWithAncestors(all.filter(fitting(input)), all)
  }),
  handle(role.tree, async ({ ctx, db }) => treeOfRoles(ctx, await listRoles(db))),
  handle(role.treeById, async ({ ctx, db, input }) => {
    const rows = await listRoles(db)
    return rows.some(row => row.id === input.roleId) ? treeOfRoles(ctx, rows) : refuse('kernel/not-found', {})
  }),
  handle(role.alias, async ({ ctx, db }) => (await listRoles(db)).map(row => ({ roleName: nameOf(ctx, row), roleAlias: row.roleAlias }))),
  handle(role.select, async ({ ctx, db, input }) => {
    const ids = input.roleId === undefined ? await rolesOfPerson(ctx, db, input.userId) : idsOf(input.roleId)
    return isRefusal(ids) ? ids : listNamesOfRoles(db, ids, ctx.language)
  }),
  handle(role.detail, async ({ ctx, db, input }) => {
    const all = await shown(sessionOf(ctx), db)
    const found = all.find(row => row.id === input.id)
    return found ? { ...found, parentName: all.find(row => row.id === found.parentId)?.roleName ?? '' } : refuse('kernel/not-found', {})
  }),
  handleExport(role.export, async ({ ctx, input }) => {
    const all = await ctx.tx(db => shown(sessionOf(ctx), db))
    return planRoles(ctx, input, all.filter(fitting(input)), all)
  }),
  handle(role.submit, ({ ctx, db, input }) => submit(ctx, db, input)),
  handle(role.remove, ({ ctx, db, input }) => remove(ctx, db, input.ids)),
  handle(role.grant, ({ ctx, db, input }) => grantRoles(ctx, db, input)),
  handle(role.treeKeys, ({ db, input }) => keysOf(db, input.roleIds)),
  handle(role.menuTreeKeys, ({ db, input }) => keysOf(db, input.roleIds)),
  handle(role.grantTree, ({ ctx, db }) => grantTrees(ctx, db)),
  handle(role.changeIsBack, ({ ctx, db, input }) => changeIsBack(ctx, db, input)),
]
