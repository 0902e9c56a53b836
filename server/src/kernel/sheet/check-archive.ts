import { open } from 'node:fs/promises'
import { type Entry, openPromise, type ZipFile } from 'yauzl'
import type { SheetLimits, SheetProblem } from './cell.ts'

/** A bomb's ratio; honest sheets of equal rows reach it too, hence only above RATIO_FROM_BYTES. */
const MAX_RATIO = 100
const RATIO_FROM_BYTES = 10 * 1024 * 1024
const MAX_ENTRIES = 1_000
/** Declarations stand at the beginning of an XML part; none of OOXML's may have a document type. */
const DOCTYPE_WITHIN_BYTES = 4_096
const OLE2_MAGIC = 'd0cf11e0a1b11ae1'
const SHEET_ENTRY = /^xl\/worksheets\/[^/]+\.xml$/
const MACRO_ENTRY = /(^|\/)(vbaProject\.bin|macrosheets\/|activeX\/)/i

const ROW_TAG = /<(?:\w+:)?row\b[^>]*>/g
const WORKBOOK_PARTS = /^xl\/(?:workbook\.xml|_rels\/workbook\.xml\.rels)$/
const PART_CHARS = 256 * 1024
/** So many hidden rows of a sheet are remembered. */
const MOST_HIDDEN = 100_000
const FORMULA_TAG = /<(\w+:)?f\b/g
/** So many formulas without a value are remembered of a sheet, and so long may the text of one cell be (Excel's formulas end at 8,192). */
const MOST_UNSOLVED = 100_000
const CELL_CHARS = 64 * 1024

/** What the look at every entry brings to light besides. */
export interface ArchiveNotes {
  /** Numbers of the hidden rows by entry, in their order. */
  readonly hidden: Map<string, number[]>
  /** Cells (`E5`) whose formula has no stored value, by entry. */
  readonly unsolved: Map<string, Set<string>>
  /** The workbook and its relations, which tell where a sheet lies. */
  readonly parts: Map<string, string>
}

/** The entry of the sheet at this place or of this name. */
const entryOf = ({ parts }: ArchiveNotes, sheet: number | string): string => {
  const sheets = [...(parts.get('xl/workbook.xml') ?? '').matchAll(/<(?:\w+:)?sheet\b[^>]*>/g)].map(([tag]) => tag)
  const tag = typeof sheet === 'number' ? sheets[sheet] : sheets.find(one => one.includes(` name="${sheet}"`))
  const id = /\s\w+:id="([^"]+)"/.exec(tag ?? '')?.[1]
  const relations = parts.get('xl/_rels/workbook.xml.rels') ?? ''
  const relation = [...relations.matchAll(/<Relationship\b[^>]*>/g)].map(([one]) => one).find(one => one.includes(` Id="${id}"`))
  const target = /\bTarget="([^"]+)"/.exec(relation ?? '')?.[1] ?? ''
  return (target.startsWith('/') ? target.slice(1) : `xl/${target}`).toLowerCase()
}

/** Rows that somebody has hidden, by a filter or by hand, in the sheet at this place or of this name. */
export const hiddenRowsOf = (notes: ArchiveNotes, sheet: number | string): ReadonlySet<number> =>
  new Set(notes.hidden.get(entryOf(notes, sheet)))

/** Columns (from 0) of formulas without a stored value, by the row that the user sees. */
export const unsolvedOf = (notes: ArchiveNotes, sheet: number | string): ReadonlyMap<number, readonly number[]> => {
  const byRow = new Map<number, number[]>()
  for (const cell of notes.unsolved.get(entryOf(notes, sheet)) ?? []) {
    const [, letters = '', digits = ''] = /^([A-Z]+)(\d+)$/.exec(cell) ?? []
    const column = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
    const row = Number(digits)
    byRow.set(row, [...(byRow.get(row) ?? []), column])
  }
  return byRow
}

/** Finds formulas without a stored value in a sheet that comes in pieces. An empty text is a value: `=""` has one. */
const formulaReader = (found: Set<string>): ((text: string) => void) => {
  let rest = ''
  return piece => {
    const text = rest + piece
    for (const { index, 1: prefix = '' } of text.matchAll(FORMULA_TAG)) {
      const from = text.lastIndexOf(`<${prefix}c `, index)
      const to = text.indexOf(`</${prefix}c>`, index)
      if (from < 0 || to < 0 || found.size >= MOST_UNSOLVED) continue
      const head = text.slice(from, index)
      const stored = /<(?:\w+:)?(?:v|is)\b[^>]*?(?:\/>|>([^<]*))/.exec(text.slice(index, to))
      if (stored && (/\st="(?:str|inlineStr)"/.test(head) || stored[1])) continue
      const cell = /\sr="([A-Z]{1,3}\d{1,7})"/.exec(head)?.[1]
      if (cell !== undefined) found.add(cell)
    }
    const open = Math.max(text.lastIndexOf('<c '), text.lastIndexOf(':c ') - 64, 0)
    rest = text.slice(open).slice(-CELL_CHARS)
  }
}

/** Reads the tags of rows out of a sheet that comes in pieces. */
const rowReader = (found: number[]): ((text: string) => void) => {
  let rest = ''
  return piece => {
    const text = rest + piece
    for (const [tag] of text.matchAll(ROW_TAG)) {
      if (found.length >= MOST_HIDDEN || !/\shidden="(?:1|true)"/.test(tag)) continue
      const row = Number(/\sr="(\d+)"/.exec(tag)?.[1])
      if (row > 0) found.push(row)
    }
    const open = text.lastIndexOf('<')
    rest = open >= 0 && !text.includes('>', open) ? text.slice(open).slice(-4_096) : ''
  }
}

/** Looks at a workbook before a parser does: kind of file, entry names, and every entry inflated into a counter, because declared sizes can lie. */
export async function checkArchive(
  path: string,
  limits: Pick<SheetLimits, 'maxUnpackedBytes'>,
  notes: ArchiveNotes,
): Promise<SheetProblem | undefined> {
  const outside = await checkHead(path)
  if (outside) return outside
  let zip: ZipFile
  try {
    zip = await openPromise(path, { strictFileNames: true })
  } catch {
    return 'truncated'
  }
  try {
    return await checkEntries(zip, limits.maxUnpackedBytes, notes)
  } catch (error) {
    return error instanceof Error && /invalid relative path|absolute path|invalid characters/i.test(error.message) ? 'unsafe' : 'truncated'
  } finally {
    zip.close()
  }
}

async function checkHead(path: string): Promise<SheetProblem | undefined> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    if (size === 0) return 'empty'
    const head = await file.read(Buffer.alloc(8), 0, 8, 0)
    const magic = head.buffer.toString('hex', 0, head.bytesRead)
    if (magic === OLE2_MAGIC) {
      // Excel wraps an encrypted xlsx in the container of the old format; the name of the inner stream (UTF-16) tells them apart.
      const container = await file.readFile()
      return container.includes(Buffer.from('EncryptedPackage', 'utf16le')) ? 'encrypted' : 'legacy-xls'
    }
    return magic.startsWith('504b0304') ? undefined : 'not-xlsx'
  } finally {
    await file.close()
  }
}

async function checkEntries(zip: ZipFile, maxUnpackedBytes: number, notes: ArchiveNotes): Promise<SheetProblem | undefined> {
  if (zip.entryCount > MAX_ENTRIES) return 'entries'
  const names = new Set<string>()
  let unpacked = 0
  for await (const entry of zip.eachEntry()) {
    const name = entry.fileName.toLowerCase()
    if (names.has(name) || isLink(entry)) return 'unsafe'
    names.add(name)
    if (MACRO_ENTRY.test(entry.fileName)) return 'macros'
    if (entry.isEncrypted()) return 'encrypted'
    let own = 0
    let head = ''
    let tail = ''
    let part = ''
    const hidden: number[] = []
    const unsolved = new Set<string>()
    const [readRows, readFormulas] = SHEET_ENTRY.test(name) ? [rowReader(hidden), formulaReader(unsolved)] : []
    const stream = await zip.openReadStreamPromise(entry)
    for await (const chunk of stream) {
      const bytes = chunk as Buffer
      if (own < DOCTYPE_WITHIN_BYTES) {
        head += bytes.toString('latin1', 0, DOCTYPE_WITHIN_BYTES)
        if (/\.(xml|rels|vml)$/i.test(entry.fileName) && /<!(DOCTYPE|ENTITY)/i.test(head)) return 'unsafe'
      }
      if (readRows && readFormulas) {
        const text = bytes.toString('latin1')
        readRows(text)
        readFormulas(text)
      }
      if (WORKBOOK_PARTS.test(name) && part.length < PART_CHARS) part += bytes.toString('utf8')
      if (SHEET_ENTRY.test(name)) tail = (tail + bytes.toString('latin1', Math.max(0, bytes.length - 64))).slice(-64)
      own += bytes.length
      unpacked += bytes.length
      if (unpacked > maxUnpackedBytes) return 'unpacked-size'
      if (own > RATIO_FROM_BYTES && own > entry.compressedSize * MAX_RATIO) return 'ratio'
    }
    if (hidden.length > 0) notes.hidden.set(name, hidden)
    if (unsolved.size > 0) notes.unsolved.set(name, unsolved)
    if (part !== '') notes.parts.set(name, part)
    // The row parser takes the end of the text for the end of the sheet: a part that was cut would lose rows in silence.
    if (SHEET_ENTRY.test(name) && !/<\/([\w-]+:)?worksheet>\s*$/.test(tail)) return 'malformed'
  }
  if (!names.has('[content_types].xml')) return 'not-xlsx'
  return [...names].some(name => name.startsWith('xl/workbook')) ? undefined : 'not-xlsx'
}

/** Unix symlink in the upper half of the external attributes. */
function isLink(entry: Entry): boolean {
  return ((entry.externalFileAttributes >>> 16) & 0o170000) === 0o120000
}
