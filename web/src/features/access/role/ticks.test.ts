import { expect, test } from 'vitest'
import { counted, firstLines, invert, press, type TickNode, tickAll } from './ticks.ts'

const tree: readonly TickNode[] = [
  { id: 'exam', may: 1, children: [{ id: 'post', may: 1, children: ['post_add', 'post_view'].map(id => ({ id, may: 1 })) }] },
  { id: 'system', may: 0, children: [{ id: 'dict', may: 1, children: [{ id: 'dict_add', may: 0 }] }] },
]
const on = (...ids: readonly string[]) => new Set(ids)

test('[S6.04] linked: a button brings its page and group along, clearing a page clears its buttons', () => {
  const one = press(tree, on(), 'post_add', true)
  expect(one).toEqual(on('post_add', 'exam', 'post'))
  expect(press(tree, one, 'exam', true)).toEqual(on())
  expect(press(tree, on(), 'exam', true)).toEqual(on('exam', 'post', 'post_add', 'post_view'))
  expect(press(tree, on('exam', 'post', 'post_add'), 'post_add', true)).toEqual(on('exam', 'post'))
})
test('[S6.04] not linked: the line alone', () => {
  expect(press(tree, on(), 'post', false)).toEqual(on('post'))
  expect(press(tree, on('exam', 'post'), 'exam', false)).toEqual(on('post'))
})
test('[S6.04] what is beyond one’s own is neither ticked nor cleared', () => {
  expect(press(tree, on(), 'dict_add', true)).toEqual(on())
  expect(press(tree, on('dict_add'), 'dict', true)).toEqual(on('dict_add', 'dict'))
  expect(press(tree, on('dict_add', 'dict'), 'dict', true)).toEqual(on('dict_add'))
  expect(tickAll(tree, on())).toEqual(on('exam', 'post', 'post_add', 'post_view', 'dict'))
  expect(invert(tree, on('dict_add', 'post', 'elsewhere'))).toEqual(on('dict_add', 'elsewhere', 'exam', 'post_add', 'post_view', 'dict'))
  expect(counted(tree, on('post', 'dict_add'))).toEqual({ on: 1, of: 5 })
})

test('the first lines of a tree keep their place, and what is left out is counted', () => {
  interface Line {
    readonly id: string
    readonly children?: readonly Line[]
  }
  const leaf = (id: string): Line => ({ id })
  const nodes: readonly Line[] = [{ id: 'a', children: [leaf('a1'), leaf('a2')] }, leaf('b'), { id: 'c', children: [leaf('c1')] }]
  expect(firstLines(nodes, 9)).toEqual({ nodes, left: 0 })
  expect(firstLines(nodes, 2)).toEqual({ nodes: [{ id: 'a', children: [leaf('a1')] }], left: 4 })
  expect(firstLines(nodes, 5)).toEqual({ nodes: [...nodes.slice(0, 2), { id: 'c', children: [] }], left: 1 })
})
