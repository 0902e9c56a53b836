// Runs as a process of its own (read-sheet.ts): a hostile workbook may exhaust this heap or this clock, never the server's.
import { readFile } from 'node:fs/promises'
import { streamXlsxRows } from 'hucre/xlsx'
import { unsolvedFormula } from '#contract/kernel/unsolved-formula.ts'
import type { SheetCell, SheetLimits, SheetProblem, SheetRow } from './cell.ts'
import { type ArchiveNotes, checkArchive, hiddenRowsOf, unsolvedOf } from './check-archive.ts'

export interface ReadOrder {
  readonly path: string
  readonly sheet: number | string
  readonly limits: SheetLimits
}

export type ReadAnswer =
  | { readonly kind: 'rows'; readonly rows: readonly SheetRow[] }
  | { readonly kind: 'end'; readonly hiddenRows: readonly number[] }
  | { readonly kind: 'problem'; readonly problem: SheetProblem; readonly detail: string }

const BATCH_ROWS = 500
/** Batches under way at most: one is worked through while the next is read. */
const BATCHES_AHEAD = 2
/** Excel's last row. */
const MAX_ROW_NUMBER = 1_048_576

async function read(order: ReadOrder): Promise<void> {
  const notes: ArchiveNotes = { hidden: new Map(), unsolved: new Map(), parts: new Map() }
  const found = await checkArchive(order.path, order.limits, notes)
  if (found) return answer({ kind: 'problem', problem: found, detail: '' })

  const hidden = hiddenRowsOf(notes, order.sheet)
  const unsolved = unsolvedOf(notes, order.sheet)
  const hiddenRows: number[] = []
  let batch: SheetRow[] = []
  let count = 0
  let seen = 0
  const hand = openHand()
  const source = streamXlsxRows(new Uint8Array(await readFile(order.path)), { sheet: order.sheet })
  for await (const { index, values } of source) {
    // Empty rows are not counted as rows, but a sheet of nothing else must end too.
    if (++seen > MAX_ROW_NUMBER || index >= MAX_ROW_NUMBER) return answer({ kind: 'problem', problem: 'malformed', detail: 'row number' })
    const cells = cutTrailingEmpty(withUnsolved(values as readonly SheetCell[], unsolved.get(index + 1)))
    if (cells.length === 0) continue
    if (cells.length > order.limits.maxColumns) return answer({ kind: 'problem', problem: 'columns', detail: '' })
    if (++count > order.limits.maxRows) return answer({ kind: 'problem', problem: 'rows', detail: '' })
    if (hidden.has(index + 1)) hiddenRows.push(index + 1)
    batch.push({ row: index + 1, cells })
    if (batch.length < BATCH_ROWS) continue
    await hand(batch)
    batch = []
  }
  if (batch.length > 0) await hand(batch)
  await answer({ kind: 'end', hiddenRows })
}

function withUnsolved(values: readonly SheetCell[], columns: readonly number[] | undefined): readonly SheetCell[] {
  if (columns === undefined) return values
  const cells = Array.from({ length: Math.max(values.length, ...columns.map(column => column + 1)) }, (_, at) => values[at] ?? null)
  for (const column of columns) cells[column] = unsolvedFormula
  return cells
}

function cutTrailingEmpty(values: readonly SheetCell[]): readonly SheetCell[] {
  let length = values.length
  while (length > 0 && (values[length - 1] === null || values[length - 1] === '' || values[length - 1] === undefined)) length--
  return length === values.length ? values : values.slice(0, length)
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
