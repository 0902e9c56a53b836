export interface TreeItem {
  readonly id: string
  readonly parentId: string
  readonly sort: number
}
export type Tree<T extends TreeItem> = T & { readonly children?: readonly Tree<T>[]; readonly hasChildren?: boolean }

/** Granted items with every ancestor, as a tree; `children` is left out when empty (framework-contract 1.4). */
export const treeWithAncestors = <T extends TreeItem>(granted: readonly T[], all: readonly T[]): Tree<T>[] => {
  const byId = new Map(all.map(item => [item.id, item]))
  for (const item of granted) byId.set(item.id, item)
  const wanted = new Map<string, T>()
  for (const item of granted) {
    for (let at: T | undefined = item; at && !wanted.has(at.id); at = byId.get(at.parentId)) wanted.set(at.id, at)
  }
  const childrenOf = new Map<string, T[]>()
  for (const item of wanted.values()) {
    const parent = wanted.has(item.parentId) ? item.parentId : '0'
    const siblings = childrenOf.get(parent)
    if (siblings) siblings.push(item)
    else childrenOf.set(parent, [item])
  }
  const grow = (parentId: string): Tree<T>[] =>
    (childrenOf.get(parentId) ?? [])
      .sort((a, b) => a.sort - b.sort || (a.id < b.id ? -1 : 1))
      .map(item => {
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
  type Grown = T & { parentId: string; children?: Grown[]; hasChildren?: boolean }
  const grown = items as readonly Grown[]
  const byId = new Map(grown.map(item => [item.id, item]))
  const top: Grown[] = []
  const parents: Grown[] = []
  for (const item of grown) {
    const parent = byId.get(item.parentId)
    if (parent?.children) parent.children.push(item)
    else if (parent) {
      parent.children = [item]
      parent.hasChildren = true
      parents.push(parent)
    } else {
      item.parentId = '0'
      top.push(item)
    }
  }
  const inOrder = (a: Grown, b: Grown): number => a.sort - b.sort || (a.id < b.id ? -1 : 1)
  for (const { children } of parents) children?.sort(inOrder)
  return top.sort(inOrder)
}
