import { useCallback, useMemo, useState } from 'react'
import type { ApiOutput } from '#web/kernel/api.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { useCall } from '#web/kernel/query.ts'
import { CrudPage } from '#web/resource/crud-page.tsx'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import type { Column, RowAction } from '#web/ui/data-table.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { EmptyState, Loaded } from '#web/ui/states.tsx'
import { rowId, timeField, useLoad } from './load.ts'
import { monitorTexts } from './texts.ts'
import './monitor.css'

type Row = ApiOutput<'GET /blade-log/error/list'>['records'][number]
const rowName = (row: Row) => row.message
const sourceOf = (source: string) => (source === 'server' ? 'server' : 'browser')

const Detail = ({ id, onClose }: { readonly id: string; readonly onClose: () => void }) => {
  const t = useT(monitorTexts)
  const found = useCall('GET /blade-log/error/detail', { id })
  return (
    <ActionDialog title={t('error.view')} size="two" onClose={onClose}>
      <Loaded query={found} skeletonRows={8}>
        {of => (
          <Facts
            items={[
              { key: 'time', label: t('col.time'), value: of.createTime },
              { key: 'account', label: t('col.account'), value: of.account },
              { key: 'source', label: t('error.source'), value: t(`error.source.${sourceOf(of.source)}`) },
              { key: 'kind', label: t('error.kind'), value: of.kind },
              { key: 'message', label: t('error.message'), value: <pre className="log-text">{of.message}</pre> },
              { key: 'uri', label: t('error.uri'), value: of.requestUri },
              { key: 'stack', label: t('error.stack'), value: <pre className="log-text">{of.stackTrace}</pre> },
              { key: 'info', label: t('error.info'), value: <pre className="log-text">{of.info}</pre> },
              { key: 'clientTime', label: t('error.clientTime'), value: of.clientTime },
              { key: 'ip', label: t('col.ip'), value: of.remoteIp },
              { key: 'agent', label: t('col.agent'), value: of.userAgent },
              { key: 'trace', label: t('col.trace'), value: of.traceId },
            ]}
          />
        )}
      </Loaded>
    </ActionDialog>
  )
}

/** Errors that browsers reported. */
export const Page = () => {
  const t = useT(monitorTexts)
  const load = useLoad<Row>('/blade-log/error/list')
  const [viewed, setViewed] = useState<string | null>(null)
  const columns = useMemo(
    (): readonly Column<Row>[] => [
      { key: 'createTime', title: t('col.time'), cell: row => row.createTime },
      { key: 'account', title: t('col.account'), cell: row => row.account },
      { key: 'source', title: t('error.source'), cell: row => t(`error.source.${sourceOf(row.source)}`) },
      { key: 'message', title: t('error.message'), width: 320, cell: row => row.message },
      { key: 'requestUri', title: t('error.uri'), width: 220, cell: row => row.requestUri },
      { key: 'kind', title: t('error.kind'), hidden: true, cell: row => row.kind },
      { key: 'traceId', title: t('col.trace'), hidden: true, cell: row => row.traceId },
    ],
    [t],
  )
  const actions = useCallback(
    (row: Row): readonly RowAction[] => [{ key: 'view', label: t('action.view'), onRun: () => setViewed(row.id) }],
    [t],
  )
  return (
    <>
      <CrudPage<Row>
        name="error-log"
        title={t('error.title')}
        columns={columns}
        search={[
          { kind: 'text', key: 'message', label: t('error.message') },
          { kind: 'text', key: 'account', label: t('col.account') },
          timeField(t('col.time')),
          { kind: 'text', key: 'requestUri', label: t('error.uri') },
        ]}
        load={load}
        rowId={rowId}
        rowName={rowName}
        rowActions={actions}
        empty={<EmptyState text={t('error.empty')} />}
      />
      {viewed === null ? null : <Detail id={viewed} onClose={() => setViewed(null)} />}
    </>
  )
}
