import { organisationTargets, unitTargets } from '#contract/access/data-scope.ts'
import type { AccessReport, Right } from '#contract/access/view-as.routes.ts'
import { refuse } from '#contract/kernel/errors.ts'
import { isRefusal } from '#contract/kernel/refusal.ts'
import { isOfTenants, type Resource } from '#contract/kernel/resource.ts'
import { resources } from '#contract/nouns.ts'
import { ruledNouns } from '#contract/registry.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { readingAs } from '#kernel/http/background.ts'
import { type Ctx, type Handler, Refused, type Session } from '#kernel/http/context.ts'
import { fieldGate } from '#kernel/http/field-rule.ts'
import { listGranted, listMenusAbove } from '../data/menu.repo.ts'
import { listAllMenus } from '../data/menu-admin.repo.ts'
import { userScope } from '../data/organisation-scope.ts'
import { listNamesOfRoles } from '../data/role.repo.ts'
import { countStaff } from '../data/role-rights.repo.ts'
import { listGrants, listScopeNames, statusOf } from '../data/view-as.repo.ts'
import type { AccessDeps } from '../deps.ts'
import { treeWithAncestors } from '../domain/menu-tree.ts'
import { presentMenu } from '../domain/present-menu.ts'

/** How the composed application answers lists; bound when all modules are there. */
export type ListsOf = (place: string) => Handler | undefined

const shownRows = 20

/** Lists of plain nouns; they only read. */
const listed: readonly Resource[] = resources.filter(
  resource => isOfTenants(resource) && (resource.verbs.includes('page') || resource.verbs.includes('list')),
)
const placeOf = ({ basePath, verbs }: Resource): string => `GET ${basePath}/${verbs.includes('page') ? 'page' : 'list'}`
const labelOf = (code: string) =>
  [...listed.map(one => ({ code: one.permission, label: one.label })), ...organisationTargets, ...unitTargets].find(
    one => one.code === code,
  )?.label

interface Page {
  readonly total: number
  readonly records: readonly Readonly<Record<string, unknown>>[]
}

/** The list as this session would get it; undefined when it does not come without more to choose. */
const listAs = async (lists: ListsOf, asker: Session, reader: Ctx, resource: Resource, size: number): Promise<Page | undefined> => {
  const handler = lists(placeOf(resource))
  if (!handler || !reader.session?.permissions.has(`${resource.permission}_view`)) return undefined
  try {
    const page = await reader.tx(async db => handler.run({ ctx: reader, db, input: { current: 1, size } as never }))
    // What the person sees, and of that no more than who asks sees themselves.
    return isRefusal(page) ? undefined : (fieldGate(handler.route).show(asker, page) as Page)
  } catch (error) {
    if (error instanceof Refused) return undefined
    throw error
  }
}

/** Whether the one who asks sees every row of a noun themselves: only then may others' rows be shown to them. */
const seesAll = (session: Session, code: string): boolean =>
  session.departments === null &&
  session.permissions.has(`${code}_view`) &&
  (session.wideResources.includes(code) || session.rowRules.every(rule => rule.resource !== code))

const personOf = async (deps: AccessDeps, db: TenantDb, asker: Session, userId: string): Promise<Session> => {
  const scope = userScope(asker)
  if (scope && (await countStaff(db, [userId], scope)) === 0) throw new Refused(refuse('kernel/not-found', {}))
  const session = await deps.auth.sessionOfUser(db, userId)
  if (!session) throw new Refused(refuse('kernel/not-found', {}))
  return session
}

/** Every menu and button of the person with its place and the roles it comes through. */
const rightsOf = async (ctx: Ctx, db: TenantDb, session: Session): Promise<Right[]> => {
  const menus = new Map((await listAllMenus(db)).map(menu => [menu.id, menu]))
  const rows = await listGrants(db, session.roleIds)
  const nameOf = (menu: { name: string; nameEn: string }): string => ctx.say({ zh: menu.name, en: menu.nameEn })
  const placeOfMenu = (id: string): string => {
    const menu = menus.get(id)
    if (!menu) return ''
    const above = placeOfMenu(menu.parentId)
    return above === '' ? nameOf(menu) : `${above} › ${nameOf(menu)}`
  }
  const held = new Map<string, string[]>()
  for (const { menuId, role } of rows) held.set(menuId, [...(held.get(menuId) ?? []), role])
  return [...menus.values()]
    .filter(menu => held.has(menu.id))
    .map(menu => ({
      id: menu.id,
      kind: menu.category,
      place: placeOfMenu(menu.parentId),
      name: nameOf(menu),
      code: menu.code,
      roles: held.get(menu.id) ?? [],
    }))
    .sort((a, b) => (`${a.place} ${a.code}` < `${b.place} ${b.code}` ? -1 : 1))
}

const rulesOf = async (db: TenantDb, session: Session): Promise<AccessReport['rules']> => {
  const rows = await listScopeNames(db, session.roleIds)
  const codes = [...new Set(rows.map(row => row.resource))].filter(code => !session.wideResources.includes(code))
  return codes.map(code => ({
    resource: code,
    label: labelOf(code) ?? { zh: code, en: code },
    names: rows.filter(row => row.resource === code).map(row => row.name),
  }))
}

/** Fields that the person sees in part or not at all, by noun. */
const fieldsOf = (session: Session): AccessReport['fields'] =>
  ruledNouns.flatMap(({ code, label, fields }) => {
    const ruled = Object.entries(fields).flatMap(([name, field]) => {
      const level = session.fieldRules[`${code}.${name}`]
      return level === undefined ? [] : [{ name, label: field.label, level }]
    })
    return ruled.length === 0 ? [] : [{ resource: code, label, fields: ruled }]
  })

/** All of it but the rows. */
const aboutPerson = async (ctx: Ctx, db: TenantDb, session: Session): Promise<Omit<AccessReport, 'nouns'>> => {
  const present = presentMenu(session.roleAliases)
  const granted = await listGranted(db, session.roleIds, 1)
  return {
    user: { id: session.userId, account: session.account, realName: session.realName, status: await statusOf(db, session.userId) },
    roles: await listNamesOfRoles(db, session.roleIds, ctx.language),
    codes: [...session.userCodes],
    menus: treeWithAncestors(granted.map(present), (await listMenusAbove(db, granted)).map(present)) as AccessReport['menus'],
    rights: await rightsOf(ctx, db, session),
    rules: await rulesOf(db, session),
    fields: fieldsOf(session),
    closed: [...session.closedCalls].sort(),
  }
}

/** What concerns the person is read by the one who asks; each list in a transaction of its own, as the person would. */
export const reportOn = async (deps: AccessDeps, lists: ListsOf, ctx: Ctx, userId: string): Promise<AccessReport> => {
  const asker = ctx.session
  if (!asker) throw new Refused(refuse('kernel/no-token', {}))
  const { session, about } = await ctx.tx(async db => {
    const person = await personOf(deps, db, asker, userId)
    return { session: person, about: await aboutPerson(ctx, db, person) }
  })
  const reader = readingAs(deps.services.scopes, ctx, session)
  const nouns: AccessReport['nouns'] = []
  for (const resource of listed) {
    const page = await listAs(lists, asker, reader, resource, 1)
    if (page)
      nouns.push({ resource: resource.permission, label: resource.label, total: page.total, mayShow: seesAll(asker, resource.permission) })
  }
  return { ...about, nouns }
}

/** The first rows of a noun as the person sees them, shown to whoever sees all of them anyway. Refusals: kernel/not-found, kernel/forbidden. */
export const rowsAs = async (deps: AccessDeps, lists: ListsOf, ctx: Ctx, input: { userId: string; resource: string }) => {
  const resource = listed.find(one => one.permission === input.resource)
  if (!resource) return refuse('kernel/not-found', {})
  if (!ctx.session || !seesAll(ctx.session, resource.permission)) return refuse('kernel/forbidden', {})
  const asker = ctx.session
  const session = await ctx.tx(db => personOf(deps, db, asker, input.userId))
  const page = await listAs(lists, asker, readingAs(deps.services.scopes, ctx, session), resource, shownRows)
  if (!page) return refuse('kernel/not-found', {})
  const columns = Object.entries(resource.fields).filter(([, field]) => field.list !== false && field.kind !== 'json')
  const after = { resource: resource.permission, rows: page.records.length }
  await ctx.tx(db => audit(db, ctx, { action: 'access.rows-viewed', entity: 'account', entityId: input.userId, after }))
  return {
    total: page.total,
    columns: columns.map(([key, field]) => ({ key, label: field.label })),
    records: page.records.map(row => columns.map(([key]) => String(row[key] ?? ''))),
  }
}
