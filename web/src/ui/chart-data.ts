export interface ChartSeries {
  readonly name: string
  /** One value per category; null where there is none. */
  readonly values: readonly (number | null)[]
}
export interface ChartData {
  readonly kind: 'bar' | 'line' | 'pie'
  readonly categories: readonly string[]
  /** What the categories are, for the table: days, states. */
  readonly axis?: string
  /** What the values are, with their unit: written at their axis. */
  readonly valueName?: string
  /** Columns of the table alone, as they are written: amounts beside numbers of people. */
  readonly beside?: readonly { readonly name: string; readonly values: readonly string[] }[]
  /** A pie takes the first series. */
  readonly series: readonly ChartSeries[]
  /** One bar on the other instead of side by side. */
  readonly stacked?: boolean
  /** Long names of categories read better beside lying bars. */
  readonly lying?: boolean
  /** A line across at one of the categories, such as a deadline. */
  readonly mark?: { readonly at: string; readonly label: string }
  /** Written in the hole of a pie: a sum and what it is. */
  readonly centre?: { readonly value: string; readonly label: string }
}
