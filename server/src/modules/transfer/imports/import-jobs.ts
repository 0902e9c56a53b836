import type { Static } from 'typebox'
import { refuseExam } from '#contract/exam/exam.errors.ts'
import { refuse } from '#contract/kernel/errors.ts'
import type { importResult } from '#contract/transfer/import.routes.ts'
import { lock } from '#kernel/db/lock.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, Refused } from '#kernel/http/context.ts'
import type { FileModule } from '#modules/file/index.ts'
import type { Services } from '#server/services.ts'
import { findJob, giveUpDead, type ImportJobRow, insertJob, isRunning, updateJob } from '../data/import-job.repo.ts'
import { type CellFix, mergeFixes } from '../domain/sheet-fixes.ts'
import { reachOf } from './run-actor.ts'
import { fixesOf, type ImportDefinition, type ImportOptions } from './run-import.ts'

export type ImportResult = Static<typeof importResult>

export interface ImportInput {
  readonly examId?: string | undefined
  readonly itemId?: string | undefined
  readonly mode?: 'check' | 'commit' | undefined
  readonly policy?: 'all' | 'partial' | undefined
  readonly importId?: string | undefined
  readonly fixes?: readonly CellFix[] | undefined
  /** Rows whose doubts are confirmed, with commas between them, or `all`. */
  readonly sure?: string | undefined
  /** What the kind of import asks for besides the file; the last call counts. */
  readonly options?: ImportOptions | undefined
}

/** The runs of imports: how one begins, and what its owner sees of it. */
export interface ImportJobs {
  readonly viewFor: (ctx: Ctx, job: ImportJobRow) => ImportResult
  /**
   * Makes the row of a new run, or takes up a checked one again; one run at a time for each kind and examination.
   *
   * @throws Refused import/running, import/ended, import/no-file, kernel/not-found
   */
  readonly open: (
    ctx: Ctx,
    db: TenantDb,
    definition: ImportDefinition<unknown>,
    input: ImportInput,
    bytes: Buffer | undefined,
  ) => Promise<string>
  readonly bytesOf: (db: TenantDb, job: ImportJobRow) => Promise<Buffer>
}

/** @throws Refused kernel/not-found: somebody else's run is none */
export const ownJob = async (ctx: Ctx, db: TenantDb, id: string): Promise<ImportJobRow> => {
  const job = await findJob(db, id)
  if (!job || job.createdBy !== ctx.session?.userId) throw new Refused(refuse('kernel/not-found', {}))
  return job
}

/** The same file once more, with the cells that were mended on the screen. */
const checkedAgain = async (
  ctx: Ctx,
  db: TenantDb,
  id: string,
  { kind, examId, input }: { readonly kind: string; readonly examId: string | null; readonly input: ImportInput },
): Promise<{ readonly id: string; readonly params: ImportJobRow['params'] }> => {
  // Read anew under the lock: the first reading only told which lock.
  const job = await ownJob(ctx, db, id)
  if (job.kind !== kind || job.examId !== examId) throw new Refused(refuse('kernel/not-found', {}))
  if (job.state !== 2 && job.state !== 5)
    throw new Refused(refuseExam(job.state === 4 || job.state === 6 ? 'import/ended' : 'import/running', {}))
  return { id: job.id, params: { ...job.params, fixes: mergeFixes(fixesOf(job), input.fixes ?? []) } }
}

export const createImportJobs = (services: Services, files: FileModule): ImportJobs => {
  const newJob = async (
    ctx: Ctx,
    db: TenantDb,
    {
      kind,
      examId,
      input,
      bytes,
    }: { readonly kind: string; readonly examId: string | null; readonly input: ImportInput; readonly bytes: Buffer | undefined },
  ): Promise<{ readonly id: string; readonly params: ImportJobRow['params'] }> => {
    const [file] = ctx.files
    if (!file || !bytes || !ctx.session) throw new Refused(refuseExam('import/no-file', {}))
    const kept = await files.keepBytes(db, {
      bytes,
      name: file.name,
      kind: 'xlsx',
      userId: ctx.session.userId,
      ownerKind: 'import',
      ownerId: examId ?? '0',
    })
    const id = await insertJob(db, { kind, examId, itemId: input.itemId ?? null, fileId: kept.id, fileName: file.name, params: {} })
    return { id, params: {} }
  }
  return {
    viewFor: (ctx, job) => ({
      importId: job.id,
      kind: job.kind,
      mode: job.mode,
      fileName: job.fileName,
      state: job.state,
      total: job.total,
      done: job.done,
      ok: job.ok,
      failed: job.failed,
      inserted: job.inserted,
      updated: job.updated,
      skipped: job.skipped,
      errors: job.errors.map(error => ({ ...error, reason: ctx.say(error.reason) })),
      warnings: job.warnings.map(({ row, reason, asks }) => ({ row, reason: ctx.say(reason), ...(asks === undefined ? {} : { asks }) })),
      asked: job.asked,
      errorFileUrl: job.errorFileId
        ? files.linkFor({ tenantId: ctx.tenantId, userId: ctx.session?.userId ?? '0' }, job.errorFileId, ctx.arrivedAt)
        : null,
      problem: job.problemZh ? ctx.say({ zh: job.problemZh, en: job.problemEn ?? job.problemZh }) : null,
    }),
    open: async (ctx, db, { kind }, input, bytes) => {
      const examId = input.examId ?? (input.importId ? (await ownJob(ctx, db, input.importId)).examId : null)
      await lock(db, `import-start|${kind}|${examId ?? ''}`)
      await giveUpDead(db, kind, examId)
      if (await isRunning(db, kind, examId, input.importId ?? '0')) throw new Refused(refuseExam('import/running', {}))
      const { id, params } = input.importId
        ? await checkedAgain(ctx, db, input.importId, { kind, examId, input })
        : await newJob(ctx, db, { kind, examId, input, bytes })
      await updateJob(db, id, {
        mode: input.mode ?? 'check',
        policy: input.policy ?? 'all',
        state: 0,
        cancelAsked: false,
        startedAt: ctx.arrivedAt,
        runner: services.runner,
        params: { ...params, ...(input.options ? { options: input.options } : {}), sure: input.sure ?? '', reach: reachOf(ctx) },
      })
      return id
    },
    bytesOf: async (db, job) => {
      const file = await files.find(db, job.fileId)
      if (!file) throw new Refused(refuse('kernel/not-found', {}))
      return files.read(file)
    },
  }
}
