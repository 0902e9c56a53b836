import { submitSchema } from '#contract/kernel/crud-routes.ts'
import { type Field, requiredMessage } from '#contract/kernel/field.ts'
import type { ImportKind } from '#contract/kernel/import-kind.ts'
import type { Label } from '#contract/kernel/label.ts'
import type { Resource } from '#contract/kernel/resource.ts'
import { yuanToFen } from '#contract/pay/fee.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import type { Ctx } from '#kernel/http/context.ts'
import { checkerOf } from '#kernel/http/input.ts'
import type { SheetBook } from '#kernel/sheet/write-sheet.ts'
import { failRepeated, type HeaderSpec, openSheet, type RowReader } from '../domain/sheet.ts'
import { flagOf } from '../imports/cells.ts'
import type { ImportDefinition } from '../imports/run-import.ts'
import { templateBook } from '../imports/template-book.ts'
import { type NounSheet, nounFacts, writeNouns } from './write-nouns.ts'

/** Entries of dictionaries by code. */
export type ReadDictionaries = (
  db: TenantDb,
  codes: readonly string[],
) => Promise<Readonly<Record<string, readonly { readonly key: string; readonly zh: string; readonly en: string }[]>>>

type Values = Readonly<Record<string, unknown>>
type Dictionaries = Awaited<ReturnType<ReadDictionaries>>

const isTyped = ([, field]: readonly [string, Field]): boolean => field.form !== false
/** A number that is the key of an entry is found by its text. */
const cellKindOf = ({ kind, dict, pattern }: Field): HeaderSpec['kind'] => {
  if (kind === 'text' && pattern !== undefined) return 'code'
  if (kind === 'date') return 'day'
  if (kind === 'instant') return 'moment'
  return dict === undefined && (kind === 'int' || kind === 'decimal' || kind === 'money') ? 'number' : undefined
}
/** What the export has besides is known and left alone. */
const columnsOf = ({ fields }: Resource): Readonly<Record<string, HeaderSpec>> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]): [string, HeaderSpec] => {
      const { label, required, form, widget } = field
      const kind = cellKindOf(field)
      return [
        name,
        {
          header: label.zh,
          english: label.en,
          required: required && form !== false,
          ...(kind ? { kind } : {}),
          ...(widget === 'textarea' || widget === 'richtext' ? { lines: true } : {}),
        },
      ]
    }),
  )

/** The words that a field's values have by its declaration. */
const wordsOf = (field: Field): readonly (Label & { readonly key: string })[] | undefined =>
  field.words && Object.entries(field.words).map(([key, word]) => ({ key, ...word }))

/** The value a cell stands for, as a form would send it; undefined where it is empty: what is there stays. */
const cellValue = (reader: RowReader<string>, name: string, field: Field, dictionaries: Dictionaries): unknown => {
  const isCode = field.kind !== 'text' || field.pattern !== undefined
  const cell = isCode ? reader.code(name) : reader.text(name)
  if (cell === '') return undefined
  const entries = field.dict === undefined ? wordsOf(field) : (dictionaries[field.dict] ?? [])
  const value = (text: string): unknown => (isWhole(field) && /^-?\d{1,9}$/.test(text) ? Number(text) : text)
  if (entries !== undefined) {
    const entry = entries.find(one => [one.key, one.zh, one.en].includes(cell))
    if (!entry)
      reader.fail(name, 'unknown', { zh: `${field.dict ? '字典' : '可选值'}中没有: ${cell}`, en: `There is no such entry: ${cell}` })
    return entry && value(entry.key)
  }
  if (field.kind === 'bool') return flagOf(reader, name)
  if (field.kind === 'money') return yuanToFen(cell) ?? cell
  // Seconds are what nobody types.
  if (field.kind === 'instant') return /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}$/.test(cell) ? `${cell}:00` : cell
  return value(cell)
}
const isWhole = ({ kind }: Field): boolean => kind === 'int' || kind === 'bool'

/** By the same checks as the form. */
const createReader = ({ resource: { fields } }: NounSheet) => {
  const typed = Object.entries(fields).filter(isTyped)
  const check = checkerOf(submitSchema(fields, 'add') as never)
  return (reader: RowReader<string>, dictionaries: Dictionaries): Values => {
    const values = Object.fromEntries(
      typed.flatMap(([name, field]) => {
        const value = cellValue(reader, name, field, dictionaries)
        return value === undefined ? [] : [[name, value] as const]
      }),
    )
    const english = new Map(check(values, 'en').map(({ field, msg }) => [field, msg]))
    for (const { field, msg } of check(values, 'zh'))
      if (!reader.failed(field)) {
        const own = fields[field]
        const reason = own && values[field] === undefined ? requiredMessage(own) : { zh: msg, en: english.get(field) ?? msg }
        reader.fail(field, values[field] === undefined ? 'required' : 'invalid', reason)
      }
    return values
  }
}

const codesOf = ({ fields }: Resource): string[] => Object.values(fields).flatMap(({ dict }) => dict ?? [])

const howWritten: Partial<Readonly<Record<Field['kind'], Label>>> = {
  bool: { zh: '是 或 否', en: 'yes or no' },
  money: { zh: '元，最多两位小数', en: 'Yuan, at most two decimals' },
  decimal: { zh: '数字', en: 'A number' },
  date: { zh: 'YYYY-MM-DD', en: 'YYYY-MM-DD' },
  instant: { zh: 'YYYY-MM-DD HH:mm', en: 'YYYY-MM-DD HH:mm' },
}
const noteOf = ({ workbook }: Resource, name: string, field: Field): Label => {
  if (name === workbook?.key) {
    const rule = { zh: '唯一；已有的将被修改', en: 'Unique; one that is there is changed' }
    return field.help ? { zh: `${rule.zh}。${field.help.zh}`, en: `${rule.en}. ${field.help.en}` } : rule
  }
  if (field.dict !== undefined) return { zh: '字典中的名称或键值', en: 'A name or a key of the dictionary' }
  const words = wordsOf(field)
  if (words) return { zh: `${words.map(word => word.zh).join('、')}之一`, en: `One of ${words.map(word => word.en).join(', ')}` }
  const how = howWritten[field.kind]
  if (how) return how
  if (field.kind === 'int')
    return { zh: `${field.min ?? 0} 至 ${field.max ?? 9_999} 的整数`, en: `A whole number from ${field.min ?? 0} to ${field.max ?? 9_999}` }
  const most = { zh: `至多 ${field.max ?? 255} 个字`, en: `At most ${field.max ?? 255} characters` }
  return field.required ? most : { zh: `${most.zh}；留空则不变`, en: `${most.en}; empty: as it is` }
}

export const emptyBook = async (
  readDictionaries: ReadDictionaries,
  resource: Resource,
  db: TenantDb,
  { say }: Pick<Ctx, 'say'>,
): Promise<SheetBook> => {
  const words = await readDictionaries(db, codesOf(resource))
  const typed = Object.entries(resource.fields).filter(isTyped)
  const columns = columnsOf(resource)
  return templateBook(
    say,
    resource.label,
    Object.fromEntries(typed.flatMap(([name]) => (columns[name] ? [[name, columns[name]]] : []))),
    Object.fromEntries(
      typed.map(([name, field]) => {
        const choices = (field.dict === undefined ? wordsOf(field) : (words[field.dict] ?? []))?.map(entry => say(entry))
        return [
          name,
          {
            note: noteOf(resource, name, field),
            sample: choices?.[0] ?? (field.kind === 'int' ? '1' : ''),
            ...(choices ? { choices } : {}),
          },
        ]
      }),
    ),
  )
}

/** A plain noun by its workbook: rows are known by one field, judged as the form judges them, and none is removed. */
export const nounImport = (readDictionaries: ReadDictionaries, kind: ImportKind, sheet: NounSheet): ImportDefinition<Values> => {
  const columns = columnsOf(sheet.resource)
  const readRow = createReader(sheet)
  return {
    ...kind,
    columns,
    check: async (db, { header, rows: cells }) => {
      const opened = openSheet(columns, header)
      const dictionaries = await readDictionaries(db, codesOf(sheet.resource))
      const first = new Map<string, number>()
      const read = opened.readers(cells).map(reader => {
        const values = readRow(reader, dictionaries)
        const key = String(values[sheet.key] ?? '')
        if (key !== '') failRepeated(reader, sheet.key, key, first)
        return { reader, values, key }
      })
      const there = await nounFacts(db, sheet, [...first.keys()])
      return opened.checked(
        read.map(({ reader, values, key }) => {
          const prepared = sheet.prepare?.(values, there.get(key)) ?? { values }
          if ('values' in prepared) return { row: reader.row, value: prepared.values }
          if (!reader.failed(prepared.field)) reader.fail(prepared.field, 'invalid', prepared.problem)
          return { row: reader.row, value: values }
        }),
      )
    },
    write: (db, rows, { job, progress }) =>
      writeNouns(
        db,
        sheet,
        rows.map(({ value }) => value),
        { importId: job.id, progress },
      ),
    template: (db, { ctx }) => emptyBook(readDictionaries, sheet.resource, db, ctx),
  }
}
