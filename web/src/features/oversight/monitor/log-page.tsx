import { type ReactNode, useCallback, useMemo, useState } from 'react'
import type { LogKind } from '#contract/log/log.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { useCan } from '#web/kernel/permission.ts'
import { useCall } from '#web/kernel/query.ts'
import { CrudPage, type ListQuery } from '#web/resource/crud-page.tsx'
import { ExportButtons } from '#web/resource/export-buttons.tsx'
import { startExport } from '#web/resource/export-jobs.ts'
import type { SearchField } from '#web/resource/search-row.tsx'
import type { Column, RowAction } from '#web/ui/data-table.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { rowId, useLoad } from './load.ts'
import { logTexts } from './log-texts.ts'
import { usePurge } from './use-purge.tsx'
import './monitor.css'

interface Props<Row> {
  readonly kind: LogKind
  readonly title: string
  readonly columns: readonly Column<Row>[]
  readonly search: readonly SearchField[]
  readonly rowName: (row: Row) => string
  /** The drawer of one line; `ofTenant` is whose log it stands in. */
  readonly detail: (line: { readonly id: string; readonly ofTenant?: string; readonly onClose: () => void }) => ReactNode
  readonly above?: ReactNode
  readonly empty: string
}

const calls = {
  usual: { list: '/blade-log/usual/list', export: '/blade-log/usual/export' },
  api: { list: '/blade-log/api/list', export: '/blade-log/api/export' },
  error: { list: '/blade-log/error/list', export: '/blade-log/error/export' },
} as const satisfies Readonly<Record<LogKind, object>>

/** The other tenants, for operators of the platform. */
const useTenants = (enabled: boolean) => {
  const { data } = useCall('GET /blade-system/tenant/list', { status_equal: 1, size: 200 }, { enabled, quiet: true })
  return useMemo(() => data?.records.map(tenant => ({ value: tenant.tenantId, label: tenant.tenantName })) ?? [], [data])
}

/** One of the logs: its list with export, purge and the drawer of a line. */
export const LogPage = <Row extends { readonly id: string; readonly tenantId: string }>(props: Props<Row>) => {
  const { kind, title, columns, search, rowName, detail, above, empty } = props
  const t = useT(logTexts)
  const can = useCan()
  const load = useLoad<Row>(calls[kind].list)
  const seesOthers = can(`log_${kind}_other`)
  const tenants = useTenants(seesOthers)
  const [viewed, setViewed] = useState<Row | null>(null)
  const purge = usePurge(kind, `log-${kind}`)
  const actions = useCallback(
    (row: Row): readonly RowAction[] => [{ key: 'view', label: t('action.view'), onRun: () => setViewed(row) }],
    [t],
  )
  const download = (query: ListQuery) => {
    const { current: _current, size: _size, ascs: _ascs, descs: _descs, ...rest } = query
    return startExport({ method: 'GET', path: calls[kind].export, query: rest }, title)
  }
  const tenantField: readonly SearchField[] = seesOthers
    ? [{ kind: 'select', key: 'ofTenant', label: t('log.tenant'), options: tenants }]
    : []
  return (
    <>
      <CrudPage<Row>
        name={`log-${kind}`}
        title={title}
        columns={columns}
        search={[...search, ...tenantField]}
        load={load}
        rowId={rowId}
        rowName={rowName}
        rowActions={actions}
        above={above}
        empty={<EmptyState text={empty} />}
        onExport={can(`log_${kind}_export`) ? query => void download(query) : undefined}
        toolbar={({ query }) => (
          <>
            {can(`log_${kind}_export`) ? <ExportButtons onExport={() => download(query)} /> : null}
            {purge.button}
          </>
        )}
      />
      {viewed === null ? null : detail({ id: viewed.id, ofTenant: viewed.tenantId, onClose: () => setViewed(null) })}
      {purge.dialog}
    </>
  )
}
