import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useCallback, useMemo, useState } from 'react'
import { verifiedFields } from '#contract/person/verified-change.routes.ts'
import { type ApiOutput, api } from '#web/kernel/api.ts'
import { minuteOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { useCan } from '#web/kernel/permission.ts'
import { CrudPage, type ListQuery, listKey } from '#web/resource/crud-page.tsx'
import type { Column, RowAction } from '#web/ui/data-table.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { StatusTag, type Tone } from '#web/ui/status-tag.tsx'
import { verifiedChangeTexts } from './texts.ts'
import type { ChangeRow } from './wire.ts'

const DecideDialog = lazy(async () => ({ default: (await import('./decide-dialog.tsx')).DecideDialog }))

const name = 'verified-change'
const tones: readonly Tone[] = ['waiting', 'passed', 'refused']
const stateKeys = ['state.0', 'state.1', 'state.2'] as const
const rowId = (row: ChangeRow) => row.id
const rowName = (row: ChangeRow) => row.realName ?? row.id

const useColumns = (): readonly Column<ChangeRow>[] => {
  const t = useT(verifiedChangeTexts)
  return useMemo(
    () => [
      { key: 'realName', field: 'user.realName', title: t('list.person'), cell: row => row.realName },
      { key: 'userCode', title: t('list.userCode'), cell: row => row.userCode },
      { key: 'field', title: t('list.field'), cell: row => t(`field.${row.field}`) },
      { key: 'oldMask', title: t('list.old'), cell: row => row.oldMask },
      { key: 'newMask', title: t('list.new'), cell: row => row.newMask },
      { key: 'reason', title: t('list.reason'), cell: row => row.reason },
      { key: 'proofCount', title: t('list.proofs'), cell: row => row.proofCount },
      {
        key: 'state',
        title: t('list.state'),
        cell: row => <StatusTag tone={tones[row.state] ?? 'draft'} text={t(stateKeys[row.state] ?? 'state.0')} />,
      },
      { key: 'createTime', title: t('list.createTime'), cell: row => minuteOf(row.createTime) },
      { key: 'checkUser', title: t('list.checkUser'), cell: row => row.checkUser },
      { key: 'checkTime', title: t('list.checkTime'), cell: row => minuteOf(row.checkTime) },
      { key: 'remark', title: t('list.remark'), cell: row => row.remark },
    ],
    [t],
  )
}

/** What candidates ask to change of their verified data: the oldest that waits on top (domain 2.3, 3.17). */
export const Page = () => {
  const t = useT(verifiedChangeTexts)
  const can = useCan()
  const client = useQueryClient()
  const columns = useColumns()
  const [open, setOpen] = useState<ChangeRow | null>(null)
  const mayDecide = can('userupdateinfo_edit')
  const load = useCallback(
    (query: ListQuery, signal: AbortSignal) =>
      api.request<ApiOutput<'GET /blade-userupdateinfo/userupdateinfo/list'>>({
        method: 'GET',
        path: '/blade-userupdateinfo/userupdateinfo/list',
        query,
        signal,
      }),
    [],
  )
  const actions = useCallback(
    (row: ChangeRow): readonly RowAction[] =>
      mayDecide ? [{ key: 'open', label: t(row.state === 0 ? 'list.decide' : 'list.view'), onRun: () => setOpen(row) }] : [],
    [mayDecide, t],
  )
  return (
    <>
      <CrudPage<ChangeRow>
        name={name}
        title={t('list.title')}
        columns={columns}
        search={[
          { kind: 'text', key: 'keyword', field: 'user.realName', label: t('list.keyword') },
          {
            kind: 'select',
            key: 'state',
            label: t('list.state'),
            options: stateKeys.map((key, at) => ({ value: String(at), label: t(key) })),
          },
          {
            kind: 'select',
            key: 'field',
            label: t('list.field'),
            options: verifiedFields.map(key => ({ value: key, label: t(`field.${key}`) })),
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
