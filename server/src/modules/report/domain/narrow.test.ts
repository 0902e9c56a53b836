import { describe, expect, test } from 'vitest'
import { type Cut, type Group, mergedKey, narrowed } from './narrow.ts'
import { classesOf, mergedValues } from './partition.ts'
import type { Tally } from './people.ts'

const chance = (seed: number) => {
  let state = seed
  return (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}
const upTo = (size: number): number[] => Array.from({ length: size }, (_, i) => i)

/** So many rows, each of a person of its own. */
const tallyOf = (people: readonly number[]): Tally => ({
  rows: people.length,
  least: BigInt(Math.min(...people)),
  most: BigInt(Math.max(...people)),
  sum: BigInt(people.reduce((sum, one) => sum + one, 0)),
  squares: BigInt(people.reduce((sum, one) => sum + one * one, 0)),
  sums: [{ sum: people.length, count: 1 }],
  values: [],
})
const valued = (counts: Readonly<Record<string, number>>, parents: Readonly<Record<string, string>> = {}) => {
  let next = 0
  return Object.entries(counts).map(([key, count]) => {
    const parent = parents[key]
    return {
      key,
      tally: tallyOf(
        upTo(count).map(() => {
          next += 1
          return next
        }),
      ),
      ...(parent === undefined ? {} : { parent }),
    }
  })
}

describe('values that are told as one', () => {
  test.each([
    [{ a: 40, b: 1, c: 7, d: 30 }, ['b', 'c']],
    [{ a: 40, b: 7, c: 30 }, []],
    // Two of one each would be known from their sum.
    [{ a: 40, b: 1, c: 1, d: 9 }, ['b', 'c', 'd']],
    [{ a: 40, b: 2, c: 2, d: 2, e: 9 }, ['b', 'c', 'd']],
    [{ a: 1, b: 1, c: 1 }, ['a', 'b', 'c']],
    [{ a: 274, b: 1, c: 2 }, ['a', 'b', 'c']],
  ])('of %j are %j', (counts, merged) => {
    expect([...mergedValues(valued(counts))].sort()).toEqual(merged)
  })

  test('one person with many rows is few people', () => {
    const two = { ...tallyOf([5, 5, 5, 5, 8]), rows: 5 }
    expect([...mergedValues([...valued({ a: 9, b: 4 }), { key: 'x', tally: two }])].sort()).toEqual(['b', 'x'])
  })

  test('posts are merged within their unit; a unit that is merged gives its smallest post', () => {
    const posts = { p1: 12, p2: 1, p3: 4, q1: 8, q2: 6, r1: 1 }
    const units = { p1: 'P', p2: 'P', p3: 'P', q1: 'Q', q2: 'Q', r1: 'R' }
    const classes = classesOf(valued(posts, units))
    expect(classes.filter(one => one.isMerged).map(one => [...one.members].sort())).toEqual([
      ['p2', 'p3'],
      ['q2', 'r1'],
    ])
  })
})

/** People with four answers, some of them rare. */
const peopleOf = (seed: number, count: number): readonly (readonly string[])[] => {
  const draw = chance(seed)
  return upTo(count).map(() => upTo(4).map(i => `v${Math.min(draw(4 + i), draw(5), draw(7))}`))
}
const dimensions = ['d0', 'd1', 'd2', 'd3']
const groupsOf = (people: readonly (readonly string[])[], names: readonly string[]): readonly Group[] => {
  const found = new Map<string, number[]>()
  for (const [id, answers] of people.entries()) {
    const code = JSON.stringify(names.map(name => answers[dimensions.indexOf(name)]))
    found.set(code, [...(found.get(code) ?? []), id])
  }
  return [...found].map(([code, ids]) => ({ keys: JSON.parse(code), parents: names.map(() => undefined), tally: tallyOf(ids) }))
}
const layouts = (): readonly (readonly string[])[] =>
  dimensions.flatMap(a => [
    [a],
    ...dimensions.flatMap(b => (a === b ? [] : [[a, b], ...dimensions.flatMap(c => (c === a || c === b ? [] : [[a, b, c]]))])),
  ])
const plain = (names: readonly string[], wanted: Cut['wanted'] = new Map(), shown = names.length): Cut => ({ names, shown, wanted })
/** By what is in it, whichever way the report is turned. */
const placeOf = (names: readonly string[], keys: readonly (string | null | undefined)[]): string =>
  names
    .flatMap((name, i) => (keys[i] === undefined ? [] : [`${name}=${keys[i]}`]))
    .sort()
    .join(' ')

describe('all reports of the same people', () => {
  test.each([11, 23, 47, 71])('show and hide a number alike in every layout (people %i)', seed => {
    const people = peopleOf(seed, 90)
    const seen = new Map<string, string>()
    for (const names of layouts())
      for (const cell of narrowed(plain(names), groupsOf(people, names), new Map()).cells) {
        const place = placeOf(names, cell.keys)
        const said = cell.isHidden ? '*' : String(cell.rows)
        expect([place, seen.get(place) ?? said]).toEqual([place, said])
        seen.set(place, said)
      }
    // What a dimension is parted by alone is always shown, with sums that agree.
    const parts = [...seen].filter(([place]) => place.split(' ').length === 1 && place !== '')
    expect(parts.every(([, said]) => said !== '*')).toBe(true)
    expect(parts.some(([place]) => place.endsWith(mergedKey))).toBe(true)
    for (const name of dimensions)
      expect(parts.reduce((sum, [place, said]) => sum + (place.startsWith(`${name}=`) ? Number(said) : 0), 0)).toBe(90)
  })

  test.each([11, 23, 47])('give no number by a filter that those with it as a row do not give (people %i)', seed => {
    const people = peopleOf(seed, 60)
    const values = [...new Set(people.map(answers => answers[1] ?? ''))]
    const whole = narrowed(plain(['d0', 'd1']), groupsOf(people, ['d0', 'd1']), new Map())
    const by = new Map(whole.cells.map(cell => [placeOf(['d0', 'd1'], cell.keys), cell]))
    for (let mask = 1; mask < 2 ** values.length; mask += 1) {
      const wanted = values.filter((_, i) => (mask >> i) & 1)
      const cut = plain(['d0', 'd1'], new Map([['d1', value => wanted.includes(value)]]), 1)
      const merged = values.filter(value => !whole.isApart('d1', value))
      const isWhole = merged.every(value => wanted.includes(value)) || merged.every(value => !wanted.includes(value))
      for (const cell of narrowed(cut, groupsOf(people, ['d0', 'd1']), new Map()).cells) {
        if (cell.isHidden) continue
        const classes = [...new Set(wanted.map(value => (whole.isApart('d1', value) ? value : mergedKey)))]
        const parts = classes.map(value => by.get(placeOf(['d0', 'd1'], [cell.keys[0], value])))
        expect([
          isWhole || parts.every(part => part === undefined || part.rows === 0 || !merged.some(value => wanted.includes(value))),
          cell.rows,
        ]).toEqual([true, parts.reduce((sum, part) => sum + (part?.rows ?? 0), 0)])
        expect(parts.some(part => part?.isHidden)).toBe(false)
      }
    }
  })

  test('people of few are in no number, and several examinations are sums of what is shown of each', () => {
    const make = (exam: string, counts: Readonly<Record<string, number>>) =>
      valued(counts).map(({ key, tally }): Group => ({ keys: [key, exam], parents: [undefined, undefined], tally }))
    const groups = [...make('E', { a: 9, b: 1, c: 5 }), ...make('F', { a: 8, b: 6, c: 7 }), ...make('G', { a: 2 })]
    const cut: Cut = { names: ['answer', 'exam'], shown: 1, wanted: new Map(), population: 'exam' }
    const { cells, leftOut } = narrowed(cut, groups, new Map())
    expect([cells.map(({ keys, rows, isHidden }) => [keys[0], rows, isHidden]).sort(), leftOut]).toEqual([
      [
        [mergedKey, 19, false],
        ['a', 17, false],
        [undefined, 36, false],
      ].sort(),
      1,
    ])
  })
})
