/** One wrong cell; `row` is the number the spreadsheet program shows, 0 for the file as a whole, `column` its letter or empty. */
export interface CellProblem {
  readonly row: number
  readonly column: string
  readonly header: string
  readonly value: string
  readonly reason: string
}

/** What an import answers (domain 5.9, 5.13). */
export interface ImportResult {
  readonly importId: string
  /** 0 queued, 1 checking, 2 waiting for confirmation, 3 writing, 4 done, 5 failed, 6 cancelled. */
  readonly state: number
  readonly total: number
  readonly done?: number
  readonly ok: number
  readonly failed: number
  readonly inserted: number
  readonly updated: number
  readonly skipped: number
  readonly errors: readonly CellProblem[]
  /** One with `asks` holds its row back until the row is confirmed. */
  readonly warnings: readonly { readonly row: number; readonly reason: string; readonly asks?: string }[]
  /** Rows that ask and are not confirmed; an answer may show fewer of them. */
  readonly asked?: number
  readonly errorFileUrl?: string | null
  readonly problem?: string | null
}

export const isRunning = (state: number): boolean => state === 0 || state === 1 || state === 3

/** Cells mended on the screen and not sent yet. */
export type Fixes = ReadonlyMap<string, { readonly row: number; readonly column: string; readonly value: string }>

export const fixKey = ({ row, column }: Pick<CellProblem, 'row' | 'column'>): string => `${column}${row}`

/** With one more cell mended; typing the old value again takes it back. */
export const withFix = (fixes: Fixes, error: CellProblem, value: string): Fixes => {
  const next = new Map(fixes)
  if (value === error.value) next.delete(fixKey(error))
  else next.set(fixKey(error), { row: error.row, column: error.column, value })
  return next
}

/** Rows whose doubts are confirmed on the screen. */
export type SureRows = 'all' | ReadonlySet<number>

export const isSureOf = (sure: SureRows, row: number): boolean => sure === 'all' || sure.has(row)
/** With one row more or less of those that are shown. */
export const withSure = (sure: SureRows, shown: readonly number[], row: number, on: boolean): SureRows => {
  const rows = new Set(sure === 'all' ? shown : sure)
  if (on) rows.add(row)
  else rows.delete(row)
  return rows
}
/** How many rows that ask are taken. */
export const countSure = (sure: SureRows, asked: number): number => (sure === 'all' ? asked : sure.size)
