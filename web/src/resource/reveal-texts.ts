import { defineTexts } from '../kernel/i18n/index.ts'

export const revealTexts = defineTexts(
  {
    'reveal.show': '查看完整',
    'reveal.idCard': '查看完整证件号',
    'reveal.phone': '查看完整手机号',
    'reveal.lead': '查看{name}的完整信息会记入审计，考生可以知道谁在何时因何查看。',
    'reveal.purpose': '用途',
    'reveal.purpose.1': '核对证件和材料',
    'reveal.purpose.2': '联系考生',
    'reveal.purpose.3': '处理申诉或投诉',
    'reveal.purpose.4': '其他法定职责',
  },
  {
    'reveal.show': 'Show in full',
    'reveal.idCard': 'Show in full: id number',
    'reveal.phone': 'Show in full: phone number',
    'reveal.lead': 'That you look at the full number of {name} is kept in the audit trail; candidates may know who looked, when and why.',
    'reveal.purpose': 'Needed to',
    'reveal.purpose.1': 'compare papers',
    'reveal.purpose.2': 'contact the candidate',
    'reveal.purpose.3': 'handle an appeal or a complaint',
    'reveal.purpose.4': 'do another duty by law',
  },
)
