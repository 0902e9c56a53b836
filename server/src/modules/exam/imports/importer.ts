import { readFile } from 'node:fs/promises'
import type { Static } from 'typebox'
import { refuseExam } from '#contract/exam/exam.errors.ts'
import { cancelImport, importJob, type importResult, importTemplate } from '#contract/exam/import.routes.ts'
import { refuse } from '#contract/kernel/errors.ts'
import type { Label, Language } from '#contract/kernel/label.ts'
import { isRefusal, type Refusal } from '#contract/kernel/refusal.ts'
import { audit } from '#kernel/audit.ts'
import { lock } from '#kernel/db/lock.ts'
import { systemOf, type TenantDb } from '#kernel/db/scope.ts'
import { inspectFile } from '#kernel/files/kinds.ts'
import { type Ctx, type Handler, handle, Refused } from '#kernel/http/context.ts'
import { refuseUntold } from '#kernel/http/field-rule.ts'
import { inputDigest, once } from '#kernel/http/idempotency.ts'
import { enqueue, type Task } from '#kernel/queue/outbox.ts'
import type { FileModule } from '#modules/file/index.ts'
import type { Services } from '#server/services.ts'
import { findJob, giveUpDead, type ImportJobRow, insertJob, isRunning, updateJob } from '../data/import-job.repo.ts'
import { type CellFix, mergeFixes } from '../domain/sheet-fixes.ts'
import { bookBytes } from './error-book.ts'
import { actorOfRun, reachOf } from './run-actor.ts'
import { createRunner, ended, fixesOf, type ImportDefinition, type ImportOptions } from './run-import.ts'
import { readStored, readTexts, type SheetTexts } from './sheet-file.ts'

export type ImportResult = Static<typeof importResult>

export interface ImportInput {
  readonly examId?: string | undefined
  readonly itemId?: string | undefined
  readonly mode?: 'check' | 'commit' | undefined
  readonly policy?: 'all' | 'partial' | undefined
  readonly importId?: string | undefined
  readonly fixes?: readonly CellFix[] | undefined
  /** What the kind of import asks for besides the file; the last call counts. */
  readonly options?: ImportOptions | undefined
}
/** Runs one kind of import for a route declared with `tx: 'own'` and `files: importFiles`. */
export type RunImport = (ctx: Ctx, route: string, input: ImportInput) => Promise<ImportResult | Refusal>

export interface Importer {
  readonly createImporter: <T>(definition: ImportDefinition<T>) => RunImport
  readonly handlers: readonly Handler[]
  readonly tasks: readonly Task[]
}

/** More rows than this are worked through in the background (decision 4.7). */
const inlineRows = 2_000
const defaultRows = 50_000
const taskName = 'exam.import'
/** A sheet that was read in a call waits this long for the queue to take it up; later, or in another process, it is read again. */
const handOverMs = 60_000

export const createImports = (services: Services, files: FileModule): Importer => {
  const { scopes, clock } = services
  const runStored = createRunner(services, files)
  const definitions = new Map<string, ImportDefinition<unknown>>()
  const handedOver = new Map<string, SheetTexts>()
  const handOver = (jobId: string, sheet: SheetTexts): void => {
    handedOver.set(jobId, sheet)
    setTimeout(() => handedOver.delete(jobId), handOverMs).unref()
  }
  const takeOver = (jobId: string): SheetTexts | undefined => {
    const sheet = handedOver.get(jobId)
    handedOver.delete(jobId)
    return sheet
  }

  const view = (
    job: ImportJobRow,
    reader: { tenantId: string; userId: string },
    now: Date,
    say: (label: Label) => string,
  ): ImportResult => ({
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
    errors: job.errors.map(error => ({ ...error, reason: say(error.reason) })),
    warnings: job.warnings.map(({ row, reason }) => ({ row, reason: say(reason) })),
    errorFileUrl: job.errorFileId ? files.linkFor(reader, job.errorFileId, now) : null,
    problem: job.problemZh ? say({ zh: job.problemZh, en: job.problemEn ?? job.problemZh }) : null,
  })
  const viewFor = (ctx: Ctx, job: ImportJobRow): ImportResult =>
    view(job, { tenantId: ctx.tenantId, userId: ctx.session?.userId ?? '0' }, ctx.arrivedAt, ctx.say)

  const ownJob = async (ctx: Ctx, db: TenantDb, id: string): Promise<ImportJobRow> => {
    const job = await findJob(db, id)
    if (!job || job.createdBy !== ctx.session?.userId) throw new Refused(refuse('kernel/not-found', {}))
    return job
  }

  /** Makes the row of a new run, or takes up a checked one again. */
  const open = async (
    ctx: Ctx,
    db: TenantDb,
    definition: ImportDefinition<unknown>,
    input: ImportInput,
    bytes: Buffer | undefined,
  ): Promise<string> => {
    const again = input.importId ? await ownJob(ctx, db, input.importId) : undefined
    const examId = input.examId ?? again?.examId ?? null
    await lock(db, `import-start|${definition.kind}|${examId ?? ''}`)
    await giveUpDead(db, definition.kind, examId)
    if (await isRunning(db, definition.kind, examId, input.importId ?? '0')) throw new Refused(refuseExam('import/running', {}))
    const mode = input.mode ?? 'check'
    const policy = input.policy ?? 'all'
    const options = input.options ? { options: input.options } : {}
    const settings = { mode, policy, state: 0 as const, cancelAsked: false, startedAt: ctx.arrivedAt, runner: services.runner }
    if (again) {
      // Read anew under the lock: the first reading only told which lock.
      const job = await ownJob(ctx, db, again.id)
      if (job.kind !== definition.kind || job.examId !== examId) throw new Refused(refuse('kernel/not-found', {}))
      if (job.state !== 2 && job.state !== 5)
        throw new Refused(refuseExam(job.state === 4 || job.state === 6 ? 'import/ended' : 'import/running', {}))
      await updateJob(db, job.id, {
        ...settings,
        params: { ...job.params, ...options, reach: reachOf(ctx), fixes: mergeFixes(fixesOf(job), input.fixes ?? []) },
      })
      return job.id
    }
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
    const id = await insertJob(db, {
      kind: definition.kind,
      examId,
      itemId: input.itemId ?? null,
      fileId: kept.id,
      fileName: file.name,
      params: { ...options, reach: reachOf(ctx) },
    })
    await updateJob(db, id, settings)
    return id
  }

  const bytesOf = async (db: TenantDb, job: ImportJobRow): Promise<Buffer> => {
    const file = await files.find(db, job.fileId)
    if (!file) throw new Refused(refuse('kernel/not-found', {}))
    return files.read(file)
  }

  const createImporter: Importer['createImporter'] = definition => {
    if (definitions.has(definition.kind)) throw new Error(`two imports are called ${definition.kind}`)
    const known = definition as unknown as ImportDefinition<unknown>
    definitions.set(definition.kind, known)
    return async (ctx, route, input) => {
      if (input.policy === 'partial' && !definition.allowPartial) return refuseExam('import/policy', {})
      const maxRows = definition.maxRows ?? defaultRows
      const [file] = ctx.files
      let bytes: Buffer | undefined
      if (!input.importId) {
        if (!file) return refuseExam('import/no-file', {})
        bytes = await readFile(file.path)
        if (bytes.length === 0) return refuseExam('import/empty', {})
        const inspected = await inspectFile(bytes, file.name)
        if ('problem' in inspected || inspected.kind !== 'xlsx') {
          const refusal = await readTexts(file.path, maxRows)
          return isRefusal(refusal)
            ? refusal
            : refuseExam('import/unreadable', { detail: { zh: '不是 xlsx 文件', en: 'this is no xlsx file' } })
        }
      }
      const key = ctx.header('idempotency-key')
      let isNew = false
      const start = async (db: TenantDb) => {
        isNew = true
        return { id: await open(ctx, db, known, input, bytes) }
      }
      const { id } = await ctx.tx(db =>
        key && /^[\w-]{8,80}$/.test(key) ? once(db, key, route, inputDigest(route, input, ctx.files), () => start(db)) : start(db),
      )
      const job = await ctx.tx(db => ownJob(ctx, db, id))
      // The same call again: its first run has answered or still runs.
      if (!isNew) return viewFor(ctx, job)
      const sheet = await readStored(bytes ?? (await ctx.tx(db => bytesOf(db, job))), maxRows)
      if (!isRefusal(sheet) && sheet.total > inlineRows) {
        handOver(id, sheet)
        await ctx.tx(async db => {
          await updateJob(db, id, { total: sheet.total, done: 0, runner: null })
          await enqueue(db, taskName, { id, language: ctx.language })
        })
        return viewFor(ctx, { ...job, total: sheet.total })
      }
      const actor = actorOfRun(job, ctx.tenantId)
      if (isRefusal(actor)) return actor
      const refusal = await runStored(known, { job, actor, now: ctx.arrivedAt, language: ctx.language, origin: ctx }, sheet)
      const result = viewFor(ctx, await ctx.tx(db => ownJob(ctx, db, id)))
      return refusal ? { ...refusal, data: { ...result, ...(refusal.data as object | undefined) } } : result
    }
  }

  return {
    createImporter,
    handlers: [
      handle(importJob, async ({ ctx, db, input }) => {
        const job = await ownJob(ctx, db, input.id)
        if (job.state !== 0 && job.state !== 1 && job.state !== 3) return viewFor(ctx, job)
        await giveUpDead(db, job.kind, job.examId)
        return viewFor(ctx, await ownJob(ctx, db, input.id))
      }),
      handle(cancelImport, async ({ ctx, db, input }) => {
        const job = await ownJob(ctx, db, input.id)
        if (job.state >= 4) return refuseExam('import/ended', {})
        const state = job.state === 2 || job.state === 0 ? 6 : job.state
        await updateJob(db, job.id, { cancelAsked: true, state })
        await audit(db, ctx, { action: 'import.cancelled', entity: 'import_job', entityId: job.id })
        return { id: job.id, state }
      }),
      handle(importTemplate, async ({ ctx, input }) => {
        const definition = definitions.get(input.kind)
        const { template } = definition ?? {}
        if (!definition || !template) return refuse('kernel/not-found', {})
        if (!ctx.session?.permissions.has(definition.permission)) return refuse('kernel/forbidden', {})
        const book = await ctx.tx(async db => {
          const made = await template(db, { examId: input.examId, itemId: input.itemId, ctx })
          const rows = isRefusal(made) ? undefined : made.sheets[0]?.rows
          // One that is filled in already tells of people: taking it is an export.
          if (Array.isArray(rows) && rows.length > 0)
            await audit(db, ctx, {
              action: 'import.exported',
              entity: 'import',
              entityId: input.examId ?? null,
              after: { kind: input.kind, itemId: input.itemId ?? null, rows: rows.length },
            })
          return made
        })
        if (isRefusal(book)) return book
        // A template that is filled in already has to be filled in wholly.
        const untold = refuseUntold(
          ctx,
          book.sheets.flatMap(sheet => sheet.columns.flatMap(({ field }) => field ?? [])),
        )
        if (untold) return untold
        return {
          body: await bookBytes(book),
          mime: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
          name: `${input.kind}_${ctx.say(definition.label)}.xlsx`,
        }
      }),
    ],
    tasks: [
      {
        name: taskName,
        maxAttempts: 3,
        isNotable: true,
        run: async (payload: { tenantId: string; id?: string; language?: Language }) => {
          const now = clock.now()
          const job = await scopes.tx(systemOf(payload.tenantId), now, db => findJob(db, payload.id ?? '0'))
          // Checked, done, failed or cancelled meanwhile: an order that is delivered twice finds nothing to do.
          if (!job || job.state === 2 || job.state === 4 || job.state === 5 || job.state === 6) return
          const actor = actorOfRun(job, payload.tenantId)
          if (isRefusal(actor)) {
            await scopes.tx(systemOf(payload.tenantId), now, db => updateJob(db, job.id, ended(actor, now)))
            return
          }
          const definition = definitions.get(job.kind)
          if (!definition) throw new Error(`nobody imports ${job.kind}`)
          const readAgain = async () =>
            readStored(await scopes.tx(systemOf(payload.tenantId), now, db => bytesOf(db, job)), definition.maxRows ?? defaultRows)
          const sheet = takeOver(job.id) ?? (await readAgain())
          await runStored(definition, { job, actor, now, language: payload.language ?? 'zh', origin: undefined }, sheet)
        },
      } satisfies Task<{ id?: string; language?: Language }> as Task,
    ],
  }
}
