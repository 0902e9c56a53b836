import { defineRefTarget } from '../kernel/ref-target.ts'

const base = '/blade-exam/examination'
export const examinationTarget = defineRefTarget({
  name: 'examination',
  label: { zh: '考试', en: 'Examination' },
  table: 'examination',
  permission: 'examination',
  title: ['examCode', 'examName'],
  list: `${base}/page`,
  paged: true,
  search: 'examName',
  detail: `${base}/detail`,
})
