import type { PlatformDb, TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'

export interface NewSessionKey {
  readonly sessionId: string
  readonly handleHash: string
  readonly sealed: Buffer
  readonly now: Date
}
/** An earlier key of the session is gone with this. */
export const storeSessionKey = async (db: TenantDb, { sessionId, handleHash, sealed, now }: NewSessionKey): Promise<void> => {
  await db.run(sql`
    insert into session_key (tenant_id, session_id, handle_hash, key_sealed, created_at)
    values (${db.actor.tenantId}, ${sessionId}, ${handleHash}, ${sealed}, ${now})
    on conflict (tenant_id, session_id) do update set handle_hash = excluded.handle_hash, key_sealed = excluded.key_sealed, created_at = excluded.created_at`)
}

/** The key of a living session. */
export const findSessionKey = (
  db: PlatformDb,
  handleHash: string,
): Promise<{ tenantId: string; sessionId: string; sealed: Buffer } | undefined> =>
  db.maybe(sql<{ tenantId: string; sessionId: string; sealed: Buffer }>`
    select k.tenant_id as "tenantId", k.session_id::text as "sessionId", k.key_sealed as sealed
    from session_key k join session s on s.tenant_id = k.tenant_id and s.id = k.session_id and s.ended_at is null
    where k.handle_hash = ${handleHash}`)
