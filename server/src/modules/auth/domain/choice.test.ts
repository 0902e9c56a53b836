import { describe, expect, test } from 'vitest'
import { chooseFrom, wishOf } from './choice.ts'

const held = { roleIds: ['1', '2', '3'], deptIds: ['7', '8'] }
const none = { roleIds: [], deptIds: [] }

describe('[S6.07] the roles and departments of a session', () => {
  test('a wish narrows to what it names', () => {
    expect(chooseFrom(held, held, { roleIds: ['3', '1'], deptIds: [] })).toEqual({
      roleIds: ['1', '3'],
      deptIds: ['7', '8'],
      isNarrowed: true,
    })
    expect(chooseFrom(held, held, { roleIds: [], deptIds: ['8'] })).toEqual({ roleIds: ['1', '2', '3'], deptIds: ['8'], isNarrowed: true })
    expect(chooseFrom(held, { roleIds: ['1'], deptIds: ['7'] }, held)).toEqual({ ...held, isNarrowed: false })
  })
  test('without a wish a session stays as it is, as far as its roles are still held', () => {
    expect(chooseFrom(held, { roleIds: ['2'], deptIds: ['7', '8'] }, none)).toEqual({
      roleIds: ['2'],
      deptIds: ['7', '8'],
      isNarrowed: true,
    })
    expect(chooseFrom(held, { roleIds: ['9'], deptIds: [] }, none)).toEqual({ ...held, isNarrowed: false })
  })
  test('one id that is not held refuses all', () => {
    expect(chooseFrom(held, held, { roleIds: ['1', '9'], deptIds: [] })).toBe('foreign')
    expect(chooseFrom(held, held, { roleIds: [], deptIds: ['1'] })).toBe('foreign')
    expect(chooseFrom({ roleIds: [], deptIds: [] }, none, { roleIds: ['1'], deptIds: [] })).toBe('foreign')
  })
  test('headers are comma-joined', () => {
    expect([wishOf(undefined), wishOf(''), wishOf('1, 2,,1')]).toEqual([[], [], ['1', '2']])
  })
})
