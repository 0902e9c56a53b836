import { toEndMinute } from '#contract/kernel/when.ts'
import { systemOf } from '#kernel/db/scope.ts'
import type { Processor } from '#kernel/queue/processor.ts'
import { eachTenant } from '#modules/tenancy/index.ts'
import { listUnsent } from '../data/reminder.repo.ts'
import type { SignupContext } from '../deps.ts'

/** People of one transaction. */
const batch = 500

/** Reminds people of sign-ups that they have not handed in. */
export const remindProcessor = ({ services, message }: Pick<SignupContext, 'services' | 'message'>): Processor => ({
  name: 'signup.remind',
  label: { zh: '报名截止提醒', en: 'Remind of sign-ups' },
  help: {
    zh: '报名或修改截止前 72、24、3 小时提醒尚未提交的考生',
    en: 'Tells candidates whose sign-up is begun or returned and not handed in 72, 24 and 3 hours before the end',
  },
  scope: 'platform',
  own: { cron: '0 0 * * * ?', mayPause: true },
  run: async call => {
    let told = 0
    await eachTenant(services.scopes, call, async tenantId => {
      let count = 0
      for (let found = batch; found === batch; count += found)
        found = await services.scopes.tx(systemOf(tenantId), call.now, async db => {
          const people = await listUnsent(db, batch)
          for (const { userId, examId, examName, isReturned, until, eventKey } of people) {
            const end = toEndMinute(until)
            await message.notify(db, {
              userId,
              examId,
              kind: 1,
              title: isReturned
                ? { zh: '报名修改即将截止', en: 'Corrections end soon' }
                : { zh: '报名即将截止，您还没有提交', en: 'Sign-up ends soon, and yours is not submitted' },
              content: isReturned
                ? {
                    zh: `${examName}：您的报名已退回修改，请于 ${end} 前修改并重新提交`,
                    en: `${examName}: your sign-up was returned; correct and submit it before ${end}`,
                  }
                : {
                    zh: `${examName}：报名将于 ${end} 截止，只保存未提交的报名无效`,
                    en: `${examName}: sign-up ends at ${end}; what is saved and not submitted does not count`,
                  },
              ...(isReturned ? {} : { words: { scene: 'signup-ends', params: { exam: examName, deadline: end } } as const }),
              link: '/signup/myExam',
              eventKey,
            })
          }
          return people.length
        })
      told += count
      if (count > 0) call.log(2, { zh: `机构 ${tenantId}：提醒 ${count} 人次`, en: `Tenant ${tenantId}: ${count} reminded` })
    })
    return { zh: `提醒提交报名 ${told} 人次`, en: `${told} reminded to submit` }
  },
})
