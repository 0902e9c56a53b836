import { refuseJob } from '#contract/job/job.errors.ts'
import { jobInfo } from '#contract/job/job-info.resource.ts'
import { liveStates, ownResult, platformLimits, runKind, runState } from '#contract/job/words.ts'
import { refuse } from '#contract/kernel/errors.ts'
import type { Label } from '#contract/kernel/label.ts'
import { isRefusal, type Refusal } from '#contract/kernel/refusal.ts'
import { audit } from '#kernel/audit.ts'
import { lock } from '#kernel/db/lock.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { accepted, type Ctx, Refused } from '#kernel/http/context.ts'
import {
  countLive,
  findInstance,
  insertRun,
  listRemoteLive,
  lockRun,
  reopenRemote,
  storeRemoteState,
  wantStop,
} from '../data/instance.repo.ts'
import { findJob, type JobRow, noteEnd } from '../data/job.repo.ts'
import { findServer, type ServerRow } from '../data/server.repo.ts'
import type { JobKit } from '../deps.ts'
import type { JobValues } from '../domain/remote-job.ts'
import { PowerJobProblem } from '../powerjob/client.ts'
import { ask } from './connect.ts'
import { finish } from './end-run.ts'
import { refuseUnreached } from './reach.ts'
import { findWithServer } from './save-job.ts'

const refuseMany = async (db: TenantDb, job: Pick<JobRow, 'id' | 'jobName'>): Promise<void> => {
  await lock(db, `job-run|${job.id}`)
  if ((await countLive(db, job.id)) >= platformLimits.queued)
    throw new Refused(refuseJob('job/too-many-runs', { job: job.jobName, limit: platformLimits.queued }))
}

/** Starts a job by hand, switched on or not: here, or at its server. @returns the id of the run, at a server the one it has there */
export const runJob = async (
  kit: JobKit,
  ctx: Ctx,
  id: string,
  params: string | undefined,
  kind: typeof runKind.hand | typeof runKind.retry = runKind.hand,
): Promise<{ instanceId: string } | Refusal> => {
  const found = await findWithServer(kit, ctx, id)
  if (isRefusal(found)) return found
  const { job, server } = found
  const { jobId } = job
  if (server.url !== '' && jobId === null)
    return refuseJob('job/server-failed', { server: server.name, reason: { zh: '任务尚未同步到该服务', en: 'the job is not there yet' } })
  await ctx.tx(db => refuseMany(db, job))
  const remoteId =
    server.url === '' || jobId === null ? undefined : accepted(await ask(kit, ctx.tenantId, server, remote => remote.runJob(jobId, params)))
  return ctx.tx(async db => {
    await refuseMany(db, job)
    const run = await insertRun(db, {
      jobInfoId: id,
      kind,
      params,
      startedBy: db.actor.userId,
      ...(remoteId === undefined ? {} : { instanceId: remoteId }),
    })
    await audit(db, ctx, {
      action: `job-info.${kind === runKind.retry ? 'repeated' : 'ran'}`,
      entity: jobInfo.name,
      entityId: id,
      after: { jobName: job.jobName, instanceId: remoteId ?? run, ...(params ? { params } : {}) },
    })
    return { instanceId: remoteId ?? run }
  })
}

/** Runs that are asked about at once. */
const mostAsked = 20

interface FoundRun {
  readonly run: NonNullable<Awaited<ReturnType<typeof lockRun>>>
  readonly job: JobRow
  readonly server: ServerRow
}
const findRun = (kit: JobKit, ctx: Ctx, id: string): Promise<FoundRun> =>
  ctx.tx(async db => {
    const run = await lockRun(db, id)
    const job = run && (await findJob(db, run.jobInfoId))
    if (job) refuseUnreached(kit, ctx, job)
    const server = job && (await findServer(db, job.jobServerId))
    if (!run || !job || !server) throw new Refused(refuse('kernel/not-found', {}))
    if (run.parentId !== null) throw new Refused(refuseJob('job/run-of-parts', {}))
    return { run, job, server }
  })

const instant = (at: unknown): Date | null => (typeof at === 'number' && at > 0 ? new Date(at) : null)
/** What a server tells of a run, as it stands in our list. */
const toldOf = (told: JobValues): Parameters<typeof storeRemoteState>[2] => ({
  state: Number(told['status']),
  startedAt: instant(told['actualTriggerTime']),
  endedAt: instant(told['finishedTime']),
  host: String(told['taskTrackerAddress'] ?? ''),
  result: String(told['result'] ?? ''),
})

type InTenant = <T>(work: (db: TenantDb) => Promise<T>) => Promise<T>

/** Keeps what a server told of a run that went on when it was last heard of; the job knows of its end. @returns whether it has ended */
const keepTold = async (db: TenantDb, id: string, told: JobValues): Promise<boolean> => {
  const run = await lockRun(db, id)
  if (!run || !liveStates.includes(run.state) || told['status'] === undefined) return false
  const of = toldOf(told)
  await storeRemoteState(db, id, of)
  const hasEnded = !liveStates.includes(of.state)
  if (hasEnded) await noteEnd(db, run.jobInfoId, of.state)
  return hasEnded
}

/**
 * Asks about the runs of a job that go on at its server, the newest first, and keeps the answers. A run that the server does not know any more stays
 * as it was last heard of; the server's silence changes nothing.
 */
export const refreshRuns = async (
  kit: JobKit,
  tenantId: string,
  tx: InTenant,
  jobInfoId: string,
): Promise<{ asked: number; ended: number; problem: Label | undefined }> => {
  const found = await tx(async db => {
    const runs = await listRemoteLive(db, jobInfoId, mostAsked)
    const job = runs.length === 0 ? undefined : await findJob(db, jobInfoId)
    const server = job && (await findServer(db, job.jobServerId))
    return server && { runs, server }
  })
  if (!found) return { asked: 0, ended: 0, problem: undefined }
  let [asked, ended] = [0, 0]
  const outcome = await ask(kit, tenantId, found.server, async remote => {
    for (const { id, instanceId } of found.runs) {
      const told = await remote.fetchInstance(instanceId).catch((error: unknown) => {
        if (error instanceof PowerJobProblem && error.isRefusal) return undefined
        throw error
      })
      asked += 1
      if (told && (await tx(db => keepTold(db, id, told)))) ended += 1
    }
    return undefined
  })
  return { asked, ended, problem: isRefusal(outcome) ? outcome.text : undefined }
}

/** The same of one run. */
export const refreshRun = async (kit: JobKit, ctx: Ctx, id: string): Promise<void> => {
  const seen = await ctx.tx(db => findInstance(db, id))
  if (!seen?.instanceId || !liveStates.includes(seen.state)) return
  const { server } = await findRun(kit, ctx, id)
  const { instanceId } = seen
  const told = await ask(kit, ctx.tenantId, server, remote => remote.fetchInstance(instanceId))
  if (!isRefusal(told)) await ctx.tx(db => keepTold(db, id, told))
}

/** Stops a run: one that waits is over at once, one that goes on as soon as its process hears of it. */
export const stopRun = async (kit: JobKit, ctx: Ctx, id: string): Promise<{ id: string; state: number } | Refusal> => {
  const { run, job, server } = await findRun(kit, ctx, id)
  if (!liveStates.includes(run.state)) return refuseJob('job/run-over', {})
  const { instanceId } = run
  if (server.url !== '' && instanceId !== null) {
    accepted(
      await ask(kit, ctx.tenantId, server, async remote => {
        await remote.stopInstance(instanceId)
        return undefined
      }),
    )
    await refreshRun(kit, ctx, id)
  }
  return ctx.tx(async db => {
    const held = await lockRun(db, id)
    if (!held) throw new Refused(refuse('kernel/not-found', {}))
    if (instanceId === null) {
      if (!liveStates.includes(held.state)) return refuseJob('job/run-over', {})
      await wantStop(db, id)
      // Nobody runs it: it waits, or waits for parts that have just been stopped.
      if (
        held.runner === null &&
        (held.state === runState.waiting || (await findInstance(db, id))?.parts === (await findInstance(db, id))?.partsDone)
      )
        await finish(kit, db, held, runState.stopped, ownResult.stopped)
    }
    await audit(db, ctx, { action: 'job-instance.stopped', entity: 'job-instance', entityId: id, after: { jobName: job.jobName } })
    return { id, state: (await lockRun(db, id))?.state ?? held.state }
  })
}

/**
 * Repeats a run that has ended: as a run of its own, or, at a PowerJob server, under the number that it has there, which is how the server itself
 * repeats one.
 */
export const retryRun = async (kit: JobKit, ctx: Ctx, id: string): Promise<{ instanceId: string } | Refusal> => {
  const { run, job, server } = await findRun(kit, ctx, id)
  if (liveStates.includes(run.state)) return refuseJob('job/run-not-over', {})
  const { instanceId } = run
  if (server.url === '' || instanceId === null) return runJob(kit, ctx, job.id, run.params ?? undefined, runKind.retry)
  accepted(
    await ask(kit, ctx.tenantId, server, async remote => {
      await remote.retryInstance(instanceId)
      return undefined
    }),
  )
  await ctx.tx(async db => {
    await reopenRemote(db, id)
    await audit(db, ctx, {
      action: 'job-info.repeated',
      entity: jobInfo.name,
      entityId: job.id,
      after: { jobName: job.jobName, instanceId },
    })
  })
  return { instanceId }
}
