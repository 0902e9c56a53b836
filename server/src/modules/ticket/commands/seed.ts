import { createHash } from 'node:crypto'
import type { FieldCipher } from '#kernel/crypto/field.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import { randomBytes } from '#kernel/random.ts'

const placeOf = (itemId: string) => ({ table: 'exam_item', column: 'seed_sealed', rowId: itemId })
const commitOf = (seed: Uint8Array): string => createHash('sha256').update(seed).digest('hex')

/**
 * Draws the seed of every named paper that has none and publishes its digest (decision 4.9). Normally the release of the examination
 * has done that long before; a paper added later gets its seed here.
 */
export const ensureSeeds = async (db: TenantDb, cipher: FieldCipher, itemIds: readonly string[]): Promise<number> => {
  const missing = await db.all(sql<{ id: string }>`
    select id::text as id from exam_item where id = any(${[...itemIds]}::bigint[]) and (seed_commit is null or seed_sealed is null) order by id for update`)
  for (const { id } of missing) {
    const seed = randomBytes(32)
    await db.run(sql`
      update exam_item set seed_commit = ${commitOf(seed)}, seed_sealed = ${cipher.seal(db.actor.tenantId, placeOf(id), seed.toString('hex'))}, seed_reveal = null,
        updated_at = app_now() where id = ${id}`)
  }
  return missing.length
}

/** The seed S of a paper. A seed that does not match what was published is a defect: nobody may draw with it. */
export const readSeed = async (db: TenantDb, cipher: FieldCipher, itemId: string): Promise<Buffer> => {
  const row = await db.one(sql<{ sealed: Buffer | null; commit: string | null }>`
    select seed_sealed as sealed, seed_commit as commit from exam_item where id = ${itemId}`)
  if (!row.sealed) throw new Error(`paper ${itemId} has no seed`)
  const seed = Buffer.from(cipher.open(db.actor.tenantId, placeOf(itemId), row.sealed), 'hex')
  if (seed.length !== 32 || commitOf(seed) !== row.commit)
    throw new Error(`the seed of paper ${itemId} does not match its published digest`)
  return seed
}
