import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useMemo, useState } from 'react'
import { tenantPackage } from '#contract/tenancy/tenant-package.resource.ts'
import { api } from '#web/kernel/api.ts'
import { useLabel, useT } from '#web/kernel/i18n/index.ts'
import type { Row } from '#web/resource/fields.ts'
import type { InputProps } from '#web/resource/input-props.ts'
import { ResourcePage } from '#web/resource/resource-page.tsx'
import type { InputSlots } from '#web/resource/schema-form.tsx'
import { type CheckNode, TreeCheck } from '#web/resource/tree-check.tsx'
import { Loaded } from '#web/ui/states.tsx'

const RowDialog = lazy(async () => ({ default: (await import('#web/resource/row-dialog.tsx')).RowDialog }))

const useMenus = () =>
  useQuery({
    queryKey: ['menu-tree'],
    queryFn: ({ signal }) => api.call('GET /blade-system/menu/tree', {}, { signal, quiet: true }),
  })
const idsOf = (joined: unknown): readonly string[] =>
  String(joined ?? '')
    .split(',')
    .filter(id => id !== '')

/** The menus of a package: comma-joined ids on the wire, boxes of a tree here. */
const MenuInput = ({ id, value, onChange }: InputProps) => {
  const label = useLabel()
  const menus = useMenus()
  const chosen = useMemo(() => new Set(idsOf(value)), [value])
  return (
    <Loaded query={menus} skeletonRows={6}>
      {nodes => (
        <TreeCheck
          id={id}
          label={label(tenantPackage.fields.menuId.label)}
          nodes={nodes as readonly CheckNode[]}
          chosen={chosen}
          onChange={next => onChange?.([...next].join(','))}
        />
      )}
    </Loaded>
  )
}
const inputs: InputSlots = { menuId: props => <MenuInput {...props} /> }

const MenuNames = ({ ids }: { readonly ids: readonly string[] }) => {
  const t = useT()
  const menus = useMenus()
  const draw = (nodes: readonly CheckNode[]): readonly string[] =>
    nodes.flatMap(node => [...(ids.includes(node.id) ? [node.title] : []), ...draw(node.children ?? [])])
  return <span>{draw((menus.data ?? []) as readonly CheckNode[]).join(t('list.separator'))}</span>
}

/** Packages of menus (S2.47). There is no view button (S6.05): a press on the name opens the dialog to read (decision 3.17). */
export const Page = () => {
  const [read, setRead] = useState<string | null>(null)
  const cells = useMemo(
    () => ({
      packageName: (row: Row) => (
        <button type="button" className="link-button" lang="zh" onClick={() => setRead(row.id)}>
          {String(row.packageName)}
        </button>
      ),
      menuId: (row: Row) => <MenuNames ids={idsOf(row.menuId)} />,
    }),
    [],
  )
  const readCells = useMemo(() => ({ ...cells, packageName: (row: Row) => <span lang="zh">{String(row.packageName)}</span> }), [cells])
  return (
    <>
      <ResourcePage resource={tenantPackage} cells={cells} inputs={inputs} without={['view']} />
      {read === null ? null : (
        <Suspense>
          <RowDialog resource={tenantPackage} opened={{ kind: 'view', id: read }} onClose={() => setRead(null)} cells={readCells} />
        </Suspense>
      )}
    </>
  )
}
