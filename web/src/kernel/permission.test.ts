import { expect, it } from 'vitest'
import { flagsOf, seenParts } from './permission.ts'

it('[S6.03][S3.16] grants the codes of the leaves, not those of the menus above them', () => {
  const tree = [
    { code: 'system', children: [{ code: 'param', children: [{ code: 'param_add' }, { code: 'param_edit', children: [] }] }] },
    { code: 'exam', children: [{ code: 'examination', children: [{ code: 'examination_release' }, { code: null }] }] },
    { code: 'wel', children: [] },
  ]
  expect([...flagsOf(tree)].sort()).toEqual(['examination_release', 'param_add', 'param_edit'])
})

it('[S6.03] leaves out columns of hidden fields, and searches of fields that are not seen in full', () => {
  const ruled = { 'signup.phone': 'hidden', 'signup.name': 'masked' }
  const parts = [
    { key: 'signNo' },
    { key: 'name', field: 'signup.name' },
    { key: 'phone', field: 'signup.phone' },
    { key: 'major', field: 'signup.major' },
  ]
  const keys = (least: 'masked' | 'full') => seenParts(ruled, parts, least).map(part => part.key)
  expect([keys('masked'), keys('full')]).toEqual([
    ['signNo', 'name', 'major'],
    ['signNo', 'major'],
  ])
})
