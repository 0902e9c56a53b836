import { dict, int, text } from '../kernel/field.ts'
import { defineResource, type RowOf } from '../kernel/resource.ts'

/** Duty posts of staff (framework-contract 3.10). */
export const post = defineResource({
  name: 'post',
  basePath: '/blade-system/post',
  menuPath: '/system/post',
  menu: {
    under: 'system',
    after: 'dictvertical',
    label: { zh: '职务管理', en: 'Duty posts' },
    icon: 'post',
    roles: ['administrator', 'admin'],
  },
  label: { zh: '职务', en: 'Duty post' },
  nulls: 'empty',
  order: 'sort',
  workbook: { kind: 'T0p', key: 'postCode' },
  fields: {
    category: dict('post_category', { label: { zh: '职务类型', en: 'Category' }, required: true, search: 'eq' }),
    postCode: text(30, { label: { zh: '职务编号', en: 'Code' }, required: true, search: 'like', unique: true }),
    postName: text(60, { label: { zh: '职务名称', en: 'Name' }, required: true, search: 'like' }),
    sort: int({ label: { zh: '排序', en: 'Order' }, required: true, min: 0, max: 9999 }),
    remark: text(255, { label: { zh: '备注', en: 'Remark' }, list: false, widget: 'textarea' }),
  },
  // What clients of the framework show.
  derived: {
    categoryName: text(120, { label: { zh: '职务类型名称', en: 'Category in words' } }),
    tenantId: text(12, { label: { zh: '租户编号', en: 'Tenant' } }),
  },
})
export type Post = RowOf<typeof post>
