import { describe, expect, test } from 'vitest'
import { cellsToHide, fewestPeople, type ProtectedCell, total } from './protect.ts'

/** Numbers that are the same at every run. */
const chance = (seed: number) => {
  let state = seed
  return (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

const product = (lists: readonly (readonly number[])[]): number[][] =>
  lists.reduce<number[][]>((all, list) => all.flatMap(one => list.map(place => [...one, place])), [[]])
const upTo = (size: number): number[] => Array.from({ length: size }, (_, i) => i)

/** A cube with all its sums. */
const cubeOf = (sizes: readonly number[], rowsAt: (at: readonly number[]) => number): ProtectedCell[] => {
  const base = product(sizes.map(upTo)).map(at => ({ at, rows: rowsAt(at) }))
  return product(sizes.map(size => [...upTo(size), total])).flatMap(at => {
    const rows = base
      .filter(cell => at.every((place, i) => place === total || place === cell.at[i]))
      .reduce((sum, cell) => sum + cell.rows, 0)
    return rows === 0 ? [] : [{ at, rows, isFew: rows < fewestPeople }]
  })
}

/**
 * Hidden cells that whoever adds and subtracts shown ones can work out exactly: elimination over every sum of the cube, in whole numbers modulo a
 * prime. It knows nothing of how cells were chosen.
 */
const knownAnyway = (sizes: readonly number[], cells: readonly ProtectedCell[], hidden: ReadonlySet<ProtectedCell>): ProtectedCell[] => {
  const prime = 1_000_003n
  const unknown = cells.filter(cell => hidden.has(cell))
  const column = new Map(unknown.map((cell, i) => [cell.at.join(), i]))
  const isThere = new Set(cells.map(cell => cell.at.join()))
  const equations: bigint[][] = []
  for (const at of product(sizes.map(size => [...upTo(size), total])))
    for (const [i, place] of at.entries()) {
      if (place !== total || !isThere.has(at.join())) continue
      const row = unknown.map(() => 0n)
      const add = (where: readonly number[], by: bigint) => {
        const index = column.get(where.join())
        if (index !== undefined) row[index] = ((row[index] ?? 0n) + by + prime) % prime
      }
      add(at, -1n)
      for (const value of upTo(sizes[i] ?? 0))
        add(
          at.map((own, k) => (k === i ? value : own)),
          1n,
        )
      if (row.some(value => value !== 0n)) equations.push(row)
    }
  const inverse = (value: bigint): bigint => {
    let [result, base, power] = [1n, value % prime, prime - 2n]
    for (; power > 0n; power >>= 1n) {
      if (power & 1n) result = (result * base) % prime
      base = (base * base) % prime
    }
    return result
  }
  const solved: bigint[][] = []
  for (let at = 0; at < unknown.length; at += 1) {
    const pivot = equations.findIndex(row => (row[at] ?? 0n) !== 0n)
    if (pivot < 0) continue
    const [row] = equations.splice(pivot, 1)
    if (!row) continue
    const scale = inverse(row[at] ?? 1n)
    const unit = row.map(value => (value * scale) % prime)
    for (const list of [equations, solved])
      for (const other of list) {
        const by = other[at] ?? 0n
        if (by !== 0n)
          for (let k = 0; k < other.length; k += 1) other[k] = ((other[k] ?? 0n) - by * (unit[k] ?? 0n) + prime * prime) % prime
      }
    solved.push(unit)
  }
  return solved
    .filter(row => row.filter(value => value !== 0n).length === 1)
    .flatMap(row => unknown[row.findIndex(value => value !== 0n)] ?? [])
}

const named = (cells: Iterable<ProtectedCell>): string[] =>
  [...cells].map(({ at }) => at.map(place => (place === total ? '*' : place)).join()).sort()

describe('cells of few people', () => {
  test('nothing is hidden where everybody is among enough others', () => {
    const cells = cubeOf([3, 2], () => 5)
    expect(cellsToHide([3, 2], cells).size).toBe(0)
  })

  test('one small cell of a list takes a second one with it, and the sum stays', () => {
    const rows = [40, 1, 7, 30]
    expect(
      named(
        cellsToHide(
          [4],
          cubeOf([4], ([at = 0]) => rows[at] ?? 0),
        ),
      ),
    ).toEqual(['1', '2'])
  })

  test('where no other cell can lose anybody the sum is hidden instead', () => {
    const rows = [2, 1, 1]
    expect(
      named(
        cellsToHide(
          [3],
          cubeOf([3], ([at = 0]) => rows[at] ?? 0),
        ),
      ),
    ).toEqual(['*', '0', '1', '2'])
  })

  test('one small cell of a table takes three others with it', () => {
    const rows = [
      [9, 1],
      [8, 12],
      [7, 5],
    ]
    const hidden = cellsToHide(
      [3, 2],
      cubeOf([3, 2], ([r = 0, c = 0]) => rows[r]?.[c] ?? 0),
    )
    expect(named(hidden)).toEqual(['0,0', '0,1', '2,0', '2,1'])
  })

  test('the same cells are hidden whichever way round the cells come', () => {
    const draw = chance(7)
    const cells = cubeOf([5, 4, 3], () => draw(9))
    expect(named(cellsToHide([5, 4, 3], [...cells].reverse()))).toEqual(named(cellsToHide([5, 4, 3], cells)))
  })

  test.each([[[8]], [[6, 4]], [[12, 2]], [[4, 3, 3]], [[5, 2, 2]]])(
    'no small cell of a cube of %j follows from sums, over 60 random ones',
    sizes => {
      const draw = chance(sizes.join('').length * 977 + (sizes[0] ?? 0))
      for (let turn = 0; turn < 60; turn += 1) {
        const most = [4, 8, 30][turn % 3] ?? 8
        const cells = cubeOf(sizes, () => draw(most))
        const hidden = cellsToHide(sizes, cells)
        const few = cells.filter(cell => cell.isFew)
        expect(few.filter(cell => !hidden.has(cell))).toEqual([])
        expect(named(knownAnyway(sizes, cells, hidden).filter(cell => cell.isFew))).toEqual([])
      }
    },
  )

  test('the check itself finds what hiding small cells alone would leave', () => {
    const cells = cubeOf([4], ([at = 0]) => [40, 1, 7, 30][at] ?? 0)
    const alone = new Set(cells.filter(cell => cell.isFew))
    expect(named(knownAnyway([4], cells, alone))).toEqual(['1'])
  })
})
