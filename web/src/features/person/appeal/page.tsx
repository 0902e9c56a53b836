import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useCallback, useMemo, useState } from 'react'
import { appealKinds } from '#contract/person/appeal.routes.ts'
import { api } from '#web/kernel/api.ts'
import { minuteOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { useCan } from '#web/kernel/permission.ts'
import { CrudPage, type ListQuery, listKey } from '#web/resource/crud-page.tsx'
import type { Column, RowAction } from '#web/ui/data-table.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { StatusTag, type Tone } from '#web/ui/status-tag.tsx'
import { appealTexts } from './texts.ts'
import type { AppealLine, AppealPage } from './wire.ts'

const DecideDialog = lazy(async () => ({ default: (await import('./decide-dialog.tsx')).DecideDialog }))

const name = 'user-appeal'
const tones: Readonly<Record<number, Tone>> = { 1: 'waiting', 2: 'passed', 3: 'refused' }
const stateKeys: Readonly<Record<number, 'state.1' | 'state.2' | 'state.3'>> = { 1: 'state.1', 2: 'state.2', 3: 'state.3' }
const rowId = (row: AppealLine) => row.id
const rowName = (row: AppealLine) => row.no

const useColumns = (): readonly Column<AppealLine>[] => {
  const t = useT(appealTexts)
  return useMemo(
    () => [
      { key: 'no', title: t('list.no'), cell: row => row.no },
      { key: 'kind', title: t('list.kind'), cell: row => t(`kind.${row.kind}`) },
      { key: 'realName', field: 'user.realName', title: t('list.person'), cell: row => row.realName },
      { key: 'idCardMask', field: 'user.idCard', title: t('list.idCard'), cell: row => row.idCardMask },
      { key: 'phoneMask', field: 'user.phone', title: t('list.phone'), cell: row => row.phoneMask },
      { key: 'reason', title: t('list.reason'), cell: row => row.reason },
      {
        key: 'state',
        title: t('list.state'),
        cell: row => <StatusTag tone={tones[row.state] ?? 'draft'} text={t(stateKeys[row.state] ?? 'state.1')} />,
      },
      { key: 'createTime', title: t('list.createTime'), cell: row => minuteOf(row.createTime) },
      { key: 'checkUser', title: t('list.checkUser'), cell: row => row.checkUser },
      { key: 'checkTime', title: t('list.checkTime'), cell: row => minuteOf(row.checkTime) },
      { key: 'remark', title: t('list.remark'), cell: row => row.remark },
    ],
    [t],
  )
}

/** People whose id number or phone somebody else has, and people who lost their phone: the oldest that waits on top. */
export const Page = () => {
  const t = useT(appealTexts)
  const can = useCan()
  const client = useQueryClient()
  const columns = useColumns()
  const [open, setOpen] = useState<AppealLine | null>(null)
  const mayDecide = can('userappeal_edit')
  const load = useCallback(
    (query: ListQuery, signal: AbortSignal) =>
      api.request<AppealPage>({ method: 'GET', path: '/blade-userappeal/userappeal/list', query, signal }),
    [],
  )
  const actions = useCallback(
    (row: AppealLine): readonly RowAction[] =>
      mayDecide ? [{ key: 'open', label: t(row.state === 1 ? 'list.decide' : 'list.view'), onRun: () => setOpen(row) }] : [],
    [mayDecide, t],
  )
  return (
    <>
      <CrudPage<AppealLine>
        name={name}
        title={t('list.title')}
        columns={columns}
        search={[
          { kind: 'text', key: 'keyword', field: 'user.realName', label: t('list.keyword') },
          {
            kind: 'select',
            key: 'state',
            label: t('list.state'),
            options: [1, 2, 3].map(state => ({ value: String(state), label: t(stateKeys[state] ?? 'state.1') })),
          },
          {
            kind: 'select',
            key: 'kind',
            label: t('list.kind'),
            options: appealKinds.map(kind => ({ value: kind, label: t(`kind.${kind}`) })),
          },
        ]}
        load={load}
        rowId={rowId}
        rowName={rowName}
        rowActions={actions}
        empty={<EmptyState text={t('list.empty')} />}
      />
      {open === null ? null : (
        <Suspense>
          <DecideDialog
            row={open}
            onClose={() => setOpen(null)}
            onDone={() => void client.invalidateQueries({ queryKey: listKey(name) })}
          />
        </Suspense>
      )}
    </>
  )
}
