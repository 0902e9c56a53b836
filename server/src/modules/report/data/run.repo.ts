import type { Label, Language } from '#contract/kernel/label.ts'
import type { Design } from '#contract/report/design.ts'
import type { PlatformDb, TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import type { StoredSession } from '#kernel/http/background.ts'
import type { Table } from '../domain/table.ts'

export interface RunRow {
  readonly id: string
  readonly reportId: string
  readonly reportName: string
  readonly design: Design
  readonly state: number
  readonly progress: number
  readonly userId: string
  readonly session: StoredSession
  readonly language: Language
  readonly dueAt: Date | null
  readonly problemZh: string | null
  readonly problemEn: string | null
  readonly createdAt: Date
  readonly endedAt: Date | null
  readonly expiresAt: Date | null
}
const columns = sql`
  id::text as id, report_id::text as "reportId", report_name as "reportName", design, state, progress, user_id::text as "userId", session, language, due_at as "dueAt",
  problem_zh as "problemZh", problem_en as "problemEn", created_at as "createdAt", ended_at as "endedAt", expires_at as "expiresAt"`

export const insertRun = async (
  db: TenantDb,
  of: Pick<RunRow, 'reportId' | 'reportName' | 'design' | 'userId' | 'session' | 'language'> & { readonly dueAt: Date | null },
): Promise<string | undefined> =>
  (
    await db.maybe(sql<{ id: string }>`
      insert into report_run (tenant_id, report_id, report_name, design, user_id, session, language, due_at)
      values (${db.actor.tenantId}, ${of.reportId}, ${of.reportName}, ${JSON.stringify(of.design)}, ${of.userId}, ${JSON.stringify(of.session)}, ${of.language}, ${of.dueAt})
      on conflict do nothing returning id::text as id`)
  )?.id
export const findRun = (db: TenantDb, id: string): Promise<RunRow | undefined> =>
  db.maybe(sql<RunRow>`select ${columns} from report_run where id = ${id}`)
/** A run whose report is still there: with it go the links that were sent. */
export const findOpenRun = (db: TenantDb, id: string): Promise<RunRow | undefined> =>
  db.maybe(sql<RunRow>`
    select ${columns} from report_run where id = ${id}
      and exists (select 1 from report r where r.tenant_id = report_run.tenant_id and r.id = report_run.report_id and not r.is_deleted)`)
export const findResult = async (db: TenantDb, id: string): Promise<Table | undefined> =>
  (await db.maybe(sql<{ result: Table | null }>`select result from report_run where id = ${id}`))?.result ?? undefined

/** Somebody's own runs of a report, and those that were sent to them. */
export const listRuns = (db: TenantDb, reportId: string, userId: string, limit: number): Promise<RunRow[]> =>
  db.all(sql<RunRow>`
    select ${columns} from report_run where report_id = ${reportId} and (user_id = ${userId} or exists (
      select 1 from report_reader p where p.tenant_id = report_run.tenant_id and p.run_id = report_run.id and p.user_id = ${userId} and p.refused_zh is null))
    order by id desc limit ${limit}`)
export const countOpen = async (db: TenantDb, userId: string): Promise<number> =>
  (
    await db.one(
      sql<{ n: number }>`select count(*)::int as n from report_run where user_id = ${userId} and due_at is null and state in (0, 3)`,
    )
  ).n

/** Takes a waiting run, or one that a killed process left at work. */
export const claimRun = (db: TenantDb, id: string): Promise<RunRow | undefined> =>
  db.maybe(
    sql<RunRow>`update report_run set state = 3, progress = 0, started_at = app_now() where id = ${id} and state in (0, 3) returning ${columns}`,
  )
/** @returns false when it is not wanted any more */
export const tellProgress = async (db: TenantDb, id: string, progress: number): Promise<boolean> =>
  (await db.run(sql`update report_run set progress = ${progress} where id = ${id} and state = 3`)) === 1
export const finishRun = async (db: TenantDb, id: string, of: { readonly result: Table; readonly expiresAt: Date }): Promise<boolean> =>
  (await db.run(sql`
    update report_run set state = 4, progress = 100, result = ${JSON.stringify(of.result)}, ended_at = app_now(), expires_at = ${of.expiresAt}
    where id = ${id} and state = 3`)) === 1
export const failRun = async (db: TenantDb, id: string, problem: Label): Promise<void> => {
  await db.run(sql`
    update report_run set state = 5, ended_at = app_now(), problem_zh = ${problem.zh.slice(0, 300)}, problem_en = ${problem.en.slice(0, 300)}
    where id = ${id} and state in (0, 3)`)
}
export const requeueRun = async (db: TenantDb, id: string): Promise<void> => {
  await db.run(sql`update report_run set state = 0 where id = ${id} and state = 3`)
}
export const cancelRun = async (db: TenantDb, id: string): Promise<boolean> =>
  (await db.run(sql`update report_run set state = 6, ended_at = app_now() where id = ${id} and state in (0, 3)`)) === 1

export interface ReaderRow {
  readonly expiresAt: Date
  readonly isRefused: boolean
}
export const findReader = (db: TenantDb, runId: string, userId: string): Promise<ReaderRow | undefined> =>
  db.maybe(sql<ReaderRow>`
    select expires_at as "expiresAt", refused_zh is not null as "isRefused" from report_reader where run_id = ${runId} and user_id = ${userId}`)
export const insertReader = async (
  db: TenantDb,
  of: { readonly runId: string; readonly userId: string; readonly expiresAt: Date; readonly refused: Label | undefined },
): Promise<void> => {
  await db.run(sql`
    insert into report_reader (tenant_id, run_id, user_id, expires_at, refused_zh, refused_en)
    values (${db.actor.tenantId}, ${of.runId}, ${of.userId}, ${of.expiresAt}, ${of.refused?.zh.slice(0, 200) ?? null}, ${of.refused?.en.slice(0, 200) ?? null})
    on conflict do nothing`)
}
/** @returns false when they had opened it before */
export const markOpened = async (db: TenantDb, runId: string, userId: string): Promise<boolean> =>
  (await db.run(
    sql`update report_reader set opened_at = app_now() where run_id = ${runId} and user_id = ${userId} and opened_at is null`,
  )) === 1

/** Runs that ended before a time go, with their results. @returns how many */
export const purgeRuns = (db: PlatformDb, before: Date, limit: number): Promise<number> =>
  db.run(sql`
    delete from report_run where (tenant_id, id) in (select tenant_id, id from report_run where ended_at < ${before} order by ended_at limit ${limit})`)
