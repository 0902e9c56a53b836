import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'

/** Papers whose draw has no seed yet, in the order of their ids, held until the transaction ends. */
export const lockUnseeded = (db: TenantDb, itemIds: readonly string[]): Promise<{ id: string }[]> =>
  db.all(sql<{ id: string }>`
    select id::text as id from exam_item where id = any(${[...itemIds]}::bigint[]) and (seed_commit is null or seed_sealed is null) order by id for update`)

export const writeSeed = async (db: TenantDb, itemId: string, commit: string, sealed: Buffer): Promise<void> => {
  await db.run(sql`
    update exam_item set seed_commit = ${commit}, seed_sealed = ${sealed}, seed_reveal = null,
      updated_at = app_now() where id = ${itemId}`)
}

export interface SealedSeed {
  readonly sealed: Buffer | null
  /** The digest that was published. */
  readonly commit: string | null
}
export const sealedSeedOf = (db: TenantDb, itemId: string): Promise<SealedSeed> =>
  db.one(sql<SealedSeed>`
    select seed_sealed as sealed, seed_commit as commit from exam_item where id = ${itemId}`)

/** A seed that everybody knows draws nothing any more. */
export const dropRevealedSeed = async (db: TenantDb, itemId: string): Promise<void> => {
  await db.run(sql`
    update exam_item set seed_commit = null, seed_sealed = null, seed_reveal = null where id = ${itemId} and seed_reveal is not null`)
}
