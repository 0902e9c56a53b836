import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useCallback, useMemo, useState } from 'react'
import { type ApiOutput, api } from '#web/kernel/api.ts'
import { minuteOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useCan } from '#web/kernel/permission.ts'
import { CrudPage, type ListQuery, listKey } from '#web/resource/crud-page.tsx'
import { goTo } from '#web/shell/go.ts'
import type { Column, RowAction } from '#web/ui/data-table.tsx'
import { confirm } from '#web/ui/dialog.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { StatusTag } from '#web/ui/status-tag.tsx'
import { reportTexts } from '../texts.ts'

const RunsDialog = lazy(async () => ({ default: (await import('./runs-dialog.tsx')).RunsDialog }))
const SendDialog = lazy(async () => ({ default: (await import('./send-dialog.tsx')).SendDialog }))

type Row = ApiOutput<'GET /blade-report/report/list'>['records'][number]
const name = 'reports'
const rowId = (row: Row) => row.id
const rowName = (row: Row) => row.reportName
const load = (query: ListQuery, signal: AbortSignal) =>
  api.request<ApiOutput<'GET /blade-report/report/list'>>({ method: 'GET', path: '/blade-report/report/list', query, signal })

/** Reports that this person sees: run, opened, sent. */
export const Page = () => {
  const t = useT(reportTexts)
  const can = useCan()
  const client = useQueryClient()
  const [shown, setShown] = useState<Row | null>(null)
  const [sent, setSent] = useState<Row | null>(null)
  const again = useCallback(() => client.invalidateQueries({ queryKey: listKey(name) }), [client])
  const columns = useMemo(
    (): readonly Column<Row>[] => [
      { key: 'reportName', title: t('list.name'), width: 240, cell: row => row.reportName },
      { key: 'dataSetName', title: t('list.set'), cell: row => row.dataSetName },
      {
        key: 'state',
        title: t('list.state'),
        cell: row => (
          <StatusTag tone={row.needsMending ? 'refused' : 'passed'} text={t(row.needsMending ? 'list.state.mend' : 'list.state.fine')} />
        ),
      },
      { key: 'ownerName', title: t('list.owner'), cell: row => row.ownerName },
      {
        key: 'roleNames',
        title: t('list.roles'),
        cell: row => (row.roleNames.length === 0 ? t('list.onlyOwner') : row.roleNames.join(t('list.separator'))),
      },
      { key: 'nextTime', title: t('list.next'), cell: row => minuteOf(row.nextTime ?? '') },
      { key: 'updateTime', title: t('list.updated'), cell: row => minuteOf(row.updateTime) },
    ],
    [t],
  )
  const run = useCallback(async (row: Row) => {
    try {
      const { id } = await api.call('POST /blade-report/report/run', { id: row.id })
      goTo(`/stat/report/open?id=${id}`)
    } catch {
      // The api client has said why.
    }
  }, [])
  const remove = useCallback(
    async (row: Row) => {
      const text = t('list.remove.ask', { name: row.reportName })
      if (!(await confirm({ title: t('list.remove'), text, danger: true }))) return
      const done = await api.call('POST /blade-report/report/remove', { ids: row.id }).catch(() => null)
      if (done !== null) notify('success', t('list.removed'))
      await again()
    },
    [t, again],
  )
  const [mayAdd, mayEdit, maySend, mayDelete] = [can('report_add'), can('report_edit'), can('report_send'), can('report_delete')]
  const actions = useCallback(
    (row: Row): readonly RowAction[] => [
      ...(row.needsMending ? [] : [{ key: 'run', label: t('list.run'), onRun: () => void run(row) }]),
      { key: 'runs', label: t('list.runs'), onRun: () => setShown(row) },
      ...(mayEdit && row.isOwn ? [{ key: 'edit', label: t('list.edit'), onRun: () => goTo(`/stat/report/design/${row.id}`) }] : []),
      ...(mayAdd ? [{ key: 'copy', label: t('list.copy'), onRun: () => goTo(`/stat/report/design/new?from=${row.id}`) }] : []),
      ...(maySend && row.isOwn && !row.needsMending ? [{ key: 'send', label: t('list.send'), onRun: () => setSent(row) }] : []),
      ...(mayDelete && row.isOwn ? [{ key: 'remove', label: t('list.remove'), danger: true, onRun: () => void remove(row) }] : []),
    ],
    [t, mayAdd, mayEdit, maySend, mayDelete, run, remove],
  )
  const create = (
    <button type="button" className="button button-primary" onClick={() => goTo('/stat/report/design/new')}>
      {t('list.new')}
    </button>
  )
  return (
    <>
      <CrudPage<Row>
        name={name}
        title={t('list.title')}
        columns={columns}
        search={[{ kind: 'text', key: 'reportName', label: t('list.name') }]}
        load={load}
        rowId={rowId}
        rowName={rowName}
        rowActions={actions}
        toolbar={() => (mayAdd ? create : null)}
        empty={<EmptyState text={t('list.empty')} action={mayAdd ? create : undefined} />}
      />
      <Suspense>
        {shown === null ? null : <RunsDialog id={shown.id} name={shown.reportName} onClose={() => setShown(null)} />}
        {sent === null ? null : (
          <SendDialog
            id={sent.id}
            name={sent.reportName}
            onClose={() => {
              setSent(null)
              void again()
            }}
          />
        )}
      </Suspense>
    </>
  )
}
