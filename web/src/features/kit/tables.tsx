import { useCallback, useState } from 'react'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useLazyTree } from '#web/resource/lazy-tree.ts'
import type { PageOf } from '#web/resource/page-of.ts'
import { DataTable, type RowAction, type Sort } from '#web/ui/data-table.tsx'
import { TreeTable } from '#web/ui/tree-table.tsx'
import { rowId, rowName, usePeopleColumns, useUnitColumns } from './columns.tsx'
import { usePeopleActions } from './lists.tsx'
import type { PartProps } from './parts.ts'
import { makePeople, pageOf, people, type SamplePerson, type SampleUnit, units } from './sample.ts'
import { kitTexts } from './texts.ts'

const thousand = makePeople(1_000)
const nobody: PageOf<SamplePerson> = { records: [], total: 0 }

/** The table by itself in each of its states; rows that are long in coming, that failed, and a thousand at once. */
export const TablePart = ({ state }: PartProps) => {
  const t = useT(kitTexts)
  const columns = usePeopleColumns()
  const actions = usePeopleActions()
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const [sort, setSort] = useState<Sort | null>(null)
  const [page, setPage] = useState({ current: 1, size: 10 })
  const query = { ...page, ...(sort === null ? {} : { [sort.way === 'desc' ? 'descs' : 'ascs']: sort.by }) }
  const hasNone = state === 'loading' || state === 'error'
  const shown = state === 'empty' ? nobody : pageOf(people, query)
  const failed = state === 'error' || state === 'errorLater'
  return (
    <DataTable<SamplePerson>
      name={`kit-table-${state}`}
      caption={t('people')}
      rows={hasNone ? undefined : state === 'long' ? thousand : shown.records}
      rowId={rowId}
      rowName={rowName}
      columns={columns}
      rowActions={actions}
      selection={{ ids, onChange: setIds }}
      sort={sort}
      onSort={setSort}
      busy={state === 'busy'}
      error={failed ? { message: t('failing'), onRetry: () => notify('info', t('retried')) } : null}
      onRefresh={() => notify('info', t('retried'))}
      {...(hasNone || state === 'long'
        ? {}
        : { page: { ...page, total: shown.total, onChange: (current: number, size: number) => setPage({ current, size }) } })}
    />
  )
}

const hasChildren = (unit: SampleUnit) => units.some(each => each.parentId === unit.id)
const below = async (parentId: string | null) => units.filter(unit => unit.parentId === parentId)

/** A tree whose levels come when they are opened. */
export const TreePart = ({ state }: PartProps) => {
  const t = useT(kitTexts)
  const columns = useUnitColumns()
  const tree = useLazyTree<SampleUnit>({ name: 'kit-tree', idOf: rowId, hasChildren, load: below })
  const actions = useCallback(
    (unit: SampleUnit): readonly RowAction[] => [
      { key: 'add', label: t('action.add'), onRun: () => notify('success', t('did', { what: `${t('action.add')} ${unit.name}` })) },
      { key: 'edit', label: t('action.edit'), onRun: () => notify('success', t('did', { what: `${t('action.edit')} ${unit.name}` })) },
    ],
    [t],
  )
  return (
    <TreeTable<SampleUnit>
      {...tree}
      caption={t('units')}
      rowName={rowName}
      columns={columns}
      rowActions={actions}
      {...(state === 'loading' || state === 'error' ? { roots: undefined } : state === 'empty' ? { roots: [] } : {})}
      error={state === 'error' ? { message: t('failing'), onRetry: () => notify('info', t('retried')) } : tree.error}
    />
  )
}
