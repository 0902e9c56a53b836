import { type JobInstanceView, job } from '#contract/job/job.routes.ts'
import { jobInfo } from '#contract/job/job-info.resource.ts'
import { jobServer } from '#contract/job/job-server.resource.ts'
import { collectedNote, isFasterThanCollected, nextTimes, timingProblem } from '#contract/job/schedule.ts'
import { resultText } from '#contract/job/words.ts'
import { crudRoutes } from '#contract/kernel/crud-routes.ts'
import { refuse } from '#contract/kernel/errors.ts'
import { idsOf } from '#contract/kernel/ids.ts'
import { sliceOf, toPage } from '#contract/kernel/page.ts'
import type { Route } from '#contract/kernel/route.ts'
import { fromWireTime, toWireTime } from '#contract/kernel/when.ts'
import { crud } from '#kernel/crud/crud.ts'
import { type Ctx, type Handler, handle } from '#kernel/http/context.ts'
import { processorFor, refuseUnreachedId, visibleJobs } from './commands/reach.ts'
import { refreshRun, refreshRuns, retryRun, runJob, stopRun } from './commands/run-job.ts'
import { copyJob, finestFor, removeJobs, saveJob, switchJob } from './commands/save-job.ts'
import { checkServer, removeServers, saveServer } from './commands/save-server.ts'
import { syncJobs } from './commands/sync-jobs.ts'
import { findInstance, type InstanceRow, listEnded, listLines, pageInstances } from './data/instance.repo.ts'
import { findStaff } from './data/job.repo.ts'
import { findServer } from './data/server.repo.ts'
import type { JobKit } from './deps.ts'

type Row = Readonly<Record<string, unknown>>
const own = (resource: Parameters<typeof crudRoutes>[0], verb: 'submit' | 'remove'): Route => crudRoutes(resource)[verb] as Route

const viewOf =
  (ctx: Ctx) =>
  ({ dueAt, startedAt, endedAt, host, result, params, startedBy, instanceId, ...row }: InstanceRow): JobInstanceView => ({
    ...row,
    instanceId: instanceId ?? '',
    dueTime: toWireTime(dueAt),
    startTime: startedAt && toWireTime(startedAt),
    endTime: endedAt && toWireTime(endedAt),
    durationMs: startedAt && endedAt ? endedAt.getTime() - startedAt.getTime() : null,
    host: host ?? '',
    result: ctx.say(resultText(result ?? '')),
    params: params ?? '',
    startedBy: startedBy ?? '',
  })

export const jobHandlers = (kit: JobKit): readonly Handler[] => [
  ...crud(jobServer),
  ...crud(jobInfo, { visible: ctx => visibleJobs(kit, ctx) }),
  handle(own(jobServer, 'submit'), ({ ctx, input }) => saveServer(kit, ctx, input as Row)),
  handle(own(jobServer, 'remove'), ({ ctx, input }) => removeServers(ctx, idsOf(String((input as Row)['ids'] ?? '')))),
  handle(job.checkServer, ({ ctx, input }) => checkServer(kit, ctx, input.id)),
  handle(job.syncServers, ({ ctx }) => syncJobs(kit, ctx, undefined)),
  handle(own(jobInfo, 'submit'), ({ ctx, input }) => saveJob(kit, ctx, input as Row)),
  handle(own(jobInfo, 'remove'), ({ ctx, input }) => removeJobs(kit, ctx, idsOf(String((input as Row)['ids'] ?? '')))),
  handle(job.changeJob, ({ ctx, input }) => switchJob(kit, ctx, input.id, input.enable)),
  handle(job.runJob, ({ ctx, input }) => runJob(kit, ctx, input.id, input.instanceParams)),
  handle(job.syncJobs, ({ ctx, input }) => syncJobs(kit, ctx, input.ids === undefined || input.ids === '' ? undefined : idsOf(input.ids))),
  handle(job.copyJob, ({ ctx, input }) => copyJob(kit, ctx, input.id)),
  handle(job.nextRuns, async ({ ctx, db, input }) => {
    const of = {
      timeExpressionType: input.timeExpressionType,
      timeExpression: input.timeExpression ?? '',
      lifecycle: input.lifecycle ?? '',
    }
    const server = input.jobServerId === undefined ? undefined : await findServer(db, input.jobServerId)
    const isBuiltIn = server === undefined || server.url === ''
    const problem = timingProblem(of, ctx.arrivedAt, finestFor(ctx.tenantId, isBuiltIn))
    if (problem) return { times: [], problem: ctx.say(problem.why), field: problem.field, note: '' }
    return {
      times: nextTimes(of, ctx.arrivedAt, 5).map(toWireTime),
      problem: '',
      field: '',
      note: !isBuiltIn && isFasterThanCollected(of, ctx.arrivedAt) ? ctx.say(collectedNote) : '',
    }
  }),
  handle(job.processors, async ({ ctx }) =>
    kit.processors
      .all()
      .filter(({ name }) => processorFor(kit, ctx, name) !== undefined)
      .map(({ name, label, help, split }) => ({ processor: name, label: ctx.say(label), help: ctx.say(help), isMap: split !== undefined })),
  ),
  handle(job.notifiable, ({ db }) => findStaff(db, undefined)),
  handle(job.instances, async ({ ctx, input }) => {
    const { current, size, offset } = sliceOf(input)
    const { jobInfoId } = input
    if (jobInfoId !== undefined) await ctx.tx(db => refuseUnreachedId(kit, ctx, db, jobInfoId))
    if (jobInfoId !== undefined) await refreshRuns(kit, ctx.tenantId, ctx.tx, jobInfoId)
    const { rows, total } = await ctx.tx(db =>
      pageInstances(
        db,
        {
          jobInfoId,
          parentId: input.parentId,
          state: input.state,
          from: input.from === undefined ? undefined : fromWireTime(input.from),
          to: input.to === undefined ? undefined : fromWireTime(input.to),
          jobs: visibleJobs(kit, ctx),
        },
        size,
        offset,
      ),
    )
    return toPage(rows.map(viewOf(ctx)), total, current, size)
  }),
  handle(job.instanceDetail, async ({ ctx, input }) => {
    await ctx.tx(async db => {
      const run = await findInstance(db, input.id)
      if (run) await refuseUnreachedId(kit, ctx, db, run.jobInfoId)
    })
    await refreshRun(kit, ctx, input.id)
    const found = await ctx.tx(async db => {
      const row = await findInstance(db, input.id)
      return row && { row, lines: await listLines(db, input.id) }
    })
    if (!found) return refuse('kernel/not-found', {})
    return {
      ...viewOf(ctx)(found.row),
      logs: found.lines.map(line => ({ at: toWireTime(line.at), level: line.level, text: ctx.say(resultText(line.text)) })),
    }
  }),
  handle(job.chart, async ({ ctx, db, input }) => {
    await refuseUnreachedId(kit, ctx, db, input.jobInfoId)
    return (await listEnded(db, input.jobInfoId)).map(run => ({ ...run, at: toWireTime(run.at) }))
  }),
  handle(job.stopInstance, ({ ctx, input }) => stopRun(kit, ctx, input.id)),
  handle(job.retryInstance, ({ ctx, input }) => retryRun(kit, ctx, input.id)),
]
