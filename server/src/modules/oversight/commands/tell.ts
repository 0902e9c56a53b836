import { type Label, label } from '#contract/kernel/label.ts'
import { saidTime, toWireTime } from '#contract/kernel/when.ts'
import { measureLabels, type Span } from '#contract/oversight/measure.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import {
  fellowOperators,
  findPersonName,
  findRoleNames,
  handlersOf,
  type Raised,
  type StoppedAlert,
  type Subject,
} from '../data/alert.repo.ts'
import type { WatchDeps } from '../deps.ts'

const spanLabels: Readonly<Record<Span, Label>> = { hour: label('一小时', 'an hour'), day: label('一天', 'a day') }

const nameOf = async (db: TenantDb, { kind, userId, roleAlias }: Subject): Promise<Label> => {
  if (kind === 'tenant') return label('本机构', 'The organisation')
  if (kind === 'role') {
    const role = await findRoleNames(db, roleAlias)
    return role ? label(role.zh, role.en || role.zh) : label(roleAlias, roleAlias)
  }
  const name = (await findPersonName(db, userId)) ?? userId
  return label(name, name)
}

const pageOfAlerts = '/monitor/alert'

type Text = Pick<Parameters<WatchDeps['message']['notify']>[1], 'title' | 'content'>
/** A notice to everybody who may handle the alert, and to the other operators where it is about one of them. @returns how many may handle it */
const notifyHandlers = async (deps: WatchDeps, db: TenantDb, id: string, subject: Subject, event: string, text: Text): Promise<number> => {
  const notice = { ...text, examId: null, kind: 7, eventKey: `${event}:${id}` } as const
  const handlers = await handlersOf(db, subject)
  for (const userId of handlers) await deps.message.notify(db, { ...notice, userId, link: `${pageOfAlerts}?alert.id=${id}` })
  const operators = (await fellowOperators(db, subject.userId)).filter(userId => !handlers.includes(userId))
  for (const userId of operators) await deps.message.notify(db, { ...notice, userId, link: '' })
  if (handlers.length === 0) deps.services.log.warn({ tenant: db.actor.tenantId, alert: id }, 'an alert has nobody who may handle it')
  return handlers.length
}

/** Somebody's exports stop: a line in the trail, and a second notice. */
export const tellStopped = async (deps: WatchDeps, db: TenantDb, { id, nameZh, nameEn, userId, amount, limit }: StoppedAlert) => {
  const subject: Subject = { kind: 'person', userId, roleAlias: '' }
  const who = await nameOf(db, subject)
  const handlers = await notifyHandlers(deps, db, id, subject, 'alert-stopped', {
    title: { zh: `已暂停导出：${nameZh}`, en: `Exports stopped: ${nameEn}` },
    content: {
      zh: `${who.zh}已达 ${amount}，限值 ${limit}，其导出已暂停至本统计时段结束；判定误报后立即恢复。`,
      en: `${who.en} has reached ${amount}, the limit is ${limit}; their exports stop until the window ends, or until the alert is called false.`,
    },
  })
  await audit(db, undefined, {
    action: 'alert.exports-stopped',
    entity: 'watch_alert',
    entityId: id,
    after: { rule: nameZh, userId, amount, limit, told: handlers },
  })
}

/** The alert's line in the trail, and a notice to everybody who may handle it. The person it is about hears nothing. */
export const tell = async (
  deps: WatchDeps,
  db: TenantDb,
  id: string,
  { rule, subject, window, amount }: Raised,
  limit: number,
  usual: number,
) => {
  const who = await nameOf(db, subject)
  const what = measureLabels[rule.measure]
  const span = spanLabels[rule.span]
  const handlers = await notifyHandlers(deps, db, id, subject, 'alert', {
    title: { zh: `告警：${rule.nameZh}`, en: `Alert: ${rule.nameEn}` },
    content: {
      zh: `${who.zh}自 ${saidTime(toWireTime(window.start))} 起${span.zh}内“${what.zh}”达 ${amount}，限值 ${limit}，平常 ${usual}。`,
      en: `${who.en}: ${amount} of “${what.en}” within ${span.en} from ${saidTime(toWireTime(window.start))}; the limit is ${limit}, usual are ${usual}.`,
    },
  })
  await audit(db, undefined, {
    action: 'alert.raised',
    entity: 'watch_alert',
    entityId: id,
    after: {
      rule: rule.nameZh,
      measure: rule.measure,
      userId: subject.userId,
      roleAlias: subject.roleAlias,
      amount,
      limit,
      usual,
      told: handlers,
    },
  })
}
