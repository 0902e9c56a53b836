import { useMemo } from 'react'
import type { ApiOutput } from '#web/kernel/api.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { useCall } from '#web/kernel/query.ts'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import type { Column } from '#web/ui/data-table.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { Loaded } from '#web/ui/states.tsx'
import { StatusTag } from '#web/ui/status-tag.tsx'
import { timeField } from './load.ts'
import { LogPage } from './log-page.tsx'
import { logTexts } from './log-texts.ts'
import { monitorTexts } from './texts.ts'

type Row = ApiOutput<'GET /blade-log/api/list'>['records'][number]
const rowName = (row: Row) => `${row.method} ${row.requestUri}`

const Detail = ({ id, ofTenant, onClose }: { readonly id: string; readonly ofTenant?: string; readonly onClose: () => void }) => {
  const t = useT(logTexts)
  const m = useT(monitorTexts)
  const line = useCall('GET /blade-log/api/detail', { id, ...(ofTenant ? { ofTenant } : {}) })
  return (
    <ActionDialog title={t('api.view')} size="drawer" onClose={onClose}>
      <Loaded query={line} skeletonRows={8}>
        {of => (
          <Facts
            items={[
              { key: 'time', label: m('col.time'), value: of.createTime },
              { key: 'account', label: m('col.account'), value: of.account },
              {
                key: 'kind',
                label: m('col.kind'),
                value: of.userType === 1 || of.userType === 2 || of.userType === 3 ? m(`col.kind.${of.userType}`) : '',
              },
              { key: 'call', label: t('api.uri'), value: `${of.method} ${of.requestUri}` },
              { key: 'means', label: t('api.means'), value: of.title },
              { key: 'status', label: t('api.status'), value: String(of.status) },
              { key: 'reason', label: t('api.reason'), value: of.reason },
              { key: 'took', label: t('api.time'), value: t('api.ms', { ms: of.time }) },
              {
                key: 'params',
                label: t('api.params'),
                value: (
                  <>
                    <pre className="log-text">{of.params || '-'}</pre>
                    <small>{t('api.params.note')}</small>
                  </>
                ),
              },
              { key: 'ip', label: m('col.ip'), value: of.remoteIp },
              { key: 'agent', label: m('col.agent'), value: of.userAgent },
              { key: 'trace', label: m('col.trace'), value: of.traceId },
              { key: 'host', label: t('log.host'), value: of.serverHost },
            ]}
          />
        )}
      </Loaded>
    </ActionDialog>
  )
}

/** Who called what, with which outcome. */
export const Page = () => {
  const t = useT(logTexts)
  const m = useT(monitorTexts)
  const columns = useMemo(
    (): readonly Column<Row>[] => [
      { key: 'createTime', title: m('col.time'), sortBy: 'createTime', cell: row => row.createTime },
      { key: 'account', title: m('col.account'), width: 140, cell: row => row.account },
      { key: 'requestUri', title: t('api.uri'), width: 310, cell: row => `${row.method} ${row.requestUri}` },
      {
        key: 'status',
        title: t('api.status'),
        sortBy: 'status',
        width: 110,
        cell: row => <StatusTag tone={row.status < 400 ? 'passed' : row.status < 500 ? 'waiting' : 'refused'} text={String(row.status)} />,
      },
      { key: 'reason', title: t('api.reason'), width: 180, cell: row => row.reason },
      { key: 'time', title: t('api.time'), sortBy: 'time', align: 'right', cell: row => t('api.ms', { ms: row.time }) },
      { key: 'remoteIp', title: m('col.ip'), cell: row => row.remoteIp },
      { key: 'traceId', title: m('col.trace'), hidden: true, cell: row => row.traceId },
      { key: 'serverHost', title: t('log.host'), hidden: true, cell: row => row.serverHost },
    ],
    [t, m],
  )
  return (
    <LogPage<Row>
      kind="api"
      title={t('api.title')}
      columns={columns}
      rowName={rowName}
      search={[
        { kind: 'text', key: 'account', label: m('col.account') },
        { kind: 'text', key: 'requestUri', label: t('api.uri') },
        timeField(m('col.time')),
        {
          kind: 'select',
          key: 'failed',
          label: t('api.status'),
          options: [
            { value: '0', label: t('api.status.ok') },
            { value: '1', label: t('api.status.failed') },
          ],
        },
        { kind: 'select', key: 'method', label: t('api.method'), options: ['GET', 'POST'].map(value => ({ value, label: value })) },
        { kind: 'text', key: 'remoteIp', label: m('col.ip') },
        { kind: 'text', key: 'slower', label: t('api.slower') },
        { kind: 'text', key: 'traceId', label: m('col.trace') },
      ]}
      detail={line => <Detail {...line} />}
      empty={t('api.empty')}
    />
  )
}
