import { systemClock } from '#kernel/clock.ts'
import { createFieldCipher, type FieldCipher } from '#kernel/crypto/field.ts'
import { createPasswordHasher } from '#kernel/crypto/password.ts'
import { hashToken, newToken } from '#kernel/crypto/token.ts'
import { startEmbedded } from '#kernel/db/embedded.ts'
import { openPools } from '#kernel/db/pool.ts'
import { prefixAt } from '#kernel/db/roles.ts'
import { createScopes, systemOf, type TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import { createLog, type Log } from '#kernel/log.ts'
import { loadSecrets } from '#kernel/secrets.ts'
import type { RoleAlias } from '../../server/seed/base/menus.ts'
import { ensureTenant, fillTenant, type TenantSeed } from '../../server/seed/base/seed-base.ts'
import { testIdCard } from '../../server/test/support/id-card.ts'
import { ownTenant } from './tenant.ts'

export const staffPassword = 'Quiet-harbour-27'

/** A person whose session was opened past the login page. */
export interface Member {
  readonly token: string
  readonly idCard: string
  readonly phone: string
}

export interface StaffSpec {
  readonly account: string
  readonly realName: string
  readonly roles: readonly RoleAlias[]
}

/** The database of a running server, reached past it: for people who would be invited, and for counting what is stored. */
export interface Backdoor {
  db<T>(work: (db: TenantDb) => Promise<T>): Promise<T>
  /** Seals what rows keep sealed. */
  readonly cipher: FieldCipher
  addStaff(staff: readonly StaffSpec[]): Promise<void>
  /** So many candidates who are logged in. */
  addCandidates(count: number): Promise<Member[]>
  close(): Promise<void>
}

const bundled = async (dataDir: string, log: Log): Promise<string> => {
  const { url } = await startEmbedded({ dataDir, log })
  const own = new URL(url)
  own.pathname = '/kaopu'
  return own.href
}

const connect = async (dataDir: string, databaseUrl?: string) => {
  const log = createLog('error')
  const secrets = await loadSecrets({ dataDir })
  const url = databaseUrl ?? (await bundled(dataDir, log))
  const pools = openPools(url, secrets.databasePasswords, log, 1, await prefixAt(url, log))
  return { secrets, pools, scopes: createScopes(pools, log) }
}

/** A tenant with everything that one begins with, and the schools that the first one has. */
export const makeTenant = async (dataDir: string, tenant: TenantSeed): Promise<void> => {
  const { pools, scopes } = await connect(dataDir)
  await ensureTenant(scopes, systemClock.now(), tenant)
  await scopes.tx(systemOf(tenant.tenantId), systemClock.now(), fillTenant)
  await pools.end()
}

/** @param databaseUrl - where the database is not the bundled one */
export const openBackdoor = async (dataDir: string, tenantId = ownTenant(), databaseUrl?: string): Promise<Backdoor> => {
  const { secrets, pools, scopes } = await connect(dataDir, databaseUrl)
  const run = <T>(work: (db: TenantDb) => Promise<T>): Promise<T> => scopes.tx(systemOf(tenantId), systemClock.now(), work)
  const cipher = createFieldCipher({ rootKey: secrets.fieldRootKey, indexKey: secrets.blindIndexKey })
  const passwords = createPasswordHasher({ pepper: secrets.passwordPepper })
  return {
    db: run,
    cipher,
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
    addCandidates: count =>
      run(async db => {
        const members: Member[] = []
        for (let serial = 1; serial <= count; serial++) {
          const { id } = await db.one(sql<{ id: string }>`select next_id()::text as id`)
          const member = {
            token: newToken(),
            idCard: testIdCard(serial, `1996${String((serial % 12) + 1).padStart(2, '0')}${11 + Math.floor(serial / 1500)}`),
            phone: `161${String(serial).padStart(8, '0')}`,
          }
          const account = `crowd${serial}`
          await db.run(sql`
            insert into account (tenant_id, id, account, account_key, user_type, nick_name, real_name, user_code, phone_sealed, phone_index, phone_mask,
              id_card_sealed, id_card_index, id_card_mask, id_card_type, sex, birthday)
            values (${tenantId}, ${id}, ${account}, ${account}, 2, '王·测', '王·测', ${`K8${String(serial).padStart(9, '0')}`},
              ${cipher.seal(tenantId, { table: 'account', column: 'phone_sealed', rowId: id }, member.phone)}, ${cipher.blindIndex(tenantId, 'phone', member.phone)}, '161****0000',
              ${cipher.seal(tenantId, { table: 'account', column: 'id_card_sealed', rowId: id }, member.idCard)}, ${cipher.blindIndex(tenantId, 'id-card', member.idCard)}, '3301**********0000',
              '1', 2, ${`${member.idCard.slice(6, 10)}-${member.idCard.slice(10, 12)}-${member.idCard.slice(12, 14)}`})`)
          await db.run(
            sql`insert into account_role (tenant_id, user_id, role_id) select ${tenantId}, ${id}, id from role where role_alias = 'candidate'`,
          )
          const far = new Date(db.now.getTime() + 24 * 3_600_000)
          await db.run(sql`
            insert into session (tenant_id, user_id, user_type, client_id, access_hash, access_until, refresh_hash, refresh_until, fingerprint, role_ids, created_at, active_at)
            values (${tenantId}, ${id}, 2, 'kaopu-web', ${hashToken(member.token)}, ${far}, ${hashToken(newToken())}, ${far}, ${'f'.repeat(64)},
              (select jsonb_agg(role_id::text) from account_role where user_id = ${id}), ${db.now}, ${db.now})`)
          members.push(member)
        }
        return members
      }),
    close: () => pools.end(),
  }
}
