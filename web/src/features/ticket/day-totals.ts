const kept = ['seated', 'present', 'late', 'absent', 'violations', 'notes'] as const
type Counts = Readonly<Record<(typeof kept)[number], number>>

/** Who is neither there nor missing yet. */
export const openOf = (row: Pick<Counts, 'seated' | 'present' | 'late' | 'absent'>): number =>
  row.seated - row.present - row.late - row.absent

/** All rooms together, with how many sessions they are: what a head office is asked for on the day. */
export const totalOf = (
  rows: readonly (Counts & { readonly startTime: string })[],
): Counts & { readonly sessions: number; readonly open: number } => {
  const sum = (of: (row: Counts) => number): number => rows.reduce((all, row) => all + of(row), 0)
  const counts = Object.fromEntries(kept.map(key => [key, sum(row => row[key])])) as Record<(typeof kept)[number], number>
  return { ...counts, sessions: new Set(rows.map(row => row.startTime)).size, open: sum(openOf) }
}
