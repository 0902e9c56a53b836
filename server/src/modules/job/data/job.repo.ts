import { jobInfo } from '#contract/job/job-info.resource.ts'
import { findRows } from '#kernel/crud/crud.ts'
import { toWire } from '#kernel/crud/rows.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type RawBuilder, sql } from '#kernel/db/sql.ts'

/** What commands decide by. */
export interface JobRow {
  readonly id: string
  readonly jobServerId: string
  readonly jobId: string | null
  readonly jobName: string
  readonly enable: number
  readonly timeExpressionType: number
  readonly timeExpression: string
  readonly lifecycle: string
  readonly processorInfo: string
  readonly isOwn: boolean
  readonly version: number
  /** JSON as text: its numbers may exceed what JavaScript counts. */
  readonly remote: string | null
  readonly remoteTime: Date | null
  readonly syncedAt: Date | null
  readonly updatedAt: Date
}
const columns = sql`
  id::text as id, job_server_id::text as "jobServerId", job_id as "jobId", job_name as "jobName", enable, time_expression_type as "timeExpressionType",
  coalesce(time_expression, '') as "timeExpression", coalesce(lifecycle, '') as lifecycle, processor_info as "processorInfo", is_own as "isOwn", version, remote::text as remote,
  remote_time as "remoteTime", synced_at as "syncedAt", updated_at as "updatedAt"`

export const findJob = (db: TenantDb, id: string): Promise<JobRow | undefined> =>
  db.maybe(sql<JobRow>`select ${columns} from job_info where id = ${id} and not is_deleted`)
export const lockJob = (db: TenantDb, id: string): Promise<JobRow | undefined> =>
  db.maybe(sql<JobRow>`select ${columns} from job_info where id = ${id} and not is_deleted for update`)

export const countJobs = async (db: TenantDb): Promise<number> =>
  (await db.one(sql<{ n: number }>`select count(*)::int as n from job_info where not is_deleted and not is_own`)).n

/** When it is due next; a job that is not scheduled has no such time. */
export const setNext = async (db: TenantDb, id: string, next: Date | undefined): Promise<void> => {
  await db.run(sql`update job_info set next_time = ${next ?? null}, planned_at = app_now() where id = ${id}`)
}
export const setEnable = async (db: TenantDb, id: string, enable: number): Promise<void> => {
  await db.run(sql`
    update job_info set enable = ${enable}, updated_at = app_now(), updated_by = ${db.actor.userId}, version = version + 1 where id = ${id}`)
}
export const removeJob = async (db: TenantDb, id: string): Promise<void> => {
  await db.run(sql`
    update job_info set is_deleted = true, next_time = null, updated_at = app_now(), updated_by = ${db.actor.userId}, version = version + 1 where id = ${id}`)
}

export interface Ended {
  readonly jobName: string
  readonly timeExpressionType: number
  readonly timeExpression: string
  readonly lifecycle: string
  readonly nextTime: Date | null
  readonly notifyUserIds: string
  readonly alertThreshold: number
  readonly statisticWindowLen: number
  readonly silenceWindowLen: number
  readonly alarmedAt: Date | null
}
/** Notes how the last run ended, and tells what the next steps need. */
export const noteEnd = (db: TenantDb, id: string, state: number): Promise<Ended> =>
  db.one(sql<Ended>`
    update job_info set last_time = app_now(), last_state = ${state} where id = ${id}
    returning job_name as "jobName", time_expression_type as "timeExpressionType", coalesce(time_expression, '') as "timeExpression", coalesce(lifecycle, '') as lifecycle,
      next_time as "nextTime", coalesce(notify_user_ids, '') as "notifyUserIds", alert_threshold as "alertThreshold", statistic_window_len as "statisticWindowLen",
      silence_window_len as "silenceWindowLen", alarmed_at as "alarmedAt"`)
export const noteAlarm = async (db: TenantDb, id: string): Promise<void> => {
  await db.run(sql`update job_info set alarmed_at = app_now() where id = ${id}`)
}

/** Members of staff by their ids; who is not one is not among them. */
export const findStaff = (db: TenantDb, ids: readonly string[] | undefined): Promise<{ id: string; account: string }[]> =>
  db.all(sql<{ id: string; account: string }>`
    select id::text as id, account from account where user_type = 1 and status = 1 and not is_deleted ${ids === undefined ? sql`` : sql`and id = any(${[...ids]}::bigint[])`}
    order by account_key limit 1000`)

export interface SyncedJob {
  readonly jobId: string
  readonly remote: string
  readonly remoteTime: Date | null
}
/** What the job server told of a job, and that it is the same here now. */
export const noteSync = async (db: TenantDb, id: string, { jobId, remote, remoteTime }: SyncedJob): Promise<void> => {
  await db.run(sql`
    update job_info set job_id = ${jobId}, remote = ${remote}::jsonb, remote_time = ${remoteTime}, synced_at = app_now(), sync_problem = null where id = ${id}`)
}
export const noteSyncProblem = async (db: TenantDb, id: string, problem: string): Promise<void> => {
  await db.run(sql`update job_info set sync_problem = ${problem.slice(0, 500)} where id = ${id}`)
}
export const listJobsOf = (db: TenantDb, jobServerId: string): Promise<JobRow[]> =>
  db.all(sql<JobRow>`select ${columns} from job_info where job_server_id = ${jobServerId} and not is_deleted order by id`)

/** Jobs by the wire names of their fields, with the row's version and whether the program itself owns them. */
export const listWire = async (db: TenantDb, ids: readonly string[]): Promise<Readonly<Record<string, unknown>>[]> =>
  (await findRows(db, jobInfo, sql`id = any(${[...ids]}::bigint[])`)).map(row => ({
    ...toWire(jobInfo, row),
    isOwn: row['isOwn'] === true,
  }))

/** Jobs of one tenant's work: neither the program's own, nor such as name one of these processors. */
export const ofOneTenant = (platformProcessors: readonly string[]): RawBuilder<unknown> =>
  sql`(not is_own and processor_info <> all(${[...platformProcessors]}::text[]))`

/** The platform's job that does a piece of the program's own work. */
export const findOwn = async (db: TenantDb, processor: string): Promise<string | undefined> =>
  (
    await db.maybe(
      sql<{ id: string }>`select id::text as id from job_info where is_own and processor_info = ${processor} and not is_deleted`,
    )
  )?.id
