import { int, text } from '../kernel/field.ts'
import { defineResource, type RowOf } from '../kernel/resource.ts'

/** What divides former names where people type them; the table does the same (`former_names`). */
export const formerNameMark = /\s*[;；\n]\s*/

/** Schools and colleges of a tenant's list (domain 3.16): the ministry's at first, kept by the office. Forms find them by any of their names. */
export const school = defineResource({
  name: 'school',
  basePath: '/blade-school/school',
  menuPath: '/school/school',
  menu: {
    under: 'exam',
    label: { zh: '院校数据', en: 'Schools' },
    icon: 'school',
    roles: ['admin', 'exam_admin'],
    readers: ['school', 'auditor'],
    seenBy: ['school'],
  },
  label: { zh: '院校', en: 'School' },
  lead: {
    zh: '报名表的“毕业院校”从这里查找，现名、曾用名、拼音首字母和代码都可以；本页用“院校名称”和“院校标识码”查找。停用的院校不再出现在报名表中。',
    en: 'The school of a sign-up is looked up here, by its name, a former name, initials or code; on this page by its name or its code. One that is not in use is not offered any more.',
  },
  // `list` is what forms look schools up by (`schoolList`).
  verbs: ['page', 'detail', 'submit', 'remove', 'export'],
  order: 'schoolCode',
  workbook: { key: 'schoolCode', kind: 'T8', path: '/blade-exam/examination/importSchool' },
  fields: {
    schoolCode: text(10, {
      label: { zh: '院校标识码', en: 'School code' },
      required: true,
      search: 'like',
      unique: true,
      pattern: '^[0-9A-Za-z]{4,10}$',
      help: {
        zh: '教育部的 10 位标识码；没有的填自编的 4 至 10 位数字或字母',
        en: 'The ten digits of the ministry; otherwise 4 to 10 digits or letters of your own',
      },
      width: 130,
    }),
    oldCode: text(10, {
      label: { zh: '原院校代码', en: 'Former code' },
      pattern: '^[0-9A-Za-z]{0,10}$',
      help: { zh: '原 5 位代码', en: 'The five digits used before' },
      list: false,
    }),
    schoolName: text(60, { label: { zh: '院校名称', en: 'School' }, required: true, search: 'like' }),
    competent: text(40, { label: { zh: '主管部门', en: 'Competent authority' } }),
    province: text(20, { label: { zh: '省', en: 'Province' }, required: true, search: 'eq', width: 110 }),
    city: text(30, { label: { zh: '市', en: 'City' }, width: 110 }),
    level: int({
      label: { zh: '办学层次', en: 'Level' },
      required: true,
      min: 1,
      max: 5,
      search: 'eq',
      words: {
        1: { zh: '本科', en: 'Undergraduate' },
        2: { zh: '专科', en: 'Junior college' },
        3: { zh: '中专/卫校', en: 'Secondary or nursing school' },
        4: { zh: '独立学院', en: 'Independent college' },
        5: { zh: '境外', en: 'Abroad' },
      },
      width: 120,
    }),
    kind: int({
      label: { zh: '办学性质', en: 'Ownership' },
      min: 1,
      max: 3,
      words: { 1: { zh: '公办', en: 'Public' }, 2: { zh: '民办', en: 'Private' }, 3: { zh: '合作', en: 'Joint' } },
      width: 100,
    }),
    isMedical: int({
      label: { zh: '是否医学院校', en: 'Medical school' },
      min: 0,
      max: 1,
      default: 0,
      search: 'eq',
      words: { 1: { zh: '是', en: 'Yes' }, 0: { zh: '否', en: 'No' } },
      width: 120,
    }),
    aliases: text(600, {
      label: { zh: '曾用名', en: 'Former names' },
      list: false,
      widget: 'textarea',
      help: { zh: '多个用分号隔开', en: 'Divided by semicolons' },
    }),
    status: int({
      label: { zh: '状态', en: 'State' },
      min: 0,
      max: 1,
      default: 1,
      search: 'eq',
      words: { 1: { zh: '启用', en: 'In use' }, 0: { zh: '停用', en: 'Not in use' } },
      tones: { 1: 'passed', 0: 'closed' },
      width: 90,
    }),
    remark: text(255, { label: { zh: '备注', en: 'Remark' }, list: false, widget: 'textarea' }),
  },
})
export type School = RowOf<typeof school>
