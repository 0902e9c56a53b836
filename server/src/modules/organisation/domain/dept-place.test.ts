import { describe, expect, test } from 'vitest'
import { deptLevels } from '#contract/organisation/dept.routes.ts'
import { placeDept } from './dept-place.ts'

const bureau = { id: '1', ancestorIds: [] }
const hospital = { id: '2', ancestorIds: ['1'] }
const ward = { id: '3', ancestorIds: ['1', '2'] }

describe('where a department may stand', () => {
  test('a root has nobody above it, a child its parent and whoever stands above that', () => {
    expect(placeDept(undefined, '0', undefined, 0)).toEqual({ ancestorIds: [] })
    expect(placeDept(undefined, '3', ward, 0)).toEqual({ ancestorIds: ['1', '2', '3'] })
    expect(placeDept(ward, '0', undefined, 4)).toEqual({ ancestorIds: [] })
  })
  test('a parent that is not there is refused', () => {
    expect(placeDept(undefined, '9', undefined, 0)).toEqual({ problem: 'parent-missing' })
  })
  test('nothing stands below itself, at any distance', () => {
    expect(placeDept(bureau, '1', bureau, 2)).toEqual({ problem: 'below-itself' })
    expect(placeDept(bureau, '3', ward, 2)).toEqual({ problem: 'below-itself' })
    expect(placeDept(hospital, '3', ward, 1)).toEqual({ problem: 'below-itself' })
  })
  test('ten levels are the most, what hangs below counted in', () => {
    const deep = { id: '99', ancestorIds: Array.from({ length: deptLevels - 2 }, (_, level) => String(level + 10)) }
    expect(placeDept(ward, '99', deep, 0)).toEqual({ ancestorIds: [...deep.ancestorIds, '99'] })
    expect(placeDept(ward, '99', deep, 1)).toEqual({ problem: 'too-deep' })
  })
})
