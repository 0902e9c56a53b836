import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'

/**
 * @param challenge - key of one that this very transaction has to have answered right: else nothing is used up
 * @returns false when this ciphertext came before, to whatever tenant
 */
export const spendCipher = async (db: TenantDb, digest: string, challenge?: string): Promise<boolean> =>
  (await db.run(sql`
    insert into used_cipher (tenant_id, digest) select ${db.actor.tenantId}, ${digest}
    ${challenge === undefined ? sql`` : sql`where exists (select 1 from login_challenge where key = ${challenge} and used_at is not null and xmin = pg_current_xact_id()::xid)`}
    on conflict do nothing`)) === 1
