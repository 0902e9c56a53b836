import type { Label } from '#contract/kernel/label.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { knownRegions, lockRegions, type RegionValues, saveRegions } from '../data/region.repo.ts'

/** Columns of the workbook, in order; export, template and import have the same. */
export const regionSheetLabels = {
  code: { zh: '区划编号', en: 'Code' },
  parent: { zh: '上级编号', en: 'Parent' },
  name: { zh: '区划名称', en: 'Name' },
  sort: { zh: '排序', en: 'Order' },
  remark: { zh: '备注', en: 'Remark' },
} satisfies Readonly<Record<string, Label>>

/** Rows of one statement. */
const batch = 1_000
const batchesOf = function* <T>(all: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < all.length; at += batch) yield all.slice(at, at + batch)
}

/** Which of these codes are there. Holds the list until the transaction ends: what is checked is what is written upon. */
export const regionSheetFacts = async (db: TenantDb, codes: readonly string[]): Promise<ReadonlySet<string>> => {
  await lockRegions(db)
  const known = new Set<string>()
  for (const part of batchesOf(codes)) for (const code of await knownRegions(db, part)) known.add(code)
  return known
}

/** Writes the regions of a workbook, those above first; one that is there is changed where `isCovered` says so and anything is different. */
export const writeRegions = async (
  db: TenantDb,
  rows: readonly RegionValues[],
  by: { readonly userId: string; readonly isCovered: boolean; readonly progress: (done: number) => Promise<void> },
): Promise<{ inserted: number; updated: number; skipped: number }> => {
  const counts = { inserted: 0, updated: 0, skipped: 0 }
  let done = 0
  for (const [, level] of [...Map.groupBy(rows, row => row.regionLevel)].sort(([a], [b]) => a - b))
    for (const part of batchesOf(level)) {
      const known = await knownRegions(
        db,
        part.map(row => row.code),
      )
      const fresh = part.filter(row => !known.has(row.code)).length
      const written = await saveRegions(db, by.userId, by.isCovered ? part : part.filter(row => !known.has(row.code)))
      counts.inserted += fresh
      counts.updated += written.length - fresh
      counts.skipped += part.length - written.length
      done += part.length
      await by.progress(done)
    }
  return counts
}
