import { liveStates, runKind, runState } from '#contract/job/words.ts'
import type { PlatformDb, TenantDb } from '#kernel/db/scope.ts'
import { allOf, type RawBuilder, sql } from '#kernel/db/sql.ts'
import type { LineLevel } from '#kernel/queue/processor.ts'

export interface Order {
  readonly jobInfoId: string
  readonly kind: (typeof runKind)[keyof typeof runKind]
  readonly params: string | undefined
  readonly startedBy: string | null
  /** A run that goes on at a PowerJob server. */
  readonly instanceId?: string
}
export const insertRun = async (db: TenantDb, { jobInfoId, kind, params, startedBy, instanceId }: Order): Promise<string> =>
  (
    await db.one(sql<{ id: string }>`
      insert into job_instance (tenant_id, job_info_id, kind, state, due_at, run_at, params, started_by, instance_id)
      values (${db.actor.tenantId}, ${jobInfoId}, ${kind}, ${instanceId === undefined ? runState.waiting : runState.received}, app_now(), app_now(),
        ${params ?? null}, ${startedBy}, ${instanceId ?? null})
      returning id::text as id`)
  ).id

export const countLive = async (db: TenantDb, jobInfoId: string): Promise<number> =>
  (
    await db.one(
      sql<{
        n: number
      }>`select count(*)::int as n from job_instance where job_info_id = ${jobInfoId} and parent_id is null and state = any(${[...liveStates]}::int[])`,
    )
  ).n

export interface Part {
  readonly item: string | null
  readonly targetRunner: string | null
}
/** The parts of a run; the run itself waits for them and belongs to no process meanwhile. @returns false when the run is not the taker's any more */
export const insertParts = async (db: TenantDb, id: string, fence: number, parts: readonly Part[]): Promise<boolean> => {
  const mine = await db.run(
    sql`update job_instance set runner = null where id = ${id} and fence = ${fence} and state = ${runState.running}`,
  )
  if (mine === 0) return false
  await db.run(sql`
    insert into job_instance (tenant_id, job_info_id, parent_id, part, item, kind, due_at, run_at, params, target_runner)
    select i.tenant_id, i.job_info_id, i.id, p.part::int, p.item, i.kind, app_now(), app_now(), i.params, p.target
    from job_instance i cross join unnest(${parts.map(part => part.item)}::text[], ${parts.map(part => part.targetRunner)}::bigint[]) with ordinality as p(item, target, part)
    where i.id = ${id}`)
  return true
}

export interface HeldRun {
  readonly id: string
  readonly jobInfoId: string
  readonly parentId: string | null
  readonly state: number
  readonly attempt: number
  readonly fence: number
  readonly runner: string | null
  readonly params: string | null
  readonly instanceId: string | null
  readonly instanceRetryNum: number
  readonly taskRetryNum: number
  readonly isTargeted: boolean
}
const held = sql`
  i.id::text as id, i.job_info_id::text as "jobInfoId", i.parent_id::text as "parentId", i.state, i.attempt, i.fence, i.runner::text as runner, i.params, i.instance_id as "instanceId",
  j.instance_retry_num as "instanceRetryNum", j.task_retry_num as "taskRetryNum", i.target_runner is not null as "isTargeted"`

/** Locks a run: what is decided about it is decided once. */
export const lockRun = (db: TenantDb, id: string): Promise<HeldRun | undefined> =>
  db.maybe(sql<HeldRun>`
    select ${held} from job_instance i join job_info j on j.tenant_id = i.tenant_id and j.id = i.job_info_id where i.id = ${id} for update of i`)

export const endRun = async (db: TenantDb, id: string, state: number, result: string): Promise<void> => {
  await db.run(sql`
    update job_instance set state = ${state}, ended_at = app_now(), result = ${result.slice(0, 2000)}, runner = null, fence = fence + 1 where id = ${id}`)
}
/**
 * Back to those that wait, to be taken by any process.
 * @param uncounted - tries that do not count
 */
export const putBack = async (db: TenantDb, id: string, runAt: Date, uncounted = 0): Promise<void> => {
  await db.run(sql`
    update job_instance set state = ${runState.waiting}, run_at = ${runAt}, runner = null, fence = fence + 1, attempt = attempt - ${uncounted}::int where id = ${id}`)
}
export const wantStop = async (db: TenantDb, id: string): Promise<void> => {
  await db.run(sql`update job_instance set stop_wanted = true where id = ${id} or parent_id = ${id}`)
  await db.run(sql`
    update job_instance set state = ${runState.stopped}, ended_at = app_now(), fence = fence + 1
    where parent_id = ${id} and state = ${runState.waiting}`)
}
export const statesOfParts = async (db: TenantDb, parentId: string): Promise<number[]> =>
  (await db.all(sql<{ state: number }>`select state from job_instance where parent_id = ${parentId}`)).map(row => row.state)

export const insertLines = async (
  db: TenantDb,
  id: string,
  lines: readonly { readonly at: Date; readonly level: LineLevel; readonly text: string }[],
): Promise<void> => {
  if (lines.length === 0) return
  await db.run(sql`
    insert into job_log (tenant_id, job_instance_id, at, level, content)
    select ${db.actor.tenantId}, ${id}, at, level, content
    from unnest(${lines.map(line => line.at)}::timestamptz[], ${lines.map(line => line.level)}::int[], ${lines.map(line => line.text.slice(0, 1000))}::text[]) as l(at, level, content)`)
}

export interface InstanceRow {
  readonly id: string
  readonly jobInfoId: string
  readonly jobName: string
  readonly instanceId: string | null
  readonly state: number
  readonly kind: number
  readonly dueAt: Date
  readonly startedAt: Date | null
  readonly endedAt: Date | null
  readonly attempt: number
  readonly host: string | null
  readonly result: string | null
  readonly params: string | null
  readonly startedBy: string | null
  readonly parts: number
  readonly partsDone: number
}
const shown = sql`
  i.id::text as id, i.job_info_id::text as "jobInfoId", j.job_name as "jobName", i.instance_id as "instanceId", i.state, i.kind, i.due_at as "dueAt", i.started_at as "startedAt",
  i.ended_at as "endedAt", i.attempt, i.host, i.result, i.params, a.account as "startedBy",
  (select count(*)::int from job_instance c where c.tenant_id = i.tenant_id and c.parent_id = i.id) as parts,
  (select count(*)::int from job_instance c where c.tenant_id = i.tenant_id and c.parent_id = i.id and c.ended_at is not null) as "partsDone"`
const from = sql`
  job_instance i join job_info j on j.tenant_id = i.tenant_id and j.id = i.job_info_id left join account a on a.tenant_id = i.tenant_id and a.id = i.started_by`

export const findInstance = (db: TenantDb, id: string): Promise<InstanceRow | undefined> =>
  db.maybe(sql<InstanceRow>`select ${shown} from ${from} where i.id = ${id}`)

export const pageInstances = async (
  db: TenantDb,
  of: {
    readonly jobInfoId?: string | undefined
    readonly parentId?: string | undefined
    readonly state?: number | undefined
    readonly from?: Date | undefined
    readonly to?: Date | undefined
    /** Of which jobs; undefined: of all. */
    readonly jobs?: RawBuilder<unknown> | undefined
  },
  size: number,
  offset: number,
): Promise<{ rows: InstanceRow[]; total: number }> => {
  const where = allOf([
    of.jobInfoId !== undefined && sql`i.job_info_id = ${of.jobInfoId}`,
    of.parentId === undefined ? sql`i.parent_id is null` : sql`i.parent_id = ${of.parentId}`,
    of.state !== undefined && sql`i.state = ${of.state}`,
    of.from !== undefined && sql`i.due_at >= ${of.from}`,
    of.to !== undefined && sql`i.due_at <= ${of.to}`,
    of.jobs && sql`i.job_info_id in (select id from job_info where ${of.jobs})`,
  ])
  const rows = await db.all(sql<InstanceRow>`select ${shown} from ${from} where ${where} order by i.id desc limit ${size} offset ${offset}`)
  const { total } = await db.one(sql<{ total: number }>`select count(*)::int as total from job_instance i where ${where}`)
  return { rows, total }
}

export interface LogLine {
  readonly at: Date
  readonly level: number
  readonly text: string
}
export const listLines = (db: TenantDb, id: string): Promise<LogLine[]> =>
  db.all(sql<LogLine>`select at, level, content as text from job_log where job_instance_id = ${id} order by id limit 2000`)

export interface EndedRun {
  readonly id: string
  readonly at: Date
  readonly state: number
  readonly durationMs: number
}
export const listEnded = (db: TenantDb, jobInfoId: string): Promise<EndedRun[]> =>
  db.all(sql<EndedRun>`
    select id::text as id, at, state, "durationMs" from (
      select id, due_at as at, state, coalesce((extract(epoch from ended_at - started_at) * 1000)::int, 0) as "durationMs"
      from job_instance where job_info_id = ${jobInfoId} and parent_id is null and ended_at is not null order by id desc limit 30) last
    order by at, last.id`)

/** Failed runs of a job within a window that ends now. */
export const countFailures = async (db: TenantDb, jobInfoId: string, since: Date): Promise<number> =>
  (
    await db.one(
      sql<{ n: number }>`
        select count(*)::int as n from job_instance where job_info_id = ${jobInfoId} and parent_id is null and state = ${runState.failed} and ended_at >= ${since}`,
    )
  ).n

const remoteLive = sql`instance_id is not null and state = any(${[...liveStates]}::int[])`
/** Runs of a job at its PowerJob server that had not ended when they were last heard of, the newest first. */
export const listRemoteLive = (db: TenantDb, jobInfoId: string, limit: number): Promise<{ id: string; instanceId: string }[]> =>
  db.all(sql<{ id: string; instanceId: string }>`
    select id::text as id, instance_id as "instanceId" from job_instance where job_info_id = ${jobInfoId} and ${remoteLive} order by id desc limit ${limit}`)
/** Jobs of all tenants that have such runs. */
export const listJobsAtServers = (db: PlatformDb): Promise<{ tenantId: string; jobInfoId: string }[]> =>
  db.all(sql<{ tenantId: string; jobInfoId: string }>`
    select distinct tenant_id as "tenantId", job_info_id::text as "jobInfoId" from job_instance where ${remoteLive} order by 1, 2`)
/** A run that its server goes through once more. */
export const reopenRemote = async (db: TenantDb, id: string): Promise<void> => {
  await db.run(sql`
    update job_instance set state = ${runState.received}, kind = ${runKind.retry}, attempt = attempt + 1, started_at = null, ended_at = null, host = null, result = null, stop_wanted = false
    where id = ${id}`)
}

export const storeRemoteState = async (
  db: TenantDb,
  id: string,
  told: {
    readonly state: number
    readonly startedAt: Date | null
    readonly endedAt: Date | null
    readonly host: string
    readonly result: string
  },
): Promise<void> => {
  await db.run(sql`
    update job_instance set state = ${told.state}, started_at = ${told.startedAt}, ended_at = ${told.endedAt}, host = ${told.host.slice(0, 130)}, result = ${told.result.slice(0, 2000)}
    where id = ${id}`)
}
