import { type Static, Type } from 'typebox'
import { exportJobView } from '../kernel/export-job.ts'
import { defineRoute } from '../kernel/route.ts'
import { id, ids, optional, strict, text } from '../kernel/schema.ts'
import { treeNode, treeOf } from '../kernel/tree.ts'

/** Levels of departments; the database holds the same bound. */
export const deptLevels = 10

/** A department (S7.15, framework-contract 3.9). */
export const deptRow = Type.Object({
  id: Type.String(),
  tenantId: Type.String(),
  parentId: Type.String(),
  /** `0,idA,idB`: the chain above. */
  ancestors: Type.String(),
  deptName: Type.String(),
  fullName: Type.String(),
  deptCategory: Type.Integer(),
  /** Its entry of the dictionary, in the reader's words. */
  deptCategoryName: Type.String(),
  /** Comma-joined accounts. */
  leaderId: Type.String(),
  sort: Type.Integer(),
  remark: Type.String(),
  createTime: Type.String(),
  updateTime: Type.String(),
  version: Type.Integer(),
})
export type DeptRow = Static<typeof deptRow>
export const deptLine = Type.Object({ ...deptRow.properties, parentName: Type.String(), hasChildren: Type.Boolean() })

const view = { staff: 'dept_view' } as const
/** Whoever sees people by department sees the names of the departments too. */
const choose = { staff: ['dept_view', 'user_view'] } as const
const search = { deptName: optional(text(60)), fullName: optional(text(120)) }
/** Absent, empty or 0: the roots. */
const parent = { parentId: optional(Type.Union([id(), Type.Literal('')])) }

export const dept = {
  list: defineRoute({
    method: 'GET',
    path: '/blade-system/dept/list',
    access: view,
    input: strict(search),
    output: Type.Array(treeOf(deptRow, deptLevels)),
    tx: 'read',
  }),
  lazyList: defineRoute({
    method: 'GET',
    path: '/blade-system/dept/lazy-list',
    access: view,
    input: strict({ ...parent, ...search }),
    output: Type.Array(deptLine),
    tx: 'read',
    means: 'one level; with a search the matches of every level, flat',
  }),
  tree: defineRoute({
    method: 'GET',
    path: '/blade-system/dept/tree',
    access: choose,
    input: strict({}),
    output: Type.Array(treeOf(treeNode, deptLevels)),
    tx: 'own',
  }),
  lazyTree: defineRoute({
    method: 'GET',
    path: '/blade-system/dept/lazy-tree',
    access: choose,
    input: strict(parent),
    output: Type.Array(Type.Object({ ...treeNode.properties, hasChildren: optional(Type.Boolean()) })),
    tx: 'read',
  }),
  select: defineRoute({
    method: 'GET',
    path: '/blade-system/dept/select',
    access: choose,
    input: strict({ userId: optional(id()), deptId: optional(ids()) }),
    output: Type.Array(Type.Object({ id: Type.String(), parentId: Type.String(), deptName: Type.String(), fullName: Type.String() })),
    tx: 'read',
    means: 'the departments named, or those of a person; without either one’s own',
  }),
  detail: defineRoute({
    method: 'GET',
    path: '/blade-system/dept/detail',
    access: view,
    input: strict({ id: id() }),
    output: deptLine,
    tx: 'read',
  }),
  submit: defineRoute({
    method: 'POST',
    path: '/blade-system/dept/submit',
    also: ['POST /blade-system/dept/save', 'POST /blade-system/dept/update'],
    access: { staff: ['dept_add', 'dept_edit'] },
    input: strict({
      id: optional(Type.Union([id(), Type.Literal('')])),
      parentId: optional(Type.Union([id(), Type.Literal(''), Type.Null()])),
      deptName: text(60, {
        minLength: 1,
        'x-label': { zh: '部门名称', en: 'Name' },
        'x-required': { zh: '请输入部门名称', en: 'Please enter the name' },
      }),
      fullName: text(120, {
        minLength: 1,
        'x-label': { zh: '部门全称', en: 'Full name' },
        'x-required': { zh: '请输入部门全称', en: 'Please enter the full name' },
      }),
      /** Absent: of a new one a department, else as it is. */
      deptCategory: optional(Type.Integer({ minimum: 1, maximum: 99, 'x-label': { zh: '部门类型', en: 'Kind' } })),
      leaderId: optional(Type.Union([ids(), Type.Literal(''), Type.Null()])),
      /** Absent: after the last department of the same parent; of one that is there, as it is. */
      sort: optional(Type.Union([Type.Integer({ minimum: 0, maximum: 9999 }), Type.Null()], { 'x-label': { zh: '排序', en: 'Order' } })),
      remark: optional(Type.Union([text(255, { 'x-label': { zh: '备注', en: 'Remark' } }), Type.Null()])),
      version: optional(Type.Integer({ minimum: 0 })),
    }),
    several: { because: 'the leaders of one department' },
    output: Type.Object({ id: Type.String() }),
    means: 'another parentId moves the department with everything below it',
  }),
  remove: defineRoute({
    method: 'POST',
    path: '/blade-system/dept/remove',
    access: { staff: 'dept_delete' },
    input: strict({ ids: optional(ids()) }),
    output: Type.Object({ removed: Type.Integer() }),
  }),
  export: defineRoute({
    method: 'GET',
    path: '/blade-system/dept/export-dept',
    access: { staff: 'dept_export' },
    input: strict(search),
    output: exportJobView,
    answer: 'file',
    tx: 'own',
  }),
} as const

export const deptRoutes = Object.values(dept)
