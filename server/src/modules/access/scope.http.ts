import {
  conditionsProblem,
  organisationTargets,
  type ScopeCondition,
  type ScopeOperator,
  type ScopeTarget,
  type ScopeType,
  type ScopeVariable,
  targetOf,
  unitTargets,
} from '#contract/access/data-scope.ts'
import { refuseRole } from '#contract/access/role.errors.ts'
import { role } from '#contract/access/role.routes.ts'
import { apiScope, dataScope, scopeResources } from '#contract/access/scope.resources.ts'
import { scopeCalls, scopeDetail, scopeList, scopeTargets } from '#contract/access/scope.routes.ts'
import { refuse, refuseField } from '#contract/kernel/errors.ts'
import type { Label } from '#contract/kernel/label.ts'
import { sliceOf, toPage } from '#contract/kernel/page.ts'
import { isOfTenants } from '#contract/kernel/resource.ts'
import type { Route } from '#contract/kernel/route.ts'
import { resources } from '#contract/nouns.ts'
import { allRoutes } from '#contract/registry.ts'
import { type CrudSeams, crud } from '#kernel/crud/crud.ts'
import { filterOf } from '#kernel/crud/filter.ts'
import { type Handler, handle, sessionOf } from '#kernel/http/context.ts'
import { listMenuCodes } from './data/menu.repo.ts'
import { findMenuOf, findOtherDuty, findScope, isOfMenu, listBothScopes, listScopedCalls, takeFromRoles } from './data/scope.repo.ts'
import { isOversight } from './domain/kept-rights.ts'
import { roleTitle } from './domain/role-title.ts'

const texts = {
  resource: { zh: '业务对象不存在', en: 'There is no such noun' },
  type: { zh: '这个业务对象不支持这种范围', en: 'This noun has no such rows' },
  call: { zh: '没有这个接口，方法和地址须完全一致', en: 'There is no such call; method and path must be exactly those of one' },
  open: {
    zh: '这个接口对所有登录人员开放，不能限定',
    en: 'This call is open to everybody who is logged in, so it cannot be kept for some',
  },
  undo: {
    zh: '设置接口范围和给角色授权都要用到这个接口，限定后可能无人能改回，不能限定',
    en: 'API scopes are set and given to roles by this call: kept for some, perhaps nobody could undo it, so it cannot be',
  },
} satisfies Readonly<Record<string, Label>>

/** A rule in words, for workbooks. */
const scopeWords = {
  system: { zh: '系统接口', en: 'System' },
  business: { zh: '业务接口', en: 'Business' },
  and: { zh: '；且 ', en: '; and ' },
  types: {
    1: { zh: '全部数据', en: 'All rows' },
    2: { zh: '本人创建', en: 'Made by oneself' },
    3: { zh: '本部门人员创建', en: 'Made by people of one’s department' },
    4: { zh: '本部门及以下人员创建', en: 'Made by people of one’s department and below' },
    5: { zh: '自定义条件', en: 'By conditions' },
  },
  operators: {
    eq: { zh: '等于', en: 'is' },
    ne: { zh: '不等于', en: 'is not' },
    in: { zh: '属于', en: 'is one of' },
    notIn: { zh: '不属于', en: 'is none of' },
    like: { zh: '包含', en: 'contains' },
    ge: { zh: '大于等于', en: 'at least' },
    le: { zh: '小于等于', en: 'at most' },
    empty: { zh: '为空', en: 'is empty' },
    notEmpty: { zh: '不为空', en: 'is not empty' },
  },
  variables: {
    userId: { zh: '当前用户编号', en: 'number of the reader' },
    account: { zh: '当前账号', en: 'account of the reader' },
    userCode: { zh: '当前用户的单位编码', en: 'unit code of the reader' },
    userCodes: { zh: '当前用户的所有编码', en: 'all codes of the reader' },
  },
} satisfies {
  readonly system: Label
  readonly business: Label
  readonly and: Label
  readonly types: Readonly<Record<ScopeType, Label>>
  readonly operators: Readonly<Record<ScopeOperator, Label>>
  readonly variables: Readonly<Record<ScopeVariable, Label>>
}

/** Who keeps the rules is not narrowed by them. */
const isRuleTable = (code: string): boolean => scopeResources.some(resource => resource.permission === code)
const targets = (): readonly ScopeTarget[] => [
  ...resources.filter(resource => !isRuleTable(resource.permission) && isOfTenants(resource)).map(targetOf),
  ...organisationTargets,
  ...unitTargets,
]
const codesOf = (route: Route): readonly string[] =>
  'staff' in route.access ? (typeof route.access.staff === 'string' ? [route.access.staff] : route.access.staff) : []

/** By these a scope is given to roles or taken away again; kept for roles that nobody holds, they would close the tenant's rights for good. */
const neededToUndo: readonly Route[] = [role.list, role.grant, role.grantTree, role.treeKeys, role.menuTreeKeys, scopeCalls]
const isNeededToUndo = (route: Route): boolean => neededToUndo.includes(route) || route.path.startsWith(`${apiScope.basePath}/`)

const labelOf = (code: unknown): Label => targets().find(one => one.code === code)?.label ?? { zh: String(code), en: String(code) }

/** Of whose rows a kind of scope asks, by the column names of the framework (framework-contract 3.15). */
const columnOf: Readonly<Record<ScopeType, string>> = { 1: '-', 2: 'create_user', 3: 'create_dept', 4: 'create_dept', 5: '' }
/** Calls on the program itself; the others are about examinations. */
const isSystemCall = (path: unknown): boolean => /^\/(me|blade-(auth|system|log|develop|watch|desk|resource))\//.test(String(path))

const dataSeams: CrudSeams = {
  present: (ctx, row) => {
    const type = row['scopeType'] as ScopeType
    // Fields are narrowed by rules of their own (ADR 0064), and a scope is about a noun, not about a statement.
    return { ...row, scopeTypeName: ctx.say(scopeWords.types[type]), scopeColumn: columnOf[type], scopeField: '*', scopeClass: '*' }
  },
  sheet: (ctx, row) => {
    const target = targets().find(one => one.code === row['resourceCode'])
    const condition = ({ field: name, operator, values = [], variable }: ScopeCondition): string => {
      const field = target?.fields.find(one => one.name === name)?.label ?? { zh: name, en: name }
      const value = variable === undefined ? values.join('、') : ctx.say(scopeWords.variables[variable])
      return [ctx.say(field), ctx.say(scopeWords.operators[operator]), value].filter(Boolean).join(' ')
    }
    const type = row['scopeType'] as ScopeType
    return {
      ...row,
      resourceCode: ctx.say(labelOf(row['resourceCode'])),
      scopeType: ctx.say(scopeWords.types[type]),
      scopeValue: ((row['scopeValue'] ?? []) as readonly ScopeCondition[]).map(condition).join(ctx.say(scopeWords.and)),
    }
  },
  prepare: async ({ db, input, before }) => {
    const code = String(input['resourceCode'] ?? before?.['resourceCode'] ?? '')
    const target = targets().find(one => one.code === code)
    const menu = target && (await findMenuOf(db, [code]))
    if (!target || !menu) return refuseField('resourceCode', texts.resource)
    const type = Number(input['scopeType'] ?? before?.['scopeType'])
    if (!target.types.includes(type as ScopeType)) return refuseField('scopeType', texts.type)
    const conditions = type === 5 ? (input['scopeValue'] ?? before?.['scopeValue']) : []
    const problem = type === 5 ? conditionsProblem(target, conditions) : null
    return problem ? refuseField('scopeValue', problem) : { ...input, scopeValue: conditions, menuId: menu.id }
  },
  afterWrite: async ({ db, before, after }) => {
    if (before && !after) await takeFromRoles(db, 'role_data_scope', before['id'])
  },
}

const apiSeams: CrudSeams = {
  // A call stands at the button that opens it; clients ask for those of a menu.
  filter: (_ctx, { menuId, ...rest }) => [...filterOf(apiScope.fields, rest), ...(menuId ? [isOfMenu(String(menuId))] : [])],
  // Clients of the framework know a call by its path alone; where one method has it, that is the one.
  complete: ({ input, id }) => {
    if (id !== undefined || input['scopeMethod']) return input
    const [only, another] = allRoutes().filter(({ path }) => path === input['scopePath'])
    return only && !another ? { ...input, scopeMethod: only.method } : input
  },
  present: (ctx, row) => {
    const isSystem = isSystemCall(row['scopePath'])
    return { ...row, scopeType: isSystem ? 1 : 2, scopeTypeName: ctx.say(isSystem ? scopeWords.system : scopeWords.business) }
  },
  prepare: async ({ ctx, db, input, before }) => {
    const method = input['scopeMethod'] ?? before?.['scopeMethod']
    const path = input['scopePath'] ?? before?.['scopePath']
    const route = allRoutes().find(one => one.method === method && one.path === path)
    if (!route) return refuseField('scopePath', texts.call)
    if (isNeededToUndo(route)) return refuseField('scopePath', texts.undo)
    const menu = await findMenuOf(db, codesOf(route))
    // The three are given no scope by anybody in the console, so one about what they watch by would only take it from another of them (ADR 0116).
    const other = await findOtherDuty(db, codesOf(route).filter(isOversight), [...sessionOf(ctx).roleAliases])
    if (other) return refuseRole('role/not-yours', { role: roleTitle(other) })
    return menu ? { ...input, menuId: menu.id, resourceCode: menu.code } : refuseField('scopePath', texts.open)
  },
  afterWrite: async ({ db, before, after }) => {
    if (before && !after) await takeFromRoles(db, 'role_api_scope', before['id'])
  },
}

/** Data scopes and API scopes, and what they may be about. */
export const scopeHandlers = (): Handler[] => [
  ...crud(dataScope, dataSeams),
  ...crud(apiScope, apiSeams),
  handle(scopeTargets, async ({ db }) => {
    const live = await listMenuCodes(db)
    return targets()
      .filter(target => live.has(target.code))
      .map(target => ({
        ...target,
        types: [...target.types],
        fields: target.fields.map(field => ({ ...field, operators: [...field.operators] })),
      }))
  }),
  handle(scopeCalls, async ({ db }) => {
    const scoped = await listScopedCalls(db)
    return allRoutes()
      .filter(route => codesOf(route).length > 0 && !isNeededToUndo(route))
      .map(route => ({
        method: route.method,
        path: route.path,
        codes: [...codesOf(route)],
        isScoped: scoped.has(`${route.method} ${route.path}`),
      }))
      .sort((a, b) => (a.path < b.path ? -1 : 1))
  }),
  handle(scopeList, async ({ db, input }) => {
    const { current, size, offset } = sliceOf(input)
    const rows = await listBothScopes(db, input)
    return toPage(rows.slice(offset, offset + size), rows.length, current, size)
  }),
  handle(scopeDetail, async ({ db, input }) => (await findScope(db, input.id)) ?? refuse('kernel/not-found', {})),
]
