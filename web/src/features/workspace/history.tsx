import { useCallback, useMemo } from 'react'
import { type ApiOutput, api } from '#web/kernel/api.ts'
import { minuteOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { CrudPage, type ListQuery } from '#web/resource/crud-page.tsx'
import type { Column } from '#web/ui/data-table.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { workspaceTexts } from './texts.ts'

type Row = ApiOutput<'GET /blade-exam/examination/history'>['records'][number]
const rowId = (row: Row) => row.id
const rowName = (row: Row) => row.what

/** Everything that was done to the examination and its parts. */
export const History = ({ examId }: { readonly examId: string }) => {
  const t = useT(workspaceTexts)
  const load = useCallback(
    ({ current, size }: ListQuery, signal: AbortSignal) =>
      api.call('GET /blade-exam/examination/history', { examId, current: Number(current), size: Number(size) }, { signal }),
    [examId],
  )
  const columns = useMemo(
    (): readonly Column<Row>[] => [
      { key: 'time', title: t('history.time'), cell: row => minuteOf(row.time) },
      { key: 'who', title: t('history.who'), cell: row => row.who || t('changes.system') },
      { key: 'what', title: t('history.what'), cell: row => row.what },
      { key: 'about', title: t('history.about'), cell: row => row.about || t('history.exam') },
    ],
    [t],
  )
  return (
    <CrudPage<Row>
      name="exam-history"
      title={t('history.title')}
      columns={columns}
      load={load}
      fixed={{ examId }}
      rowId={rowId}
      rowName={rowName}
      empty={<EmptyState text={t('changes.none')} />}
    />
  )
}
