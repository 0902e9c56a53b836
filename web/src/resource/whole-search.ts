import * as settings from '../kernel/settings.ts'
import type { PageOf } from './page-of.ts'

/** How many rows are printed at most; whoever needs more wants a workbook. */
export const mostPrinted = 2_000

type Query = Readonly<Record<string, string | number>>
/** All rows of a search, or how many there are where they are more than anybody prints. */
type Whole<Row> = { readonly kind: 'rows'; readonly rows: readonly Row[] } | { readonly kind: 'tooMany'; readonly total: number }

/**
 * Reads a search to its end, in the largest pages there are: the call, conditions and order of the list itself, so that nobody gets more than they
 * could by turning its pages.
 */
export const readWhole = async <Row>(
  load: (query: Query, signal: AbortSignal) => Promise<PageOf<Row>>,
  query: Query,
  rowId: (row: Row) => string,
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: (done: number, total: number) => void },
): Promise<Whole<Row>> => {
  const size = Math.max(...settings.pageSizes)
  // A row that moves on while the pages are read comes twice.
  const rows = new Map<string, Row>()
  for (let current = 1; ; current += 1) {
    const page = await load({ ...query, current, size }, signal)
    signal.throwIfAborted()
    if (page.total > mostPrinted || page.atLeast) return { kind: 'tooMany', total: page.total }
    const known = rows.size
    for (const row of page.records) rows.set(rowId(row), row)
    onProgress(rows.size, page.total)
    if (current * size >= page.total || rows.size === known) return { kind: 'rows', rows: [...rows.values()] }
  }
}
