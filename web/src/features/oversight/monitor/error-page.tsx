import { useMemo } from 'react'
import type { ApiOutput } from '#web/kernel/api.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { ChoiceBar } from '#web/resource/choice.tsx'
import { usePage } from '#web/shell/page-context.tsx'
import type { Column } from '#web/ui/data-table.tsx'
import { ErrorDetail, sourceOf, sources } from './error-detail.tsx'
import { ErrorGroups } from './error-groups.tsx'
import { timeField } from './load.ts'
import { LogPage } from './log-page.tsx'
import { logTexts } from './log-texts.ts'
import { monitorTexts } from './texts.ts'

type Row = ApiOutput<'GET /blade-log/error/list'>['records'][number]
const rowName = (row: Row) => row.message

/** Errors that browsers reported and the server met, each for itself or by cause. */
export const Page = () => {
  const t = useT(monitorTexts)
  const l = useT(logTexts)
  const page = usePage()
  const isGrouped = page.search.get('shown') === 'groups'
  const columns = useMemo(
    (): readonly Column<Row>[] => [
      { key: 'createTime', title: t('col.time'), sortBy: 'createTime', cell: row => row.createTime },
      { key: 'account', title: t('col.account'), cell: row => row.account },
      { key: 'source', title: t('error.source'), cell: row => t(`error.source.${sourceOf(row.source)}`) },
      { key: 'message', title: t('error.message'), width: 320, cell: row => row.message },
      { key: 'requestUri', title: t('error.uri'), width: 220, cell: row => row.requestUri },
      { key: 'occurrences', title: l('error.times'), align: 'right', cell: row => row.occurrences },
      { key: 'method', title: l('api.method'), hidden: true, cell: row => row.method },
      { key: 'serverHost', title: l('log.host'), hidden: true, cell: row => row.serverHost },
      { key: 'kind', title: t('error.kind'), hidden: true, cell: row => row.kind },
      { key: 'traceId', title: t('col.trace'), hidden: true, cell: row => row.traceId },
    ],
    [t, l],
  )
  const above = (
    <ChoiceBar
      label={l('error.shown')}
      value={isGrouped ? 'groups' : 'each'}
      options={(['each', 'groups'] as const).map(value => ({ value, label: l(`error.${value}`) }))}
      onChoose={value => page.setSearch({ shown: value === 'groups' ? value : null })}
    />
  )
  if (isGrouped) return <ErrorGroups above={above} />
  return (
    <LogPage<Row>
      kind="error"
      title={t('error.title')}
      columns={columns}
      rowName={rowName}
      above={above}
      search={[
        { kind: 'text', key: 'message', label: t('error.message') },
        { kind: 'text', key: 'account', label: t('col.account') },
        timeField(t('col.time')),
        {
          kind: 'select',
          key: 'source',
          label: t('error.source'),
          options: sources.map(value => ({ value, label: t(`error.source.${value}`) })),
        },
        { kind: 'text', key: 'requestUri', label: t('error.uri') },
        { kind: 'text', key: 'serverHost', label: l('log.host') },
        { kind: 'text', key: 'digest', label: l('error.digest') },
        { kind: 'text', key: 'traceId', label: t('col.trace') },
      ]}
      detail={line => <ErrorDetail {...line} />}
      empty={t('error.empty')}
    />
  )
}
