import { expect, test } from 'vitest'
import type { DeptNode } from './data/dept.repo.ts'
import { createDeptNodes } from './dept-nodes.ts'

const node = (id: string, deptName: string): DeptNode => ({ id, parentId: '0', deptName, sort: 0 })
/** Rows as they stand, and what was asked of them. */
const table = () => {
  const rows = new Map([node('1', 'a'), node('2', 'b')].map(row => [row.id, row]))
  const asked: (readonly string[] | undefined)[] = []
  const read = async (ids: readonly string[] | undefined): Promise<readonly DeptNode[]> => {
    asked.push(ids)
    const seen = [...rows.values()].filter(row => ids === undefined || ids.includes(row.id))
    await Promise.resolve()
    return seen
  }
  return { rows, asked, read }
}
const names = (nodes: readonly DeptNode[]): string[] => nodes.map(({ deptName }) => deptName).sort()

test('all are read once, then those that changed', async () => {
  const { rows, asked, read } = table()
  const nodes = createDeptNodes()
  expect(names(await nodes.of('t', read))).toEqual(['a', 'b'])
  rows.set('2', node('2', 'c')).set('3', node('3', 'd')).delete('1')
  nodes.touched('t', ['1', '2', '3'])
  nodes.touched('other', ['1'])
  expect(names(await nodes.of('t', read))).toEqual(['c', 'd'])
  expect(names(await nodes.of('t', read))).toEqual(['c', 'd'])
  expect(asked).toEqual([undefined, ['1', '2', '3']])
})

test('what changes while it is read is read once more, by however many ask', async () => {
  const { rows, asked, read } = table()
  const nodes = createDeptNodes()
  const first = nodes.of('t', read)
  rows.set('1', node('1', 'later'))
  nodes.touched('t', ['1'])
  const [second, third] = await Promise.all([nodes.of('t', read), nodes.of('t', read)])
  await first
  expect([names(second), names(third)]).toEqual([
    ['b', 'later'],
    ['b', 'later'],
  ])
  expect(asked).toEqual([undefined, ['1']])
})

test('after a failure, after many changes and when nobody knows, all are read', async () => {
  const { rows, asked, read } = table()
  const nodes = createDeptNodes()
  await nodes.of('t', read)
  nodes.touched('t', ['1'])
  await expect(nodes.of('t', () => Promise.reject(new Error('no link')))).rejects.toThrow('no link')
  rows.delete('1')
  expect(names(await nodes.of('t', read))).toEqual(['b'])
  nodes.touched(
    't',
    Array.from({ length: 201 }, (_, at) => String(at)),
  )
  await nodes.of('t', read)
  nodes.forget()
  await nodes.of('t', read)
  expect(asked).toEqual([undefined, undefined, undefined, undefined])
})
