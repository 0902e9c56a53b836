import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'

export interface ReleasedLine {
  readonly signupId: string
  readonly userId: string
  readonly ticketNo: string
  readonly itemCode: string
  readonly resultState: number
  readonly score: string | null
  readonly bonus: string
}

const lines = sql`
  select r.signup_id::text as "signupId", r.user_id::text as "userId", r.ticket_no as "ticketNo", i.item_code as "itemCode",
    r.result_state as "resultState", r.score::text as score, r.bonus::text as bonus
  from result r join exam_item i on i.id = r.item_id`

/** Every released result of an examination, person by person. */
export const listReleasedLines = (db: TenantDb, examId: string): Promise<ReleasedLine[]> =>
  db.all(sql<ReleasedLine>`${lines} where r.exam_id = ${examId} and r.released and not r.is_deleted order by r.signup_id`)

export const releasedLinesOf = (db: TenantDb, signupId: string): Promise<ReleasedLine[]> =>
  db.all(sql<ReleasedLine>`${lines} where r.signup_id = ${signupId} and r.released and not r.is_deleted`)

export interface LeafSalt {
  readonly signupId: string
  readonly salt: string
  readonly place: number | null
}
export const listSalts = (db: TenantDb, examId: string): Promise<LeafSalt[]> =>
  db.all(sql<LeafSalt>`select signup_id::text as "signupId", salt, place from score_leaf where exam_id = ${examId}`)

/** Rows of one statement; a parameter is an array per column. */
const batch = 5_000

export const addSalts = async (
  db: TenantDb,
  examId: string,
  rows: readonly { readonly signupId: string; readonly userId: string; readonly salt: string }[],
): Promise<void> => {
  for (let from = 0; from < rows.length; from += batch) {
    const part = rows.slice(from, from + batch)
    await db.run(sql`
      insert into score_leaf (tenant_id, exam_id, signup_id, user_id, salt)
      select ${db.actor.tenantId}, ${examId}, g.*
      from unnest(${part.map(r => r.signupId)}::bigint[], ${part.map(r => r.userId)}::bigint[], ${part.map(r => r.salt)}::text[]) as g`)
  }
}

export const movePlaces = async (
  db: TenantDb,
  rows: readonly { readonly signupId: string; readonly place: number | null }[],
): Promise<void> => {
  for (let from = 0; from < rows.length; from += batch) {
    const part = rows.slice(from, from + batch)
    await db.run(sql`
      update score_leaf l set place = g.place
      from unnest(${part.map(r => r.signupId)}::bigint[], ${part.map(r => r.place)}::int[]) as g(signup_id, place) where l.signup_id = g.signup_id`)
  }
}

export type RootCause = 'release' | 'correction' | 'withdrawal'
export interface PublishedRoot {
  readonly rootNo: number
  readonly root: string
  readonly leaves: number
  readonly cause: RootCause
  readonly publishedAt: Date
}
/** All roots that were ever published of an examination, the newest first. */
export const listRoots = (db: TenantDb, examId: string): Promise<PublishedRoot[]> =>
  db.all(sql<PublishedRoot>`
    select root_no as "rootNo", root, leaves, cause, created_at as "publishedAt" from score_root where exam_id = ${examId} order by root_no desc`)

export const newestRoot = (db: TenantDb, examId: string): Promise<PublishedRoot | undefined> =>
  db.maybe(sql<PublishedRoot>`
    select root_no as "rootNo", root, leaves, cause, created_at as "publishedAt" from score_root where exam_id = ${examId} order by root_no desc limit 1`)

/** Adds a root, and replaces the hashes of the tree before by those of this one. */
export const addRoot = async (
  db: TenantDb,
  of: { readonly examId: string; readonly rootNo: number; readonly root: string; readonly leaves: number; readonly cause: RootCause },
  levels: readonly Uint8Array[],
): Promise<void> => {
  await db.run(sql`
    insert into score_root (tenant_id, exam_id, root_no, root, leaves, cause)
    values (${db.actor.tenantId}, ${of.examId}, ${of.rootNo}, ${of.root}, ${of.leaves}, ${of.cause})`)
  await db.run(sql`delete from score_root_level where exam_id = ${of.examId}`)
  for (const [level, hashes] of levels.entries())
    await db.run(sql`
      insert into score_root_level (tenant_id, exam_id, level, root_no, hashes)
      values (${db.actor.tenantId}, ${of.examId}, ${level}, ${of.rootNo}, ${Buffer.from(hashes)})`)
}

export const findLeaf = (db: TenantDb, signupId: string): Promise<LeafSalt | undefined> =>
  db.maybe(sql<LeafSalt>`select signup_id::text as "signupId", salt, place from score_leaf where signup_id = ${signupId}`)

/** Single hashes of the newest tree, in the order asked for. */
export const readHashes = async (
  db: TenantDb,
  examId: string,
  places: readonly { readonly level: number; readonly place: number }[],
): Promise<string[]> =>
  (
    await db.all(sql<{ hash: string }>`
      select encode(substr(l.hashes, g.place * 32 + 1, 32), 'hex') as hash
      from unnest(${places.map(one => one.level)}::int[], ${places.map(one => one.place)}::int[]) with ordinality as g(level, place, nth)
      join score_root_level l on l.exam_id = ${examId} and l.level = g.level order by g.nth`)
  ).map(row => row.hash)
