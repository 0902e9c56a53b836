import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import { snakeCase } from '#kernel/names.ts'
import type { CellProblem, RowWarning } from '../domain/sheet.ts'

/** 0 queued, 1 checking, 2 checked, 3 writing, 4 done, 5 failed, 6 cancelled. */
export type ImportState = 0 | 1 | 2 | 3 | 4 | 5 | 6

/** One run of an import (domain 5.9). */
export interface ImportJobRow {
  readonly id: string
  readonly kind: string
  readonly examId: string | null
  readonly itemId: string | null
  readonly fileId: string
  readonly fileName: string
  readonly policy: 'all' | 'partial'
  readonly mode: 'check' | 'commit'
  readonly params: Readonly<Record<string, unknown>>
  readonly state: ImportState
  readonly total: number
  readonly done: number
  readonly ok: number
  readonly failed: number
  readonly inserted: number
  readonly updated: number
  readonly skipped: number
  /** The first 200, in file order. */
  readonly errors: readonly CellProblem[]
  readonly warnings: readonly RowWarning[]
  /** Rows that ask and are not confirmed. */
  readonly asked: number
  readonly errorFileId: string | null
  readonly problemZh: string | null
  readonly problemEn: string | null
  readonly cancelAsked: boolean
  readonly startedAt: Date | null
  /** The process that works on it; null while it waits in the queue. */
  readonly runner: string | null
  readonly createdBy: string
}

const jobColumns = sql`
  id::text as id, kind, exam_id::text as "examId", item_id::text as "itemId", file_id::text as "fileId", file_name as "fileName", policy, mode, params, state, total, done, ok, failed,
  inserted, updated, skipped, errors, warnings, asked, error_file_id::text as "errorFileId", problem_zh as "problemZh", problem_en as "problemEn", cancel_asked as "cancelAsked",
  started_at as "startedAt", runner::text as runner, created_by::text as "createdBy"`

export const findJob = (db: TenantDb, id: string): Promise<ImportJobRow | undefined> =>
  db.maybe(sql<ImportJobRow>`select ${jobColumns} from import_job where id = ${id}`)

/** A run whose process has died: its lock is free. It ends here, so that it blocks nobody; nothing of it was written. */
export const giveUpDead = async (db: TenantDb, kind: string, examId: string | null): Promise<void> => {
  const runners = await db.all(sql<{ runner: string }>`
    select distinct runner::text as runner from import_job
    where kind = ${kind} and exam_id is not distinct from ${examId} and state in (0, 1, 3) and runner is not null`)
  for (const { runner } of runners) {
    const { isDead } = await db.one(sql<{ isDead: boolean }>`select pg_try_advisory_xact_lock(${runner}::bigint) as "isDead"`)
    if (isDead)
      await db.run(sql`
        update import_job set state = 5, ended_at = app_now(), problem_zh = '导入被中断，请重新导入', problem_en = 'The import was interrupted; please start it again'
        where kind = ${kind} and exam_id is not distinct from ${examId} and state in (0, 1, 3) and runner = ${runner}`)
  }
}

/** A run that waits in the queue for so long has been lost with it. */
const deadAfterMs = 15 * 60_000

export const isRunning = async (db: TenantDb, kind: string, examId: string | null, except: string): Promise<boolean> =>
  (await db.maybe(sql`
    select 1 from import_job where kind = ${kind} and exam_id is not distinct from ${examId} and state in (0, 1, 3) and id <> ${except}
      and coalesce(started_at, created_at) > ${new Date(db.now.getTime() - deadAfterMs)} limit 1`)) !== undefined

export interface NewJob {
  readonly kind: string
  readonly examId: string | null
  readonly itemId: string | null
  readonly fileId: string
  readonly fileName: string
  readonly params: Readonly<Record<string, unknown>>
}
export const insertJob = async (db: TenantDb, job: NewJob): Promise<string> => {
  const { id } = await db.one(sql<{ id: string }>`
    insert into import_job (tenant_id, kind, exam_id, item_id, file_id, file_name, params, created_by)
    values (${db.actor.tenantId}, ${job.kind}, ${job.examId}, ${job.itemId}, ${job.fileId}, ${job.fileName}, ${JSON.stringify(job.params)}, ${db.actor.userId})
    returning id::text as id`)
  return id
}

export const updateJob = async (
  db: TenantDb,
  id: string,
  values: Partial<Omit<ImportJobRow, 'id'>> & { endedAt?: Date },
): Promise<void> => {
  const set = Object.entries(values).map(
    ([name, value]) =>
      sql`${sql.ref(snakeCase(name))} = ${Array.isArray(value) || (typeof value === 'object' && value !== null && !(value instanceof Date)) ? JSON.stringify(value) : value}`,
  )
  await db.run(sql`update import_job set ${sql.join(set)} where id = ${id}`)
}
