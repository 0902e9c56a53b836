import type { FieldMark } from '#contract/kernel/field-rule.ts'
import type { Label } from '#contract/kernel/label.ts'
import type { Refusal } from '#contract/kernel/refusal.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { type DataSet, dataSetOf, isDataSetName, ownOf } from '#contract/report/data-sets.ts'
import { type Design, designProblems, maxDimensions } from '#contract/report/design.ts'
import { refuseReport } from '#contract/report/report.errors.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, Refused, type Session } from '#kernel/http/context.ts'
import { refuseUntold } from '#kernel/http/field-rule.ts'
import { findOwnTenantName } from '#modules/tenancy/index.ts'
import { countGroups, cutOf, listedOrder, mostCells, partsOf, withinOf, wordsOfValues } from '../data/cells.repo.ts'
import { inFull, narrowed } from '../domain/narrow.ts'
import { labelOf, type Table, tableOf, type ValueWords } from '../domain/table.ts'
import { reachOf } from './reach.ts'

const isOpen = (session: Session, set: DataSet): boolean => set.rights.some(code => session.permissions.has(code))

/** Ruled fields that a design reads, filters included: what a filter leaves out tells of a field as a row does. */
const marksOf = (set: DataSet, design: Design): readonly FieldMark[] => [
  ...[...design.rows, ...design.columns, ...design.filters.map(one => one.dimension)].flatMap(
    name => ownOf(set.dimensions, name)?.field ?? [],
  ),
  ...design.measures.flatMap(name => ownOf(set.measures, name)?.field ?? []),
]

/** Why somebody may not see figures of this data set; undefined when they may. */
export const whyClosed = (session: Session, set: DataSet): Refusal | undefined =>
  isOpen(session, set) ? undefined : refuseReport('report/data-set-closed', { dataSet: set.label })

/** The same of a design: fields that their roles mask or hide are closed to them. */
export const whyUnseen = (caller: Pick<Ctx, 'say'>, session: Session, set: DataSet, design: Design): Refusal | undefined =>
  whyClosed(session, set) ?? refuseUntold({ session, say: caller.say }, marksOf(set, design))

/** Whether somebody may see each row of a data set anyway, in full, so that few people need not be hidden from them. */
export const mayShowFew = (session: Session, set: DataSet): boolean => {
  if (set.rowRight === undefined || !session.permissions.has(set.rowRight)) return false
  // Whoever watches over the others reads rows in part only (domain 2.1), and small numbers not at all (domain 5.8).
  if (session.roleAliases.has('auditor')) return false
  const nouns = new Set(
    [...Object.values(set.dimensions), ...Object.values(set.measures)].flatMap(({ field }) => field?.at.split('.')[0] ?? []),
  )
  return !Object.keys(session.fieldRules).some(at => nouns.has(at.split('.')[0] ?? ''))
}

/** Names of the fields of a data set that are closed to somebody. */
export const closedFields = (ctx: Ctx, set: DataSet): readonly string[] =>
  [...Object.entries(set.dimensions), ...Object.entries(set.measures)]
    .filter(([, { field }]) => field !== undefined && refuseUntold(ctx, [field]) !== undefined)
    .map(([name]) => name)

/** A design that can be run, with its data set. @throws Refused report/design */
export const insistOnDesign = (ctx: Pick<Ctx, 'say'>, design: Design): DataSet => {
  const problems = designProblems(design)
  const [first] = problems
  const set = dataSetOf(design.dataSet)
  if (first || !set) {
    const refusal = refuseReport('report/design', { problem: first?.text ?? { zh: '没有数据集', en: 'no data set' } })
    throw new Refused({ ...refusal, data: { fields: problems.map(({ at, text }) => ({ field: `design.${at}`, msg: ctx.say(text) })) } })
  }
  return set
}

const joined = (labels: readonly Label[]): Label => ({ zh: labels.map(one => one.zh).join('、'), en: labels.map(one => one.en).join(', ') })

const rangeOf = (from: string | undefined, until: string | undefined): Label => {
  if (from !== undefined && until !== undefined) return { zh: `${from} 至 ${until}`, en: `${from} to ${until}` }
  return from === undefined ? { zh: `至 ${until}`, en: `until ${until}` } : { zh: `${from} 起`, en: `from ${from}` }
}
/** A sheet has a line for its conditions, not a page. */
const namedValues = 12

/** Whether a statement was given up because it took too long. */
const tookTooLong = (error: unknown): boolean => (error as { code?: unknown }).code === '57014'

/**
 * The table of a design as the session of `ctx` may see it: through its rows, its rules of fields, and without what tells of few people.
 *
 * @throws Refused report/design, report/data-set-closed, kernel/field-told, report/too-many-parts, report/too-many-cells, report/too-slow
 */
export const computeTable = async (
  ctx: Ctx & { readonly session: Session },
  of: {
    readonly design: Design
    readonly title: string
    readonly timeoutMs: number
    /** It is sent to others of whom one may not see few people. */
    readonly isForFigures?: boolean
    readonly heed?: (progress: number) => Promise<void>
  },
): Promise<Table> => {
  const { design, heed = async () => {} } = of
  const set = insistOnDesign(ctx, design)
  const { session } = ctx
  const why = whyUnseen(ctx, session, set, design)
  if (why) throw new Refused(why)
  const name = design.dataSet
  if (!isDataSetName(name)) throw new Error('a design was checked against no data set')
  const showsFew = of.isForFigures !== true && mayShowFew(session, set)
  const cut = cutOf(name, design, showsFew)
  if (partsOf(cut) > maxDimensions) throw new Refused(refuseReport('report/too-many-parts', { limit: maxDimensions }))
  await heed(10)
  const counted = await ctx
    .tx(async (db: TenantDb) => {
      const groups = await countGroups(db, { name, set, design, cut, reach: reachOf(session), timeoutMs: of.timeoutMs })
      const cells = groups.length > mostCells ? undefined : showsFew ? inFull(groups) : narrowed(cut, groups, withinOf(name))
      if (!cells || cells.cells.length > mostCells) throw new Refused(refuseReport('report/too-many-cells', { limit: mostCells }))
      const words = new Map<string, ValueWords>()
      for (const [i, dimension] of [...design.rows, ...design.columns].entries()) {
        const keys = [...new Set(cells.cells.flatMap(cell => cell.keys[i] ?? []))]
        const known = await wordsOfValues(db, name, dimension, keys)
        words.set(dimension, { words: known, order: listedOrder(name, dimension, known) })
      }
      const conditions: { label: Label; text: Label }[] = []
      for (const { dimension, values = [], from, until } of design.filters) {
        const label = ownOf(set.dimensions, dimension)?.label ?? { zh: dimension, en: dimension }
        const shown = values.slice(0, namedValues)
        const known = shown.length === 0 ? new Map<string, Label>() : await wordsOfValues(db, name, dimension, shown)
        const more = values.length - shown.length
        conditions.push({
          label,
          text: joined([
            ...(from === undefined && until === undefined ? [] : [rangeOf(from, until)]),
            ...shown.map(key => labelOf(known, key)),
            ...(more > 0 ? [{ zh: `等 ${values.length} 项`, en: `${more} more` }] : []),
          ]),
        })
      }
      return { cells, words, conditions, bureau: await findOwnTenantName(db) }
    })
    .catch((error: unknown) => {
      throw tookTooLong(error) ? new Refused(refuseReport('report/too-slow', {})) : error
    })
  await heed(70)
  const table = tableOf({
    design,
    set,
    showsFew,
    counted: counted.cells,
    words: counted.words,
    head: {
      title: of.title,
      bureau: counted.bureau,
      conditions: counted.conditions,
      madeTime: toWireTime(ctx.arrivedAt),
      madeBy: session.realName,
    },
  })
  await heed(95)
  return table
}
