import { PassThrough } from 'node:stream'
import { refuse } from '#contract/kernel/errors.ts'
import type { Field } from '#contract/kernel/field.ts'
import { type FieldMark, markOf, nounOf } from '#contract/kernel/field-rule.ts'
import type { Label } from '#contract/kernel/label.ts'
import { mediaTypes } from '#contract/kernel/media-types.ts'
import { type Resource, refNameOf } from '#contract/kernel/resource.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import type { TenantDb } from '../db/scope.ts'
import { type RawBuilder, sql } from '../db/sql.ts'
import { type Ctx, type ExportPlan, type FileAnswer, Refused } from '../http/context.ts'
import type { SheetColumnKind, SheetLine, SheetPart, SheetValue } from '../sheet/write-sheet.ts'
import { refNamesOf } from './refs.ts'
import { type Row, selectList } from './rows.ts'

/** Rows of one export (decision 4.7). */
export const maxExportRows = 200_000
const batch = 2_000

const confidential = { zh: '内部资料 注意保密', en: 'Internal, confidential' } satisfies Label

/** First row of every exported sheet: what, who, when (domain 5.10, P22). */
export const watermarkOf = (ctx: Ctx, what: string): string =>
  `${what} · ${ctx.session?.realName ?? ''} · ${toWireTime(ctx.arrivedAt)} · ${ctx.say(confidential)}`

/** Whether a row of a sheet is what `watermarkOf` writes, in either language. */
export const isWatermark = (cells: readonly string[]): boolean => {
  const [text, ...others] = cells.map(cell => cell.trim()).filter(cell => cell !== '')
  return text !== undefined && others.length === 0 && Object.values(confidential).some(words => text.endsWith(` · ${words}`))
}

/** A workbook that is written while it is sent. The audit line is committed before the first byte leaves. */
export const streamWorkbook = (name: string, write: (target: PassThrough) => Promise<void>): FileAnswer => {
  const body = new PassThrough()
  write(body).catch((error: unknown) => body.destroy(error as Error))
  return { body, mime: mediaTypes.xlsx, name }
}

/** An archive that is packed while it is sent. */
export const streamArchive = (name: string, write: (target: PassThrough) => Promise<void>): FileAnswer => {
  const body = new PassThrough()
  write(body).catch((error: unknown) => body.destroy(error as Error))
  return { body, mime: mediaTypes.zip, name }
}

/** Characters that file systems refuse become `_`. */
export const safeName = (text: string): string => text.replace(/[\\/:*?"<>|\s]+/g, '_')
export const fileName = (...parts: readonly string[]): string => `${safeName(parts.join('_'))}.xlsx`

/** A column of an export: its header, what a row has there, and the ruled field it is. */
export interface ExportColumn<R> {
  readonly name: string
  readonly label: Label
  readonly value: (row: R) => SheetValue
  readonly kind?: SheetColumnKind
  readonly field?: FieldMark
}

/** The workbook of rows that are no plain noun's; its audit line says what was searched for and which columns left. */
export const planSheet = <R>(
  ctx: Ctx,
  of: {
    readonly label: Label
    readonly action: string
    readonly entity: string
    readonly filter: object
    readonly total: number
    /** Stands in the first row beside the title. */
    readonly note?: Label | undefined
    readonly columns: readonly ExportColumn<R>[]
    readonly rows: AsyncIterable<R> | Iterable<R>
  },
): ExportPlan => {
  if (of.total > maxExportRows) throw new Refused(refuse('kernel/too-many', { limit: maxExportRows }))
  const what = ctx.say(of.label)
  async function* lines(): AsyncGenerator<SheetLine> {
    for await (const row of of.rows) yield of.columns.map(({ value }) => value(row))
  }
  const columns: SheetPart['columns'] = of.columns.map(({ label, kind, field }) => ({
    header: ctx.say(label),
    ...(kind ? { kind } : {}),
    ...(field ? { field } : {}),
  }))
  return {
    fileName: fileName(what, toWireTime(ctx.arrivedAt).replace(/\D/g, '')),
    total: of.total,
    audit: {
      action: of.action,
      entity: of.entity,
      entityId: null,
      after: { filter: of.filter, columns: of.columns.map(({ name }) => name) },
    },
    book: {
      watermark: watermarkOf(ctx, of.note ? `${what} · ${ctx.say(of.note)}` : what),
      sheets: [{ name: what, columns, rows: lines() }],
    },
  }
}

/** What the entries of these dictionaries are called, sealed ones too: old rows keep their words. A tenant's own come before the system's. */
export const dictionaryWords = async (ctx: Ctx, db: TenantDb, codes: readonly string[]): Promise<ReadonlyMap<string, string>> => {
  if (codes.length === 0) return new Map()
  const entries = await db.all(sql<{ code: string; key: string; zh: string; en: string }>`
    select code, dict_key as key, dict_value as zh, coalesce(nullif(dict_value_en, ''), dict_value) as en from (
      select 1 as rank, code, dict_key, dict_value, dict_value_en from dict where not is_deleted
      union all select 2, code, dict_key, dict_value, dict_value_en from dict_biz where not is_deleted) d
    where code = any(${[...codes]}) order by rank`)
  return new Map(entries.map(entry => [`${entry.code} ${entry.key}`, ctx.say(entry)]))
}

const yesNo: Readonly<Record<string, Label>> = { 0: { zh: '否', en: 'No' }, 1: { zh: '是', en: 'Yes' } }
/** What bare values are called: a workbook says what the page says. */
const ownWords = (field: Field): Readonly<Record<string, Label>> | undefined =>
  field.words ?? (field.kind === 'bool' || field.widget === 'switch' ? yesNo : undefined)

/** The listed columns of a plain noun as xlsx, read in batches so that no transaction stays open while the client is slow. */
export const planRows = async (
  resource: Resource,
  ctx: Ctx,
  of: {
    /** What was searched for, for the audit line. */
    readonly filter: Row
    readonly where: RawBuilder<unknown>
    readonly order: RawBuilder<unknown>
    readonly present: (row: Row) => Row
    /** Names of columns that say nothing here. */
    readonly without?: readonly string[] | undefined
  },
): Promise<ExportPlan> => {
  const { filter, where, order, present, without = [] } = of
  const noun = nounOf(resource)
  // A workbook that comes in again has what the import reads.
  const wordsOf = (field: Field) => (resource.workbook === undefined || field.words !== undefined ? ownWords(field) : undefined)
  const columns = Object.entries(resource.fields).filter(
    ([name, field]) => (field.list !== false || resource.workbook !== undefined) && !without.includes(name),
  )
  const { total, words } = await ctx.tx(async db => ({
    ...(await db.one(sql<{ total: number }>`select count(*)::int as total from ${sql.table(resource.table)} where ${where}`)),
    words: await dictionaryWords(
      ctx,
      db,
      columns.flatMap(([, { dict }]) => dict ?? []),
    ),
  }))
  if (total > maxExportRows) throw new Refused(refuse('kernel/too-many', { limit: maxExportRows }))
  async function* lines(): AsyncGenerator<SheetLine> {
    for (let done = 0; done < maxExportRows; done += batch) {
      const { rows, pointedAt } = await ctx.tx(async db => {
        const found = await db.all(
          sql<Row>`select ${selectList(resource)} from ${sql.table(resource.table)} where ${where} order by ${order} limit ${batch} offset ${done}`,
        )
        return { rows: found, pointedAt: await refNamesOf(resource, ctx, db, found) }
      })
      for (const row of rows) {
        const shown = { ...present(row), ...pointedAt(row) }
        yield columns.map(([name, field]) => {
          // Ids of other rows are for programs: the sheet has their names.
          const value = shown[field.ref !== undefined && field.list !== false ? refNameOf(name) : name] as string | number | null
          if (field.dict !== undefined) return words.get(`${field.dict} ${value}`) ?? value
          const word = wordsOf(field)?.[String(value)]
          return word === undefined ? value : ctx.say(word)
        })
      }
      if (rows.length < batch) return
    }
  }
  return {
    fileName: fileName(ctx.say(resource.label), toWireTime(ctx.arrivedAt).replace(/\D/g, '')),
    total,
    audit: {
      action: `${resource.name}.exported`,
      entity: resource.name,
      entityId: null,
      after: { filter, columns: columns.map(([name]) => name) },
    },
    book: {
      watermark: watermarkOf(ctx, ctx.say(resource.label)),
      sheets: [
        {
          name: ctx.say(resource.label),
          columns: columns.map(([name, field]) => ({
            header: ctx.say(field.label),
            ...(noun.fields[name] ? { field: markOf(noun, name) } : {}),
            ...(field.quotes === undefined ? {} : { quotes: field.quotes.map(other => `${noun.code}.${other}`) }),
            kind:
              field.kind === 'money'
                ? 'money'
                : (field.kind === 'int' || field.kind === 'decimal') && field.dict === undefined && wordsOf(field) === undefined
                  ? 'number'
                  : 'text',
          })),
          rows: lines(),
        },
      ],
    },
  }
}
