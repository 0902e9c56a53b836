import { lazy, type ReactNode, Suspense, useEffect, useEffectEvent, useState } from 'react'
import type { PageOf } from './page-of.ts'

const PrintWindow = lazy(async () => ({ default: (await import('./print-window.tsx')).PrintWindow }))

type Query = Readonly<Record<string, string | number>>
interface Props<Row> {
  readonly name: string
  readonly load: (query: Query, signal: AbortSignal) => Promise<PageOf<Row>>
  /** The search as the list asks for it, counted to its end. */
  readonly query: Query
  readonly rowId: (row: Row) => string
  /** There are more rows than the page shows. */
  readonly hasMore: boolean
  /** Whether the keys for printing mean this list. */
  readonly isMeant: () => boolean
  readonly onExport: (() => void) | undefined
}

/** An open window is what is printed then (print.css). */
const isBehindWindow = (): boolean => document.querySelector('.ant-modal-wrap, .ant-drawer-open') !== null

/**
 * Printing of a list: all rows of its search, not those of the page that is shown. The browser prints what stands in the page, so all rows stand there
 * until it has.
 * @returns the rows to draw while it prints
 */
export const usePrintWhole = <Row,>(
  props: Props<Row>,
): { readonly rows: readonly Row[] | null; readonly print: () => void; readonly window: ReactNode } => {
  const [state, setState] = useState<'idle' | 'reading' | readonly Row[]>('idle')
  const start = () => {
    if (props.hasMore) setState('reading')
    else print()
  }
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const isPrint = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key.toLowerCase() === 'p'
    if (!isPrint || !props.hasMore || !props.isMeant() || isBehindWindow()) return
    event.preventDefault()
    setState('reading')
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event)
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])
  const rows = typeof state === 'string' ? null : state
  useEffect(() => {
    if (rows === null) return
    const done = () => setState('idle')
    addEventListener('afterprint', done)
    // The window has left the page by then, and all rows are in it.
    const frame = requestAnimationFrame(() => print())
    return () => {
      cancelAnimationFrame(frame)
      removeEventListener('afterprint', done)
    }
  }, [rows])
  return {
    rows,
    print: start,
    window:
      state === 'reading' ? (
        <Suspense>
          <PrintWindow
            name={props.name}
            load={props.load}
            query={props.query}
            rowId={row => props.rowId(row as Row)}
            onReady={found => setState(found as readonly Row[])}
            onExport={props.onExport}
            onClose={() => setState('idle')}
          />
        </Suspense>
      ) : null,
  }
}
