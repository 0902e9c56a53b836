import { type FileHandle, open } from 'node:fs/promises'
import { type Entry, openPromise, type ZipFile } from 'yauzl'
import type { CellRange, SheetLimits, SheetProblem } from './cell.ts'
import { attributeOf, scanAll } from './xml-scan.ts'

/** A bomb's ratio; honest sheets of equal rows reach it too, hence only above RATIO_FROM_BYTES. */
const MAX_RATIO = 100
const RATIO_FROM_BYTES = 10 * 1024 * 1024
const MAX_ENTRIES = 1_000
/** Declarations stand at the beginning of an XML part; none of OOXML's may have a document type. */
const DOCTYPE_WITHIN_BYTES = 4_096
const OLE2_MAGIC = 'd0cf11e0a1b11ae1'
const SHEET_ENTRY = /^xl\/worksheets\/[^/]+\.xml$/
const MACRO_ENTRY = /(^|\/)(vbaProject\.bin|macrosheets\/|activeX\/)/i

/** As many as there are rows at most (`SHEET_LIMITS`): of a sheet with more, the rest are taken for single cells. */
const MOST_MERGES = 200_000
const TYPES_CHARS = 1024 * 1024

/** What the look at a sheet brings to light besides. */
export interface SheetNotes {
  /** A cell with anything in it. */
  hasData: boolean
  /** Merged cells, as they are named in the sheet. */
  readonly merges: CellRange[]
}
/** By the path of the sheet in small letters. */
export type ArchiveNotes = Map<string, SheetNotes>

const columnOf = (letters: string): number => [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1

/** Takes notes of a sheet that comes in pieces. */
const noteReader = (notes: SheetNotes): ((text: string) => void) => {
  let rest = ''
  return piece => {
    const text = rest + piece
    notes.hasData ||= /<(?:\w+:)?[vt](?:\s[^<>]*)?>[^<\s]/.test(text)
    for (const [, from = '', top = '', to = '', bottom = ''] of text.matchAll(
      /<(?:\w+:)?mergeCell\s+ref\s*=\s*["']([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})["']/g,
    ))
      if (notes.merges.length < MOST_MERGES)
        notes.merges.push({ top: Number(top), bottom: Number(bottom), left: columnOf(from), right: columnOf(to) })
    const open = text.lastIndexOf('<')
    rest = open < 0 ? '' : text.slice(open).slice(0, 4_096)
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
    return magic.startsWith('504b0304') ? undefined : await textProblem(file)
  } finally {
    await file.close()
  }
}

/** What a file is that is no archive: programs of other offices write texts and call them workbooks. */
async function textProblem(file: FileHandle): Promise<SheetProblem> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(4_096), 0, 4_096, 0)
  const bytes = buffer.subarray(0, bytesRead)
  const isWide = bytes[0] === 0xff && bytes[1] === 0xfe
  const head = bytes.toString(isWide ? 'utf16le' : 'latin1')
  if (/^%PDF|^\{\\rtf/.test(head) || [...head].some(char => char < ' ' && !'\t\r\n\f'.includes(char))) return 'not-xlsx'
  if (/<\?mso-application|urn:schemas-microsoft-com:office:spreadsheet/i.test(head)) return 'xml-2003'
  return /<html|<!doctype html|<table|<meta\s|^MIME-Version:/i.test(head) ? 'html' : 'text'
}

/** Types of parts that hold or announce a program. */
const macroType = /macroEnabled|vbaProject|macrosheet|activeX|intlmacrosheet/i

/**
 * Whether a part that is there has the type of a macro. What types are declared says nothing by itself: SheetJS 0.18.5 always declares one
 * for the extension `bin`, of which its workbooks have no part.
 */
function hasMacroPart(names: ReadonlySet<string>, types: string): boolean {
  const ofParts = new Map<string, string>()
  const ofExtensions = new Map<string, string>()
  scanAll(types, {
    open: (name, attributes) => {
      const type = attributeOf(attributes, 'ContentType') ?? ''
      if (name === 'Override') ofParts.set((attributeOf(attributes, 'PartName') ?? '').replace(/^\//, '').toLowerCase(), type)
      else if (name === 'Default') ofExtensions.set((attributeOf(attributes, 'Extension') ?? '').toLowerCase(), type)
    },
    close: () => {},
    text: () => {},
  })
  return [...names].some(name => macroType.test(ofParts.get(name) ?? ofExtensions.get(name.slice(name.lastIndexOf('.') + 1)) ?? ''))
}

/** What an archive is that is no workbook of the kind that is read. */
function archiveProblem(names: ReadonlySet<string>, types: string): SheetProblem | undefined {
  if (names.has('mimetype') && names.has('content.xml')) return 'ods'
  if (!names.has('[content_types].xml')) return 'not-xlsx'
  if (names.has('xl/workbook.bin')) return 'xlsb'
  if (names.has('word/document.xml')) return 'word'
  if (hasMacroPart(names, types)) return 'macros'
  return [...names].some(name => name.startsWith('xl/workbook')) ? undefined : 'not-xlsx'
}

async function checkEntries(zip: ZipFile, maxUnpackedBytes: number, notes: ArchiveNotes): Promise<SheetProblem | undefined> {
  if (zip.entryCount > MAX_ENTRIES) return 'entries'
  const names = new Set<string>()
  let unpacked = 0
  let types = ''
  for await (const entry of zip.eachEntry()) {
    const name = entry.fileName.toLowerCase()
    if (names.has(name) || isLink(entry)) return 'unsafe'
    names.add(name)
    if (MACRO_ENTRY.test(entry.fileName)) return 'macros'
    if (entry.isEncrypted()) return 'encrypted'
    let own = 0
    let head = ''
    const sheet: SheetNotes | undefined = SHEET_ENTRY.test(name) ? { hasData: false, merges: [] } : undefined
    const note = sheet && noteReader(sheet)
    if (sheet) notes.set(name, sheet)
    const stream = await zip.openReadStreamPromise(entry)
    for await (const chunk of stream) {
      const bytes = chunk as Buffer
      if (own < DOCTYPE_WITHIN_BYTES) {
        head += bytes.toString('latin1', 0, DOCTYPE_WITHIN_BYTES)
        if (/\.(xml|rels|vml)$/i.test(entry.fileName) && /<!(DOCTYPE|ENTITY)/i.test(head)) return 'unsafe'
      }
      note?.(bytes.toString('latin1'))
      if (name === '[content_types].xml' && types.length < TYPES_CHARS) types += bytes.toString('latin1')
      own += bytes.length
      unpacked += bytes.length
      if (unpacked > maxUnpackedBytes) return 'unpacked-size'
      if (own > RATIO_FROM_BYTES && own > entry.compressedSize * MAX_RATIO) return 'ratio'
    }
  }
  return archiveProblem(names, types)
}

/** Unix symlink in the upper half of the external attributes. */
function isLink(entry: Entry): boolean {
  return ((entry.externalFileAttributes >>> 16) & 0o170000) === 0o120000
}
