import type { DateParts, Unshown } from './number-format.ts'

/**
 * A cell as read. Text stays text, digit by digit; a number is a JavaScript number, so an id card that Excel holds as a number arrives as
 * `3.30106e17` and is refused by the caller, never guessed. A Date's UTC parts are the calendar date and time shown in the sheet.
 * A formula gives its stored value, `unsolvedFormula` when it has none; an error cell gives its text, such as `#N/A`.
 */
export type SheetCell = string | number | boolean | Date | null

/** formula = without a stored value; error = `#N/A` and the like; rich = a picture, a linked record, anything that is no plain value. */
export type CellFault = 'formula' | 'error' | 'rich'

/** What has to be known of a cell besides its value, where a spreadsheet shows something else than the value's own digits or text. */
export interface CellMark {
  readonly fault?: CellFault
  /** What is shown. */
  readonly shown?: string
  /** Why it is not known what is shown. */
  readonly unshown?: Unshown
  /** Of a date whose format leaves parts of it out. */
  readonly partial?: Exclude<DateParts, 'whole'>
}

export interface SheetRow {
  /** Row number as the user sees it, from 1. */
  readonly row: number
  /** From column A; trailing empty cells are cut. */
  readonly cells: readonly SheetCell[]
  /** By column from 0, of the cells that have one. */
  readonly marks?: Readonly<Record<number, CellMark>>
}

/** The sheet that is read and those around it. */
export interface SheetPlace {
  readonly name: string
  /** Names of sheets before it that are hidden, and of those that are no sheets of cells. */
  readonly hiddenBefore: readonly string[]
  /** Visible sheets behind it that hold something. */
  readonly othersWithData: readonly string[]
  /** Its merged cells; they may overlap in a file that no spreadsheet wrote. */
  readonly merges: readonly CellRange[]
}

/** Rows from 1 as the user sees them, columns from 0. */
export interface CellRange {
  readonly top: number
  readonly bottom: number
  readonly left: number
  readonly right: number
}

/** What was found out about a sheet on the way. */
export interface SheetEnd {
  readonly hiddenRows: readonly number[]
  /** Ranges of columns from 0. */
  readonly hiddenColumns: readonly (readonly [number, number])[]
  readonly isFiltered: boolean
}

export function isNumber(cell: SheetCell | undefined): cell is number {
  return typeof cell === 'number'
}

/** 0 → A, 25 → Z, 26 → AA. */
export function columnLetters(index: number): string {
  let letters = ''
  for (let rest = index + 1; rest > 0; rest = Math.floor((rest - 1) / 26)) letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters
  return letters
}

/**
 * Why a workbook is not read:
 * empty = no bytes; legacy-xls = the format before 2007; encrypted = needs a password; text, html, xml-2003, ods, xlsb, word = a file of that
 * kind under another name; not-xlsx = anything else; truncated = the archive is cut or damaged; macros = made for macros; unsafe = entry names or declarations no workbook has;
 * unpacked-size, ratio, entries, rows, columns, memory, timeout = over the limit of that name;
 * malformed = an xlsx archive whose inside cannot be understood; cancelled = the caller's signal.
 */
export type SheetProblem =
  | 'empty'
  | 'legacy-xls'
  | 'encrypted'
  | 'not-xlsx'
  | 'text'
  | 'html'
  | 'xml-2003'
  | 'ods'
  | 'xlsb'
  | 'word'
  | 'truncated'
  | 'macros'
  | 'unsafe'
  | 'unpacked-size'
  | 'ratio'
  | 'entries'
  | 'rows'
  | 'columns'
  | 'memory'
  | 'timeout'
  | 'malformed'
  | 'cancelled'

export interface SheetLimits {
  readonly maxRows: number
  readonly maxColumns: number
  /** Sum of all entries after inflating, really counted. */
  readonly maxUnpackedBytes: number
  readonly timeoutMs: number
  /** Heap of the reading process. */
  readonly maxMemoryMb: number
}

/** Limits of decision 4.7. Time and memory leave room: 150,000 rows of 30 inline texts and numbers took 7 s and 190 MB on 2 cores. */
export const SHEET_LIMITS: SheetLimits = {
  maxRows: 200_000,
  maxColumns: 256,
  maxUnpackedBytes: 400 * 1024 * 1024,
  timeoutMs: 60_000,
  maxMemoryMb: 512,
}
