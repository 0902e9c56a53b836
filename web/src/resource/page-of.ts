/** A page of a list as the server answers it. */
export interface PageOf<Row> {
  readonly records: readonly Row[]
  readonly total: number
  /** There are more than `total`; the count stopped there. */
  readonly atLeast?: boolean
}
