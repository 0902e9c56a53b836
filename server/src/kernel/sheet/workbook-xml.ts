import { columnLetters } from './cell.ts'

// The parts of a SpreadsheetML workbook (ECMA-376 part 1, clause 18) that write-sheet.ts streams.

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
export const NS = { main: `xmlns="${MAIN}"`, relations: `xmlns:r="${OFFICE}"` }

/** Indexes into `cellXfs` of stylesXml. A filled cell's style is its kind's plus the step of the fill. */
export const STYLE = {
  text: 1,
  number: 2,
  money: 3,
  decimal: 3,
  day: 4,
  moment: 5,
  fillStep: { red: 5, amber: 10, green: 15 },
  header: 21,
  headerRequired: 22,
  watermark: 23,
  title: 24,
  note: 25,
  pageHeader: 26,
  /** Bordered, with thousands apart; in bold `strongStep` further. */
  page: { text: 27, number: 28, money: 29, decimal: 29, day: 27, moment: 27 },
  strongStep: 3,
}

const MAX_CELL_CHARS = 32_767

export interface SheetComment {
  readonly row: number
  /** From 0. */
  readonly column: number
  readonly text: string
}

export function cellXml(
  ref: string,
  value: string | number | bigint | boolean | null | undefined,
  style: number,
  kind: 'text' | 'number' | 'money' | 'decimal' | 'day' | 'moment',
): string {
  if (value === null || value === undefined || value === '') return `<c r="${ref}" s="${style}"/>`
  if (typeof value === 'boolean') return `<c r="${ref}" s="${style}" t="b"><v>${value ? 1 : 0}</v></c>`
  if (kind !== 'text' && typeof value !== 'string') {
    if (typeof value === 'number' && !Number.isFinite(value)) return `<c r="${ref}" s="${style}"/>`
    return `<c r="${ref}" s="${style}"><v>${kind === 'money' ? yuan(value) : value}</v></c>`
  }
  // Digits of a database's decimal are a number that can be summed; anything else that a column of numbers has, such as a mask, is its text.
  if ((kind === 'number' || kind === 'decimal') && isNumberText(String(value))) return `<c r="${ref}" s="${style}"><v>${value}</v></c>`
  const text = String(value)
  const cut = text.length > MAX_CELL_CHARS ? `${text.slice(0, MAX_CELL_CHARS - 1).toWellFormed()}…` : text
  return `<c r="${ref}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${xmlText(cut)}</t></is></c>`
}

/** As a program writes it, and of no more digits than a spreadsheet keeps. */
const isNumberText = (text: string): boolean => /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text) && text.replace(/\D/g, '').length <= 15

/** 12345 fen → `123.45`, by digits: a division would round large sums. */
function yuan(fen: number | bigint): string {
  const whole = BigInt(fen)
  const digits = (whole < 0n ? -whole : whole).toString().padStart(3, '0')
  return `${whole < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

const NEEDS_ESCAPE = /[&<>"\p{Cc}\p{Cs}\uFFFE\uFFFF]|_(?=x[0-9A-Fa-f]{4}_)/gu

/** Escapes for XML and for Excel: controls become `_xHHHH_` (ECMA-376 22.4.2.4), lone surrogates U+FFFD. */
export function xmlText(text: string): string {
  return text.replace(NEEDS_ESCAPE, char => {
    if (char === '&') return '&amp;'
    if (char === '<') return '&lt;'
    if (char === '>') return '&gt;'
    if (char === '"') return '&quot;'
    if (char === '_') return '_x005F_'
    if (char === '\n' || char === '\t') return char
    const code = char.charCodeAt(0)
    if (code >= 0xd800 && code <= 0xdfff) return '�'
    return `_x${code.toString(16).toUpperCase().padStart(4, '0')}_`
  })
}

export function stylesXml(): string {
  const fills = ['FFFFC7CE', 'FFFFE699', 'FFC6EFCE', 'FFE7E9EE', 'FFC00000'].map(
    color => `<fill><patternFill patternType="solid"><fgColor rgb="${color}"/><bgColor indexed="64"/></patternFill></fill>`,
  )
  // Format 49 is text: a cell typed over later stays text. 2 is 0.00; from 164 on are one's own.
  const kinds = (fill: number) => [49, 0, 2, 164, 165].map(format => xf(format, 0, fill)).join('')
  return (
    `${HEAD}<styleSheet ${NS.main}><numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy-mm-dd"/><numFmt numFmtId="165" formatCode="yyyy-mm-dd hh:mm"/></numFmts><fonts count="5"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font>` +
    '<font><b/><color rgb="FFFFFFFF"/><sz val="11"/><name val="Calibri"/></font><font><color rgb="FF808080"/><sz val="10"/><name val="Calibri"/></font><font><b/><sz val="16"/><name val="Calibri"/></font></fonts>' +
    `<fills count="${fills.length + 2}"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>${fills.join('')}</fills>` +
    `<borders count="2"><border><left/><right/><top/><bottom/><diagonal/></border><border>${['left', 'right', 'top', 'bottom']
      .map(side => `<${side} style="thin"><color rgb="FF808080"/></${side}>`)
      .join('')}<diagonal/></border></borders>` +
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
    `<cellXfs count="33">${xf(0, 0, 0)}${kinds(0)}${kinds(2)}${kinds(3)}${kinds(4)}${xf(49, 1, 5)}${xf(49, 2, 6)}${xf(49, 3, 0)}` +
    `${xf(49, 4, 0, { align: 'center' })}${xf(49, 3, 0, { align: 'left' })}${xf(49, 1, 5, { align: 'center', border: 1 })}${pageKinds(0)}${pageKinds(1)}</cellXfs>` +
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'
  )
}

/** 3 is #,##0 and 4 is #,##0.00. */
const pageKinds = (font: number): string => [49, 3, 4].map(format => xf(format, font, 0, { border: 1 })).join('')

function xf(
  format: number,
  font: number,
  fill: number,
  { align, border = 0 }: { align?: 'left' | 'center'; border?: number } = {},
): string {
  const inside = align === undefined ? '' : `<alignment horizontal="${align}" vertical="center" wrapText="1"/>`
  const start = `<xf numFmtId="${format}" fontId="${font}" fillId="${fill}" borderId="${border}" xfId="0" applyNumberFormat="1" applyFont="1" applyFill="1"`
  return `${start}${border > 0 ? ' applyBorder="1"' : ''}${inside === '' ? '/>' : ` applyAlignment="1">${inside}</xf>`}`
}

/** The hidden sheet behind drop-down lists, one column per list: an inline list ends at 255 characters and at the first comma. */
export function* listsSheetXml(lists: readonly (readonly string[])[]): Generator<string> {
  yield `${HEAD}<worksheet ${NS.main}><sheetData>`
  const longest = Math.max(...lists.map(list => list.length))
  for (let row = 1; row <= longest; row++) {
    const cells = lists.map((list, i) =>
      row <= list.length ? cellXml(`${columnLetters(i)}${row}`, list[row - 1], STYLE.text, 'text') : '',
    )
    yield `<row r="${row}">${cells.join('')}</row>`
  }
  yield '</sheetData></worksheet>'
}

export function* commentsXml(comments: readonly SheetComment[]): Generator<string> {
  yield `${HEAD}<comments ${NS.main}><authors><author>Kaopu</author></authors><commentList>`
  for (const { row, column, text } of comments) {
    yield `<comment ref="${columnLetters(column)}${row}" authorId="0"><text><t xml:space="preserve">${xmlText(text)}</t></text></comment>`
  }
  yield '</commentList></comments>'
}

/** The legacy drawing without which Excel shows no comment. */
export function* drawingXml(comments: readonly SheetComment[]): Generator<string> {
  yield '<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:x="urn:schemas-microsoft-com:office:excel">' +
    '<v:shapetype id="_x0000_t202" coordsize="21600,21600" o:spt="202" path="m,l,21600r21600,l21600,xe"/>'
  for (const [i, { row, column }] of comments.entries()) {
    yield `<v:shape id="_x0000_s${1025 + i}" type="#_x0000_t202" style="position:absolute;width:180pt;height:60pt;visibility:hidden" fillcolor="#ffffe1">` +
      `<x:ClientData ObjectType="Note"><x:Anchor>${column + 1},15,${Math.max(0, row - 2)},10,${column + 4},15,${row + 2},4</x:Anchor><x:AutoFill>False</x:AutoFill>` +
      `<x:Row>${row - 1}</x:Row><x:Column>${column}</x:Column></x:ClientData></v:shape>`
  }
  yield '</xml>'
}

export function sheetRelsXml(n: number): string {
  return (
    `${HEAD}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/vmlDrawing" Target="../drawings/vmlDrawing${n}.vml"/>` +
    `<Relationship Id="rId2" Type="${OFFICE}/comments" Target="../comments${n}.xml"/></Relationships>`
  )
}

/** @param headRows - rows that every printed page of a sheet repeats, by its place */
export function workbookXml(
  names: readonly string[],
  hasLists: boolean,
  headRows: ReadonlyMap<number, readonly [from: number, to: number]> = new Map(),
): string {
  const sheets = names.map((name, i) => `<sheet name="${xmlText(name)}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`)
  if (hasLists) sheets.push(`<sheet name="_lists" sheetId="${names.length + 1}" state="hidden" r:id="rId${names.length + 1}"/>`)
  const titles = [...headRows].map(
    ([sheet, [from, to]]) =>
      `<definedName name="_xlnm.Print_Titles" localSheetId="${sheet}">${xmlText(`'${(names[sheet] ?? '').replace(/'/g, "''")}'!$${from}:$${to}`)}</definedName>`,
  )
  const defined = titles.length > 0 ? `<definedNames>${titles.join('')}</definedNames>` : ''
  return `${HEAD}<workbook ${NS.main} ${NS.relations}><sheets>${sheets.join('')}</sheets>${defined}</workbook>`
}

export function workbookRelsXml(sheetCount: number, hasLists: boolean): string {
  const count = sheetCount + (hasLists ? 1 : 0)
  const sheets = Array.from(
    { length: count },
    (_, i) => `<Relationship Id="rId${i + 1}" Type="${OFFICE}/worksheet" Target="worksheets/sheet${i + 1}.xml"/>`,
  )
  return `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">${sheets.join('')}<Relationship Id="rId${count + 1}" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`
}

export function rootRelsXml(): string {
  return `${HEAD}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`
}

export function contentTypesXml(sheetCount: number, commented: readonly number[]): string {
  const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
  const sheets = Array.from(
    { length: sheetCount },
    (_, i) => `<Override PartName="/xl/worksheets/sheet${i + 1}.xml" ContentType="${type}.worksheet+xml"/>`,
  )
  const comments = commented.map(n => `<Override PartName="/xl/comments${n}.xml" ContentType="${type}.comments+xml"/>`)
  return (
    `${HEAD}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
    '<Default Extension="xml" ContentType="application/xml"/><Default Extension="vml" ContentType="application/vnd.openxmlformats-officedocument.vmlDrawing"/>' +
    `<Override PartName="/xl/workbook.xml" ContentType="${type}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${type}.styles+xml"/>` +
    `${sheets.join('')}${comments.join('')}</Types>`
  )
}
