import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useCallback, useMemo, useState } from 'react'
import type { MenuLine } from '#contract/access/menu.routes.ts'
import { api } from '#web/kernel/api.ts'
import { useLang, useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useCan } from '#web/kernel/permission.ts'
import { listKey } from '#web/resource/crud-page.tsx'
import { ExportButtons } from '#web/resource/export-buttons.tsx'
import { startExport } from '#web/resource/export-jobs.ts'
import { useLazyTree } from '#web/resource/lazy-tree.ts'
import { SearchRow } from '#web/resource/search-row.tsx'
import { useFind } from '#web/resource/use-find.ts'
import { MenuIcon } from '#web/shell/icons.tsx'
import { type Column, DataTable, type RowAction, type Selection } from '#web/ui/data-table.tsx'
import { confirm, namesAndCount } from '#web/ui/dialog.tsx'
import { TickedButton } from '#web/ui/ticked-button.tsx'
import { TreeTable } from '#web/ui/tree-table.tsx'
import type { MenuTarget } from './menu-dialog.tsx'
import { menuTexts } from './texts.ts'
import '../access.css'

const MenuDialog = lazy(async () => ({ default: (await import('./menu-dialog.tsx')).MenuDialog }))
const name = 'menu'
const idOf = (row: MenuLine) => row.id
const hasChildren = (row: MenuLine) => row.hasChildren
/** What the rows that were shown are called: a question names those that are ticked. */
const names = new Map<string, string>()
const read = async (query: { readonly [key: string]: string }, signal: AbortSignal | undefined) => {
  const rows = await api.call('GET /blade-system/menu/lazy-list', query, signal === undefined ? {} : { signal })
  for (const row of rows) names.set(row.id, row.name)
  return rows
}
const below = (parentId: string | null, signal: AbortSignal) => read({ parentId: parentId ?? '0' }, signal)

const mostSort = 9_999
const sortBehind = (last: { readonly sort: number } | undefined): number => Math.min((last?.sort ?? 0) + 1, mostSort)

const useColumns = (): readonly Column<MenuLine>[] => {
  const t = useT(menuTexts)
  const isEnglish = useLang() === 'en'
  return useMemo(
    () => [
      {
        key: 'name',
        title: t('menu.name'),
        width: 260,
        cell: row => (
          <span className="access-icon">
            {row.category === 1 && row.parentId === '0' ? <MenuIcon code={row.code} path={row.path} source={row.source} /> : null}
            {isEnglish ? row.nameEn : row.name}
          </span>
        ),
      },
      {
        key: 'kind',
        title: t('menu.kind'),
        width: 90,
        cell: row => t(row.category === 1 ? 'menu.kind.1' : 'menu.kind.2'),
      },
      { key: 'path', title: t('menu.path'), width: 200, cell: row => row.path },
      { key: 'code', title: t('menu.code'), width: 170, cell: row => row.code },
      { key: 'sort', title: t('menu.sort'), width: 70, align: 'right', cell: row => row.sort },
      {
        key: 'marks',
        title: t('menu.marks'),
        width: 190,
        cell: row =>
          [row.isSystem === 1 ? t('menu.system') : '', row.isPlatform === 1 ? t('menu.platform') : ''].filter(Boolean).join(' · '),
      },
      { key: 'alias', title: t('menu.alias'), width: 120, hidden: true, cell: row => row.alias },
    ],
    [t, isEnglish],
  )
}

/** Asks first; the rows go together or not at all. @returns whether they are gone */
const useRemove = () => {
  const t = useT(menuTexts)
  const client = useQueryClient()
  return useCallback(
    async (ids: readonly string[]): Promise<boolean> => {
      if (ids.length === 0) {
        notify('warning', t('menu.none'))
        return false
      }
      const text = t('menu.remove.ask', { name: namesAndCount(ids.map(id => names.get(id) ?? id)) })
      if (!(await confirm({ title: t('action.delete'), text, ok: t('action.delete'), danger: true }))) return false
      try {
        await api.call('POST /blade-system/menu/remove', { ids: ids.join(',') })
      } catch {
        return false // The api client has said why.
      }
      notify('success', t('menu.removed'))
      await client.invalidateQueries({ queryKey: listKey(name) })
      return true
    },
    [t, client],
  )
}

const useActions = (open: (target: MenuTarget) => void, remove: (ids: readonly string[]) => Promise<boolean>) => {
  const t = useT(menuTexts)
  const can = useCan()
  const client = useQueryClient()
  const [mayAdd, mayEdit, mayDelete] = [can('menu_add'), can('menu_edit'), can('menu_delete')]
  return useCallback(
    (row: MenuLine): readonly RowAction[] => {
      const reload = () => client.invalidateQueries({ queryKey: listKey(name) })
      const move = async (by: -1 | 1) => {
        const siblings = await read({ parentId: row.parentId }, undefined)
        const ids = siblings.map(idOf)
        const at = ids.indexOf(row.id)
        const [other] = ids.slice(at + by < 0 ? ids.length : at + by)
        if (at < 0 || other === undefined) return notify('info', t(by < 0 ? 'menu.isFirst' : 'menu.isLast', { name: row.name }))
        ids[at] = other
        ids[at + by] = row.id
        await api.call('POST /blade-system/menu/sort', { ids: ids.join(',') })
        notify('success', t('menu.moved', { name: row.name }))
        await reload()
      }
      const quietly = (work: () => Promise<unknown>) => () => void work().catch(() => {}) // The api client has said why.
      // Behind its siblings, which a row that was never opened has not shown yet.
      const addBelow = async (category: 1 | 2) => {
        const last = (await read({ parentId: row.id }, undefined)).at(-1)
        open({ kind: 'add', category, parentId: row.id, sort: sortBehind(last) })
      }
      return [
        ...(mayEdit ? [{ key: 'edit', label: t('action.edit'), onRun: () => open({ kind: 'edit', row }) }] : []),
        ...(mayAdd && row.category === 1
          ? [
              { key: 'below', label: t('menu.addBelow'), onRun: quietly(() => addBelow(1)) },
              { key: 'button', label: t('menu.addButton'), onRun: quietly(() => addBelow(2)) },
            ]
          : []),
        ...(mayEdit
          ? [
              { key: 'up', label: t('menu.up'), onRun: quietly(() => move(-1)) },
              { key: 'down', label: t('menu.down'), onRun: quietly(() => move(1)) },
            ]
          : []),
        ...(mayDelete && row.isSystem === 0
          ? [{ key: 'delete', label: t('action.delete'), danger: true, onRun: () => void remove([row.id]) }]
          : []),
      ]
    },
    [t, client, open, remove, mayAdd, mayEdit, mayDelete],
  )
}

/** What the list shows as a workbook, with everything below what is not opened. */
const ExportMenus = ({ query }: { readonly query: Readonly<Record<string, string>> }) => {
  const t = useT(menuTexts)
  const can = useCan()
  if (!can('menu_export')) return null
  return <ExportButtons onExport={() => startExport({ method: 'GET', path: '/blade-system/menu/export-menu', query }, t('menu.title'))} />
}

/** What a search finds, flat and with its place. */
const Found = ({
  query,
  rowActions,
  selection,
  removal,
}: {
  readonly query: Readonly<Record<string, string>>
  readonly rowActions: (row: MenuLine) => readonly RowAction[]
  readonly selection: Selection | undefined
  readonly removal: ReactNode
}) => {
  const t = useT(menuTexts)
  const columns = useColumns()
  const found = useQuery({
    queryKey: listKey(name, query),
    queryFn: ({ signal }) => read(query, signal),
    placeholderData: keepPreviousData,
  })
  const placed = useMemo<readonly Column<MenuLine>[]>(
    () => [
      columns[0] as Column<MenuLine>,
      { key: 'parent', title: t('menu.parent'), width: 140, cell: row => row.parentName },
      ...columns.slice(1),
    ],
    [columns, t],
  )
  return (
    <DataTable<MenuLine>
      name="menu-found"
      caption={t('menu.title')}
      rows={found.data}
      rowId={idOf}
      rowName={row => row.name}
      columns={placed}
      rowActions={rowActions}
      selection={selection}
      error={found.isError ? { message: found.error.message, onRetry: () => void found.refetch() } : null}
      toolbar={
        <>
          {found.data === undefined ? null : <span>{t('menu.found', { count: found.data.length })}</span>}
          {removal}
          <ExportMenus query={query} />
        </>
      }
    />
  )
}

/** Menus and buttons as a tree (S7.17): what the side bar shows and which codes roles can hold. */
export const Page = () => {
  const t = useT(menuTexts)
  const can = useCan()
  const client = useQueryClient()
  const [target, setTarget] = useState<MenuTarget | null>(null)
  const [query, setQuery] = useState<Readonly<Record<string, string>>>({})
  const find = useFind(name, query, setQuery)
  const columns = useColumns()
  const remove = useRemove()
  const rowActions = useActions(setTarget, remove)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const selection = can('menu_delete') ? { ids: selected, onChange: setSelected } : undefined
  const removal = selection ? (
    <TickedButton count={selected.size} onClick={() => void remove([...selected]).then(isGone => isGone && setSelected(new Set()))}>
      {t('action.batchDelete')}
    </TickedButton>
  ) : null
  const tree = useLazyTree<MenuLine>({ name, idOf, hasChildren, load: below })
  const isSearching = Object.keys(query).length > 0
  return (
    <div className="crud-page">
      <div className="page-head">
        <h1>{t('menu.title')}</h1>
      </div>
      <SearchRow
        fields={[
          { kind: 'text', key: 'name', label: t('menu.name') },
          { kind: 'text', key: 'code', label: t('menu.code') },
          { kind: 'text', key: 'alias', label: t('menu.alias') },
        ]}
        values={query}
        onSearch={find}
      />
      {isSearching ? (
        <Found query={query} rowActions={rowActions} selection={selection} removal={removal} />
      ) : (
        <TreeTable<MenuLine>
          {...tree}
          caption={t('menu.title')}
          rowName={row => row.name}
          columns={columns}
          rowActions={rowActions}
          {...(selection ? { selection } : {})}
          toolbar={
            <>
              {can('menu_add') ? (
                <button
                  type="button"
                  className="button button-primary"
                  onClick={() => setTarget({ kind: 'add', category: 1, parentId: '0', sort: sortBehind(tree.roots?.at(-1)) })}
                >
                  {t('menu.add')}
                </button>
              ) : null}
              {removal}
              <ExportMenus query={{}} />
            </>
          }
        />
      )}
      {target === null ? null : (
        <Suspense>
          <MenuDialog
            target={target}
            onClose={() => setTarget(null)}
            onSaved={() => void client.invalidateQueries({ queryKey: listKey(name) })}
          />
        </Suspense>
      )}
    </div>
  )
}
