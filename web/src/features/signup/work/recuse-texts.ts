import { defineTexts } from '#web/kernel/i18n/index.ts'

/** What the declaration of a conflict of interest says. */
export const recuseTexts = defineTexts(
  {
    'recuse.lead': '您与该考生有亲属、同事等关系时请申报；该报名随即转给他人审核。',
    'recuse.reason': '关系说明',
    'recuse.need': '请说明关系',
    'recuse.done': '已申报回避，该报名已转给他人',
  },
  {
    'recuse.lead': 'Say so when you know this candidate, as a relative or colleague; the sign-up goes to somebody else at once.',
    'recuse.reason': 'How you know them',
    'recuse.need': 'Say how you know them',
    'recuse.done': 'Declared; somebody else has the sign-up now',
  },
)
