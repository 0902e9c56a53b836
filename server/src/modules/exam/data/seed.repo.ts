import { createHash } from 'node:crypto'
import type { FieldCipher } from '#kernel/crypto/field.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import { randomBytes } from '#kernel/random.ts'

interface SeedRow {
  readonly id: string
  readonly seatGroup: string | null
  readonly sealed: Buffer | null
}

const place = (rowId: string) => ({ table: 'exam_item', column: 'seed_sealed', rowId })

/**
 * Draws the 32 secret bytes of every seat group that has none yet and publishes their SHA-256 (decision 4.9). Papers of one
 * group share the draw; a paper without a group is a group of its own. What is drawn stays: safe to call again.
 */
export const drawSeeds = async (db: TenantDb, cipher: FieldCipher, examId: string): Promise<void> => {
  const { tenantId } = db.actor
  const rows = await db.all(sql<SeedRow>`
    select id::text as id, seat_group as "seatGroup", seed_sealed as sealed
    from exam_item where exam_id = ${examId} and not is_deleted order by id for update`)
  const groups = Map.groupBy(rows, row => row.seatGroup ?? row.id)
  for (const papers of groups.values()) {
    const drawn = papers.find(paper => paper.sealed !== null)
    const seed = drawn?.sealed ? cipher.open(tenantId, place(drawn.id), drawn.sealed) : randomBytes(32).toString('hex')
    const commit = createHash('sha256').update(Buffer.from(seed, 'hex')).digest('hex')
    for (const paper of papers) {
      if (paper.sealed !== null) continue
      await db.run(
        sql`update exam_item set seed_commit = ${commit}, seed_sealed = ${cipher.seal(tenantId, place(paper.id), seed)} where id = ${paper.id}`,
      )
    }
  }
}
