import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { refuseExam } from '#contract/exam/exam.errors.ts'
import type { Label } from '#contract/kernel/label.ts'
import type { Refusal } from '#contract/kernel/refusal.ts'
import { isWatermark } from '#kernel/crud/export.ts'
import { columnLetters, type SheetEnd, type SheetPlace, type SheetProblem, type SheetRow } from '#kernel/sheet/cell.ts'
import { streamSheet } from '#kernel/sheet/read-sheet.ts'
import { markMerged } from '../domain/merged-cells.ts'
import { PackedRows, type SheetRows } from '../domain/packed-rows.ts'
import { codeColumns, type FileProblem, type HeaderSpec, type RowWarning } from '../domain/sheet.ts'
import { type FoundHeader, findHeader, type HeadRow } from '../domain/sheet-header.ts'
import { importCell } from './import-cell.ts'
import { explanationSheet } from './template-book.ts'

/** A sheet as texts: the first of `rows` is what the user sees as row 2; gaps are empty rows, and so are a header further below and what stands above it. */
export interface SheetTexts {
  readonly header: readonly string[]
  readonly rows: SheetRows
  /** Rows with anything in them. */
  readonly total: number
  /** What is wrong with cells of the header; the file is refused. */
  readonly headerFaults: readonly FileProblem[]
  /** What its author may not be aware of: hidden rows, other sheets, titles above the header. */
  readonly warnings: readonly RowWarning[]
}

const problemTexts: Readonly<Record<SheetProblem, Label>> = {
  empty: { zh: '文件为空', en: 'the file is empty' },
  'legacy-xls': {
    zh: '不支持 xls、et 等旧格式，改名也不行，请用表格软件打开后另存为 xlsx',
    en: 'xls is not supported, and a new name does not change it; open the file in a spreadsheet program and save it as xlsx',
  },
  encrypted: { zh: '文件有密码，请取消密码后再导入', en: 'the file needs a password; remove it first' },
  'not-xlsx': { zh: '不是 xlsx 文件', en: 'this is no xlsx file' },
  text: {
    zh: '这是文本文件(如 csv)，只是改了名，请用表格软件打开后另存为 xlsx',
    en: 'this is a text file (csv) under another name; open it in a spreadsheet program and save it as xlsx',
  },
  html: {
    zh: '这是网页格式的表格，只是改了名，请用表格软件打开后另存为 xlsx',
    en: 'this is a table in the form of a web page under another name; open it in a spreadsheet program and save it as xlsx',
  },
  'xml-2003': {
    zh: '这是 XML 表格(2003)，请用表格软件打开后另存为 xlsx',
    en: 'this is an XML spreadsheet of 2003; open it in a spreadsheet program and save it as xlsx',
  },
  ods: { zh: '这是 ods 文件，请另存为 xlsx', en: 'this is an ods file; save it as xlsx' },
  xlsb: { zh: '这是 xlsb 文件，请另存为 xlsx', en: 'this is an xlsb file; save it as xlsx' },
  word: { zh: '这是 Word 文档，请使用 xlsx 模板', en: 'this is a Word document; use the xlsx template' },
  truncated: { zh: '文件不完整', en: 'the file is cut off' },
  macros: {
    zh: '这是含宏的文件(xlsm)，改名也不行，请另存为不含宏的 xlsx',
    en: 'this is a file with macros (xlsm), and a new name does not change it; save it as xlsx without macros',
  },
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

const namedPlaces = 10
const inOrder = (names: readonly (string | number)[], language: 'zh' | 'en'): string =>
  `${names.slice(0, namedPlaces).join(language === 'zh' ? '、' : ', ')}${names.length > namedPlaces ? ' …' : ''}`

/** Hidden rows are imported as well, and somebody who has filtered the sheet may think otherwise (domain 5.9). */
const hiddenRowsWarning = (rows: readonly number[], isFiltered: boolean): readonly RowWarning[] => {
  const [row] = rows
  if (row === undefined) return []
  const zh = `有 ${rows.length} 行被${isFiltered ? '筛选' : ''}隐藏，同样导入：第 ${inOrder(rows, 'zh')} 行`
  return [
    {
      row,
      reason: {
        zh,
        en: `${isFiltered ? 'Filtered and hidden' : 'Hidden'} rows are imported as well (${rows.length}): ${inOrder(rows, 'en')}`,
      },
    },
  ]
}

const hiddenColumnsWarning = (row: number, header: readonly string[], ranges: SheetEnd['hiddenColumns']): readonly RowWarning[] => {
  const names = header.flatMap((text, at) =>
    text !== '' && ranges.some(([from, to]) => from <= at && at <= to) ? [`${columnLetters(at)}(${text})`] : [],
  )
  if (names.length === 0) return []
  const [zh, en] = [inOrder(names, 'zh'), inOrder(names, 'en')]
  return [{ row, reason: { zh: `有 ${names.length} 列被隐藏，同样导入：${zh}`, en: `Hidden columns are imported as well: ${en}` } }]
}

/** Sheets that explain a template; they hold no rows. */
const isExplanation = (name: string): boolean => Object.values(explanationSheet).some(word => name.startsWith(word))

const otherSheetsWarning = ({ name, hiddenBefore, othersWithData }: SheetPlace): readonly RowWarning[] => {
  const others = othersWithData.filter(one => !isExplanation(one))
  const quoted = (names: readonly string[]) => names.map(one => `“${one}”`)
  return [
    ...(hiddenBefore.length === 0
      ? []
      : [
          {
            row: 0,
            reason: {
              zh: `排在前面的工作表${inOrder(quoted(hiddenBefore), 'zh')}被隐藏或不是表格，读取的是第一个可见的工作表“${name}”`,
              en: `${inOrder(quoted(hiddenBefore), 'en')} stands first and is hidden or no table; the first visible sheet is read, “${name}”`,
            },
          },
        ]),
    ...(others.length === 0
      ? []
      : [
          {
            row: 0,
            reason: {
              zh: `只读取第一个可见的工作表“${name}”，其他工作表的内容没有导入：${inOrder(quoted(others), 'zh')}`,
              en: `Only the first visible sheet is read, “${name}”; other sheets with content are not: ${inOrder(quoted(others), 'en')}`,
            },
          },
        ]),
  ]
}

/** A sheet without rows; where others have some, which one was looked at. */
const refuseNoRows = (place: SheetPlace | undefined): Refusal => {
  const others = place?.othersWithData.filter(one => !isExplanation(one)) ?? []
  const around = [...(place?.hiddenBefore ?? []), ...others].map(one => `“${one}”`)
  if (!place || around.length === 0) return refuseExam('import/empty', {})
  return refuseExam('import/unreadable', {
    detail: {
      zh: `第一个可见的工作表“${place.name}”没有数据行；另有工作表${inOrder(around, 'zh')}，请把要导入的工作表取消隐藏并移到最前`,
      en: `the first visible sheet, “${place.name}”, has no rows; there are also ${inOrder(around, 'en')}: unhide the sheet that is meant and move it to the front`,
    },
  })
}

/** Rows that a header may stand among. */
const headRows = 20
/** Merged cells that a header is looked for in; a file that no spreadsheet wrote may name any number. */
const mostAtHead = 2_000

/** The columns of a template and how many rows it may have. */
export interface SheetWish {
  readonly columns: Readonly<Record<string, HeaderSpec>>
  readonly maxRows: number
}

/**
 * Reads the first visible sheet. Its header is row 1 (domain 5.9), row 2 under the watermark of a workbook that was exported here, or where the
 * columns of the template are named below a title.
 */
export const readTexts = async (path: string, { columns, maxRows }: SheetWish): Promise<SheetTexts | Refusal> => {
  let place: SheetPlace | undefined
  let found: FoundHeader | undefined
  let total = 0
  const rows = new PackedRows()
  const head: SheetRow[] = []
  let codes: ReadonlySet<number> = new Set()
  let marked = markMerged([])
  const take = ({ row, cells, marks }: SheetRow): void => {
    const read = marked(
      row,
      cells.map((cell, at) => importCell(cell, marks?.[at], codes.has(at))),
    )
    if (found && row <= found.row) return
    while (rows.length < row - 2) rows.push([])
    rows.push(read)
    total += 1
  }
  const decide = (): FoundHeader => {
    const texts = head.map(({ row, cells, marks }): HeadRow => ({ row, cells: cells.map((cell, at) => importCell(cell, marks?.[at])) }))
    const merges = place?.merges ?? []
    const atHead = merges.filter(({ top }) => top <= (head.at(-1)?.row ?? 0)).slice(0, mostAtHead)
    found = findHeader(columns, texts, atHead, isWatermark)
    marked = markMerged(merges)
    codes = codeColumns(columns, found.header)
    for (const one of head.splice(0)) take(one)
    return found
  }
  const read = await streamSheet(
    path,
    {
      maxRows: maxRows + headRows,
      onPlace: told => {
        place = told
      },
    },
    batch => {
      for (const one of batch) {
        if (found) take(one)
        else if (head.push(one) >= headRows) decide()
      }
    },
  )
  if ('problem' in read) {
    if (read.problem === 'empty') return refuseExam('import/empty', {})
    if (read.problem === 'rows') return refuseExam('import/too-many-rows', { limit: maxRows })
    return refuseExam('import/unreadable', { detail: problemTexts[read.problem] })
  }
  const { row, header, faults, warnings } = found ?? decide()
  if (total > maxRows) return refuseExam('import/too-many-rows', { limit: maxRows })
  if (total === 0 || !place) return refuseNoRows(place)
  return {
    header,
    rows,
    total,
    headerFaults: faults,
    warnings: [
      ...otherSheetsWarning(place),
      ...warnings,
      ...hiddenColumnsWarning(row, header, read.hiddenColumns),
      ...hiddenRowsWarning(
        read.hiddenRows.filter(one => one > row),
        read.isFiltered,
      ),
    ],
  }
}

/** The same for a stored workbook. */
export const readStored = async (bytes: Uint8Array, wish: SheetWish): Promise<SheetTexts | Refusal> => {
  const folder = await mkdtemp(join(tmpdir(), 'kaopu-import-'))
  try {
    const path = join(folder, 'book.xlsx')
    await writeFile(path, bytes, { mode: 0o600 })
    return await readTexts(path, wish)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
