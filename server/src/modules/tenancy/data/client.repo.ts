import type { PlatformDb, TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'

/** Keeps sessions of a closed program over when it is opened again, and out of the list of who is online. */
export const endSessionsOfClient = (db: PlatformDb, clientId: string): Promise<number> =>
  db.run(sql`update session set ended_at = app_now(), end_reason = 'client-closed' where client_id = ${clientId} and ended_at is null`)

export const lockClient = (db: TenantDb, id: string): Promise<{ clientId: string } | undefined> =>
  db.maybe(sql<{ clientId: string }>`select client_id as "clientId" from oauth_client where id = ${id} and not is_deleted for update`)

export const setClientSecret = async (db: TenantDb, id: string, hash: string): Promise<void> => {
  await db.run(sql`
    update oauth_client set secret_hash = ${hash}, updated_at = app_now(), updated_by = ${db.actor.userId}, version = version + 1
    where id = ${id}`)
}
