import { audit } from '#kernel/audit.ts'
import { lock } from '#kernel/db/lock.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type DictTable, type DictValues, groupKey, insertDict, listDict, updateDict } from '../data/dict.repo.ts'

/** One row of a workbook, checked. What the workbook leaves empty stays as it is. */
export interface DictSheetRow {
  readonly code: string
  /** `-1` for the dictionary itself. */
  readonly dictKey: string
  readonly dictValue: string
  readonly dictValueEn: string
  readonly sort: number | null
  readonly isSealed: 0 | 1 | null
  readonly remark: string
}

/** Codes of the dictionaries that are there. Holds them until the transaction ends: what is checked is what is written upon. */
export const dictSheetFacts = async (db: TenantDb, table: DictTable): Promise<ReadonlySet<string>> => {
  await lock(db, `dict-sheet|${table}`)
  return new Set((await listDict(db, table, { parentId: '0' })).map(group => group.code))
}

const mostSort = 9_999

/** Writes rows of a workbook, dictionaries before their entries. None is removed, and none changes its code or key. */
export const writeDicts = async (
  db: TenantDb,
  table: DictTable,
  rows: readonly DictSheetRow[],
  by: { readonly importId: string; readonly userId: string; readonly progress: (done: number) => Promise<void> },
): Promise<{ inserted: number; updated: number; skipped: number }> => {
  const there = await listDict(db, table, {})
  const placeOf = (row: { readonly code: string; readonly dictKey: string }): string => `${row.code}\n${row.dictKey}`
  const byPlace = new Map(there.map(row => [placeOf(row), row]))
  const groupIds = new Map(there.filter(row => row.parentId === '0').map(row => [row.code, row.id]))
  /** The last place of each list, by code; the list of dictionaries has none. */
  const last = new Map<string, number>()
  for (const row of there) {
    const list = row.parentId === '0' ? '' : row.code
    last.set(list, Math.max(last.get(list) ?? 0, row.sort))
  }
  const nextSort = (list: string): number => {
    const next = Math.min((last.get(list) ?? 0) + 1, mostSort)
    last.set(list, next)
    return next
  }
  const counts = { inserted: 0, updated: 0, skipped: 0 }
  const isGroup = (row: DictSheetRow): boolean => row.dictKey === groupKey
  const entity = table === 'dict' ? 'dict' : 'dictbiz'
  let done = 0
  for (const row of [...rows.filter(isGroup), ...rows.filter(each => !isGroup(each))]) {
    const before = byPlace.get(placeOf(row))
    const parentId = isGroup(row) ? '0' : groupIds.get(row.code)
    if (parentId === undefined) throw new Error(`no dictionary ${row.code}`)
    const after: DictValues = {
      parentId,
      code: row.code,
      dictKey: row.dictKey,
      dictValue: row.dictValue,
      dictValueEn: row.dictValueEn || (before?.dictValueEn ?? ''),
      sort: row.sort ?? before?.sort ?? nextSort(isGroup(row) ? '' : row.code),
      isSealed: row.isSealed ?? before?.isSealed ?? 0,
      remark: row.remark || (before?.remark ?? ''),
    }
    const isSame = before && (Object.keys(after) as (keyof DictValues)[]).every(key => before[key] === after[key])
    if (isSame) counts.skipped += 1
    else {
      if (before) await updateDict(db, table, by.userId, before.id, after)
      const id = before?.id ?? (await insertDict(db, table, by.userId, after))
      if (isGroup(row)) groupIds.set(row.code, id)
      await audit(db, undefined, {
        action: `${entity}.${before ? 'updated' : 'added'}`,
        entity,
        entityId: id,
        ...(before ? { before } : {}),
        after: { ...after, importId: by.importId },
      })
      counts[before ? 'updated' : 'inserted'] += 1
    }
    done += 1
    await by.progress(done)
  }
  return counts
}
