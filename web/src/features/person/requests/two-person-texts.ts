import { defineTexts } from '#web/kernel/i18n/index.ts'

export const twoPersonTexts = defineTexts(
  {
    'two.lead': '通过须由两人先后办理；账号本人被告知后有一段等待期，可以反对，期满才生效。',
    'two.first': '{name}已同意，等待另一人办理。',
    'two.agreed': '{name}和另一人已同意，{time} 生效；在此之前本人可以反对，您可以驳回。',
    'two.document': '本人当面出示的证件（两人填写相同内容时立即生效；没有则留空）',
    'two.done': '已记录，生效须另一人同意并等待期满',
  },
  {
    'two.lead':
      'Two persons approve one after the other. Once told, the owner has a waiting time to object, and nothing changes before it ends.',
    'two.first': '{name} has agreed; another person has to agree too.',
    'two.agreed': '{name} and another person have agreed; it takes effect at {time}. The owner may object until then, and you may refuse.',
    'two.document': 'Document shown in person (both write the same: it takes effect at once; else leave it empty)',
    'two.done': 'Saved: it takes effect when another person has agreed and the waiting time is over',
  },
)
