import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useCallback, useMemo, useState } from 'react'
import type { RoleWire } from '#contract/access/role.routes.ts'
import { api } from '#web/kernel/api.ts'
import { useLang, useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useCan } from '#web/kernel/permission.ts'
import { listKey } from '#web/resource/crud-page.tsx'
import { ExportButtons } from '#web/resource/export-buttons.tsx'
import { startExport } from '#web/resource/export-jobs.ts'
import { SearchRow } from '#web/resource/search-row.tsx'
import { useFind } from '#web/resource/use-find.ts'
import { goTo } from '#web/shell/go.ts'
import type { Column, RowAction } from '#web/ui/data-table.tsx'
import { confirm, namesAndCount } from '#web/ui/dialog.tsx'
import { TickedButton } from '#web/ui/ticked-button.tsx'
import { TreeTable } from '#web/ui/tree-table.tsx'
import type { RoleOption, RoleTarget } from './role-dialog.tsx'
import { roleTexts } from './texts.ts'
import '../access.css'

const RoleDialog = lazy(async () => ({ default: (await import('./role-dialog.tsx')).RoleDialog }))
const GrantDialog = lazy(async () => ({ default: (await import('./grant-dialog.tsx')).GrantDialog }))

type Node = RoleWire & { readonly children?: readonly Node[] }
type Opened = RoleTarget | { readonly kind: 'grant'; readonly row: RoleWire; readonly readOnly: boolean }
const name = 'role'
const idOf = (node: Node) => node.id
const childrenOf = (node: Node) => node.children ?? []
const hasChildren = (node: Node) => childrenOf(node).length > 0
type NameOf = (role: RoleWire) => string
/** What a role is called in the reader's language. */
const useRoleName = (): NameOf => {
  const isEnglish = useLang() === 'en'
  return useCallback(role => (isEnglish && role.roleNameEn) || role.roleName, [isEnglish])
}
const flat = (nodes: readonly Node[], nameOf: NameOf, depth = 1): readonly RoleOption[] =>
  nodes.flatMap(node => [{ value: node.id, label: `${'　'.repeat(depth)}${nameOf(node)}` }, ...flat(childrenOf(node), nameOf, depth + 1)])
const rowsIn = (nodes: readonly Node[]): readonly Node[] => nodes.flatMap(node => [node, ...rowsIn(childrenOf(node))])
const openIds = (nodes: readonly Node[]): readonly string[] =>
  nodes.flatMap(node => (hasChildren(node) ? [node.id, ...openIds(childrenOf(node))] : []))

const useColumns = (): readonly Column<Node>[] => {
  const t = useT(roleTexts)
  const nameOf = useRoleName()
  return useMemo(
    () => [
      { key: 'roleName', title: t('role.name'), width: 240, cell: nameOf },
      { key: 'roleAlias', title: t('role.alias'), width: 160, cell: row => row.roleAlias },
      { key: 'holders', title: t('role.holders'), width: 100, align: 'right', cell: row => (row.holders > 1_000 ? '1,000+' : row.holders) },
      {
        key: 'isBack',
        title: t('role.back'),
        width: 130,
        cell: row => (row.isBack === -1 ? '' : t(row.isBack === 1 ? 'role.back.1' : 'role.back.0')),
      },
      { key: 'sort', title: t('role.sort'), width: 80, align: 'right', cell: row => row.sort },
      {
        key: 'kind',
        title: t('role.kind'),
        width: 200,
        cell: row => [row.isSystem === 1 ? t('role.system') : '', row.mayManage === 1 ? t('role.own') : ''].filter(Boolean).join(' · '),
      },
    ],
    [t, nameOf],
  )
}

/** Asks first; the rows go together or not at all. @returns whether they are gone */
const useRemove = (reload: () => void) => {
  const t = useT(roleTexts)
  const nameOf = useRoleName()
  return useCallback(
    async (rows: readonly RoleWire[]): Promise<boolean> => {
      if (rows.length === 0) {
        notify('warning', t('role.none'))
        return false
      }
      const text = t('role.remove.ask', { name: namesAndCount(rows.map(nameOf)) })
      if (!(await confirm({ title: t('action.delete'), text, ok: t('action.delete'), danger: true }))) return false
      try {
        await api.call('POST /blade-system/role/remove', { ids: rows.map(idOf).join(',') })
      } catch {
        return false // The api client has said why.
      }
      notify('success', t('role.removed'))
      reload()
      return true
    },
    [t, nameOf, reload],
  )
}

const useActions = (open: (next: Opened) => void, reload: () => void, remove: (rows: readonly RoleWire[]) => Promise<boolean>) => {
  const t = useT(roleTexts)
  const can = useCan()
  const [mayAdd, mayEdit, mayDelete, maySet, mayBack] = ['add', 'edit', 'delete', 'setting', 'back'].map(action => can(`role_${action}`))
  const maySeeFields = can('fieldrule_view')
  const nameOf = useRoleName()
  return useCallback(
    (row: Node): readonly RowAction[] => {
      const isMine = row.mayManage > 0
      const switchBack = async () => {
        const status = row.isBack === 1 ? 0 : 1
        const title = t(status === 1 ? 'role.back.allow' : 'role.back.forbid')
        if (!(await confirm({ title, text: t(status === 1 ? 'role.back.ask.1' : 'role.back.ask.0', { name: nameOf(row) }), ok: title })))
          return
        await api.call('POST /blade-system/role/changeIsBack', { id: row.id, status })
        notify('success', t('role.saved'))
        reload()
      }
      const quietly = (work: () => Promise<unknown>) => () => void work().catch(() => {}) // The api client has said why.
      const changes = row.mayManage === 2 && maySet
      return [
        { key: 'grant', label: t(changes ? 'role.grant' : 'action.view'), onRun: () => open({ kind: 'grant', row, readOnly: !changes }) },
        ...(maySeeFields && row.roleAlias !== 'candidate'
          ? [{ key: 'fields', label: t('role.fields'), onRun: () => goTo(`/system/fieldRule?role=${row.id}`) }]
          : []),
        ...(isMine && mayEdit ? [{ key: 'edit', label: t('action.edit'), onRun: () => open({ kind: 'edit', row }) }] : []),
        ...(isMine && mayAdd
          ? [
              {
                key: 'below',
                label: t('role.addBelow'),
                onRun: () => open({ kind: 'add', parentId: row.id, sort: (row.children?.at(-1)?.sort ?? 0) + 1 }),
              },
            ]
          : []),
        ...(isMine && mayBack && row.isBack !== -1
          ? [{ key: 'back', label: t(row.isBack === 1 ? 'role.back.forbid' : 'role.back.allow'), onRun: quietly(switchBack) }]
          : []),
        ...(isMine && mayDelete && row.isSystem === 0
          ? [{ key: 'delete', label: t('action.delete'), danger: true, onRun: () => void remove([row]) }]
          : []),
      ]
    },
    [t, nameOf, open, reload, remove, mayAdd, mayEdit, mayDelete, maySet, mayBack, maySeeFields],
  )
}

/** Roles as a tree, and what they hold (S7.20). */
export const Page = () => {
  const t = useT(roleTexts)
  const can = useCan()
  const [query, setQuery] = useState<Readonly<Record<string, string>>>({})
  const find = useFind(name, query, setQuery)
  const [opened, setOpened] = useState<Opened | null>(null)
  const [open, setOpen] = useState<ReadonlySet<string> | null>(null)
  const columns = useColumns()
  const nameOf = useRoleName()
  const roles = useQuery({
    queryKey: listKey(name, query),
    queryFn: async ({ signal }) => (await api.call('GET /blade-system/role/list', query, { signal })) as readonly Node[],
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
  const { refetch } = roles
  const reload = useCallback(() => void refetch(), [refetch])
  const remove = useRemove(reload)
  const rowActions = useActions(setOpened, reload, remove)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const roots = roles.data
  const removeSelected = async () => {
    if (await remove(rowsIn(roots ?? []).filter(row => selected.has(row.id)))) setSelected(new Set())
  }
  const all = useMemo(() => new Set(openIds(roots ?? [])), [roots])
  return (
    <div className="crud-page">
      <div className="page-head">
        <h1>{t('role.title')}</h1>
      </div>
      <SearchRow
        fields={[
          { kind: 'text', key: 'roleName', label: t('role.name') },
          { kind: 'text', key: 'roleAlias', label: t('role.alias') },
        ]}
        values={query}
        onSearch={find}
      />
      <TreeTable<Node>
        name={name}
        caption={t('role.title')}
        roots={roots}
        idOf={idOf}
        hasChildren={hasChildren}
        childrenOf={childrenOf}
        open={open ?? all}
        onOpen={setOpen}
        rowName={nameOf}
        columns={columns}
        rowActions={rowActions}
        {...(can('role_delete') ? { selection: { ids: selected, onChange: setSelected } } : {})}
        busy={roles.isFetching && roots !== undefined}
        error={roles.isError ? { message: roles.error.message, onRetry: reload } : null}
        onRefresh={reload}
        toolbar={
          <>
            {can('role_add') ? (
              <button
                type="button"
                className="button button-primary"
                onClick={() => setOpened({ kind: 'add', parentId: '0', sort: (roots?.at(-1)?.sort ?? 0) + 1 })}
              >
                {t('role.add')}
              </button>
            ) : null}
            {can('role_delete') ? (
              <TickedButton count={selected.size} onClick={() => void removeSelected()}>
                {t('action.batchDelete')}
              </TickedButton>
            ) : null}
            {can('role_export') ? (
              <ExportButtons
                onExport={() => startExport({ method: 'GET', path: '/blade-system/role/export-role', query }, t('role.title'))}
              />
            ) : null}
          </>
        }
      />
      <Suspense>
        {opened === null ? null : opened.kind === 'grant' ? (
          <GrantDialog role={opened.row} readOnly={opened.readOnly} onClose={() => setOpened(null)} onSaved={reload} />
        ) : (
          <RoleDialog
            target={opened}
            parents={[{ value: '0', label: t('role.root') }, ...flat(roots ?? [], nameOf)]}
            onClose={() => setOpened(null)}
            onSaved={reload}
          />
        )}
      </Suspense>
    </div>
  )
}
