import { ownResult, platformLimits, runState } from '#contract/job/words.ts'
import type { PlatformDb, TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import type { DueJob } from '../domain/plan.ts'

// Statements of the scheduler: over all tenants, each row with its own.

export interface DueRow extends DueJob {
  readonly tenantId: string
  readonly id: string
}
const scheduled = sql`j.enable = 1 and not j.is_deleted and s.job_server_url = ''`

/** Jobs whose time has come, held until the transaction ends; what another process holds is left to it. */
export const lockDueJobs = (db: PlatformDb, limit: number): Promise<DueRow[]> =>
  db.all(sql<DueRow>`
    select j.tenant_id as "tenantId", j.id::text as id, j.next_time as "nextTime", j.time_expression_type as "timeExpressionType",
      coalesce(j.time_expression, '') as "timeExpression", coalesce(j.lifecycle, '') as lifecycle, j.missed_policy as "missedPolicy", j.max_instance_num as "maxInstanceNum",
      (select count(*)::int from job_instance i where i.tenant_id = j.tenant_id and i.job_info_id = j.id and i.state in (1, 2, 3) and i.parent_id is null) as live
    from job_info j join job_server s on s.tenant_id = j.tenant_id and s.id = j.job_server_id
    where j.next_time <= app_now() and ${scheduled}
    order by j.next_time limit ${limit} for update of j skip locked`)

export interface NewRun {
  readonly tenantId: string
  readonly jobInfoId: string
  readonly dueAt: Date
  readonly isRefused: boolean
}
/** Runs that are there already stay as they are: a due time is run once. */
export const insertDueRuns = async (db: PlatformDb, runs: readonly NewRun[]): Promise<void> => {
  await db.run(sql`
    insert into job_instance (tenant_id, job_info_id, kind, state, due_at, run_at, ended_at, result)
    select tenant_id, job_info_id, 1, case when refused then ${runState.cancelled}::int else ${runState.waiting}::int end, due_at, due_at,
      case when refused then app_now() end, case when refused then ${ownResult.earlier} end
    from unnest(${runs.map(run => run.tenantId)}::text[], ${runs.map(run => run.jobInfoId)}::bigint[], ${runs.map(run => run.dueAt)}::timestamptz[],
      ${runs.map(run => run.isRefused)}::boolean[]) as r(tenant_id, job_info_id, due_at, refused)
    on conflict do nothing`)
}

export interface Planned {
  readonly tenantId: string
  readonly id: string
  readonly next: Date | undefined
}
export const storePlans = async (db: PlatformDb, plans: readonly Planned[]): Promise<void> => {
  await db.run(sql`
    update job_info j set next_time = p.next, planned_at = app_now()
    from unnest(${plans.map(plan => plan.tenantId)}::text[], ${plans.map(plan => plan.id)}::bigint[], ${plans.map(plan => plan.next ?? null)}::timestamptz[]) as p(tenant_id, id, next)
    where j.tenant_id = p.tenant_id and j.id = p.id`)
}

/** Jobs whose next time was worked out by a clock that has gone back since. */
export const lockJobsOfTheFuture = (db: PlatformDb): Promise<DueRow[]> =>
  db.all(sql<DueRow>`
    select j.tenant_id as "tenantId", j.id::text as id, j.next_time as "nextTime", j.time_expression_type as "timeExpressionType",
      coalesce(j.time_expression, '') as "timeExpression", coalesce(j.lifecycle, '') as lifecycle, j.missed_policy as "missedPolicy", j.max_instance_num as "maxInstanceNum", 0 as live
    from job_info j join job_server s on s.tenant_id = j.tenant_id and s.id = j.job_server_id
    where j.planned_at > app_now() and j.next_time is not null and ${scheduled} limit 500 for update of j skip locked`)

/** The process that takes work, and what it has to offer. */
export interface Runner {
  readonly runner: string
  readonly host: string
  readonly names: readonly string[]
  readonly cores: number
  readonly memoryGb: number
  readonly diskGb: number
}

export interface TakenRun {
  readonly tenantId: string
  readonly id: string
  readonly jobInfoId: string
  readonly jobName: string
  readonly parentId: string | null
  readonly item: string | null
  readonly fence: number
  readonly attempt: number
  readonly params: string
  readonly processorInfo: string
  readonly executeType: number
  readonly instanceTimeLimit: number
  readonly logLevel: number
}

/** Takes waiting runs for a process, as many as it has room for. Parts keep to the numbers that their job allows in one process and on all of them. */
export const takeRuns = (db: PlatformDb, me: Runner, room: number): Promise<TakenRun[]> =>
  db.all(sql<TakenRun>`
    with waiting as (
      select i.tenant_id, i.id, i.parent_id, i.part, i.run_at, least(nullif(j.concurrency, 0), ${platformLimits.concurrency}::int) as concurrency
      from job_instance i join job_info j on j.tenant_id = i.tenant_id and j.id = i.job_info_id
      where i.state = ${runState.waiting} and i.run_at <= app_now() and (i.target_runner is null or i.target_runner = ${me.runner})
        and (coalesce(j.designated_workers, '') = '' or string_to_array(replace(j.designated_workers, ' ', ''), ',') && ${[...me.names]}::text[])
        and j.min_cpu_cores <= ${me.cores} and j.min_memory_space <= ${me.memoryGb} and j.min_disk_space <= ${me.diskGb}
        and (j.max_worker_count = 0 or i.parent_id is null or i.target_runner is not null or j.max_worker_count > (
          select count(distinct o.runner) from job_instance o where o.tenant_id = i.tenant_id and o.parent_id = i.parent_id and o.runner <> ${me.runner}))
        and (i.parent_id is null or coalesce(least(nullif(j.concurrency, 0), ${platformLimits.concurrency}::int), ${platformLimits.concurrency}::int) > (
          select count(*) from job_instance o where o.tenant_id = i.tenant_id and o.parent_id = i.parent_id and o.state = ${runState.running} and o.runner = ${me.runner}))
      order by i.run_at, i.id limit ${room * 2} for update of i skip locked
    ), allowed as (
      select w.tenant_id, w.id from (
        select *, row_number() over (partition by tenant_id, parent_id order by part) as place from waiting) w
      where w.parent_id is null or w.place + (
        select count(*) from job_instance o where o.tenant_id = w.tenant_id and o.parent_id = w.parent_id and o.state = ${runState.running} and o.runner = ${me.runner}) <= coalesce(w.concurrency, ${platformLimits.concurrency}::int)
      order by w.run_at, w.id limit ${room}
    )
    update job_instance i set state = ${runState.running}, runner = ${me.runner}, host = ${me.host}, fence = i.fence + 1, attempt = i.attempt + 1, started_at = app_now(), ended_at = null, result = null
    from allowed a, job_info j
    where i.tenant_id = a.tenant_id and i.id = a.id and j.tenant_id = i.tenant_id and j.id = i.job_info_id
    returning i.tenant_id as "tenantId", i.id::text as id, i.job_info_id::text as "jobInfoId", j.job_name as "jobName", i.parent_id::text as "parentId", i.item, i.fence, i.attempt,
      coalesce(i.params, j.job_params, '') as params, j.processor_info as "processorInfo", j.execute_type as "executeType", j.instance_time_limit as "instanceTimeLimit", j.log_level as "logLevel"`)

/** Of what this process runs, what somebody wants to be stopped. */
export const listStops = async (db: PlatformDb, runner: string): Promise<string[]> =>
  (
    await db.all(
      sql<{ id: string }>`select id::text as id from job_instance where runner = ${runner} and state = ${runState.running} and stop_wanted`,
    )
  ).map(row => row.id)

export const nameRunner = async (db: PlatformDb, me: Runner): Promise<void> => {
  await db.run(sql`insert into job_runner (runner, host) values (${me.runner}, ${me.host}) on conflict do nothing`)
}
/** A process that ends in order is none any more, whatever of its name the database still holds. */
export const forgetRunner = async (db: PlatformDb, runner: string): Promise<void> => {
  await db.run(sql`delete from job_runner where runner = ${runner}`)
}

/** Processes whose lock nobody holds any more: they were killed. They are taken off the list. */
export const forgetDeadRunners = async (db: PlatformDb, own: string): Promise<void> => {
  await db.run(sql`
    delete from job_runner r where r.runner <> ${own} and not exists (
      select 1 from pg_locks l where l.locktype = 'advisory' and l.granted and l.objsubid = 1
        and l.classid = ((r.runner >> 32) & 4294967295)::oid and l.objid = (r.runner & 4294967295)::oid
        and l.database = (select oid from pg_database where datname = current_database()))`)
}
export const listRunners = async (db: PlatformDb): Promise<string[]> =>
  (await db.all(sql<{ runner: string }>`select runner::text as runner from job_runner order by runner`)).map(row => row.runner)

export interface Abandoned {
  readonly tenantId: string
  readonly id: string
  readonly fence: number
}
/** Runs of processes that are not on the list any more, and parts that wait for one. */
export const listAbandoned = (db: PlatformDb): Promise<Abandoned[]> =>
  db.all(sql<Abandoned>`
    select i.tenant_id as "tenantId", i.id::text as id, i.fence from job_instance i
    where (i.state = ${runState.running} and i.runner is not null and not exists (select 1 from job_runner r where r.runner = i.runner))
      or (i.state = ${runState.waiting} and i.target_runner is not null and not exists (select 1 from job_runner r where r.runner = i.target_runner))
    order by i.id limit 500`)

/** Runs that ended before a time go, with their logs. @returns how many */
export const purgeRuns = (db: PlatformDb, before: Date, limit: number): Promise<number> =>
  db.run(sql`
    delete from job_instance where (tenant_id, id) in (
      select tenant_id, id from job_instance where ended_at < ${before} and parent_id is null order by ended_at limit ${limit})`)

/** Adds the program's own jobs to a tenant; those that are there stay as somebody has set them. */
export const insertOwnJobs = async (
  db: TenantDb,
  jobs: readonly {
    readonly name: string
    readonly description: string
    readonly processor: string
    readonly cron: string
    readonly next: Date | undefined
  }[],
): Promise<void> => {
  await db.run(sql`
    insert into job_info (tenant_id, job_server_id, job_name, job_description, time_expression, processor_info, is_own, instance_retry_num, next_time)
    select ${db.actor.tenantId}, (select id from job_server where job_server_url = '' and not is_deleted), j.name, j.description, j.cron, j.processor, true, 3, j.next
    from unnest(${jobs.map(job => job.name)}::text[], ${jobs.map(job => job.description)}::text[], ${jobs.map(job => job.processor)}::text[], ${jobs.map(job => job.cron)}::text[],
      ${jobs.map(job => job.next ?? null)}::timestamptz[]) as j(name, description, processor, cron, next)
    where not exists (select 1 from job_info o where o.is_own and o.processor_info = j.processor and not o.is_deleted)
    on conflict do nothing`)
}
