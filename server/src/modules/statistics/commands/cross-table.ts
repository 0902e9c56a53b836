import type { Label } from '#contract/kernel/label.ts'
import { dataSets } from '#contract/report/data-sets.ts'
import type { DesignFilter } from '#contract/report/design.ts'
import { signupFigures } from '#contract/signup/figures.ts'
import { type CrossDimension, type CrossStat, crossDimensions, mostDimensions } from '#contract/statistics/statistics.routes.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import type { Ctx } from '#kernel/http/context.ts'
import { type Cross, type CrossCell, countCross, hidesFew, mergedKey } from '#modules/report/index.ts'
import { type ExamHead, listPostHeads, type PostHead, type Units } from '../data/statistics.repo.ts'
import { opensWith, ratioText } from '../domain/ratio.ts'

const timeoutMs = 20_000
const dataSet = 'signups'
/** Dimensions that the post table has: headcounts can be summed by them. */
const ofPosts: readonly CrossDimension[] = ['unit', 'type', 'code']
const outcomes = {
  signedUp: { dimension: 'state', values: signupFigures.signedUp.states },
  waiting: { dimension: 'state', values: signupFigures.unexamined.states },
  passed: { dimension: 'state', values: signupFigures.passed.states },
  returned: { dimension: 'state', values: signupFigures.returned.states },
  refused: { dimension: 'state', values: signupFigures.refused.states },
  left: { dimension: 'state', values: signupFigures.left.states },
  // The dimension tells of those who have withdrawn by that word alone, so what was paid is of the others.
  paid: { dimension: 'payState', values: signupFigures.paid.payStates },
} as const
type Outcome = keyof typeof outcomes
const names = Object.keys(outcomes) as Outcome[]
type Keys = readonly (string | null | undefined)[]
const codeOf = (keys: Keys): string => JSON.stringify(keys.map(key => (key === undefined ? 0 : [key])))

interface Counts {
  /** Null: must not be said. */
  readonly of: (name: 'submitted' | Outcome, keys: Keys) => number | null
  readonly all: Cross
  readonly isTotalsOnly: boolean
}

/** Numbers of people by dimensions and by what became of them: of each outcome a table of its own, narrowed to it as a report is. */
const countAll = async (db: TenantDb, ctx: Ctx, dimensions: readonly string[], filters: readonly DesignFilter[]): Promise<Counts> => {
  const cross = (narrow: readonly DesignFilter[]): Promise<Cross> =>
    countCross(db, ctx, { dataSet, dimensions, filters: [...filters, ...narrow], timeoutMs })
  const byCode = ({ cells }: Cross): ReadonlyMap<string, CrossCell> => new Map(cells.map(cell => [codeOf(cell.keys), cell]))
  const all = await cross([])
  const counted = new Map<'submitted' | Outcome, ReadonlyMap<string, CrossCell>>([['submitted', byCode(all)]])
  // For whoever has figures only the dimensions and one more must not be more than a table has.
  const isTotalsOnly =
    hidesFew(ctx, dataSet) && dimensions.length + filters.filter(one => one.dimension !== 'exam').length >= mostDimensions
  for (const name of isTotalsOnly ? [] : names) {
    const { dimension, values } = outcomes[name]
    counted.set(name, byCode(await cross([{ dimension, values: [...values] }])))
  }
  return {
    of: (name, keys) => {
      const cells = counted.get(name)
      const cell = cells?.get(codeOf(keys))
      return cells === undefined || cell?.isHidden ? null : (cell?.rows ?? 0)
    },
    all,
    isTotalsOnly,
  }
}

const plansOf = (dims: readonly CrossDimension[], posts: readonly PostHead[], keys: Keys): readonly PostHead[] =>
  posts.filter(post =>
    dims.every((dim, i) => {
      const key = keys[i]
      return key === undefined || key === (dim === 'unit' ? post.unit : dim === 'type' ? post.type : post.code)
    }),
  )

/** Posts of reports carry their examination. */
const shownKey = (dim: CrossDimension, key: string | null | undefined): string | null =>
  dim === 'code' && typeof key === 'string' ? (key.split('|')[1] ?? key) : (key ?? null)

const sumWord: Label = { zh: '合计', en: 'Total' }
const subtotalWord: Label = { zh: '小计', en: 'Subtotal' }

/** A cross-table by up to three dimensions, rows in the order of their dictionary, else of their words, with the sums behind them (domain 5.8). */
export const crossTable = async (
  db: TenantDb,
  ctx: Ctx,
  exam: ExamHead,
  of: {
    readonly dims: readonly CrossDimension[]
    readonly unit?: string | undefined
    readonly type?: string | undefined
    readonly units: Units
  },
): Promise<CrossStat> => {
  const { dims } = of
  const dimensions = dims.map(dim => crossDimensions[dim])
  const filters: DesignFilter[] = [
    { dimension: 'exam', values: [exam.id] },
    ...(of.unit ? [{ dimension: 'unit', values: [of.unit] }] : []),
    ...(of.type ? [{ dimension: 'postType', values: [of.type] }] : []),
  ]
  const counts = await countAll(db, ctx, dimensions, filters)
  const isOfPosts = dims.every(dim => ofPosts.includes(dim))
  const posts = isOfPosts
    ? (await listPostHeads(db, exam.id, of.units)).filter(
        post => (!of.unit || post.unit === of.unit) && (!of.type || post.type === of.type),
      )
    : []

  const rowOf = (keys: Keys, labels: string[], level: 0 | 1 | 2): CrossStat['rows'][number] => {
    const shown = keys.map((key, i) => shownKey(dims[i] ?? 'unit', key))
    const places = isOfPosts
      ? plansOf(
          dims,
          posts,
          keys.map((key, i) => (key === undefined ? undefined : (shown[i] ?? null))),
        )
      : []
    // Of posts that are told as one the plan would tell which they are.
    const hasPlan = isOfPosts && !keys.includes(mergedKey)
    const plan = places.reduce((sum, post) => sum + post.curNum, 0)
    const [submitted, signedUp, left] = [counts.of('submitted', keys), counts.of('signedUp', keys), counts.of('left', keys)]
    const [passed, paid] = [counts.of('passed', keys), counts.of('paid', keys)]
    const valid = exam.ratioBasis === 2 ? paid : passed
    const [only] = places
    return {
      ...{ keys: shown, labels, level, submitted, signedUp, passed, paid },
      planNum: hasPlan ? plan : null,
      waiting: counts.of('waiting', keys),
      returned: counts.of('returned', keys),
      refused: counts.of('refused', keys),
      left,
      // Whoever has left competes for no place.
      ratio: hasPlan && submitted !== null && left !== null ? ratioText(submitted - left, plan) : null,
      opens:
        level === 0 && dims.includes('code') && only && places.length === 1 && valid !== null
          ? opensWith(valid, only.curNum, only.openRatio)
          : null,
    }
  }
  const words = (i: number, key: string | null): string => ctx.say(counts.all.labelOf(dimensions[i] ?? '', key))
  type Named = { readonly keys: Keys; readonly labels: readonly string[] }
  /** By the order of the dictionary, where the dimension has one; else by the words. */
  const compareAt = (i: number, a: Named, b: Named): number => {
    const place = (keys: Keys): number => counts.all.placeOf(dimensions[i] ?? '', keys[i] ?? null) ?? 0
    return place(a.keys) - place(b.keys) || (a.labels[i] ?? '').localeCompare(b.labels[i] ?? '', 'zh')
  }
  const tuples = counts.all.cells
    .filter(cell => cell.keys.every(key => key !== undefined))
    .map(cell => ({ keys: cell.keys, labels: cell.keys.map((key, i) => words(i, key ?? null)) }))
    .sort((a, b) => a.keys.map((_, i) => compareAt(i, a, b)).find(order => order !== 0) ?? 0)
  const rows: CrossStat['rows'] = []
  for (const [at, { keys, labels }] of tuples.entries()) {
    rows.push(rowOf(keys, labels, 0))
    for (let depth = dims.length - 2; depth >= 0; depth -= 1) {
      const next = tuples[at + 1]
      if (next?.keys.slice(0, depth + 1).every((key, i) => key === keys[i])) continue
      rows.push(
        rowOf(
          keys.map((key, i) => (i <= depth ? key : undefined)),
          [...labels.slice(0, depth + 1), ctx.say(subtotalWord)],
          1,
        ),
      )
    }
  }
  if (tuples.length > 0)
    rows.push(
      rowOf(
        dims.map(() => undefined),
        [ctx.say(sumWord)],
        2,
      ),
    )
  const labelled = dims.map(name => ({ name, label: ctx.say(dataSets.signups.dimensions[crossDimensions[name]].label) }))
  const isHidden =
    counts.all.isMerged ||
    counts.all.isLeftOut ||
    rows.some(row =>
      [
        row.submitted,
        ...(counts.isTotalsOnly ? [] : [row.signedUp, row.waiting, row.passed, row.returned, row.refused, row.left, row.paid]),
      ].includes(null),
    )
  return { dims: labelled, rows, hidden: isHidden, totalsOnly: counts.isTotalsOnly }
}

/** Men and women by age group, as a population pyramid has them. */
export const bySexAndAge = async (db: TenantDb, ctx: Ctx, examId: string, of: { readonly unit?: string; readonly type?: string }) => {
  const { cells, labelOf, isApart, placeOf } = await countCross(db, ctx, {
    dataSet,
    dimensions: ['ageGroup', 'sex'],
    filters: [
      { dimension: 'exam', values: [examId] },
      ...(of.unit ? [{ dimension: 'unit', values: [of.unit] }] : []),
      ...(of.type ? [{ dimension: 'postType', values: [of.type] }] : []),
    ],
    timeoutMs,
  })
  const byCode = new Map(cells.map(cell => [codeOf(cell.keys), cell]))
  const numberOf = (age: string | null, sexes: readonly (string | null)[]): number | null =>
    sexes.reduce<number | null>((sum, sex) => {
      const cell = byCode.get(codeOf([age, sex]))
      return sum === null || !isApart('sex', sex) || cell?.isHidden ? null : sum + (cell?.rows ?? 0)
    }, 0)
  const ages = [...new Set(cells.flatMap(cell => (cell.keys[0] === undefined ? [] : [cell.keys[0]])))]
  const others = [
    ...new Set(cells.flatMap(cell => (cell.keys[1] === undefined || cell.keys[1] === '1' || cell.keys[1] === '2' ? [] : [cell.keys[1]]))),
  ]
  return ages
    .sort((a, b) => (placeOf('ageGroup', a) ?? 0) - (placeOf('ageGroup', b) ?? 0))
    .map(age => ({
      name: ctx.say(labelOf('ageGroup', age)),
      male: numberOf(age, ['1']),
      female: numberOf(age, ['2']),
      unknown: numberOf(age, others),
    }))
}
