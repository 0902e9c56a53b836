import { int, text } from '../kernel/field.ts'
import { defineResource } from '../kernel/resource.ts'

/** Where examinations are sat. Kept once per tenant: papers take their rooms from here. */
export const examSite = defineResource({
  name: 'exam-site',
  basePath: '/blade-examSite/examsite',
  menuPath: '/exam/examSite',
  label: { zh: '考点', en: 'Exam site' },
  menu: { under: 'exam', label: { zh: '考点', en: 'Exam sites' }, roles: ['exam_admin'], readers: ['admin'] },
  order: 'siteCode',
  lead: {
    zh: '考点只需登记一次，各科目的考场从这里选用。先登记考点，再登记它的考场。',
    en: 'A site is kept once; papers take their rooms from here. Enter the site first, then its rooms.',
  },
  workbook: { key: 'siteCode' },
  fields: {
    siteCode: text(2, {
      label: { zh: '考点代码', en: 'Code' },
      required: true,
      unique: true,
      search: 'eq',
      pattern: '^(0[1-9]|[1-8][0-9])$',
      help: { zh: '01–89', en: '01–89' },
    }),
    siteName: text(60, { label: { zh: '考点名称', en: 'Site' }, required: true, search: 'like', width: 220 }),
    siteAddress: text(200, { label: { zh: '地址', en: 'Address' }, width: 260, fact: 'none' }),
    sort: int({ label: { zh: '排序', en: 'Order' }, min: 0, max: 9999, default: 0, list: false }),
  },
})
