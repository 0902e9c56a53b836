import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useCallback, useMemo } from 'react'
import { alertMachine } from '#contract/oversight/alert.state.ts'
import { measureLabels, measures } from '#contract/oversight/measure.ts'
import { api } from '#web/kernel/api.ts'
import { grouped, minuteOf } from '#web/kernel/format.ts'
import { useLabel, useT } from '#web/kernel/i18n/index.ts'
import { useCan } from '#web/kernel/permission.ts'
import { CrudPage, type ListQuery, listKey } from '#web/resource/crud-page.tsx'
import type { PageOf } from '#web/resource/page-of.ts'
import { usePage } from '#web/shell/page-context.tsx'
import type { Column, RowAction } from '#web/ui/data-table.tsx'
import { useStateOptions } from '#web/ui/state-tag.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { AlertState, useWho } from './alert-words.tsx'
import { watchTexts } from './texts.ts'
import { type AlertRow, isOpen } from './wire.ts'

const AlertDialog = lazy(async () => ({ default: (await import('./alert-dialog.tsx')).AlertDialog }))

const name = 'watch-alert'
/** The alert that is open stands in the address beside the list's state: a notice leads to it. */
const chosen = 'alert.id'
const rowId = (row: AlertRow) => row.id

/** Unusual volume, the newest on top: who, what, how much, and what was found (security 3.8). */
export const Page = () => {
  const t = useT(watchTexts)
  const label = useLabel()
  const states = useStateOptions(alertMachine)
  const can = useCan()
  const who = useWho()
  const client = useQueryClient()
  const { search, setSearch } = usePage()
  const id = search.get(chosen)
  const choose = useCallback((next: string | null) => setSearch({ ...Object.fromEntries(search), [chosen]: next }), [search, setSearch])
  const mayHandle = can('alert_handle')
  const columns = useMemo(
    (): readonly Column<AlertRow>[] => [
      { key: 'raisedTime', title: t('alert.raised'), cell: row => minuteOf(row.raisedTime) },
      { key: 'who', title: t('alert.who'), width: 160, cell: who },
      { key: 'ruleName', title: t('alert.rule'), width: 240, cell: row => row.ruleName },
      { key: 'measure', title: t('alert.what'), hidden: true, cell: row => label(measureLabels[row.measure]) },
      { key: 'amount', title: t('alert.amount'), align: 'right', cell: row => grouped(row.amount) },
      { key: 'limit', title: t('alert.limit'), align: 'right', cell: row => grouped(row.limit) },
      { key: 'usual', title: t('alert.usual'), align: 'right', cell: row => grouped(row.usual) },
      { key: 'state', title: t('alert.state'), cell: row => <AlertState state={row.state} /> },
      { key: 'handler', title: t('alert.handler'), cell: row => row.handler ?? '' },
    ],
    [t, label, who],
  )
  const actions = useCallback(
    (row: AlertRow): readonly RowAction[] => [
      { key: 'view', label: t(mayHandle && isOpen(row) ? 'alert.handle' : 'alert.view'), onRun: () => choose(row.id) },
    ],
    [t, mayHandle, choose],
  )
  const load = useCallback(
    (query: ListQuery, signal: AbortSignal) =>
      api.request<PageOf<AlertRow>>({ method: 'GET', path: '/blade-watch/alert/list', query, signal, quiet: true }),
    [],
  )
  return (
    <>
      <CrudPage<AlertRow>
        name={name}
        title={t('alert.title')}
        columns={columns}
        search={[
          { kind: 'text', key: 'account', label: t('alert.person') },
          {
            kind: 'select',
            key: 'state',
            label: t('alert.state'),
            options: states,
          },
          { kind: 'range', key: 'time', label: t('alert.window'), from: 'from', to: 'to', of: 'instant' },
          {
            kind: 'select',
            key: 'measure',
            label: t('alert.what'),
            options: measures.map(measure => ({ value: measure, label: label(measureLabels[measure]) })),
          },
          { kind: 'select', key: 'open', label: t('alert.open'), options: [{ value: '1', label: t('alert.open') }] },
        ]}
        load={load}
        rowId={rowId}
        rowName={who}
        rowActions={actions}
        empty={<EmptyState text={t('alert.empty')} />}
      />
      {id === null ? null : (
        <Suspense>
          <AlertDialog
            key={id}
            id={id}
            onClose={() => choose(null)}
            onDone={() => void client.invalidateQueries({ queryKey: listKey(name) })}
          />
        </Suspense>
      )}
    </>
  )
}
