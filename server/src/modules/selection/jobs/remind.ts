import { toEndMinute, toWireDay } from '#contract/kernel/when.ts'
import { systemOf, type TenantDb } from '#kernel/db/scope.ts'
import type { Processor } from '#kernel/queue/processor.ts'
import { listOfficers } from '#modules/exam/index.ts'
import { eachTenant } from '#modules/tenancy/index.ts'
import { listEndingCalls, listEndingChecks, listOverdueChecks } from '../data/reminder.repo.ts'
import type { SelectionKit } from '../deps.ts'
import { askEndsNotice, endsNotice, link, overdueNotice, sceneOf } from '../templates/notices.ts'

/** People of one transaction. */
const batch = 500
/** Whoever is called has two days by default. */
const hoursBefore = [24, 3] as const
/** The reminder that comes by text message too (domain 13.5). */
const smsHours = 24

const remindCalls = async ({ message }: SelectionKit, db: TenantDb): Promise<number> => {
  const calls = await listEndingCalls(db, hoursBefore, batch)
  for (const { userId, examId, examName, stage, kind, until, hours, eventKey } of calls) {
    const deadline = toEndMinute(until)
    await message.notify(db, { userId, examId, kind: 6, link, eventKey, ...endsNotice(examName, stage, deadline) })
    if (hours === smsHours) await message.sendSmsByDay(db, { userId, examId }, sceneOf(kind), { exam: examName, deadline })
  }
  return calls.length
}

const remindChecks = async ({ message }: SelectionKit, db: TenantDb): Promise<number> => {
  const checks = await listEndingChecks(db, hoursBefore, batch)
  for (const { userId, examId, examName, until, eventKey } of checks)
    await message.notify(db, { userId, examId, kind: 6, link, eventKey, ...askEndsNotice(examName, toEndMinute(until)) })
  return checks.length
}

/** The office hears once a day of second medical checks without an outcome. @returns of how many */
const tellOverdue = async ({ message }: SelectionKit, db: TenantDb): Promise<number> => {
  const exams = await listOverdueChecks(db)
  for (const { examId, examName, count } of exams)
    for (const userId of await listOfficers(db, examId))
      await message.notify(db, {
        ...{ userId, examId, kind: 7, link: `/result/selection?examId=${examId}` },
        ...overdueNotice(examName, count),
        eventKey: `selection-overdue:${examId}:${toWireDay(db.now)}`,
      })
  return exams.reduce((sum, { count }) => sum + count, 0)
}

/** Reminds people of what ends soon, and the office of what is overdue. */
export const remindProcessor = (kit: SelectionKit): Processor => ({
  name: 'selection.remind',
  label: { zh: '复审确认和体检复检提醒', en: 'Remind of answers and second medical checks' },
  help: {
    zh: '确认期限和复检申请期限前 24、3 小时提醒考生，24 小时的确认提醒同时发短信（夜间顺延到早上八点）；复检到期未登记结论的每天提醒考务管理员',
    en: 'Tells candidates 24 and 3 hours before the end of an answer or of asking for a second check, at 24 hours of an answer by text message too, at night in the morning; tells the office once a day of second checks without an outcome',
  },
  scope: 'platform',
  own: { cron: '0 5 * * * ?', mayPause: true },
  run: async call => {
    let [told, overdue] = [0, 0]
    const { scopes } = kit.services
    await eachTenant(scopes, call, async tenantId => {
      const inTenant = <T>(work: (db: TenantDb) => Promise<T>): Promise<T> => scopes.tx(systemOf(tenantId), call.now, work)
      for (const remind of [remindCalls, remindChecks])
        for (let found = batch; found === batch; told += found) {
          call.signal.throwIfAborted()
          found = await inTenant(db => remind(kit, db))
        }
      overdue += await inTenant(db => tellOverdue(kit, db))
    })
    return {
      zh: `提醒考生 ${told} 人次，逾期复检 ${overdue} 人`,
      en: `${told} candidates reminded, ${overdue} second checks overdue`,
    }
  },
})
