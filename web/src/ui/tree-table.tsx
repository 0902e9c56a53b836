import { type ReactNode, useCallback, useMemo, useState } from 'react'
import { useT } from '../kernel/i18n/index.ts'
import { type Column, DataTable, type RowAction, type Selection, type TreeParts } from './data-table.tsx'
import { uiTexts } from './texts.ts'
import { flatten, openable, type TreeRow, type TreeShape } from './tree.ts'

interface Props<Node> extends TreeShape<Node> {
  readonly name: string
  readonly caption: string
  /** Undefined while they are on the way. */
  readonly roots: readonly Node[] | undefined
  readonly rowName: (node: Node) => string
  readonly columns: readonly Column<Node>[]
  /** Keep it the same function between renders. */
  readonly rowActions?: ((node: Node) => readonly RowAction[]) | undefined
  readonly selection?: Selection
  /** Which nodes are open, when the caller keeps it (as for children that come when they are asked for). */
  readonly open?: ReadonlySet<string>
  readonly onOpen?: (open: ReadonlySet<string>) => void
  readonly busy?: boolean
  readonly error?: { readonly message?: string | undefined; readonly onRetry: () => void } | null
  readonly empty?: ReactNode
  readonly onRefresh?: () => void
  readonly toolbar?: ReactNode
  readonly current?: { readonly id: string | null; readonly onChange: (id: string) => void } | undefined
}

/** The table for trees: departments, regions, menus. Children may come when a row is opened; see `useLazyTree`. */
export const TreeTable = <Node,>(props: Props<Node>) => {
  const { roots, idOf, hasChildren, childrenOf, rowName, columns, rowActions, toolbar, open: given, onOpen, ...rest } = props
  const t = useT(uiTexts)
  const [own, setOwn] = useState<ReadonlySet<string>>(new Set())
  const open = given ?? own
  const setOpen = onOpen ?? setOwn
  const shape = useMemo(() => ({ idOf, hasChildren, childrenOf }), [idOf, hasChildren, childrenOf])
  const rows = useMemo(() => (roots === undefined ? undefined : flatten(roots, open, shape)), [roots, open, shape])
  const onToggle = useCallback(
    (id: string) => {
      const next = new Set(open)
      if (!next.delete(id)) next.add(id)
      setOpen(next)
    },
    [open, setOpen],
  )
  const tree = useMemo<TreeParts<TreeRow<Node>>>(() => ({ rowOf: row => row, onToggle }), [onToggle])
  const cells = useMemo(
    () =>
      columns.map(
        ({ cell, reveal, ...column }): Column<TreeRow<Node>> => ({
          ...column,
          cell: row => cell(row.node),
          ...(reveal === undefined ? {} : { reveal: row => reveal(row.node) }),
        }),
      ),
    [columns],
  )
  const actions = useMemo(() => (rowActions === undefined ? undefined : (row: TreeRow<Node>) => rowActions(row.node)), [rowActions])
  return (
    <DataTable<TreeRow<Node>>
      {...rest}
      rows={rows}
      rowId={rowIdOf}
      rowName={row => rowName(row.node)}
      columns={cells}
      rowActions={actions}
      tree={tree}
      toolbar={
        <>
          {toolbar}
          <button type="button" className="link-button" onClick={() => setOpen(openable(roots ?? [], shape))}>
            {t('tree.openAll')}
          </button>
          <button type="button" className="link-button" onClick={() => setOpen(new Set())}>
            {t('tree.closeAll')}
          </button>
        </>
      }
    />
  )
}

const rowIdOf = (row: TreeRow<unknown>): string => row.id
