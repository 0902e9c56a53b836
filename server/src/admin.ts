import { parseArgs } from 'node:util'
import { apartRoles } from '#contract/access/role.ts'
import { ownReasons } from '#contract/kernel/own-reason.ts'
import { audit } from '#kernel/audit.ts'
import { called } from '#kernel/called.ts'
import { StartRefusal } from '#kernel/db/embedded-binaries.ts'
import { systemOf, type TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import { listAllMenus, menuTitles } from '#modules/access/index.ts'
import { accountKey, oneTimeHours, oneTimePassword } from '#modules/auth/index.ts'
import { createApplication } from '#server/app.ts'
import { command, withInstallation } from '#server/operator.ts'
import type { Services } from '#server/services.ts'
import { roleAliases } from '../seed/base/menus.ts'
import { platformTenant } from '../seed/base/seed-base.ts'

/** Whoever runs the platform. */
const operatorRole = 'administrator'

const usage = `Makes an account for a member of staff, gives a new one-time password to one that exists, or changes what nobody changes in the console:
people and roles of administrator, security administrator and auditor, who are kept apart from each other.

  ${called('admin', 'create --account <name> [--name <real name>] [--role <role>]... [--tenant <number>]')}
  ${called('admin', 'reset|lock|unlock|remove --account <name> [--tenant <number>]')}
  ${called('admin', 'roles --account <name> --role <role>... [--tenant <number>]')}
  ${called('admin', 'menus --role <role> [--give <code>]... [--take <code>]... [--tenant <number>]')}
  ${called('admin', 'fields --role <role> [--tenant <number>]')}

Roles: ${roleAliases.filter(alias => alias !== 'candidate').join(', ')}. Tenant: default ${platformTenant}.
The first account of the installation becomes its administrator (${operatorRole}), who runs the platform: tenants, packages, services, the state
of the installation. Without --role later ones become admin, who administers a tenant and sees no other.
"roles" replaces what somebody holds; "menus" gives menus and buttons to a role by their codes, or takes them; "fields" shows a role every field
again. These two take any role of the tenant by its alias.
A password is printed once and opens nothing but its own change. The auditors of the tenant are told of whatever is about one of the three.`

const verbs = ['create', 'reset', 'lock', 'unlock', 'remove', 'roles', 'menus', 'fields'] as const

export interface Wish {
  readonly verb: (typeof verbs)[number]
  readonly tenantId: string
  /** Empty for `menus` and `fields`. */
  readonly account: string
  readonly realName: string
  /** Of `menus` and `fields` the alias of any role of the tenant. Of `create` empty where the command line names none: see `withRoles`. */
  readonly roles: readonly string[]
  /** Codes of menus and buttons. */
  readonly give: readonly string[]
  readonly take: readonly string[]
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
  const known = verbs.find(one => one === verb)
  const isAboutRole = known === 'menus' || known === 'fields'
  if (known === undefined || more.length > 0 || (account === '') !== isAboutRole) throw new StartRefusal(usage)
  if ((known === 'roles' || isAboutRole) && values.role === undefined) throw new StartRefusal(`Say which with --role.\n\n${usage}`)
  const [give, take] = [values.give ?? [], values.take ?? []]
  if ((known === 'menus') !== give.length + take.length > 0) throw new StartRefusal(usage)
  if (!isAboutRole && !/^[\p{L}\p{N}_.@-]{2,60}$/u.test(account))
    throw new StartRefusal('--account takes 2 to 60 letters, digits and the characters _ . @ -')
  const roles = [...new Set(values.role)]
  const unknown = roles.filter(role => role === 'candidate' || !(isAboutRole || (roleAliases as readonly string[]).includes(role)))
  if (unknown.length > 0) throw new StartRefusal(`No such role for staff: ${unknown.join(', ')}\n\n${usage}`)
  if (isAboutRole && roles.length !== 1) throw new StartRefusal('Name one role at a time.')
  if (apartRoles.filter(role => roles.includes(role)).length > 1)
    throw new StartRefusal(`One person holds one of ${apartRoles.join(', ')} only.`)
  const realName = values.name?.trim() || account
  if ([...realName].length > 50) throw new StartRefusal('--name takes at most 50 characters')
  return { verb: known, tenantId: values.tenant ?? platformTenant, account, realName, roles, give, take }
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
      give: { type: 'string', multiple: true },
      take: { type: 'string', multiple: true },
    },
  })

const untilOf = (db: TenantDb): Date => new Date(db.now.getTime() + oneTimeHours * 3_600_000)

const insert = async (db: TenantDb, wish: Wish, hash: string): Promise<string> => {
  const { id } = await db.one(sql<{ id: string }>`
    insert into account (tenant_id, account, account_key, password_hash, user_type, nick_name, real_name, must_change_password, one_time_until)
    values (${wish.tenantId}, ${wish.account}, ${accountKey(wish.account)}, ${hash}, 1, ${wish.realName}, ${wish.realName}, true, ${untilOf(db)})
    returning id::text as id`)
  await giveRoles(db, wish, id)
  return id
}

/** The roles become those named; sessions that go by others end. */
const giveRoles = async (db: TenantDb, wish: Wish, id: string): Promise<void> => {
  const named = sql`select id from role where role_alias = any(${[...wish.roles]}) and not is_deleted`
  // Of the roles that are kept apart the old one goes before the new one comes.
  await db.run(sql`delete from account_role where user_id = ${id} and role_id not in (${named})`)
  await db.run(
    sql`insert into account_role (tenant_id, user_id, role_id) select ${wish.tenantId}, ${id}, id from (${named}) r on conflict do nothing`,
  )
  const { n } = await db.one(sql<{ n: number }>`select count(*)::int as n from account_role where user_id = ${id}`)
  if (n !== wish.roles.length) throw new StartRefusal(`This tenant does not have every one of the roles ${wish.roles.join(', ')}.`)
}

const endSessions = async (db: TenantDb, id: string, reason: string): Promise<void> => {
  await db.run(sql`update session set ended_at = app_now(), end_reason = ${reason} where user_id = ${id} and ended_at is null`)
}

const renew = async (db: TenantDb, id: string, hash: string): Promise<void> => {
  await db.run(sql`
    update account set password_hash = ${hash}, must_change_password = true, one_time_until = ${untilOf(db)}, status = case when status = 4 then 1 else status end, lock_begin = null, lock_end = null, fail_count = 0, fail_since = null,
      lock_level = 0, locked_until = null, updated_at = app_now(), version = version + 1 where id = ${id}`)
  await endSessions(db, id, 'password-reset')
}

/** What a verb that makes no password does to an account, and the words of its audit line. */
const change = async (db: TenantDb, wish: Wish, id: string): Promise<string> => {
  const touched = sql`updated_at = app_now(), version = version + 1`
  const reason = ownReasons.serverCommand.zh
  switch (wish.verb) {
    case 'lock':
      await db.run(sql`
        update account set status = 4, lock_reason = ${reason}, lock_begin = app_now(), lock_end = null, unlock_reason = null, unlocked_at = null, ${touched}
        where id = ${id}`)
      await endSessions(db, id, 'locked')
      return 'account.locked'
    case 'unlock':
      await db.run(sql`
        update account set status = case when status = 4 then 1 else status end, lock_reason = null, lock_begin = null, lock_end = null, fail_count = 0, fail_since = null,
          lock_level = 0, locked_until = null, unlock_reason = ${reason}, unlocked_at = app_now(), ${touched} where id = ${id}`)
      await db.run(sql`delete from device_try where user_id = ${id}`)
      return 'account.unlocked'
    case 'remove':
      await endSessions(db, id, 'removed')
      await db.run(sql`update account set is_deleted = true, ${touched} where id = ${id}`)
      await db.run(sql`delete from account_role where user_id = ${id}`)
      return 'account.removed'
    default:
      await giveRoles(db, wish, id)
      await endSessions(db, id, 'roles-changed')
      return 'account.roles-granted'
  }
}

const roleOf = async (db: TenantDb, wish: Wish): Promise<{ readonly id: string }> => {
  const role = await db.maybe(
    sql<{ id: string }>`select id::text as id from role where role_alias = any(${[...wish.roles]}) and not is_deleted`,
  )
  if (!role) throw new StartRefusal(`This tenant does not have the role ${wish.roles.join('')}.`)
  return role
}

/** Shows a role every field again: of the auditor's nobody in the console takes a rule back. */
const showFields = async (db: TenantDb, wish: Wish): Promise<void> => {
  const role = await roleOf(db, wish)
  const before = await db.all(sql<{ at: string; level: string }>`
    select noun || '.' || field as at, case level when 1 then 'masked' else 'hidden' end as level from role_field_rule where role_id = ${role.id} order by 1`)
  if (before.length === 0) throw new StartRefusal(`The role ${wish.roles.join('')} sees every field already.`)
  await db.run(sql`delete from role_field_rule where role_id = ${role.id}`)
  await audit(db, undefined, {
    action: 'role.fields-ruled',
    entity: 'role',
    entityId: role.id,
    before: { role: wish.roles.join(''), fields: Object.fromEntries(before.map(({ at, level }) => [at, level])) },
    after: { role: wish.roles.join(''), fields: Object.fromEntries(before.map(({ at }) => [at, 'full'])), by: 'command line' },
  })
}

/** Gives menus to a role and takes them, by their codes. */
const changeMenus = async (db: TenantDb, wish: Wish): Promise<void> => {
  const role = await roleOf(db, wish)
  const codes = [...wish.give, ...wish.take]
  const menus = await db.all(sql<{ id: string; code: string }>`
    select id::text as id, code from menu where code = any(${codes}) and not is_deleted`)
  const titles = menuTitles(await listAllMenus(db))
  const named = (wanted: readonly string[]) =>
    menus.filter(menu => wanted.includes(menu.code)).map(({ id, code }) => ({ id, name: titles.get(id)?.zh ?? '', code }))
  const unknown = codes.filter(code => !menus.some(menu => menu.code === code))
  if (unknown.length > 0) throw new StartRefusal(`There is no menu or button of the code ${unknown.join(', ')}.`)
  const idsOf = (wanted: readonly string[]): string[] => menus.filter(menu => wanted.includes(menu.code)).map(menu => menu.id)
  await db.run(sql`delete from role_menu where role_id = ${role.id} and menu_id = any(${idsOf(wish.take)}::bigint[])`)
  await db.run(sql`
    insert into role_menu (tenant_id, role_id, menu_id) select ${wish.tenantId}, ${role.id}, m from unnest(${idsOf(wish.give)}::bigint[]) m on conflict do nothing`)
  await audit(db, undefined, {
    action: 'role.granted',
    entity: 'role',
    entityId: role.id,
    after: { role: wish.roles.join(''), added: named(wish.give), removed: named(wish.take), by: 'command line' },
  })
}

/**
 * The wish with the roles of a new account for which the command line names none: until somebody runs the platform, the next account of its own
 * tenant is the one who does. Nobody else could make tenants or see the state of the installation.
 */
export const withRoles = async ({ scopes, clock }: Pick<Services, 'scopes' | 'clock'>, wish: Wish): Promise<Wish> => {
  if (wish.verb !== 'create' || wish.roles.length > 0) return wish
  if (wish.tenantId !== platformTenant) return { ...wish, roles: ['admin'] }
  const runs = await scopes.tx(systemOf(platformTenant), clock.now(), db =>
    db.maybe(sql`
      select 1 from account a join account_role k on k.tenant_id = a.tenant_id and k.user_id = a.id
        join role r on r.tenant_id = k.tenant_id and r.id = k.role_id
      where a.tenant_id = ${platformTenant} and r.role_alias = ${operatorRole} and not r.is_deleted and not a.is_deleted limit 1`),
  )
  return { ...wish, roles: [runs ? 'admin' : operatorRole] }
}

/** Carries the wish out. @returns the password that is shown once; undefined where there is none */
export const carryOut = async (services: Pick<Services, 'scopes' | 'clock' | 'passwords'>, given: Wish): Promise<string | undefined> => {
  const wish = await withRoles(services, given)
  const password = wish.verb === 'create' || wish.verb === 'reset' ? oneTimePassword() : undefined
  const hash = password === undefined ? '' : await services.passwords.hash(password)
  const now = services.clock.now()
  const tenant = await services.scopes.asPlatform('an operator names a tenant on the command line', now, db =>
    db.maybe(sql<{ id: string }>`select id::text as id from tenant where tenant_id = ${wish.tenantId} and not is_deleted`),
  )
  if (!tenant) throw new StartRefusal(`There is no tenant ${wish.tenantId}.`)
  await services.scopes.tx(systemOf(wish.tenantId), now, async db => {
    if (wish.verb === 'menus') return changeMenus(db, wish)
    if (wish.verb === 'fields') return showFields(db, wish)
    const known = await db.maybe(sql<{ id: string; userType: number }>`
      select id::text as id, user_type as "userType" from account where account_key = ${accountKey(wish.account)} and not is_deleted`)
    if (wish.verb === 'create' && known)
      throw new StartRefusal(`The account ${wish.account} exists already; "reset" gives it a new one-time password.`)
    if (wish.verb !== 'create' && known?.userType !== 1)
      throw new StartRefusal(`There is no member of staff with the account ${wish.account}.`)
    const id = known?.id ?? (await insert(db, wish, hash))
    let action = 'account.added'
    if (known && wish.verb === 'reset') {
      await renew(db, id, hash)
      action = 'account.password-reset'
    } else if (known) action = await change(db, wish, id)
    await audit(db, undefined, {
      action,
      entity: 'account',
      entityId: id,
      after: {
        account: wish.account,
        ...(wish.verb === 'create' || wish.verb === 'roles' ? { roles: wish.roles } : {}),
        by: 'command line',
      },
    })
  })
  return password
}

if (import.meta.main)
  await command(async () => {
    const given = wishOf(process.argv.slice(2))
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
        const wish = await withRoles(application.services, given)
        const password = await carryOut(application.services, wish)
        console.log(`Tenant:            ${wish.tenantId}`)
        if (wish.account !== '')
          console.log(
            `Account:           ${wish.account}${wish.verb === 'create' || wish.verb === 'roles' ? ` (${wish.roles.join(', ')})` : ''}`,
          )
        if (password === undefined) {
          console.log('Done.')
          return
        }
        console.log(`One-time password: ${password}`)
        console.log(`It is shown only now, opens for ${oneTimeHours} hours and has to be changed at the first login.`)
      } finally {
        await application.close()
      }
    })
    return 0
  })
