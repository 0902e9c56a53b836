import { wholeTree } from '#modules/access/index.ts'
import type { DeptNode } from './data/dept.repo.ts'

/** What a department says of itself in a tree, without the end of its object: written once, and again when it was read anew. */
const heads = new WeakMap<DeptNode, string>()
const headOf = (node: DeptNode): string => {
  const known = heads.get(node)
  if (known !== undefined) return known
  const { id, parentId, deptName } = node
  const head = JSON.stringify({ id, parentId, title: deptName, key: id, value: id }).slice(0, -1)
  heads.set(node, head)
  return head
}

/** The departments as selectors of trees take them (`treeNode`). */
export const deptTree = (nodes: readonly DeptNode[]) =>
  wholeTree(nodes.map(({ id, parentId, deptName, sort }) => ({ id, parentId, title: deptName, key: id, value: id, sort })))

/** The JSON of `deptTree`, as its route declares it: of thousands of departments all but the changed ones are written already. */
export const deptTreeText = (nodes: readonly DeptNode[]): string => {
  const here = new Set(nodes.map(({ id }) => id))
  // Whoever stands at the top says so.
  const placed = nodes.map(node => (node.parentId === '0' || here.has(node.parentId) ? node : { ...node, parentId: '0' }))
  type Placed = { readonly node: DeptNode; readonly children?: readonly Placed[] }
  const listed = (items: readonly Placed[]): string =>
    `[${items.map(({ node, children }) => `${headOf(node)}${children ? `,"hasChildren":true,"children":${listed(children)}` : ''}}`).join(',')}]`
  return listed(wholeTree(placed.map(node => ({ id: node.id, parentId: node.parentId, sort: node.sort, node }))))
}
