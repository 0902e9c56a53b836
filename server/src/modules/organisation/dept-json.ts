import { siblingsOf, wholeTree } from '#modules/access/index.ts'
import type { DeptNode } from './data/dept.repo.ts'

/** A department with all below it, as JSON in pieces. */
interface Branch {
  /** A copy of a department brings along what was written of the one it is a copy of. */
  readonly of: DeptNode
  readonly pieces: readonly Buffer[]
  readonly bytes: number
  readonly below: readonly Branch[]
}
/**
 * What was written last of a department, kept with it: it comes anew when it was read anew. Looking thousands of them up in a WeakMap took as long as all
 * the rest of writing the tree.
 */
const kept = Symbol('kept')
type Written = DeptNode & { [kept]?: Branch }

/** Larger branches stay in pieces, or each change would copy the whole tree once for every level above it. */
const onePieceBytes = 16_384
const [comma, open, listEnd, branchEnd] = [',', '[', ']', ']}'].map(text => Buffer.from(text)) as [Buffer, Buffer, Buffer, Buffer]

const listed = (branches: readonly Branch[]): Buffer[] => branches.flatMap(({ pieces }, at) => (at === 0 ? pieces : [comma, ...pieces]))

const branchOf = (node: DeptNode, below: readonly Branch[]): Branch => {
  const { id, parentId, deptName } = node
  const own = JSON.stringify({ id, parentId, title: deptName, key: id, value: id })
  const pieces =
    below.length === 0
      ? [Buffer.from(own)]
      : [Buffer.from(`${own.slice(0, -1)},"hasChildren":true,"children":[`), ...listed(below), branchEnd]
  const bytes = pieces.reduce((sum, { length }) => sum + length, 0)
  return { of: node, pieces: bytes <= onePieceBytes ? [Buffer.concat(pieces, bytes)] : pieces, bytes, below }
}

const isSame = (a: readonly Branch[], b: readonly Branch[]): boolean => a.length === b.length && a.every((one, at) => one === b[at])

/** The departments as selectors of trees take them (`treeNode`). */
export const deptTree = (nodes: readonly DeptNode[]) =>
  wholeTree(nodes.map(({ id, parentId, deptName, sort }) => ({ id, parentId, title: deptName, key: id, value: id, sort })))

/** The JSON of `deptTree`, as its route declares it: of thousands of departments only the changed ones and those above them are written anew. */
export const deptTreeJson = (nodes: readonly DeptNode[]): readonly Buffer[] => {
  const siblings = siblingsOf(nodes)
  const grow = (node: Written): Branch => {
    const below = siblings.get(node.id)?.map(grow) ?? []
    const known = node[kept]
    if (known?.of === node && isSame(known.below, below)) return known
    const branch = branchOf(node, below)
    node[kept] = branch
    return branch
  }
  // Whoever stands at the top says so.
  const top = (siblings.get('0') ?? []).map(node => grow(node.parentId === '0' ? node : { ...node, parentId: '0' }))
  return [open, ...listed(top), listEnd]
}
