import { describe, expect, test } from 'vitest'
import { ceilingOf, changeOf, mayManage, mayPlace, type RoleKeeper } from './role-grant.ts'

const roles = new Map(
  [
    ['1', '0', 'administrator'],
    ['2', '0', 'admin'],
    ['3', '0', 'exam_admin'],
    ['4', '3', 'team'],
    ['5', '4', 'desk'],
    ['6', '0', 'xadmin'],
  ].map(([id = '', parentId = '', roleAlias = '']) => [id, { id, parentId, roleAlias }] as const),
)
const of = (alias: string, roleIds: readonly string[], isPlatform = false): RoleKeeper => ({
  roleIds,
  roleAliases: new Set([alias]),
  isPlatform,
})
const managed = (keeper: RoleKeeper) => [...roles.values()].filter(role => mayManage(keeper, role, roles)).map(role => role.roleAlias)

describe('[S7.20] who manages which roles', () => {
  test.each([
    ['the platform’s operator', of('administrator', ['1'], true), ['administrator', 'exam_admin', 'team', 'desk', 'xadmin']],
    ['an administrator of another tenant', of('administrator', ['1']), ['exam_admin', 'team', 'desk', 'xadmin']],
    ['a tenant administrator', of('admin', ['2']), ['admin', 'exam_admin', 'team', 'desk', 'xadmin']],
    ['a security administrator', of('secadmin', ['9']), ['exam_admin', 'team', 'desk', 'xadmin']],
    ['anybody else: below their own', of('exam_admin', ['3']), ['team', 'desk']],
    ['an alias that only contains admin', of('xadmin', ['6']), []],
    ['nobody’s role', of('team', []), []],
  ])('%s', (_who, keeper, expected) => {
    expect(managed(keeper)).toEqual(expected)
  })

  test('a new role stands below one’s own', () => {
    const keeper = of('exam_admin', ['3'])
    expect(['0', '2', '3', '4', '5'].filter(parent => mayPlace(keeper, parent, roles))).toEqual(['3', '4', '5'])
    expect(mayPlace(of('admin', ['2']), '0', roles)).toBe(true)
  })

  test('a circle of roles ends the walk', () => {
    const circle = new Map([
      ['a', { id: 'a', parentId: 'b', roleAlias: 'a' }],
      ['b', { id: 'b', parentId: 'a', roleAlias: 'b' }],
    ])
    expect(mayManage(of('x', ['c']), circle.get('a') as never, circle)).toBe(false)
  })
})

describe('[S6.04] what may be granted', () => {
  const menus = [
    { id: 'm1', isPlatform: 0 },
    { id: 'm2', isPlatform: 0 },
    { id: 'p1', isPlatform: 1 },
  ]
  test.each([
    ['the operator', of('administrator', ['1'], true), ['m1', 'm2', 'p1']],
    ['an administrator elsewhere', of('administrator', ['1']), ['m1', 'm2']],
    ['a tenant administrator', of('admin', ['2']), ['m1', 'm2']],
    ['others: what they hold', of('exam_admin', ['3']), ['m1']],
  ])('%s', (_who, keeper, expected) => {
    expect([...ceilingOf(keeper, menus, new Set(['m1']))]).toEqual(expected)
  })

  /** Every subset of four rights, so that no combination is left out. */
  const subsets = Array.from({ length: 16 }, (_, bits) => new Set(['a', 'b', 'c', 'd'].filter((_item, at) => (bits >> at) % 2 === 1)))
  test('[V4][PF 10] for every combination of held, wished and own, nothing beyond one’s own is added or taken', () => {
    let tried = 0
    for (const held of subsets)
      for (const wished of subsets)
        for (const ceiling of subsets) {
          const { added, removed, beyond } = changeOf(held, wished, ceiling)
          const after = new Set([...held, ...added].filter(id => !removed.includes(id)))
          const widened = [...after].filter(id => !held.has(id) && !ceiling.has(id))
          const lost = [...held].filter(id => !after.has(id) && !ceiling.has(id))
          expect([widened, lost]).toEqual([[], []])
          if (beyond.length === 0) expect([...wished].filter(id => !after.has(id))).toEqual([])
          tried += 1
        }
    expect(tried).toBe(4096)
  })
})
