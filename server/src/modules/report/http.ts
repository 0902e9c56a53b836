import { refuse } from '#contract/kernel/errors.ts'
import { sliceOf, toPage } from '#contract/kernel/page.ts'
import type { OutputOf } from '#contract/kernel/route.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { type DataSet, dataSetOf, dataSets, isDataSetName, ownOf } from '#contract/report/data-sets.ts'
import { designProblems } from '#contract/report/design.ts'
import { refuseReport } from '#contract/report/report.errors.ts'
import {
  reportDetail as detailRoute,
  reportCancel,
  reportChoices,
  reportDataSets,
  type reportDetail,
  reportFile,
  reportList,
  reportPreview,
  reportRemove,
  reportResult,
  reportRun,
  reportSchedule,
  reportSubmit,
  reportValues,
} from '#contract/report/report.routes.ts'
import { audit } from '#kernel/audit.ts'
import { type Ctx, type Handler, handle, Refused, sessionOf } from '#kernel/http/context.ts'
import { refuseUntold } from '#kernel/http/field-rule.ts'
import { closedFields, computeTable, mayShowFew, whyClosed } from './commands/compute.ts'
import { fileOf } from './commands/outputs.ts'
import { reachOf } from './commands/reach.ts'
import { openRun, orderRun } from './commands/run-report.ts'
import { removeReports, saveReport, scheduleReport } from './commands/save-report.ts'
import { openSets, seenReport, viewerOf } from './commands/viewer.ts'
import { listedOrder, listValues, wordsOfValues } from './data/cells.repo.ts'
import { listEligible, listRoles, pageReports, type ReportRow } from './data/report.repo.ts'
import { cancelRun, findRun, listRuns, type RunRow } from './data/run.repo.ts'
import type { ReportKit } from './deps.ts'
import { gridOf, labelOf } from './domain/table.ts'

/** A preview comes within a second or not at all: what takes longer is run in the background. */
const previewMs = 950
/** Rows of a preview. */
const shownRows = 50
const shownRuns = 20
const shownValues = 200
const shownPeople = 500

type Detail = OutputOf<typeof reportDetail>

const rowOf = (ctx: Ctx, row: ReportRow) => {
  const set = dataSetOf(row.dataSet)
  return {
    id: row.id,
    reportName: row.reportName,
    dataSet: row.dataSet,
    dataSetName: set ? ctx.say(set.label) : row.dataSet,
    isOwn: row.ownerId === sessionOf(ctx).userId,
    ownerName: row.ownerName,
    roleNames: row.roles.map(ctx.say),
    needsMending: designProblems(row.design).length > 0,
    isScheduled: row.nextTime !== null,
    nextTime: row.nextTime && toWireTime(row.nextTime),
    createTime: toWireTime(row.createdAt),
    updateTime: toWireTime(row.updatedAt),
  }
}
const runOf = (ctx: Ctx, run: RunRow): Detail['runs'][number] => ({
  id: run.id,
  reportId: run.reportId,
  reportName: run.reportName,
  state: run.state,
  progress: run.progress,
  isScheduled: run.dueAt !== null,
  createTime: toWireTime(run.createdAt),
  endTime: run.endedAt && toWireTime(run.endedAt),
  expireTime: run.expiresAt && toWireTime(run.expiresAt),
  problem: run.problemZh === null ? null : ctx.say({ zh: run.problemZh, en: run.problemEn ?? run.problemZh }),
})

/** A data set that the caller may see figures of. @throws Refused report/design, report/data-set-closed */
const openSet = (ctx: Ctx, name: string): DataSet => {
  const set = dataSetOf(name)
  if (!set)
    throw new Refused(
      refuseReport('report/design', { problem: { zh: '没有这个数据集，请重新选择', en: 'there is no such data set: choose another' } }),
    )
  const why = whyClosed(sessionOf(ctx), set)
  if (why) throw new Refused(why)
  return set
}

export const reportHandlers = (kit: ReportKit): Handler[] => [
  handle(reportDataSets, async ({ ctx }) =>
    openSets(sessionOf(ctx)).map(dataSet => ({ dataSet, closed: [...closedFields(ctx, ownOf<DataSet>(dataSets, dataSet) as DataSet)] })),
  ),
  handle(reportValues, async ({ ctx, input }) => {
    const set = openSet(ctx, input.dataSet)
    const dimension = ownOf(set.dimensions, input.dimension)
    const name = input.dataSet
    if (!dimension || !isDataSetName(name))
      return refuseReport('report/design', { problem: { zh: '没有这个筛选项，请重新选择', en: 'there is no such filter: choose another' } })
    const why = dimension.field && refuseUntold(ctx, [dimension.field])
    if (why) return why
    return ctx.tx(async db => {
      const values = await listValues(db, {
        name,
        dimension: input.dimension,
        reach: reachOf(sessionOf(ctx)),
        limit: shownValues,
        timeoutMs: previewMs * 5,
        showsFew: mayShowFew(sessionOf(ctx), set),
      })
      const words = await wordsOfValues(db, name, input.dimension, values)
      const order = listedOrder(name, input.dimension, words)
      const placeOf = (value: string): number => (order?.includes(value) ? order.indexOf(value) : (order?.length ?? 0))
      return values.toSorted((a, b) => placeOf(a) - placeOf(b)).map(value => ({ value, label: ctx.say(labelOf(words, value)) }))
    })
  }),
  handle(reportPreview, async ({ ctx, input }) => {
    const session = sessionOf(ctx)
    const title = ctx.say(openSet(ctx, input.design.dataSet).label)
    const table = await computeTable({ ...ctx, session }, { design: input.design, title, timeoutMs: previewMs })
    return gridOf(table, ctx.say, input.firstRows ?? shownRows)
  }),
  handle(reportList, async ({ ctx, db, input }) => {
    const { current, size, offset, reportName } = sliceOf(input)
    const { rows, total } = await pageReports(db, { viewer: viewerOf(sessionOf(ctx)), name: reportName, size, offset })
    return toPage(
      rows.map(row => rowOf(ctx, row)),
      total,
      current,
      size,
    )
  }),
  handle(detailRoute, async ({ ctx, db, input }) => {
    const session = sessionOf(ctx)
    const report = await seenReport(db, session, input.id)
    return {
      ...rowOf(ctx, report),
      design: report.design,
      dataSetVersion: report.dataSetVersion,
      roleIds: report.roles.map(role => role.id),
      cron: report.cron,
      people: [...report.people],
      linkDays: report.linkDays,
      problems: designProblems(report.design).map(({ at, name: about = '', text }) => ({ at, about, text: ctx.say(text) })),
      runs: (await listRuns(db, input.id, session.userId, shownRuns)).map(run => runOf(ctx, run)),
    }
  }),
  handle(reportSubmit, ({ ctx, db, input }) => saveReport(db, ctx, input)),
  handle(reportSchedule, ({ ctx, db, input }) => scheduleReport(kit, db, ctx, input)),
  handle(reportRemove, ({ ctx, db, input }) => removeReports(db, ctx, input.ids.split(',').filter(Boolean))),
  handle(reportChoices, async ({ ctx, db, input }) => {
    const set = openSet(ctx, input.dataSet)
    const roles = await listRoles(db, set.rights)
    return {
      roles: roles.map(({ id, ...label }) => ({ id, label: ctx.say(label) })),
      people: await listEligible(db, set.rights, shownPeople),
    }
  }),
  handle(reportRun, async ({ ctx, db, input }) => {
    const run = await findRun(db, await orderRun(db, ctx, input.id))
    return run ? runOf(ctx, run) : refuse('kernel/not-found', {})
  }),
  handle(reportCancel, async ({ ctx, db, input }) => {
    const run = await findRun(db, input.id)
    if (!run || run.userId !== sessionOf(ctx).userId) return refuse('kernel/not-found', {})
    if (!(await cancelRun(db, input.id))) return refuseReport('report/run-over', {})
    await audit(db, ctx, { action: 'report.cancelled', entity: 'report', entityId: run.reportId, after: { runId: run.id } })
    return { id: run.id, state: 6 }
  }),
  handle(reportResult, async ({ ctx, db, input }) => {
    const { run, table } = await openRun(db, ctx, input.id)
    return { ...runOf(ctx, run), grid: table ? gridOf(table, ctx.say) : null }
  }),
  handle(reportFile, ({ ctx, input }) => fileOf(kit, ctx, input.id, input.format)),
]
