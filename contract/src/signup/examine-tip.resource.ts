import { int, text } from '../kernel/field.ts'
import { defineResource, type RowOf } from '../kernel/resource.ts'

/** Texts that reviewers use again (domain 3.17): one's own, and those that whoever runs the examinations gives to all. */
export const examineTip = defineResource({
  name: 'examine-tip',
  basePath: '/blade-examineTip/examinetip',
  permission: 'examinetip',
  menuPath: '/examine/tip',
  menu: {
    under: 'review',
    after: 'signup',
    label: { zh: '审核提示语', en: 'Review texts' },
    icon: 'list',
    roles: ['exam_admin', 'reviewer1', 'reviewer2'],
    buttons: [{ right: 'share', label: { zh: '维护全员提示语', en: 'Keep the texts of all' }, roles: ['exam_admin'] }],
  },
  label: { zh: '审核提示语', en: 'Review text' },
  lead: {
    zh: '在审核工作台写意见时按 Alt + 数字 选用，用得最多的排在前面。个人的只有本人可见。',
    en: 'In the review workbench Alt and a digit takes one; the most used come first. Those of a person are seen by that person only.',
  },
  ownRules: true,
  order: '-useCount',
  fields: {
    title: text(30, { label: { zh: '标题', en: 'Title' }, required: true, search: 'like' }),
    content: text(200, { label: { zh: '内容', en: 'Text' }, required: true, widget: 'textarea' }),
    kind: int({
      label: { zh: '用于', en: 'Used for' },
      required: true,
      min: 1,
      max: 3,
      search: 'eq',
      words: { 1: { zh: '通过', en: 'Passing' }, 2: { zh: '退回', en: 'Returning' }, 3: { zh: '不通过', en: 'Refusing' } },
    }),
    fieldKey: text(40, {
      label: { zh: '报名项或材料', en: 'Field or file' },
      search: 'eq',
      list: false,
      help: { zh: '报名项或材料的代码；不填则处处可用', en: 'Code of a field or file of the form; without one it is offered everywhere' },
    }),
    scope: int({
      label: { zh: '可见范围', en: 'Seen by' },
      min: 1,
      max: 2,
      default: 1,
      search: 'eq',
      words: { 1: { zh: '个人', en: 'Myself' }, 2: { zh: '全员', en: 'All reviewers' } },
    }),
    useCount: int({ label: { zh: '使用次数', en: 'Times used' }, form: false, default: 0 }),
    sort: int({ label: { zh: '排序', en: 'Order' }, min: 0, max: 9_999, default: 0, list: false }),
  },
})
export type ExamineTip = RowOf<typeof examineTip>
