import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'

export interface DrawSummary {
  readonly itemId: string
  readonly version: number
  readonly people: number
  readonly seedCommit: string
  readonly digest: string
  /** Root of the tree over the seats; null for draws of before. */
  readonly seatRoot: string | null
  readonly drawnAt: Date
}
/** All draws of seats that were ever made for an examination, the first one first. */
export const listDraws = (db: TenantDb, examId: string): Promise<DrawSummary[]> =>
  db.all(sql<DrawSummary>`
    select item_id::text as "itemId", allot_version as version, people, seed_commit as "seedCommit", digest, seat_root as "seatRoot", created_at as "drawnAt" from seat_draw where exam_id = ${examId} order by id`)

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
    readonly seatRoot: string
    readonly sealed: Buffer
  },
): Promise<void> => {
  await db.run(sql`
    insert into seat_draw (tenant_id, id, exam_id, item_id, allot_version, people, seed_commit, digest, seat_root, record_sealed, created_by)
    values (${db.actor.tenantId}, ${of.id}, ${of.examId}, ${of.itemId}, ${of.version}, ${of.people}, ${of.seedCommit}, ${of.digest}, ${of.seatRoot}, ${of.sealed}, ${db.actor.userId})`)
}

export interface KeptDraw extends DrawSummary {
  readonly id: string
  readonly sealed: Buffer
}
/** The last draw of a paper. */
export const lastDraw = (db: TenantDb, examId: string, itemId: string): Promise<KeptDraw | undefined> =>
  db.maybe(sql<KeptDraw>`
    select id::text as id, item_id::text as "itemId", allot_version as version, people, seed_commit as "seedCommit", digest, seat_root as "seatRoot", created_at as "drawnAt", record_sealed as sealed
    from seat_draw where exam_id = ${examId} and item_id = ${itemId} order by id desc limit 1`)

/** Rows of one statement; a parameter is an array per column. */
const batch = 5_000

/** Keeps the tree over the seats of a draw and where each seat stands in it, in place of those of the draw before. */
export const keepSeats = async (
  db: TenantDb,
  of: { readonly examId: string; readonly itemId: string; readonly version: number },
  levels: readonly Uint8Array[],
  leaves: readonly { readonly signupId: string; readonly leaf: string }[],
): Promise<void> => {
  await db.run(sql`delete from seat_leaf where item_id = ${of.itemId}`)
  await db.run(sql`delete from seat_level where item_id = ${of.itemId}`)
  for (const [level, hashes] of levels.entries())
    await db.run(sql`
      insert into seat_level (tenant_id, exam_id, item_id, level, hashes)
      values (${db.actor.tenantId}, ${of.examId}, ${of.itemId}, ${level}, ${Buffer.from(hashes)})`)
  for (let from = 0; from < leaves.length; from += batch) {
    const part = leaves.slice(from, from + batch)
    await db.run(sql`
      insert into seat_leaf (tenant_id, exam_id, item_id, signup_id, user_id, allot_version, place, leaf)
      select ${db.actor.tenantId}, ${of.examId}, ${of.itemId}, s.id, s.user_id, ${of.version}, ${from} + g.nth - 1, g.leaf
      from unnest(${part.map(one => one.signupId)}::bigint[], ${part.map(one => one.leaf)}::text[]) with ordinality as g(signup_id, leaf, nth)
      join signup s on s.id = g.signup_id`)
  }
}

export interface SeatLeaf {
  readonly itemId: string
  readonly version: number
  readonly place: number
  readonly leaf: string
}
/** The seats that draws gave somebody, with where they stand in the trees. */
export const leavesOf = (db: TenantDb, signupId: string): Promise<SeatLeaf[]> =>
  db.all(sql<SeatLeaf>`
    select item_id::text as "itemId", allot_version as version, place, leaf from seat_leaf where signup_id = ${signupId} order by item_id`)

/** How many seats a tree is over, and its root. */
export const readTree = (db: TenantDb, itemId: string): Promise<{ leaves: number; root: string } | undefined> =>
  db.maybe(sql<{ leaves: number; root: string }>`
    select (select length(hashes) / 32 from seat_level where item_id = ${itemId} and level = 0) as leaves, encode(hashes, 'hex') as root
    from seat_level where item_id = ${itemId} order by level desc limit 1`)

/** Single hashes of a tree, in the order asked for. */
export const readHashes = async (
  db: TenantDb,
  itemId: string,
  places: readonly { readonly level: number; readonly place: number }[],
): Promise<string[]> =>
  (
    await db.all(sql<{ hash: string }>`
      select encode(substr(l.hashes, g.place * 32 + 1, 32), 'hex') as hash
      from unnest(${places.map(one => one.level)}::int[], ${places.map(one => one.place)}::int[]) with ordinality as g(level, place, nth)
      join seat_level l on l.item_id = ${itemId} and l.level = g.level order by g.nth`)
  ).map(row => row.hash)
