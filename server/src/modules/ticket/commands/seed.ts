import { createHash } from 'node:crypto'
import type { FieldCipher } from '#kernel/crypto/field.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { randomBytes } from '#kernel/random.ts'
import { lockUnseeded, sealedSeedOf, writeSeed } from '../data/seed.repo.ts'

const placeOf = (itemId: string) => ({ table: 'exam_item', column: 'seed_sealed', rowId: itemId })
const commitOf = (seed: Uint8Array): string => createHash('sha256').update(seed).digest('hex')

/**
 * Draws the seed of every named paper that has none and publishes its digest (decision 4.9). Normally the release of the examination
 * has done that long before; a paper added later gets its seed here.
 */
export const ensureSeeds = async (db: TenantDb, cipher: FieldCipher, itemIds: readonly string[]): Promise<number> => {
  const missing = await lockUnseeded(db, itemIds)
  for (const { id } of missing) {
    const seed = randomBytes(32)
    await writeSeed(db, id, commitOf(seed), cipher.seal(db.actor.tenantId, placeOf(id), seed.toString('hex')))
  }
  return missing.length
}

/** The seed S of a paper. A seed that does not match what was published is a defect: nobody may draw with it. */
export const readSeed = async (db: TenantDb, cipher: FieldCipher, itemId: string): Promise<Buffer> => {
  const row = await sealedSeedOf(db, itemId)
  if (!row.sealed) throw new Error(`paper ${itemId} has no seed`)
  const seed = Buffer.from(cipher.open(db.actor.tenantId, placeOf(itemId), row.sealed), 'hex')
  if (seed.length !== 32 || commitOf(seed) !== row.commit)
    throw new Error(`the seed of paper ${itemId} does not match its published digest`)
  return seed
}
