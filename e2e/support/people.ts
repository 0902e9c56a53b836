import { systemClock } from '#kernel/clock.ts'
import { createPasswordHasher } from '#kernel/crypto/password.ts'
import { startEmbedded } from '#kernel/db/embedded.ts'
import { openPools } from '#kernel/db/pool.ts'
import { createScopes, systemOf, type TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import { createLog } from '#kernel/log.ts'
import { loadSecrets } from '#kernel/secrets.ts'
import type { RoleAlias } from '../../server/seed/base/menus.ts'

/** The tenant that a first start makes (decision 1.5). */
export const tenantId = '000000'
export const staffPassword = 'Quiet-harbour-27'

export interface StaffSpec {
  readonly account: string
  readonly realName: string
  readonly roles: readonly RoleAlias[]
}

/** The database of a running server, reached past it: for people who would be invited, and for counting what is stored. */
export interface Backdoor {
  db<T>(work: (db: TenantDb) => Promise<T>): Promise<T>
  addStaff(staff: readonly StaffSpec[]): Promise<void>
  close(): Promise<void>
}

export const openBackdoor = async (dataDir: string): Promise<Backdoor> => {
  const log = createLog('error')
  const secrets = await loadSecrets({ dataDir })
  const { url } = await startEmbedded({ dataDir, log })
  const own = new URL(url)
  own.pathname = '/kaopu'
  const pools = openPools(own.href, secrets.databasePasswords, log, 1)
  const scopes = createScopes(pools, log)
  const run = <T>(work: (db: TenantDb) => Promise<T>): Promise<T> => scopes.tx(systemOf(tenantId), systemClock.now(), work)
  const passwords = createPasswordHasher({ pepper: secrets.passwordPepper })
  return {
    db: run,
    addStaff: staff =>
      run(async db => {
        const hash = await passwords.hash(staffPassword)
        for (const { account, realName, roles } of staff) {
          const { id } = await db.one(sql<{ id: string }>`
            insert into account (tenant_id, account, account_key, user_type, nick_name, real_name, password_hash)
            values (${tenantId}, ${account}, ${account}, 1, ${realName}, ${realName}, ${hash}) returning id::text as id`)
          await db.run(sql`
            insert into account_role (tenant_id, user_id, role_id) select ${tenantId}, ${id}, id from role where role_alias = any(${[...roles]})`)
        }
      }),
    close: () => pools.end(),
  }
}
