import { deptLevels } from '#contract/organisation/dept.routes.ts'

/** A department as its path names it: names of all above it and its own, from the root down. */
export interface KnownDept {
  readonly id: string
  readonly path: string
  readonly levels: number
}

const separator = '/'
/** Spaces around a separator do not count, and neither does a separator at either end. */
export const deptPath = (...parts: readonly string[]): string =>
  parts
    .join(separator)
    .replace(/[／]/g, separator)
    .split(separator)
    .map(name => name.trim())
    .filter(Boolean)
    .join(separator)

/** Paths of a tree's rows, by id; a row whose parent is not among them stands at the top. */
export const deptPaths = (
  rows: readonly { readonly id: string; readonly parentId: string; readonly deptName: string }[],
): ReadonlyMap<string, string> => {
  const byId = new Map(rows.map(row => [row.id, row]))
  const paths = new Map<string, string>()
  const pathOf = (id: string): string => {
    const row = byId.get(id)
    if (!row) return ''
    const known = paths.get(id)
    if (known !== undefined) return known
    const path = deptPath(pathOf(row.parentId), row.deptName)
    paths.set(id, path)
    return path
  }
  for (const { id } of rows) pathOf(id)
  return paths
}

/** One row of a workbook as far as its place goes. */
export interface DeptPlaceRow {
  readonly row: number
  readonly parent: string
  readonly name: string
}
export type DeptPlaceProblem =
  | { readonly code: 'duplicate'; readonly first: number }
  | { readonly code: 'ambiguous' | 'parent-missing' | 'too-deep' }
  | { readonly code: 'parent-wrong'; readonly parentRow: number }
export interface PlacedRow {
  readonly path: string
  readonly levels: number
  readonly problem?: DeptPlaceProblem
}

/**
 * Where each row of a workbook stands: below a department that is there, below another row, or at the top. The order of rows does not count.
 *
 * @param isBad - whether a row is refused for something else: what stands below it cannot be written either
 */
export const placeRows = (
  rows: readonly DeptPlaceRow[],
  known: readonly KnownDept[],
  isBad: (row: number) => boolean,
): ReadonlyMap<number, PlacedRow> => {
  const there = Map.groupBy(known, dept => dept.path)
  const first = new Map<string, DeptPlaceRow>()
  for (const row of rows) {
    const path = deptPath(row.parent, row.name)
    // A row without a name has the path of its parent, and is no department below which anything could stand, itself included.
    if (path !== deptPath(row.parent) && !first.has(path)) first.set(path, row)
  }
  const placed = new Map<number, PlacedRow>()
  const place = (one: DeptPlaceRow): PlacedRow => {
    const done = placed.get(one.row)
    if (done) return done
    const path = deptPath(one.parent, one.name)
    const result = judge(one, path)
    placed.set(one.row, result)
    return result
  }
  const judge = (one: DeptPlaceRow, path: string): PlacedRow => {
    const same = first.get(path)
    const parent = deptPath(one.parent)
    const [above, second] = there.get(parent) ?? []
    const inFile = parent === '' ? undefined : first.get(parent)
    const over = above ? { levels: above.levels } : inFile ? place(inFile) : undefined
    const levels = (over?.levels ?? 0) + 1
    const wrong = (problem: DeptPlaceProblem): PlacedRow => ({ path, levels, problem })
    if (same && same.row !== one.row) return wrong({ code: 'duplicate', first: same.row })
    if (second || (there.get(path)?.length ?? 0) > 1) return wrong({ code: 'ambiguous' })
    if (parent !== '' && !over) return wrong({ code: 'parent-missing' })
    if (!above && inFile && (isBad(inFile.row) || placed.get(inFile.row)?.problem))
      return wrong({ code: 'parent-wrong', parentRow: inFile.row })
    if (levels > deptLevels) return wrong({ code: 'too-deep' })
    return { path, levels }
  }
  for (const row of rows) place(row)
  return placed
}
