import { defineTexts } from '#web/kernel/i18n/index.ts'

/** What stands above the remark when a sign-up goes back. */
export const returnTexts = defineTexts(
  {
    'return.title': '退回修改，共 {n} 处意见',
    'return.onlyThese': '考生只能改上面标注的内容，意见里要求的其他内容改不了。',
    'return.unmarked': '意见里提到{names}，但没有标注，考生改不了：请在该项上加修改意见，或从审核意见里删掉。',
    'return.toFirst': '退回初审员，不通知考生',
    'return.extend': '给考生 {n} 小时修改时间（考务管理员）',
  },
  {
    'return.title': 'Return for correction, {n} advised',
    'return.onlyThese': 'The candidate can change only what is marked above, whatever else the remark asks for.',
    'return.unmarked':
      'The remark names {names}, which is not marked and stays locked for the candidate: advise on it there, or take it out of the remark.',
    'return.toFirst': 'Back to the first reviewer, not to the candidate',
    'return.extend': 'Give the candidate {n} hours (exam administrator)',
  },
)
