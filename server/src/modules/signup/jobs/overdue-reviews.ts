import { toWireDay } from '#contract/kernel/when.ts'
import { systemOf, type TenantDb } from '#kernel/db/scope.ts'
import type { Processor } from '#kernel/queue/processor.ts'
import { eachTenant } from '#modules/tenancy/index.ts'
import { numbersOf } from '../commands/parameters.ts'
import { listLateExams, listLateReviewers, type OverdueRow } from '../data/overdue.repo.ts'
import type { SignupContext } from '../deps.ts'

const hourMs = 3_600_000
const levels = [1, 2] as const
/** What waits so many times the hours a tenant allows goes to whoever runs the examination (domain 13.5: 24 h, 48 h). */
const timesForOffice = 2

type Message = SignupContext['message']
const tell = async (message: Message, db: TenantDb, row: OverdueRow, level: 1 | 2, whom: 'reviewer' | 'office'): Promise<boolean> => {
  const hours = Math.floor((db.now.getTime() - row.oldest.getTime()) / hourMs)
  const days = Math.floor(hours / 24)
  const since = days < 2 ? { zh: `${hours} 小时`, en: `${hours} hours` } : { zh: `${days} 天`, en: `${days} days` }
  const what = level === 1 ? { zh: '待初审', en: 'the first review' } : { zh: '待复核', en: 'the second review' }
  return message.notify(db, {
    userId: row.userId,
    examId: row.examId,
    kind: 7,
    title: { zh: '报名待审超时', en: 'Sign-ups wait too long' },
    content: {
      zh: `${row.examName}：${what.zh} ${row.waiting} 份，最久 ${since.zh}`,
      en: `${row.examName}: ${row.waiting} wait for ${what.en}, the oldest for ${since.en}`,
    },
    link: '/examine/list',
    // Once a day, however often the job runs.
    eventKey: `reviews-late:${whom}:${row.examId}:${level}:${toWireDay(db.now)}`,
  })
}

/** Tells of sign-ups that wait for a review longer than the tenant allows. They are never decided by themselves. */
export const overdueReviewsProcessor = ({ services, message }: Pick<SignupContext, 'services' | 'message'>): Processor => ({
  name: 'signup.overdue-reviews',
  label: { zh: '审核超时提醒', en: 'Tell of late reviews' },
  help: {
    zh: '待审超过“审核时限提醒”小时数的提醒审核人员，超过两倍的提醒考务管理员，每人每天一次',
    en: 'Tells reviewers of what waits longer than the hours of the parameter examine.slaHours, and after twice as long examination administrators, each once a day',
  },
  scope: 'platform',
  own: { cron: '0 20 8-21 * * ?', mayPause: true },
  run: async call => {
    let told = 0
    await eachTenant(services.scopes, call, async tenantId => {
      const count = await services.scopes.tx(systemOf(tenantId), call.now, async db => {
        const { 'examine.slaHours': hours } = await numbersOf(db, ['examine.slaHours'])
        const before = (times: number): Date => new Date(db.now.getTime() - hours * times * hourMs)
        let notices = 0
        for (const level of levels) {
          for (const row of await listLateReviewers(db, level, before(1))) if (await tell(message, db, row, level, 'reviewer')) notices += 1
          for (const row of await listLateExams(db, level, before(timesForOffice)))
            if (await tell(message, db, row, level, 'office')) notices += 1
        }
        return notices
      })
      told += count
      if (count > 0) call.log(2, { zh: `机构 ${tenantId}：提醒 ${count} 人次`, en: `Tenant ${tenantId}: ${count} told` })
    })
    return { zh: `提醒审核 ${told} 人次`, en: `${told} told of late reviews` }
  },
})
