import type { Doubt } from '#contract/kernel/asking.ts'
import { foldWidth } from '#contract/kernel/fold-width.ts'
import type { Label } from '#contract/kernel/label.ts'
import { withoutUnseen } from '#contract/kernel/unseen.ts'
import { type CellReading, faultOf, faultReason, type ImportCell, isEmptyRow, readAsNumber, readAsText, shownText } from './sheet-cell.ts'
import { readAsDate } from './typed-date.ts'

/** What an import says about one cell (domain 5.9). `row` is the number the user sees in the sheet, `column` the letter. */
export interface CellProblem {
  readonly row: number
  readonly column: string
  readonly header: string
  readonly value: string
  /** Stable id of the rule, for programs. */
  readonly code: string
  readonly reason: Label
}

/** A problem of the file as a whole (2502), or of what is missing in it. */
export interface FileProblem {
  readonly code: string
  readonly reason: Label
}

export interface RowWarning {
  readonly row: number
  readonly reason: Label
  /** The id of a doubt: the row is taken once it is confirmed. */
  readonly asks?: string
}

export interface HeaderSpec {
  /** As in the template, with its note in brackets. */
  readonly header: string
  /** What the same column is called in an English workbook that was exported here. */
  readonly english?: string
  readonly required: boolean
  /**
   * What its cells are. A text, the default, is what a spreadsheet shows, and so is a code: digits that may begin with a zero, of which a
   * cell with a number may have lost some; a number is what is stored, a day is read as `2026-03-05` and a moment as that or
   * `2026-03-05 17:00:00`, however they were typed.
   */
  readonly kind?: 'text' | 'code' | 'number' | 'day' | 'moment'
  /** Its texts may have several lines. */
  readonly lines?: boolean
}

/** Letter of a column counted from 0: 0 → A, 25 → Z, 26 → AA. */
export function columnLetter(index: number): string {
  const rest = index % 26
  return (index < 26 ? '' : columnLetter(Math.floor(index / 26) - 1)) + String.fromCharCode(65 + rest)
}

const marks = '*\u2217\u2731\u2605\u203B\u25CF'
const outerMarks = new RegExp(`^[${marks}]+|[${marks}:]+$`, 'gu')
/** Only these words may stand in brackets before the name. */
const needWords = /^[([{【〔](?:必填|选填|可选|必须|required|optional)[)\]}】〕]/i

/**
 * `开考比例 (如 3)*` and `开考比例（如3）` are the same header: spaces, what cannot be seen, full width, stars and other marks of need, and what a
 * trailing bracket holds do not count.
 */
export const headerKey = (header: string): string => {
  let key = header.normalize('NFKC').replace(/[\s\p{Cc}\p{Cf}\u115F\u1160\u3164]|\p{Variation_Selector}|\u034F/gu, '')
  for (let before = ''; before !== key; ) {
    before = key
    key = key
      .replace(outerMarks, '')
      .replace(needWords, '')
      .replace(/[([{【〔][^()[\]{}【】〔〕]*[)\]}】〕]$/, '')
  }
  return key
}

/** The names by which a column is known, as they are compared. */
export const headerKeysOf = ({ header, english }: HeaderSpec): readonly string[] =>
  [header, ...(english ? [english] : [])].map(name => headerKey(name).toLowerCase())

/** Which columns of a file hold codes. */
export const codeColumns = (specs: Readonly<Record<string, HeaderSpec>>, header: readonly string[]): ReadonlySet<number> => {
  const names = new Set(Object.values(specs).flatMap(spec => (spec.kind === 'code' ? headerKeysOf(spec) : [])))
  return new Set(header.flatMap((cell, at) => (names.has(headerKey(cell).toLowerCase()) ? [at] : [])))
}

export interface MatchedHeader<K extends string> {
  /** Index of each known column in the file, -1 when it is absent. */
  readonly indexOf: Readonly<Record<K, number>>
  readonly errors: readonly FileProblem[]
  readonly warnings: readonly FileProblem[]
}

/** Finds the columns of a template in the header row of a file; their order is free, unknown ones are ignored with a warning. */
export function matchHeader<K extends string>(specs: Readonly<Record<K, HeaderSpec>>, header: readonly string[]): MatchedHeader<K> {
  const errors: FileProblem[] = []
  const warnings: FileProblem[] = []
  const byKey = new Map<string, K>(
    (Object.keys(specs) as K[]).flatMap(key => headerKeysOf(specs[key]).map((name): [string, K] => [name, key])),
  )
  const indexOf = Object.fromEntries((Object.keys(specs) as K[]).map(key => [key, -1])) as Record<K, number>
  header.forEach((cell, index) => {
    if (withoutUnseen(cell).trim() === '') return
    const key = byKey.get(headerKey(cell).toLowerCase())
    if (key === undefined) {
      warnings.push({ code: 'header-unknown', reason: { zh: `未识别的列，已忽略: ${cell}`, en: `Unknown column, ignored: ${cell}` } })
    } else if (indexOf[key] >= 0) {
      errors.push({ code: 'header-duplicate', reason: { zh: `列重复: ${cell}`, en: `The column appears twice: ${cell}` } })
    } else indexOf[key] = index
  })
  for (const key of Object.keys(specs) as K[]) {
    if (specs[key].required && indexOf[key] < 0) {
      const name = headerKey(specs[key].header)
      errors.push({ code: 'header-missing', reason: { zh: `缺少列: ${name}`, en: `The column is missing: ${name}` } })
    }
  }
  return { indexOf, errors, warnings }
}

/** A number that spreadsheet software turned into `1.1E+17`; digits are lost, so it is never guessed. */
export const isScientific = (text: string): boolean => /^\d(?:\.\d+)?[eE]\+?\d+$/.test(text)

/** Reads the cells of one row by column key, folds them, and collects everything that is wrong with the row. */
export interface RowReader<K extends string> {
  readonly row: number
  /** Trimmed text of a cell. */
  text(key: K): string
  /** The same with full-width characters folded, for codes, numbers and dates; a change is a warning. */
  code(key: K): string
  fail(key: K, code: string, reason: Label, shown?: string): void
  failed(key: K): boolean
  /** Of a column of codes: the cell holds a number, so that zeros before it are gone. */
  isNumber(key: K): boolean
  /** Says something about a row that keeps it from nothing. */
  warn(reason: Label): void
  /** Asks about a row that can be but is doubtful: it is taken once the row is confirmed. */
  ask(key: K, doubt: Doubt): void
}

export interface SheetCollector<K extends string> {
  readonly errors: CellProblem[]
  readonly warnings: RowWarning[]
  readonly asks: CellProblem[]
  reader(cells: readonly ImportCell[], row: number): RowReader<K>
  /** For what is found out about a row that was read before. */
  fail(row: number, key: K, code: string, reason: Label, shown: string): void
  ask(row: number, key: K, code: string, reason: Label, shown: string): void
}

interface OpenSheet<K extends string> extends SheetCollector<K> {
  readonly specs: Readonly<Record<K, HeaderSpec>>
  readonly indexOf: Readonly<Record<K, number>>
  /** The columns that the file has. */
  readonly columns: readonly (readonly [number, K])[]
}

/** Ends of lines of all programs, within a text. */
const lineBreak = /[\n\r\v\f\u0085\u2028\u2029]/

const lineReason = (name: string): Label => ({
  zh: `${name}中有换行，请改为一行`,
  en: `${name} has a line break; write it in one line`,
})

const numberReason = (name: string, shown: string): Label => ({
  zh: `${name}的单元格是数值 ${shown}：若开头原有 0，已经丢失；请核对，或设为文本格式后重新填写`,
  en: `The cell of ${name} is the number ${shown}: zeros before it are lost; check it, or format the cell as text and type it again`,
})

/**
 * The code that was meant where a number was typed, 1 for 001: the only one of the known that is the same but for zeros before it.
 */
export const codeWithZeros = (code: string, known: Iterable<string>): string | undefined => {
  const same = [...known].filter(one => one.length > code.length && one.endsWith(code) && /^0+$/.test(one.slice(0, -code.length)))
  return same.length === 1 ? same[0] : undefined
}

const readCell = ({ kind = 'text' }: HeaderSpec, name: string, cell: ImportCell): CellReading => {
  if (kind === 'text' || kind === 'code') return readAsText(name, cell)
  return kind === 'number' ? readAsNumber(name, cell) : readAsDate(name, cell, kind)
}

/** One object a row and no more: a sheet may have two hundred thousand. */
class CollectingReader<K extends string> implements RowReader<K> {
  readonly row: number
  readonly #sheet: OpenSheet<K>
  readonly #cells: readonly ImportCell[]
  #bad: Set<K> | undefined
  /** Columns whose cell says nothing; whatever else is said about it would be about nothing. */
  #spoiled: Set<K> | undefined

  constructor(sheet: OpenSheet<K>, cells: readonly ImportCell[], row: number) {
    this.#sheet = sheet
    this.#cells = cells
    this.row = row
    // All columns, also those that the import makes nothing of.
    for (const [index, key] of sheet.columns) {
      const cell = cells[index]
      if (cell === undefined || cell === '') continue
      const fault = faultOf(cell)
      const spec = sheet.specs[key]
      if (fault) this.#spoil(key, fault, faultReason(headerKey(spec.header), fault, cell))
      else if (!spec.lines && lineBreak.test(shownText(cell).trim())) this.#spoil(key, 'line-break', lineReason(headerKey(spec.header)))
      // One whose text is not certain is told of, also where the import would not look at it.
      else if (typeof cell !== 'string') {
        this.#raw(key)
        if (spec.kind === 'code' && !this.#spoiled?.has(key) && this.isNumber(key))
          this.warn(numberReason(headerKey(spec.header), shownText(cell)))
      }
    }
  }

  #cell(key: K): ImportCell {
    return this.#cells[this.#sheet.indexOf[key]] ?? ''
  }

  #raw(key: K): string {
    if (this.#spoiled?.has(key)) return ''
    const cell = this.#cell(key)
    const spec = this.#sheet.specs[key]
    if (typeof cell === 'string' && (spec.kind ?? 'text') === 'text') return withoutUnseen(cell)
    const read = readCell(spec, headerKey(spec.header), typeof cell === 'string' ? withoutUnseen(cell) : cell)
    if ('text' in read) return withoutUnseen(read.text)
    this.#spoil(key, read.code, read.reason)
    return ''
  }

  #spoil(key: K, code: string, reason: Label): void {
    this.#spoiled ??= new Set()
    this.#spoiled.add(key)
    this.#mark(key)
    this.#sheet.fail(this.row, key, code, reason, shownText(this.#cell(key)))
  }

  #mark(key: K): void {
    this.#bad ??= new Set()
    this.#bad.add(key)
  }

  text(key: K): string {
    return this.#raw(key).trim()
  }

  code(key: K): string {
    const raw = this.#raw(key)
    const folded = foldWidth(raw)
    if (folded !== raw) {
      const name = headerKey(this.#sheet.specs[key].header)
      this.#sheet.warnings.push({
        row: this.row,
        reason: { zh: `${name}: 已去除首尾空格并转为半角`, en: `${name}: outer spaces removed, made half-width` },
      })
    }
    return folded
  }

  fail(key: K, code: string, reason: Label, shown = this.#raw(key)): void {
    if (this.#spoiled?.has(key)) return
    this.#mark(key)
    this.#sheet.fail(this.row, key, code, reason, shown)
  }

  failed(key: K): boolean {
    return this.#bad?.has(key) ?? false
  }

  isNumber(key: K): boolean {
    const cell = this.#cell(key)
    return typeof cell !== 'string' && cell.digits !== undefined && cell.digits === cell.shown
  }

  warn(reason: Label): void {
    this.#sheet.warnings.push({ row: this.row, reason })
  }

  ask(key: K, { id, text }: Doubt): void {
    this.#sheet.ask(this.row, key, id, text, this.#raw(key))
  }
}

export function collectSheet<K extends string>(
  specs: Readonly<Record<K, HeaderSpec>>,
  indexOf: Readonly<Record<K, number>>,
): SheetCollector<K> {
  const at = (row: number, key: K) => ({
    ...{ row, column: indexOf[key] < 0 ? '' : columnLetter(indexOf[key]) },
    header: headerKey(specs[key].header),
  })
  const sheet: OpenSheet<K> = {
    specs,
    indexOf,
    columns: (Object.keys(specs) as K[]).map(key => [indexOf[key], key] as const).filter(([index]) => index >= 0),
    errors: [],
    warnings: [],
    asks: [],
    reader: (cells, row) => new CollectingReader<K>(sheet, cells, row),
    fail: (row, key, code, reason, value) => void sheet.errors.push({ ...at(row, key), value, code, reason }),
    ask: (row, key, code, reason, value) => void sheet.asks.push({ ...at(row, key), value, code, reason }),
  }
  return sheet
}

/** What a check found: the rows without error, and every error of the others in the order of the file. */
export interface CheckedSheet<T> {
  readonly rows: readonly { readonly row: number; readonly value: T }[]
  readonly errors: readonly CellProblem[]
  readonly warnings: readonly RowWarning[]
  /** What rows without error are asked about; left out by imports that have no doubts. */
  readonly asks?: readonly CellProblem[]
  /** The file as a whole cannot be imported: header (2502), people missing from it. */
  readonly fileErrors: readonly FileProblem[]
  readonly fileWarnings: readonly FileProblem[]
}

/** A sheet whose header has been looked at. Where that is wrong there is no row to read, and the check says so and nothing else. */
export interface OpenedSheet<K extends string> extends Pick<SheetCollector<K>, 'warnings' | 'fail'> {
  /** @param row the number the user sees in the sheet. @returns undefined for a row that holds nothing */
  reader(cells: readonly ImportCell[], row: number): RowReader<K> | undefined
  /** The same for all rows; the first below the header is row 2. */
  readers(rows: Iterable<readonly ImportCell[]>): RowReader<K>[]
  /** What the readers found out; `read` has undefined for a row that made no value. */
  checked<T>(read: readonly ({ readonly row: number; readonly value: T } | undefined)[]): CheckedSheet<T>
}

export function openSheet<K extends string>(specs: Readonly<Record<K, HeaderSpec>>, header: readonly string[]): OpenedSheet<K> {
  const matched = matchHeader(specs, header)
  const { errors, warnings, asks, reader: open, fail } = collectSheet(specs, matched.indexOf)
  const reader: OpenedSheet<K>['reader'] = (cells, row) => (matched.errors.length > 0 || isEmptyRow(cells) ? undefined : open(cells, row))
  return {
    warnings,
    fail,
    reader,
    readers: rows => Array.from(rows, (cells, at) => reader(cells, at + 2)).filter(one => one !== undefined),
    checked: read => {
      const wrong = new Set(errors.map(error => error.row))
      return {
        rows: read.filter(one => one !== undefined).filter(one => !wrong.has(one.row)),
        errors: [...errors].sort((a, b) => a.row - b.row),
        warnings,
        asks: asks.filter(({ row }) => !wrong.has(row)),
        fileErrors: matched.errors,
        fileWarnings: matched.warnings,
      }
    },
  }
}

/** `与第 3 行重复`. */
export const sameAsReason = (row: number): Label => ({ zh: `与第 ${row} 行重复`, en: `The same as row ${row}` })

/** Fails a row whose key an earlier one has; `first` keeps the row of each key. @returns whether it does */
export const failRepeated = <K extends string>(reader: RowReader<K>, column: K, key: string, first: Map<string, number>): boolean => {
  const earlier = first.get(key)
  if (earlier === undefined) first.set(key, reader.row)
  else reader.fail(column, 'duplicate', sameAsReason(earlier))
  return earlier !== undefined
}

/** `必填项为空: 招聘人数`. */
export const requiredReason = (name: string): Label => ({ zh: `必填项为空: ${name}`, en: `Required but empty: ${name}` })
