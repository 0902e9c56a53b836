import { defineTexts } from '#web/kernel/i18n/index.ts'

export const waitTexts = defineTexts(
  {
    'wait.minutes': '{n} 分钟',
    'wait.hours': '{h} 小时',
    'wait.days': '{d} 天 {h} 小时',
    'wait.long': '超过 2 天',
    'wait.soon': '超过 1 天',
  },
  {
    'wait.minutes': '{n} min',
    'wait.hours': '{h} h',
    'wait.days': '{d} d {h} h',
    'wait.long': 'over 2 days',
    'wait.soon': 'over 1 day',
  },
)
