import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Pool } from 'pg'
import type { Log } from '../log.ts'
import { StartRefusal } from './embedded-binaries.ts'
import { type DatabaseRole, databaseRoles, roleName } from './pool.ts'
import { applyRoles, asPlatform, type Owner, planRoles, presentPrefix, withRoles } from './roles.ts'

const folder = fileURLToPath(new URL('../../../migrations/', import.meta.url))
/** One starter at a time, whatever the number of processes. */
export const migrationLock = 7300_0001

export interface Migration {
  readonly name: string
  readonly text: string
  readonly checksum: string
}

/** Version of this program. */
const readRelease = async (): Promise<string> =>
  (JSON.parse(await readFile(new URL('../../../../package.json', import.meta.url), 'utf8')) as { version: string }).version

const listMigrations = async (): Promise<string[]> => (await readdir(folder)).filter(name => /^\d{4}_[a-z0-9_]+\.sql$/.test(name)).sort()

const readMigrations = async (): Promise<Migration[]> =>
  Promise.all(
    (await listMigrations()).map(async name => {
      const text = await readFile(folder + name, 'utf8')
      return { name, text, checksum: createHash('sha256').update(text).digest('hex') }
    }),
  )

/** Changes whenever a migration does: names the template database of the tests. */
export const migrationsDigest = async (): Promise<string> => {
  const hash = createHash('sha256')
  for (const migration of await readMigrations()) hash.update(migration.checksum)
  return hash.digest('hex').slice(0, 16)
}

/** What the catalogue says about our tables, columns, keys and policies, a line each. @param prefix - of the roles; the lines have `kaopu` in its place */
export const catalogueLines = async (client: Owner, prefix = 'kaopu'): Promise<string[]> => {
  const { rows } = await client.query<{ line: string }>(`
    select format('column %s.%s %s %s %s', table_name, column_name, udt_name, is_nullable, coalesce(column_default, '')) as line
      from information_schema.columns where table_schema = 'public'
    union all select format('index %s', indexdef) from pg_indexes where schemaname = 'public'
    union all select format('policy %s %s %s %s %s %s', tablename, policyname, roles, cmd, qual, with_check) from pg_policies where schemaname = 'public'
    union all select format('constraint %s %s', conrelid::regclass, pg_get_constraintdef(oid)) from pg_constraint where connamespace = 'public'::regnamespace and contype <> 'n'
    union all select format('security %s %s %s', relname, relrowsecurity, relforcerowsecurity) from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
    order by 1`)
  return rows.map(row => withRoles(row.line, 'kaopu', prefix))
}

/** As releases before ADR 0237 wrote it down: word by word. */
export const wordDigest = (lines: readonly string[]): string => createHash('sha256').update(lines.join('\n')).digest('hex')

const casts =
  /::(?:character varying|double precision|bit varying|time(?:stamp)? with(?:out)? time zone|"?\w+"?)(?:\(\d+(?:,\d+)?\))?(?:\[\])?/g
/**
 * One digest of the structure. PostgreSQL writes a condition in other words after it has read its own, as when a dump is restored: parentheses fall
 * away and casts move. They do not count, so that a restored installation starts (ADR 0237).
 */
export const structureDigest = (lines: readonly string[]): string =>
  wordDigest(lines.map(line => line.replace(casts, '').replace(/[()\s]/g, '')).sort())

const verify = async (client: Owner, text: string): Promise<void> => {
  for (const [, statement] of text.matchAll(/^-- verify: (.+)$/gm)) {
    await client.query(`set local app.now = '2024-01-01T00:00:00Z'`)
    await client.query(statement ?? '')
  }
}

/** The first migration whose structure comes whole out of a dump. */
const restorable = '1080_names_with_their_schema.sql'
/** Tables that the migrations made and nobody dropped, by their texts. */
const tablesOf = (migrations: readonly Migration[]): string[] => {
  const tables = new Set<string>()
  for (const { text } of migrations)
    for (const [, made, gone, former, renamed] of text.matchAll(
      /^\s*(?:create table (?:if not exists )?(?:public\.)?(\w+)|drop table (?:if exists )?(?:public\.)?(\w+)|alter table (?:public\.)?(\w+) rename to (\w+))/gim,
    )) {
      for (const name of [gone, former]) tables.delete(name ?? '')
      for (const name of [made, renamed]) if (name !== undefined) tables.add(name)
    }
  return [...tables].sort()
}

/** What to say of a structure that differs from what the migrations made. */
const difference = async (client: Owner, applied: readonly Migration[]): Promise<string> => {
  const { rows } = await client.query<{ name: string }>(
    `select name from unnest($1::text[]) name where to_regclass('public.' || quote_ident(name)) is null order by name`,
    [tablesOf(applied)],
  )
  if (rows.length === 0) return 'The database structure differs from what the migrations made. Undo the manual change, then start again.'
  const missing = `The database lacks tables that the migrations made: ${rows.map(({ name }) => name).join(', ')}.`
  if (applied.some(({ name }) => name >= restorable))
    return `${missing} Restore the backup again into an empty database and mend the first error that it reports, then start again.`
  return [
    `${missing} A dump that was taken before the migration ${restorable.slice(0, 4)} loses them when it is restored as it is; they are in the dump.`,
    'Restore it again into an empty database like this, then start again:',
    `  pg_restore --file=- DUMP | sed "s/set_config('search_path', '', false)/set_config('search_path', 'public', false)/" | psql --dbname=DATABASE`,
    'where DUMP is the file (of a dump in plain SQL: cat DUMP instead of pg_restore). docs/operate/upgrade.md has more.',
  ].join('\n')
}

/** In the place of the digest of a structure that more migrations were to change in the same run. */
const unfinished = ''

/** Why the release before cannot run beside a migration; undefined where its head says that it can, which was not tested before 1080. */
const exclusivity = ({ name, text }: Migration): string | undefined => {
  const head = text.split(/^(?!--)/m)[0] ?? ''
  if (name >= restorable && /\bcompatible(?:: yes|: the release before keeps running| with the release before)\b/.test(head))
    return undefined
  const reason = /\b(?:exclusive:|compatible: no,?) (.+)/.exec(head)?.[1] ?? 'it does not say that the release before keeps running'
  return `${name.slice(0, -4)} (${reason})`
}

interface Applied {
  readonly name: string
  readonly checksum: string
  readonly catalogue: string
  /** Version of the program that ran it; null before 1081. */
  readonly release: string | null
  readonly isCompatible: boolean
}

const readApplied = async (client: Owner): Promise<Applied[]> => {
  await client.query(
    'create table if not exists schema_migration (name text primary key, checksum text not null, catalogue text not null, applied_at timestamptz not null default clock_timestamp())',
  )
  // Columns of later migrations are read as JSON: they need not be there yet.
  const { rows } = await client.query<Applied>(
    `select name, checksum, catalogue, to_jsonb(m) ->> 'release' as release, coalesce((to_jsonb(m) ->> 'is_compatible')::boolean, false) as "isCompatible"
     from schema_migration m order by applied_at, name`,
  )
  return rows
}

/** Refuses a database that this program does not fit. @returns the migrations that are still to run */
const pendingOf = (migrations: readonly Migration[], applied: readonly Applied[], log: Log): Migration[] => {
  const known = new Map(migrations.map(migration => [migration.name, migration]))
  const later = applied.filter(({ name }) => !known.has(name))
  const isNextRelease = later.every(({ isCompatible }) => isCompatible) && new Set(later.map(({ release }) => release)).size <= 1
  if (!isNextRelease)
    throw new StartRefusal(
      `The database is newer than this program: it has the migration ${later.find(({ isCompatible }) => !isCompatible)?.name ?? later[0]?.name}. Install the matching release.`,
    )
  if (later.length > 0)
    log.warn(
      { migrations: later.map(({ name }) => name), release: later[0]?.release },
      'the next release has migrated the database; this one keeps running',
    )
  for (const { name, checksum } of applied) {
    const migration = known.get(name)
    if (migration && migration.checksum !== checksum)
      throw new StartRefusal(`The migration ${name} was changed after it was applied. Restore the file; write a new migration instead.`)
  }
  return migrations.filter(migration => !applied.some(row => row.name === migration.name))
}

/** Refuses a structure that somebody changed, or that a restore did not bring back whole. */
const checkStructure = async (
  client: Owner,
  prefix: string,
  migrations: readonly Migration[],
  applied: readonly Applied[],
  isUnfinished: boolean,
): Promise<void> => {
  const last = applied.at(-1)
  // A run that broke off between two migrations wrote nothing down; the rest of it is still to be done.
  if (!last || (last.catalogue === unfinished && isUnfinished)) return
  const lines = await catalogueLines(client, prefix)
  if (last.catalogue === wordDigest(lines))
    await client.query('update schema_migration set catalogue = $2 where name = $1', [last.name, structureDigest(lines)])
  else if (last.catalogue !== structureDigest(lines))
    throw new StartRefusal(
      await difference(
        client,
        migrations.filter(({ name }) => applied.some(row => row.name === name)),
      ),
    )
}

interface Session {
  readonly pid: number
  readonly role: string
  readonly address: string | null
  readonly since: Date | null
}
/** Sessions of the product on this database, of any process. An owner without the right to see more sees their number and role only. */
const sessionsOf = async (client: Owner, prefix: string): Promise<Session[]> => {
  const { rows } = await client.query<Session>(
    `select pid, usename as role, client_addr::text as address, backend_start as since from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and usename = any($1) order by pid`,
    [databaseRoles.map(role => roleName(prefix, role))],
  )
  return rows
}
const sayOf = ({ pid, role, address, since }: Session): string =>
  `  database session ${pid} of ${role}${address === null ? '' : ` from ${address}`}${since === null ? '' : `, open since ${since.toISOString()}`}`

/** A process that was stopped a moment ago may still have a session. */
const goneTries = 10
const goneWaitMs = 300
const refuseWhileOthersRun = async (client: Owner, prefix: string, why: readonly string[] | 'trial'): Promise<void> => {
  for (let attempt = 1; ; attempt += 1) {
    const sessions = await sessionsOf(client, prefix)
    if (sessions.length === 0) return
    if (attempt === goneTries)
      throw new StartRefusal(
        (why === 'trial'
          ? [
              'A trial holds the locks of every step to its end, and processes of Kaopu are connected, whose calls would wait for it:',
              ...sessions.map(sayOf),
              'Stop them and try again, or restore a backup into another database and set DATABASE_URL to that. Nothing was changed.',
            ]
          : [
              'This release changes the database in a way that running processes of the release before cannot follow, and some are connected:',
              ...sessions.map(sayOf),
              'Stop every process of Kaopu on this database, then start again. Nothing was changed. What cannot run beside them:',
              ...why.map(line => `  ${line}`),
            ]
        ).join('\n'),
      )
    await delay(goneWaitMs)
  }
}

/** Well below the second after which PostgreSQL looks for deadlocks: it is the migration that gives way, not somebody's submit. */
const lockWaitMs = 300
const lockTries = 100
const gaveWay = new Set(['55P03', '40P01', '40001'])
/** One transaction that is tried again while others hold what it needs. */
const patiently = async <T>(client: Owner, log: Log, name: string, work: () => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt += 1) {
    await client.query('begin')
    try {
      await client.query(
        `set local lock_timeout = ${lockWaitMs}; set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0; set local app.now = '2024-01-01T00:00:00Z'`,
      )
      const result = await work()
      await client.query('commit')
      return result
    } catch (error) {
      await client.query('rollback')
      const cause = (error as { cause?: { code?: string } }).cause ?? (error as { code?: string })
      if (!gaveWay.has(cause.code ?? '')) throw error
      if (attempt === lockTries)
        throw new StartRefusal(
          `${(error as Error).message}. It was tried ${lockTries} times; long transactions are in its way (pg_stat_activity shows them). Nothing of it was kept; start again when they have ended.`,
          { cause: error },
        )
      log.info({ name, attempt }, 'migration gave way to a lock and is tried again')
      await delay(Math.min(attempt, 5) * 100)
    }
  }
}

/** What one migration did in a trial. */
export interface Tried {
  readonly name: string
  readonly durationMs: number
  /** Tables that nobody else could read meanwhile, and those that nobody else could write. */
  readonly closed: readonly string[]
  readonly readOnly: readonly string[]
}

/** Tables of before the run that this transaction has closed by now, by the strength of the lock. */
const locksHeld = async (client: Owner, there: ReadonlySet<string>): Promise<{ closed: string[]; readOnly: string[] }> => {
  const { rows } = await client.query<{ name: string; isClosed: boolean }>(
    `select c.oid::regclass::text as name, bool_or(mode = 'AccessExclusiveLock') as "isClosed" from pg_locks l join pg_class c on c.oid = relation
     where pid = pg_backend_pid() and mode in ('AccessExclusiveLock', 'ExclusiveLock', 'ShareRowExclusiveLock', 'ShareLock') and relkind in ('r', 'p') group by 1 order by 1`,
  )
  const known = rows.filter(({ name }) => there.has(name))
  return {
    closed: known.filter(row => row.isClosed).map(row => row.name),
    readOnly: known.filter(row => !row.isClosed).map(row => row.name),
  }
}
const tableNames = async (client: Owner): Promise<Set<string>> =>
  new Set(
    (await client.query<{ name: string }>(`select oid::regclass::text as name from pg_class where relkind in ('r', 'p')`)).rows.map(
      ({ name }) => name,
    ),
  )

/** Runs one migration with the names of this database's roles, in the caller's transaction. */
const runOne = async (client: Owner, prefix: string, migration: Migration, digest: () => Promise<string>): Promise<void> => {
  try {
    await asPlatform(client, prefix, async () => {
      const text = withRoles(migration.text, prefix)
      await client.query(text)
      await verify(client, text)
      // What is checked at the end of a transaction is checked here: the next one may change the same tables.
      await client.query('set constraints all immediate')
    })
    await client.query('insert into schema_migration (name, checksum, catalogue) values ($1, $2, $3)', [
      migration.name,
      migration.checksum,
      await digest(),
    ])
  } catch (error) {
    throw new Error(`The migration ${migration.name} failed: ${(error as Error).message}`, { cause: error })
  }
}

const noteRelease = async (client: Owner, names: readonly string[], compatible: readonly string[], release: string): Promise<void> => {
  const { rows } = await client.query(`select from pg_attribute where attrelid = 'schema_migration'::regclass and attname = 'release'`)
  if (rows.length > 0)
    await client.query('update schema_migration set release = $1, is_compatible = name = any($3) where name = any($2)', [
      release,
      names,
      compatible,
    ])
}

export interface Preparation {
  /** Migrations that ran. */
  readonly migrated: number
  /** What the names of the database's login roles begin with. */
  readonly prefix: string
  /** What each did, of a trial. */
  readonly tried: readonly Tried[]
  /** What cannot run beside the release before, and why. */
  readonly exclusive: readonly string[]
}
interface Wishes {
  /** Undefined: the roles stay as they are. */
  readonly passwords?: Readonly<Record<DatabaseRole, string>>
  /** The last migration to run; a test makes the database of a former release with it. */
  readonly upTo?: string | undefined
  /** Migrations that may be run in the place of the program's own, by tests of how they are run. */
  readonly migrations?: readonly Migration[]
  /** Everything is taken back at its end. */
  readonly isTrial?: boolean
  readonly release?: string
}

const taken = Symbol('taken back')

/**
 * Brings roles and tables of the database to what this program needs. Migrations that the release before can live with run one by one, and give way to
 * whoever works; where one of them, or a change of the roles' names, needs the database for itself, all run in one transaction, and not while other
 * processes are connected. So a failure leaves a database that the release before can start on (ADR 0241).
 * @throws StartRefusal with the sentence to print: a database that is newer, changed by hand, in use, or not restored whole
 */
export const prepareDatabase = async (owner: Pool, log: Log, wishes: Wishes): Promise<Preparation> => {
  const { passwords, upTo, isTrial = false, release = await readRelease() } = wishes
  const migrations = (wishes.migrations ?? (await readMigrations())).filter(({ name }) => upTo === undefined || name <= upTo)
  const client = await owner.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [migrationLock])
    const plan = passwords === undefined ? undefined : await planRoles(client)
    const present = plan ? plan.present : await presentPrefix(client)
    const prefix = plan?.prefix ?? present ?? 'kaopu'
    const applied = await readApplied(client)
    const pending = pendingOf(migrations, applied, log)
    await checkStructure(client, present ?? prefix, migrations, applied, pending.length > 0)
    const exclusive = applied.length === 0 ? [] : pending.map(exclusivity).filter(reason => reason !== undefined)
    const isMoved = present !== undefined && present !== prefix
    const why = [...(isMoved ? [`the login roles ${present}_… become ${prefix}_…, which belong to this database alone`] : []), ...exclusive]
    const structure = async (): Promise<string> => structureDigest(await catalogueLines(client, prefix))
    const compatible = pending.filter(one => exclusivity(one) === undefined).map(({ name }) => name)
    const roles = async (): Promise<void> => {
      if (plan && passwords) await applyRoles(client, plan, passwords)
    }
    const tried: Tried[] = []
    const together = async (): Promise<void> => {
      await roles()
      const there = isTrial ? await tableNames(client) : new Set<string>()
      for (const migration of pending) {
        const began = performance.now()
        // Reading it takes longer than most migrations, and a start looks at the last one alone.
        await runOne(client, prefix, migration, async () => (migration === pending.at(-1) ? structure() : unfinished))
        log.info({ migration: migration.name }, 'migrated')
        if (isTrial)
          tried.push({
            name: migration.name,
            durationMs: Math.round(performance.now() - began),
            ...(await locksHeld(client, there)),
          })
      }
      await noteRelease(
        client,
        pending.map(({ name }) => name),
        compatible,
        release,
      )
    }
    if (isTrial || applied.length === 0 || why.length > 0) {
      if (present !== undefined && (isTrial || why.length > 0)) await refuseWhileOthersRun(client, present, isTrial ? 'trial' : why)
      await patiently(client, log, 'all', async () => {
        tried.length = 0
        await together()
        if (isTrial) throw taken
      }).catch(error => {
        if (error !== taken) throw error
      })
    } else {
      await patiently(client, log, 'roles', roles)
      for (const migration of pending)
        await patiently(client, log, migration.name, async () => {
          await runOne(client, prefix, migration, structure)
          await noteRelease(client, [migration.name], compatible, release)
          log.info({ migration: migration.name }, 'migrated')
        })
    }
    return { migrated: pending.length, prefix, tried, exclusive: why }
  } finally {
    await client.query('select pg_advisory_unlock($1)', [migrationLock]).catch(() => undefined)
    client.release()
  }
}

/** Migrations alone, with the roles as they are. @returns how many ran */
export const migrate = async (owner: Pool, log: Log, upTo?: string): Promise<number> =>
  (await prepareDatabase(owner, log, { upTo })).migrated

/** Number of the newest migration of this program. */
export const newestMigration = async (): Promise<number> => Number((await listMigrations()).at(-1)?.slice(0, 4))

/** Which migration of this program the database lacks, in words; undefined where it has them all. */
export const migrationProblem = async (pool: Pick<Pool, 'query'>): Promise<string | undefined> => {
  const { rows } = await pool.query<{ name: string }>('select name from public.schema_migration')
  const applied = new Set(rows.map(({ name }) => name))
  const missing = (await listMigrations()).filter(name => !applied.has(name))
  return missing.length === 0
    ? undefined
    : `the database lacks ${missing.length === 1 ? '' : `${missing.length} migrations, first `}${missing[0]}`
}
