import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readSheet } from '#kernel/sheet/read-sheet.ts'

/** The rows of a sheet of a workbook, the first unless another is named; watermark and header are among them. */
export const sheetRows = async (bytes: Uint8Array, of: number | string = 0): Promise<string[][]> => {
  const folder = await mkdtemp(join(tmpdir(), 'kaopu-sheet-'))
  try {
    const path = join(folder, 'book.xlsx')
    await writeFile(path, bytes)
    const sheet = await readSheet(path, { sheet: of })
    if ('problem' in sheet) throw new Error(sheet.problem)
    return sheet.rows.map(row => row.cells.map(cell => String(cell ?? '')))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
