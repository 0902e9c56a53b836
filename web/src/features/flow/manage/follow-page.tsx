import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useCallback, useMemo, useState } from 'react'
import { type ApiOutput, api } from '#web/kernel/api.ts'
import { minuteOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { useCan } from '#web/kernel/permission.ts'
import { CrudPage, type ListQuery, listKey } from '#web/resource/crud-page.tsx'
import { useReason } from '#web/resource/own-reason.ts'
import { goTo } from '#web/shell/go.ts'
import type { Column, RowAction } from '#web/ui/data-table.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { detailPlace } from '../work/places.ts'
import { InstanceTag } from '../work/work-list.tsx'
import { manageTexts } from './texts.ts'

const FollowDialog = lazy(async () => ({ default: (await import('../work/follow-dialog.tsx')).FollowDialog }))
const CancelDialog = lazy(async () => ({ default: (await import('../work/cancel-dialog.tsx')).CancelDialog }))
const PeopleDialog = lazy(async () => ({ default: (await import('../work/people-dialog.tsx')).PeopleDialog }))

type Row = ApiOutput<'GET /blade-flow/follow/list'>['records'][number]
type Opened = { readonly kind: 'follow' | 'assign' | 'cancel'; readonly row: Row }
const name = 'flow-follow'
const [running, returned] = [0, 1]
const rowId = (row: Row) => row.id
const rowName = (row: Row) => row.title || row.processDefinitionName
const load = (query: ListQuery, signal: AbortSignal) =>
  api.request<ApiOutput<'GET /blade-flow/follow/list'>>({ method: 'GET', path: '/blade-flow/follow/list', query, signal })

/** All processes of the tenant: where they are, and what an administrator may do when one is stuck. */
export const Page = () => {
  const t = useT(manageTexts)
  const can = useCan()
  const client = useQueryClient()
  const reasonOf = useReason()
  const [open, setOpen] = useState<Opened | null>(null)
  const columns = useMemo(
    (): readonly Column<Row>[] => [
      { key: 'title', title: t('col.title'), width: 240, cell: rowName },
      {
        key: 'process',
        title: t('col.process'),
        cell: row => t('process.version', { name: row.processDefinitionName, version: row.processDefinitionVersion }),
      },
      { key: 'startUserName', field: 'user.realName', title: t('col.starter'), cell: row => row.startUserName },
      { key: 'startTime', title: t('col.startTime'), cell: row => minuteOf(row.startTime) },
      { key: 'taskName', title: t('col.step'), cell: row => row.taskName },
      { key: 'assigneeName', field: 'user.realName', title: t('col.who'), cell: row => row.assigneeName },
      { key: 'state', title: t('col.state'), cell: row => <InstanceTag state={row.state} passed={row.passed} /> },
      { key: 'deleteReason', title: t('col.reason'), hidden: true, cell: row => reasonOf(row.deleteReason) },
    ],
    [t, reasonOf],
  )
  const mayAssign = can('flow_follow_assign')
  const mayCancel = can('flow_follow_delete')
  const actions = useCallback(
    (row: Row): readonly RowAction[] => {
      const isOpen = row.state === running || row.state === returned
      return [
        { key: 'follow', label: t('follow.title'), onRun: () => setOpen({ kind: 'follow', row }) },
        { key: 'detail', label: t('follow.detail'), onRun: () => goTo(detailPlace(row)) },
        ...(mayAssign && isOpen && row.taskId !== ''
          ? [{ key: 'assign', label: t('follow.assign'), onRun: () => setOpen({ kind: 'assign', row }) }]
          : []),
        ...(mayCancel && isOpen
          ? [{ key: 'cancel', label: t('follow.cancel'), danger: true, onRun: () => setOpen({ kind: 'cancel', row }) }]
          : []),
      ]
    },
    [t, mayAssign, mayCancel],
  )
  const close = () => setOpen(null)
  return (
    <>
      <CrudPage<Row>
        name={name}
        title={t('follow.title')}
        columns={columns}
        search={[
          { kind: 'text', key: 'title', label: t('col.title') },
          { kind: 'text', key: 'processDefinitionKey', label: t('col.key') },
          {
            kind: 'select',
            key: 'running',
            label: t('follow.running'),
            options: ([1, 0] as const).map(which => ({ value: String(which), label: t(`follow.running.${which}`) })),
          },
        ]}
        load={load}
        isLong
        rowId={rowId}
        rowName={rowName}
        rowActions={actions}
        empty={<EmptyState text={t('follow.empty')} />}
      />
      <Suspense>
        {open?.kind === 'follow' ? (
          <FollowDialog processInstanceId={open.row.processInstanceId} name={rowName(open.row)} onClose={close} />
        ) : null}
        {open?.kind === 'cancel' ? (
          <CancelDialog processInstanceId={open.row.processInstanceId} name={rowName(open.row)} onClose={close} />
        ) : null}
        {open?.kind === 'assign' ? (
          <PeopleDialog
            way="assign"
            taskId={open.row.taskId}
            processInstanceId={open.row.processInstanceId}
            onClose={close}
            onDone={() => void client.invalidateQueries({ queryKey: listKey(name) })}
          />
        ) : null}
      </Suspense>
    </>
  )
}
