import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import type { JobInstanceView } from '#contract/job/job.routes.ts'
import { liveStates, logLevels, runKinds, runState, runStates, runTones } from '#contract/job/words.ts'
import type { Label } from '#contract/kernel/label.ts'
import { api } from '#web/kernel/api.ts'
import { useLabel, useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useCan } from '#web/kernel/permission.ts'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import { Chart } from '#web/ui/chart.tsx'
import { type Column, DataTable, type RowAction } from '#web/ui/data-table.tsx'
import { confirm } from '#web/ui/dialog.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { EmptyState, Loaded } from '#web/ui/states.tsx'
import { StatusTag } from '#web/ui/status-tag.tsx'
import { jobTexts } from './texts.ts'
import './job.css'

const wordOf = (words: Readonly<Record<number, Label>>, value: number): Label => words[value] ?? { zh: String(value), en: String(value) }
const chartHeightPx = 180

const State = ({ state }: { readonly state: number }) => {
  const label = useLabel()
  return <StatusTag tone={runTones[state] ?? 'draft'} text={label(wordOf(runStates, state))} />
}

const Last = ({ jobId }: { readonly jobId: string }) => {
  const t = useT(jobTexts)
  const { data = [] } = useQuery({
    queryKey: ['job-runs', jobId, 'chart'],
    queryFn: ({ signal }) => api.call('GET /blade-job/job-instance/chart', { jobInfoId: jobId }, { signal, quiet: true }),
  })
  const of = (isDone: boolean) => data.map(run => ((run.state === runState.done) === isDone ? run.durationMs : null))
  return (
    <Chart
      title={t('runs.chart')}
      heightPx={chartHeightPx}
      data={{
        kind: 'bar',
        stacked: true,
        axis: t('runs.axis'),
        categories: data.map(run => run.at),
        series: [
          { name: t('runs.done'), values: of(true) },
          { name: t('runs.failed'), values: of(false) },
        ],
      }}
    />
  )
}

const Detail = ({ id, onBack }: { readonly id: string; readonly onBack: () => void }) => {
  const t = useT(jobTexts)
  const label = useLabel()
  const query = useQuery({
    queryKey: ['job-runs', 'detail', id],
    queryFn: ({ signal }) => api.call('GET /blade-job/job-instance/detail', { id }, { signal, quiet: true }),
    staleTime: 0,
  })
  return (
    <>
      <button type="button" className="link-button" onClick={onBack}>
        {t('runs.back')}
      </button>
      <Loaded query={query} skeletonRows={4}>
        {run => (
          <>
            <Facts
              items={[
                { key: 'id', label: t('runs.id'), value: run.instanceId || run.id },
                { key: 'state', label: t('runs.state'), value: <State state={run.state} /> },
                { key: 'kind', label: t('runs.kind'), value: label(wordOf(runKinds, run.kind)) },
                { key: 'by', label: t('runs.by'), value: run.startedBy },
                { key: 'due', label: t('runs.due'), value: run.dueTime },
                { key: 'start', label: t('runs.start'), value: run.startTime ?? '' },
                { key: 'end', label: t('runs.end'), value: run.endTime ?? '' },
                { key: 'attempt', label: t('runs.attempt'), value: String(run.attempt) },
                { key: 'host', label: t('runs.host'), value: run.host },
                { key: 'params', label: t('runs.params'), value: run.params },
                { key: 'result', label: t('runs.result'), value: run.result },
                ...(run.parts > 0 ? [{ key: 'parts', label: t('runs.parts'), value: `${run.partsDone} / ${run.parts}` }] : []),
              ]}
            />
            <h3>{t('runs.log')}</h3>
            {run.logs.length === 0 ? (
              <EmptyState text={t('runs.log.none')} />
            ) : (
              // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard
              <section className="job-log" tabIndex={0} aria-label={t('runs.log')}>
                {run.logs.map(line => `${line.at} ${label(wordOf(logLevels, line.level))} ${line.text}`).join('\n')}
              </section>
            )}
          </>
        )}
      </Loaded>
    </>
  )
}

const size = 10

/** The runs of a job: how they went, what each said, and what to do with them. */
export const RunsDialog = ({
  jobId,
  jobName,
  onClose,
}: {
  readonly jobId: string
  readonly jobName: string
  readonly onClose: () => void
}) => {
  const t = useT(jobTexts)
  const label = useLabel()
  const client = useQueryClient()
  const mayRun = useCan()('jobinfo_run')
  const [current, setCurrent] = useState(1)
  const [opened, setOpened] = useState<string | null>(null)
  const query = useQuery({
    queryKey: ['job-runs', jobId, current],
    queryFn: ({ signal }) => api.call('GET /blade-job/job-instance/list', { jobInfoId: jobId, current, size }, { signal, quiet: true }),
  })
  const reload = useCallback(() => client.invalidateQueries({ queryKey: ['job-runs'] }), [client])
  const columns = useMemo(
    (): readonly Column<JobInstanceView>[] => [
      { key: 'due', title: t('runs.due'), cell: run => run.dueTime },
      { key: 'state', title: t('runs.state'), cell: run => <State state={run.state} /> },
      {
        key: 'duration',
        title: t('runs.duration'),
        align: 'right',
        cell: run => (run.durationMs === null ? '' : t('runs.ms', { ms: run.durationMs })),
      },
      { key: 'kind', title: t('runs.kind'), cell: run => label(wordOf(runKinds, run.kind)) },
      { key: 'by', title: t('runs.by'), cell: run => run.startedBy },
      { key: 'result', title: t('runs.result'), cell: run => run.result },
    ],
    [t, label],
  )
  const actions = useCallback(
    (run: JobInstanceView): readonly RowAction[] => {
      const stop = async () => {
        if (!(await confirm({ title: t('runs.stop'), text: t('runs.stop.ask'), ok: t('runs.stop'), danger: true }))) return
        try {
          await api.call('POST /blade-job/job-instance/stop', { id: run.id })
          notify('success', t('runs.stop.done'))
        } catch {
          // The api client has said why.
        }
        await reload()
      }
      const retry = async () => {
        try {
          const { instanceId } = await api.call('POST /blade-job/job-instance/retry', { id: run.id })
          notify('success', t('runs.retry.done', { id: instanceId }))
        } catch {
          // The api client has said why.
        }
        await reload()
      }
      const isLive = liveStates.includes(run.state)
      return [
        { key: 'detail', label: t('runs.detail'), onRun: () => setOpened(run.id) },
        ...(mayRun && isLive ? [{ key: 'stop', label: t('runs.stop'), danger: true, onRun: () => void stop() }] : []),
        ...(mayRun && !isLive ? [{ key: 'retry', label: t('runs.retry'), onRun: () => void retry() }] : []),
      ]
    },
    [t, mayRun, reload],
  )
  const title = t('runs.title', { name: jobName })
  return (
    <ActionDialog title={title} size="drawer" onClose={onClose}>
      {opened === null ? (
        <>
          <Last jobId={jobId} />
          <DataTable
            name="job-runs"
            caption={title}
            rows={query.data?.records}
            rowId={run => run.id}
            rowName={run => run.dueTime}
            columns={columns}
            rowActions={actions}
            page={{ current, size, total: query.data?.total ?? 0, onChange: setCurrent }}
            error={query.isError ? { onRetry: () => void query.refetch() } : null}
            onRefresh={() => void reload()}
            empty={<EmptyState text={t('runs.empty')} />}
          />
        </>
      ) : (
        <Detail id={opened} onBack={() => setOpened(null)} />
      )}
    </ActionDialog>
  )
}
