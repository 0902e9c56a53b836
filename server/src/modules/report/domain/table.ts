import type { Label } from '#contract/kernel/label.ts'
import type { DataSet, Unit } from '#contract/report/data-sets.ts'
import { byLabels, type ChartKind, type Design } from '#contract/report/design.ts'
import { cellState, type ReportGrid } from '#contract/report/report.routes.ts'
import { codeOf, mergedKey, type Narrowed } from './narrow.ts'

type CellView = ReportGrid['rows'][number]['cells'][number]

/** A result as it is kept: its words in both languages, and nothing of what is hidden. */
export interface Table {
  readonly title: string
  readonly bureau: string
  readonly madeTime: string
  readonly madeBy: string
  readonly dataSet: Label
  readonly conditions: readonly { readonly label: Label; readonly text: Label }[]
  readonly rowHeads: readonly Label[]
  readonly columnHeads: readonly Label[]
  readonly columns: readonly {
    readonly labels: readonly Label[]
    readonly measure: Label
    readonly unit: Unit
    readonly isTotal: boolean
  }[]
  readonly rows: readonly { readonly labels: readonly Label[]; readonly level: 0 | 1 | 2; readonly cells: readonly CellView[] }[]
  readonly hidden: number
  /** Few people are in it: it is for those alone who may see the rows. */
  readonly showsFew?: boolean
  /** Values are told as one; results of before do not say. */
  readonly isMerged?: boolean
  /** Examinations of few people, which are in no number. */
  readonly leftOut?: number
  readonly chart: {
    readonly kind: ChartKind
    readonly axis: Label
    readonly unit: Unit
    /** Results of before have none of these. */
    readonly measure?: Label
    readonly allCategories?: number
    readonly allSeries?: number
    readonly isUndated?: boolean
    readonly categories: readonly Label[]
    readonly series: readonly { readonly name: Label; readonly values: readonly (number | null)[] }[]
  }
}

/** What the values of a dimension are called, and the order they are listed in where one is given. */
export interface ValueWords {
  readonly words: ReadonlyMap<string, Label>
  readonly order: readonly string[] | undefined
}

/** More categories or series than this are no chart any more. */
const most = { points: 60, bars: 25, series: 8 }

const none: Label = { zh: '（空）', en: '(none)' }
const mergedWord: Label = { zh: '其他（合并）', en: 'Others, merged' }
const sumWord: Label = { zh: '合计', en: 'Total' }
const subtotalWord: Label = { zh: '小计', en: 'Subtotal' }

export const labelOf = (words: ReadonlyMap<string, Label>, key: string | null): Label =>
  key === mergedKey ? mergedWord : key === null || key === '' ? none : (words.get(key) ?? { zh: key, en: key })

/** Means to two places; what is counted or paid is whole anyway. */
const rounded = (value: number): number => Math.round(value * 100) / 100

type Tuple = readonly (string | null)[]

/**
 * The table of a design out of its counted cells: who may not be known is hidden in every cell, sum and chart, and the order tells nothing of what is
 * hidden: it comes last.
 */
export const tableOf = (of: {
  readonly design: Design
  readonly set: DataSet
  readonly counted: Narrowed
  /** Nothing is hidden from whoever may see the rows. */
  readonly showsFew: boolean
  /** By the name of the dimension. */
  readonly words: ReadonlyMap<string, ValueWords>
  readonly head: Pick<Table, 'title' | 'bureau' | 'madeTime' | 'madeBy' | 'conditions'>
}): Table => {
  const { design, set, words, showsFew } = of
  const names = [...design.rows, ...design.columns]
  const { cells } = of.counted
  const byCode = new Map(cells.map(cell => [codeOf(cell.keys), cell]))
  const rowCount = design.rows.length
  const columnCount = design.columns.length
  const measures = design.measures.flatMap(name =>
    Object.hasOwn(set.measures, name) ? [set.measures[name] as DataSet['measures'][string]] : [],
  )

  const labelAt = (dimension: number, key: string | null): Label => labelOf(words.get(names[dimension] ?? '')?.words ?? new Map(), key)
  const compareAt = (dimension: number, a: string | null, b: string | null): number => {
    if (a === b) return 0
    // What is merged comes last: how much it is tells nothing of its parts.
    if (a === mergedKey || b === mergedKey) return a === mergedKey ? 1 : -1
    if (a === null || b === null) return a === null ? 1 : -1
    const listed = words.get(names[dimension] ?? '')?.order
    const isOrdered = set.dimensions[names[dimension] ?? '']?.isOrdered === true
    if (listed) {
      const place = (key: string): number => (listed.indexOf(key) < 0 ? listed.length : listed.indexOf(key))
      if (place(a) !== place(b)) return place(a) - place(b)
    }
    if (isOrdered) return a < b ? -1 : 1
    return labelAt(dimension, a).zh.localeCompare(labelAt(dimension, b).zh, 'zh') || (a < b ? -1 : 1)
  }
  const viewOf = (keys: readonly (string | null | undefined)[], measure: number): CellView => {
    const cell = byCode.get(codeOf(keys))
    if (cell?.isHidden) return { value: null, state: cellState.hidden }
    const of = cell?.sums[measure]
    const isMean = measures[measure]?.kind === 'mean'
    return of === undefined || (isMean && of.count === 0)
      ? { value: null, state: cellState.none }
      : { value: rounded(isMean ? of.sum / of.count : of.sum), state: cellState.shown }
  }

  const noColumns = Array.from({ length: columnCount }, () => undefined)
  const noRows = Array.from({ length: rowCount }, () => undefined)
  const rowTuples = cells
    .filter(({ keys }) => keys.every((key, i) => (i < rowCount ? key !== undefined : key === undefined)))
    .map(({ keys }) => keys.slice(0, rowCount) as Tuple)
  const columnTuples = cells
    .filter(({ keys }) => keys.every((key, i) => (i < rowCount ? key === undefined : key !== undefined)))
    .map(({ keys }) => keys.slice(rowCount) as Tuple)
    .sort((a, b) => a.reduce<number>((found, key, i) => found || compareAt(rowCount + i, key, b[i] ?? null), 0))

  const by = design.order.by === byLabels ? undefined : design.measures.indexOf(design.order.by)
  const turn = design.order.descending ? -1 : 1
  const sumOf = (tuple: Tuple, depth: number): CellView =>
    viewOf([...tuple.map((key, i) => (i <= depth ? key : undefined)), ...noColumns], by ?? 0)
  rowTuples.sort((a, b) => {
    for (let depth = 0; depth < rowCount; depth += 1) {
      const [left, right] = [a[depth] ?? null, b[depth] ?? null]
      if (left === right) continue
      const byWord = compareAt(depth, left, right)
      if (left === mergedKey || right === mergedKey) return byWord
      if (by === undefined) return turn * byWord
      const [one, other] = [sumOf(a, depth), sumOf(b, depth)]
      if (one.value === null || other.value === null) return Number(one.value === null) - Number(other.value === null) || byWord
      return turn * (one.value - other.value) || byWord
    }
    return 0
  })

  const hasRowTotals = design.totals === 'rows' || design.totals === 'both'
  const hasColumnTotals = (design.totals === 'columns' || design.totals === 'both') && columnCount > 0
  const places = [
    ...(columnCount === 0 ? [{ keys: noColumns as readonly (string | null | undefined)[], labels: [] as Label[], isTotal: false }] : []),
    ...(columnCount === 0
      ? []
      : columnTuples.map(tuple => ({ keys: tuple, labels: tuple.map((key, i) => labelAt(rowCount + i, key)), isTotal: false }))),
    ...(hasColumnTotals ? [{ keys: noColumns, labels: [sumWord], isTotal: true }] : []),
  ]
  const columns = places.flatMap(place =>
    measures.map((measure, i) => ({ ...place, index: i, measure: measure.label, unit: measure.unit })),
  )
  const lineOf = (keys: readonly (string | null | undefined)[]): readonly CellView[] =>
    columns.map(column => viewOf([...keys, ...column.keys], column.index))

  const rows: Table['rows'][number][] = []
  for (const [at, tuple] of rowTuples.entries()) {
    rows.push({ labels: tuple.map((key, i) => labelAt(i, key)), level: 0, cells: lineOf(tuple) })
    if (!hasRowTotals) continue
    // Where a value of an outer row ends its sum follows, the innermost first.
    for (let depth = rowCount - 2; depth >= 0; depth -= 1) {
      const next = rowTuples[at + 1]
      if (next?.slice(0, depth + 1).every((key, i) => key === tuple[i])) continue
      const keys = tuple.map((key, i) => (i <= depth ? key : undefined))
      rows.push({ labels: [...tuple.slice(0, depth + 1).map((key, i) => labelAt(i, key)), subtotalWord], level: 1, cells: lineOf(keys) })
    }
  }
  if (hasRowTotals && rowTuples.length > 0) rows.push({ labels: [sumWord], level: 2, cells: lineOf(noRows) })

  const joined = (labels: readonly Label[]): Label => ({
    zh: labels.map(label => label.zh).join(' · '),
    en: labels.map(label => label.en).join(' · '),
  })
  const isTime = design.rows.map(name => name === 'month' || set.dimensions[name]?.isDay === true)
  const dated = rowTuples.filter(tuple => !tuple.some((key, i) => isTime[i] && key === null))
  const isLine = design.chart === 'line'
  const charted = dated.slice(0, isLine ? most.points : most.bars)
  // Beside bars there is room for the beginning of a name: the inner row tells them apart, the outer one is the same for many.
  const named = <T>(parts: readonly T[]): readonly T[] => (isLine ? parts : [...parts].reverse())
  const drawn = Math.max(0, design.chartMeasure === undefined ? 0 : design.measures.indexOf(design.chartMeasure))
  const seriesOf =
    columnCount === 0
      ? [{ name: measures[drawn]?.label ?? none, keys: noColumns as readonly (string | null | undefined)[] }]
      : columnTuples.slice(0, most.series).map(tuple => ({
          name: joined(tuple.map((key, i) => labelAt(rowCount + i, key))),
          keys: tuple as readonly (string | null | undefined)[],
        }))
  return {
    ...of.head,
    showsFew,
    isMerged: cells.some(cell => cell.keys.includes(mergedKey)),
    leftOut: of.counted.leftOut,
    dataSet: set.label,
    rowHeads: design.rows.map(name => set.dimensions[name]?.label ?? none),
    columnHeads: design.columns.map(name => set.dimensions[name]?.label ?? none),
    columns: columns.map(({ labels, measure, unit, isTotal }) => ({ labels, measure, unit, isTotal })),
    rows,
    hidden: rows.reduce((sum, row) => sum + row.cells.filter(cell => cell.state === cellState.hidden).length, 0),
    chart: {
      // Slices of two dimensions would not be parts of one whole.
      kind: design.chart === 'pie' && names.length > 1 ? 'bar' : (design.chart as ChartKind),
      axis: joined(named(design.rows.map(name => set.dimensions[name]?.label ?? none))),
      measure: measures[drawn]?.label ?? none,
      unit: measures[drawn]?.unit ?? 'count',
      allCategories: dated.length,
      allSeries: Math.max(1, columnCount === 0 ? 1 : columnTuples.length),
      isUndated: dated.length < rowTuples.length,
      categories: charted.map(tuple => joined(named(tuple.map((key, i) => labelAt(i, key))))),
      series: seriesOf.map(({ name, keys }) => ({
        name,
        values: charted.map(tuple => viewOf([...tuple, ...keys], drawn).value),
      })),
    },
  }
}

/** A table in the reader's language, or its first rows. */
export const gridOf = (table: Table, say: (label: Label) => string, shown = table.rows.length): ReportGrid => {
  return {
    title: table.title,
    bureau: table.bureau,
    dataSet: say(table.dataSet),
    madeTime: table.madeTime,
    madeBy: table.madeBy,
    conditions: table.conditions.map(({ label, text }) => ({ label: say(label), text: say(text) })),
    rowHeads: table.rowHeads.map(say),
    columnHeads: table.columnHeads.map(say),
    columns: table.columns.map(({ labels, measure, unit, isTotal }) => ({ labels: labels.map(say), measure: say(measure), unit, isTotal })),
    rows: table.rows.slice(0, shown).map(({ labels, level, cells }) => ({
      labels: labels.map(say),
      level,
      cells: [...cells],
    })),
    totalRows: table.rows.length,
    hidden: table.hidden,
    showsFew: table.showsFew === true,
    isMerged: table.isMerged === true,
    leftOut: table.leftOut ?? 0,
    chart: {
      kind: table.chart.kind,
      axis: say(table.chart.axis),
      measure: table.chart.measure ? say(table.chart.measure) : '',
      unit: table.chart.unit,
      allCategories: table.chart.allCategories ?? table.chart.categories.length,
      allSeries: table.chart.allSeries ?? table.chart.series.length,
      isUndated: table.chart.isUndated === true,
      categories: table.chart.categories.map(say),
      series: table.chart.series.map(({ name, values }) => ({ title: say(name), values: [...values] })),
    },
  }
}
