import { useMemo } from 'react'
import type { Unit } from '#contract/report/data-sets.ts'
import { cellState, type ReportGrid } from '#contract/report/report.routes.ts'
import { reportNumber } from '#contract/report/report-number.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { Chart } from '#web/ui/chart.tsx'
import type { ChartData } from '#web/ui/chart-data.ts'
import { EmptyState } from '#web/ui/states.tsx'
import { reportTexts } from './texts.ts'
import './report.css'

type Column = ReportGrid['columns'][number]

/** Neighbours that say the same are one head. */
const spansOf = (texts: readonly string[]): readonly { readonly text: string; readonly span: number; readonly at: number }[] => {
  const spans: { text: string; span: number; at: number }[] = []
  for (const [at, text] of texts.entries()) {
    const last = spans.at(-1)
    if (last?.text === text && text !== '') last.span += 1
    else spans.push({ text, span: 1, at })
  }
  return spans
}

/** Columns that do not fit an upright sheet. */
const wideFrom = 7
const levels = ['row', 'subtotal', 'total'] as const

/** The table of a result, with heads that screen readers can follow. */
export const GridTable = ({ grid }: { readonly grid: ReportGrid }) => {
  const t = useT(reportTexts)
  if (grid.totalRows === 0) return <EmptyState text={t('grid.empty')} />
  const depth = grid.columnHeads.length
  const isMeasured = depth === 0 || new Set(grid.columns.map(column => column.measure)).size > 1
  const measureOf = (column: Column): string => (column.unit === 'money' ? t('grid.yuan', { measure: column.measure }) : column.measure)
  const headRows = depth + (isMeasured ? 1 : 0)
  // Under a head of its own the same word may follow: what stands above is part of what is compared.
  const above = (level: number): readonly string[] =>
    grid.columns.map(column =>
      column.isTotal ? (level === 0 ? (column.labels[0] ?? '') : '') : column.labels.slice(0, level + 1).join('\u0001'),
    )
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <div className="report-scroll" role="group" aria-label={grid.title} tabIndex={0}>
      <table className="report-table" data-wide={grid.columns.length + grid.rowHeads.length > wideFrom}>
        <caption className="visually-hidden">{grid.title}</caption>
        <thead>
          {Array.from({ length: headRows }, (_, level) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows of heads have no identity but their place
            <tr key={level}>
              {level === 0
                ? grid.rowHeads.map(head => (
                    <th key={head} scope="col" rowSpan={headRows}>
                      {head}
                    </th>
                  ))
                : null}
              {level < depth
                ? spansOf(above(level)).map(({ text, span, at }) => (
                    <th key={at} scope={span > 1 ? 'colgroup' : 'col'} colSpan={span}>
                      {text.split('\u0001').at(-1)}
                    </th>
                  ))
                : grid.columns.map((column, at) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place
                    <th key={at} scope="col">
                      {measureOf(column)}
                    </th>
                  ))}
            </tr>
          ))}
        </thead>
        <tbody>
          {grid.rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two rows may say the same, as subtotals do
            <tr key={index} data-level={levels[row.level]}>
              {grid.rowHeads.map((head, at) => (
                <th key={head} scope="row">
                  {row.labels[at]}
                </th>
              ))}
              {row.cells.map((cell, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its place
                <td key={at}>
                  {cell.state === cellState.hidden ? (
                    <>
                      <span aria-hidden="true" title={t('grid.hiddenCell')}>
                        *
                      </span>
                      <span className="visually-hidden">{t('grid.hiddenCell')}</span>
                    </>
                  ) : cell.value === null ? null : (
                    reportNumber(cell.value, (grid.columns[at]?.unit ?? 'count') as Unit)
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** What an office puts above and below its figures. */
export const GridNotes = ({ grid }: { readonly grid: ReportGrid }) => {
  const t = useT(reportTexts)
  // Under columns a single measure has no head of its own.
  const isSingle = grid.columnHeads.length > 0 && new Set(grid.columns.map(column => column.measure)).size === 1
  const single = isSingle ? grid.columns[0] : undefined
  return (
    <div className="report-notes">
      <p>
        {grid.conditions.length === 0
          ? t('grid.noFilters')
          : t('grid.filters', { text: grid.conditions.map(({ label, text }) => `${label} ${text}`).join('; ') })}
      </p>
      {single === undefined ? null : (
        <p>{t('grid.measure', { measure: single.unit === 'money' ? t('grid.yuan', { measure: single.measure }) : single.measure })}</p>
      )}
      <p>{t('grid.meta', { set: grid.dataSet, time: grid.madeTime, by: grid.madeBy })}</p>
    </div>
  )
}
export const GridFeet = ({ grid }: { readonly grid: ReportGrid }) => {
  const t = useT(reportTexts)
  const isBlank = grid.rows.some(row => row.cells.some(cell => cell.state === cellState.none))
  return (
    <div className="report-notes">
      {grid.hidden > 0 ? <p>{t('grid.hidden', { count: grid.hidden })}</p> : null}
      {isBlank ? <p>{t('grid.blank')}</p> : null}
      {grid.isMerged ? <p>{t('grid.merged')}</p> : null}
      {grid.leftOut > 0 ? <p>{t('grid.leftOut', { count: grid.leftOut })}</p> : null}
      {grid.showsFew ? <p>{t('grid.few')}</p> : null}
    </div>
  )
}

/** More bars than this lie, so that each has its name. */
const uprightBars = 8
const barPx = 24
/** More points than this have names at some of them. */
const namedPoints = 12

/** The chart of a result; a hidden cell is a gap in it. */
export const GridChart = ({ grid }: { readonly grid: ReportGrid }) => {
  const t = useT(reportTexts)
  const { chart } = grid
  const unit = chart.unit as Unit
  const count = chart.categories.length
  const isLying = (chart.kind === 'bar' || chart.kind === 'stacked') && count > uprightBars
  const valueName = chart.measure !== '' && unit === 'money' ? t('grid.yuan', { measure: chart.measure }) : chart.measure
  const data = useMemo(
    (): ChartData => ({
      kind: chart.kind === 'line' ? 'line' : chart.kind === 'pie' ? 'pie' : 'bar',
      stacked: chart.kind === 'stacked',
      lying: isLying,
      ...(valueName === '' ? {} : { valueName }),
      categories: chart.categories,
      axis: chart.axis,
      series: chart.series.map(({ title, values }) => ({
        name: title,
        values: unit === 'money' ? values.map(value => (value === null ? null : value / 100)) : values,
      })),
    }),
    [chart, unit, isLying, valueName],
  )
  const format = useMemo(() => (value: number) => reportNumber(unit === 'money' ? value * 100 : value, unit), [unit])
  if (chart.kind === 'none' || grid.totalRows === 0) return null
  const hasGaps = chart.series.some(series => series.values.includes(null))
  return (
    <div className="report-chart">
      <Chart title={grid.title} data={data} heightPx={isLying ? Math.max(320, 90 + count * barPx) : 320} format={format} />
      {chart.kind === 'pie' && valueName !== '' ? <p className="report-hint">{t('grid.measure', { measure: valueName })}</p> : null}
      {chart.allCategories > count || chart.allSeries > chart.series.length ? (
        <p className="report-hint">
          {t('grid.chart.first', { shown: count, all: chart.allCategories, series: chart.series.length, allSeries: chart.allSeries })}
        </p>
      ) : null}
      {chart.kind === 'line' && count > namedPoints ? <p className="report-hint">{t('grid.chart.labels')}</p> : null}
      {chart.isUndated ? <p className="report-hint">{t('grid.chart.undated')}</p> : null}
      {hasGaps ? <p className="report-hint">{t('grid.chart.hidden')}</p> : null}
    </div>
  )
}
