import { describe, expect, test } from 'vitest'
import { type AllotItem, type AllotMode, type AllotReviewer, allot, surnameOf } from './allot.ts'

const reviewer = (userId: string, more: Partial<AllotReviewer> = {}): AllotReviewer => ({
  userId,
  units: [],
  codes: [],
  quota: 0,
  waiting: 0,
  ...more,
})
const item = (serial: number, more: Partial<AllotItem> = {}): AllotItem => ({
  signupId: String(serial),
  unit: 'H01',
  code: 'A001',
  name: `张${serial}`,
  barred: new Set(),
  ...more,
})
const many = (count: number, of: (i: number) => Partial<AllotItem> = () => ({})): AllotItem[] =>
  Array.from({ length: count }, (_, i) => item(i, of(i)))
/** A rank that is its own text reversed: fixed, and not the order of the ids. */
const rank = (text: string): string => [...text].reverse().join('')
const counts = (placed: ReadonlyMap<string, string>): Record<string, number> => {
  const out: Record<string, number> = {}
  for (const userId of placed.values()) out[userId] = (out[userId] ?? 0) + 1
  return out
}

describe('allotment', () => {
  test('mode 0 gives nothing to anybody', () => {
    expect(allot(0, [reviewer('a')], many(3), rank)).toEqual({ placed: new Map(), unplaced: [] })
  })

  test('mode 1 shares each unit evenly among all who cover it; what is left over goes to whoever has least in all', () => {
    const ten = Array.from({ length: 10 }, (_, i) => reviewer(`r${i}`))
    const items = [...many(23), ...many(14, i => ({ signupId: `b${i}`, unit: 'H02' }))]
    const { placed, unplaced } = allot(1, ten, items, rank)
    const ofUnit = (prefix: RegExp) =>
      Object.values(counts(new Map([...placed].filter(([signupId]) => prefix.test(signupId))))).sort((a, b) => a - b)
    expect(unplaced).toEqual([])
    expect(ofUnit(/^\d/)).toEqual([2, 2, 2, 2, 2, 2, 2, 3, 3, 3])
    expect(ofUnit(/^b/)).toEqual([1, 1, 1, 1, 1, 1, 2, 2, 2, 2])
    expect(Object.values(counts(placed)).sort()).toEqual([3, 3, 3, 4, 4, 4, 4, 4, 4, 4])
    // Whoever covers one unit has an even part of that one, and nothing of the other.
    const two = allot(
      1,
      [reviewer('a'), reviewer('b', { units: ['H02'] })],
      many(8, i => ({ unit: i < 4 ? 'H01' : 'H02' })),
      rank,
    )
    expect(counts(two.placed)).toEqual({ a: 6, b: 2 })
    // A post that one alone may have leaves the rest of its unit to the other.
    const codes = allot(
      1,
      [reviewer('a'), reviewer('b', { codes: ['B001'] })],
      many(6, i => ({ code: i < 3 ? 'A001' : 'B001' })),
      rank,
    )
    expect(counts(codes.placed)).toEqual({ a: 3, b: 3 })
  })

  test('mode 2 keeps a post with one reviewer, within their codes', () => {
    const reviewers = [reviewer('a', { codes: ['A001'] }), reviewer('b', { codes: ['B001'] })]
    const { placed, unplaced } = allot(
      2,
      reviewers,
      many(6, i => ({ code: ['A001', 'B001', 'C001'][i % 3] ?? '' })),
      rank,
    )
    expect([placed.get('0'), placed.get('1'), placed.get('3'), placed.get('4')]).toEqual(['a', 'b', 'a', 'b'])
    expect(unplaced).toEqual([
      { signupId: '2', reason: 'outsideScope' },
      { signupId: '5', reason: 'outsideScope' },
    ])
  })

  test('mode 3 differs by at most one, counting what waits already', () => {
    const { placed } = allot(3, [reviewer('a'), reviewer('b'), reviewer('c')], many(10), rank)
    expect(Object.values(counts(placed)).sort()).toEqual([3, 3, 4])
    expect(counts(allot(3, [reviewer('a', { waiting: 4 }), reviewer('b')], many(6), rank).placed)).toEqual({ a: 1, b: 5 })
  })

  test('mode 4 keeps a surname with one reviewer', () => {
    const names = ['张一', '张二', '欧阳三', '欧四', '欧阳五']
    const { placed } = allot(
      4,
      [reviewer('a'), reviewer('b')],
      many(5, i => ({ name: names[i] ?? '' })),
      rank,
    )
    expect(placed.get('0')).toBe(placed.get('1'))
    expect(placed.get('2')).toBe(placed.get('4'))
  })

  test.each([1, 2, 3, 4] as AllotMode[])('mode %i honours quota, conflicts and units, and names what stays', mode => {
    const reviewers = [reviewer('a', { quota: 2 }), reviewer('b', { units: ['H02'] }), reviewer('c', { quota: 1, waiting: 1 })]
    const items = [item(1), item(2), item(3), item(4, { unit: 'H02' }), item(5, { unit: 'H02', barred: new Set(['a', 'b', 'c']) })]
    const { placed, unplaced } = allot(mode, reviewers, items, rank)
    expect(placed.get('4')).not.toBe('c')
    expect(counts(placed)['a'] ?? 0).toBeLessThanOrEqual(2)
    expect(counts(placed)['c']).toBeUndefined()
    expect(unplaced).toContainEqual({ signupId: '5', reason: 'barred' })
    expect(placed.size + unplaced.length).toBe(5)
    expect(unplaced.filter(one => one.reason === 'quota').length).toBeGreaterThanOrEqual(1)
  })

  test('without a reviewer everything stays; the same key comes to the same outcome', () => {
    expect(allot(3, [], many(2), rank).unplaced.map(one => one.reason)).toEqual(['noReviewer', 'noReviewer'])
    const reviewers = [reviewer('a'), reviewer('b')]
    for (const mode of [1, 3] as const)
      expect(allot(mode, reviewers, many(50), rank)).toEqual(allot(mode, [...reviewers].reverse(), many(50).reverse(), rank))
  })

  test('a family name of two characters is one', () => {
    expect(['欧阳娜', '张三', '𬭎一', ''].map(surnameOf)).toEqual(['欧阳', '张', '𬭎', ''])
  })
})
