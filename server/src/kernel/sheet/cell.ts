/**
 * A cell as read. Text stays text, digit by digit; a number is a JavaScript number, so an id card that Excel holds as a number arrives as
 * `3.30106e17` and is refused by the caller, never guessed. A Date's UTC parts are the calendar date and time shown in the sheet.
 * A formula gives its stored value, `unsolvedFormula` when it has none; an error cell gives its text, such as `#N/A`.
 */
export type SheetCell = string | number | boolean | Date | null

export interface SheetRow {
  /** Row number as the user sees it, from 1. */
  readonly row: number
  /** From column A; trailing empty cells are cut. */
  readonly cells: readonly SheetCell[]
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
 * empty = no bytes; legacy-xls = the format before 2007; encrypted = needs a password; not-xlsx = text, csv or another kind of file;
 * truncated = the archive is cut or damaged; macros = carries a VBA project; unsafe = entry names or declarations no workbook has;
 * unpacked-size, ratio, entries, rows, columns, memory, timeout = over the limit of that name;
 * malformed = an xlsx archive whose inside cannot be understood; cancelled = the caller's signal.
 */
export type SheetProblem =
  | 'empty'
  | 'legacy-xls'
  | 'encrypted'
  | 'not-xlsx'
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
