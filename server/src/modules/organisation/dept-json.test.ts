import fastify from 'fastify'
import { Value } from 'typebox/value'
import { expect, test } from 'vitest'
import { dept } from '#contract/organisation/dept.routes.ts'
import type { DeptNode } from './data/dept.repo.ts'
import { deptTree, deptTreeJson } from './dept-json.ts'

const node = (id: string, parentId: string, deptName: string, sort = 0): DeptNode => ({ id, parentId, deptName, sort })

const deptTreeText = (nodes: readonly DeptNode[]): string => Buffer.concat(deptTreeJson(nodes)).toString()

/** The route's schema writes it: whatever is not declared is not in it. */
const declared = async (nodes: readonly DeptNode[]): Promise<string> => {
  const app = fastify()
  app.get('/', { schema: { response: { 200: dept.tree.output } } }, () => deptTree(nodes))
  return (await app.inject('/')).payload
}

const nodes = [
  node('10', '0', '卫生局', 2),
  node('11', '10', 'a "quoted" name \\ with\nlines', 5),
  node('12', '10', '\u{1F3E5} 医院\u2028', 1),
  node('13', '12', '</script>\u0007', 1),
  node('14', '12', '', 1),
  node('20', '0', '疾控中心', 1),
  node('30', '99', '上级不在的部门', 3),
  node('31', '30', '其下', 0),
]

test('the text is the JSON that the route declares, whatever the names, with those whose parent is not there at the top', async () => {
  const text = deptTreeText(nodes)
  expect(text).toBe(await declared(nodes))
  expect(Value.Check(dept.tree.output, JSON.parse(text))).toBe(true)
  expect(JSON.parse(text).map((one: { title: string; parentId: string }) => [one.title, one.parentId])).toEqual([
    ['疾控中心', '0'],
    ['卫生局', '0'],
    ['上级不在的部门', '0'],
  ])
})

test('one that changed, moved, came or went is in the next text as it is', async () => {
  deptTreeText(nodes)
  const next = [...nodes.filter(({ id }) => id !== '12' && id !== '14' && id !== '99'), node('12', '20', '改名'), node('99', '0', '来了')]
  expect(deptTreeText(next)).toBe(await declared(next))
  expect(deptTreeText(nodes)).toBe(await declared(nodes))
  const many = [
    ...nodes,
    ...Array.from({ length: 900 }, (_, at) => node(`${100 + at}`, at < 30 ? '20' : `${100 + (at % 30)}`, `门诊${at}`)),
  ]
  expect(deptTreeText(many)).toBe(await declared(many))
  const changed = many.map(one => (one.id === '950' ? { ...one, deptName: '急诊' } : one))
  expect(deptTreeText(changed)).toBe(await declared(changed))
  expect([deptTreeText([]), await declared([])]).toEqual(['[]', '[]'])
})
