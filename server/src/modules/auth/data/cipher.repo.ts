import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'

/**
 * Uses a ciphertext up.
 *
 * @param of - `former`: what a release before wrote down of it; `handle`: digest of the session key's handle that it was sealed under, where it was that
 *   and not the installation's log-in key
 * @param challenge - key of one that this very transaction has to have answered right: else nothing is used up
 * @returns false when this ciphertext came before, to whatever tenant
 */
export const spendCipher = async (
  db: TenantDb,
  of: { readonly digest: string; readonly former?: string; readonly handle?: string },
  challenge?: string,
): Promise<boolean> =>
  (await db.run(sql`
    insert into used_cipher (tenant_id, digest, former, key_handle) select ${db.actor.tenantId}, ${of.digest}, ${of.former ?? null}, ${of.handle ?? null}
    ${challenge === undefined ? sql`` : sql`where exists (select 1 from login_challenge where key = ${challenge} and used_at is not null and xmin = pg_current_xact_id()::xid)`}
    on conflict do nothing`)) === 1
