import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useCallback, useMemo, useState } from 'react'
import { organisationImports } from '#contract/organisation/import-kinds.ts'
import { type ApiOutput, api } from '#web/kernel/api.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useCan } from '#web/kernel/permission.ts'
import { listKey } from '#web/resource/crud-page.tsx'
import { ExportButtons } from '#web/resource/export-buttons.tsx'
import { startExport } from '#web/resource/export-jobs.ts'
import { useLazyTree } from '#web/resource/lazy-tree.ts'
import { useListState } from '#web/resource/list-state.ts'
import { SearchRow } from '#web/resource/search-row.tsx'
import { useDict } from '#web/resource/use-dict.ts'
import { useFind } from '#web/resource/use-find.ts'
import type { Column, RowAction } from '#web/ui/data-table.tsx'
import { confirm, namesAndCount } from '#web/ui/dialog.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { TickedButton } from '#web/ui/ticked-button.tsx'
import { TreeTable } from '#web/ui/tree-table.tsx'
import { peopleTexts } from '../texts.ts'
import type { OpenedDept } from './dept-dialog.tsx'

const ImportRun = lazy(async () => ({ default: (await import('#web/resource/import-run.tsx')).ImportRun }))
const DeptDialog = lazy(async () => ({ default: (await import('./dept-dialog.tsx')).DeptDialog }))

type Line = ApiOutput<'GET /blade-system/dept/lazy-list'>[number]
const idOf = (row: Line) => row.id
const nameOf = (row: Line) => row.deptName
const hasChildren = (row: Line) => row.hasChildren

const useColumns = (): readonly Column<Line>[] => {
  const t = useT(peopleTexts)
  const kinds = useDict('org_category')
  return useMemo(
    () => [
      { key: 'deptName', title: t('dept.name'), width: 260, cell: row => row.deptName },
      { key: 'fullName', title: t('dept.fullName'), width: 260, cell: row => row.fullName },
      {
        key: 'deptCategory',
        title: t('dept.category'),
        cell: row => kinds.find(kind => kind.value === String(row.deptCategory))?.label ?? String(row.deptCategory),
      },
      { key: 'sort', title: t('dept.sort'), align: 'right', cell: row => row.sort },
      { key: 'parentName', title: t('dept.parent'), hidden: true, cell: row => row.parentName },
      { key: 'remark', title: t('dept.remark'), hidden: true, cell: row => row.remark },
    ],
    [t, kinds],
  )
}

/** Departments as a tree whose levels come when they are opened; a search shows its matches of every level. */
export const Page = () => {
  const t = useT(peopleTexts)
  const can = useCan()
  const client = useQueryClient()
  const columns = useColumns()
  const { state, change } = useListState('')
  const [opened, setOpened] = useState<OpenedDept | { readonly kind: 'import' } | null>(null)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [names] = useState(() => new Map<string, string>())
  const { filters } = state
  const find = useFind('dept', filters, next => change({ filters: next }))
  const isSearch = Object.keys(filters).length > 0
  const [mayAdd, mayEdit, mayDelete] = [can('dept_add'), can('dept_edit'), can('dept_delete')]
  const tree = useLazyTree<Line>({
    name: isSearch ? `dept ${JSON.stringify(filters)}` : 'dept',
    idOf,
    hasChildren,
    load: async (parentId, signal) => {
      const query = parentId === null ? { parentId: isSearch ? '' : '0', ...filters } : { parentId }
      const rows = await api.call('GET /blade-system/dept/lazy-list', query, { signal })
      for (const row of rows) names.set(row.id, row.deptName)
      return rows
    },
  })
  const refresh = useCallback(async () => {
    await Promise.all([
      client.invalidateQueries({ queryKey: listKey('dept') }),
      client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === 'list' && String(queryKey[1]).startsWith('dept ') }),
      client.invalidateQueries({ queryKey: ['GET /blade-system/dept/tree'] }),
    ])
  }, [client])
  const remove = useCallback(
    async (ids: readonly string[]) => {
      if (ids.length === 0) return notify('warning', t('dept.delete.none'))
      const what = namesAndCount(ids.map(id => names.get(id) ?? id))
      const yes = await confirm({ title: t('action.delete'), text: t('dept.delete.ask', { what }), ok: t('action.delete'), danger: true })
      if (!yes) return
      try {
        await api.call('POST /blade-system/dept/remove', { ids: ids.join(',') })
      } catch {
        return // The api client has said why.
      }
      notify('success', t('done.deleted'))
      setSelected(new Set())
      await refresh()
    },
    [names, refresh, t],
  )
  const actions = useCallback(
    (row: Line): readonly RowAction[] => [
      { key: 'view', label: t('action.view'), onRun: () => setOpened({ kind: 'view', id: row.id }) },
      ...(mayEdit ? [{ key: 'edit', label: t('action.edit'), onRun: () => setOpened({ kind: 'edit', id: row.id }) }] : []),
      ...(mayAdd ? [{ key: 'below', label: t('dept.addBelow'), onRun: () => setOpened({ kind: 'add', parentId: row.id }) }] : []),
      ...(mayDelete ? [{ key: 'delete', label: t('action.delete'), danger: true, onRun: () => void remove([row.id]) }] : []),
    ],
    [t, mayAdd, mayEdit, mayDelete, remove],
  )
  return (
    <div className="crud-page">
      <div className="page-head">
        <h1>{t('dept.title')}</h1>
      </div>
      <SearchRow
        fields={[
          { kind: 'text', key: 'deptName', label: t('dept.name') },
          { kind: 'text', key: 'fullName', label: t('dept.fullName') },
        ]}
        values={filters}
        onSearch={find}
      />
      <TreeTable<Line>
        {...tree}
        name="dept"
        caption={t('dept.title')}
        rowName={nameOf}
        columns={columns}
        rowActions={actions}
        {...(mayDelete ? { selection: { ids: selected, onChange: setSelected } } : {})}
        empty={<EmptyState text={t(isSearch ? 'dept.none' : 'dept.empty')} />}
        toolbar={
          <>
            {mayAdd ? (
              <button type="button" className="button button-primary" onClick={() => setOpened({ kind: 'add', parentId: '' })}>
                {t('action.add')}
              </button>
            ) : null}
            {mayDelete ? (
              <TickedButton count={selected.size} onClick={() => void remove([...selected])}>
                {t('action.batchDelete')}
              </TickedButton>
            ) : null}
            {can('dept_import') ? (
              <button type="button" className="button" onClick={() => setOpened({ kind: 'import' })}>
                {t('dept.import')}
              </button>
            ) : null}
            {can('dept_export') ? (
              <ExportButtons
                onExport={() => startExport({ method: 'GET', path: '/blade-system/dept/export-dept', query: filters }, t('dept.title'))}
              />
            ) : null}
          </>
        }
      />
      {opened === null ? null : (
        <Suspense>
          {opened.kind === 'import' ? (
            <ImportRun
              title={t('dept.import')}
              of={organisationImports.depts}
              fields={{}}
              onClose={() => setOpened(null)}
              onDone={() => {
                void refresh()
                notify('success', t('dept.import.done'))
              }}
            />
          ) : (
            <DeptDialog opened={opened} onClose={() => setOpened(null)} onDone={refresh} />
          )}
        </Suspense>
      )}
    </div>
  )
}
