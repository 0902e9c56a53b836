import { createHash } from 'node:crypto'
import type { FieldCipher } from '#kernel/crypto/field.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { randomBytes } from '#kernel/random.ts'
import { lockSeeds, seedPlace, writeSeed } from '../data/seed.repo.ts'

/**
 * Draws the 32 secret bytes of every seat group that has none yet and publishes their SHA-256 (decision 4.9). Papers of one
 * group share the draw; a paper without a group is a group of its own. What is drawn stays: safe to call again.
 */
export const drawSeeds = async (db: TenantDb, cipher: FieldCipher, examId: string): Promise<void> => {
  const { tenantId } = db.actor
  const groups = Map.groupBy(await lockSeeds(db, examId), row => row.seatGroup ?? row.id)
  for (const papers of groups.values()) {
    const drawn = papers.find(paper => paper.sealed !== null)
    const seed = drawn?.sealed ? cipher.open(tenantId, seedPlace(drawn.id), drawn.sealed) : randomBytes(32).toString('hex')
    const commit = createHash('sha256').update(Buffer.from(seed, 'hex')).digest('hex')
    for (const { id, sealed } of papers) if (sealed === null) await writeSeed(db, id, commit, cipher.seal(tenantId, seedPlace(id), seed))
  }
}
