/** Numbers of domain 3.2: what a paper's tickets are, and the kind that is seated by a draw. */
export const paperState = { none: 0, made: 1, released: 2 } as const
export const written = 1
export const interview = 2

/** The papers a step takes along: those that share their seats with one of the chosen (domain 3.2 `seatGroup`), interviews apart. */
export const withCompanions = <T extends { readonly itemId: string; readonly itemType: number; readonly seatGroup: string | null }>(
  all: readonly T[],
  chosen: readonly T[],
): readonly T[] => {
  const keyOf = (paper: T) => `${paper.itemType === interview}|${paper.seatGroup ?? `#${paper.itemId}`}`
  const keys = new Set(chosen.map(keyOf))
  return all.filter(paper => keys.has(keyOf(paper)))
}

/** The other papers that share the seats of one, the first to be written first: the one with rooms has them for all. */
export const seatSharersOf = <
  T extends { readonly itemId: string; readonly itemType: number; readonly seatGroup: string | null; readonly startTime: string },
>(
  all: readonly T[],
  itemId: string,
): readonly T[] =>
  withCompanions(
    all,
    all.filter(paper => paper.itemId === itemId),
  )
    .filter(paper => paper.itemId !== itemId)
    .toSorted((a, b) => a.startTime.localeCompare(b.startTime))

interface Paper {
  readonly ticketState: number
  readonly itemType: number
}

/** The papers that a step is for, of those chosen or of all; otherwise the text that says why there are none. */
export const fittingFor = <T extends Paper>(
  kind: 'trial' | 'release',
  papers: readonly T[],
):
  | { readonly papers: readonly T[] }
  | { readonly why: 'ticket.none' | 'ticket.none.trial' | 'ticket.none.release' | 'ticket.none.out' } => {
  const { none, made } = paperState
  const fitting = papers.filter(row =>
    kind === 'release' ? row.ticketState === made : row.ticketState === none && row.itemType === written,
  )
  if (fitting.length > 0) return { papers: fitting }
  if (papers.length === 0) return { why: 'ticket.none' }
  // Released or over: there is nothing to make a trial run of either.
  if (kind === 'release' && papers.every(row => row.ticketState > made)) return { why: 'ticket.none.out' }
  return { why: `ticket.none.${kind}` }
}
