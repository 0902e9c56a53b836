import type { ApiOutput } from '../../../kernel/api.ts'
import { endDayOf, yuanOf } from '../../../kernel/format.ts'
import type { ChartData } from '../../../ui/chart-data.ts'

export type TypeStat = ApiOutput<'GET /blade-signup/statistics/getBmrsForType'>
export type PlanStat = ApiOutput<'GET /blade-signup/statistics/getZpjhForType'>
export type RankingStat = ApiOutput<'GET /blade-signup/statistics/getPostRanking'>
export type LineStat = ApiOutput<'GET /blade-signup/statistics/getNumToLine'>
export type PayStat = ApiOutput<'GET /blade-signup/statistics/getPayByState'>
/** The call has the funnel or a cross-table, as it was asked. */
export type StageStat = Extract<ApiOutput<'POST /blade-signup/statistics/getStatisticsInfo'>, readonly unknown[]>

export type Grain = 'day' | 'hour'

const dayMs = 86_400_000
const nextDay = (day: string): string => new Date(Date.parse(`${day}T00:00:00Z`) + dayMs).toISOString().slice(0, 10)

/** The deadline is far off the axis when more days than this lie between. */
const maxDaysAhead = 60

/**
 * The points of the line chart. By day the axis goes on to the deadline with nothing on it, so that the mark stands where it belongs;
 * by hour the mark is left out while the deadline is not among the hours.
 * @param deadline - `yyyy-MM-dd HH:mm:ss`
 */
export const lineData = (
  stat: LineStat,
  grain: Grain,
  deadline: string | null | undefined,
  names: { readonly submitted: string; readonly passed: string; readonly paid: string; readonly deadline: string; readonly axis: string },
): ChartData => {
  const x = [...stat.x]
  const at = deadline ? (grain === 'day' ? endDayOf(deadline) : `${deadline.slice(0, 13)}:00`) : null
  const last = x.at(-1)
  if (grain === 'day' && at !== null && last !== undefined && last < at) {
    const ahead: string[] = []
    for (let day = nextDay(last); day <= at && ahead.length <= maxDaysAhead; day = nextDay(day)) ahead.push(day)
    if (ahead.length <= maxDaysAhead) x.push(...ahead)
  }
  const padded = (values: readonly number[]): (number | null)[] => x.map((_, index) => values[index] ?? null)
  return {
    kind: 'line',
    categories: x,
    axis: names.axis,
    series: [
      { name: names.submitted, values: padded(stat.submitted) },
      { name: names.passed, values: padded(stat.passed) },
      { name: names.paid, values: padded(stat.paid) },
    ],
    ...(at !== null && x.includes(at) ? { mark: { at, label: names.deadline } } : {}),
  }
}

/** Categories of the post table in its order; one that only a later answer knows comes last. */
export const planData = (
  plan: PlanStat,
  signed: TypeStat,
  passed: TypeStat,
  names: { readonly plan: string; readonly signed: string; readonly passed: string; readonly axis: string },
): ChartData => {
  const types = new Map([...plan, ...signed, ...passed].map(row => [row.type, row.typeName]))
  const of = (rows: TypeStat, type: string) => rows.find(row => row.type === type)?.num ?? 0
  const keys = [...types.keys()]
  return {
    kind: 'bar',
    categories: keys.map(type => types.get(type) ?? type),
    axis: names.axis,
    series: [
      { name: names.plan, values: keys.map(type => plan.find(row => row.type === type)?.curNum ?? 0) },
      { name: names.signed, values: keys.map(type => of(signed, type)) },
      { name: names.passed, values: keys.map(type => of(passed, type)) },
    ],
  }
}

export const typeData = (stat: TypeStat, name: string, axis: string): ChartData => {
  const rows = stat.filter(row => row.num > 0).sort((a, b) => b.num - a.num)
  return { kind: 'bar', lying: true, categories: rows.map(row => row.typeName), axis, series: [{ name, values: rows.map(row => row.num) }] }
}

/** The posts most people chose, the first on top. */
export const rankingData = (
  stat: RankingStat,
  names: { readonly num: string; readonly places: string; readonly axis: string },
): ChartData => ({
  kind: 'bar',
  lying: true,
  categories: stat.posts.map(row => `${row.code} ${row.codeName}`),
  axis: names.axis,
  series: [{ name: names.num, values: stat.posts.map(row => row.num) }],
  beside: [{ name: names.places, values: stat.posts.map(row => String(row.curNum)) }],
})

/** States nobody is in are left out: slices of nothing only crowd the legend. */
export const payData = (
  stat: PayStat,
  names: { readonly num: string; readonly amount: string; readonly axis: string },
  centre: { readonly value: string; readonly label: string },
): ChartData => {
  const rows = stat.filter(row => row.num > 0)
  return {
    kind: 'pie',
    categories: rows.map(row => row.stateName),
    axis: names.axis,
    series: [{ name: names.num, values: rows.map(row => row.num) }],
    beside: [{ name: names.amount, values: rows.map(row => yuanOf(row.amount)) }],
    centre,
  }
}

/** The way of a sign-up; waiting is a state on it and no step. */
export const funnelData = (stat: StageStat, name: string, axis: string): ChartData => {
  const rows = stat.filter(row => row.stage !== 'waiting')
  return {
    kind: 'bar',
    lying: true,
    categories: rows.map(row => row.stageName),
    axis,
    series: [{ name, values: rows.map(row => row.num) }],
  }
}

/** Wire numbers of `examPay.state` (domain 13.1 pay_state). */
const paidState = 2
const openStates: readonly number[] = [1, 5]

/** The cards of whoever sees money only: what is open, overdue or not, and what came in and did not go back. */
export const moneyOf = (stat: PayStat) => {
  const open = stat.filter(row => openStates.includes(row.state))
  return {
    dueNum: open.reduce((sum, row) => sum + row.num, 0),
    dueFen: open.reduce((sum, row) => sum + row.amount, 0),
    paidNum: stat.find(row => row.state === paidState)?.num ?? 0,
    paidFen: stat.reduce((sum, row) => sum + row.paidFen, 0),
  }
}
