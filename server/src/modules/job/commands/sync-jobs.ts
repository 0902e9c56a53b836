import type { SyncCounts } from '#contract/job/job.routes.ts'
import { jobInfo } from '#contract/job/job-info.resource.ts'
import type { Label } from '#contract/kernel/label.ts'
import { isRefusal } from '#contract/kernel/refusal.ts'
import { audit } from '#kernel/audit.ts'
import { addRow, editRow } from '#kernel/crud/crud.ts'
import type { Ctx } from '#kernel/http/context.ts'
import { type JobRow, listJobsOf, lockJob, noteSync, noteSyncProblem, setNext } from '../data/job.repo.ts'
import { listServers, type ServerRow } from '../data/server.repo.ts'
import type { JobKit } from '../deps.ts'
import { fromRemote, type JobValues, remoteTimeOf, sideOf, unnamedField } from '../domain/remote-job.ts'
import { type PowerJob, PowerJobProblem } from '../powerjob/client.ts'
import { ask } from './connect.ts'
import { pushTo, wireOf, writeWhole } from './save-job.ts'

type Counts = { -readonly [K in keyof SyncCounts]: SyncCounts[K] extends string[] ? string[] : number }

const note = (ctx: Ctx, id: string, jobId: string, remote: JobValues): Promise<void> =>
  ctx.tx(db => noteSync(db, id, { jobId, remote: writeWhole(remote), remoteTime: remoteTimeOf(remote) ?? null }))

/** Takes a job as its server tells it. */
const take = (ctx: Ctx, server: ServerRow, row: JobRow | undefined, remote: JobValues): Promise<void> =>
  ctx.tx(async db => {
    const values = fromRemote(remote)
    const held = row && (await lockJob(db, row.id))
    if (row && !held) return
    const before = row && (await wireOf(db, row.id))
    const id = row?.id ?? (await addRow(db, jobInfo, { ...values, jobServerId: server.id }))
    if (row) await editRow(db, jobInfo, id, values)
    await setNext(db, id, undefined)
    await audit(db, ctx, {
      action: 'job-info.synchronised',
      entity: jobInfo.name,
      entityId: id,
      ...(before ? { before: { jobName: before['jobName'], enable: before['enable'], timeExpression: before['timeExpression'] } } : {}),
      after: { jobName: values['jobName'], enable: values['enable'], timeExpression: values['timeExpression'] },
    })
    await noteSync(db, id, { jobId: String(values['jobId']), remote: writeWhole(remote), remoteTime: remoteTimeOf(remote) ?? null })
  })

const give = async (ctx: Ctx, remote: PowerJob, row: JobRow, known: string | null): Promise<void> => {
  const job = await ctx.tx(db => wireOf(db, row.id))
  if (!job) return
  const unnamed = unnamedField(job)
  if (unnamed !== undefined) {
    const { zh, en } = jobInfo.fields[unnamed].label
    throw new PowerJobProblem({ zh: `${zh}的值只能在任务服务上修改`, en: `${en} can be changed at the job server only` }, true)
  }
  const pushed = await pushTo(remote, job, known)
  await note(ctx, row.id, pushed.jobId, pushed.remote)
}

/** One server: what is there and not here comes, what is here and not there goes, and of what differs the newer side is taken. */
const syncServer = async (
  ctx: Ctx,
  server: ServerRow,
  remote: PowerJob,
  wanted: ReadonlySet<string> | undefined,
  counts: Counts,
): Promise<void> => {
  const [there, here] = [await remote.fetchAllJobs(), await ctx.tx(db => listJobsOf(db, server.id))]
  const byId = new Map(there.map(job => [String(job['id']), job]))
  const failed = async (row: JobRow | undefined, name: string, why: Label): Promise<void> => {
    counts.failed += 1
    counts.problems.push(`${name}: ${ctx.say(why)}`)
    if (row) await ctx.tx(db => noteSyncProblem(db, row.id, ctx.say(why)))
  }
  const attempt = async (row: JobRow | undefined, name: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work()
    } catch (error) {
      if (!(error instanceof PowerJobProblem)) throw error
      await failed(row, name, error.why)
    }
  }
  for (const row of here) {
    if (wanted && !wanted.has(row.id)) continue
    const told = row.jobId === null ? undefined : byId.get(row.jobId)
    await attempt(row, row.jobName, async () => {
      if (!told) {
        // Removed there, or never there: what somebody wrote here is not lost.
        await give(ctx, remote, row, null)
        counts.pushed += 1
        return
      }
      const side = sideOf({
        here: row.updatedAt,
        there: remoteTimeOf(told),
        synced: row.syncedAt ?? undefined,
        knownThere: row.remoteTime ?? undefined,
      })
      if (side === 'there') {
        await take(ctx, server, row, told)
        counts.updated += 1
      } else if (side === 'here') {
        await give(ctx, remote, row, row.jobId)
        counts.pushed += 1
      }
    })
  }
  if (wanted) return
  const known = new Set(here.flatMap(row => (row.jobId === null ? [] : [row.jobId])))
  for (const [jobId, told] of byId)
    if (!known.has(jobId)) {
      await take(ctx, server, undefined, told)
      counts.created += 1
    }
}

/** Compares the jobs of all servers, or chosen jobs with theirs, both ways. A server that does not answer is counted and named; the others go on. */
export const syncJobs = async (kit: JobKit, ctx: Ctx, ids: readonly string[] | undefined): Promise<SyncCounts> => {
  const counts: Counts = { created: 0, updated: 0, pushed: 0, failed: 0, problems: [] }
  const wanted = ids && new Set(ids)
  for (const server of await ctx.tx(listServers)) {
    if (server.url === '') continue
    if (wanted && !(await ctx.tx(db => listJobsOf(db, server.id))).some(row => wanted.has(row.id))) continue
    const outcome = await ask(kit, ctx.tenantId, server, async remote => {
      await syncServer(ctx, server, remote, wanted, counts)
      return undefined
    })
    if (isRefusal(outcome)) {
      counts.failed += 1
      counts.problems.push(ctx.say(outcome.text))
    }
  }
  return counts
}
