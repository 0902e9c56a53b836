import { streamXlsxRows } from 'hucre/xlsx'

type Cell = string | number | boolean | Date | null

/** What stands in a sheet of a workbook that the program wrote, row by row without the empty ones; read here and not by the program, whose reader is a process of its own. */
export const sheetCells = async (bytes: Uint8Array, of: number | string = 0): Promise<Cell[][]> => {
  const rows: Cell[][] = []
  for await (const { values } of streamXlsxRows(bytes, { sheet: of })) {
    const last = values.findLastIndex(cell => cell !== null && cell !== undefined && cell !== '')
    if (last >= 0) rows.push([...values.slice(0, last + 1)] as Cell[])
  }
  return rows
}

/** The rows of a sheet of a workbook, the first unless another is named, as texts; watermark and header are among them. */
export const sheetRows = async (bytes: Uint8Array, of: number | string = 0): Promise<string[][]> =>
  (await sheetCells(bytes, of)).map(row => row.map(cell => String(cell ?? '')))
