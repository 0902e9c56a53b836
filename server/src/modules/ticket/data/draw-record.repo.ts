import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'

export interface DrawSummary {
  readonly itemId: string
  readonly version: number
  readonly people: number
  readonly seedCommit: string
  readonly digest: string
  readonly drawnAt: Date
}
/** All draws of seats that were ever made for an examination, the first one first. */
export const listDraws = (db: TenantDb, examId: string): Promise<DrawSummary[]> =>
  db.all(sql<DrawSummary>`
    select item_id::text as "itemId", allot_version as version, people, seed_commit as "seedCommit", digest, created_at as "drawnAt" from seat_draw where exam_id = ${examId} order by id`)

export const newDrawId = async (db: TenantDb): Promise<string> => (await db.one(sql<{ id: string }>`select next_id()::text as id`)).id

export const addDraw = async (
  db: TenantDb,
  of: {
    readonly id: string
    readonly examId: string
    readonly itemId: string
    readonly version: number
    readonly people: number
    readonly seedCommit: string
    readonly digest: string
    readonly sealed: Buffer
  },
): Promise<void> => {
  await db.run(sql`
    insert into seat_draw (tenant_id, id, exam_id, item_id, allot_version, people, seed_commit, digest, record_sealed, created_by)
    values (${db.actor.tenantId}, ${of.id}, ${of.examId}, ${of.itemId}, ${of.version}, ${of.people}, ${of.seedCommit}, ${of.digest}, ${of.sealed}, ${db.actor.userId})`)
}

export interface KeptDraw extends DrawSummary {
  readonly id: string
  readonly sealed: Buffer
}
/** The last draw of a paper. */
export const lastDraw = (db: TenantDb, examId: string, itemId: string): Promise<KeptDraw | undefined> =>
  db.maybe(sql<KeptDraw>`
    select id::text as id, item_id::text as "itemId", allot_version as version, people, seed_commit as "seedCommit", digest, created_at as "drawnAt", record_sealed as sealed
    from seat_draw where exam_id = ${examId} and item_id = ${itemId} order by id desc limit 1`)
