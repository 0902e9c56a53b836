// Runs as a process of its own (read-sheet.ts): a hostile workbook may exhaust this heap or this clock, never the server's.
import { readFile } from 'node:fs/promises'
import { streamXlsxRows } from 'hucre/xlsx'
import type { SheetCell, SheetLimits, SheetProblem, SheetRow } from './cell.ts'
import { checkArchive } from './check-archive.ts'

export interface ReadOrder {
  readonly path: string
  readonly sheet: number | string
  readonly limits: SheetLimits
}

export type ReadAnswer =
  | { readonly kind: 'rows'; readonly rows: readonly SheetRow[] }
  | { readonly kind: 'end' }
  | { readonly kind: 'problem'; readonly problem: SheetProblem; readonly detail: string }

const BATCH_ROWS = 500
/** Excel's last row. */
const MAX_ROW_NUMBER = 1_048_576

async function read(order: ReadOrder): Promise<void> {
  const found = await checkArchive(order.path, order.limits)
  if (found) return answer({ kind: 'problem', problem: found, detail: '' })

  let batch: SheetRow[] = []
  let count = 0
  let seen = 0
  const source = streamXlsxRows(new Uint8Array(await readFile(order.path)), { sheet: order.sheet })
  for await (const { index, values } of source) {
    // Empty rows are not counted as rows, but a sheet of nothing else must end too.
    if (++seen > MAX_ROW_NUMBER || index >= MAX_ROW_NUMBER) return answer({ kind: 'problem', problem: 'malformed', detail: 'row number' })
    const cells = cutTrailingEmpty(values as readonly SheetCell[])
    if (cells.length === 0) continue
    if (cells.length > order.limits.maxColumns) return answer({ kind: 'problem', problem: 'columns', detail: '' })
    if (++count > order.limits.maxRows) return answer({ kind: 'problem', problem: 'rows', detail: '' })
    batch.push({ row: index + 1, cells })
    if (batch.length < BATCH_ROWS) continue
    await answerAndWait({ kind: 'rows', rows: batch })
    batch = []
  }
  if (batch.length > 0) await answerAndWait({ kind: 'rows', rows: batch })
  await answer({ kind: 'end' })
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

/** The reader sends one message per batch it has consumed, so at most one batch waits in the channel. */
async function answerAndWait(message: ReadAnswer): Promise<void> {
  const consumed = new Promise<void>(resolve => process.once('message', () => resolve()))
  await answer(message)
  await consumed
}

process.once('message', (order: ReadOrder) => {
  read(order)
    .catch((error: unknown) => {
      const detail = error instanceof Error ? error.message : String(error)
      return answer({ kind: 'problem', problem: 'malformed', detail })
    })
    .finally(() => process.disconnect?.())
})
