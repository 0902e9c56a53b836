import { useQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { useLabel, useT } from '#web/kernel/i18n/index.ts'
import { useCan } from '#web/kernel/permission.ts'
import { ChoiceBar, useChoice } from '#web/resource/choice.tsx'
import { type CrudContext, CrudPage, type ListQuery, listKey } from '#web/resource/crud-page.tsx'
import { detailPrefix, useMaster } from '#web/resource/use-master.ts'
import { usePage } from '#web/shell/page-context.tsx'
import type { RowAction } from '#web/ui/data-table.tsx'
import { MasterDetail } from '#web/ui/master-detail.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { TickedButton } from '#web/ui/ticked-button.tsx'
import { type DictRow, type Kind, listName, readChildren, readGroup, readParents } from './calls.ts'
import { dictTexts } from './texts.ts'
import { useDictColumns, useDictEditor, useDictName } from './use-dict.tsx'
import { DictViews } from './views.tsx'
import { WorkbookButtons } from './workbook-buttons.tsx'

type Direction = 'horizontal' | 'vertical'
const rowId = (row: DictRow): string => row.id
const rowName = (row: DictRow): string => row.dictValue
const kinds = ['dictbiz', 'dict'] as const
/** In the address; the point keeps it apart from the conditions of the lists. */
const kindParam = 'dict.kind'

const Tools = ({
  add,
  ticked,
  onAdd,
  onRemove,
}: {
  readonly ticked: number
  readonly add: string | null
  readonly onAdd: () => void
  readonly onRemove: (() => void) | null
}) => {
  const t = useT(dictTexts)
  return (
    <>
      {add === null ? null : (
        <button type="button" className="button button-primary" onClick={onAdd}>
          {add}
        </button>
      )}
      {onRemove === null ? null : (
        <TickedButton count={ticked} onClick={onRemove}>
          {t('action.batchDelete')}
        </TickedButton>
      )}
    </>
  )
}

/** Entries of the chosen group; they come all at once, so paging happens here. */
const Entries = ({ kind, group }: { readonly kind: Kind; readonly group: DictRow }) => {
  const t = useT(dictTexts)
  const nameOf = useDictName()
  const columns = useDictColumns('entries')
  const editor = useDictEditor(kind)
  const { actionsOf } = editor
  const load = useCallback(
    async ({ current = 1, size = 10, ...search }: ListQuery, signal: AbortSignal) => {
      const rows = await readChildren(kind, group.id, search, signal)
      const from = (Number(current) - 1) * Number(size)
      return { records: rows.slice(from, from + Number(size)), total: rows.length }
    },
    [kind, group.id],
  )
  const actions = useCallback((row: DictRow): readonly RowAction[] => actionsOf(row, group), [actionsOf, group])
  const removeSelected = async ({ selected, clearSelection }: CrudContext) => {
    const all = await readChildren(kind, group.id, {}, new AbortController().signal)
    if (await editor.remove(all.filter(row => selected.has(row.id)))) clearSelection()
  }
  return (
    <>
      <CrudPage<DictRow>
        prefix={detailPrefix}
        name={listName(kind, 'of', group.id)}
        table="dictionary-entries"
        title={t('entries.of', { name: nameOf(group) })}
        columns={columns}
        search={[{ kind: 'text', key: 'dictValue', label: t('name') }]}
        load={load}
        rowId={rowId}
        rowName={rowName}
        rowActions={editor.isReadOnly ? undefined : actions}
        selectable={editor.mayDelete === true}
        toolbar={context => (
          <Tools
            add={editor.mayAdd ? t('entry.add') : null}
            ticked={context.selected.size}
            onAdd={() => editor.edit({ parent: group, row: null })}
            onRemove={editor.mayDelete ? () => void removeSelected(context) : null}
          />
        )}
      />
      {editor.dialog}
    </>
  )
}

/** Without the page that is on the screen. */
const conditionsOf = ({ current: _current, size: _size, ...conditions }: ListQuery): ListQuery => conditions

const Groups = ({
  kind,
  current,
  onRemoved,
}: {
  readonly kind: Kind
  readonly onRemoved: (ids: readonly string[]) => void
  readonly current: { readonly id: string | null; readonly onChange: (id: string) => void }
}) => {
  const t = useT(dictTexts)
  const columns = useDictColumns('groups')
  const editor = useDictEditor(kind, onRemoved)
  const { actionsOf } = editor
  const [known] = useState(() => new Map<string, DictRow>())
  const load = useCallback(
    async (query: ListQuery, signal: AbortSignal) => {
      const page = await readParents(kind, query, signal)
      for (const row of page.records) known.set(row.id, row)
      return page
    },
    [kind, known],
  )
  const actions = useCallback((row: DictRow): readonly RowAction[] => actionsOf(row, null), [actionsOf])
  const removeSelected = async ({ selected, clearSelection }: CrudContext) => {
    if (await editor.remove([...selected].flatMap(id => known.get(id) ?? []))) clearSelection()
  }
  return (
    <>
      <CrudPage<DictRow>
        heading={2}
        name={listName(kind, 'groups')}
        table="dictionary-groups"
        title={t(`kind.${kind}`)}
        columns={columns}
        search={[
          { kind: 'text', key: 'code', label: t('code') },
          { kind: 'text', key: 'dictValue', label: t('name') },
        ]}
        load={load}
        rowId={rowId}
        rowName={rowName}
        rowActions={editor.isReadOnly ? undefined : actions}
        selectable={editor.mayDelete === true}
        current={current}
        toolbar={context => (
          <>
            <Tools
              add={editor.mayAdd ? t('group.add') : null}
              ticked={context.selected.size}
              onAdd={() => editor.edit({ parent: null, row: null })}
              onRemove={editor.mayDelete ? () => void removeSelected(context) : null}
            />
            <WorkbookButtons kind={kind} query={conditionsOf(context.query)} />
          </>
        )}
      />
      {editor.dialog}
    </>
  )
}

const noGroup = '0'

/** Groups and, beside or below them, the entries of the chosen one (S2.10). */
export const ListsPage = ({ direction }: { readonly direction: Direction }) => {
  const t = useT(dictTexts)
  const can = useCan()
  const label = useLabel()
  const { title } = usePage()
  const options = kinds.filter(each => can(`${each}_view`)).map(value => ({ value, label: t(`kind.${value}`) }))
  const { value, choose } = useChoice(kindParam, options)
  const { id, current, forget } = useMaster()
  const kind = kinds.find(each => each === value)
  const group = useQuery({
    queryKey: listKey(listName(kind ?? 'dictbiz', 'group', id ?? noGroup)),
    queryFn: ({ signal }) => readGroup(kind ?? 'dictbiz', id ?? noGroup, signal),
    enabled: id !== null && kind !== undefined,
    retry: false,
  })
  const chosen = id !== null && group.data?.id === id && !group.isError ? group.data : null
  if (kind === undefined) return null
  return (
    <div className="crud-page">
      <div className="page-head">
        <h1>{title === null ? t('group') : label(title)}</h1>
      </div>
      <DictViews />
      <ChoiceBar label={t('kind')} options={options} value={kind} onChoose={choose} />
      <MasterDetail
        name="dictionary"
        direction={direction}
        master={<Groups key={kind} kind={kind} current={current} onRemoved={forget} />}
        detail={
          chosen === null ? (
            <div className="card">
              <EmptyState text={t('entries.choose')} />
            </div>
          ) : (
            <Entries key={chosen.id} kind={kind} group={chosen} />
          )
        }
      />
    </div>
  )
}
