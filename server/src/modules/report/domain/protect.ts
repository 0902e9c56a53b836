/** Fewer people than this are not shown. */
export const fewestPeople = 3
/** A hidden number may be this much larger than it is, as far as all shown ones tell: so it is not known. */
const room = 1
/** Other values of a dimension that are tried for one cell. */
const tried = 6

/** A cell of a cube: a place in every dimension, `total` for the sum over it. */
export interface ProtectedCell {
  readonly at: readonly number[]
  /** Rows in it; a cell without rows is not there. */
  readonly rows: number
  /** Few people stand behind it, or would be told by it: it must not be known. */
  readonly isFew: boolean
}
export const total = -1

/**
 * Which cells of a cube have to be hidden so that those of few people are not known: they themselves, and others by which they could be worked
 * out from sums. For each of them there is a way to put `room` more rows into it that changes no shown number: along every dimension either a
 * second value loses what the first gains, or the sums over the dimension are hidden as well. All cells that such a way passes are hidden, none is
 * empty, and those that lose keep somebody, so the way is there whatever is shown besides (the hypercube method of statistical offices). What is
 * hidden later leaves the ways of before as they are.
 *
 * The same cells give the same answer, so that turning a report around tells nothing.
 *
 * @param sizes - how many values each dimension has
 */
export const cellsToHide = (sizes: readonly number[], cells: readonly ProtectedCell[]): ReadonlySet<ProtectedCell> => {
  const codeOf = (at: readonly number[]): number =>
    at.reduce((code, place, i) => code * ((sizes[i] ?? 0) + 1) + (place === total ? (sizes[i] ?? 0) : place), 0)
  const byCode = new Map(cells.map(cell => [codeOf(cell.at), cell]))
  const find = (at: readonly number[]): ProtectedCell | undefined => byCode.get(codeOf(at))
  const totals = (cell: ProtectedCell): number => cell.at.filter(place => place === total).length
  const few = cells.filter(cell => cell.isFew).sort((a, b) => totals(a) - totals(b) || codeOf(a.at) - codeOf(b.at))
  const hidden = new Set(few)

  const mayLose = (cell: ProtectedCell | undefined): cell is ProtectedCell => cell !== undefined && cell.rows > room
  const cheapest = <T extends { readonly cell: ProtectedCell }>(found: readonly T[]): readonly T[] =>
    [...found]
      .sort(
        (a, b) =>
          Number(hidden.has(b.cell)) - Number(hidden.has(a.cell)) || a.cell.rows - b.cell.rows || codeOf(a.cell.at) - codeOf(b.cell.at),
      )
      .slice(0, tried)

  /** Cells without a total that the target is, or sums up. */
  const partsOf = (target: ProtectedCell): readonly ProtectedCell[] => {
    if (!target.at.includes(total)) return [target]
    const parts = cells.filter(
      cell => !cell.at.includes(total) && cell.at.every((place, i) => target.at[i] === total || target.at[i] === place),
    )
    return cheapest(parts.map(cell => ({ cell }))).map(({ cell }) => cell)
  }

  /** Ways out of one dimension: the value that loses, or `total` where the sums over it change too. */
  const turnsOf = (target: ProtectedCell, part: ProtectedCell, dimension: number): readonly number[] => {
    if (target.at[dimension] === total) return [total]
    const others: { readonly place: number; readonly cell: ProtectedCell }[] = []
    for (let place = 0; place < (sizes[dimension] ?? 0); place += 1) {
      if (place === part.at[dimension]) continue
      const cell = find(part.at.map((own, i) => (i === dimension ? place : own)))
      if (mayLose(cell)) others.push({ place, cell })
    }
    return [...cheapest(others).map(({ place }) => place), total]
  }

  /** What a way passes; undefined where a cell of it is empty, or would lose more than it has. */
  const passedBy = (part: ProtectedCell, turns: readonly number[]): readonly ProtectedCell[] | undefined => {
    const passed: ProtectedCell[] = []
    for (let corner = 0; corner < 2 ** turns.length; corner += 1) {
      let loses = false
      const at = part.at.map((own, i) => {
        if (((corner >> i) & 1) === 0) return own
        const turn = turns[i] ?? total
        if (turn !== total) loses = !loses
        return turn
      })
      const cell = find(at)
      if (cell === undefined || (loses && !mayLose(cell))) return undefined
      passed.push(cell)
    }
    return passed
  }

  for (const target of few) {
    let best: { readonly passed: readonly ProtectedCell[]; readonly cost: number } | undefined
    for (const part of partsOf(target)) {
      let ways: readonly (readonly number[])[] = [[]]
      for (let i = 0; i < sizes.length; i += 1) {
        const turns = turnsOf(target, part, i)
        ways = ways.flatMap(way => turns.map(turn => [...way, turn]))
      }
      for (const way of ways) {
        const passed = passedBy(part, way)
        if (!passed) continue
        const cost = passed.reduce((sum, cell) => sum + (hidden.has(cell) ? 0 : cell.rows + 1), 0)
        if (!best || cost < best.cost) best = { passed, cost }
        if (cost === 0) break
      }
      if (best?.cost === 0) break
    }
    for (const cell of best?.passed ?? []) hidden.add(cell)
  }
  return hidden
}
