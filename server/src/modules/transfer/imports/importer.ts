import { readFile } from 'node:fs/promises'
import { refuseExam } from '#contract/exam/exam.errors.ts'
import type { Label, Language } from '#contract/kernel/label.ts'
import { isRefusal, type Refusal } from '#contract/kernel/refusal.ts'
import { systemOf, type TenantDb } from '#kernel/db/scope.ts'
import { inspectFile } from '#kernel/files/kinds.ts'
import type { Ctx, Handler } from '#kernel/http/context.ts'
import { keyedCall } from '#kernel/http/keyed.ts'
import { enqueue, type Task } from '#kernel/queue/outbox.ts'
import type { FileModule } from '#modules/file/index.ts'
import type { Services } from '#server/services.ts'
import { findJob, type ImportJobRow, updateJob } from '../data/import-job.repo.ts'
import { importHandlers } from './import-calls.ts'
import { createImportJobs, type ImportInput, type ImportResult, ownJob } from './import-jobs.ts'
import { actorOfRun } from './run-actor.ts'
import { createRunner, ended, type ImportDefinition } from './run-import.ts'
import { readStored, readTexts, type SheetTexts, type SheetWish } from './sheet-file.ts'

/** Runs one kind of import for a route declared with `tx: 'own'` and `files: importFiles`. */
export type RunImport = (ctx: Ctx, route: string, input: ImportInput) => Promise<ImportResult | Refusal>

export interface Importer {
  readonly createImporter: <T>(definition: ImportDefinition<T>) => RunImport
  /** Kinds that have been added. */
  readonly kinds: () => readonly string[]
  readonly handlers: readonly Handler[]
  readonly tasks: readonly Task[]
}

/** More rows than this are worked through in the background (decision 4.7). */
const inlineRows = 2_000
const defaultRows = 50_000
const wishOf = ({ columns, maxRows = defaultRows }: ImportDefinition<unknown>): SheetWish => ({ columns, maxRows })
const taskName = 'exam.import'
/** A sheet that was read in a call waits this long for the queue to take it up; later, or in another process, it is read again. */
const handOverMs = 60_000

interface HandedOver {
  give(jobId: string, sheet: SheetTexts): void
  take(jobId: string): SheetTexts | undefined
}
const createHandOver = (): HandedOver => {
  const sheets = new Map<string, SheetTexts>()
  return {
    give: (jobId, sheet) => {
      sheets.set(jobId, sheet)
      setTimeout(() => sheets.delete(jobId), handOverMs).unref()
    },
    take: jobId => {
      const sheet = sheets.get(jobId)
      sheets.delete(jobId)
      return sheet
    },
  }
}

const wrongName = { zh: '文件名须以 .xlsx 结尾', en: 'the name of the file must end in .xlsx' } satisfies Label
const embedded = {
  zh: '文件含有嵌入的对象或其他内容，请把数据复制到模板后再导入',
  en: 'the file has embedded objects or other content; copy the rows into the template',
} satisfies Label

/** The bytes of the file that came with the call, once it is known to be a workbook. */
const workbookOf = async (ctx: Ctx, wish: SheetWish): Promise<Buffer | Refusal> => {
  const [file] = ctx.files
  if (!file) return refuseExam('import/no-file', {})
  const bytes = await readFile(file.path)
  if (bytes.length === 0) return refuseExam('import/empty', {})
  const inspected = await inspectFile(bytes, file.name)
  if (!('problem' in inspected) && inspected.kind === 'xlsx') return bytes
  // The reader knows better what is wrong with it.
  const refusal = await readTexts(file.path, wish)
  if (isRefusal(refusal)) return refusal
  const isNamedWrong = 'problem' in inspected && inspected.problem === 'extension'
  return refuseExam('import/unreadable', { detail: isNamedWrong ? wrongName : embedded })
}

export const createImports = (services: Services, files: FileModule): Importer => {
  const { scopes, clock } = services
  const jobs = createImportJobs(services, files)
  const runStored = createRunner(services, files)
  const definitions = new Map<string, ImportDefinition<unknown>>()
  const handedOver = createHandOver()

  /** Makes the run, or finds the one that the same call made before. */
  const begin = async (
    ctx: Ctx,
    route: string,
    input: ImportInput,
    definition: ImportDefinition<unknown>,
    bytes: Buffer | undefined,
  ): Promise<{ readonly job: ImportJobRow; readonly isNew: boolean }> => {
    let isNew = false
    const { id } = await keyedCall<{ id: string }>(services.cipher, ctx, route, input).once(async db => {
      isNew = true
      return { id: await jobs.open(ctx, db, definition, input, bytes) }
    })
    return { job: await ctx.tx(db => ownJob(ctx, db, id)), isNew }
  }

  const inBackground = async (ctx: Ctx, job: ImportJobRow, sheet: SheetTexts): Promise<ImportResult> => {
    handedOver.give(job.id, sheet)
    await ctx.tx(async db => {
      await updateJob(db, job.id, { total: sheet.total, done: 0, runner: null })
      await enqueue(db, taskName, { id: job.id, language: ctx.language })
    })
    return jobs.viewFor(ctx, { ...job, total: sheet.total })
  }

  const createImporter: Importer['createImporter'] = definition => {
    if (definitions.has(definition.kind)) throw new Error(`two imports are called ${definition.kind}`)
    const known = definition as unknown as ImportDefinition<unknown>
    definitions.set(definition.kind, known)
    const wish = wishOf(known)
    return async (ctx, route, input) => {
      if (input.policy === 'partial' && !definition.partial) return refuseExam('import/policy', {})
      const bytes = input.importId ? undefined : await workbookOf(ctx, wish)
      if (isRefusal(bytes)) return bytes
      const { job, isNew } = await begin(ctx, route, input, known, bytes)
      // The same call again: its first run has answered or still runs.
      if (!isNew) return jobs.viewFor(ctx, job)
      const sheet = await readStored(bytes ?? (await ctx.tx(db => jobs.bytesOf(db, job))), wish)
      if (!isRefusal(sheet) && sheet.total > inlineRows) return inBackground(ctx, job, sheet)
      const actor = actorOfRun(job, ctx.tenantId)
      if (isRefusal(actor)) return actor
      const refusal = await runStored(known, { job, actor, now: ctx.arrivedAt, language: ctx.language, origin: ctx }, sheet)
      const result = jobs.viewFor(ctx, await ctx.tx(db => ownJob(ctx, db, job.id)))
      return refusal ? { ...refusal, data: { ...result, ...(refusal.data as object | undefined) } } : result
    }
  }

  const runQueued = async (payload: { tenantId: string; id?: string; language?: Language }): Promise<void> => {
    const now = clock.now()
    const asSystem = <T>(work: (db: TenantDb) => Promise<T>) => scopes.tx(systemOf(payload.tenantId), now, work)
    const job = await asSystem(db => findJob(db, payload.id ?? '0'))
    // Checked, done, failed or cancelled meanwhile: an order that is delivered twice finds nothing to do.
    if (!job || job.state === 2 || job.state === 4 || job.state === 5 || job.state === 6) return
    const actor = actorOfRun(job, payload.tenantId)
    if (isRefusal(actor)) return asSystem(db => updateJob(db, job.id, ended(actor, now)))
    const definition = definitions.get(job.kind)
    if (!definition) throw new Error(`nobody imports ${job.kind}`)
    const readAgain = async () => readStored(await asSystem(db => jobs.bytesOf(db, job)), wishOf(definition))
    const sheet = handedOver.take(job.id) ?? (await readAgain())
    await runStored(definition, { job, actor, now, language: payload.language ?? 'zh', origin: undefined }, sheet)
  }
  const task = { name: taskName, maxAttempts: 3, isNotable: true, run: runQueued } satisfies Task<{ id?: string; language?: Language }>

  return { createImporter, kinds: () => [...definitions.keys()], handlers: importHandlers(jobs, definitions), tasks: [task as Task] }
}
