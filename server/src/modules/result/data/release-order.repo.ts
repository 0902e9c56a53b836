import type { PlatformDb, TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'

export interface LaterRelease {
  readonly examId: string
  readonly itemIds: readonly string[]
  readonly showRank: boolean
  readonly showLine: boolean
  readonly sms: boolean
  readonly by: string
}

/** Releases that wait for nothing but these papers are given up: the papers are out. */
export const dropWaiting = async (db: TenantDb, examId: string, itemIds: readonly string[]): Promise<void> => {
  await db.run(sql`
    update result_release set state = 'replaced', ended_at = app_now()
    where state = 'waiting' and exam_id = ${examId} and item_ids <@ ${[...itemIds]}::bigint[]`)
}

/** Releases of an examination that wait for their time. */
export const listWaiting = (db: TenantDb, examId: string): Promise<{ itemIds: string[]; runAt: Date }[]> =>
  db.all(sql<{ itemIds: string[]; runAt: Date }>`
    select item_ids::text[] as "itemIds", run_at as "runAt" from result_release where state = 'waiting' and exam_id = ${examId} order by run_at, id`)

/** Orders a release for a time; one that waits for any of the same papers is replaced. */
export const orderRelease = async (db: TenantDb, order: LaterRelease, runAt: Date): Promise<void> => {
  const items = [...order.itemIds]
  await db.run(sql`
    update result_release set state = 'replaced', ended_at = app_now() where state = 'waiting' and exam_id = ${order.examId} and item_ids && ${items}::bigint[]`)
  await db.run(sql`
    insert into result_release (tenant_id, exam_id, item_ids, run_at, show_rank, show_line, sms, ordered_by)
    values (${db.actor.tenantId}, ${order.examId}, ${items}::bigint[], ${runAt}, ${order.showRank}, ${order.showLine}, ${order.sms}, ${order.by})`)
}

export interface DueRelease {
  readonly tenantId: string
  readonly id: string
  readonly by: string
}
/** Releases of all tenants whose time has come. */
export const listDueReleases = (db: PlatformDb): Promise<DueRelease[]> =>
  db.all(sql<DueRelease>`
    select tenant_id as "tenantId", id::text as id, ordered_by::text as by from result_release where state = 'waiting' and run_at <= app_now() order by run_at, id limit 500`)

/** Holds an order that still waits; undefined for one that somebody has done or replaced meanwhile. */
export const lockRelease = (db: TenantDb, id: string): Promise<LaterRelease | undefined> =>
  db.maybe(sql<LaterRelease>`
    select exam_id::text as "examId", item_ids::text[] as "itemIds", show_rank as "showRank", show_line as "showLine", sms, ordered_by::text as by
    from result_release where id = ${id} and state = 'waiting' for update`)
export const endRelease = async (db: TenantDb, id: string, state: 'done' | 'skipped', reason: string | null): Promise<void> => {
  await db.run(
    sql`update result_release set state = ${state}, reason = ${reason}, ended_at = app_now() where id = ${id} and state = 'waiting'`,
  )
}
