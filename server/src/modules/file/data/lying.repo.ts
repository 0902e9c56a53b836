import type { PlatformDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'

/** Which of these keys rows of any tenant name. */
export const findKeys = async (db: PlatformDb, keys: readonly string[]): Promise<ReadonlySet<string>> =>
  new Set(
    keys.length === 0
      ? []
      : // By each tenant's index of keys.
        (
          await db.all(sql<{ key: string }>`
            select f.storage_key as key from (select tenant_id from tenant) t
            cross join lateral (select storage_key from stored_file s where s.tenant_id = t.tenant_id and s.storage_key = any(${[...keys]})) f`)
        ).map(({ key }) => key),
  )

export interface LyingRow {
  readonly tenantId: string
  readonly id: string
  readonly key: string
  readonly ownerKind: string | null
  readonly ownerId: string | null
}
/** Rows whose files lie in one place, and were there before an instant, in the order of their keys. */
export const pageOfLying = (
  db: PlatformDb,
  storageId: string | undefined,
  after: Pick<LyingRow, 'tenantId' | 'id'>,
  before: Date,
  count: number,
): Promise<LyingRow[]> =>
  db.all(sql<LyingRow>`
    select tenant_id as "tenantId", id::text as id, storage_key as key, owner_kind as "ownerKind", owner_id::text as "ownerId" from stored_file
    where (tenant_id, id) > (${after.tenantId}, ${after.id}::bigint) and created_at <= ${before}
      and ${storageId === undefined ? sql`storage_id is null` : sql`storage_id = ${storageId}`}
    order by tenant_id, id limit ${count}`)

/** Whether a row still names this file. */
export const stillNames = async (db: PlatformDb, { tenantId, id, key }: LyingRow): Promise<boolean> =>
  (await db.maybe(sql`select 1 from stored_file where tenant_id = ${tenantId} and id = ${id} and storage_key = ${key}`)) !== undefined
