import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'

/** The seed of a paper's seat draw, sealed; null before it was drawn. */
export interface SeedRow {
  readonly id: string
  readonly seatGroup: string | null
  readonly sealed: Buffer | null
}

/** Where the seed is sealed for: the ticket module opens it in the same place. */
export const seedPlace = (paperId: string) => ({ table: 'exam_item', column: 'seed_sealed', rowId: paperId })

export const lockSeeds = (db: TenantDb, examId: string): Promise<SeedRow[]> =>
  db.all(sql<SeedRow>`
    select id::text as id, seat_group as "seatGroup", seed_sealed as sealed from exam_item where exam_id = ${examId} and not is_deleted order by id for update`)

export const writeSeed = async (db: TenantDb, paperId: string, commit: string, sealed: Buffer): Promise<void> => {
  await db.run(sql`update exam_item set seed_commit = ${commit}, seed_sealed = ${sealed} where id = ${paperId}`)
}
