import type { ReactNode } from 'react'

export interface Column<Row> {
  readonly key: string
  readonly title: string
  /** Content of a cell: text, a span, a tag. No controls of a kit: they make a long list slow. */
  readonly cell: (row: Row) => ReactNode
  readonly width?: number | undefined
  readonly align?: 'left' | 'right' | 'center'
  /** Name for `ascs` and `descs` when the list can be sorted by it. */
  readonly sortBy?: string
  /** Not shown until the person asks for it. */
  readonly hidden?: boolean
  /** `noun.field` of what the cell shows, where roles may be kept from it (ADR 0064): lists leave the column out for who does not see it. */
  readonly field?: string
  /**
   * The whole of a value that the cell shows masked. Give it only to people who may ask: the server counts and logs each answer
   * (decision 4.7).
   */
  readonly reveal?: ((row: Row) => Promise<string>) | undefined
}

/** What a person did to the columns of one table; a column it does not name stands where the program puts it. */
export interface ColumnChoice {
  readonly hidden: readonly string[]
  readonly order: readonly string[]
}

type Keyed = Pick<Column<never>, 'key' | 'hidden'>

export const initialChoice = (columns: readonly Keyed[]): ColumnChoice => ({
  hidden: columns.filter(column => column.hidden).map(column => column.key),
  order: [],
})

/** All columns in the order of the choice. One that came with a later version follows the column it was declared after. */
export const arrange = <C extends Keyed>(columns: readonly C[], { order }: ColumnChoice): readonly C[] => {
  const known = order.flatMap(key => columns.find(column => column.key === key) ?? [])
  const placed = [...known]
  for (const [index, column] of columns.entries()) {
    if (placed.includes(column)) continue
    const before = columns[index - 1]
    placed.splice(before === undefined ? 0 : placed.indexOf(before) + 1, 0, column)
  }
  return placed
}

/** Never empty: without any column of the choice the first one stays. */
export const shownColumns = <C extends Keyed>(columns: readonly C[], choice: ColumnChoice): readonly C[] => {
  const all = arrange(columns, choice)
  const shown = all.filter(column => !choice.hidden.includes(column.key))
  return shown.length > 0 ? shown : all.slice(0, 1)
}

/** Shows or hides a column; the last one that is shown stays. */
export const toggled = (columns: readonly Keyed[], choice: ColumnChoice, key: string): ColumnChoice => {
  if (choice.hidden.includes(key)) return { ...choice, hidden: choice.hidden.filter(each => each !== key) }
  const left = columns.filter(column => column.key !== key && !choice.hidden.includes(column.key))
  return left.length === 0 ? choice : { ...choice, hidden: [...choice.hidden, key] }
}

/** Moves a column one place to the front (-1) or the end (1). */
export const moved = (columns: readonly Keyed[], choice: ColumnChoice, key: string, step: -1 | 1): ColumnChoice => {
  const order = arrange(columns, choice).map(column => column.key)
  const from = order.indexOf(key)
  const to = from + step
  if (from < 0 || to < 0 || to >= order.length) return choice
  order.splice(from, 1)
  order.splice(to, 0, key)
  return { ...choice, order }
}

/** A stored choice in whatever shape a former version left it; null when it is none. */
export const choiceOf = (stored: unknown): ColumnChoice | null => {
  const texts = (value: unknown): readonly string[] =>
    Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : []
  if (typeof stored !== 'object' || stored === null || Array.isArray(stored)) return null
  const { hidden, order } = stored as { hidden?: unknown; order?: unknown }
  return { hidden: texts(hidden), order: texts(order) }
}
