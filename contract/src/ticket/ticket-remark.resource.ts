import { int, ref, text } from '../kernel/field.ts'
import { defineResource } from '../kernel/resource.ts'

/** Remarks that are printed on tickets and used again (domain 3.11, S7.60). */
export const ticketRemark = defineResource({
  name: 'ticket-remark',
  basePath: '/blade-ticketRemark/ticketremark',
  menuPath: '/ticket/remark',
  label: { zh: '准考证备注', en: 'Ticket remark' },
  menu: {
    under: 'tickets',
    after: 'ticket',
    label: { zh: '准考证备注', en: 'Ticket remarks' },
    roles: ['exam_admin'],
    readers: ['admin', 'auditor'],
  },
  within: 'examination',
  verbs: ['list', 'detail', 'submit', 'remove', 'export'],
  order: 'sort',
  fields: {
    title: text(50, { label: { zh: '标题', en: 'Title' }, required: true, search: 'like' }),
    content: text(300, { label: { zh: '内容', en: 'Text' }, required: true, widget: 'textarea' }),
    examId: ref('examination', {
      label: { zh: '考试', en: 'Examination' },
      search: 'eq',
      help: { zh: '不选则用于所有考试', en: 'Without one it is for all examinations' },
    }),
    sort: int({ label: { zh: '排序', en: 'Order' }, min: 0, max: 9_999, default: 0 }),
    status: int({
      label: { zh: '状态', en: 'State' },
      min: 0,
      max: 1,
      default: 1,
      search: 'eq',
      words: { 1: { zh: '启用', en: 'In use' }, 0: { zh: '停用', en: 'Not in use' } },
      tones: { 1: 'passed', 0: 'closed' },
    }),
  },
})
