import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import { topmenu } from '#contract/access/topmenu.resource.ts'
import { api } from '#web/kernel/api.ts'
import { useLabel, useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useCan } from '#web/kernel/permission.ts'
import type { Row } from '#web/resource/fields.ts'
import { ResourcePage } from '#web/resource/resource-page.tsx'
import { type CheckNode, TreeCheck } from '#web/resource/tree-check.tsx'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import type { RowAction } from '#web/ui/data-table.tsx'
import { Loaded } from '#web/ui/states.tsx'
import { tenantTexts } from './texts.ts'

const keysOf = (id: string) => ['top-menu-keys', id]

const useShown = (id: string) =>
  useQuery({
    queryKey: keysOf(id),
    queryFn: async ({ signal }) => {
      const [{ menu: nodes }, { menu: chosen }] = await Promise.all([
        api.call('GET /blade-system/menu/grant-top-tree', {}, { signal, quiet: true }),
        api.call('GET /blade-system/menu/top-tree-keys', { topMenuIds: id }, { signal, quiet: true }),
      ])
      return { nodes: nodes as readonly CheckNode[], chosen }
    },
    staleTime: 0,
    gcTime: 0,
  })

const GrantDialog = ({ row, onClose }: { readonly row: Row; readonly onClose: () => void }) => {
  const t = useT(tenantTexts)
  const label = useLabel()
  const client = useQueryClient()
  const shown = useShown(row.id)
  const [changed, setChanged] = useState<ReadonlySet<string> | null>(null)
  const stored = useMemo(() => new Set(shown.data?.chosen ?? []), [shown.data])
  const save = async () => {
    try {
      await api.call('POST /blade-system/topmenu/grant', { topMenuIds: [row.id], menuIds: [...(changed ?? stored)] })
    } catch {
      return false // The api client has said why.
    }
    notify('success', t('done.updated'))
    await client.invalidateQueries()
    return true
  }
  return (
    <ActionDialog
      title={t('top.set.of', { name: label({ zh: String(row.name), en: String(row.nameEn || row.name) }) })}
      actions={[{ label: t('action.save'), disabled: shown.data === undefined, run: save }]}
      hasChanges={() => changed !== null}
      onClose={onClose}
    >
      <p>{t('top.lead')}</p>
      <Loaded query={shown} skeletonRows={6}>
        {({ nodes }) => <TreeCheck label={t('top.set')} nodes={nodes} chosen={changed ?? stored} onChange={setChanged} />}
      </Loaded>
    </ActionDialog>
  )
}

const setMain = async (client: QueryClient, row: Row, done: string): Promise<void> => {
  try {
    await api.call('POST /blade-system/topmenu/enable', { id: row.id, enable: row.isMain === 1 ? 0 : 1 })
  } catch {
    return // The api client has said why.
  }
  notify('success', done)
  await client.invalidateQueries()
}

/** Tabs of the top bar and what each of them shows. */
export const Page = () => {
  const t = useT(tenantTexts)
  const can = useCan()
  const maySet = can('topmenu_setting')
  const mayEdit = can('topmenu_edit')
  const client = useQueryClient()
  const [row, setRow] = useState<Row | null>(null)
  const actions = useCallback(
    (of: Row): readonly RowAction[] => [
      ...(maySet ? [{ key: 'setting', label: t('top.set'), onRun: () => setRow(of) }] : []),
      ...(mayEdit
        ? [
            {
              key: 'main',
              label: t(of.isMain === 1 ? 'top.main.off' : 'top.main.on'),
              onRun: () => void setMain(client, of, t('done.updated')),
            },
          ]
        : []),
    ],
    [maySet, mayEdit, client, t],
  )
  return (
    <>
      <ResourcePage resource={topmenu} rowActions={actions} />
      {row === null ? null : <GrantDialog row={row} onClose={() => setRow(null)} />}
    </>
  )
}
