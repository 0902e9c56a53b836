import { useEffect, useEffectEvent, useState } from 'react'
import { grouped } from '../kernel/format.ts'
import { defineTexts, useT } from '../kernel/i18n/index.ts'
import { Dialog } from '../ui/modal.tsx'
import { ProgressBar } from '../ui/progress-bar.tsx'
import type { PageOf } from './page-of.ts'
import { mostPrinted, readWhole } from './whole-search.ts'

export const printTexts = defineTexts(
  {
    title: '打印{name}',
    reading: '正在读取全部结果：{done} / {total} 条',
    begins: '正在读取全部结果…',
    failed: '读取失败，还没有打印。',
    tooMany: '共有 {total} 条结果，一次最多打印 {most} 条。请添加查询条件后再打印。',
    orExport: '也可以把全部结果导出为表格。',
  },
  {
    title: 'Print {name}',
    reading: 'Reading all results: {done} of {total}',
    begins: 'Reading all results…',
    failed: 'The results could not be read; nothing was printed.',
    tooMany: 'There are {total} results; at most {most} are printed at once. Narrow the search and print again.',
    orExport: 'Or export all results as a workbook.',
  },
)

type Query = Readonly<Record<string, string | number>>
interface Props<Row> {
  /** Of the list. */
  readonly name: string
  readonly load: (query: Query, signal: AbortSignal) => Promise<PageOf<Row>>
  readonly query: Query
  readonly rowId: (row: Row) => string
  readonly onReady: (rows: readonly Row[]) => void
  readonly onExport: (() => void) | undefined
  readonly onClose: () => void
}
type State =
  | { readonly kind: 'reading'; readonly done: number; readonly total: number }
  | { readonly kind: 'tooMany'; readonly total: number }
  | { readonly kind: 'failed' }

const begin: State = { kind: 'reading', done: 0, total: 0 }

/** Reads what is printed, and says how far it is or why it is not printed. Closed, it reads no further. */
export const PrintWindow = <Row,>({ name, load, query, rowId, onReady, onExport, onClose }: Props<Row>) => {
  const t = useT(printTexts)
  const [state, setState] = useState<State>(begin)
  const [tried, setTried] = useState(1)
  const read = useEffectEvent(async (signal: AbortSignal) => {
    try {
      const whole = await readWhole(load, query, rowId, {
        signal,
        onProgress: (done, total) => setState({ kind: 'reading', done, total }),
      })
      if (whole.kind === 'rows') onReady(whole.rows)
      else setState(whole)
    } catch {
      if (!signal.aborted) setState({ kind: 'failed' })
    }
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: read anew each time somebody tries again
  useEffect(() => {
    const stop = new AbortController()
    void read(stop.signal)
    return () => stop.abort()
  }, [tried])
  const again = () => {
    setState(begin)
    setTried(tried + 1)
  }
  const exportAll = () => {
    onClose()
    onExport?.()
  }
  return (
    <Dialog
      title={t('title', { name })}
      size="prompt"
      onClose={onClose}
      footer={close => (
        <div className="form-footer">
          <button type="button" className="button" onClick={close}>
            {t(state.kind === 'tooMany' ? 'action.close' : 'action.cancel')}
          </button>
          {state.kind === 'failed' ? (
            <button type="button" className="button button-primary" onClick={again}>
              {t('action.retry')}
            </button>
          ) : null}
          {state.kind === 'tooMany' && onExport !== undefined ? (
            <button type="button" className="button button-primary" onClick={exportAll}>
              {t('action.export')}
            </button>
          ) : null}
        </div>
      )}
    >
      {state.kind === 'reading' ? (
        <ProgressBar
          percent={state.total === 0 ? 0 : Math.floor((100 * state.done) / state.total)}
          text={state.total === 0 ? t('begins') : t('reading', { done: grouped(state.done), total: grouped(state.total) })}
        />
      ) : (
        <p role="alert">
          {state.kind === 'failed' ? t('failed') : t('tooMany', { total: grouped(state.total), most: grouped(mostPrinted) })}
          {state.kind === 'tooMany' && onExport !== undefined ? ` ${t('orExport')}` : null}
        </p>
      )}
    </Dialog>
  )
}
