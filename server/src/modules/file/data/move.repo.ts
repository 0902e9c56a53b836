import type { Label } from '#contract/kernel/label.ts'
import type { PlatformDb, TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import type { StoredFileRow } from './file.repo.ts'

export interface MoveRow {
  readonly id: string
  readonly state: number
  readonly total: number
  readonly moved: number
  readonly failed: number
  readonly bytes: string
  readonly problemZh: string
  readonly problemEn: string
  readonly startedBy: string
  readonly startedAt: Date
  readonly endedAt: Date | null
}
const columns = sql`
  id::text as id, state, total, moved, failed, bytes::text as bytes, problem_zh as "problemZh", problem_en as "problemEn", started_by::text as "startedBy",
  started_at as "startedAt", ended_at as "endedAt"`

export const findMove = (db: TenantDb, id: string): Promise<MoveRow | undefined> =>
  db.maybe(sql<MoveRow>`select ${columns} from file_move where id = ${id}`)
export const findLastMove = (db: TenantDb): Promise<MoveRow | undefined> =>
  db.maybe(sql<MoveRow>`select ${columns} from file_move order by id desc limit 1`)
/** The last move of each tenant. */
export const listLastMoves = (db: PlatformDb): Promise<MoveRow[]> =>
  db.all(sql<MoveRow>`select distinct on (tenant_id) ${columns} from file_move order by tenant_id, id desc`)
export const listMovingTenants = async (db: PlatformDb): Promise<string[]> =>
  (await db.all(sql<{ tenantId: string }>`select tenant_id as "tenantId" from file_move where state = 1 order by 1`)).map(
    row => row.tenantId,
  )

/** @returns undefined while another one is going on */
export const insertMove = async (db: TenantDb, total: number, startedBy: string): Promise<string | undefined> =>
  (
    await db.maybe(sql<{ id: string }>`
      insert into file_move (tenant_id, total, started_by) values (${db.actor.tenantId}, ${total}, ${startedBy})
      on conflict (tenant_id) where state = 1 do nothing returning id::text as id`)
  )?.id
/** @returns false when the move has ended */
export const countMoved = async (db: TenantDb, id: string, bytes: string): Promise<boolean> =>
  (await db.run(sql`update file_move set moved = moved + 1, bytes = bytes + ${bytes} where id = ${id} and state = 1`)) > 0
/** A file that stays where it is, and why; of several the first reason is kept. */
export const countFailed = async (db: TenantDb, id: string, why: Label): Promise<boolean> =>
  (await db.run(sql`
    update file_move set failed = failed + 1, problem_zh = case problem_zh when '' then ${why.zh.slice(0, 500)} else problem_zh end,
      problem_en = case problem_en when '' then ${why.en.slice(0, 500)} else problem_en end
    where id = ${id} and state = 1`)) > 0
export const endMove = async (db: TenantDb, id: string, state: 2 | 3 | 4, problem?: Label): Promise<boolean> =>
  (await db.run(sql`
    update file_move set state = ${state}, ended_at = app_now(),
      problem_zh = coalesce(${problem?.zh.slice(0, 500) ?? null}, problem_zh), problem_en = coalesce(${problem?.en.slice(0, 500) ?? null}, problem_en)
    where id = ${id} and state = 1`)) > 0
export const cancelMoves = (db: TenantDb): Promise<{ id: string; moved: number }[]> =>
  db.all(sql<{ id: string; moved: number }>`
    update file_move set state = 4, ended_at = app_now() where state = 1 returning id::text as id, moved`)

export type MovingFile = Pick<StoredFileRow, 'id' | 'name' | 'sizeBytes' | 'sha256' | 'storageKey'>
/** Files that do not lie in the wanted place, in the order of their ids. */
export const listElsewhere = (db: TenantDb, storageId: string | undefined, after: string, limit: number): Promise<MovingFile[]> =>
  db.all(sql<MovingFile>`
    select id::text as id, name, size_bytes::text as "sizeBytes", sha256, storage_key as "storageKey" from stored_file
    where storage_id is distinct from ${storageId ?? null}::bigint and id > ${after}::bigint order by id limit ${limit}`)
/** @returns false when the file is gone or lies elsewhere meanwhile */
export const repoint = async (db: TenantDb, id: string, from: string, to: string): Promise<boolean> =>
  (await db.run(sql`update stored_file set storage_key = ${to} where id = ${id} and storage_key = ${from}`)) > 0
/** Of these, the keys that a file has. */
export const listNamed = async (db: TenantDb, keys: readonly string[]): Promise<Set<string>> =>
  new Set(
    (await db.all(sql<{ key: string }>`select storage_key as key from stored_file where storage_key = any(${[...keys]})`)).map(
      row => row.key,
    ),
  )
