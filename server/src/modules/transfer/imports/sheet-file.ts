import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { refuseExam } from '#contract/exam/exam.errors.ts'
import type { Label } from '#contract/kernel/label.ts'
import type { Refusal } from '#contract/kernel/refusal.ts'
import { isWatermark } from '#kernel/crud/export.ts'
import type { SheetCell, SheetProblem } from '#kernel/sheet/cell.ts'
import { streamSheet } from '#kernel/sheet/read-sheet.ts'
import { PackedRows, type SheetRows } from '../domain/packed-rows.ts'

/** A sheet as texts: the first of `rows` is what the user sees as row 2, gaps are empty rows, and so is the header of what was exported. */
export interface SheetTexts {
  readonly header: readonly string[]
  readonly rows: SheetRows
  /** Rows with anything in them. */
  readonly total: number
  /** Numbers of the rows that are hidden, by a filter or by hand; they are read like the others. */
  readonly hidden: readonly number[]
}

/** Above this a number has lost digits already: it is shown as what it is, and refused. */
const safeDigits = 1e15

const cellText = (cell: SheetCell | undefined): string => {
  if (cell === null || cell === undefined) return ''
  if (typeof cell === 'number') return Math.abs(cell) >= safeDigits ? cell.toExponential() : String(Number(cell.toPrecision(15)))
  if (typeof cell === 'boolean') return cell ? 'TRUE' : 'FALSE'
  if (cell instanceof Date) {
    const text = cell.toISOString().slice(0, 19).replace('T', ' ')
    return text.endsWith(' 00:00:00') ? text.slice(0, 10) : text
  }
  return cell
}

const problemTexts: Readonly<Record<SheetProblem, Label>> = {
  empty: { zh: '文件为空', en: 'the file is empty' },
  'legacy-xls': { zh: '不支持 xls，请另存为 xlsx', en: 'xls is not supported; save it as xlsx' },
  encrypted: { zh: '文件有密码', en: 'the file needs a password' },
  'not-xlsx': { zh: '不是 xlsx 文件', en: 'this is no xlsx file' },
  truncated: { zh: '文件不完整', en: 'the file is cut off' },
  macros: { zh: '文件含宏', en: 'the file carries macros' },
  unsafe: { zh: '文件内容不安全', en: 'the file is not safe' },
  'unpacked-size': { zh: '文件展开后过大', en: 'the file unpacks to too much' },
  ratio: { zh: '文件压缩比异常', en: 'the file is compressed beyond reason' },
  entries: { zh: '文件结构异常', en: 'the file has too many parts' },
  rows: { zh: '行数过多', en: 'too many rows' },
  columns: { zh: '列数过多', en: 'too many columns' },
  memory: { zh: '文件过大', en: 'the file is too large' },
  timeout: { zh: '读取超时', en: 'reading took too long' },
  malformed: { zh: '文件已损坏', en: 'the file is damaged' },
  cancelled: { zh: '已取消', en: 'cancelled' },
}

/** Reads the first sheet; its header is row 1 (domain 5.9), or row 2 under the watermark of a workbook that was exported here. */
export const readTexts = async (path: string, maxRows: number): Promise<SheetTexts | Refusal> => {
  let header: string[] = []
  let headerRow = 1
  let total = 0
  const rows = new PackedRows()
  const read = await streamSheet(path, { maxRows: maxRows + 2 }, batch => {
    for (const { row, cells } of batch) {
      const texts = cells.map(cellText)
      if (row === 1 && isWatermark(texts)) {
        headerRow = 2
        continue
      }
      if (row === headerRow) {
        header = texts
        continue
      }
      while (rows.length < row - 2) rows.push([])
      rows.push(texts)
      total += 1
    }
  })
  if ('problem' in read) {
    if (read.problem === 'empty') return refuseExam('import/empty', {})
    if (read.problem === 'rows') return refuseExam('import/too-many-rows', { limit: maxRows })
    return refuseExam('import/unreadable', { detail: problemTexts[read.problem] })
  }
  if (total > maxRows) return refuseExam('import/too-many-rows', { limit: maxRows })
  const hidden = read.hiddenRows.filter(row => row > headerRow)
  return total === 0 ? refuseExam('import/empty', {}) : { header, rows, total, hidden }
}

/** The same for a stored workbook. */
export const readStored = async (bytes: Uint8Array, maxRows: number): Promise<SheetTexts | Refusal> => {
  const folder = await mkdtemp(join(tmpdir(), 'kaopu-import-'))
  try {
    const path = join(folder, 'book.xlsx')
    await writeFile(path, bytes, { mode: 0o600 })
    return await readTexts(path, maxRows)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
