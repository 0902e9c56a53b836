import { type Static, Type } from 'typebox'
import { pageInput, pageOf } from '../kernel/page.ts'
import { defineRoute } from '../kernel/route.ts'
import { id, optional, strict, text } from '../kernel/schema.ts'

const labelled = Type.Object({ zh: Type.String(), en: Type.String() })
const view = { staff: ['datascope_view', 'apiscope_view'] } as const

const target = Type.Object({
  code: Type.String(),
  label: labelled,
  types: Type.Array(Type.Integer()),
  fields: Type.Array(Type.Object({ name: Type.String(), label: labelled, kind: Type.String(), operators: Type.Array(Type.String()) })),
})
/** What data scopes may be about, with the fields their conditions may name. */
export const scopeTargets = defineRoute({
  method: 'GET',
  path: '/blade-system/data-scope/targets',
  access: view,
  input: strict({}),
  output: Type.Array(target),
  tx: 'read',
})

/** Calls that an API scope may keep, with the codes that open them. */
export const scopeCalls = defineRoute({
  method: 'GET',
  path: '/blade-system/api-scope/calls',
  access: view,
  input: strict({}),
  output: Type.Array(
    Type.Object({ method: Type.String(), path: Type.String(), codes: Type.Array(Type.String()), isScoped: Type.Boolean() }),
  ),
  tx: 'read',
})

const scopeRow = Type.Object({
  id: Type.String(),
  /** `data` or `api`. */
  kind: Type.String(),
  menuId: Type.String(),
  scopeName: Type.String(),
  resourceCode: Type.String(),
  /** Kind of rows of a data scope; 0 of an API scope. */
  scopeType: Type.Integer(),
  /** Method and path of an API scope; empty of a data scope. */
  scopePath: Type.String(),
  remark: Type.String(),
})
export type ScopeRow = Static<typeof scopeRow>
/** Both kinds in one list (S7.15 `scope`). */
export const scopeList = defineRoute({
  method: 'GET',
  path: '/blade-system/scope/list',
  access: view,
  input: strict({ ...pageInput, scopeName: optional(text(120)), resourceCode: optional(text(60)), menuId: optional(id()) }),
  output: pageOf(scopeRow),
  tx: 'read',
})
export const scopeDetail = defineRoute({
  method: 'GET',
  path: '/blade-system/scope/detail',
  access: view,
  input: strict({ id: id() }),
  output: scopeRow,
  tx: 'read',
})

export const scopeRoutes = [scopeTargets, scopeCalls, scopeList, scopeDetail] as const
