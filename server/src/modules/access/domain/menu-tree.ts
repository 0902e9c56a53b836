export interface TreeItem {
  readonly id: string
  readonly parentId: string
  readonly sort: number
}
export type Tree<T extends TreeItem> = T & { readonly children?: readonly Tree<T>[]; readonly hasChildren?: boolean }

/** Items by the parent they stand below, in their order. Those whose parent is not among them stand at the top, below '0'. */
export const siblingsOf = <T extends TreeItem>(items: readonly T[]): ReadonlyMap<string, readonly T[]> => {
  const here = new Set(items.map(({ id }) => id))
  const siblings = new Map<string, T[]>()
  for (const item of items) {
    const parentId = here.has(item.parentId) ? item.parentId : '0'
    const known = siblings.get(parentId)
    if (known) known.push(item)
    else siblings.set(parentId, [item])
  }
  for (const list of siblings.values()) list.sort((a, b) => a.sort - b.sort || (a.id < b.id ? -1 : 1))
  return siblings
}

/** Granted items with every ancestor, as a tree; `children` is left out when empty (framework-contract 1.4). */
export const treeWithAncestors = <T extends TreeItem>(granted: readonly T[], all: readonly T[]): Tree<T>[] => {
  const byId = new Map(all.map(item => [item.id, item]))
  for (const item of granted) byId.set(item.id, item)
  const wanted = new Map<string, T>()
  for (const item of granted) {
    for (let at: T | undefined = item; at && !wanted.has(at.id); at = byId.get(at.parentId)) wanted.set(at.id, at)
  }
  const siblings = siblingsOf([...wanted.values()])
  const grow = (parentId: string): Tree<T>[] =>
    (siblings.get(parentId) ?? []).map(item => {
      const children = grow(item.id)
      return children.length === 0 ? item : { ...item, children, hasChildren: true }
    })
  return grow('0')
}

/**
 * All items as a tree, where nothing is left out; those whose parent is not there stand at the top. Thousands are put together at once: nothing is
 * copied, and the items given are the caller's no more.
 */
export const wholeTree = <T extends TreeItem>(items: readonly T[]): Tree<T>[] => {
  type Grown = T & { parentId: string; children?: readonly Grown[]; hasChildren?: boolean }
  const siblings = siblingsOf(items as readonly Grown[])
  for (const item of items as readonly Grown[]) {
    const children = siblings.get(item.id)
    if (!children) continue
    item.children = children
    item.hasChildren = true
  }
  const top = siblings.get('0') ?? []
  for (const item of top) item.parentId = '0'
  return [...top]
}
