import { isRegionBelow, regionLevelOf } from '#contract/reference/region.ts'

/** One row of a workbook as far as its place goes; `isBad`: it is refused for something else. */
export interface RegionPlaceRow {
  readonly row: number
  readonly code: string
  readonly parentCode: string
  readonly isBad: boolean
}
export type RegionPlaceProblem =
  | { readonly code: 'no-parent' | 'not-below' | 'parent-missing' }
  | { readonly code: 'parent-wrong'; readonly parentRow: number }

/**
 * What is wrong with the places of a workbook's rows, by row: each stands below a region that is there or below another row. The order of
 * rows does not count, and what stands below a row that is refused cannot be written either.
 *
 * @param known - the codes that are there, of those that the rows name as parents
 */
export const placeRegions = (rows: readonly RegionPlaceRow[], known: ReadonlySet<string>): ReadonlyMap<number, RegionPlaceProblem> => {
  const rowOf = new Map<string, number>()
  for (const { code, row } of rows) if (!rowOf.has(code)) rowOf.set(code, row)
  const refused = new Set(rows.flatMap(one => (one.isBad ? [one.row] : [])))
  const problems = new Map<number, RegionPlaceProblem>()
  const judge = (code: string, parentCode: string, level: number): RegionPlaceProblem | undefined => {
    if (level === 1) return parentCode === '' ? undefined : { code: 'no-parent' }
    if (!isRegionBelow(code, parentCode)) return { code: 'not-below' }
    if (known.has(parentCode)) return undefined
    const parentRow = rowOf.get(parentCode)
    if (parentRow === undefined) return { code: 'parent-missing' }
    return refused.has(parentRow) ? { code: 'parent-wrong', parentRow } : undefined
  }
  // From the top down: a row is judged when the one above it has been.
  for (const level of [1, 2, 3, 4, 5])
    for (const { row, code, parentCode } of rows) {
      if (regionLevelOf(code) !== level) continue
      const problem = judge(code, parentCode, level)
      if (!problem) continue
      problems.set(row, problem)
      refused.add(row)
    }
  return problems
}
