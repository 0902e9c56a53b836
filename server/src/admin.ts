import { parseArgs } from 'node:util'
import { audit } from '#kernel/audit.ts'
import { StartRefusal } from '#kernel/db/embedded-binaries.ts'
import { systemOf, type TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import { accountKey } from '#modules/auth/index.ts'
import { oneTimeHours, oneTimePassword } from '#modules/system/index.ts'
import { createApplication } from '#server/app.ts'
import { command, withInstallation } from '#server/operator.ts'
import type { Services } from '#server/services.ts'
import { type RoleAlias, roleAliases } from '../seed/base/menus.ts'
import { platformTenant } from '../seed/base/seed-base.ts'

const usage = `Makes an account for a member of staff, or a new one-time password for one that exists.

  npm run admin -- create --account <name> [--name <real name>] [--role <role>]... [--tenant <number>]
  npm run admin -- reset --account <name> [--tenant <number>]

Roles: ${roleAliases.filter(alias => alias !== 'candidate').join(', ')}; default admin. Tenant: default ${platformTenant}.
The password is printed once and opens nothing but its own change.`

/** Of these one person holds one (domain 2.1). */
const apart: readonly RoleAlias[] = ['admin', 'secadmin', 'auditor']

export interface Wish {
  readonly verb: 'create' | 'reset'
  readonly tenantId: string
  readonly account: string
  readonly realName: string
  readonly roles: readonly RoleAlias[]
}

/** @throws StartRefusal saying what is wrong with the command line. */
export const wishOf = (args: readonly string[]): Wish => {
  let parsed: ReturnType<typeof parse>
  try {
    parsed = parse(args)
  } catch (error) {
    throw new StartRefusal(`${(error as Error).message}\n\n${usage}`)
  }
  const { values, positionals } = parsed
  const [verb, ...more] = positionals
  const account = values.account?.trim() ?? ''
  if ((verb !== 'create' && verb !== 'reset') || more.length > 0 || account === '') throw new StartRefusal(usage)
  if (!/^[\p{L}\p{N}_.@-]{2,60}$/u.test(account))
    throw new StartRefusal('--account takes 2 to 60 letters, digits and the characters _ . @ -')
  const roles = [...new Set(values.role ?? ['admin'])]
  const unknown = roles.filter(role => role === 'candidate' || !(roleAliases as readonly string[]).includes(role))
  if (unknown.length > 0) throw new StartRefusal(`No such role for staff: ${unknown.join(', ')}\n\n${usage}`)
  if (apart.filter(role => roles.includes(role)).length > 1) throw new StartRefusal(`One person holds one of ${apart.join(', ')} only.`)
  const realName = values.name?.trim() || account
  if ([...realName].length > 50) throw new StartRefusal('--name takes at most 50 characters')
  return { verb, tenantId: values.tenant ?? platformTenant, account, realName, roles: roles as RoleAlias[] }
}
const parse = (args: readonly string[]) =>
  parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      account: { type: 'string' },
      name: { type: 'string' },
      role: { type: 'string', multiple: true },
      tenant: { type: 'string' },
    },
  })

const untilOf = (db: TenantDb): Date => new Date(db.now.getTime() + oneTimeHours * 3_600_000)

const insert = async (db: TenantDb, wish: Wish, hash: string): Promise<string> => {
  const { id } = await db.one(sql<{ id: string }>`
    insert into account (tenant_id, account, account_key, password_hash, user_type, nick_name, real_name, must_change_password, one_time_until)
    values (${wish.tenantId}, ${wish.account}, ${accountKey(wish.account)}, ${hash}, 1, ${wish.realName}, ${wish.realName}, true, ${untilOf(db)})
    returning id::text as id`)
  const granted = await db.run(sql`
    insert into account_role (tenant_id, user_id, role_id)
    select ${wish.tenantId}, ${id}, id from role where role_alias = any(${[...wish.roles]}) and not is_deleted`)
  if (granted !== wish.roles.length) throw new StartRefusal(`This tenant does not have every one of the roles ${wish.roles.join(', ')}.`)
  return id
}

const renew = async (db: TenantDb, id: string, hash: string): Promise<void> => {
  await db.run(sql`
    update account set password_hash = ${hash}, must_change_password = true, one_time_until = ${untilOf(db)}, status = case when status = 4 then 1 else status end, lock_begin = null, lock_end = null, fail_count = 0, fail_since = null,
      lock_level = 0, locked_until = null, updated_at = app_now(), version = version + 1 where id = ${id}`)
  await db.run(sql`update session set ended_at = app_now(), end_reason = 'password-reset' where user_id = ${id} and ended_at is null`)
}

/** Carries the wish out. @returns the password that is shown once */
export const carryOut = async (services: Pick<Services, 'scopes' | 'clock' | 'passwords'>, wish: Wish): Promise<string> => {
  const password = oneTimePassword()
  const hash = await services.passwords.hash(password)
  const now = services.clock.now()
  const tenant = await services.scopes.asPlatform('an operator names a tenant on the command line', now, db =>
    db.maybe(sql<{ id: string }>`select id::text as id from tenant where tenant_id = ${wish.tenantId} and not is_deleted`),
  )
  if (!tenant) throw new StartRefusal(`There is no tenant ${wish.tenantId}.`)
  await services.scopes.tx(systemOf(wish.tenantId), now, async db => {
    const known = await db.maybe(sql<{ id: string; userType: number }>`
      select id::text as id, user_type as "userType" from account where account_key = ${accountKey(wish.account)} and not is_deleted`)
    if (wish.verb === 'create' && known)
      throw new StartRefusal(`The account ${wish.account} exists already; "reset" gives it a new one-time password.`)
    if (wish.verb === 'reset' && known?.userType !== 1)
      throw new StartRefusal(`There is no member of staff with the account ${wish.account}.`)
    const id = known?.id ?? (await insert(db, wish, hash))
    if (known) await renew(db, id, hash)
    await audit(db, undefined, {
      action: known ? 'account.password-reset' : 'account.added',
      entity: 'account',
      entityId: id,
      after: { account: wish.account, ...(known ? {} : { roles: wish.roles }), by: 'command line' },
    })
  })
  return password
}

if (import.meta.main)
  await command(async () => {
    const wish = wishOf(process.argv.slice(2))
    await withInstallation(async ({ config, secrets, databaseUrl, log }) => {
      // The whole application without its doors: a database that was never started is migrated and seeded first.
      const application = await createApplication({
        config: { ...config, publicUrl: config.publicUrl ?? `http://localhost:${config.port}` },
        secrets,
        databaseUrl,
        log,
        withoutWorker: true,
      })
      try {
        const password = await carryOut(application.services, wish)
        console.log(`Tenant:            ${wish.tenantId}`)
        console.log(`Account:           ${wish.account}${wish.verb === 'create' ? ` (${wish.roles.join(', ')})` : ''}`)
        console.log(`One-time password: ${password}`)
        console.log(`It is shown only now, opens for ${oneTimeHours} hours and has to be changed at the first login.`)
      } finally {
        await application.close()
      }
    })
    return 0
  })
