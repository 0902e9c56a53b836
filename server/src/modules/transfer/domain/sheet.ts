import { foldWidth } from '#contract/kernel/fold-width.ts'
import type { Label } from '#contract/kernel/label.ts'
import { withoutUnseen } from '#contract/kernel/unseen.ts'
import { unsolvedFormula } from '#contract/kernel/unsolved-formula.ts'

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
}

export interface HeaderSpec {
  /** As in the template, with its note in brackets. */
  readonly header: string
  /** What the same column is called in an English workbook that was exported here. */
  readonly english?: string
  readonly required: boolean
}

/** Letter of a column counted from 0: 0 → A, 25 → Z, 26 → AA. */
export function columnLetter(index: number): string {
  const rest = index % 26
  return (index < 26 ? '' : columnLetter(Math.floor(index / 26) - 1)) + String.fromCharCode(65 + rest)
}

/** `开考比例 (如 3)*` and `开考比例（如3）` are the same header: spaces, a trailing star and what a trailing bracket holds do not count. */
export const headerKey = (header: string): string =>
  header
    .replace(/[\s\u3000\uFEFF]/g, '')
    .replace(/[*＊]$/, '')
    .replace(/[(（][^()（）]*[)）]$/, '')
    .replace(/[*＊]$/, '')

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
  const namesOf = ({ header: own, english }: HeaderSpec): readonly string[] => [own, ...(english ? [english] : [])]
  const byKey = new Map<string, K>(
    (Object.keys(specs) as K[]).flatMap(key => namesOf(specs[key]).map((name): [string, K] => [headerKey(name), key])),
  )
  const indexOf = Object.fromEntries((Object.keys(specs) as K[]).map(key => [key, -1])) as Record<K, number>
  header.forEach((cell, index) => {
    if (cell.trim() === '') return
    const key = byKey.get(headerKey(cell))
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
}

export interface SheetCollector<K extends string> {
  readonly errors: CellProblem[]
  readonly warnings: RowWarning[]
  reader(cells: readonly string[], row: number): RowReader<K>
  /** For what is found out about a row that was read before. */
  fail(row: number, key: K, code: string, reason: Label, shown: string): void
}

interface OpenSheet<K extends string> extends SheetCollector<K> {
  readonly specs: Readonly<Record<K, HeaderSpec>>
  readonly indexOf: Readonly<Record<K, number>>
}

/** One object a row and no more: a sheet may have two hundred thousand. */
class CollectingReader<K extends string> implements RowReader<K> {
  readonly row: number
  readonly #sheet: OpenSheet<K>
  readonly #cells: readonly string[]
  #bad: Set<K> | undefined

  constructor(sheet: OpenSheet<K>, cells: readonly string[], row: number) {
    this.#sheet = sheet
    this.#cells = cells
    this.row = row
  }

  #raw(key: K): string {
    const raw = withoutUnseen(this.#cells[this.#sheet.indexOf[key]] ?? '')
    if (raw !== unsolvedFormula) return raw
    if (!this.failed(key)) {
      this.#mark(key)
      this.#sheet.fail(this.row, key, 'formula', formulaReason(headerKey(this.#sheet.specs[key].header)), raw)
    }
    return ''
  }

  #mark(key: K): void {
    this.#bad ??= new Set()
    this.#bad.add(key)
  }

  #isUnsolved(key: K): boolean {
    return this.#cells[this.#sheet.indexOf[key]] === unsolvedFormula
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
    // What the formula would give is not known: whatever else is said about the cell would be about nothing.
    if (this.#isUnsolved(key)) return
    this.#mark(key)
    this.#sheet.fail(this.row, key, code, reason, shown)
  }

  failed(key: K): boolean {
    return this.#bad?.has(key) ?? false
  }
}

export function collectSheet<K extends string>(
  specs: Readonly<Record<K, HeaderSpec>>,
  indexOf: Readonly<Record<K, number>>,
): SheetCollector<K> {
  const sheet: OpenSheet<K> = {
    specs,
    indexOf,
    errors: [],
    warnings: [],
    reader: (cells, row) => new CollectingReader<K>(sheet, cells, row),
    fail: (row, key, code, reason, value) => {
      const column = indexOf[key] < 0 ? '' : columnLetter(indexOf[key])
      sheet.errors.push({ row, column, header: headerKey(specs[key].header), value, code, reason })
    },
  }
  return sheet
}

/** What a check found: the rows without error, and every error of the others in the order of the file. */
export interface CheckedSheet<T> {
  readonly rows: readonly { readonly row: number; readonly value: T }[]
  readonly errors: readonly CellProblem[]
  readonly warnings: readonly RowWarning[]
  /** The file as a whole cannot be imported: header (2502), people missing from it. */
  readonly fileErrors: readonly FileProblem[]
  readonly fileWarnings: readonly FileProblem[]
}

/** A sheet whose header has been looked at. Where that is wrong there is no row to read, and the check says so and nothing else. */
export interface OpenedSheet<K extends string> extends Pick<SheetCollector<K>, 'warnings' | 'fail'> {
  /** @param row the number the user sees in the sheet. @returns undefined for a row that holds nothing */
  reader(cells: readonly string[], row: number): RowReader<K> | undefined
  /** The same for all rows; the first below the header is row 2. */
  readers(rows: Iterable<readonly string[]>): RowReader<K>[]
  /** What the readers found out; `read` has undefined for a row that made no value. */
  checked<T>(read: readonly ({ readonly row: number; readonly value: T } | undefined)[]): CheckedSheet<T>
}

export function openSheet<K extends string>(specs: Readonly<Record<K, HeaderSpec>>, header: readonly string[]): OpenedSheet<K> {
  const matched = matchHeader(specs, header)
  const { errors, warnings, reader: open, fail } = collectSheet(specs, matched.indexOf)
  const reader: OpenedSheet<K>['reader'] = (cells, row) =>
    matched.errors.length > 0 || cells.every(cell => cell.trim() === '') ? undefined : open(cells, row)
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

/** A cell with a formula that whoever made the file did not work out. */
const formulaReason = (name: string): Label => ({
  zh: `${name}是公式且文件中没有计算结果，请填写数值，或用表格软件打开并保存后再导入`,
  en: `${name} is a formula without a stored result; type the value, or open and save the file in a spreadsheet program first`,
})

/** `必填项为空: 招聘人数`. */
export const requiredReason = (name: string): Label => ({ zh: `必填项为空: ${name}`, en: `Required but empty: ${name}` })
