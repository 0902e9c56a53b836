/** What cells are counted by, and what of it is wanted. */
export interface Cut {
  /** The dimensions of the cells: rows and columns first, then what only filters name. */
  readonly names: readonly string[]
  /** How many of them are rows and columns. */
  readonly shown: number
  /** Values that are wanted, by dimension; an empty text is none. */
  readonly wanted: ReadonlyMap<string, ReadonlySet<string>>
}
interface Counted {
  readonly keys: readonly (string | null | undefined)[]
  readonly rows: number
  readonly sums: readonly { readonly sum: number; readonly count: number }[]
}
/** A cell of the table; hidden where one of those that it is made of is. */
export interface NarrowedCell extends Counted {
  readonly isHidden: boolean
}

export const codeOf = (keys: readonly (string | null | undefined)[]): string =>
  JSON.stringify(keys.map(key => (key === undefined ? 0 : [key])))

/**
 * Cells with the wanted values alone. Each is made of cells that are shown by themselves or it is hidden: so a filter tells no more than the
 * whole report with the filter as a row of it, whichever values are chosen and however many reports are compared.
 */
export const narrowed = (cut: Cut, cells: readonly Counted[], hidden: ReadonlySet<string>): readonly NarrowedCell[] => {
  const wantedAt = cut.names.map(name => cut.wanted.get(name))
  const made = new Map<string, { keys: Counted['keys']; rows: number; sums: { sum: number; count: number }[]; isHidden: boolean }>()
  for (const cell of cells) {
    const isWanted = cell.keys.every((key, i) => wantedAt[i] === undefined || (key !== undefined && wantedAt[i]?.has(key ?? '') === true))
    if (!isWanted) continue
    const isHidden = hidden.has(codeOf(cell.keys))
    // What is filtered by and shown as well has its sums over the wanted values alone.
    let places: Counted['keys'][] = [cell.keys.slice(0, cut.shown)]
    for (let i = 0; i < cut.shown; i += 1)
      if (wantedAt[i] !== undefined) places = places.flatMap(keys => [keys, keys.map((key, at) => (at === i ? undefined : key))])
    for (const keys of places) {
      const code = codeOf(keys)
      const one = made.get(code)
      if (!one) {
        made.set(code, { keys, rows: cell.rows, sums: cell.sums.map(of => ({ ...of })), isHidden })
        continue
      }
      one.rows += cell.rows
      one.isHidden ||= isHidden
      for (const [i, of] of one.sums.entries()) {
        of.sum += cell.sums[i]?.sum ?? 0
        of.count += cell.sums[i]?.count ?? 0
      }
    }
  }
  return [...made.values()]
}
