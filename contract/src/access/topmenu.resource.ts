import { flag, int, text } from '../kernel/field.ts'
import { defineResource, type RowOf } from '../kernel/resource.ts'

/** Tabs of the top bar (S2.39): each shows a part of the side bar. */
export const topmenu = defineResource({
  name: 'topmenu',
  ownRules: true,
  table: 'top_menu',
  basePath: '/blade-system/topmenu',
  menuPath: '/system/topmenu',
  menu: {
    under: 'system',
    after: 'menu',
    label: { zh: '顶部菜单', en: 'Top menus' },
    icon: 'menu',
    roles: ['administrator', 'admin'],
    buttons: [{ right: 'setting', label: { zh: '菜单配置', en: 'Menus' } }],
  },
  label: { zh: '顶部菜单', en: 'Top menu' },
  nulls: 'empty',
  order: 'sort',
  verbs: ['list', 'page', 'detail', 'submit', 'remove', 'export'],
  fields: {
    code: text(60, {
      label: { zh: '菜单编号', en: 'Code' },
      required: true,
      search: 'like',
      unique: true,
      pattern: '^[A-Za-z][A-Za-z0-9_-]*$',
      help: { zh: '字母开头，可含数字、“_”和“-”', en: 'Begins with a letter; digits, “_” and “-” may follow' },
    }),
    name: text(60, { label: { zh: '菜单名称', en: 'Name' }, required: true, search: 'like', fact: 'none' }),
    nameEn: text(100, { label: { zh: '英文名称', en: 'English name' }, required: true }),
    source: text(60, { label: { zh: '图标', en: 'Icon' }, required: true }),
    /** For clients of the framework; the tabs of this program open what they show. */
    path: text(255, { label: { zh: '路由地址', en: 'Path' }, list: false }),
    sort: int({ label: { zh: '排序', en: 'Order' }, required: true, min: 0, max: 9999 }),
    isMain: flag({ label: { zh: '主菜单', en: 'Main menu' }, required: true, form: false }),
  },
  derived: { tenantId: text(12, { label: { zh: '租户编号', en: 'Tenant' } }) },
})
export type TopMenu = RowOf<typeof topmenu>
