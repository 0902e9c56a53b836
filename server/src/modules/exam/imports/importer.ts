import { readFile } from 'node:fs/promises'
import type { Static } from 'typebox'
import { refuseExam } from '#contract/exam/exam.errors.ts'
import { cancelImport, importJob, type importResult, importTemplate } from '#contract/exam/import.routes.ts'
import { refuse } from '#contract/kernel/errors.ts'
import { type Label, type Language, label } from '#contract/kernel/label.ts'
import { maskIdCard, maskPhone } from '#contract/kernel/mask.ts'
import { isRefusal, type Refusal } from '#contract/kernel/refusal.ts'
import type { PermissionCode } from '#contract/kernel/route.ts'
import { audit } from '#kernel/audit.ts'
import { lock } from '#kernel/db/lock.ts'
import { systemOf, type TenantDb } from '#kernel/db/scope.ts'
import { inspectFile } from '#kernel/files/kinds.ts'
import { type Ctx, type Handler, handle, Refused } from '#kernel/http/context.ts'
import { refuseUntold } from '#kernel/http/field-rule.ts'
import { inputDigest, once } from '#kernel/http/idempotency.ts'
import { enqueue, type Task } from '#kernel/queue/outbox.ts'
import type { SheetBook } from '#kernel/sheet/write-sheet.ts'
import type { FileModule } from '#modules/file/index.ts'
import type { Services } from '#server/services.ts'
import { findJob, giveUpDead, type ImportJobRow, insertJob, isRunning, updateJob } from '../data/import-job.repo.ts'
import { type CellProblem, type CheckedSheet, type HeaderSpec, headerKey } from '../domain/sheet.ts'
import { type CellFix, mergeFixes, withFixes } from '../domain/sheet-fixes.ts'
import { bookBytes, errorBook } from './error-book.ts'
import { actorOfRun, type RunActor, reachOf } from './run-actor.ts'
import { readStored, readTexts, type SheetTexts } from './sheet-file.ts'

export type ImportResult = Static<typeof importResult>
export type { SheetTexts }

export interface WriteCounts {
  readonly inserted: number
  readonly updated: number
  readonly skipped: number
}

/** An import that runs: what it was started with. */
export interface ImportRun {
  readonly job: ImportJobRow
  readonly now: Date
  /** Says how many rows are done, at most every 500 rows; leaves the import when somebody asked to cancel it. */
  readonly progress: (done: number) => Promise<void>
}

/** One kind of import (T1, T6 …): how a sheet is judged and written. */
export interface ImportDefinition<T> {
  /** Of domain 5.9: `T1`, `T6`. */
  readonly kind: string
  readonly label: Label
  readonly permission: PermissionCode
  readonly columns: Readonly<Record<string, HeaderSpec>>
  /** Whether the user may import the right rows alone (domain 5.9 "Policy"). */
  readonly allowPartial: boolean
  /** Default 50,000. */
  readonly maxRows?: number
  /** Refuses before anything is read: state of the examination, who may. Runs in the transaction of check and write. */
  readonly guard?: (db: TenantDb, run: ImportRun) => Promise<Refusal | undefined>
  readonly check: (db: TenantDb, sheet: SheetTexts, run: ImportRun) => Promise<CheckedSheet<T>>
  readonly write: (db: TenantDb, rows: readonly { readonly row: number; readonly value: T }[], run: ImportRun) => Promise<WriteCounts>
  /** The workbook people fill in. */
  readonly template?: (
    db: TenantDb,
    of: { examId: string | undefined; itemId: string | undefined; ctx: Ctx },
  ) => Promise<SheetBook | Refusal>
}

export interface ImportInput {
  readonly examId?: string | undefined
  readonly itemId?: string | undefined
  readonly mode?: 'check' | 'commit' | undefined
  readonly policy?: 'all' | 'partial' | undefined
  readonly importId?: string | undefined
  readonly fixes?: readonly CellFix[] | undefined
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
const shownErrors = 200
const shownWarnings = 200
const defaultRows = 50_000
const progressStep = 500
const taskName = 'exam.import'
/** A sheet that was read in a call waits this long for the queue to take it up; later, or in another process, it is read again. */
const handOverMs = 60_000

class Cancelled extends Error {}

/** The last word of a run that was refused. */
const ended = ({ text }: Refusal, now: Date) => ({
  state: 5 as const,
  problemZh: text.zh.slice(0, 300),
  problemEn: text.en.slice(0, 300),
  endedAt: now,
})

/** The cells mended on the screen so far. */
const fixesOf = (job: ImportJobRow): readonly CellFix[] => (job.params['fixes'] as readonly CellFix[] | undefined) ?? []

/** Ids and phones are masked in what an import answers; the user's own workbook holds them anyway. */
const shownValue = (error: CellProblem): string =>
  /证件号|身份证/.test(error.header)
    ? maskIdCard(error.value)
    : /手机/.test(error.header)
      ? maskPhone(error.value)
      : [...error.value].slice(0, 100).join('')

export const createImports = (services: Services, files: FileModule): Importer => {
  const { scopes, clock } = services
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

  const lastWord = async (actor: RunActor, now: Date, jobId: string, values: Parameters<typeof updateJob>[2]): Promise<void> =>
    scopes.tx(actor, now, db => updateJob(db, jobId, { ...values, endedAt: now }))

  /** Checks the sheet and, for a commit without errors (or a partial one), writes it: one transaction, all or nothing. */
  const work = async (
    job: ImportJobRow,
    stored: SheetTexts | Refusal,
    actor: RunActor,
    now: Date,
    language: Language,
    origin: Ctx | undefined,
  ): Promise<Refusal | undefined> => {
    const definition = definitions.get(job.kind)
    if (!definition) throw new Error(`nobody imports ${job.kind}`)
    const fail = async (refusal: Refusal): Promise<Refusal> => {
      await lastWord(actor, now, job.id, ended(refusal, now))
      return refusal
    }
    if (isRefusal(stored)) return fail(stored)
    const fixes = fixesOf(job)
    const sheet = withFixes(stored, fixes)
    await scopes.tx(actor, now, db =>
      updateJob(db, job.id, { state: 1, total: sheet.total, done: 0, startedAt: now, runner: services.runner }),
    )
    let last = 0
    let isWriting = false
    const progress: ImportRun['progress'] = async done => {
      if (done - last < progressStep) return
      last = done
      const asked = await scopes.tx(actor, now, async db => {
        await updateJob(db, job.id, isWriting ? { done, state: 3 } : { done })
        return (await findJob(db, job.id))?.cancelAsked
      })
      if (asked) throw new Cancelled()
    }
    const run: ImportRun = { job, now, progress }
    const say = (label: Label): string => label[language]
    try {
      return await scopes.tx(actor, now, async db => {
        await lock(db, `import|${job.kind}|${job.examId ?? ''}`)
        const refused = await definition.guard?.(db, run)
        if (refused) throw new Refused(refused)
        const checked = await definition.check(db, sheet, run)
        const [first] = checked.fileErrors
        const missingHeader = checked.fileErrors.some(error => error.code.startsWith('header'))
        if (first && missingHeader) {
          const reasons = checked.fileErrors.map(error => error.reason)
          const detail = label(reasons.map(one => one.zh).join('；'), reasons.map(one => one.en).join('; '))
          throw new Refused(refuseExam('import/header', { detail }, { data: { problems: reasons } }))
        }
        // What is wrong with the file as a whole but not with its header stands in the list as row 0.
        const whole = checked.fileErrors.map(
          ({ code, reason }): CellProblem => ({ row: 0, column: '', header: '', value: '', code, reason }),
        )
        const errors = [...whole, ...checked.errors]
        const failed = new Set(checked.errors.map(error => error.row)).size
        const isClean = errors.length === 0
        const isWritten = job.mode === 'commit' && (isClean || (job.policy === 'partial' && checked.rows.length > 0))
        isWriting = isWritten
        if (isWritten) last = 0
        const counts = isWritten ? await definition.write(db, checked.rows, run) : { inserted: 0, updated: 0, skipped: 0 }
        const rightRows = checked.rows.length
        const errorFile = isClean
          ? undefined
          : await files.keepBytes(db, {
              bytes: await bookBytes(
                errorBook({
                  sheet,
                  errors,
                  say,
                  isRequired: header =>
                    Object.values(definition.columns).some(spec => spec.required && headerKey(spec.header) === headerKey(header)),
                  lines: [
                    [{ zh: '导入', en: 'Import' }, say(definition.label)],
                    [{ zh: '文件', en: 'File' }, job.fileName],
                    [{ zh: '总行数', en: 'Rows' }, sheet.total],
                    [{ zh: '正确行', en: 'Right rows' }, rightRows],
                    [{ zh: '错误行', en: 'Wrong rows' }, failed],
                    ...whole.map(error => [{ zh: '文件问题', en: 'Problem of the file' }, say(error.reason)] as const),
                  ],
                }),
              ),
              name: job.fileName.replace(/(\.xlsx)?$/i, say({ zh: '_错误.xlsx', en: '_errors.xlsx' })),
              kind: 'xlsx',
              userId: job.createdBy,
              ownerKind: 'import_job',
              ownerId: job.id,
            })
        // What is said about the header stands at its row, what is said about the file as a whole at none.
        const ofFile = checked.fileWarnings.map(({ code, reason }) => ({ row: code.startsWith('header') ? 1 : 0, reason }))
        const warnings = [...ofFile, ...checked.warnings]
        await updateJob(db, job.id, {
          state: isWritten ? 4 : job.mode === 'commit' ? 5 : 2,
          total: sheet.total,
          done: sheet.total,
          ok: rightRows,
          failed,
          ...counts,
          skipped: counts.skipped + (isWritten ? failed : 0),
          errors: errors.slice(0, shownErrors).map(error => ({ ...error, value: shownValue(error) })),
          warnings: warnings.slice(0, shownWarnings),
          errorFileId: errorFile?.id ?? null,
          problemZh: null,
          problemEn: null,
          endedAt: now,
        })
        if (isWritten)
          await audit(db, origin, {
            action: `import.${job.kind}`,
            entity: 'import_job',
            entityId: job.id,
            after: {
              examId: job.examId,
              itemId: job.itemId,
              fileName: job.fileName,
              total: sheet.total,
              failed,
              fixedCells: fixes.length,
              ...counts,
            },
          })
        return job.mode === 'commit' && !isWritten ? refuseExam('import/invalid', { failed }) : undefined
      })
    } catch (error) {
      if (error instanceof Refused) return fail(error.refusal)
      if (error instanceof Cancelled) {
        await lastWord(actor, now, job.id, { state: 6 })
        return undefined
      }
      await lastWord(actor, now, job.id, { state: 5, problemZh: '系统错误', problemEn: 'System error' })
      throw error
    }
  }

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
    const settings = { mode, policy, state: 0 as const, cancelAsked: false, startedAt: ctx.arrivedAt, runner: services.runner }
    if (again) {
      // Read anew under the lock: the first reading only told which lock.
      const job = await ownJob(ctx, db, again.id)
      if (job.kind !== definition.kind || job.examId !== examId) throw new Refused(refuse('kernel/not-found', {}))
      if (job.state !== 2 && job.state !== 5)
        throw new Refused(refuseExam(job.state === 4 || job.state === 6 ? 'import/ended' : 'import/running', {}))
      await updateJob(db, job.id, {
        ...settings,
        params: { ...job.params, reach: reachOf(ctx), fixes: mergeFixes(fixesOf(job), input.fixes ?? []) },
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
      params: { reach: reachOf(ctx) },
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
      const refusal = await work(job, sheet, actor, ctx.arrivedAt, ctx.language, ctx)
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
          const readAgain = async () =>
            readStored(await scopes.tx(systemOf(payload.tenantId), now, db => bytesOf(db, job)), definition?.maxRows ?? defaultRows)
          const sheet = takeOver(job.id) ?? (await readAgain())
          await work(job, sheet, actor, now, payload.language ?? 'zh', undefined)
        },
      } satisfies Task<{ id?: string; language?: Language }> as Task,
    ],
  }
}
