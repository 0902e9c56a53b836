/** Fewer people than this are not shown. */
export const fewestPeople = 3

/**
 * What is counted of some rows, so that two of them can be added: rows, and of the numbers of the people behind them the smallest, the largest, the
 * sum and the sum of squares.
 */
export interface Tally {
  readonly rows: number
  readonly least: bigint
  readonly most: bigint
  readonly sum: bigint
  readonly squares: bigint
  /** For each measure its sum and how many values make it. */
  readonly sums: readonly { readonly sum: number; readonly count: number }[]
  /** How many values each mean of the data set has, whether or not it is asked for: what is hidden does not depend on the layout. */
  readonly values: readonly number[]
}

export const added = (one: Tally, other: Tally): Tally => ({
  rows: one.rows + other.rows,
  least: one.least < other.least ? one.least : other.least,
  most: one.most > other.most ? one.most : other.most,
  sum: one.sum + other.sum,
  squares: one.squares + other.squares,
  sums: one.sums.map((own, i) => ({ sum: own.sum + (other.sums[i]?.sum ?? 0), count: own.count + (other.sums[i]?.count ?? 0) })),
  values: one.values.map((own, i) => own + (other.values[i] ?? 0)),
})

/**
 * Whether fewer than three people stand behind some rows, or behind a mean of theirs. Exact without counting distinct people: with the smallest number
 * a and the largest b, the sum of (x - a)(b - x) is nothing only where every x is a or b, so where there are at most two.
 */
export const isFew = ({ rows, least, most, sum, squares, values }: Tally): boolean =>
  rows < fewestPeople ||
  (least + most) * sum - squares - BigInt(rows) * least * most === 0n ||
  values.some(count => count > 0 && count < fewestPeople)
