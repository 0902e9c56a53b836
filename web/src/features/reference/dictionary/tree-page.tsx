import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import { useLabel, useT } from '#web/kernel/i18n/index.ts'
import { listKey } from '#web/resource/crud-page.tsx'
import { SearchRow } from '#web/resource/search-row.tsx'
import { useFind } from '#web/resource/use-find.ts'
import { usePage } from '#web/shell/page-context.tsx'
import type { RowAction } from '#web/ui/data-table.tsx'
import { TickedButton } from '#web/ui/ticked-button.tsx'
import { TreeTable } from '#web/ui/tree-table.tsx'
import { type DictGroup, type DictRow, type Kind, listName, readGroups } from './calls.ts'
import { dictTexts } from './texts.ts'
import { isGroup, useDictColumns, useDictEditor } from './use-dict.tsx'
import { DictViews } from './views.tsx'
import { WorkbookButtons } from './workbook-buttons.tsx'

const idOf = (row: DictRow): string => row.id
const hasChildren = (row: DictRow): boolean => row.hasChildren
const childrenOf = (row: DictRow): readonly DictRow[] => (row as DictGroup).children ?? []
const nameOf = (row: DictRow): string => row.dictValue

/** One dictionary with its groups and their entries as a tree. */
export const TreePage = ({ kind }: { readonly kind: Kind }) => {
  const t = useT(dictTexts)
  const label = useLabel()
  const { title } = usePage()
  const columns = useDictColumns('both')
  const editor = useDictEditor(kind)
  const { actionsOf } = editor
  const [search, setSearch] = useState<Readonly<Record<string, string>>>({})
  const find = useFind(listName(kind, 'tree'), search, setSearch)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const groups = useQuery({
    queryKey: [...listKey(listName(kind, 'tree')), search],
    queryFn: ({ signal }) => readGroups(kind, search, signal),
  })
  const rows = useMemo(
    () => new Map((groups.data ?? []).flatMap(group => [group, ...childrenOf(group)]).map(row => [row.id, row])),
    [groups.data],
  )
  const actions = useCallback(
    (row: DictRow): readonly RowAction[] => actionsOf(row, isGroup(row) ? null : (rows.get(row.parentId) ?? null), true),
    [actionsOf, rows],
  )
  const removeSelected = async () => {
    if (await editor.remove([...selected].flatMap(id => rows.get(id) ?? []))) setSelected(new Set())
  }
  const name = title === null ? t(`kind.${kind}`) : label(title)
  return (
    <div className="crud-page">
      <div className="page-head">
        <h1>{name}</h1>
      </div>
      <DictViews />
      {editor.isReadOnly ? <p>{t('readOnly')}</p> : null}
      <SearchRow
        fields={[
          { kind: 'text', key: 'code', label: t('code') },
          { kind: 'text', key: 'dictValue', label: t('name') },
        ]}
        values={search}
        onSearch={find}
      />
      <TreeTable<DictRow>
        name={listName(kind)}
        caption={t(`kind.${kind}`)}
        roots={groups.data}
        idOf={idOf}
        hasChildren={hasChildren}
        childrenOf={childrenOf}
        rowName={nameOf}
        columns={columns}
        rowActions={editor.isReadOnly ? undefined : actions}
        {...(editor.mayDelete ? { selection: { ids: selected, onChange: setSelected } } : {})}
        busy={groups.isFetching && groups.data !== undefined}
        error={groups.isError ? { message: groups.error.message, onRetry: () => void groups.refetch() } : null}
        onRefresh={() => void groups.refetch()}
        toolbar={
          <>
            {editor.mayAdd ? (
              <button type="button" className="button button-primary" onClick={() => editor.edit({ parent: null, row: null })}>
                {t('group.add')}
              </button>
            ) : null}
            {editor.mayDelete ? (
              <TickedButton count={selected.size} onClick={() => void removeSelected()}>
                {t('action.batchDelete')}
              </TickedButton>
            ) : null}
            <WorkbookButtons kind={kind} query={search} />
          </>
        }
      />
      {editor.dialog}
    </div>
  )
}
