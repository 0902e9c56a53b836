import { useEffect } from 'react'
import { runStates } from '#contract/report/run.state.ts'
import { api } from '#web/kernel/api.ts'
import { useLabel, useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useCan } from '#web/kernel/permission.ts'
import { useCall } from '#web/kernel/query.ts'
import { goTo } from '#web/shell/go.ts'
import { usePage, useTabTitle } from '#web/shell/page-context.tsx'
import { prepareCharts } from '#web/ui/chart.tsx'
import { ProgressBar } from '#web/ui/progress-bar.tsx'
import { EmptyState, Loaded } from '#web/ui/states.tsx'
import { GridChart, GridFeet, GridNotes, GridTable } from '../grid-table.tsx'
import { reportTexts } from '../texts.ts'
import '../report.css'

const pollMs = 1_000

const Result = ({ id }: { readonly id: string }) => {
  const t = useT(reportTexts)
  const label = useLabel()
  const can = useCan()
  const first = useCall('GET /blade-report/report/result', { id }, { quiet: true, staleTimeMs: 0 })
  const isOpen = first.data !== undefined && (first.data.state === 0 || first.data.state === 3)
  const query = useCall('GET /blade-report/report/result', { id }, { quiet: true, refetchEveryMs: isOpen ? pollMs : false })
  useTabTitle(query.data === undefined ? null : { zh: query.data.reportName, en: query.data.reportName })
  useEffect(prepareCharts, [])
  const download = (format: 'xlsx' | 'pdf', reportName: string) =>
    api.download({ method: 'GET', path: '/blade-report/report/file', query: { id, format } }, `${reportName}.${format}`).catch(() => {})
  const cancel = async () => {
    const done = await api.call('POST /blade-report/report/cancel', { id }).catch(() => null)
    if (done !== null) notify('success', t('runs.cancelled'))
    await query.refetch()
  }
  const again = async (reportId: string) => {
    const made = await api.call('POST /blade-report/report/run', { id: reportId }).catch(() => null)
    if (made !== null) goTo(`/stat/report/open?id=${made.id}`, { replace: true })
  }
  return (
    <Loaded query={query}>
      {run => (
        <>
          <div className="page-head report-bar">
            <h1>{run.reportName}</h1>
            {run.grid === null ? null : (
              <>
                {can('report_export') ? (
                  <>
                    <button type="button" className="button button-primary" onClick={() => void download('xlsx', run.reportName)}>
                      {t('view.xlsx')}
                    </button>
                    <button type="button" className="button" onClick={() => void download('pdf', run.reportName)}>
                      {t('view.pdf')}
                    </button>
                  </>
                ) : null}
                <button type="button" className="button" onClick={() => print()}>
                  {t('view.print')}
                </button>
              </>
            )}
            {can('report_view') ? (
              <>
                {run.isScheduled ? null : (
                  <button type="button" className="button" onClick={() => void again(run.reportId)}>
                    {t('view.run')}
                  </button>
                )}
                <button type="button" className="button" onClick={() => goTo('/stat/report')}>
                  {t('view.back')}
                </button>
              </>
            ) : null}
          </div>
          {run.state === 0 || run.state === 3 ? (
            <div className="card report-view" role="status">
              <p>{t('view.working')}</p>
              <ProgressBar label={t('runs.progress')} percent={run.progress} text={`${run.progress} %`} />
              <button type="button" className="button" onClick={() => void cancel()}>
                {t('runs.cancel')}
              </button>
            </div>
          ) : null}
          {run.state === 5 ? <EmptyState text={run.problem ?? label(runStates.label.failed)} /> : null}
          {run.state === 6 ? <EmptyState text={t('view.cancelled')} /> : null}
          {run.grid === null ? null : (
            <article className="card report-view">
              <p className="report-bureau">{run.grid.bureau}</p>
              <h2 className="report-title">{run.grid.title}</h2>
              <GridNotes grid={run.grid} />
              {/* Before the table, so that it is not alone on the last sheet. */}
              <GridChart grid={run.grid} />
              <GridTable grid={run.grid} />
              <GridFeet grid={run.grid} />
              <p className="report-confidential report-notes">{t('grid.confidential')}</p>
            </article>
          )}
        </>
      )}
    </Loaded>
  )
}

/** The result of a run: for whoever ran it, and for those it was sent to. */
export const Page = () => {
  const t = useT(reportTexts)
  const { search } = usePage()
  const id = search.get('id') ?? ''
  if (!/^\d{1,18}$/.test(id))
    return (
      <>
        <div className="page-head">
          <h1>{t('view.title')}</h1>
        </div>
        <EmptyState text={t('view.none')} />
      </>
    )
  return <Result key={id} id={id} />
}
