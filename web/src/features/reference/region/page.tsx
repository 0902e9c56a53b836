import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useCallback, useMemo, useState } from 'react'
import { api } from '#web/kernel/api.ts'
import { useLabel, useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useCan } from '#web/kernel/permission.ts'
import { listKey } from '#web/resource/crud-page.tsx'
import { ExportButtons } from '#web/resource/export-buttons.tsx'
import { startExport } from '#web/resource/export-jobs.ts'
import { useLazyTree } from '#web/resource/lazy-tree.ts'
import { SearchRow } from '#web/resource/search-row.tsx'
import { useDict } from '#web/resource/use-dict.ts'
import { useFind } from '#web/resource/use-find.ts'
import { usePage } from '#web/shell/page-context.tsx'
import { type Column, DataTable, type RowAction } from '#web/ui/data-table.tsx'
import { confirm, namesAndCount } from '#web/ui/dialog.tsx'
import { TickedButton } from '#web/ui/ticked-button.tsx'
import { TreeTable } from '#web/ui/tree-table.tsx'
import type { Editing, Region } from './dialogs.tsx'
import { regionTexts } from './texts.ts'

const RegionDialog = lazy(async () => ({ default: (await import('./dialogs.tsx')).RegionDialog }))
const RegionCascade = lazy(async () => ({ default: (await import('./cascade-dialog.tsx')).RegionCascade }))
const RegionImport = lazy(async () => ({ default: (await import('./import-dialog.tsx')).RegionImport }))

const name = 'region'
const path = 'GET /blade-system/region/lazy-list'
const idOf = (row: Region): string => row.code
const nameOf = (row: Region): string => row.fullName
const hasChildren = (row: Region): boolean => row.hasChildren
/** Villages have nothing below them. */
const lowest = 5

const useColumns = (isFlat: boolean): readonly Column<Region>[] => {
  const t = useT(regionTexts)
  const levels = useDict('region')
  return useMemo(
    () => [
      { key: 'name', title: t('name'), cell: row => <span lang="zh">{isFlat ? row.fullName : row.name}</span> },
      { key: 'code', title: t('code'), cell: row => row.code, width: 140 },
      {
        key: 'level',
        title: t('level'),
        width: 110,
        cell: row => levels.find(level => level.value === String(row.regionLevel))?.label ?? String(row.regionLevel),
      },
      { key: 'full', title: t('full'), cell: row => <span lang="zh">{row.fullName}</span>, hidden: true },
      { key: 'sort', title: t('sort'), cell: row => row.sort, align: 'right', width: 90 },
      { key: 'remark', title: t('remark'), cell: row => (row.remark === '' ? '' : <span lang="zh">{row.remark}</span>) },
    ],
    [t, levels, isFlat],
  )
}

/** The regions of the whole installation as a tree whose levels come when they are opened; a search shows its matches flat. */
export const Page = () => {
  const t = useT(regionTexts)
  const label = useLabel()
  const can = useCan()
  const client = useQueryClient()
  const { title } = usePage()
  const [mayAdd, mayEdit, mayDelete] = (['add', 'edit', 'delete'] as const).map(action => can(`region_${action}`))
  const [editing, setEditing] = useState<Editing | 'import' | 'try' | null>(null)
  const [search, setSearch] = useState<Readonly<Record<string, string>>>({})
  const find = useFind(name, search, setSearch)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const isFlat = Object.keys(search).length > 0
  const columns = useColumns(isFlat)
  const [names] = useState(() => new Map<string, string>())
  const known = async (rows: Promise<readonly Region[]>): Promise<readonly Region[]> => {
    for (const row of await rows) names.set(row.code, row.fullName)
    return rows
  }
  const below = (parentCode: string | null, signal: AbortSignal) =>
    known(api.call(path, { parentCode: parentCode ?? '00' }, { signal, quiet: true }))
  const tree = useLazyTree<Region>({ name, idOf, hasChildren, load: below })
  const matches = useQuery({
    queryKey: [...listKey(name), 'search', search],
    queryFn: ({ signal }) => known(api.call(path, search, { signal, quiet: true })),
    enabled: isFlat,
  })
  const changed = useCallback(() => void client.invalidateQueries({ queryKey: listKey(name) }), [client])
  const remove = useCallback(
    async (codes: readonly string[], what: string) => {
      if (codes.length === 0) return notify('warning', t('none'))
      if (!(await confirm({ title: t('action.delete'), text: t('delete.ask', { what }), ok: t('action.delete'), danger: true }))) return
      try {
        await api.call('POST /blade-system/region/remove', { ids: codes.join(',') })
      } catch {
        return // The api client has said why.
      }
      notify('success', t('done.deleted'))
      setSelected(new Set())
      changed()
    },
    [changed, t],
  )
  const actions = useCallback(
    (row: Region): readonly RowAction[] => [
      ...(mayAdd && row.regionLevel < lowest
        ? [{ key: 'add', label: t('add.below'), onRun: () => setEditing({ row: null, parent: row }) }]
        : []),
      ...(mayEdit ? [{ key: 'edit', label: t('action.edit'), onRun: () => setEditing({ row, parent: null }) }] : []),
      ...(mayDelete
        ? [{ key: 'delete', label: t('action.delete'), danger: true, onRun: () => void remove([row.code], row.fullName) }]
        : []),
    ],
    [mayAdd, mayEdit, mayDelete, remove, t],
  )
  const common = {
    caption: t('title'),
    columns,
    rowName: nameOf,
    rowActions: actions,
    ...(mayDelete ? { selection: { ids: selected, onChange: setSelected } } : {}),
    toolbar: (
      <>
        {mayAdd ? (
          <button type="button" className="button button-primary" onClick={() => setEditing({ row: null, parent: null })}>
            {t('add')}
          </button>
        ) : null}
        {mayDelete ? (
          <TickedButton
            count={selected.size}
            onClick={() => void remove([...selected], namesAndCount([...selected].map(code => names.get(code) ?? code)))}
          >
            {t('action.batchDelete')}
          </TickedButton>
        ) : null}
        {can('region_import') ? (
          <button type="button" className="button" onClick={() => setEditing('import')}>
            {t('import')}
          </button>
        ) : null}
        {can('region_debug') ? (
          <button type="button" className="button" onClick={() => setEditing('try')}>
            {t('try')}
          </button>
        ) : null}
        {can('region_export') ? (
          <ExportButtons
            onExport={() => startExport({ method: 'GET', path: '/blade-system/region/export-region', query: search }, t('title'))}
          />
        ) : null}
      </>
    ),
  }
  return (
    <div className="crud-page">
      <div className="page-head">
        <h1>{title === null ? t('title') : label(title)}</h1>
      </div>
      <SearchRow
        fields={[
          { kind: 'text', key: 'name', label: t('name') },
          { kind: 'text', key: 'code', label: t('code') },
        ]}
        values={search}
        onSearch={find}
      />
      {isFlat ? (
        <DataTable<Region>
          {...common}
          name="region-search"
          rows={matches.data}
          rowId={idOf}
          busy={matches.isFetching && matches.data !== undefined}
          error={matches.isError ? { message: matches.error.message, onRetry: () => void matches.refetch() } : null}
          onRefresh={() => void matches.refetch()}
        />
      ) : (
        <TreeTable<Region> {...tree} {...common} />
      )}
      {editing === null ? null : (
        <Suspense>
          {editing === 'try' ? (
            <RegionCascade onClose={() => setEditing(null)} />
          ) : editing === 'import' ? (
            <RegionImport onClose={() => setEditing(null)} onDone={changed} />
          ) : (
            <RegionDialog editing={editing} onClose={() => setEditing(null)} onDone={changed} />
          )}
        </Suspense>
      )}
    </div>
  )
}
