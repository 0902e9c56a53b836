import { audit } from '#kernel/audit.ts'
import { lock } from '#kernel/db/lock.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type DeptRecord, insertDept, listDepts, nextSort, updateDept } from '../data/dept.repo.ts'
import { staffByAccount } from '../data/user-admin.repo.ts'
import { deptPaths, type KnownDept } from '../domain/dept-sheet.ts'

/** One department of a workbook, checked. An empty text leaves what is there. */
export interface DeptSheetRow {
  readonly path: string
  readonly parent: string
  readonly name: string
  readonly fullName: string
  readonly category: number
  readonly leaderIds: readonly string[]
  readonly sort: number | null
  readonly remark: string
}

/** What a workbook of departments is judged by. */
export interface DeptSheetFacts {
  readonly known: readonly KnownDept[]
  /** Of these accounts, the living members of staff. */
  readonly staff: (accounts: readonly string[]) => Promise<ReadonlyMap<string, string>>
}

const knownOf = (rows: readonly DeptRecord[]): KnownDept[] => {
  const paths = deptPaths(rows)
  return rows.map(row => ({ id: row.id, path: paths.get(row.id) ?? '', levels: row.ancestorIds.length + 1 }))
}

/** Holds the tree until the transaction ends: what is checked is what is written upon. */
export const deptSheetFacts = async (db: TenantDb): Promise<DeptSheetFacts> => {
  await lock(db, 'dept-tree')
  return {
    known: knownOf(await listDepts(db, {})),
    staff: async accounts => new Map((await staffByAccount(db, accounts)).map(({ id, account }) => [account, id])),
  }
}

const shown = ({ deptName, fullName, deptCategory, leaderId, sort, remark }: DeptRecord) => ({
  deptName,
  fullName,
  deptCategory,
  leaderId,
  sort,
  remark,
})

/** Writes departments of a workbook, those above first. A department that is there keeps its place and what the workbook leaves empty. */
export const writeDepts = async (
  db: TenantDb,
  rows: readonly (DeptSheetRow & { readonly levels: number })[],
  by: { readonly importId: string; readonly progress: (done: number) => Promise<void> },
): Promise<{ inserted: number; updated: number; skipped: number }> => {
  const there = await listDepts(db, {})
  const paths = deptPaths(there)
  const byPath = new Map(there.map(row => [paths.get(row.id) ?? '', row]))
  /** Ids from the root down to each department, itself the last. */
  const chains = new Map(there.map(row => [paths.get(row.id) ?? '', [...row.ancestorIds, row.id]]))
  const counts = { inserted: 0, updated: 0, skipped: 0 }
  let done = 0
  for (const row of [...rows].sort((a, b) => a.levels - b.levels)) {
    const before = byPath.get(row.path)
    const ancestorIds = row.parent === '' ? [] : chains.get(row.parent)
    if (!ancestorIds) throw new Error(`no department at ${row.parent}`)
    const values = {
      ancestorIds,
      deptName: row.name,
      fullName: row.fullName || before?.fullName || row.name,
      deptCategory: row.category,
      leaderId: row.leaderIds.length > 0 ? row.leaderIds.join(',') : (before?.leaderId ?? ''),
      sort: row.sort ?? before?.sort ?? (await nextSort(db, ancestorIds.at(-1) ?? '0')),
      remark: row.remark || (before?.remark ?? ''),
    }
    const { ancestorIds: _, ...after } = values
    if (before && JSON.stringify(shown(before)) === JSON.stringify(after)) counts.skipped += 1
    else {
      if (before) await updateDept(db, before, values)
      const id = before?.id ?? (await insertDept(db, values))
      if (!before) chains.set(row.path, [...ancestorIds, id])
      await audit(db, undefined, {
        action: before ? 'dept.updated' : 'dept.added',
        entity: 'dept',
        entityId: id,
        ...(before ? { before: shown(before) } : {}),
        after: { ...after, path: row.path, importId: by.importId },
      })
      counts[before ? 'updated' : 'inserted'] += 1
    }
    done += 1
    await by.progress(done)
  }
  return counts
}
