import { describe, expect, it } from 'vitest'
import { flatten, openable, type TreeShape, treeMove } from './tree.ts'

interface Node {
  readonly id: string
  readonly has?: boolean
  readonly children?: Node[]
}
const shape: TreeShape<Node> = {
  idOf: node => node.id,
  hasChildren: node => node.has ?? (node.children?.length ?? 0) > 0,
  childrenOf: node => node.children,
}
const roots: Node[] = [
  {
    id: 'bureau',
    children: [
      { id: 'hospital', children: [{ id: 'ward' }] },
      { id: 'clinic', has: true },
    ],
  },
  { id: 'school', children: [] },
]
const shown = (open: readonly string[]) =>
  flatten(roots, new Set(open), shape).map(row => `${row.id} ${row.level} ${row.place}/${row.siblings} ${row.state}`)

describe('tree', () => {
  it('shows the roots, and below what is open its children with their place', () => {
    expect(shown([])).toEqual(['bureau 1 1/2 closed', 'school 1 2/2 leaf'])
    expect(shown(['bureau', 'clinic', 'ward'])).toEqual([
      'bureau 1 1/2 open',
      'hospital 2 1/2 closed',
      'clinic 2 2/2 loading',
      'school 1 2/2 leaf',
    ])
  })
  it('draws a node that contains itself once', () => {
    const loop: Node = { id: 'a', children: [] }
    loop.children?.push(loop)
    expect(flatten([loop], new Set(['a']), shape).map(row => row.id)).toEqual(['a'])
  })
  it('opens, closes and walks with the arrow keys', () => {
    const rows = flatten(roots, new Set(['bureau']), shape)
    const keys = (id: string) =>
      ['ArrowDown', 'ArrowUp', 'ArrowRight', 'ArrowLeft', 'Home', 'End', 'a'].map(key => {
        const move = treeMove(rows, id, key)
        return move === null ? '-' : `${move.kind} ${move.id}`
      })
    expect(keys('bureau')).toEqual(['focus hospital', '-', 'focus hospital', 'toggle bureau', 'focus bureau', 'focus school', '-'])
    expect(keys('hospital')).toEqual([
      'focus clinic',
      'focus bureau',
      'toggle hospital',
      'focus bureau',
      'focus bureau',
      'focus school',
      '-',
    ])
    expect(keys('school')).toEqual(['-', 'focus clinic', '-', '-', 'focus bureau', 'focus school', '-'])
    expect(treeMove(rows, 'nobody', 'Home')).toBeNull()
  })
  it('finds all that can be opened', () => {
    expect([...openable(roots, shape)]).toEqual(['bureau', 'hospital', 'clinic'])
  })
})
