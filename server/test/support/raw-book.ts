import { buffer } from 'node:stream/consumers'
import { ZipFile } from 'yazl'
import { columnLetters } from '#kernel/sheet/cell.ts'

/** A sheet of a workbook that is written by hand, as programs write them that are not ours. */
export interface RawSheet {
  readonly name: string
  readonly state?: 'hidden' | 'veryHidden'
  /** Cells of each row by their XML without place, `rawCell` and the like; undefined for none. */
  readonly rows: readonly (readonly (string | undefined)[])[]
  /** Rows from 1 that are hidden. */
  readonly hiddenRows?: readonly number[]
  /** What stands before and behind the rows: `<cols>…`, `<mergeCells>…`. */
  readonly before?: string
  readonly after?: string
}

export interface RawBook {
  readonly sheets: readonly RawSheet[]
  /** Formats of cells; the style of the first is 1, 0 is none. */
  readonly formats?: readonly (string | number)[]
  /** Items of the shared strings. */
  readonly strings?: readonly string[]
  readonly is1904?: boolean
  readonly isStrict?: boolean
  readonly isStale?: boolean
  /** Of the workbook part, where it is another than that of xlsx. */
  readonly contentType?: string
}

const xml = (text: string): string =>
  text.replace(/[&<>"]/g, char => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[char] ?? char)

/** Attributes and content of a cell. */
const cell = (attributes: string, inside: string): string => `<c${attributes ? ` ${attributes}` : ''}>${inside}</c>`
export const rawText = (text: string, style = 0): string =>
  cell(`s="${style}" t="inlineStr"`, `<is><t xml:space="preserve">${xml(text)}</t></is>`)
export const rawNumber = (value: number | string, style = 0): string => cell(`s="${style}"`, `<v>${value}</v>`)
export const rawFormula = (formula: string, inside = ''): string => cell('', `<f>${xml(formula)}</f>${inside}`)
export const rawCell = cell

const placed = (one: string | undefined, at: number, row: number): string =>
  one === undefined ? '' : one.replace(/^<c/, `<c r="${columnLetters(at)}${row}"`)

export const rawBook = async (book: RawBook): Promise<Buffer> => {
  const at = book.isStrict ? 'http://purl.oclc.org/ooxml' : 'http://schemas.openxmlformats.org'
  const main = book.isStrict ? `${at}/spreadsheetml/main` : `${at}/spreadsheetml/2006/main`
  const office = book.isStrict ? `${at}/officeDocument/relationships` : `${at}/officeDocument/2006/relationships`
  const rels = (items: string) =>
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${items}</Relationships>`
  const rel = (id: string, type: string, target: string) => `<Relationship Id="${id}" Type="${office}/${type}" Target="${target}"/>`
  const formats = book.formats ?? []
  const parts: Record<string, string> = {
    '[Content_Types].xml': `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/xl/workbook.xml" ContentType="${book.contentType ?? 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml'}"/></Types>`,
    '_rels/.rels': rels(rel('rId1', 'officeDocument', 'xl/workbook.xml')),
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${office}"><workbookPr${book.is1904 ? ' date1904="1"' : ''}/><sheets>${book.sheets
      .map(({ name, state }, n) => `<sheet name="${xml(name)}" sheetId="${n + 1}"${state ? ` state="${state}"` : ''} r:id="rId${n + 1}"/>`)
      .join('')}</sheets>${book.isStale ? '<calcPr fullCalcOnLoad="1"/>' : ''}</workbook>`,
    'xl/_rels/workbook.xml.rels': rels(
      [
        ...book.sheets.map((_, n) => rel(`rId${n + 1}`, 'worksheet', `worksheets/sheet${n + 1}.xml`)),
        rel('rIdStyles', 'styles', 'styles.xml'),
        rel('rIdStrings', 'sharedStrings', 'sharedStrings.xml'),
      ].join(''),
    ),
    'xl/styles.xml': `<styleSheet xmlns="${main}"><numFmts>${formats
      .map((code, n) => (typeof code === 'string' ? `<numFmt numFmtId="${164 + n}" formatCode="${xml(code)}"/>` : ''))
      .join('')}</numFmts><cellXfs><xf numFmtId="0"/>${formats
      .map((code, n) => `<xf numFmtId="${typeof code === 'string' ? 164 + n : code}" applyNumberFormat="1"/>`)
      .join('')}</cellXfs></styleSheet>`,
    'xl/sharedStrings.xml': `<sst xmlns="${main}">${(book.strings ?? []).map(item => `<si>${item}</si>`).join('')}</sst>`,
    ...Object.fromEntries(
      book.sheets.map(({ rows, before = '', after = '', hiddenRows = [] }, n) => [
        `xl/worksheets/sheet${n + 1}.xml`,
        `<worksheet xmlns="${main}">${before}<sheetData>${rows
          .map((cells, i) => {
            const hidden = hiddenRows.includes(i + 1) ? ' hidden="1"' : ''
            return cells.length === 0 ? '' : `<row r="${i + 1}"${hidden}>${cells.map((one, c) => placed(one, c, i + 1)).join('')}</row>`
          })
          .join('')}</sheetData>${after}</worksheet>`,
      ]),
    ),
  }
  const zip = new ZipFile()
  for (const [name, part] of Object.entries(parts)) zip.addBuffer(Buffer.from(part), name)
  zip.end()
  return buffer(zip.outputStream)
}
