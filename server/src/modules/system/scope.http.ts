import { refuse, refuseField } from '#contract/kernel/errors.ts'
import type { Label } from '#contract/kernel/label.ts'
import { sliceOf, toPage } from '#contract/kernel/page.ts'
import type { Route } from '#contract/kernel/route.ts'
import { allRoutes, resources } from '#contract/registry.ts'
import {
  conditionsProblem,
  organisationTargets,
  type ScopeTarget,
  type ScopeType,
  targetOf,
  unitTargets,
} from '#contract/system/data-scope.ts'
import { apiScope, dataScope, scopeResources } from '#contract/system/scope.resources.ts'
import { scopeCalls, scopeDetail, scopeList, scopeTargets } from '#contract/system/scope.routes.ts'
import { type CrudSeams, crud } from '#kernel/crud/crud.ts'
import { type Handler, handle } from '#kernel/http/context.ts'
import { listMenuCodes } from './data/menu.repo.ts'
import { findMenuOf, findScope, listBothScopes, listScopedCalls, takeFromRoles } from './data/scope.repo.ts'

const texts = {
  resource: { zh: '业务对象不存在', en: 'There is no such noun' },
  type: { zh: '这个业务对象不支持这种范围', en: 'This noun has no such rows' },
  call: { zh: '没有这个接口，方法和地址须完全一致', en: 'There is no such call; method and path must be exactly those of one' },
  open: {
    zh: '这个接口对所有登录人员开放，不能限定',
    en: 'This call is open to everybody who is logged in, so it cannot be kept for some',
  },
} satisfies Readonly<Record<string, Label>>

/** Who keeps the rules is not narrowed by them. */
const isRuleTable = (code: string): boolean => scopeResources.some(resource => resource.permission === code)
const targets = (): readonly ScopeTarget[] => [
  ...resources.filter(resource => !isRuleTable(resource.permission) && resource.scope === 'tenant').map(targetOf),
  ...organisationTargets,
  ...unitTargets,
]
const codesOf = (route: Route): readonly string[] =>
  'staff' in route.access ? (typeof route.access.staff === 'string' ? [route.access.staff] : route.access.staff) : []

const dataSeams: CrudSeams = {
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
  prepare: async ({ db, input, before }) => {
    const method = input['scopeMethod'] ?? before?.['scopeMethod']
    const path = input['scopePath'] ?? before?.['scopePath']
    const route = allRoutes().find(one => one.method === method && one.path === path)
    if (!route) return refuseField('scopePath', texts.call)
    const menu = await findMenuOf(db, codesOf(route))
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
      .filter(route => codesOf(route).length > 0)
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
