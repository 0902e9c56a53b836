import type { SheetRows } from './packed-rows.ts'

/** A cell that somebody mended on the screen instead of in the workbook: `row` is the number the user sees, `column` the letter. */
export interface CellFix {
  readonly row: number
  readonly column: string
  readonly value: string
}

/** A → 0, Z → 25, AA → 26. */
export const columnIndex = (letters: string): number =>
  [...letters].reduce((index, letter) => index * 26 + letter.charCodeAt(0) - 64, 0) - 1

const placeOf = ({ row, column }: CellFix): string => `${column}${row}`

/** Earlier and later fixes of one file; of two for the same cell the later counts. */
export const mergeFixes = (before: readonly CellFix[], next: readonly CellFix[]): readonly CellFix[] => [
  ...new Map([...before, ...next].map(fix => [placeOf(fix), fix])).values(),
]

/** The sheet as it would be had the cells been mended in it; cells outside the rows and columns of the file are left alone. */
export const withFixes = <S extends { readonly header: readonly string[]; readonly rows: SheetRows }>(
  sheet: S,
  fixes: readonly CellFix[],
): S => {
  if (fixes.length === 0) return sheet
  const rows = [...sheet.rows]
  for (const { row, column, value } of fixes) {
    const found = rows[row - 2]
    const index = columnIndex(column)
    if (found === undefined || found.length === 0 || index < 0 || index >= sheet.header.length) continue
    const cells = [...found]
    while (cells.length <= index) cells.push('')
    cells[index] = value
    rows[row - 2] = cells
  }
  return { ...sheet, rows }
}
