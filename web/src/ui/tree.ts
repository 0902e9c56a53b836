/** A node on its way to the screen. */
export interface TreeRow<Node> {
  readonly node: Node
  readonly id: string
  readonly parentId: string | null
  /** 1 for a root. */
  readonly level: number
  /** Place among its siblings, from 1, and how many they are. */
  readonly place: number
  readonly siblings: number
  readonly state: 'leaf' | 'closed' | 'loading' | 'open'
}

export interface TreeShape<Node> {
  readonly idOf: (node: Node) => string
  readonly hasChildren: (node: Node) => boolean
  /** Undefined: they have not arrived. */
  readonly childrenOf: (node: Node) => readonly Node[] | undefined
}

/** The nodes that are in view, in the order of the screen. A node that contains itself is drawn once. */
export const flatten = <Node>(
  roots: readonly Node[],
  open: ReadonlySet<string>,
  { idOf, hasChildren, childrenOf }: TreeShape<Node>,
): readonly TreeRow<Node>[] => {
  const rows: TreeRow<Node>[] = []
  const above = new Set<string>()
  const visit = (nodes: readonly Node[], parentId: string | null, level: number) => {
    for (const [index, node] of nodes.entries()) {
      const id = idOf(node)
      if (above.has(id)) continue
      const children = childrenOf(node)
      const isLeaf = children === undefined ? !hasChildren(node) : children.length === 0
      const state = isLeaf ? 'leaf' : !open.has(id) ? 'closed' : children === undefined ? 'loading' : 'open'
      rows.push({ node, id, parentId, level, place: index + 1, siblings: nodes.length, state })
      if (state !== 'open' || children === undefined) continue
      above.add(id)
      visit(children, id, level + 1)
      above.delete(id)
    }
  }
  visit(roots, null, 1)
  return rows
}

export type TreeMove = { readonly kind: 'focus'; readonly id: string } | { readonly kind: 'toggle'; readonly id: string }

/** What a key does on a row of a tree, as in the treegrid pattern of the ARIA practices; null: nothing. */
export const treeMove = (rows: readonly TreeRow<unknown>[], id: string, key: string): TreeMove | null => {
  const at = rows.findIndex(row => row.id === id)
  const row = rows[at]
  if (row === undefined) return null
  const focus = (target: TreeRow<unknown> | undefined): TreeMove | null => (target === undefined ? null : { kind: 'focus', id: target.id })
  switch (key) {
    case 'ArrowDown':
      return focus(rows[at + 1])
    case 'ArrowUp':
      return focus(rows[at - 1])
    case 'Home':
      return focus(rows[0])
    case 'End':
      return focus(rows.at(-1))
    case 'ArrowRight':
      return row.state === 'closed' ? { kind: 'toggle', id } : row.state === 'open' ? focus(rows[at + 1]) : null
    case 'ArrowLeft':
      return row.state === 'open' || row.state === 'loading'
        ? { kind: 'toggle', id }
        : row.parentId === null
          ? null
          : { kind: 'focus', id: row.parentId }
    default:
      return null
  }
}

/** Ids of everything that can be opened, of the nodes that are there. */
export const openable = <Node>(roots: readonly Node[], { idOf, hasChildren, childrenOf }: TreeShape<Node>): ReadonlySet<string> => {
  const found = new Set<string>()
  const visit = (nodes: readonly Node[]) => {
    for (const node of nodes) {
      const children = childrenOf(node)
      const id = idOf(node)
      if (found.has(id) || (children === undefined ? !hasChildren(node) : children.length === 0)) continue
      found.add(id)
      visit(children ?? [])
    }
  }
  visit(roots)
  return found
}
