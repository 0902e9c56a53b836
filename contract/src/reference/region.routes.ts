import { type Static, Type } from 'typebox'
import { exportJobView } from '../kernel/export-job.ts'
import { pageInput, pageOf } from '../kernel/page.ts'
import { defineRoute, type PermissionCode } from '../kernel/route.ts'
import { named, optional, strict, text } from '../kernel/schema.ts'
import { treeNode } from '../kernel/tree.ts'

/** Regions are one list for all tenants (framework-contract 3.11): the platform keeps it, everybody reads it by `region/select`. */
export const regionAccess = (...staff: readonly PermissionCode[]) =>
  ({ staff, platform: true, because: 'every tenant reads the same regions' }) as const

/** What stands in a public standard; the screen that keeps it is the platform's. */
const readable = { signedIn: true, because: 'a national standard; forms and other clients choose from it' } as const

const regionRow = Type.Object({
  /** The code, for clients that expect an id. */
  id: Type.String(),
  code: Type.String(),
  /** `00` for provinces. */
  parentCode: Type.String(),
  parentName: Type.String(),
  name: Type.String(),
  fullName: Type.String(),
  regionLevel: Type.Integer(),
  /** The same, as the open edition of the framework calls it. */
  level: Type.Integer(),
  /** `00,330000,330100`: the chain above. */
  ancestors: Type.String(),
  /** The row itself and those above it by level; empty below its own. */
  provinceCode: Type.String(),
  provinceName: Type.String(),
  cityCode: Type.String(),
  cityName: Type.String(),
  districtCode: Type.String(),
  districtName: Type.String(),
  townCode: Type.String(),
  townName: Type.String(),
  villageCode: Type.String(),
  villageName: Type.String(),
  sort: Type.Integer(),
  remark: Type.String(),
  hasChildren: Type.Boolean(),
  version: Type.Integer(),
})
export type RegionRow = Static<typeof regionRow>

/** Also as clients of the framework put it together (`regionCodeOf`). */
const code = () =>
  text(30, {
    minLength: 1,
    pattern: '^(00)?[1-9][0-9]{1,26}$',
    'x-label': { zh: '区划编号', en: 'Code' },
    'x-required': { zh: '请输入区划编号', en: 'Please enter the code' },
  })
const search = {
  code: optional(named({ zh: '区划编号', en: 'Region code' }, text(12))),
  name: optional(named({ zh: '区划名称', en: 'Region name' }, text(60))),
}

export const region = {
  list: defineRoute({
    method: 'GET',
    path: '/blade-system/region/list',
    access: readable,
    input: strict({ ...pageInput, ...search, regionLevel: optional(Type.Integer({ minimum: 1, maximum: 5 })) }),
    output: pageOf(regionRow),
    tx: 'read',
  }),
  lazyList: defineRoute({
    method: 'GET',
    path: '/blade-system/region/lazy-list',
    access: readable,
    input: strict({ parentCode: optional(text(12)), ...search }),
    output: Type.Array(regionRow),
    tx: 'read',
    means: 'one level; with a search the first 200 matches of every level, flat',
  }),
  lazyTree: defineRoute({
    method: 'GET',
    path: '/blade-system/region/lazy-tree',
    access: readable,
    input: strict({ parentCode: optional(text(12)) }),
    output: Type.Array(Type.Object({ ...treeNode.properties, hasChildren: Type.Boolean() })),
    tx: 'read',
  }),
  detail: defineRoute({
    method: 'GET',
    path: '/blade-system/region/detail',
    access: readable,
    input: strict({ code: optional(named({ zh: '区划编号', en: 'Region code' }, text(12))), id: optional(text(12)) }),
    output: regionRow,
    tx: 'read',
  }),
  submit: defineRoute({
    method: 'POST',
    path: '/blade-system/region/submit',
    also: ['POST /blade-system/region/save', 'POST /blade-system/region/update'],
    access: regionAccess('region_add', 'region_edit'),
    input: strict({
      code: code(),
      /** Of a client that keeps it, the row that `version` and the rest came with; another than `code`: they are of the region above. */
      id: optional(text(30)),
      /** What such a client makes the code of. */
      subCode: optional(named({ zh: '本级编号', en: 'Own code' }, text(12))),
      parentCode: optional(text(30, { pattern: '^$|^00$|^(00)?[1-9][0-9]{1,26}$', 'x-label': { zh: '上级区划', en: 'Parent' } })),
      name: text(60, {
        minLength: 1,
        'x-label': { zh: '区划名称', en: 'Name' },
        'x-required': { zh: '请输入区划名称', en: 'Please enter the name' },
      }),
      sort: optional(Type.Integer({ minimum: 0, maximum: 9999, 'x-label': { zh: '排序', en: 'Order' } })),
      remark: optional(text(255, { 'x-label': { zh: '备注', en: 'Remark' } })),
      /** Of the row that is changed; without it the code must be new. */
      version: optional(Type.Integer({ minimum: 0 })),
    }),
    output: Type.Object({ id: Type.String() }),
    tx: 'own',
    means: 'a code that is there is changed, one that is not is added',
  }),
  remove: defineRoute({
    method: 'POST',
    path: '/blade-system/region/remove',
    access: regionAccess('region_delete'),
    input: strict({
      id: optional(text(12)),
      ids: optional(text(2_600, { pattern: '^[0-9]{6,12}(,[0-9]{6,12}){0,199}$', 'x-list': true })),
    }),
    output: Type.Object({ removed: Type.Integer() }),
    tx: 'own',
  }),
  export: defineRoute({
    method: 'GET',
    path: '/blade-system/region/export-region',
    access: regionAccess('region_export'),
    input: strict(search),
    output: exportJobView,
    answer: 'file',
    tx: 'own',
  }),
} as const

/** One level of the regions of GB/T 2260; without a parent, or below `00`, the provinces. */
export const regionSelect = defineRoute({
  method: 'GET',
  path: '/blade-system/region/select',
  access: { public: true, because: 'a national standard; the registration form needs it' },
  input: strict({ code: optional(named({ zh: '区划编号', en: 'Region code' }, text(12))) }),
  output: Type.Array(Type.Object({ code: Type.String(), name: Type.String(), level: Type.Integer(), hasChildren: Type.Boolean() })),
  tx: 'read',
  background: true,
})
export const regionRoutes = [...Object.values(region), regionSelect] as const
