import { type ReactNode, useCallback, useMemo, useState } from 'react'
import type { ApiOutput } from '#web/kernel/api.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { CrudPage } from '#web/resource/crud-page.tsx'
import type { Column, RowAction } from '#web/ui/data-table.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { ErrorDetail } from './error-detail.tsx'
import { rowId, timeField, useLoad } from './load.ts'
import { logTexts } from './log-texts.ts'
import { monitorTexts } from './texts.ts'

type Row = ApiOutput<'GET /blade-log/error/groups'>['records'][number]
const rowName = (row: Row) => row.message

/** Errors with one cause as one line, with how often and since when. */
export const ErrorGroups = ({ above }: { readonly above: ReactNode }) => {
  const t = useT(monitorTexts)
  const l = useT(logTexts)
  const load = useLoad<Row>('/blade-log/error/groups')
  const [viewed, setViewed] = useState<string | null>(null)
  const columns = useMemo(
    (): readonly Column<Row>[] => [
      { key: 'occurrences', title: l('error.times'), align: 'right', cell: row => row.occurrences },
      { key: 'message', title: t('error.message'), width: 360, cell: row => row.message },
      { key: 'kind', title: t('error.kind'), cell: row => row.kind },
      { key: 'requestUri', title: t('error.uri'), width: 220, cell: row => row.requestUri },
      { key: 'lastTime', title: l('error.last'), cell: row => row.lastTime },
      { key: 'firstTime', title: l('error.first'), cell: row => row.firstTime },
      { key: 'digest', title: l('error.digest'), hidden: true, cell: row => row.digest },
    ],
    [t, l],
  )
  const actions = useCallback(
    (row: Row): readonly RowAction[] => [{ key: 'view', label: t('action.view'), onRun: () => setViewed(row.id) }],
    [t],
  )
  return (
    <>
      <CrudPage<Row>
        name="log-error-groups"
        title={t('error.title')}
        columns={columns}
        above={above}
        search={[
          { kind: 'text', key: 'message', label: t('error.message') },
          { kind: 'text', key: 'requestUri', label: t('error.uri') },
          timeField(t('col.time')),
        ]}
        load={load}
        rowId={rowId}
        rowName={rowName}
        rowActions={actions}
        empty={<EmptyState text={t('error.empty')} />}
      />
      {viewed === null ? null : <ErrorDetail id={viewed} onClose={() => setViewed(null)} />}
    </>
  )
}
