import { lazy, type ReactNode, Suspense, useCallback, useMemo, useState } from 'react'
import { flowInstanceMachine } from '#contract/flow/flow.state.ts'
import { type ApiOutput, api } from '#web/kernel/api.ts'
import { minuteOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { useCan } from '#web/kernel/permission.ts'
import { CrudPage, type ListQuery } from '#web/resource/crud-page.tsx'
import { goTo } from '#web/shell/go.ts'
import type { Column, RowAction } from '#web/ui/data-table.tsx'
import { StateTag } from '#web/ui/state-tag.tsx'
import { StatusTag } from '#web/ui/status-tag.tsx'
import { detailPlace } from './places.ts'
import { workTexts } from './texts.ts'

const FollowDialog = lazy(async () => ({ default: (await import('./follow-dialog.tsx')).FollowDialog }))

export type WorkRow = ApiOutput<'GET /blade-flow/work/todo-list'>['records'][number]
export type WorkList = 'claim' | 'todo' | 'send' | 'done' | 'copy'

const nameOf = (row: WorkRow) => (row.title === '' ? row.processDefinitionName : row.title)

/** How a process stands, in a coloured word. */
export const InstanceTag = ({ state, passed }: { readonly state: number; readonly passed: boolean | null }) => {
  const t = useT(workTexts)
  if (state === flowInstanceMachine.wire.finished && passed !== null)
    return <StatusTag tone={passed ? 'passed' : 'refused'} text={t(passed ? 'state.passed' : 'state.refused')} />
  return <StateTag of={flowInstanceMachine} wire={state} />
}

export const useOutcome = (): ((outcome: string) => string) => {
  const t = useT(workTexts)
  return useCallback(
    outcome =>
      outcome === 'ok' || outcome === 'reject' || outcome === 'return' || outcome === 'resolve' || outcome === 'resubmit'
        ? t(`outcome.${outcome}`)
        : outcome,
    [t],
  )
}

const useColumns = (list: WorkList): readonly Column<WorkRow>[] => {
  const t = useT(workTexts)
  const outcomeOf = useOutcome()
  return useMemo(() => {
    const due: Column<WorkRow> = {
      key: 'dueTime',
      title: t('col.due'),
      cell: row => (
        <>
          {minuteOf(row.dueTime)} {row.isOverdue ? <StatusTag tone="refused" text={t('state.overdue')} /> : null}
        </>
      ),
    }
    const state: Column<WorkRow> = {
      key: 'state',
      title: t('col.state'),
      cell: row => <InstanceTag state={row.state} passed={row.passed} />,
    }
    const who: Column<WorkRow> = { key: 'assigneeName', field: 'user.realName', title: t('col.who'), cell: row => row.assigneeName }
    return [
      { key: 'title', title: t('col.title'), width: 240, cell: nameOf },
      {
        key: 'process',
        title: t('col.process'),
        cell: row => t('process.version', { name: row.processDefinitionName, version: row.processDefinitionVersion }),
      },
      { key: 'categoryName', title: t('col.category'), hidden: true, cell: row => row.categoryName },
      { key: 'taskName', title: t(list === 'done' ? 'col.myStep' : 'col.step'), cell: row => row.taskName },
      ...(list === 'send'
        ? []
        : [{ key: 'startUserName', field: 'user.realName', title: t('col.starter'), cell: (row: WorkRow) => row.startUserName }]),
      ...(list === 'send' || list === 'copy' ? [who, state] : []),
      ...(list === 'claim' || list === 'todo'
        ? [{ key: 'createTime', title: t('col.arrived'), cell: (row: WorkRow) => minuteOf(row.createTime) }, due]
        : []),
      ...(list === 'done'
        ? [
            { key: 'outcome', title: t('col.outcome'), cell: (row: WorkRow) => outcomeOf(row.outcome) },
            { key: 'comment', title: t('col.comment'), cell: (row: WorkRow) => row.comment },
            { key: 'endTime', title: t('col.ended'), cell: (row: WorkRow) => minuteOf(row.endTime) },
            state,
          ]
        : []),
      { key: 'startTime', title: t('col.startTime'), hidden: list !== 'send', cell: (row: WorkRow) => minuteOf(row.startTime) },
    ]
  }, [t, list, outcomeOf])
}

interface Props {
  readonly list: WorkList
  readonly title: string
  readonly empty: ReactNode
  /** What can be done with a row before looking at it. Keep it the same function between renders. */
  readonly actions?: (row: WorkRow) => readonly RowAction[]
  readonly above?: ReactNode
}

const codes = { claim: 'work_claim', todo: 'work_todo', send: 'work_send', done: 'work_done', copy: 'work_done' } as const
export const workListName = (list: WorkList): string => `work-${list}`

/** One of the lists of one's own work, each row with its details and its progress. */
export const WorkListPage = ({ list, title, empty, actions, above }: Props) => {
  const t = useT(workTexts)
  const can = useCan()
  const columns = useColumns(list)
  const [followed, setFollowed] = useState<WorkRow | null>(null)
  const load = useCallback(
    (query: ListQuery, signal: AbortSignal) =>
      api.request<ApiOutput<'GET /blade-flow/work/todo-list'>>({ method: 'GET', path: `/blade-flow/work/${list}-list`, query, signal }),
    [list],
  )
  const mayLook = can(`${codes[list]}_detail`)
  const mayFollow = can(`${codes[list]}_follow`)
  const rowActions = useCallback(
    (row: WorkRow): readonly RowAction[] => [
      ...(actions?.(row) ?? []),
      ...(mayLook && list !== 'claim' ? [{ key: 'detail', label: t('list.detail'), onRun: () => goTo(detailPlace(row)) }] : []),
      ...(mayFollow ? [{ key: 'follow', label: t('list.follow'), onRun: () => setFollowed(row) }] : []),
    ],
    [actions, mayLook, mayFollow, list, t],
  )
  return (
    <>
      <CrudPage<WorkRow>
        name={workListName(list)}
        title={title}
        columns={columns}
        search={[
          { kind: 'text', key: 'title', label: t('search.title') },
          { kind: 'text', key: 'processDefinitionName', label: t('search.process') },
        ]}
        load={load}
        isLong
        rowId={row => (row.taskId === '' || list === 'send' || list === 'copy' ? row.processInstanceId : row.taskId)}
        rowName={nameOf}
        rowActions={rowActions}
        empty={empty}
        above={above}
      />
      {followed === null ? null : (
        <Suspense>
          <FollowDialog processInstanceId={followed.processInstanceId} name={nameOf(followed)} onClose={() => setFollowed(null)} />
        </Suspense>
      )}
    </>
  )
}
