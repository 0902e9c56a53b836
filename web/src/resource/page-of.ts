/** A page of a list as the server answers it. */
export interface PageOf<Row> {
  readonly records: readonly Row[]
  readonly total: number
  /** There are more than `total`; the count stopped there. */
  readonly atLeast?: boolean
  /** What all rows of the search come to, in fen, where the list adds up money; null for who does not see the amounts. */
  readonly sums?: Readonly<Record<string, number | null>>
}
