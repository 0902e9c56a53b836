import type { Label } from '#contract/kernel/label.ts'
import { type DataSet, type DataSetName, dataSets } from '#contract/report/data-sets.ts'
import { type Design, maxDimensions } from '#contract/report/design.ts'
import { refuseReport } from '#contract/report/report.errors.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, Refused, sessionOf } from '#kernel/http/context.ts'
import { countGroups, cutOf, listedOrder, mostCells, partsOf, withinOf, wordsOfValues } from '../data/cells.repo.ts'
import { inFull, mergedKey, narrowed } from '../domain/narrow.ts'
import { labelOf } from '../domain/table.ts'
import { mayShowFew, whyUnseen } from './compute.ts'
import { reachOf } from './reach.ts'

/** A cell of a cross-table: `undefined` in `keys` is the sum over that dimension. */
export interface CrossCell {
  readonly keys: readonly (string | null | undefined)[]
  readonly rows: number
  /** Few people are in it, or would be told by it: its number must not be said. */
  readonly isHidden: boolean
}
export interface Cross {
  readonly cells: readonly CrossCell[]
  /** Whether a value is shown by itself; others are told as one. */
  readonly isApart: (dimension: string, key: string | null) => boolean
  /** An examination has few people, and is in no number. */
  readonly isLeftOut: boolean
  readonly isMerged: boolean
  /** What a value of a dimension is called. */
  readonly labelOf: (dimension: string, key: string | null) => Label
  /** The place of a value in the order in which the program or a dictionary lists those of its dimension; undefined where nothing does. */
  readonly placeOf: (dimension: string, key: string | null) => number | undefined
}

/** Whether few people are hidden from this reader in figures of a data set: the rule of reports (ADR 0168, 0170). */
export const hidesFew = (ctx: Ctx, name: DataSetName): boolean => !mayShowFew(sessionOf(ctx), dataSets[name] as DataSet)

/**
 * The cells of a cross-table with all its sums, as this reader may see them: through their rows, their rules of fields, and without what tells of
 * few people.
 *
 * @throws Refused report/data-set-closed, kernel/field-told, report/too-many-parts, report/too-many-cells
 */
export const countCross = async (
  db: TenantDb,
  ctx: Ctx,
  of: {
    readonly dataSet: DataSetName
    readonly dimensions: readonly string[]
    readonly filters: Design['filters']
    readonly timeoutMs: number
  },
): Promise<Cross> => {
  const session = sessionOf(ctx)
  const set: DataSet = dataSets[of.dataSet]
  const design: Design = {
    ...{ dataSet: of.dataSet, rows: [...of.dimensions], columns: [], measures: ['rows'], filters: of.filters },
    ...{ order: { by: 'labels', descending: false }, totals: 'both', chart: 'none' },
  }
  const why = whyUnseen(ctx, session, set, design)
  if (why) throw new Refused(why)
  const showsFew = mayShowFew(session, set)
  const cut = cutOf(of.dataSet, design, showsFew)
  if (partsOf(cut) > maxDimensions) throw new Refused(refuseReport('report/too-many-parts', { limit: maxDimensions }))
  const groups = await countGroups(db, { name: of.dataSet, set, design, cut, reach: reachOf(session), timeoutMs: of.timeoutMs })
  const counted = groups.length > mostCells ? undefined : showsFew ? inFull(groups) : narrowed(cut, groups, withinOf(of.dataSet))
  if (!counted || counted.cells.length > mostCells) throw new Refused(refuseReport('report/too-many-cells', { limit: mostCells }))
  const { cells, isApart, leftOut } = counted
  const words = new Map<string, ReadonlyMap<string, Label>>()
  for (const [i, dimension] of of.dimensions.entries())
    words.set(dimension, await wordsOfValues(db, of.dataSet, dimension, [...new Set(cells.flatMap(cell => cell.keys[i] ?? []))]))
  const orders = new Map([...words].map(([dimension, known]) => [dimension, listedOrder(of.dataSet, dimension, known)]))
  return {
    cells,
    isApart,
    isLeftOut: leftOut > 0,
    isMerged: cells.some(cell => cell.keys.includes(mergedKey)),
    labelOf: (dimension, key) => labelOf(words.get(dimension) ?? new Map(), key),
    placeOf: (dimension, key) => {
      const order = orders.get(dimension)
      if (key === mergedKey) return Number.MAX_SAFE_INTEGER
      if (order === undefined) return undefined
      const at = key === null ? -1 : order.indexOf(key)
      return at < 0 ? order.length : at
    },
  }
}
