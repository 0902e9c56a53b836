import type { Label } from '#contract/kernel/label.ts'
import type { Resource } from '#contract/kernel/resource.ts'
import { audit } from '#kernel/audit.ts'
import { addRow, editRow } from '#kernel/crud/crud.ts'
import { type Row, toWire } from '#kernel/crud/rows.ts'
import { lock } from '#kernel/db/lock.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { findNoun, lockNouns } from '../data/noun.repo.ts'

/** Where a noun that comes in by a workbook is more than a plain one. */
export interface NounRules {
  /** Completes the values of a row, or says what is wrong with one of them. */
  readonly prepare?: (
    values: Row,
    before: Row | undefined,
  ) => { readonly values: Row } | { readonly field: string; readonly problem: Label }
  readonly afterWrite?: (db: TenantDb) => Promise<void>
}
/** A plain noun that comes in by a workbook. */
export interface NounSheet extends NounRules {
  readonly resource: Resource
  /** The field by which a row is known. */
  readonly key: string
}

/** Rows that are there by their keys. Holds them until the transaction ends: what is checked is what is written upon. */
export const nounFacts = async (db: TenantDb, sheet: NounSheet, keys: readonly string[]): Promise<ReadonlyMap<string, Row>> => {
  await lock(db, `noun-sheet|${sheet.resource.name}`)
  const rows = await lockNouns(db, sheet.resource, sheet.key, keys)
  return new Map(rows.map(row => [String(row[sheet.key]), row]))
}

/** Writes rows of a workbook: one that is there is changed where anything differs, any other is added. None is removed. */
export const writeNouns = async (
  db: TenantDb,
  sheet: NounSheet,
  rows: readonly Row[],
  by: { readonly importId: string; readonly progress: (done: number) => Promise<void> },
): Promise<{ inserted: number; updated: number; skipped: number }> => {
  const { resource, key, afterWrite } = sheet
  const there = await nounFacts(
    db,
    sheet,
    rows.map(row => String(row[key])),
  )
  const counts = { inserted: 0, updated: 0, skipped: 0 }
  let done = 0
  for (const row of rows) {
    const before = there.get(String(row[key]))
    const wire = before && toWire(resource, before)
    const isSame = wire !== undefined && Object.entries(row).every(([name, value]) => wire[name] === value)
    if (isSame) counts.skipped += 1
    else {
      if (before) await editRow(db, resource, String(before['id']), row)
      const id = before ? String(before['id']) : await addRow(db, resource, row)
      const after = await findNoun(db, resource, id)
      await audit(db, undefined, {
        action: `${resource.name}.${before ? 'updated' : 'added'}`,
        entity: resource.name,
        entityId: id,
        ...(wire ? { before: wire } : {}),
        after: { ...(after && toWire(resource, after)), importId: by.importId },
      })
      counts[before ? 'updated' : 'inserted'] += 1
    }
    done += 1
    await by.progress(done)
  }
  if (counts.inserted + counts.updated > 0) await afterWrite?.(db)
  return counts
}
