import type { RuledNoun } from '../kernel/field-rule.ts'

/** Results as staff read and correct them. A score, its sums and the rank that follows from them are one field. */
export const resultNoun = {
  code: 'result',
  label: { zh: '成绩', en: 'Results' },
  views: ['result_view', 'result_export'],
  entities: ['result'],
  fields: {
    name: { label: { zh: '姓名', en: 'Name' }, mask: 'name' },
    idCard: { label: { zh: '证件号码', en: 'Id number' }, mask: 'idCard' },
    ticketNo: { label: { zh: '准考证号', en: 'Ticket number' }, mask: 'ticketNo' },
    score: {
      label: { zh: '成绩', en: 'Score' },
      mask: 'none',
      fact: 'score',
      also: ['bonus', 'finalScore', 'writtenTotal', 'interviewTotal', 'total', 'rank'],
    },
    remark: { label: { zh: '备注', en: 'Remark' }, mask: 'text' },
  },
} as const satisfies RuledNoun
