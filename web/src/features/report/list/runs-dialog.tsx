import { useMemo } from 'react'
import { type ApiOutput, api } from '#web/kernel/api.ts'
import { minuteOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useCall } from '#web/kernel/query.ts'
import { goTo } from '#web/shell/go.ts'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import { type Column, DataTable, type RowAction } from '#web/ui/data-table.tsx'
import { EmptyState, Loaded } from '#web/ui/states.tsx'
import { RunState } from '../run-state.tsx'
import { reportTexts } from '../texts.ts'
import '../report.css'

type Run = ApiOutput<'GET /blade-report/report/detail'>['runs'][number]
const isOpen = (run: Run) => run.state === 0 || run.state === 3
const rowId = (run: Run) => run.id
const pollMs = 1_500

/** What became of a report's runs, while they go on too. */
export const RunsDialog = ({ id, name, onClose }: { readonly id: string; readonly name: string; readonly onClose: () => void }) => {
  const t = useT(reportTexts)
  const query = useCall('GET /blade-report/report/detail', { id }, { quiet: true, staleTimeMs: 0 })
  const live = query.data?.runs.some(isOpen) === true
  useCall('GET /blade-report/report/detail', { id }, { quiet: true, enabled: live, refetchEveryMs: live ? pollMs : false })
  const columns = useMemo(
    (): readonly Column<Run>[] => [
      { key: 'createTime', title: t('runs.time'), cell: run => minuteOf(run.createTime) },
      { key: 'kind', title: t('runs.kind'), cell: run => t(run.isScheduled ? 'runs.kind.timed' : 'runs.kind.hand') },
      { key: 'state', title: t('runs.state'), cell: run => <RunState state={run.state} /> },
      { key: 'progress', title: t('runs.progress'), align: 'right', cell: run => run.problem ?? `${run.progress} %` },
      { key: 'expireTime', title: t('runs.until'), cell: run => minuteOf(run.expireTime ?? '') },
    ],
    [t],
  )
  const actions = (run: Run): readonly RowAction[] => [
    ...(run.state === 4
      ? [
          {
            key: 'open',
            label: t('runs.open'),
            onRun: () => {
              onClose()
              goTo(`/stat/report/open?id=${run.id}`)
            },
          },
        ]
      : []),
    ...(isOpen(run)
      ? [
          {
            key: 'cancel',
            label: t('runs.cancel'),
            danger: true,
            onRun: () =>
              void api
                .call('POST /blade-report/report/cancel', { id: run.id })
                .then(() => notify('success', t('runs.cancelled')))
                .catch(() => {})
                .then(() => query.refetch()),
          },
        ]
      : []),
  ]
  return (
    <ActionDialog title={t('runs.title', { name })} size="three" onClose={onClose}>
      <p className="report-hint">{t('runs.lead')}</p>
      <Loaded query={query} skeletonRows={4}>
        {({ runs }) =>
          runs.length === 0 ? (
            <EmptyState text={t('runs.empty')} />
          ) : (
            <DataTable
              name="report-runs"
              caption={t('list.runs')}
              rows={runs}
              rowId={rowId}
              rowName={run => run.createTime}
              columns={columns}
              rowActions={actions}
            />
          )
        }
      </Loaded>
    </ActionDialog>
  )
}
