import { expect, test } from 'vitest'
import { conditionOf, draftOf } from './conditions.ts'

test('[S7.15] what is typed becomes a condition and comes back as it was', () => {
  const list = { field: 'unit', operator: 'in', source: 'none', text: 'H01， H02,,H03' } as const
  expect(conditionOf(list)).toEqual({ field: 'unit', operator: 'in', values: ['H01', 'H02', 'H03'] })
  expect(draftOf(conditionOf(list))).toEqual({ ...list, text: 'H01,H02,H03' })
  expect(conditionOf({ field: 'name', operator: 'eq', source: 'none', text: 'a,b' })).toEqual({
    field: 'name',
    operator: 'eq',
    values: ['a,b'],
  })
  expect(conditionOf({ field: 'code', operator: 'in', source: 'userCodes', text: 'left over' })).toEqual({
    field: 'code',
    operator: 'in',
    variable: 'userCodes',
  })
  expect(conditionOf({ field: 'remark', operator: 'empty', source: 'none', text: 'left over' })).toEqual({
    field: 'remark',
    operator: 'empty',
  })
})
