import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { Readable, type Writable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'
import type { FieldMark } from '#contract/kernel/field-rule.ts'
import { columnLetters } from './cell.ts'
import {
  cellXml,
  commentsXml,
  contentTypesXml,
  drawingXml,
  listsSheetXml,
  NS,
  rootRelsXml,
  type SheetComment,
  STYLE,
  sheetRelsXml,
  stylesXml,
  workbookRelsXml,
  workbookXml,
  xmlText,
} from './workbook-xml.ts'

/**
 * text = text cell whatever it holds; number = as given; decimal = with two places; money = integer fen, shown as yuan with two decimals;
 * day, moment = for columns that are filled in: what is typed there is shown as `2026-03-05` and `2026-03-05 17:00`.
 */
export type SheetColumnKind = 'text' | 'number' | 'money' | 'decimal' | 'day' | 'moment'

export interface SheetColumn {
  readonly header: string
  /** Which field the cells are, for readers whose rules mask it; `none` where a header has the name of a fact and the cells are nobody's. */
  readonly field?: FieldMark | 'none'
  /** Fields, as `noun.field`, of other columns whose values may stand in this one. */
  readonly quotes?: readonly string[]
  /** In characters of the default font; default from the header. */
  readonly width?: number
  /** Without one a value decides: numbers are numbers, texts are texts. */
  readonly kind?: SheetColumnKind
  /** Red header, as in every import template. */
  readonly required?: boolean
  /** Note on the header cell. */
  readonly comment?: string
  /** Drop-down list for the rows below the header; other values stay possible with a warning. */
  readonly choices?: readonly string[]
  /** Shown beside a cell of the rows below the header while it is chosen; at most 255 characters. */
  readonly hint?: string
}

export type SheetFill = 'red' | 'amber' | 'green'
export type SheetValue = string | number | bigint | boolean | null | undefined

export interface MarkedCell {
  readonly value: SheetValue
  readonly fill?: SheetFill
  readonly comment?: string
  /** In bold, on a sheet that is laid out as a page. */
  readonly strong?: boolean
}

/** Lays a sheet out as an office prints it: title and notes above the table, borders, pages numbered and with the heads of the columns. */
export interface SheetPage {
  readonly title: string
  /** Lines below the title, and below the table. */
  readonly notes: readonly string[]
  readonly feet: readonly string[]
  /** Rows of heads above those of the columns; neighbours that say the same become one cell. */
  readonly heads: readonly (readonly string[])[]
  /** `&P` is the page and `&N` how many there are. */
  readonly pageFoot: string
}

export type SheetLine = readonly (SheetValue | MarkedCell)[]

export interface SheetPart {
  /** At most 31 characters; those Excel forbids become `_`. */
  readonly name: string
  readonly columns: readonly SheetColumn[]
  readonly rows: AsyncIterable<SheetLine> | Iterable<SheetLine>
  readonly page?: SheetPage
  /** Rows below the header that get the drop-down lists and hints; default 5,000. */
  readonly choiceRows?: number
}

export interface SheetBook {
  /** First row of every sheet: what, who, when, audit id. Without it the header is row 1, as import templates need it. */
  readonly watermark?: string
  readonly sheets: readonly SheetPart[]
}

const MAX_ROW_NUMBER = 1_048_576
const CHUNK_CHARS = 64 * 1024
/** Fast rather than small: exports are downloaded once. */
const COMPRESSION_LEVEL = 3

/**
 * Streams an xlsx workbook: rows are pulled as the target takes bytes, and nothing but comments is held in memory. Text is written as typed
 * text cells, never as a formula, so `=1+1` stays what it is without an apostrophe. A text over Excel's 32,767 characters is cut and ends in `…`.
 * @param target a stream, which is ended or destroyed, or the path of a file that must not exist yet
 */
export async function writeSheet(target: Writable | string, book: SheetBook): Promise<void> {
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  zip.on('error', (error: Error) => output.destroy(error))
  const written = pipeline(output, typeof target === 'string' ? createWriteStream(target, { flags: 'wx', mode: 0o600 }) : target)

  const lists = book.sheets.flatMap(sheet => sheet.columns.flatMap(column => (column.choices?.length ? [column.choices] : [])))
  const names = uniqueNames(book.sheets.map(sheet => sheet.name))
  const commented: number[] = []
  let firstList = 0
  for (const [i, sheet] of book.sheets.entries()) {
    const comments: SheetComment[] = []
    const source = Readable.from(chunked(sheetXml(sheet, book.watermark, firstList, comments)), { objectMode: false })
    firstList += sheet.columns.filter(column => column.choices?.length).length
    zip.addReadStream(source, `xl/worksheets/sheet${i + 1}.xml`, { compressionLevel: COMPRESSION_LEVEL })
    try {
      await Promise.race([finished(source), written])
    } catch (error) {
      // Closes the caller's row source too, so that no database cursor stays open behind a download that was given up.
      const closed = source.closed ? undefined : once(source, 'close')
      source.destroy()
      output.destroy(error instanceof Error ? error : undefined)
      await Promise.allSettled([closed, written])
      throw error
    }
    // Only now, after the rows, the comments are known.
    if (comments.length === 0) continue
    commented.push(i + 1)
    addPart(zip, `xl/comments${i + 1}.xml`, commentsXml(comments))
    addPart(zip, `xl/drawings/vmlDrawing${i + 1}.vml`, drawingXml(comments))
    addPart(zip, `xl/worksheets/_rels/sheet${i + 1}.xml.rels`, [sheetRelsXml(i + 1)])
  }
  if (lists.length > 0) addPart(zip, `xl/worksheets/sheet${names.length + 1}.xml`, listsSheetXml(lists))
  addPart(zip, 'xl/styles.xml', [stylesXml()])
  const headRows = new Map(book.sheets.flatMap(({ page }, i) => (page ? [[i, headRowsOf(page)] as const] : [])))
  addPart(zip, 'xl/workbook.xml', [workbookXml(names, lists.length > 0, headRows)])
  addPart(zip, 'xl/_rels/workbook.xml.rels', [workbookRelsXml(names.length, lists.length > 0)])
  addPart(zip, '_rels/.rels', [rootRelsXml()])
  addPart(zip, '[Content_Types].xml', [contentTypesXml(names.length + (lists.length > 0 ? 1 : 0), commented)])
  zip.end()
  await written
}

function addPart(zip: ZipFile, path: string, parts: Iterable<string>): void {
  zip.addReadStream(Readable.from(parts, { objectMode: false }), path, { compressionLevel: COMPRESSION_LEVEL })
}

/** The rows of the heads of a page, the columns' own among them. */
const headRowsOf = ({ notes, heads }: SheetPage): readonly [from: number, to: number] => [notes.length + 2, notes.length + heads.length + 2]
/** Landscape begins to read better where there are more columns. */
const portraitColumns = 7

/** The same as `sheetXml` for a sheet that is laid out as a page. */
async function* pageXml(sheet: SheetPart, page: SheetPage): AsyncGenerator<string> {
  const { columns } = sheet
  const letters = columns.map((_, i) => columnLetters(i))
  const last = letters.at(-1) ?? 'A'
  const [firstHead, lastHead] = headRowsOf(page)
  const merges: string[] = []
  yield `<?xml version="1.0" encoding="UTF-8" standalone="yes"?><worksheet ${NS.main} ${NS.relations}><sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>`
  yield `<sheetViews><sheetView showGridLines="0" workbookViewId="0"><pane ySplit="${lastHead}" topLeftCell="A${lastHead + 1}" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>`
  const widths = columns.map(
    (column, i) => `<col min="${i + 1}" max="${i + 1}" width="${column.width ?? headerWidth(column.header)}" customWidth="1"/>`,
  )
  yield `<sheetFormatPr defaultRowHeight="18"/><cols>${widths.join('')}</cols><sheetData>`
  const across = (row: number, text: string, style: number, height = ''): string => {
    if (columns.length > 1) merges.push(`A${row}:${last}${row}`)
    return `<row r="${row}"${height}>${cellXml(`A${row}`, text, style, 'text')}</row>`
  }
  yield across(1, page.title, STYLE.title, ' ht="30" customHeight="1"')
  for (const [i, note] of page.notes.entries()) yield across(i + 2, note, STYLE.note)
  const heads = [...page.heads, columns.map(column => column.header)]
  for (const [i, texts] of heads.entries()) {
    const row = firstHead + i
    yield `<row r="${row}">${letters.map((letter, at) => cellXml(`${letter}${row}`, texts[at] ?? '', STYLE.pageHeader, 'text')).join('')}</row>`
    if (i === heads.length - 1) continue
    for (let from = 0, to = 0; from < letters.length; from = to) {
      for (to = from + 1; to < letters.length && texts[to] !== '' && texts[to] === texts[from]; ) to += 1
      if (to > from + 1) merges.push(`${letters[from]}${row}:${letters[to - 1]}${row}`)
    }
  }
  let row = lastHead
  for await (const line of sheet.rows) {
    row += 1
    if (row + page.feet.length > MAX_ROW_NUMBER) throw new RangeError('a sheet holds at most 1,048,576 rows')
    const cells = line.map((item, i) => {
      const cell = isMarked(item) ? item : { value: item }
      const kind = columns[i]?.kind ?? kindOf(cell.value)
      const style = STYLE.page[typeof cell.value === 'string' ? 'text' : kind] + (cell.strong ? STYLE.strongStep : 0)
      return cellXml(`${letters[i] ?? columnLetters(i)}${row}`, cell.value, style, kind)
    })
    yield `<row r="${row}">${cells.join('')}</row>`
  }
  for (const foot of page.feet) {
    row += 1
    yield across(row, foot, STYLE.note)
  }
  yield `</sheetData>${merges.length > 0 ? `<mergeCells count="${merges.length}">${merges.map(ref => `<mergeCell ref="${ref}"/>`).join('')}</mergeCells>` : ''}`
  yield '<printOptions horizontalCentered="1"/><pageMargins left="0.5" right="0.5" top="0.6" bottom="0.7" header="0.3" footer="0.3"/>'
  // 9 is A4; as many pages below each other as it takes, one beside the other never.
  yield `<pageSetup paperSize="9" orientation="${columns.length > portraitColumns ? 'landscape' : 'portrait'}" fitToWidth="1" fitToHeight="0"/>`
  yield `<headerFooter><oddFooter>${xmlText(`&C${page.pageFoot}`)}</oddFooter></headerFooter></worksheet>`
}

async function* sheetXml(
  sheet: SheetPart,
  watermark: string | undefined,
  firstList: number,
  comments: SheetComment[],
): AsyncGenerator<string> {
  if (sheet.page) return yield* pageXml(sheet, sheet.page)
  const headerRow = watermark === undefined ? 1 : 2
  // The style is that of the cells that are still empty: an id number typed into a column without one loses its digits.
  const widths = sheet.columns.map(
    (column, i) =>
      `<col min="${i + 1}" max="${i + 1}" width="${column.width ?? headerWidth(column.header)}" style="${STYLE[column.kind ?? 'text']}" customWidth="1"/>`,
  )
  yield `<?xml version="1.0" encoding="UTF-8" standalone="yes"?><worksheet ${NS.main} ${NS.relations}><sheetViews><sheetView workbookViewId="0">`
  yield `<pane ySplit="${headerRow}" topLeftCell="A${headerRow + 1}" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>`
  yield `<sheetFormatPr defaultRowHeight="15"/>${widths.length > 0 ? `<cols>${widths.join('')}</cols>` : ''}<sheetData>`
  if (watermark !== undefined) yield `<row r="1">${cellXml('A1', watermark, STYLE.watermark, 'text')}</row>`
  yield `<row r="${headerRow}">`
  for (const [i, column] of sheet.columns.entries()) {
    const ref = `${columnLetters(i)}${headerRow}`
    if (column.comment) comments.push({ row: headerRow, column: i, text: column.comment })
    yield cellXml(ref, column.header, column.required ? STYLE.headerRequired : STYLE.header, 'text')
  }
  yield '</row>'

  const letters = sheet.columns.map((_, i) => columnLetters(i))
  let row = headerRow
  for await (const line of sheet.rows) {
    if (++row > MAX_ROW_NUMBER) throw new RangeError('a sheet holds at most 1,048,576 rows')
    yield lineXml(row, line, sheet.columns, letters, comments)
  }
  yield '</sheetData>'
  yield validationsXml(sheet, headerRow, firstList)
  yield `${comments.length > 0 ? '<legacyDrawing r:id="rId1"/>' : ''}</worksheet>`
}

function lineXml(
  row: number,
  line: SheetLine,
  columns: readonly SheetColumn[],
  letters: readonly string[],
  comments: SheetComment[],
): string {
  let xml = `<row r="${row}">`
  for (const [i, item] of line.entries()) {
    const cell = isMarked(item) ? item : { value: item }
    const kind = columns[i]?.kind ?? kindOf(cell.value)
    if (cell.comment) comments.push({ row, column: i, text: cell.comment })
    const base = STYLE[kind]
    xml += cellXml(`${letters[i] ?? columnLetters(i)}${row}`, cell.value, cell.fill ? base + STYLE.fillStep[cell.fill] : base, kind)
  }
  return `${xml}</row>`
}

const kindOf = (value: SheetValue): SheetColumnKind => (typeof value === 'number' || typeof value === 'bigint' ? 'number' : 'text')

function isMarked(item: SheetLine[number]): item is MarkedCell {
  return typeof item === 'object' && item !== null
}

/** ECMA-376 part 1, 18.3.1.32 gives no limit; Excel 16 refuses a workbook with longer ones. */
const MAX_HINT_CHARS = 255
const MAX_HINT_TITLE_CHARS = 32
const shortened = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most - 1).toWellFormed()}…` : text)
const headerTitle = (header: string): string => shortened(header, MAX_HINT_TITLE_CHARS)

function validationsXml(sheet: SheetPart, headerRow: number, firstList: number): string {
  let list = firstList
  const items = sheet.columns.flatMap((column, i) => {
    const range = `${columnLetters(i)}${headerRow + 1}:${columnLetters(i)}${headerRow + (sheet.choiceRows ?? 5_000)}`
    const title = headerTitle(column.header)
    const hint = column.hint
      ? ` showInputMessage="1" promptTitle="${xmlText(title)}" prompt="${xmlText(shortened(column.hint, MAX_HINT_CHARS)).replaceAll('\n', '&#10;')}"`
      : ''
    if (!column.choices?.length) return hint ? [`<dataValidation allowBlank="1"${hint} sqref="${range}"/>`] : []
    const source = columnLetters(list++)
    return [
      `<dataValidation type="list" errorStyle="warning" allowBlank="1" showErrorMessage="1"${hint} sqref="${range}">` +
        `<formula1>${xmlText(`'_lists'!$${source}$1:$${source}$${column.choices.length}`)}</formula1></dataValidation>`,
    ]
  })
  return items.length > 0 ? `<dataValidations count="${items.length}">${items.join('')}</dataValidations>` : ''
}

/** Han characters are two wide. */
function headerWidth(header: string): number {
  return Math.min(
    60,
    Math.max(
      10,
      [...header].reduce((sum, char) => sum + ((char.codePointAt(0) ?? 0) > 0xff ? 2 : 1), 3),
    ),
  )
}

function uniqueNames(names: readonly string[]): string[] {
  const used = new Set(['_lists'])
  return names.map(name => {
    const clean = [...name.replace(/[[\]:*?/\\]/g, '_').replace(/^'+|'+$/g, '')].slice(0, 27).join('') || 'Sheet'
    let unique = clean
    for (let n = 2; used.has(unique.toLowerCase()); n++) unique = `${clean}_${n}`
    used.add(unique.toLowerCase())
    return unique
  })
}

async function* chunked(parts: AsyncIterable<string>): AsyncGenerator<string> {
  let pending = ''
  for await (const part of parts) {
    pending += part
    if (pending.length < CHUNK_CHARS) continue
    yield pending
    pending = ''
  }
  yield pending
}
