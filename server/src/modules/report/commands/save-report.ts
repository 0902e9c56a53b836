import { nextDue, timing, timingProblem } from '#contract/job/schedule.ts'
import { refuse } from '#contract/kernel/errors.ts'
import type { Refusal } from '#contract/kernel/refusal.ts'
import type { InputOf } from '#contract/kernel/route.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { dataSetOf, isDataSetName } from '#contract/report/data-sets.ts'
import { refuseReport } from '#contract/report/report.errors.ts'
import type { reportSchedule, reportSubmit } from '#contract/report/report.routes.ts'
import { audit } from '#kernel/audit.ts'
import { lock } from '#kernel/db/lock.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, Refused, sessionOf } from '#kernel/http/context.ts'
import {
  countReports,
  findPeople,
  insertReport,
  isNameTaken,
  type ReportRow,
  removeReport,
  setRoles,
  setSchedule,
  updateReport,
} from '../data/report.repo.ts'
import type { ReportDeps } from '../deps.ts'
import { insistOnDesign, whyClosed, whyUnseen } from './compute.ts'
import { seesAllOf } from './reach.ts'
import { seenReport } from './viewer.ts'

const mostReports = 1_000
/** Nobody needs the same figures every few seconds. */
const finestMs = 5 * 60_000

/** What was sent on schedule uses the rights of the owner, so nobody else decides what it is. */
const insistOnOwner = (report: ReportRow, userId: string): void => {
  if (report.ownerId !== userId) throw new Refused(refuseReport('report/not-owner', { owner: report.ownerName }))
}
const trailOf = (report: Pick<ReportRow, 'reportName' | 'design'>, roleIds?: readonly string[]): object => ({
  reportName: report.reportName,
  dataSet: report.design.dataSet,
  rows: report.design.rows,
  columns: report.design.columns,
  measures: report.design.measures,
  filters: report.design.filters,
  ...(roleIds ? { roleIds } : {}),
})

/** Saves a report, new or changed: what cannot be run, or is closed to its owner, is not saved. */
export const saveReport = async (db: TenantDb, ctx: Ctx, input: InputOf<typeof reportSubmit>): Promise<{ id: string } | Refusal> => {
  const session = sessionOf(ctx)
  const { id, reportName, design, roleIds } = input
  if (!session.permissions.has(id === undefined ? 'report_add' : 'report_edit')) return refuse('kernel/forbidden', {})
  const set = insistOnDesign(ctx, design)
  const why = whyUnseen(ctx, session, set, design)
  if (why) return why
  await lock(db, 'report-names')
  const before = id === undefined ? undefined : await seenReport(db, session, id)
  if (before) insistOnOwner(before, session.userId)
  if (await isNameTaken(db, reportName, id)) return refuseReport('report/name-taken', { report: reportName })
  if (!before && (await countReports(db)) >= mostReports) return refuseReport('report/too-many', { limit: mostReports })
  const saved = before?.id ?? (await insertReport(db, { reportName, design, dataSetVersion: set.version }))
  if (before) await updateReport(db, before.id, { reportName, design, dataSetVersion: set.version })
  if (roleIds !== undefined && (await setRoles(db, saved, roleIds)) < new Set(roleIds).size)
    throw new Refused(refuseReport('report/unknown-role', {}))
  await audit(db, ctx, {
    action: before ? 'report.updated' : 'report.created',
    entity: 'report',
    entityId: saved,
    ...(before
      ? {
          before: trailOf(
            before,
            before.roles.map(role => role.id),
          ),
        }
      : {}),
    after: trailOf({ reportName, design }, roleIds),
  })
  return { id: saved }
}

/** A refusal that stands at a field of the form. */
const atField = (ctx: Ctx, field: 'cron' | 'people', refusal: Refusal): Refusal => ({
  ...refusal,
  data: { fields: [{ field, msg: ctx.say(refusal.text) }] },
})

/** Sets when a report is sent and to whom: people who may log in and see figures of its data set. */
export const scheduleReport = async (
  deps: ReportDeps,
  db: TenantDb,
  ctx: Ctx,
  input: InputOf<typeof reportSchedule>,
): Promise<{ id: string; nextTime: string | null } | Refusal> => {
  const session = sessionOf(ctx)
  const report = await seenReport(db, session, input.id)
  insistOnOwner(report, session.userId)
  const set = dataSetOf(report.dataSet)
  if (!set)
    return refuseReport('report/needs-mending', {
      report: report.reportName,
      problem: { zh: '数据集已不存在', en: 'its data set is gone' },
    })
  const cron = input.cron.trim()
  const when = { timeExpressionType: timing.cron, timeExpression: cron, lifecycle: '' }
  const problem = cron === '' ? undefined : timingProblem(when, db.now, finestMs)
  if (problem) return atField(ctx, 'cron', refuseReport('report/schedule', { problem: problem.why }))
  const ids = [...new Set(input.people)]
  const people = await findPeople(db, ids)
  const unfit: string[] = ids.filter(id => !people.some(person => person.id === id))
  const narrow: string[] = []
  for (const person of people) {
    const other = person.isActive ? await deps.auth.sessionOfUser(db, person.id) : undefined
    if (!other || whyClosed(other, set)) unfit.push(person.realName)
    else if (!isDataSetName(report.dataSet) || !seesAllOf(report.dataSet, other, session)) narrow.push(person.realName)
  }
  if (unfit.length > 0)
    return atField(ctx, 'people', refuseReport('report/unfit-people', { people: unfit.slice(0, 10).join('、'), dataSet: set.label }))
  if (narrow.length > 0) return atField(ctx, 'people', refuseReport('report/narrow-people', { people: narrow.slice(0, 10).join('、') }))
  if (cron !== '' && ids.length === 0) return atField(ctx, 'people', refuseReport('report/no-people', {}))
  const nextTime = cron === '' ? null : (nextDue(when, db.now) ?? null)
  await setSchedule(db, report.id, { cron, nextTime, people: ids, linkDays: input.linkDays })
  await audit(db, ctx, {
    action: 'report.scheduled',
    entity: 'report',
    entityId: report.id,
    before: { cron: report.cron, people: report.people, linkDays: report.linkDays },
    after: { cron, people: ids, linkDays: input.linkDays },
  })
  return { id: report.id, nextTime: nextTime && toWireTime(nextTime) }
}

/** Removes reports of one's own; an administrator removes any. */
export const removeReports = async (db: TenantDb, ctx: Ctx, ids: readonly string[]): Promise<{ removed: number } | Refusal> => {
  const session = sessionOf(ctx)
  if (ids.length === 0) return refuse('kernel/select-one', {})
  for (const id of new Set(ids)) {
    const report = await seenReport(db, session, id)
    if (!session.roleAliases.has('admin')) insistOnOwner(report, session.userId)
    await removeReport(db, id)
    await audit(db, ctx, { action: 'report.removed', entity: 'report', entityId: id, before: trailOf(report) })
  }
  return { removed: new Set(ids).size }
}
