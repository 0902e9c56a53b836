import { refuseJob } from '#contract/job/job.errors.ts'
import { jobInfo } from '#contract/job/job-info.resource.ts'
import { finestPeriodMs, nextDue, timingProblem } from '#contract/job/schedule.ts'
import { platformLimits } from '#contract/job/words.ts'
import { submitSchema } from '#contract/kernel/crud-routes.ts'
import { refuse, refuseField } from '#contract/kernel/errors.ts'
import type { Label } from '#contract/kernel/label.ts'
import { platformTenant } from '#contract/kernel/platform.ts'
import { isRefusal, type Refusal } from '#contract/kernel/refusal.ts'
import { audit } from '#kernel/audit.ts'
import { checkInput } from '#kernel/crud/check-input.ts'
import { addRow, editRow } from '#kernel/crud/crud.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { accepted, type Ctx, Refused } from '#kernel/http/context.ts'
import { checkerOf } from '#kernel/http/input.ts'
import { countJobs, findStaff, type JobRow, listWire, lockJob, noteSync, removeJob, setEnable, setNext } from '../data/job.repo.ts'
import { findServer, type ServerRow } from '../data/server.repo.ts'
import type { JobKit } from '../deps.ts'
import { type JobValues, remoteTimeOf, toRemote, unnamedField } from '../domain/remote-job.ts'
import type { PowerJob } from '../powerjob/client.ts'
import { parseWhole, wholeNumber } from '../powerjob/json.ts'
import { ask } from './connect.ts'
import { processorFor, refuseUnreached } from './reach.ts'

const checks = {
  add: checkerOf(submitSchema(jobInfo.fields, 'add') as never),
  edit: checkerOf(submitSchema(jobInfo.fields, 'edit') as never),
}
const fields = jobInfo.fields as Readonly<
  Record<string, { readonly label: Label; readonly words?: Readonly<Record<string, Label>>; readonly default?: unknown }>
>
const defaults = Object.fromEntries(
  Object.entries(fields).flatMap(([name, { default: value }]) => (value === undefined ? [] : [[name, value]])),
)

/** Finest period of the jobs that the built-in scheduler runs; a PowerJob server takes any. */
export const finestFor = (tenantId: string, isBuiltIn: boolean): number =>
  !isBuiltIn ? 1 : tenantId === platformTenant ? 1_000 : finestPeriodMs

const text = (value: unknown): string => (value === null || value === undefined ? '' : String(value))

/** A number that is no entry of its list is taken only where it stood before: a PowerJob server may have more of them. */
const unknownNumber = (job: JobValues, before: JobValues | undefined): Refusal | undefined => {
  for (const [name, { words, label }] of Object.entries(fields))
    if (words !== undefined && job[name] !== undefined && words[String(job[name])] === undefined && job[name] !== before?.[name])
      return refuseField(name, { zh: `${label.zh}没有 ${text(job[name])} 这个选项`, en: `${label.en} has no choice ${text(job[name])}` })
  return undefined
}
const alarmProblem = (job: JobValues): Refusal | undefined => {
  const given = (['alertThreshold', 'statisticWindowLen', 'silenceWindowLen'] as const).map(name => Number(job[name] ?? 0) > 0)
  return given.every(Boolean) || !given.some(Boolean)
    ? undefined
    : refuseField('alertThreshold', {
        zh: '错误阈值、统计窗口、沉默窗口须全部填写，或全部为 0',
        en: 'Failures, window and silence are given together, or all three are 0',
      })
}
const paramsProblem = (kit: JobKit, ctx: Ctx, job: JobValues): Refusal | undefined => {
  const name = text(job['processorInfo'])
  const processor = processorFor(kit, ctx, name)
  if (!processor || Number(job['processorType']) !== 1)
    return { ...refuseJob('job/unknown-processor', { processor: name.slice(0, 100) }), data: { fields: [{ field: 'processorInfo' }] } }
  if (Number(job['executeType']) === 3 && processor.split === undefined) return refuseJob('job/no-map', { processor: name })
  return undefined
}
/** With the text of the refusal under the field it is about. */
const atField = (ctx: Ctx, refusal: Refusal, field: string): Refusal => ({
  ...refusal,
  data: { fields: [{ field, msg: refusal.text[ctx.language] }] },
})

/** Every rule about what somebody writes; the whole job, not only what has changed. */
const checkJob = async (
  kit: JobKit,
  ctx: Ctx,
  db: TenantDb,
  server: ServerRow,
  job: JobValues,
  before: JobValues | undefined,
): Promise<void> => {
  const isBuiltIn = server.url === ''
  const times = {
    timeExpressionType: Number(job['timeExpressionType']),
    timeExpression: text(job['timeExpression']),
    lifecycle: text(job['lifecycle']),
  }
  const isOwn = before?.['isOwn'] === true
  const wrong = timingProblem(times, ctx.arrivedAt, isOwn ? 1_000 : finestFor(ctx.tenantId, isBuiltIn))
  if (wrong) throw new Refused(refuseField(wrong.field, wrong.why))
  const problem = unknownNumber(job, before) ?? alarmProblem(job)
  if (problem) throw new Refused(problem)
  if (isBuiltIn) {
    const unknown = paramsProblem(kit, ctx, job)
    if (unknown) throw new Refused(atField(ctx, unknown, unknown.reason === 'job/no-map' ? 'executeType' : 'processorInfo'))
  }
  const ids = text(job['notifyUserIds']).split(',').filter(Boolean)
  const isIds = ids.every(id => /^\d{1,18}$/.test(id))
  // At a PowerJob server its own users are meant.
  if (!isIds || (isBuiltIn && ids.length > 0 && (await findStaff(db, ids)).length !== new Set(ids).size))
    throw new Refused(
      refuseField('notifyUserIds', { zh: '报警接收人须是本机构的工作人员', en: 'Alarms go to members of staff of this organisation' }),
    )
}

const wholeOf = (input: JobValues, before: JobValues | undefined): JobValues =>
  Object.fromEntries(
    Object.keys(fields).flatMap(name => {
      const given = input[name]
      const value = given === undefined || (given === null && defaults[name] !== undefined) ? (before?.[name] ?? defaults[name]) : given
      return value === undefined ? [] : [[name, value]]
    }),
  )

/** The job at its server as it is after the call; for the built-in scheduler nothing is asked. */
const push = async (
  kit: JobKit,
  ctx: Ctx,
  server: ServerRow,
  job: JobValues,
  known: string | null,
): Promise<{ jobId: string; remote: JobValues } | undefined | Refusal> => {
  if (server.url === '') return undefined
  const unnamed = unnamedField(job)
  if (unnamed !== undefined)
    return refuseField(unnamed, {
      zh: `${fields[unnamed]?.label.zh}的值 ${text(job[unnamed])} 只能在任务服务上修改`,
      en: `The value ${text(job[unnamed])} of ${fields[unnamed]?.label.en} can be changed at the job server only`,
    })
  return ask(kit, ctx.tenantId, server, remote => pushTo(remote, job, known))
}
export const pushTo = async (remote: PowerJob, job: JobValues, known: string | null): Promise<{ jobId: string; remote: JobValues }> => {
  const current = known === null ? undefined : await remote.fetchJob(known)
  const jobId = await remote.saveJob(toRemote({ ...job, jobId: known ?? '' }, current, wholeNumber))
  return { jobId, remote: await remote.fetchJob(jobId) }
}

/** The job as its fields stand in the table, with what forms do not know. */
export const wireOf = async (db: TenantDb, id: string): Promise<JobValues | undefined> => {
  const [row] = await listWire(db, [id])
  return row
}

/** Due next, for a job that its own scheduler runs and that is on. */
export const nextFor = (server: Pick<ServerRow, 'url'>, job: JobValues, now: Date): Date | undefined =>
  server.url !== '' || Number(job['enable']) !== 1
    ? undefined
    : nextDue(
        {
          timeExpressionType: Number(job['timeExpressionType']),
          timeExpression: text(job['timeExpression']),
          lifecycle: text(job['lifecycle']),
        },
        now,
      )

const note = async (db: TenantDb, id: string, pushed: { jobId: string; remote: JobValues } | undefined): Promise<void> => {
  if (pushed)
    await noteSync(db, id, { jobId: pushed.jobId, remote: writeWhole(pushed.remote), remoteTime: remoteTimeOf(pushed.remote) ?? null })
}
/** Numbers that were kept as text for their size go back as they came. */
export const writeWhole = (remote: JobValues): string => JSON.stringify(remote)
export const readWhole = (remote: string | null): JobValues | undefined => (remote === null ? undefined : (parseWhole(remote) as JobValues))

/** Adds or changes a job: first at its server, whose refusal is the caller's, then here (framework-contract 5.8). */
export const saveJob = async (kit: JobKit, ctx: Ctx, raw: Readonly<Record<string, unknown>>): Promise<{ id: string } | Refusal> => {
  const { input, id, version } = checkInput(jobInfo, checks, ctx, raw)
  const facts = await ctx.tx(async db => {
    const before = id === undefined ? undefined : await wireOf(db, id)
    if (id !== undefined && !before) throw new Refused(refuse('kernel/not-found', {}))
    if (before) refuseUnreached(kit, ctx, { isOwn: before['isOwn'], processorInfo: before['processorInfo'] })
    if (before && version !== undefined && before['version'] !== version) throw new Refused(refuse('kernel/changed-meanwhile', {}))
    const serverId = text(before?.['jobServerId'] ?? input['jobServerId'])
    if (before && input['jobServerId'] !== undefined && text(input['jobServerId']) !== serverId)
      throw new Refused(refuse('kernel/frozen', { fields: ctx.say(jobInfo.fields.jobServerId.label) }))
    const server = await findServer(db, serverId)
    if (!server)
      throw new Refused(refuseField('jobServerId', { zh: '任务应用不存在，请重新选择', en: 'There is no such application: choose again' }))
    if (!before && (await countJobs(db)) >= platformLimits.jobs)
      throw new Refused(refuseJob('job/too-many-jobs', { limit: platformLimits.jobs }))
    const job = { ...wholeOf(input, before), jobServerId: serverId }
    if (before?.['isOwn'] === true && (job as JobValues)['processorInfo'] !== before['processorInfo'])
      throw new Refused(refuseJob('job/own-job', { job: text(before['jobName']) }))
    if (before?.['isOwn'] === true) mayStop(kit, ctx.tenantId, before, Number((job as JobValues)['enable']))
    await checkJob(kit, ctx, db, server, job, before)
    return { before, server, job: job as JobValues }
  })
  const { before, server, job } = facts
  const known = text(before?.['jobId']) || null
  const pushed = accepted(await push(kit, ctx, server, job, known))
  return ctx.tx(async db => {
    const held = id === undefined ? undefined : await lockJob(db, id)
    if (id !== undefined && (!held || (before && held.version !== before['version'])))
      throw new Refused(refuse('kernel/changed-meanwhile', {}))
    const values = Object.fromEntries(Object.entries(job).filter(([name]) => jobInfo.fields[name as never] !== undefined && !isShown(name)))
    const saved = id ?? (await addRow(db, jobInfo, values))
    if (id !== undefined) await editRow(db, jobInfo, id, values)
    await setNext(db, saved, nextFor(server, job, db.now))
    await note(db, saved, pushed)
    await audit(db, ctx, {
      action: `job-info.${before ? 'updated' : 'added'}`,
      entity: jobInfo.name,
      entityId: saved,
      ...(before ? { before: trailOf(before) } : {}),
      after: trailOf({ ...job, ...(pushed ? { jobId: pushed.jobId } : {}) }),
    })
    return { id: saved }
  })
}
const isShown = (name: string): boolean => (jobInfo.fields as Readonly<Record<string, { readonly form?: boolean }>>)[name]?.form === false
const trailOf = (job: JobValues): JobValues =>
  Object.fromEntries(Object.entries(job).filter(([name]) => name in fields && (!isShown(name) || name === 'jobId')))

const mayStop = (kit: JobKit, tenantId: string, job: JobValues, enable: number): void => {
  if (enable === 1 || kit.processors.find(tenantId, text(job['processorInfo']))?.own?.mayPause !== false) return
  throw new Refused(refuseJob('job/not-paused', { job: text(job['jobName']) }))
}

/** Switches a job on or off, at its server too. */
export const switchJob = async (kit: JobKit, ctx: Ctx, id: string, enable: 0 | 1): Promise<{ id: string; enable: number } | Refusal> => {
  const found = await findWithServer(kit, ctx, id)
  if (isRefusal(found)) return found
  const { job, server, wire } = found
  if (job.isOwn) mayStop(kit, ctx.tenantId, wire, enable)
  const { jobId } = job
  if (server.url !== '' && jobId !== null)
    accepted(
      await ask(kit, ctx.tenantId, server, async remote => {
        await remote.switchJob(jobId, enable === 1)
        return undefined
      }),
    )
  return ctx.tx(async db => {
    const held = await lockJob(db, id)
    if (!held) throw new Refused(refuse('kernel/not-found', {}))
    if (held.enable !== enable) {
      await setEnable(db, id, enable)
      await setNext(db, id, nextFor(server, { ...wire, enable }, db.now))
      await audit(db, ctx, {
        action: `job-info.${enable === 1 ? 'enabled' : 'disabled'}`,
        entity: jobInfo.name,
        entityId: id,
        before: { enable: held.enable },
        after: { enable },
      })
    }
    return { id, enable }
  })
}

export const findWithServer = (kit: JobKit, ctx: Ctx, id: string): Promise<{ job: JobRow; server: ServerRow; wire: JobValues } | Refusal> =>
  ctx.tx(async db => {
    const job = await lockJob(db, id)
    if (job) refuseUnreached(kit, ctx, job)
    const server = job && (await findServer(db, job.jobServerId))
    const wire = job && (await wireOf(db, id))
    return job && server && wire ? { job, server, wire } : refuse('kernel/not-found', {})
  })

/** Adds a job like another, switched off: nobody is surprised by a second run of what the first does. */
export const copyJob = async (kit: JobKit, ctx: Ctx, id: string): Promise<{ id: string } | Refusal> => {
  const found = await findWithServer(kit, ctx, id)
  if (isRefusal(found)) return found
  const { job, wire } = found
  if (job.isOwn) return refuseJob('job/own-job', { job: job.jobName })
  const values = Object.fromEntries(Object.entries(wire).filter(([name]) => name in fields && !isShown(name)))
  return saveJob(kit, ctx, { ...values, jobName: `${job.jobName.slice(0, 94)} copy`, enable: 0 })
}

/** Removes jobs, first at their server; one that it does not know is as good as removed. */
export const removeJobs = async (kit: JobKit, ctx: Ctx, ids: readonly string[]): Promise<{ removed: number } | Refusal> => {
  if (ids.length === 0) return refuse('kernel/select-one', {})
  const all = await Promise.all(ids.map(id => findWithServer(kit, ctx, id)))
  for (const found of all) {
    if (isRefusal(found)) return found
    if (found.job.isOwn) return refuseJob('job/own-job', { job: found.job.jobName })
  }
  for (const found of all) {
    if (isRefusal(found)) continue
    const { job, server, wire } = found
    const { jobId } = job
    if (server.url !== '' && jobId !== null)
      accepted(
        await ask(kit, ctx.tenantId, server, async remote => {
          const isThere = (await remote.fetchAllJobs()).some(one => text(one['id']) === jobId)
          if (isThere) await remote.deleteJob(jobId)
          return undefined
        }),
      )
    await ctx.tx(async db => {
      if (!(await lockJob(db, job.id))) throw new Refused(refuse('kernel/not-found', {}))
      await removeJob(db, job.id)
      await audit(db, ctx, { action: 'job-info.removed', entity: jobInfo.name, entityId: job.id, before: trailOf(wire) })
    })
  }
  return { removed: ids.length }
}
