import type { Language } from '#contract/kernel/label.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import type { StoredSession } from '#kernel/http/background.ts'
import type { ExportApproval } from '#kernel/http/context.ts'

/** 0 queued, 1 waits for approval, 3 writing, 4 done, 5 failed, 6 cancelled, 7 expired, 8 not approved. */
export type ExportState = 0 | 1 | 3 | 4 | 5 | 6 | 7 | 8

export interface ExportJobRow {
  readonly id: string
  readonly kind: string
  readonly input: Readonly<Record<string, unknown>>
  readonly session: StoredSession
  readonly language: Language
  readonly fileName: string
  readonly state: ExportState
  readonly total: number
  readonly done: number
  readonly fileId: string | null
  readonly sizeBytes: string | null
  readonly problemZh: string | null
  readonly problemEn: string | null
  readonly endedAt: Date | null
  readonly expiresAt: Date | null
  readonly createdBy: string
  readonly createdAt: Date
  readonly approveRight: string | null
  readonly whatZh: string | null
  readonly whatEn: string | null
  readonly reason: string | null
  readonly decidedRemark: string | null
}

const columns = sql`
  id::text as id, kind, input, session, language, file_name as "fileName", state, total, done, file_id::text as "fileId", size_bytes::text as "sizeBytes",
  problem_zh as "problemZh", problem_en as "problemEn", ended_at as "endedAt", expires_at as "expiresAt", created_by::text as "createdBy", created_at as "createdAt",
  approve_right as "approveRight", what_zh as "whatZh", what_en as "whatEn", reason, decided_remark as "decidedRemark"`

export const findExport = (db: TenantDb, id: string): Promise<ExportJobRow | undefined> =>
  db.maybe(sql<ExportJobRow>`select ${columns} from export_job where id = ${id}`)

export const pageExports = async (db: TenantDb, userId: string, limit: number, offset: number) => {
  const rows = await db.all(
    sql<ExportJobRow>`select ${columns} from export_job where created_by = ${userId} order by id desc limit ${limit} offset ${offset}`,
  )
  const { total } = await db.one(sql<{ total: number }>`select count(*)::int as total from export_job where created_by = ${userId}`)
  return { rows, total }
}

export const countOpen = async (db: TenantDb, userId: string): Promise<number> =>
  (await db.one(sql<{ n: number }>`select count(*)::int as n from export_job where created_by = ${userId} and state in (0, 1, 3)`)).n

export const insertExport = async (
  db: TenantDb,
  job: Pick<ExportJobRow, 'kind' | 'input' | 'session' | 'language' | 'fileName' | 'total'>,
  approval: ExportApproval | undefined,
): Promise<string> => {
  const { id } = await db.one(sql<{ id: string }>`
    insert into export_job (tenant_id, kind, input, session, language, file_name, total, created_by, state, approve_right, what_zh, what_en, reason)
    values (${db.actor.tenantId}, ${job.kind}, ${JSON.stringify(job.input)}, ${JSON.stringify(job.session)}, ${job.language}, ${job.fileName.slice(-255)}, ${job.total},
      ${job.session.userId}, ${approval ? 1 : 0}, ${approval?.right ?? null}, ${approval?.what.zh.slice(0, 300) ?? null}, ${approval?.what.en.slice(0, 300) ?? null},
      ${approval?.reason ?? null})
    returning id::text as id`)
  return id
}

/**
 * Takes a queued job, or one that a killed process has left running: the queue hands an order out again only when nobody has it any more.
 * Undefined when it was cancelled, given up or done.
 */
export const claimExport = (db: TenantDb, id: string): Promise<ExportJobRow | undefined> =>
  db.maybe(sql<ExportJobRow>`
    update export_job set state = 3, done = 0, started_at = app_now(), beat_at = app_now() where id = ${id} and state in (0, 3) returning ${columns}`)

/** Says how far a job is and that its worker lives. @returns false when it is to stop: cancelled, or given up meanwhile */
export const beat = async (db: TenantDb, id: string, done: number): Promise<boolean> =>
  (await db.run(sql`update export_job set done = ${done}, beat_at = app_now() where id = ${id} and state = 3 and not cancel_asked`)) === 1

/** False for somebody whose exports are stopped because they are far over a limit (ADR 0074). */
export const mayGoOn = async (db: TenantDb, userId: string): Promise<boolean> =>
  !(await db.one(sql<{ stopped: boolean }>`select exports_stopped(${userId}) as stopped`)).stopped

export const finishExport = async (
  db: TenantDb,
  id: string,
  made: { done: number; fileId: string; sizeBytes: number; expiresAt: Date },
): Promise<boolean> =>
  (await db.run(sql`
    update export_job set state = 4, done = ${made.done}, total = ${made.done}, file_id = ${made.fileId}, size_bytes = ${made.sizeBytes}, ended_at = app_now(),
      expires_at = ${made.expiresAt}
    where id = ${id} and state = 3 and not cancel_asked`)) === 1

export const endExport = async (db: TenantDb, id: string, end: { state: 5 | 6; problem?: { zh: string; en: string } }): Promise<void> => {
  await db.run(sql`
    update export_job set state = ${end.state}, ended_at = app_now(), problem_zh = ${end.problem?.zh.slice(0, 300) ?? null}, problem_en = ${end.problem?.en.slice(0, 300) ?? null}
    where id = ${id} and state in (0, 3)`)
}

/** Puts a job back that failed and is tried again. */
export const requeueExport = async (db: TenantDb, id: string): Promise<void> => {
  await db.run(sql`update export_job set state = 0 where id = ${id} and state = 3`)
}

/** What a person's own jobs look like after a worker was killed: those without a sign of life since then have failed. */
export const giveUpDead = async (db: TenantDb, userId: string, since: Date, problem: { zh: string; en: string }): Promise<void> => {
  await db.run(sql`
    update export_job set state = 5, ended_at = app_now(), problem_zh = ${problem.zh}, problem_en = ${problem.en}
    where created_by = ${userId} and state = 3 and beat_at < ${since}`)
}

/** Cancels a waiting job at once and asks a running one to stop. @returns its state, undefined when it has ended */
export const cancelExportJob = async (db: TenantDb, id: string): Promise<ExportState | undefined> =>
  (
    await db.maybe(sql<{ state: ExportState }>`
      update export_job set cancel_asked = true, state = case when state in (0, 1) then 6 else state end, ended_at = case when state in (0, 1) then app_now() end
      where id = ${id} and state in (0, 1, 3) returning state`)
  )?.state

/** Marks a job whose file has run out. @returns the file to remove */
export const expireExport = async (db: TenantDb, id: string): Promise<string | undefined> =>
  (
    await db.maybe(sql<{ fileId: string | null }>`
      update export_job set state = 7 where id = ${id} and state = 4 and expires_at <= app_now() returning file_id::text as "fileId"`)
  )?.fileId ?? undefined

/** Whether somebody may log in. */
export const isActive = async (db: TenantDb, userId: string): Promise<boolean> =>
  (await db.maybe(sql`select 1 from account where id = ${userId} and status = 1 and not is_deleted`)) !== undefined

export interface WaitingApproval {
  readonly id: string
  readonly whatZh: string
  readonly whatEn: string
  readonly reason: string
  readonly total: number
  readonly createdBy: string
  readonly askedBy: string
  readonly createdAt: Date
}
/** Exports that wait for one of these rights, the oldest first. */
export const pageApprovals = async (db: TenantDb, rights: readonly string[], limit: number, offset: number) => {
  const waiting = sql`from export_job j where j.state = 1 and j.approve_right = any(${[...rights]}::text[])`
  const rows = await db.all(sql<WaitingApproval>`
    select j.id::text as id, j.what_zh as "whatZh", j.what_en as "whatEn", j.reason, j.total, j.created_by::text as "createdBy",
      (select real_name from account a where a.id = j.created_by) as "askedBy", j.created_at as "createdAt"
    ${waiting} order by j.id limit ${limit} offset ${offset}`)
  const { total } = await db.one(sql<{ total: number }>`select count(*)::int as total ${waiting}`)
  return { rows, total }
}

/** @returns false when it does not wait any more */
export const decideExport = async (db: TenantDb, id: string, isApproved: boolean, remark: string | null): Promise<boolean> =>
  (await db.run(sql`
    update export_job set state = ${isApproved ? 0 : 8}, decided_by = ${db.actor.userId}, decided_at = app_now(), decided_remark = ${remark},
      ended_at = case when ${isApproved} then null else app_now() end
    where id = ${id} and state = 1`)) === 1

/** Who else may agree: whoever holds the right and may log in. */
export const listApprovers = async (db: TenantDb, right: string, except: string): Promise<string[]> =>
  (
    await db.all(sql<{ id: string }>`
      select distinct a.id::text as id from account a join account_role ar on ar.user_id = a.id join role r on r.id = ar.role_id and not r.is_deleted
      join role_menu rm on rm.role_id = r.id join menu m on m.id = rm.menu_id and not m.is_deleted
      where m.code = ${right} and a.status = 1 and not a.is_deleted and a.id <> ${except}`)
  ).map(row => row.id)
