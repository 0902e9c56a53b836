import { refuseExam } from '#contract/exam/exam.errors.ts'
import { idsOf } from '#contract/kernel/ids.ts'
import type { ImportKind } from '#contract/kernel/import-kind.ts'
import { type Label, type Language, label } from '#contract/kernel/label.ts'
import { maskIdCard, maskPhone } from '#contract/kernel/mask.ts'
import { isRefusal, type Refusal } from '#contract/kernel/refusal.ts'
import { audit } from '#kernel/audit.ts'
import { lock } from '#kernel/db/lock.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, Refused } from '#kernel/http/context.ts'
import { failureOf } from '#kernel/http/failure.ts'
import { inNameOf } from '#kernel/platform-audit.ts'
import type { SheetBook, SheetColumn } from '#kernel/sheet/write-sheet.ts'
import type { FileModule } from '#modules/file/index.ts'
import type { Services } from '#server/services.ts'
import { findJob, type ImportJobRow, updateJob } from '../data/import-job.repo.ts'
import { type CellProblem, type CheckedSheet, type FileProblem, type HeaderSpec, headerKey } from '../domain/sheet.ts'
import { type CellFix, withFixes } from '../domain/sheet-fixes.ts'
import { bookBytes, errorBook } from './error-book.ts'
import type { RunActor } from './run-actor.ts'
import type { SheetTexts } from './sheet-file.ts'
import { templateColumn } from './template-book.ts'

export interface WriteCounts {
  readonly inserted: number
  readonly updated: number
  readonly skipped: number
}

export type ImportOptions = Readonly<Record<string, unknown>>

/** An import that runs: what it was started with. */
export interface ImportRun {
  readonly job: ImportJobRow
  readonly now: Date
  /** What the call asked for besides the file, by the kind of import. */
  readonly options: ImportOptions
  /** Says how many rows are done, at most every 500 rows; leaves the import when somebody asked to cancel it. */
  readonly progress: (done: number) => Promise<void>
}

/** Who a template is for; without a session it is the import itself, which gives back what was wrong in the same columns. */
export type TemplateReader = Pick<Ctx, 'say' | 'session'>

/** A workbook that is filled in. */
export interface TemplateBook extends SheetBook {
  /** What it is of, such as examination and paper: its file is named so, since several of one kind lie in one folder. */
  readonly of?: readonly string[]
}

/** One kind of import (T1, T6 …) with what the contract says of it: how a sheet is judged and written. */
export interface ImportDefinition<T> extends ImportKind {
  readonly columns: Readonly<Record<string, HeaderSpec>>
  /** Default 50,000. */
  readonly maxRows?: number
  /** Why check and write leave the tenant wall, for what belongs to the whole installation; what they record is still of whoever ordered the run. */
  readonly aboveTenants?: string
  /** Refuses before anything is read: state of the examination, who may. Runs in the transaction of check and write. */
  readonly guard?: (db: TenantDb, run: ImportRun) => Promise<Refusal | undefined>
  readonly check: (db: TenantDb, sheet: SheetTexts, run: ImportRun) => Promise<CheckedSheet<T>>
  readonly write: (db: TenantDb, rows: readonly { readonly row: number; readonly value: T }[], run: ImportRun) => Promise<WriteCounts>
  /** The workbook people fill in, with the name of its file where that says more than the kind of import. */
  readonly template?: (
    db: TenantDb,
    of: { examId: string | undefined; itemId: string | undefined; ctx: TemplateReader },
  ) => Promise<TemplateBook | Refusal>
}

/** A stored run about to begin. */
export interface RunOrder {
  readonly job: ImportJobRow
  readonly actor: RunActor
  readonly now: Date
  /** Of the error workbook. */
  readonly language: Language
  /** The call that runs it; undefined in the background. */
  readonly origin: Ctx | undefined
}

/** What a call is answered with and the list of imports shows; the workbook with the errors has all of them. */
const shownErrors = 200
const shownWarnings = 200

/** Rows between two words about the progress. */
const progressStep = 500

class Cancelled extends Error {}

/** The last word of a run that was refused. */
export const ended = ({ text }: Refusal, now: Date) => ({
  state: 5 as const,
  problemZh: text.zh.slice(0, 300),
  problemEn: text.en.slice(0, 300),
  endedAt: now,
})

/** The cells mended on the screen so far. */
export const fixesOf = (job: ImportJobRow): readonly CellFix[] => (job.params['fixes'] as readonly CellFix[] | undefined) ?? []

/** What was asked for besides the file, by the last call of the run. */
const optionsOf = (job: ImportJobRow): ImportOptions => (job.params['options'] as ImportOptions | undefined) ?? {}

/** Whether the doubts about a row were confirmed by the last call of the run. */
const isSure = ({ params }: ImportJobRow): ((row: number) => boolean) => {
  const sure = String(params['sure'] ?? '')
  const rows = new Set(idsOf(sure).map(Number))
  return row => sure === 'all' || rows.has(row)
}

/** Ids and phones are masked in what an import answers; the user's own workbook holds them anyway. */
const shownValue = (error: CellProblem): string =>
  /证件号|身份证/.test(error.header)
    ? maskIdCard(error.value)
    : /手机/.test(error.header)
      ? maskPhone(error.value)
      : [...error.value].slice(0, 100).join('')

/** A wrong header refuses the file with all that is wrong with it. */
const refuseHeader = (problems: readonly FileProblem[]): Refusal | undefined => {
  if (!problems.some(error => error.code.startsWith('header'))) return undefined
  const reasons = problems.map(error => error.reason)
  const detail = label(reasons.map(one => one.zh).join('；'), reasons.map(one => one.en).join('; '))
  return refuseExam('import/header', { detail }, { data: { problems: reasons } })
}

/** What a checked sheet comes to, before anything is written. */
interface Verdict {
  readonly checked: CheckedSheet<unknown>
  /** Problems of the file as a whole but not of its header stand in the list as row 0. */
  readonly whole: readonly CellProblem[]
  readonly errors: readonly CellProblem[]
  /** Rows with an error. */
  readonly failed: number
  /** What is asked and was not confirmed; these rows are not written. */
  readonly asks: readonly CellProblem[]
  readonly asked: number
  readonly rows: CheckedSheet<unknown>['rows']
  readonly isWritten: boolean
}
const verdictOf = (job: ImportJobRow, checked: CheckedSheet<unknown>): Verdict => {
  const whole = checked.fileErrors.map(({ code, reason }): CellProblem => ({ row: 0, column: '', header: '', value: '', code, reason }))
  const errors = [...whole, ...checked.errors]
  const sure = isSure(job)
  const asks = (checked.asks ?? []).filter(({ row }) => !sure(row))
  const asking = new Set(asks.map(({ row }) => row))
  const rows = asking.size === 0 ? checked.rows : checked.rows.filter(({ row }) => !asking.has(row))
  const mayWrite = rows.length > 0 ? errors.length === 0 || job.policy === 'partial' : errors.length === 0 && asking.size === 0
  const failed = new Set(checked.errors.map(error => error.row)).size
  return { checked, whole, errors, failed, asks, asked: asking.size, rows, isWritten: job.mode === 'commit' && mayWrite }
}

/** Says how many rows are done, and learns whether somebody asked to cancel. */
const progressOf = ({ scopes }: Services, { job, actor, now }: RunOrder) => {
  let last = 0
  let isWriting = false
  return {
    /** Rows are counted anew from here on. */
    beginWriting: (): void => {
      isWriting = true
      last = 0
    },
    tell: async (done: number): Promise<void> => {
      if (done - last < progressStep) return
      last = done
      const asked = await scopes.tx(actor, now, async db => {
        await updateJob(db, job.id, isWriting ? { done, state: 3 } : { done })
        return (await findJob(db, job.id))?.cancelAsked
      })
      if (asked) throw new Cancelled()
    },
  }
}

export type RunStored = (
  definition: ImportDefinition<unknown>,
  order: RunOrder,
  stored: SheetTexts | Refusal,
) => Promise<Refusal | undefined>

/** The columns of the template by their names, with the lists and hints that it has at this time. */
const columnsToFill = async (
  db: TenantDb,
  { columns, template }: ImportDefinition<unknown>,
  { examId, itemId }: ImportJobRow,
  say: TemplateReader['say'],
): Promise<ReadonlyMap<string, SheetColumn>> => {
  const found = new Map(Object.values(columns).map(spec => [headerKey(spec.header), templateColumn(say, spec)]))
  const book = await template?.(db, { examId: examId ?? undefined, itemId: itemId ?? undefined, ctx: { say, session: undefined } })
  if (book === undefined || isRefusal(book)) return found
  for (const column of book.sheets[0]?.columns ?? []) found.set(headerKey(column.header), column)
  return found
}

export const createRunner = (services: Services, files: FileModule): RunStored => {
  const { scopes } = services

  const keepErrorBook = async (
    db: TenantDb,
    definition: ImportDefinition<unknown>,
    { job, language }: RunOrder,
    sheet: SheetTexts,
    { checked, whole, errors, failed, asks }: Verdict,
  ): Promise<string> => {
    const say = (text: Label): string => text[language]
    const columns = await columnsToFill(db, definition, job, say)
    const book = errorBook({
      sheet,
      errors: [...errors, ...asks].sort((one, other) => one.row - other.row),
      say,
      columnOf: header => columns.get(headerKey(header)),
      lines: [
        [{ zh: '导入', en: 'Import' }, say(definition.label)],
        [{ zh: '文件', en: 'File' }, job.fileName],
        [{ zh: '总行数', en: 'Rows' }, sheet.total],
        [{ zh: '正确行', en: 'Right rows' }, checked.rows.length],
        [{ zh: '错误行', en: 'Wrong rows' }, failed],
        ...whole.map(error => [{ zh: '文件问题', en: 'Problem of the file' }, say(error.reason)] as const),
      ],
    })
    const { id } = await files.keepBytes(db, {
      bytes: await bookBytes(book),
      name: job.fileName.replace(/(\.xlsx)?$/i, say({ zh: '_错误.xlsx', en: '_errors.xlsx' })),
      kind: 'xlsx',
      userId: job.createdBy,
      ownerKind: 'import_job',
      ownerId: job.id,
    })
    return id
  }

  const storeResult = async (
    db: TenantDb,
    { job, now, origin }: RunOrder,
    sheet: SheetTexts,
    { checked, errors, failed, asks, asked, isWritten }: Verdict,
    done: { readonly counts: WriteCounts; readonly errorFileId: string | null },
  ): Promise<void> => {
    const { counts, errorFileId } = done
    // What is said about the header stands at its row, what is said about the file as a whole at none.
    const ofFile = checked.fileWarnings.map(({ code, reason }) => ({ row: code.startsWith('header') ? 1 : 0, reason }))
    await updateJob(db, job.id, {
      state: isWritten ? 4 : job.mode === 'commit' ? 5 : 2,
      total: sheet.total,
      done: sheet.total,
      ok: checked.rows.length,
      failed,
      ...counts,
      asked,
      skipped: counts.skipped + (isWritten ? failed + asked : 0),
      errors: errors.slice(0, shownErrors).map(error => ({ ...error, value: shownValue(error) })),
      warnings: [
        ...asks.map(({ row, reason, code }) => ({ row, reason, asks: code })),
        ...ofFile,
        ...sheet.warnings,
        ...checked.warnings,
      ].slice(0, shownWarnings),
      errorFileId,
      problemZh: null,
      problemEn: null,
      endedAt: now,
    })
    if (!isWritten) return
    const { examId, itemId, fileName, params } = job
    const sure = String(params['sure'] ?? '').slice(0, 200)
    await audit(db, origin, {
      action: `import.${job.kind}`,
      entity: 'import_job',
      entityId: job.id,
      after: {
        examId,
        itemId,
        fileName,
        total: sheet.total,
        failed,
        ...(sure === '' ? {} : { sure }),
        ...(asked === 0 ? {} : { asked }),
        fixedCells: fixesOf(job).length,
        ...optionsOf(job),
        ...counts,
      },
    })
  }

  /** Checks the sheet and, for a commit without errors (or a partial one), writes it: one transaction, all or nothing. */
  return async (definition, order, stored) => {
    const { job, actor, now } = order
    const lastWord = (values: Parameters<typeof updateJob>[2]): Promise<void> =>
      scopes.tx(actor, now, db => updateJob(db, job.id, { ...values, endedAt: now }))
    const fail = async (refusal: Refusal): Promise<Refusal> => {
      await lastWord(ended(refusal, now))
      return refusal
    }
    if (isRefusal(stored)) return fail(stored)
    const sheet = withFixes(stored, fixesOf(job))
    await scopes.tx(actor, now, db =>
      updateJob(db, job.id, { state: 1, total: sheet.total, done: 0, startedAt: now, runner: services.runner }),
    )
    const progress = progressOf(services, order)
    const run: ImportRun = { job, now, options: optionsOf(job), progress: progress.tell }
    const transact = <R>(work: (db: TenantDb) => Promise<R>): Promise<R> =>
      definition.aboveTenants === undefined
        ? scopes.tx(actor, now, work)
        : scopes.asPlatform(definition.aboveTenants, now, db => work(inNameOf(db, actor)))
    try {
      return await transact(async db => {
        await lock(db, `import|${job.kind}|${job.examId ?? ''}`)
        const refused = await definition.guard?.(db, run)
        if (refused) throw new Refused(refused)
        const checked = await definition.check(db, sheet, run)
        const wrongHeader = refuseHeader([...sheet.headerFaults, ...checked.fileErrors])
        if (wrongHeader) throw new Refused(wrongHeader)
        const verdict = verdictOf(job, checked)
        if (verdict.isWritten) progress.beginWriting()
        const counts = verdict.isWritten ? await definition.write(db, verdict.rows, run) : { inserted: 0, updated: 0, skipped: 0 }
        // Rows that were left out because nobody confirmed them come back like those that are wrong.
        const comesBack = verdict.errors.length > 0 || (job.mode === 'commit' && verdict.asked > 0)
        const errorFileId = !comesBack ? null : await keepErrorBook(db, definition, order, sheet, verdict)
        await storeResult(db, order, sheet, verdict, { counts, errorFileId })
        if (job.mode !== 'commit' || verdict.isWritten) return undefined
        return verdict.errors.length > 0
          ? refuseExam('import/invalid', { failed: verdict.failed })
          : refuseExam('import/asks', { count: verdict.asked })
      })
    } catch (error) {
      if (error instanceof Refused) return fail(error.refusal)
      if (error instanceof Cancelled) {
        await lastWord({ state: 6 })
        return undefined
      }
      const { zh, en } = failureOf(error).refusal.text
      await lastWord({ state: 5, problemZh: zh, problemEn: en })
      throw error
    }
  }
}
