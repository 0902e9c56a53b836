import { lazy, type ReactNode, Suspense, useId, useState } from 'react'
import { ErrorBoundary } from '../kernel/boundary.tsx'
import { grouped } from '../kernel/format.ts'
import { useT } from '../kernel/i18n/index.ts'
import type { ChartData } from './chart-data.ts'
import { EmptyState, FailedState, PageSkeleton } from './states.tsx'
import { uiTexts } from './texts.ts'
import './chart.css'

interface Props {
  readonly title: string
  readonly data: ChartData
  readonly heightPx?: number
  /** How a value is written, as for money. */
  readonly format?: (value: number) => string
}

const loadCanvas = () => import('./chart-canvas.tsx')
const ChartCanvas = lazy(async () => ({ default: (await loadCanvas()).ChartCanvas }))
/** The library is bigger than all else on a page: one that will draw charts asks for it beside its figures, not after them. */
export const prepareCharts = (): void => void loadCanvas().catch(() => {})

const TableTwin = ({ title, data, format }: Required<Pick<Props, 'title' | 'data' | 'format'>>) => {
  const t = useT(uiTexts)
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <div className="plain-table" role="group" aria-label={title} tabIndex={0}>
      <table>
        <caption className="visually-hidden">{title}</caption>
        <thead>
          <tr>
            <th scope="col">{data.axis ?? t('chart.name')}</th>
            {data.series.map(series => (
              <th key={series.name} scope="col" data-align="right">
                {series.name}
              </th>
            ))}
            {data.beside?.map(column => (
              <th key={column.name} scope="col" data-align="right">
                {column.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {data.categories.map((category, index) => (
            <tr key={category}>
              <th scope="row">{category}</th>
              {data.series.map(series => {
                const value = series.values[index]
                return (
                  <td key={series.name} data-align="right">
                    {value === null || value === undefined ? '-' : format(value)}
                  </td>
                )
              })}
              {data.beside?.map(column => (
                <td key={column.name} data-align="right">
                  {column.values[index]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const usualHeightPx = 280

/** The card of a chart. Its room is there from the beginning, so nothing moves when the figures or the library come. */
export const ChartCard = ({
  title,
  heightPx = usualHeightPx,
  tools,
  children,
}: {
  readonly title: string
  readonly heightPx?: number
  readonly tools?: ReactNode
  readonly children: ReactNode
}) => {
  const id = useId()
  return (
    <section className="card chart" aria-labelledby={id}>
      <div className="chart-head">
        <h2 id={id}>{title}</h2>
        {tools}
      </div>
      <div className="chart-body" style={{ minHeight: heightPx }}>
        {children}
      </div>
    </section>
  )
}

/** A chart with its table twin: the same figures to read, to copy and for screen readers. The library comes with the first one. */
export const Chart = ({ title, data, heightPx = usualHeightPx, format = grouped }: Props) => {
  const t = useT(uiTexts)
  const [asTable, setAsTable] = useState(false)
  const [save, setSave] = useState<(() => void) | null>(null)
  const isEmpty = data.categories.length === 0
  const tools = isEmpty ? null : (
    <>
      <button type="button" className="link-button" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
        {asTable ? t('chart.chart') : t('chart.table')}
      </button>
      {asTable ? null : (
        <button type="button" className="link-button" disabled={save === null} onClick={() => save?.()}>
          {t('chart.png')}
        </button>
      )}
    </>
  )
  return (
    <ChartCard title={title} heightPx={heightPx} tools={tools}>
      {isEmpty ? (
        <EmptyState />
      ) : asTable ? (
        <TableTwin title={title} data={data} format={format} />
      ) : (
        <ErrorBoundary fallback={retry => <FailedState onRetry={retry} />}>
          <Suspense fallback={<PageSkeleton rows={5} />}>
            <ChartCanvas title={title} data={data} heightPx={heightPx} format={format} onReady={setSave} />
          </Suspense>
        </ErrorBoundary>
      )}
    </ChartCard>
  )
}
