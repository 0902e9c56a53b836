import { toEndMinute } from '#contract/kernel/when.ts'
import type { Processor } from '#kernel/queue/processor.ts'
import { eachTenant } from '#modules/tenancy/index.ts'
import { asTenant } from '../commands/close-order.ts'
import { payPage } from '../commands/news.ts'
import { listUnpaid } from '../data/reminder.repo.ts'
import type { PayKit } from '../deps.ts'
import { payTexts } from '../templates/notices.ts'

/** People of one transaction. */
const batch = 500
/** The reminder that comes by text message too (domain 13.5). */
const smsHours = 24

/** Reminds people of fees that are not paid yet. */
export const remindProcessor = (kit: PayKit): Processor => ({
  name: 'pay.remind',
  label: { zh: '缴费截止提醒', en: 'Remind of payments' },
  help: {
    zh: '缴费截止前 72、24、3 小时提醒未缴费的考生，24 小时的一次同时发短信（夜间顺延到早上八点）',
    en: 'Tells candidates who have not paid 72, 24 and 3 hours before the end; at 24 hours by text message too, at night in the morning',
  },
  scope: 'platform',
  own: { cron: '0 10 * * * ?', mayPause: true },
  run: async call => {
    let told = 0
    const { message } = kit.deps
    await eachTenant(kit.services.scopes, call, async tenantId => {
      let count = 0
      for (let found = batch; found === batch; count += found)
        found = await asTenant(kit, tenantId, async db => {
          const people = await listUnpaid(db, batch)
          for (const { userId, examId, examName, amountFen, until, hours, eventKey } of people) {
            const deadline = toEndMinute(until)
            await message.notify(db, {
              ...payTexts.payEnds(examName, amountFen, deadline),
              userId,
              examId,
              kind: 2,
              link: payPage,
              eventKey,
            })
            if (hours === smsHours) await message.sendSmsByDay(db, { userId, examId }, 'pay-ends', { exam: examName, deadline })
          }
          return people.length
        })
      told += count
      if (count > 0) call.log(2, { zh: `机构 ${tenantId}：提醒 ${count} 人次`, en: `Tenant ${tenantId}: ${count} reminded` })
    })
    return { zh: `提醒缴费 ${told} 人次`, en: `${told} reminded to pay` }
  },
})
