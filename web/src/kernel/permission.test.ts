import { expect, it } from 'vitest'
import { flagsOf } from './permission.ts'

it('[S6.03][S3.16] grants the codes of the leaves, not those of the menus above them', () => {
  const tree = [
    { code: 'system', children: [{ code: 'param', children: [{ code: 'param_add' }, { code: 'param_edit', children: [] }] }] },
    { code: 'exam', children: [{ code: 'examination', children: [{ code: 'examination_release' }, { code: null }] }] },
    { code: 'wel', children: [] },
  ]
  expect([...flagsOf(tree)].sort()).toEqual(['examination_release', 'param_add', 'param_edit'])
})
