import { describe, expect, test } from 'vitest'
import { type CubeCell, cellsToHide, room, total } from './protect.ts'

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
const isWithin = (cell: readonly number[], sum: readonly number[]): boolean => sum.every((place, i) => place === total || place === cell[i])

interface Cube {
  readonly base: readonly { readonly at: readonly number[]; readonly rows: number }[]
  readonly cells: readonly CubeCell[]
}
/** A cube with all its sums, as many rows as people. */
const cubeOf = (sizes: readonly number[], rowsAt: (at: readonly number[]) => number): Cube => {
  const base = product(sizes.map(upTo)).map(at => ({ at, rows: rowsAt(at) }))
  const cells = product(sizes.map(size => [...upTo(size), total])).flatMap(at => {
    const rows = base.filter(cell => isWithin(cell.at, at)).reduce((sum, cell) => sum + cell.rows, 0)
    return rows === 0 ? [] : [{ at, rows, isFew: rows < 3 }]
  })
  return { base, cells }
}
/** Whether every value of every dimension has enough people, as classes have. */
const isOfClasses = ({ cells }: Cube): boolean => cells.every(cell => !cell.isFew || cell.at.filter(place => place !== total).length > 1)

/** A basis of the changes that leave all these sums as they are. */
const changesOf = (sums: readonly (readonly number[])[], width: number): number[][] => {
  const rows = sums.map(row => [...row])
  const pivots: number[] = []
  let done = 0
  for (let column = 0; column < width && done < rows.length; column += 1) {
    const found = rows.findIndex((row, i) => i >= done && Math.abs(row[column] ?? 0) > 1e-9)
    if (found < 0) continue
    const [pivot = []] = rows.splice(found, 1)
    const by = pivot[column] ?? 1
    const unit = pivot.map(value => value / by)
    for (const row of rows) {
      const factor = row[column] ?? 0
      if (factor !== 0) for (let k = 0; k < width; k += 1) row[k] = (row[k] ?? 0) - factor * (unit[k] ?? 0)
    }
    rows.splice(done, 0, unit)
    pivots.push(column)
    done += 1
  }
  return upTo(width)
    .filter(column => !pivots.includes(column))
    .map(free => upTo(width).map(k => (k === free ? 1 : pivots.includes(k) ? -(rows[pivots.indexOf(k)]?.[free] ?? 0) : 0)))
}
/** The largest value of `goal` · x over x >= 0 with the sums of `start`: simplex by Bland's rule from the true cells. */
const largest = (changes: readonly (readonly number[])[], start: readonly number[], goal: readonly number[]): number => {
  const dot = (a: readonly number[], b: readonly number[]): number => a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0)
  const moves = changes.flatMap(change => [change, change.map(value => -value)])
  const table = start.map((value, i) => [...moves.map(move => -(move[i] ?? 0)), ...start.map((_, k) => (k === i ? 1 : 0)), value])
  const gains = [...moves.map(move => -dot(goal, move)), ...start.map(() => 0), dot(goal, start)]
  const basis = start.map((_, i) => moves.length + i)
  for (let step = 0; step < 5_000; step += 1) {
    const enters = gains.findIndex((value, i) => i < gains.length - 1 && value < -1e-7)
    if (enters < 0) return gains.at(-1) ?? 0
    let leaves = -1
    let least = Number.POSITIVE_INFINITY
    for (const [i, row] of table.entries()) {
      const by = row[enters] ?? 0
      if (by < 1e-7) continue
      const ratio = (row.at(-1) ?? 0) / by
      if (ratio < least - 1e-9 || (ratio < least + 1e-9 && (basis[i] ?? 0) < (basis[leaves] ?? 0))) [least, leaves] = [ratio, i]
    }
    const pivot = table[leaves]
    if (!pivot) return Number.POSITIVE_INFINITY
    const by = pivot[enters] ?? 1
    const unit = pivot.map(value => value / by)
    table[leaves] = unit
    basis[leaves] = enters
    for (const row of [...table.filter(row => row !== unit), gains]) {
      const factor = row[enters] ?? 0
      if (factor !== 0) for (let k = 0; k < row.length; k += 1) row[k] = (row[k] ?? 0) - factor * (unit[k] ?? 0)
    }
  }
  throw new Error('the simplex does not end')
}
/** Between which numbers each cell of few people lies for whoever knows all that is shown. It knows nothing of how cells were chosen. */
const rangesOf = (sizes: readonly number[], { base, cells }: Cube, hidden: readonly (readonly number[])[]) => {
  const codes = new Set(hidden.map(at => at.join()))
  const rowOf = (at: readonly number[]): number[] => base.map(cell => Number(isWithin(cell.at, at)))
  const shown = product(sizes.map(size => [...upTo(size), total])).filter(at => !codes.has(at.join()))
  const changes = changesOf(shown.map(rowOf), base.length)
  const start = base.map(cell => cell.rows)
  return cells
    .filter(cell => cell.isFew)
    .map(cell => {
      const goal = rowOf(cell.at)
      const most = largest(changes, start, goal)
      const least = -largest(
        changes,
        start,
        goal.map(value => -value),
      )
      return { at: cell.at.join(), rows: cell.rows, least: Math.round(least * 1e4) / 1e4 + 0, most: Math.round(most * 1e4) / 1e4 }
    })
}
const hide = (sizes: readonly number[], cube: Cube): readonly (readonly number[])[] =>
  cellsToHide(
    sizes.map(size => ({ size })),
    cube.cells,
  )
const named = (places: readonly (readonly number[])[]): string[] =>
  places.map(at => at.map(place => (place === total ? '*' : place)).join()).sort()

describe('cells of few people', () => {
  test('nothing is hidden where everybody is among enough others', () => {
    expect(
      hide(
        [3, 2],
        cubeOf([3, 2], () => 5),
      ),
    ).toEqual([])
  })

  test('one small cell of a table takes three others with it, and every sum stays', () => {
    const rows = [
      [9, 1],
      [8, 12],
      [7, 5],
    ]
    const cube = cubeOf([3, 2], ([r = 0, c = 0]) => rows[r]?.[c] ?? 0)
    expect(named(hide([3, 2], cube))).toEqual(['0,0', '0,1', '2,0', '2,1'])
    expect(rangesOf([3, 2], cube, hide([3, 2], cube))).toEqual([{ at: '0,1', rows: 1, least: 0, most: 6 }])
  })

  test('two cells of one person beside each other are not known to be one each', () => {
    const rows = [
      [1, 1, 8],
      [4, 4, 4],
      [6, 6, 6],
    ]
    const cube = cubeOf([3, 3], ([r = 0, c = 0]) => rows[r]?.[c] ?? 0)
    for (const { least, most } of rangesOf([3, 3], cube, hide([3, 3], cube))) expect(most - least).toBeGreaterThanOrEqual(room)
  })

  test('where the cells are too small for any swap all of them are hidden, empty ones too, and the sums stay', () => {
    const cube = cubeOf([3, 3], ([r = 0, c = 0]) => (r === c ? 2 : 0) + (c === (r + 1) % 3 ? 1 : 0))
    expect(named(hide([3, 3], cube))).toHaveLength(9)
  })

  test('the cells of two dimensions are hidden alike whatever third one stands beside them', () => {
    const draw = chance(11)
    for (let turn = 0; turn < 40; turn += 1) {
      const sizes = [4, 3, 3]
      const cube = cubeOf(sizes, () => draw(7))
      if (!isOfClasses(cube)) continue
      const whole = hide(sizes, cube)
      for (const left of [0, 1, 2]) {
        const flat = cubeOf(
          sizes.filter((_, i) => i !== left),
          at => cube.cells.find(cell => cell.at.join() === [...at.slice(0, left), total, ...at.slice(left)].join())?.rows ?? 0,
        )
        const alone = hide(
          sizes.filter((_, i) => i !== left),
          flat,
        )
        expect(named(whole.filter(at => at[left] === total && at.filter(place => place === total).length === 1))).toEqual(
          named(alone.map(at => [...at.slice(0, left), total, ...at.slice(left)])),
        )
      }
    }
  })

  test.each([
    [[5, 4], 60],
    [[9, 2], 60],
    [[6, 6], 30],
    [[4, 3, 3], 24],
    [[5, 2, 2], 24],
  ])('no cell of few people of a cube of %j is known closer than by two, over %d random ones', (sizes, turns) => {
    const draw = chance(sizes.join('').length * 977 + (sizes[0] ?? 0))
    let looked = 0
    for (let turn = 0; turn < turns; turn += 1) {
      const most = [4, 8, 30][turn % 3] ?? 8
      const cube = cubeOf(sizes, () => draw(most))
      if (!isOfClasses(cube)) continue
      const hidden = hide(sizes, cube)
      const codes = new Set(hidden.map(at => at.join()))
      expect(cube.cells.filter(cell => cell.isFew && !codes.has(cell.at.join()))).toEqual([])
      const ranges = rangesOf(sizes, cube, hidden)
      looked += ranges.length
      expect(ranges.filter(({ least, most }) => most - least < room)).toEqual([])
    }
    expect(looked).toBeGreaterThan(turns)
  })

  test('the check itself finds what hiding small cells alone would leave', () => {
    const cube = cubeOf([2, 2], ([r = 0, c = 0]) => (r + c === 0 ? 1 : 6))
    expect(rangesOf([2, 2], cube, [[0, 0]])).toEqual([{ at: '0,0', rows: 1, least: 1, most: 1 }])
  })
})
