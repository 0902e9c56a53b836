import { type Static, Type } from 'typebox'
import type { Label } from '../kernel/label.ts'
import { named, optional, strict, text } from '../kernel/schema.ts'
import { fromWireTime } from '../kernel/when.ts'
import { type DataSet, dataSetOf, ownOf } from './data-sets.ts'

/** Rows and columns together: `group by cube` makes eight groupings of three. */
export const maxDimensions = 3
export const maxMeasures = 3
export const maxFilters = 8
export const maxFilterValues = 200

export const chartKinds = ['none', 'bar', 'stacked', 'line', 'pie'] as const
export type ChartKind = (typeof chartKinds)[number]
export const chartWords: Readonly<Record<ChartKind, Label>> = {
  none: { zh: '不显示', en: 'None' },
  bar: { zh: '柱状图', en: 'Bars' },
  stacked: { zh: '堆叠柱状图', en: 'Stacked bars' },
  line: { zh: '折线图', en: 'Lines' },
  pie: { zh: '饼图', en: 'Pie' },
}
export const totalKinds = ['none', 'rows', 'columns', 'both'] as const
export type TotalKind = (typeof totalKinds)[number]
export const totalWords: Readonly<Record<TotalKind, Label>> = {
  none: { zh: '不显示', en: 'None' },
  rows: { zh: '合计行', en: 'Rows of totals' },
  columns: { zh: '合计列', en: 'Columns of totals' },
  both: { zh: '合计行和合计列', en: 'Rows and columns of totals' },
}

const name = () => Type.String({ maxLength: 60 })
const names = (label: Label) => named(label, Type.Array(name(), { maxItems: 100 }))
const filter = strict({
  dimension: named({ zh: '筛选项', en: 'Filter' }, name()),
  values: optional(named({ zh: '筛选值', en: 'Values of the filter' }, Type.Array(text(200), { maxItems: 20_000 }))),
  from: optional(named({ zh: '起始日期', en: 'From' }, text(10))),
  until: optional(named({ zh: '截止日期', en: 'Until' }, text(10))),
})
/** What a saved report is: names and values that somebody chose, no text of a query. How many of each is settled by `designProblems`, which says it in words. */
export const designSchema = named(
  { zh: '报表设计', en: 'Design' },
  strict({
    dataSet: named({ zh: '数据集', en: 'Data set' }, name()),
    rows: names({ zh: '行', en: 'Rows' }),
    columns: names({ zh: '列', en: 'Columns' }),
    measures: names({ zh: '指标', en: 'Measures' }),
    filters: named({ zh: '筛选条件', en: 'Filters' }, Type.Array(filter, { maxItems: 100 })),
    order: named(
      { zh: '排序', en: 'Order' },
      strict({
        by: named({ zh: '排序依据', en: 'Ordered by' }, name()),
        descending: named({ zh: '降序', en: 'Descending' }, Type.Boolean()),
      }),
    ),
    totals: named({ zh: '合计', en: 'Totals' }, name()),
    chart: named({ zh: '图表', en: 'Chart' }, name()),
    chartMeasure: optional(named({ zh: '图表指标', en: 'Measure of the chart' }, name())),
  }),
)
export type Design = Static<typeof designSchema>
export type DesignFilter = Design['filters'][number]

/** `order.by` for the order of the words of the rows; else it is a measure. */
export const byLabels = 'labels'

export type DesignPart = 'dataSet' | 'rows' | 'columns' | 'measures' | 'filters' | 'order' | 'totals' | 'chart'
export interface DesignProblem {
  readonly at: DesignPart
  /** The name that is meant, where it is one. */
  readonly name?: string
  readonly text: Label
}

const isDay = (value: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(value) && fromWireTime(`${value} 00:00:00`) !== undefined
/** Somebody typed it: as much of it as a sentence bears. */
const quoted = (value: string): string => (value.length > 30 ? `${value.slice(0, 30)}…` : value)

const filterProblem = (set: DataSet, of: DesignFilter): Label | undefined => {
  const dimension = ownOf(set.dimensions, of.dimension)
  if (!dimension) return undefined
  const label = dimension.label
  const isRange = of.from !== undefined || of.until !== undefined
  if (isRange && !dimension.isDay)
    return { zh: `“${label.zh}”不是日期，不能按起止日期筛选`, en: `“${label.en}” is no day: it takes values, not a range` }
  for (const value of [of.from, of.until])
    if (value !== undefined && !isDay(value))
      return {
        zh: `“${label.zh}”的日期“${quoted(value)}”不正确，请写成 2026-03-01`,
        en: `“${quoted(value)}” is no day: write it as 2026-03-01`,
      }
  if (of.from !== undefined && of.until !== undefined && of.from > of.until)
    return { zh: `“${label.zh}”的起始日期晚于截止日期`, en: `“${label.en}”: the first day is after the last` }
  const count = of.values?.length ?? 0
  if (count > maxFilterValues)
    return {
      zh: `“${label.zh}”选了 ${count} 个值，最多 ${maxFilterValues} 个`,
      en: `“${label.en}” has ${count} values; at most ${maxFilterValues} are allowed`,
    }
  if (!isRange && count === 0)
    return { zh: `请为“${label.zh}”选择至少一个值，或去掉这个筛选`, en: `Choose a value for “${label.en}”, or take the filter away` }
  return undefined
}

/** What is wrong with a design, for the data sets as they are now; nothing when it can be run. A data set that lost a name says so here. */
export const designProblems = (design: Design): readonly DesignProblem[] => {
  const set = dataSetOf(design.dataSet)
  if (!set)
    return [
      {
        at: 'dataSet',
        name: design.dataSet,
        text: {
          zh: `没有数据集“${quoted(design.dataSet)}”，请重新选择`,
          en: `There is no data set “${quoted(design.dataSet)}”: choose another`,
        },
      },
    ]
  const problems: DesignProblem[] = []
  const gone = (at: DesignPart, list: readonly string[], known: Readonly<Record<string, unknown>>): void => {
    for (const one of new Set(list))
      if (ownOf(known, one) === undefined)
        problems.push({
          at,
          name: one,
          text: {
            zh: `数据集“${set.label.zh}”没有“${quoted(one)}”，请改选`,
            en: `The data set “${set.label.en}” has no “${quoted(one)}”: choose another`,
          },
        })
  }
  gone('rows', design.rows, set.dimensions)
  gone('columns', design.columns, set.dimensions)
  gone('measures', design.measures, set.measures)
  gone(
    'filters',
    design.filters.map(one => one.dimension),
    set.dimensions,
  )
  const dimensions = [...design.rows, ...design.columns]
  if (design.rows.length === 0) problems.push({ at: 'rows', text: { zh: '请选择至少一个行', en: 'Choose at least one row' } })
  if (dimensions.length > maxDimensions)
    problems.push({
      at: 'rows',
      text: {
        zh: `行和列共选了 ${dimensions.length} 项，最多 ${maxDimensions} 项`,
        en: `Rows and columns are ${dimensions.length} together; at most ${maxDimensions} are allowed`,
      },
    })
  if (new Set(dimensions).size < dimensions.length)
    problems.push({ at: 'columns', text: { zh: '同一项不能选两次', en: 'Nothing can be chosen twice' } })
  if (design.measures.length === 0 || design.measures.length > maxMeasures)
    problems.push({ at: 'measures', text: { zh: `请选择 1 至 ${maxMeasures} 个指标`, en: `Choose 1 to ${maxMeasures} measures` } })
  if (new Set(design.measures).size < design.measures.length)
    problems.push({ at: 'measures', text: { zh: '同一指标不能选两次', en: 'No measure can be chosen twice' } })
  if (design.filters.length > maxFilters)
    problems.push({ at: 'filters', text: { zh: `最多 ${maxFilters} 个筛选条件`, en: `At most ${maxFilters} filters` } })
  if (new Set(design.filters.map(one => one.dimension)).size < design.filters.length)
    problems.push({ at: 'filters', text: { zh: '同一项不能筛选两次', en: 'Nothing can be filtered twice' } })
  for (const one of design.filters) {
    const text = filterProblem(set, one)
    if (text) problems.push({ at: 'filters', name: one.dimension, text })
  }
  if (design.order.by !== byLabels && !design.measures.includes(design.order.by))
    problems.push({ at: 'order', text: { zh: '只能按行或已选的指标排序', en: 'Order by the rows or by a chosen measure' } })
  if (!(totalKinds as readonly string[]).includes(design.totals))
    problems.push({ at: 'totals', text: { zh: '没有这种合计方式', en: 'There is no such kind of totals' } })
  if (!(chartKinds as readonly string[]).includes(design.chart))
    problems.push({ at: 'chart', text: { zh: '没有这种图表', en: 'There is no such chart' } })
  if (design.chartMeasure !== undefined && !design.measures.includes(design.chartMeasure))
    problems.push({ at: 'chart', text: { zh: '图表只能画已选的指标', en: 'The chart is of a chosen measure' } })
  return problems
}
