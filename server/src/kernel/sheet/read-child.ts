// Runs as a process of its own (read-sheet.ts): a hostile workbook may exhaust this heap or this clock, never the server's.
import type { Readable } from 'node:stream'
import { type Entry, openPromise, type ZipFile } from 'yauzl'
import type { CellMark, SheetCell, SheetEnd, SheetLimits, SheetPlace, SheetProblem, SheetRow } from './cell.ts'
import { type ArchiveNotes, checkArchive } from './check-archive.ts'
import { type Book, type BookSheet, openBook, type Parts } from './open-book.ts'
import { type ReadRow, readCells } from './read-cells.ts'

export interface ReadOrder {
  readonly path: string
  /** Position from 0 or name; the first that is visible when absent. */
  readonly sheet?: number | string
  readonly limits: SheetLimits
}

export type ReadAnswer =
  | { readonly kind: 'place'; readonly place: SheetPlace }
  | { readonly kind: 'rows'; readonly rows: readonly SheetRow[] }
  | { readonly kind: 'end'; readonly end: SheetEnd }
  | { readonly kind: 'problem'; readonly problem: SheetProblem; readonly detail: string }

const BATCH_ROWS = 500
/** Batches under way at most: one is worked through while the next is read. */
const BATCHES_AHEAD = 2
/** Excel's last row. */
const MAX_ROW_NUMBER = 1_048_576

async function read(order: ReadOrder): Promise<void> {
  const notes: ArchiveNotes = new Map()
  const found = await checkArchive(order.path, order.limits, notes)
  if (found) return answer({ kind: 'problem', problem: found, detail: '' })
  const zip = await openPromise(order.path, { autoClose: false })
  try {
    const parts = await partsOf(zip)
    const book = await openBook(parts)
    await readSheet(order, { book, parts, notes })
  } finally {
    zip.close()
  }
}

async function partsOf(zip: ZipFile): Promise<Parts> {
  const entries = new Map<string, Entry>()
  for await (const entry of zip.eachEntry()) entries.set(entry.fileName.toLowerCase(), entry)
  const pieces = (path: string): AsyncIterable<string> | undefined => {
    const entry = entries.get(path.toLowerCase())
    return entry && textOf(zip, entry)
  }
  return {
    pieces,
    text: async path => {
      const found = pieces(path)
      if (!found) return undefined
      let text = ''
      for await (const piece of found) text += piece
      return text
    },
  }
}

async function* textOf(zip: ZipFile, entry: Entry): AsyncGenerator<string> {
  const stream: Readable = await zip.openReadStreamPromise(entry)
  let decoder: TextDecoder | undefined
  for await (const chunk of stream) {
    const bytes = chunk as Buffer
    decoder ??= new TextDecoder(
      bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8',
    )
    yield decoder.decode(bytes, { stream: true })
  }
}

/** Where the sheet stands that is asked for, or the first visible one. */
function chosen(sheets: readonly BookSheet[], asked: number | string | undefined): BookSheet | undefined {
  if (typeof asked === 'number') return sheets[asked]
  return sheets.find(sheet => (asked === undefined ? sheet.isGrid && !sheet.isHidden : sheet.name === asked))
}

async function readSheet(
  { sheet: asked, limits }: ReadOrder,
  { book, parts, notes }: { readonly book: Book; readonly parts: Parts; readonly notes: ArchiveNotes },
): Promise<void> {
  const sheet = chosen(book.sheets, asked)
  const pieces = sheet && parts.pieces(sheet.path)
  const nothing: SheetEnd = { hiddenRows: [], hiddenColumns: [], isFiltered: false }
  if (!sheet || !pieces) return answer({ kind: 'end', end: nothing })
  const at = book.sheets.indexOf(sheet)
  await answer({
    kind: 'place',
    place: {
      name: sheet.name,
      hiddenBefore: book.sheets.slice(0, at).map(({ name }) => name),
      othersWithData: book.sheets
        .filter(one => one !== sheet && !one.isHidden && notes.get(one.path.toLowerCase())?.hasData)
        .map(({ name }) => name),
      merges: notes.get(sheet.path.toLowerCase())?.merges ?? [],
    },
  })
  const hand = openHand()
  const hiddenRows: number[] = []
  let ready: SheetRow[] = []
  let count = 0
  let problem: SheetProblem | undefined
  const cells = readCells(book, row => {
    if (row.row > MAX_ROW_NUMBER) throw new Error('row number')
    const line = lineOf(row)
    if (!line || problem) return
    if (line.cells.length > limits.maxColumns) problem = 'columns'
    else if (++count > limits.maxRows) problem = 'rows'
    if (row.isHidden) hiddenRows.push(row.row)
    ready.push(line)
  })
  for await (const piece of pieces) {
    cells.push(piece)
    if (problem) return answer({ kind: 'problem', problem, detail: '' })
    while (ready.length >= BATCH_ROWS) {
      await hand(ready.slice(0, BATCH_ROWS))
      ready = ready.slice(BATCH_ROWS)
    }
  }
  const shape = cells.end()
  if (ready.length > 0) await hand(ready)
  await answer({ kind: 'end', end: { hiddenRows, ...shape } })
}

/** @returns undefined for a row without anything in it */
function lineOf({ row, cells }: ReadRow): SheetRow | undefined {
  let length = 0
  for (const column of cells.keys()) length = Math.max(length, column + 1)
  if (length === 0) return undefined
  const values = Array.from({ length }, (): SheetCell => null)
  const marks: Record<number, CellMark> = {}
  let isMarked = false
  for (const [column, { value, mark }] of cells) {
    values[column] = value
    if (!mark) continue
    marks[column] = mark
    isMarked = true
  }
  return isMarked ? { row, cells: values, marks } : { row, cells: values }
}

function answer(message: ReadAnswer): Promise<void> {
  return new Promise((resolve, reject) => {
    process.send?.(message, undefined, {}, error => (error ? reject(error) : resolve()))
  })
}

/** Hands batches over; the server sends one message per batch it has worked through. */
function openHand(): (rows: readonly SheetRow[]) => Promise<void> {
  let underway = 0
  let wake = () => {}
  process.on('message', () => {
    underway -= 1
    wake()
  })
  return async rows => {
    underway += 1
    await answer({ kind: 'rows', rows })
    while (underway >= BATCHES_AHEAD) {
      await new Promise<void>(resolve => {
        wake = resolve
      })
    }
  }
}

process.once('message', (order: ReadOrder) => {
  read(order)
    .catch((error: unknown) => {
      const detail = error instanceof Error ? error.message : String(error)
      return answer({ kind: 'problem', problem: 'malformed', detail })
    })
    .finally(() => process.disconnect?.())
})
