import { defineErrors, refuserOf } from '../kernel/refusal.ts'

/** Numbers of domain 13.2. */
export const messageErrors = defineErrors({
  'sms/daily-budget': {
    code: 2703,
    status: 429,
    zh: '本机构今日短信额度已用完，请明日再试或联系管理员',
    en: 'The text messages of this organisation are used up for today; try again tomorrow or call the administrator',
  },
})
export const refuseMessage = refuserOf(messageErrors)
