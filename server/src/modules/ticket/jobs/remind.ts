import { toEndMinute } from '#contract/kernel/when.ts'
import { reminderHours } from '#kernel/db/reminder.ts'
import { systemOf } from '#kernel/db/scope.ts'
import type { Processor } from '#kernel/queue/processor.ts'
import { eachTenant } from '#modules/tenancy/index.ts'
import { listUnfetched } from '../data/reminder.repo.ts'
import type { TicketContext } from '../deps.ts'

/** People of one transaction. */
const batch = 500
/** The reminder that comes by text message too (domain 13.5). */
const smsHours = 48

/** Reminds people of tickets that they have not fetched. */
export const remindProcessor = ({ services, message }: Pick<TicketContext, 'services' | 'message'>): Processor => ({
  name: 'ticket.remind',
  label: { zh: '准考证打印提醒', en: 'Remind of tickets' },
  help: {
    zh: '准考证打印截止前 72、48、24、3 小时提醒尚未打印的考生，48 小时的一次同时发短信（夜间顺延到早上八点）',
    en: 'Tells holders who have not printed their ticket 72, 48, 24 and 3 hours before the end; at 48 hours by text message too, at night in the morning',
  },
  scope: 'platform',
  own: { cron: '0 15 * * * ?', mayPause: true },
  run: async call => {
    let told = 0
    await eachTenant(services.scopes, call, async tenantId => {
      let count = 0
      for (let found = batch; found === batch; count += found)
        found = await services.scopes.tx(systemOf(tenantId), call.now, async db => {
          const people = await listUnfetched(db, [...reminderHours, smsHours], batch)
          for (const { userId, examId, examName, until, hours, eventKey } of people) {
            const end = toEndMinute(until)
            await message.notify(db, {
              userId,
              examId,
              kind: 3,
              title: { zh: '您尚未打印准考证', en: 'Your ticket is not printed yet' },
              content: { zh: `${examName}：请于 ${end} 前打印准考证`, en: `${examName}: print your ticket before ${end}` },
              words: { scene: 'ticket-waits', params: { exam: examName, end } },
              link: '/signup/ticket',
              eventKey,
            })
            if (hours === smsHours) await message.sendSmsByDay(db, { userId, examId }, 'ticket-waits', { exam: examName, end })
          }
          return people.length
        })
      told += count
      if (count > 0) call.log(2, { zh: `机构 ${tenantId}：提醒 ${count} 人次`, en: `Tenant ${tenantId}: ${count} reminded` })
    })
    return { zh: `提醒打印准考证 ${told} 人次`, en: `${told} reminded of their tickets` }
  },
})
