import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { type ApiOutput, api } from '#web/kernel/api.ts'
import { minuteOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useCan } from '#web/kernel/permission.ts'
import { CrudPage, type ListQuery, listKey } from '#web/resource/crud-page.tsx'
import { ExportButtons } from '#web/resource/export-buttons.tsx'
import { startExport } from '#web/resource/export-jobs.ts'
import type { Column } from '#web/ui/data-table.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { newsTexts } from './texts.ts'

type Row = ApiOutput<'GET /blade-notifyRead/notifyread/list'>['records'][number]
const name = 'notify-reads'
const kinds = [1, 2, 3, 4, 5, 6, 7] as const

const load = (query: ListQuery, signal: AbortSignal) =>
  api.request<ApiOutput<'GET /blade-notifyRead/notifyread/list'>>({
    method: 'GET',
    path: '/blade-notifyRead/notifyread/list',
    query,
    quiet: true,
    signal,
  })

/** Who has read the messages about an examination, and who has not (S7.26). */
export const Page = () => {
  const t = useT(newsTexts)
  const can = useCan()
  const client = useQueryClient()
  const mayRemind = can('notifyread_remind')
  const columns = useMemo(
    (): readonly Column<Row>[] => [
      { key: 'title', title: t('notify.message'), width: 240, cell: row => row.title },
      { key: 'kind', title: t('notify.kind'), cell: row => t(`notify.kind.${row.kind as 1 | 2 | 3 | 4 | 5 | 6 | 7}`) },
      { key: 'realName', field: 'user.realName', title: t('read.name'), cell: row => row.realName },
      { key: 'account', title: t('read.account'), cell: row => row.account },
      { key: 'phone', field: 'user.phone', title: t('read.phone'), hidden: true, cell: row => row.phone },
      { key: 'createTime', title: t('notify.sent'), cell: row => minuteOf(row.createTime) },
      { key: 'readTime', title: t('read.at'), cell: row => (row.readTime === null ? t('read.not') : minuteOf(row.readTime)) },
      {
        key: 'sureTime',
        title: t('read.sureAt'),
        cell: row => (row.sureTime === null ? (row.needSure ? t('read.notSure') : '') : minuteOf(row.sureTime)),
      },
    ],
    [t],
  )
  const remind = useCallback(
    async (ids: readonly string[]) => {
      if (ids.length === 0) return notify('warning', t('read.remind.none'))
      try {
        const { people } = await api.call('POST /blade-notifyRead/notifyread/remind', { ids: ids.join(',') })
        notify('success', t('read.remind.done', { count: people }))
      } catch {
        // The api client has said why.
      }
      await client.invalidateQueries({ queryKey: listKey(name) })
    },
    [client, t],
  )
  return (
    <CrudPage<Row>
      name={name}
      title={t('notify.title')}
      columns={columns}
      search={[
        {
          kind: 'select',
          key: 'state',
          label: t('read.state'),
          options: (['1', '2', '3', '4'] as const).map(value => ({ value, label: t(`read.only.${value}`) })),
        },
        {
          kind: 'select',
          key: 'kind',
          label: t('notify.kind'),
          options: kinds.map(kind => ({ value: String(kind), label: t(`notify.kind.${kind}`) })),
        },
        { kind: 'text', key: 'keyword', field: 'user.realName', label: t('read.name') },
      ]}
      isLong
      load={load}
      rowId={row => row.id}
      rowName={row => `${row.realName} ${row.title}`}
      selectable={mayRemind}
      empty={<EmptyState text={t('read.none')} />}
      toolbar={({ selected, query }) => (
        <>
          {mayRemind ? (
            <button type="button" className="button" onClick={() => void remind([...selected])}>
              {t('notify.remindSelected')}
            </button>
          ) : null}
          {can('notifyread_export') ? (
            <ExportButtons
              onExport={() => startExport({ method: 'GET', path: '/blade-notifyRead/notifyread/export', query }, t('notify.title'))}
            />
          ) : null}
        </>
      )}
    />
  )
}
