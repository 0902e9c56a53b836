import { toWireDay } from '#contract/kernel/when.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import type { Services } from '#server/services.ts'
import { type BudgetNews, budgetOf } from '../budget.ts'
import { insertNotice, type Notice } from '../data/notify.repo.ts'
import { listAdministrators } from '../data/sms.repo.ts'
import type { MessageDeps } from '../deps.ts'

const budgetParameter = 'sms.dailyBudget'
const budgetNews: Readonly<Record<BudgetNews, Pick<Notice, 'title' | 'content'>>> = {
  nearlyUsed: {
    title: { zh: '今日短信额度已用 80%', en: '80 % of the text messages of today are used' },
    content: {
      zh: '额度用完后，今日不再发送短信（含登录验证码）。可在系统参数 sms.dailyBudget 中调整。',
      en: 'When all are used, nothing more is sent today, login codes included. The parameter sms.dailyBudget changes it.',
    },
  },
  usedUp: {
    title: { zh: '今日短信额度已用完', en: 'The text messages of today are used up' },
    content: {
      zh: '今日不再发送短信（含登录验证码），站内通知不受影响。请核查是否有异常发送；可在系统参数 sms.dailyBudget 中调整。',
      en: 'Nothing more is sent today, login codes included; in-app notices go on. Look for unusual sending; the parameter sms.dailyBudget changes it.',
    },
  },
}

export const dailyBudget = async ({ parametersOf }: MessageDeps, db: TenantDb): Promise<number> =>
  budgetOf((await parametersOf(db, [budgetParameter]))[budgetParameter])

/** The administrators of the tenant, once a day for each piece of news. */
export const tellOfBudget = async ({ log }: Services, db: TenantDb, news: BudgetNews): Promise<void> => {
  for (const userId of await listAdministrators(db))
    await insertNotice(db, {
      ...budgetNews[news],
      userId,
      examId: null,
      kind: 7,
      link: '/wel/index',
      eventKey: `sms-budget:${toWireDay(db.now)}:${news}`,
    })
  if (news === 'usedUp') log.warn({ tenant: db.actor.tenantId }, 'daily budget of text messages used up')
}
