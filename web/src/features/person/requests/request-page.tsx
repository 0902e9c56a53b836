import { useQueryClient } from '@tanstack/react-query'
import { type ComponentType, Suspense, useCallback, useMemo, useState } from 'react'
import type { States } from '#contract/kernel/machine.ts'
import { api } from '#web/kernel/api.ts'
import { minuteOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { useCan } from '#web/kernel/permission.ts'
import { CrudPage, type ListQuery, listKey } from '#web/resource/crud-page.tsx'
import type { PageOf } from '#web/resource/page-of.ts'
import type { Column, RowAction } from '#web/ui/data-table.tsx'
import { StateTag, useStateOptions } from '#web/ui/state-tag.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import type { Request, RequestTexts } from './request.ts'

export interface DecideProps<Row> {
  readonly row: Row
  readonly onClose: () => void
  /** Asks for the rows anew. */
  readonly onDone: () => void
}

interface Props<Row, S extends string> {
  readonly name: string
  readonly texts: RequestTexts
  /** The list, below /api. */
  readonly path: string
  /** Who may open a request. */
  readonly right: string
  /** What stands before state and decision. Keep it the same array between renders. */
  readonly columns: readonly Column<Row>[]
  readonly rowName: (row: Row) => string
  readonly machine: States<S>
  /** Which of its states nobody sees here. */
  readonly hidden?: readonly S[]
  /** What else the list is searched by. */
  readonly choice: {
    readonly key: string
    readonly label: string
    readonly options: readonly { readonly value: string; readonly label: string }[]
  }
  readonly Dialog: ComponentType<DecideProps<Row>>
}

const rowId = ({ id }: Request): string => id

/** Requests with their decisions: the oldest that waits on top, as the server orders them. */
export const RequestPage = <Row extends Request, S extends string>(props: Props<Row, S>) => {
  const { name, texts, path, right, columns, rowName, machine, hidden = [], choice, Dialog } = props
  const t = useT(texts)
  const can = useCan()
  const client = useQueryClient()
  const [open, setOpen] = useState<Row | null>(null)
  const mayDecide = can(right)
  const states = useStateOptions(machine, ...hidden)
  const waits = Number(states[0]?.value)
  const all = useMemo((): readonly Column<Row>[] => {
    return [
      ...columns,
      { key: 'state', title: t('list.state'), cell: row => <StateTag of={machine} wire={row.state} /> },
      { key: 'createTime', title: t('list.createTime'), cell: row => minuteOf(row.createTime) },
      { key: 'checkUser', title: t('list.checkUser'), cell: row => row.checkUser },
      { key: 'checkTime', title: t('list.checkTime'), cell: row => minuteOf(row.checkTime) },
      { key: 'remark', title: t('list.remark'), cell: row => row.remark },
    ]
  }, [columns, machine, t])
  const load = useCallback(
    (query: ListQuery, signal: AbortSignal) => api.request<PageOf<Row>>({ method: 'GET', path, query, signal }),
    [path],
  )
  const actions = useCallback(
    (row: Row): readonly RowAction[] =>
      mayDecide ? [{ key: 'open', label: t(row.state === waits ? 'list.decide' : 'list.view'), onRun: () => setOpen(row) }] : [],
    [mayDecide, waits, t],
  )
  return (
    <>
      <CrudPage<Row>
        name={name}
        title={t('list.title')}
        columns={all}
        search={[
          { kind: 'text', key: 'keyword', field: 'user.realName', label: t('list.keyword') },
          {
            kind: 'select',
            key: 'state',
            label: t('list.state'),
            options: states,
          },
          { kind: 'select', ...choice },
        ]}
        load={load}
        rowId={rowId}
        rowName={rowName}
        rowActions={actions}
        empty={<EmptyState text={t('list.empty')} />}
      />
      {open === null ? null : (
        <Suspense>
          <Dialog row={open} onClose={() => setOpen(null)} onDone={() => void client.invalidateQueries({ queryKey: listKey(name) })} />
        </Suspense>
      )}
    </>
  )
}
