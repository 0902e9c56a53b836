import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'

/** @returns false when this ciphertext came before, to whatever tenant */
export const spendCipher = async (db: TenantDb, digest: string): Promise<boolean> =>
  (await db.run(sql`insert into used_cipher (tenant_id, digest) values (${db.actor.tenantId}, ${digest}) on conflict do nothing`)) === 1
