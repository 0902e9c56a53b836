import { fewestPeople } from './people.ts'

/** Whoever knows all that is shown knows a hidden number of few people no closer than this. */
export const room = fewestPeople - 1
/** Other values of a dimension that are tried for one cell before all are. */
const tried = 8

/** A dimension of a cube. */
export interface Axis {
  readonly size: number
  /** Values of one group lie within one value of an outer dimension, whose sums are shown elsewhere: they stand in for each other first. */
  readonly groups?: readonly string[]
  /** The outer dimension where the cube has it too, and for each value the outer one that it lies within. */
  readonly within?: { readonly axis: number; readonly of: readonly number[] }
}
/** A cell of a cube: a place in every dimension, `total` for the sum over it. */
export interface CubeCell {
  readonly at: readonly number[]
  /** Rows in it; a cell without rows is not there. */
  readonly rows: number
  /** Few people stand behind it: it must not be known. */
  readonly isFew: boolean
}
export const total = -1
type Place = readonly number[]

/** Cells that one alternative makes larger, and as many that it makes smaller, so that every sum over them stays. */
interface Swap {
  readonly more: readonly Place[]
  readonly less: readonly Place[]
}

/**
 * Which cells of a cube are hidden so that those of few people are not known, empty ones among them.
 *
 * The cells of each set of dimensions are looked at by themselves, those of one dimension never hidden: so the answer for them is the same in every
 * report that has them, and what one report hides no other shows. For each cell of few people there is a swap along all its dimensions: as many rows
 * more here as less there, which leaves all sums as they are. All cells of it are hidden, and it has `room`. Where a third dimension parts these
 * cells again the same swap is hidden at some of its values, so that it changes no sum over it either. Where no swap has room all cells of these
 * dimensions are hidden: the report tells no more than its sums.
 *
 * @returns the places of hidden cells, also of those without rows
 */
export const cellsToHide = (axes: readonly Axis[], cells: readonly CubeCell[]): readonly Place[] => {
  const codeOf = (at: Place): number =>
    at.reduce((code, place, i) => code * ((axes[i]?.size ?? 0) + 1) + (place === total ? (axes[i]?.size ?? 0) : place), 0)
  const byCode = new Map(cells.map(cell => [codeOf(cell.at), cell]))
  const rowsAt = (at: Place): number => byCode.get(codeOf(at))?.rows ?? 0
  const hidden = new Map<number, Place>()
  const isHidden = (at: Place): boolean => hidden.has(codeOf(at))
  const hide = (places: readonly Place[]): void => {
    for (const at of places) hidden.set(codeOf(at), at)
  }
  const costOf = (places: readonly Place[]): number => places.reduce((sum, at) => sum + (isHidden(at) ? 0 : rowsAt(at) + 1), 0)
  const smallest = (places: readonly Place[]): number => Math.min(...places.map(rowsAt))
  const roomOf = ({ more, less }: Swap): number => smallest(less) + smallest(more)
  const moved = (at: Place, axis: number, place: number): Place => at.map((own, i) => (i === axis ? place : own))
  const upTo = (size: number): number[] => Array.from({ length: size }, (_, i) => i)

  const maskOf = (at: Place): number => at.reduce((mask, place, i) => (place === total ? mask : mask | (1 << i)), 0)
  const axesOf = (mask: number): readonly number[] => upTo(axes.length).filter(i => mask & (1 << i))
  /** A cell of an inner and its outer value is that of the inner alone. */
  const isNested = (mask: number): boolean =>
    axesOf(mask).some(i => {
      const within = axes[i]?.within
      return within !== undefined && (mask & (1 << within.axis)) !== 0
    })
  const sets = upTo(2 ** axes.length)
    .filter(mask => axesOf(mask).length > 1 && !isNested(mask))
    .sort((a, b) => axesOf(a).length - axesOf(b).length || a - b)

  const swaps = new Map<number, Swap[]>()
  /** Sets of dimensions of which no cell is shown. */
  const closed = new Set<number>()
  const isGrouped = (axis: number, a: number, b: number): boolean => axes[axis]?.groups?.[a] === axes[axis]?.groups?.[b]

  /** Values that may stand in for the cell's own, the best first. */
  const othersOf = (at: Place, axis: number): readonly number[] =>
    upTo(axes[axis]?.size ?? 0)
      .filter(place => place !== at[axis])
      .map(place => {
        const there = moved(at, axis, place)
        return { place, isNear: isGrouped(axis, at[axis] ?? 0, place), isHidden: isHidden(there), rows: rowsAt(there) }
      })
      .sort(
        (a, b) =>
          Number(b.isNear) - Number(a.isNear) ||
          Number(b.rows > 0) - Number(a.rows > 0) ||
          Number(b.isHidden) - Number(a.isHidden) ||
          a.rows - b.rows ||
          a.place - b.place,
      )
      .map(({ place }) => place)

  const swapOf = (at: Place, turns: readonly (readonly [axis: number, place: number])[]): Swap => {
    const more: Place[] = []
    const less: Place[] = []
    for (let corner = 0; corner < 2 ** turns.length; corner += 1) {
      let place = at
      let isLess = false
      for (const [i, [axis, to]] of turns.entries())
        if ((corner >> i) & 1) {
          place = moved(place, axis, to)
          isLess = !isLess
        }
      ;(isLess ? less : more).push(place)
    }
    return { more, less }
  }
  const bestSwap = (at: Place, axesOfCell: readonly number[], most: number): Swap | undefined => {
    let ways: (readonly (readonly [axis: number, place: number])[])[] = [[]]
    for (const axis of axesOfCell) {
      const others = othersOf(at, axis).slice(0, most)
      ways = ways.flatMap(way => others.map(place => [...way, [axis, place] as const]))
    }
    let best: { readonly swap: Swap; readonly cost: number } | undefined
    for (const turns of ways) {
      const swap = swapOf(at, turns)
      if (roomOf(swap) < room) continue
      const isNear = turns.every(([axis, place]) => isGrouped(axis, at[axis] ?? 0, place))
      const cost = costOf([...swap.more, ...swap.less]) + (isNear ? 0 : 1_000_000)
      if (!best || cost < best.cost) best = { swap, cost }
      if (cost === 0) break
    }
    return best?.swap
  }
  /** The same swap at values of one more dimension, as many as give it room; undefined where they do not. */
  const lifted = (swap: Swap, axis: number): readonly Swap[] | undefined => {
    const at = upTo(axes[axis]?.size ?? 0)
      .map(place => ({ more: swap.more.map(one => moved(one, axis, place)), less: swap.less.map(one => moved(one, axis, place)) }))
      .map(one => ({ swap: one, room: roomOf(one), cost: costOf([...one.more, ...one.less]) }))
    const [enough] = at.filter(one => one.room >= room).sort((a, b) => a.cost - b.cost)
    if (enough) return [enough.swap]
    const taken: Swap[] = []
    let has = 0
    for (const one of at.filter(one => one.room > 0).sort((a, b) => b.room - a.room || a.cost - b.cost)) {
      taken.push(one.swap)
      has += one.room
      if (has >= room) return taken
    }
    return undefined
  }

  for (const mask of sets) {
    const own = axesOf(mask)
    const hideAll = (): void =>
      hide(
        own.reduce<readonly Place[]>(
          (places, axis) => places.flatMap(at => upTo(axes[axis]?.size ?? 0).map(place => moved(at, axis, place))),
          [axes.map(() => total)],
        ),
      )
    const isProtected = (): boolean => {
      for (const axis of own) {
        for (const swap of swaps.get(mask & ~(1 << axis)) ?? []) {
          const found = lifted(swap, axis)
          if (!found) return false
          for (const one of found) hide([...one.more, ...one.less])
        }
      }
      const few = cells.filter(cell => cell.isFew && maskOf(cell.at) === mask).sort((a, b) => codeOf(a.at) - codeOf(b.at))
      const mine: Swap[] = []
      for (const { at } of few) {
        const swap = bestSwap(at, own, tried) ?? (own.length === 2 ? bestSwap(at, own, Number.POSITIVE_INFINITY) : undefined)
        if (!swap) return false
        hide([...swap.more, ...swap.less])
        mine.push(swap)
      }
      swaps.set(mask, mine)
      return true
    }
    const isClosed = own.some(axis => closed.has(mask & ~(1 << axis))) || !isProtected()
    if (!isClosed) continue
    closed.add(mask)
    hideAll()
  }
  // A cell of an inner value within its outer one is hidden as that of the inner one is.
  for (const at of [...hidden.values()])
    for (const [i, axis] of axes.entries()) {
      const place = at[i] ?? total
      const outer = axis.within?.of[place]
      if (axis.within && outer !== undefined && place !== total && at[axis.within.axis] === total)
        hide([moved(at, axis.within.axis, outer)])
    }
  return [...hidden.values()]
}
