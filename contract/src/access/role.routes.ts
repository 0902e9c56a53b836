import { type Static, Type } from 'typebox'
import { exportJobView } from '../kernel/export-job.ts'
import { defineRoute } from '../kernel/route.ts'
import { flag, id, ids, optional, strict, text } from '../kernel/schema.ts'
import { treeNode, treeOf } from '../kernel/tree.ts'

/** Levels of roles below each other. */
export const roleLevels = 5

/** A role (S3.17, framework-contract 3.5). */
const roleRow = Type.Object({
  id: Type.String(),
  tenantId: Type.String(),
  parentId: Type.String(),
  roleName: Type.String(),
  roleNameEn: Type.String(),
  roleAlias: Type.String(),
  sort: Type.Integer(),
  /** Of roles that review: 1 lets them pull back their own decision for thirty minutes; −1 of the others. */
  isBack: Type.Integer(),
  isSystem: Type.Integer(),
  /** People who hold it; 1001: more than a thousand. */
  holders: Type.Integer(),
  /** 1: the caller may change it; 2: and may change what it holds. */
  mayManage: Type.Integer(),
  version: Type.Integer(),
})
export type RoleWire = Static<typeof roleRow>

const view = { staff: 'role_view' } as const
const roleSearch = { roleName: optional(text(60)), roleAlias: optional(text(60)) }
/** Names in the reader's language. */
export const roleNames = Type.Array(Type.Object({ id: Type.String(), roleName: Type.String(), roleAlias: Type.String() }))
const idArray = () => Type.Array(id(), { maxItems: 10_000 })
const keys = Type.Object({ menu: Type.Array(Type.String()), dataScope: Type.Array(Type.String()), apiScope: Type.Array(Type.String()) })
export type RoleKeys = Static<typeof keys>
/** A line of the trees that are ticked; `may` 0: beyond the caller's own rights, shown as it is. */
const grantNode = Type.Object({
  id: Type.String(),
  parentId: Type.String(),
  title: Type.String(),
  key: Type.String(),
  value: Type.String(),
  /** 1 menu, 2 button, 3 scope. */
  kind: Type.Integer(),
  code: Type.String(),
  may: Type.Integer(),
})
export type GrantNode = Static<typeof grantNode>
const grantTree = Type.Array(treeOf(grantNode, 5))

const treeKeysAt = <const P extends string>(path: P) =>
  defineRoute({
    method: 'GET',
    path,
    access: view,
    input: strict({ roleIds: ids() }),
    output: keys,
    tx: 'read',
    means: 'what these roles hold; of several: what all of them hold',
  })

export const role = {
  list: defineRoute({
    method: 'GET',
    path: '/blade-system/role/list',
    access: view,
    input: strict(roleSearch),
    output: Type.Array(treeOf(roleRow, roleLevels)),
    tx: 'read',
    means: 'with a search: what fits and everything above it',
  }),
  tree: defineRoute({
    method: 'GET',
    path: '/blade-system/role/tree',
    access: { staff: ['role_view', 'user_view'] },
    input: strict({}),
    output: Type.Array(treeOf(treeNode, roleLevels)),
    tx: 'read',
  }),
  treeById: defineRoute({
    method: 'GET',
    path: '/blade-system/role/tree-by-id',
    access: view,
    input: strict({ roleId: id() }),
    output: Type.Array(treeOf(treeNode, roleLevels)),
    tx: 'read',
    means: 'the roles beside this one, for the choice of its parent',
  }),
  alias: defineRoute({
    method: 'GET',
    path: '/blade-system/role/alias',
    access: view,
    input: strict({}),
    output: Type.Array(Type.Object({ roleName: Type.String(), roleAlias: Type.String() })),
    tx: 'read',
    means: 'every role by its name and alias',
  }),
  select: defineRoute({
    method: 'GET',
    path: '/blade-system/role/select',
    access: { staff: ['role_view', 'user_view'] },
    input: strict({ userId: optional(id()), roleId: optional(ids()) }),
    output: roleNames,
    tx: 'read',
    means: 'the roles named, or those of a person; without either one’s own',
  }),
  detail: defineRoute({
    method: 'GET',
    path: '/blade-system/role/detail',
    access: view,
    input: strict({ id: id() }),
    output: Type.Object({ ...roleRow.properties, parentName: Type.String() }),
    tx: 'read',
  }),
  submit: defineRoute({
    method: 'POST',
    path: '/blade-system/role/submit',
    also: ['POST /blade-system/role/save', 'POST /blade-system/role/update'],
    access: { staff: ['role_add', 'role_edit'] },
    input: strict({
      id: optional(Type.Union([id(), Type.Literal('')])),
      parentId: optional(Type.Union([id(), Type.Literal(''), Type.Null()])),
      roleName: text(60, {
        minLength: 1,
        'x-label': { zh: '角色名称', en: 'Name' },
        'x-required': { zh: '请输入角色名称', en: 'Please enter the name' },
      }),
      roleNameEn: optional(text(60, { 'x-label': { zh: '英文名称', en: 'English name' } })),
      roleAlias: text(60, {
        minLength: 1,
        // Lower case and ASCII: no alias looks like another.
        pattern: '^[a-z][a-z0-9_]{1,59}$',
        'x-label': { zh: '角色别名', en: 'Alias' },
        'x-required': { zh: '请输入角色别名', en: 'Please enter the alias' },
      }),
      sort: Type.Integer({
        minimum: 0,
        maximum: 9999,
        'x-label': { zh: '排序', en: 'Order' },
        'x-required': { zh: '请输入排序', en: 'Please enter the order' },
      }),
      version: optional(Type.Integer({ minimum: 0 })),
    }),
    output: Type.Object({ id: Type.String() }),
  }),
  remove: defineRoute({
    method: 'POST',
    path: '/blade-system/role/remove',
    access: { staff: 'role_delete' },
    input: strict({ ids: optional(ids()) }),
    output: Type.Object({ removed: Type.Integer() }),
  }),
  export: defineRoute({
    method: 'GET',
    path: '/blade-system/role/export-role',
    access: { staff: 'role_export' },
    input: strict(roleSearch),
    output: exportJobView,
    answer: 'file',
    tx: 'own',
  }),
  grant: defineRoute({
    method: 'POST',
    path: '/blade-system/role/grant',
    access: { staff: 'role_setting' },
    input: strict({
      roleIds: Type.Array(id(), { minItems: 1, maxItems: 50 }),
      menuIds: idArray(),
      dataScopeIds: optional(idArray()),
      apiScopeIds: optional(idArray()),
    }),
    output: Type.Object({ changed: Type.Integer() }),
    means: 'each role holds exactly these afterwards; what is beyond the caller’s own rights stays as it was; scopes left out stay',
  }),
  treeKeys: treeKeysAt('/blade-system/role/role-tree-keys'),
  menuTreeKeys: treeKeysAt('/blade-system/menu/role-tree-keys'),
  grantTree: defineRoute({
    method: 'GET',
    path: '/blade-system/menu/grant-tree',
    access: view,
    input: strict({}),
    output: Type.Object({ menu: grantTree, dataScope: grantTree, apiScope: grantTree }),
    tx: 'read',
  }),
  changeIsBack: defineRoute({
    method: 'POST',
    path: '/blade-system/role/changeIsBack',
    access: { staff: 'role_back' },
    input: strict({ status: flag(), id: optional(id()) }),
    output: Type.Object({ changed: Type.Integer() }),
    means: 'whether reviewers may pull back their own decision for thirty minutes: of one role, or of all that review',
  }),
} as const

export const roleRoutes = [
  role.list,
  role.treeById,
  role.alias,
  role.select,
  role.tree,
  role.detail,
  role.submit,
  role.remove,
  role.grant,
  role.treeKeys,
  role.menuTreeKeys,
  role.grantTree,
  role.changeIsBack,
  role.export,
] as const
