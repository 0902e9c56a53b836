import { type Static, Type } from 'typebox'
import { exportJobView } from '../kernel/export-job.ts'
import { fieldLevels, markOf, searches, shows } from '../kernel/field-rule.ts'
import { defineRoute } from '../kernel/route.ts'
import { id, named, optional, strict, text } from '../kernel/schema.ts'
import { userNoun } from '../organisation/user.noun.ts'
import { menuNode } from './granted.routes.ts'

const access = { staff: 'role_viewas' } as const
const label = Type.Object({ zh: Type.String(), en: Type.String() })
const realName = shows(userNoun, 'realName', Type.String())

/** A right that somebody has, and through which of their roles. */
const right = Type.Object({
  id: Type.String(),
  /** 1 menu, 2 button. */
  kind: Type.Integer(),
  /** The menus above it, `考试管理 › 岗位代码`. */
  place: Type.String(),
  name: Type.String(),
  code: Type.String(),
  roles: Type.Array(Type.String()),
})
export type Right = Static<typeof right>

const report = Type.Object({
  user: Type.Object({ id: Type.String(), account: Type.String(), realName, status: Type.Integer() }),
  roles: Type.Array(Type.Object({ id: Type.String(), roleName: Type.String(), roleAlias: Type.String() })),
  /** Unit, site or school codes that narrow what the person sees. */
  codes: Type.Array(Type.String()),
  /** What the side bar shows them. */
  menus: Type.Array(menuNode),
  rights: Type.Array(right),
  /** Data scopes that count for them; none of a noun: all its rows. */
  rules: Type.Array(Type.Object({ resource: Type.String(), label, names: Type.Array(Type.String()) })),
  /** Fields that they see in part or not at all. */
  fields: Type.Array(
    Type.Object({
      resource: Type.String(),
      label,
      fields: Type.Array(Type.Object({ name: Type.String(), label, level: Type.Enum(fieldLevels) })),
    }),
  ),
  /** Calls kept for roles that they do not have. */
  closed: Type.Array(Type.String()),
  /** Nouns whose rows can be looked at the way this person sees them. */
  nouns: Type.Array(Type.Object({ resource: Type.String(), label, total: Type.Integer(), mayShow: Type.Boolean() })),
})
export type AccessReport = Static<typeof report>

export const viewAs = {
  people: defineRoute({
    method: 'GET',
    path: '/blade-system/role/view-as-people',
    access,
    input: strict({ name: optional(named({ zh: '姓名', en: 'Name' }, searches([markOf(userNoun, 'realName')], text(60)))) }),
    output: Type.Array(Type.Object({ id: Type.String(), account: Type.String(), realName, roleName: Type.String() })),
    tx: 'read',
    means: 'staff whose account or name holds the word, at most fifty',
  }),
  report: defineRoute({
    method: 'GET',
    path: '/blade-system/role/view-as',
    access,
    input: strict({ userId: id() }),
    output: report,
    tx: 'own',
    means: 'what somebody would see and could do, read only',
  }),
  rows: defineRoute({
    method: 'GET',
    path: '/blade-system/role/view-as-rows',
    access,
    input: strict({ userId: id(), resource: text(60) }),
    output: Type.Object({
      total: Type.Integer(),
      columns: Type.Array(Type.Object({ key: Type.String(), label })),
      records: Type.Array(Type.Array(Type.String())),
    }),
    tx: 'own',
    means: 'the first rows of a noun as this person sees them; only of nouns that the caller sees whole',
  }),
  export: defineRoute({
    method: 'GET',
    path: '/blade-system/role/exportViewAs',
    access,
    input: strict({ userId: id() }),
    output: exportJobView,
    answer: 'file',
    tx: 'own',
    means: 'the report as a workbook',
  }),
} as const

export const viewAsRoutes = Object.values(viewAs)
