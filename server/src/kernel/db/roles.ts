import { createHash } from 'node:crypto'
import pg from 'pg'
import type { Log } from '../log.ts'
import { type DatabaseRole, databaseRoles, narrowRoles, openOwnerPool, roleName } from './pool.ts'

/** A connection of the owner of the database. */
export type Owner = Pick<pg.ClientBase, 'query'>

const logical = 'kaopu'
const kinds = databaseRoles.map(role => role.slice(logical.length + 1)).sort((a, b) => b.length - a.length)
/** Names of the roles of one prefix in a text; in patterns of `like` the underscore is escaped. */
const namesOf = (prefix: string): RegExp => new RegExp(`(?<![\\w$])${prefix}(?=\\\\?_(?:${kinds.join('|')})(?!\\w))`, 'g')

/** A text of SQL that names the roles of one prefix, with those of another. Migrations name them as the program does, by `kaopu`. */
export const withRoles = (text: string, to: string, from: string = logical): string =>
  from === to ? text : text.replace(namesOf(from), () => to)

const rowsOf = async <T extends pg.QueryResultRow>(owner: Owner, text: string, values: readonly unknown[] = []): Promise<T[]> =>
  (await owner.query<T>(text, [...values])).rows

/** @returns what the names of the database's login roles begin with, read from its policies; undefined before the first migration */
export const presentPrefix = async (owner: Owner): Promise<string | undefined> => {
  const rows = await rowsOf<{ name: string }>(
    owner,
    `select r.rolname as name from pg_policy p join pg_roles r on r.oid = any(p.polroles) where p.polrelid = to_regclass('public.tenant') and p.polname = 'platform'`,
  )
  const name = rows[0]?.name
  if (name === undefined) return undefined
  const prefix = /^(kaopu\w*)_platform$/.exec(name)?.[1]
  if (prefix === undefined)
    throw new Error(
      `The database role ${name} was renamed by hand: Kaopu's roles are called kaopu_…_platform and so on. Have a superuser rename all of them back.`,
    )
  return prefix
}

/** The same of the database at a URL of its owner. */
export const prefixAt = async (databaseUrl: string, log: Log): Promise<string | undefined> => {
  const owner = openOwnerPool(databaseUrl, log)
  try {
    return await presentPrefix(owner)
  } finally {
    await owner.end()
  }
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 8)
/**
 * What the roles of a database may begin with, the best first. `kaopu` is that of a database of this name, and of every database before roles
 * belonged to one; the second is for a name that another database's roles have already.
 */
export const prefixesFor = (database: string, oid: string): readonly [string, string] => {
  const plain = database
    .toLowerCase()
    .replace(/[^a-z0-9_]/g, '_')
    .slice(0, 36)
  const named = plain === logical || plain.startsWith(`${logical}_`) ? plain : `${logical}_${plain}`
  return [plain === database ? named : `${named.slice(0, 34)}_${digest(database)}`, `${named.slice(0, 34)}_${digest(`${database} ${oid}`)}`]
}

/** Attributes that no login role of the application has. */
const forbidden = ['superuser', 'bypassrls', 'createdb', 'createrole'] as const
type Found = Record<(typeof forbidden)[number], boolean> & { name: string; isElsewhere: boolean; remark: string | null }

/** Roles of a prefix that exist, and whether another database of the server has to do with them. */
const rolesOf = (owner: Owner, prefix: string): Promise<Found[]> =>
  rowsOf<Found>(
    owner,
    `select rolname as name, rolsuper as superuser, rolbypassrls as bypassrls, rolcreatedb as createdb, rolcreaterole as createrole,
       shobj_description(r.oid, 'pg_authid') as remark,
       exists (select from pg_shdepend s where s.refclassid = 'pg_authid'::regclass and s.refobjid = r.oid
         and s.dbid not in (0, (select oid from pg_database where datname = current_database()))) as "isElsewhere"
     from pg_roles r where rolname = any($1)`,
    [databaseRoles.map(role => roleName(prefix, role))],
  )

const remarkOf = (database: string): string => `Login role of Kaopu for the database ${database}`
/** Roles of that name may be made, or are there and nobody else's. */
const isFree = (found: readonly Found[], prefix: string, database: string): boolean =>
  found.every(({ isElsewhere, remark }) => !isElsewhere && (remark === remarkOf(database) || (remark === null && prefix === logical)))

/**
 * A setting of the database that names what its login roles begin with, where an operator does not want the name of the database there:
 * `alter database exams set app.role_prefix = 'kaopu_city'`.
 */
export const prefixSetting = 'app.role_prefix'

/** What becomes of the database's roles at this start. */
export interface RolePlan {
  readonly database: string
  /** Undefined before the first migration. */
  readonly present: string | undefined
  readonly prefix: string
  /** Another database uses the present ones too: it keeps them, and this one gets its own. */
  readonly isShared: boolean
}

/**
 * Decides what the login roles of this database are called: by its name, as roles belong to the whole server and two installations there must not
 * share any.
 * @throws Error with the sentence to print where no name is free
 */
export const planRoles = async (owner: Owner): Promise<RolePlan> => {
  const [self] = await rowsOf<{ database: string; oid: string }>(
    owner,
    'select datname as database, oid::text from pg_database where datname = current_database()',
  )
  const { database, oid } = self ?? { database: '', oid: '' }
  const present = await presentPrefix(owner)
  const [{ wish } = { wish: null }] = await rowsOf<{ wish: string | null }>(
    owner,
    `select nullif(current_setting('${prefixSetting}', true), '') as wish`,
  )
  if (wish !== null && !/^kaopu\w*$/.test(wish))
    throw new Error(`The setting ${prefixSetting} of the database ${database} is "${wish}"; names of Kaopu's roles begin with kaopu.`)
  // Whoever sets it answers for it that no other installation of the server uses these roles.
  if (wish !== null && present === wish) return { database, present, prefix: wish, isShared: false }
  const own = wish === null ? prefixesFor(database, oid) : [wish]
  const isShared = present !== undefined && (await rolesOf(owner, present)).some(({ isElsewhere }) => isElsewhere)
  if (present !== undefined && !isShared && own.includes(present)) return { database, present, prefix: present, isShared }
  for (const prefix of own)
    if (prefix !== present && isFree(await rolesOf(owner, prefix), prefix, database)) return { database, present, prefix, isShared }
  throw new Error(
    `The login roles ${own.map(prefix => `${prefix}_staff`).join(' and ')} belong to others on this database server. Have a superuser rename or drop them: they are not used by the database ${database}.`,
  )
}

/** Everything in this database that refers to one of the roles: rights, policies, and texts that name them. */
const moved = async (owner: Owner, from: string, to: string): Promise<string[]> => {
  const names = JSON.stringify(Object.fromEntries(databaseRoles.map(role => [roleName(from, role), roleName(to, role)])))
  const spaces = `n.nspname not like 'pg\\_%' and n.nspname <> 'information_schema'`
  const rights = await rowsOf<{ text: string }>(
    owner,
    `with renamed as (select r.oid, key as former, value as name from jsonb_each_text($1::jsonb) join pg_roles r on rolname = key),
     objects as (
       select case relkind when 'S' then 'sequence ' else 'table ' end || c.oid::regclass as what, '' as part, relacl as acl from pg_class c join pg_namespace n on n.oid = relnamespace where ${spaces}
       union all select 'table ' || c.oid::regclass, format('(%I)', attname), attacl from pg_attribute a join pg_class c on c.oid = attrelid join pg_namespace n on n.oid = relnamespace where ${spaces}
       union all select 'function ' || p.oid::regprocedure, '', proacl from pg_proc p join pg_namespace n on n.oid = pronamespace where ${spaces} and prokind <> 'p'
       union all select 'procedure ' || p.oid::regprocedure, '', proacl from pg_proc p join pg_namespace n on n.oid = pronamespace where ${spaces} and prokind = 'p'
       union all select format('schema %I', nspname), '', nspacl from pg_namespace n where ${spaces}
       union all select 'type ' || t.oid::regtype, '', typacl from pg_type t join pg_namespace n on n.oid = typnamespace where ${spaces}
       union all select format('database %I', datname), '', datacl from pg_database where datname = current_database()),
     held as (
       select what, part, former, name, string_agg(privilege_type || part, ', ') as held from objects, aclexplode(acl) join renamed on oid = grantee group by 1, 2, 3, 4)
     select format('grant %s on %s to %I', held, what, name) as text from held
     union all select format('revoke %s on %s from %I', held, what, former) from held`,
    [names],
  )
  const policies = await rowsOf<{ text: string }>(
    owner,
    `with renamed as (select r.oid, value as name from jsonb_each_text($1::jsonb) join pg_roles r on rolname = key)
     select format('alter policy %I on %s to %s', polname, polrelid::regclass,
       (select string_agg(coalesce(quote_ident(name), case o when 0 then 'public' else (select quote_ident(rolname) from pg_roles r where r.oid = o) end), ', ') from unnest(polroles) o left join renamed on renamed.oid = o)) as text
     from pg_policy where polroles && array(select oid from renamed)`,
    [names],
  )
  return [...rights, ...policies].map(({ text }) => text)
}

/** Functions and policies whose text names the roles, not the roles themselves. */
const renamedTexts = async (owner: Owner, from: string, to: string): Promise<string[]> => {
  const functions = await rowsOf<{ text: string }>(
    owner,
    `select pg_get_functiondef(p.oid) as text from pg_proc p join pg_namespace n on n.oid = pronamespace where nspname = 'public' and prokind = 'f'`,
  )
  const policies = await rowsOf<{ name: string; table: string; using: string | null; check: string | null }>(
    owner,
    `select quote_ident(polname) as name, polrelid::regclass::text as table, pg_get_expr(polqual, polrelid) as using, pg_get_expr(polwithcheck, polrelid) as check from pg_policy`,
  )
  const renamed = (text: string): string => withRoles(text, to, from)
  return [
    ...functions.filter(({ text }) => renamed(text) !== text).map(({ text }) => renamed(text)),
    ...policies
      .filter(({ using, check }) => renamed(`${using} ${check}`) !== `${using} ${check}`)
      .map(
        ({ name, table, using, check }) =>
          `alter policy ${name} on ${table}${using === null ? '' : ` using (${renamed(using)})`}${check === null ? '' : ` with check (${renamed(check)})`}`,
      ),
  ]
}

/**
 * Makes the login roles that row-level security knows, or brings their passwords up to date. The owner may be an ordinary user with
 * `createrole`: only a superuser may so much as name some of the attributes of a role that is there, so they are looked at and left alone.
 * @throws Error with the sentence to print for a role that has more than it should
 */
const makeRoles = async (
  owner: Owner,
  { database, prefix }: Pick<RolePlan, 'database' | 'prefix'>,
  passwords: Readonly<Record<DatabaseRole, string>>,
  missingOnly = false,
): Promise<void> => {
  const found = await rolesOf(owner, prefix)
  for (const logicalName of databaseRoles) {
    const role = roleName(prefix, logicalName)
    const present = found.find(({ name }) => name === role)
    if (present && missingOnly) continue
    const tooMuch = forbidden.filter(attribute => present?.[attribute])
    if (tooMuch.length > 0)
      throw new Error(
        `The database role ${role} has the attributes ${tooMuch.join(', ')}, which would open every tenant to it. Have a superuser run: alter role ${role} ${tooMuch.map(attribute => `no${attribute}`).join(' ')}`,
      )
    await owner.query(`${present ? 'alter role' : 'create role'} ${role} login password ${pg.escapeLiteral(passwords[logicalName])}`)
    if (present?.remark !== remarkOf(database)) await owner.query(`comment on role ${role} is ${pg.escapeLiteral(remarkOf(database))}`)
  }
  for (const [from, to] of Object.entries(narrowRoles)) {
    const [role, narrow] = [roleName(prefix, from as DatabaseRole), roleName(prefix, to)]
    const [state] = await rowsOf<{ isMember: boolean; isOld: boolean }>(
      owner,
      `select pg_has_role($1, $2, 'usage') as "isMember", current_setting('server_version_num')::int < 160000 as "isOld"`,
      [narrow, role],
    )
    // Rights and policies come along, the way out does not; PostgreSQL 15 cannot tell the two apart.
    if (!state?.isMember) await owner.query(`grant ${role} to ${narrow}${state?.isOld ? '' : ' with inherit true, set false'}`)
  }
}

/**
 * Carries a plan out, in the caller's transaction. The present roles are renamed; where another database uses them too they are left to it, and
 * every right and policy of this one goes to new ones.
 */
export const applyRoles = async (owner: Owner, plan: RolePlan, passwords: Readonly<Record<DatabaseRole, string>>): Promise<void> => {
  const { present, prefix, isShared } = plan
  const moves = present !== undefined && present !== prefix
  if (moves && !isShared) {
    for (const { name } of await rolesOf(owner, prefix)) await owner.query(`drop role ${name}`)
    for (const { name } of await rolesOf(owner, present))
      await owner.query(`alter role ${name} rename to ${prefix}${name.slice(present.length)}`)
  }
  await makeRoles(owner, plan, passwords)
  if (!moves) return
  const statements = [...(isShared ? await moved(owner, present, prefix) : []), ...(await renamedTexts(owner, present, prefix))]
  for (const statement of statements) await owner.query(statement)
}

/**
 * The roles alone, without migrations.
 * @param prefix - instead of what the database's name says: for databases of tests, which share theirs
 * @returns what their names begin with
 */
export const ensureRoles = async (owner: Owner, passwords: Readonly<Record<DatabaseRole, string>>, prefix?: string): Promise<string> => {
  const plan = prefix === undefined ? await planRoles(owner) : { database: prefix, prefix }
  if ('present' in plan) await applyRoles(owner, plan, passwords)
  else await makeRoles(owner, plan, passwords)
  return plan.prefix
}

/**
 * Makes the roles that a dump names, so that it can be restored; the first start gives the database its own. Those that are there belong to a database of
 * this server and stay as they are.
 * @param names - of the roles of the database that was dumped
 */
export const makeRolesOfDump = async (
  owner: Owner,
  passwords: Readonly<Record<DatabaseRole, string>>,
  names: readonly string[],
): Promise<void> => {
  const prefix = names.map(name => /^(kaopu\w*)_platform$/.exec(name)?.[1]).find(one => one !== undefined) ?? logical
  await makeRoles(owner, { database: prefix, prefix }, passwords, true)
}

/**
 * Lets an owner who is no superuser meet the rows of every table while `work` runs, within the transaction: forced row-level security binds the owner
 * too, who would meet no row, be told nothing, and be refused a row of a table that was just made. The platform's policy is everywhere, and counts
 * for its members.
 */
export const asPlatform = async (owner: Owner, prefix: string, work: () => Promise<void>): Promise<void> => {
  const platform = roleName(prefix, 'kaopu_platform')
  const [state] = await rowsOf<{ isBound: boolean; isOld: boolean; name: string }>(
    owner,
    `select not (rolsuper or rolbypassrls or pg_has_role($1, 'usage')) as "isBound", current_setting('server_version_num')::int < 160000 as "isOld", quote_ident(rolname) as name
     from pg_roles where rolname = current_user`,
    [platform],
  )
  if (!state?.isBound) return work()
  await owner.query(`grant ${platform} to ${state.name}${state.isOld ? '' : ' with inherit true, set false'}`)
  await work()
  await owner.query(`revoke ${platform} from ${state.name}`)
}
