import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import pg, { type Pool, type PoolClient } from 'pg'
import type { Log } from '../log.ts'
import { type DatabaseRole, databaseRoles, narrowRoles } from './pool.ts'

const folder = fileURLToPath(new URL('../../../migrations/', import.meta.url))
/** One starter at a time, whatever the number of processes. */
const migrationLock = 7300_0001

interface Migration {
  readonly name: string
  readonly text: string
  readonly checksum: string
}

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

/** Attributes that no login role of the application has. */
const forbidden = ['superuser', 'bypassrls', 'createdb', 'createrole'] as const

/**
 * Makes the login roles that row-level security knows, or brings their passwords up to date. The owner may be an ordinary user with
 * `createrole`: only a superuser may so much as name some of the attributes of a role that is there, so they are looked at and left alone.
 * Throws the sentence to print for a role that has more than it should.
 */
export const ensureRoles = async (
  owner: Pick<pg.ClientBase, 'query'>,
  passwords: Readonly<Record<DatabaseRole, string>>,
): Promise<void> => {
  for (const role of databaseRoles) {
    const { rows } = await owner.query<Record<(typeof forbidden)[number], boolean>>(
      'select rolsuper as superuser, rolbypassrls as bypassrls, rolcreatedb as createdb, rolcreaterole as createrole from pg_roles where rolname = $1',
      [role],
    )
    const tooMuch = forbidden.filter(attribute => rows[0]?.[attribute])
    if (tooMuch.length > 0)
      throw new Error(
        `The database role ${role} has the attributes ${tooMuch.join(', ')}, which would open every tenant to it. Have a superuser run: alter role ${role} ${tooMuch.map(attribute => `no${attribute}`).join(' ')}`,
      )
    const how = rows[0] ? 'alter role' : 'create role'
    await owner.query(`${how} ${role} login password ${pg.escapeLiteral(passwords[role])}`)
  }
  for (const [role, narrow] of Object.entries(narrowRoles)) {
    const { rows } = await owner.query<{ isMember: boolean; isOld: boolean }>(
      `select pg_has_role($1, $2, 'usage') as "isMember", current_setting('server_version_num')::int < 160000 as "isOld"`,
      [narrow, role],
    )
    // Rights and policies come along, the way out does not; PostgreSQL 15 cannot tell the two apart.
    if (!rows[0]?.isMember) await owner.query(`grant ${role} to ${narrow}${rows[0]?.isOld ? '' : ' with inherit true, set false'}`)
  }
}

/** What the catalogue says about our tables, columns, keys, policies and grants, a line each. */
export const catalogueLines = async (client: Pick<PoolClient, 'query'>): Promise<string[]> => {
  const { rows } = await client.query<{ line: string }>(`
    select format('column %s.%s %s %s %s', table_name, column_name, udt_name, is_nullable, coalesce(column_default, '')) as line
      from information_schema.columns where table_schema = 'public'
    union all select format('index %s', indexdef) from pg_indexes where schemaname = 'public'
    union all select format('policy %s %s %s %s %s %s', tablename, policyname, roles, cmd, qual, with_check) from pg_policies where schemaname = 'public'
    union all select format('constraint %s %s', conrelid::regclass, pg_get_constraintdef(oid)) from pg_constraint where connamespace = 'public'::regnamespace and contype <> 'n'
    union all select format('security %s %s %s', relname, relrowsecurity, relforcerowsecurity) from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
    order by 1`)
  return rows.map(row => row.line)
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

const verify = async (client: PoolClient, migration: Migration): Promise<void> => {
  for (const [, statement] of migration.text.matchAll(/^-- verify: (.+)$/gm)) {
    await client.query(`set local app.now = '2024-01-01T00:00:00Z'`)
    await client.query(statement ?? '')
  }
}

const changesRows = /^\s*(update|insert|delete|merge|with)\b/im
/**
 * The owner's tables whose row-level security binds the owner too, for a migration that changes rows: an owner who is no superuser would meet no
 * row and be told nothing. All of them, as triggers write elsewhere.
 */
const boundTables = async (client: PoolClient, text: string): Promise<string[]> => {
  if (!changesRows.test(text)) return []
  const { rows } = await client.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c join pg_roles r on r.oid = c.relowner
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relforcerowsecurity and r.rolname = current_user
       and not r.rolsuper and not r.rolbypassrls`,
  )
  return rows.map(row => row.name)
}

/** Lets the owner see every row while `work` runs, within the transaction: nobody else meets a table that is open. */
const unbound = async (client: PoolClient, tables: readonly string[], work: () => Promise<void>): Promise<void> => {
  for (const table of tables) await client.query(`alter table ${table} no force row level security`)
  await work()
  for (const table of tables) {
    const { rows } = await client.query<{ isThere: boolean }>(`select to_regclass($1) is not null as "isThere"`, [table])
    if (rows[0]?.isThere) await client.query(`alter table ${table} force row level security`)
  }
}

/** The first migration whose structure comes whole out of a dump. */
const restorable = '1080_names_with_their_schema.sql'
/** Tables that the migrations made and nobody dropped, by their texts. */
const tablesOf = (migrations: readonly Migration[]): string[] => {
  const tables = new Set<string>()
  for (const { text } of migrations)
    for (const [, made, gone, former, renamed] of text.matchAll(
      /^\s*(?:create table (?:if not exists )?(\w+)|drop table (?:if exists )?(\w+)|alter table (\w+) rename to (\w+))/gim,
    )) {
      for (const name of [gone, former]) tables.delete(name ?? '')
      for (const name of [made, renamed]) if (name !== undefined) tables.add(name)
    }
  return [...tables].sort()
}

/** What to say of a structure that differs from what the migrations made. */
const difference = async (client: PoolClient, applied: readonly Migration[]): Promise<string> => {
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

/**
 * Brings the database to the newest migration. Refuses to start (throws with the sentence to print) when a merged migration was
 * edited, when the database is newer than the program, or when somebody changed the catalogue by hand.
 * @param upTo - the last one to run; a test makes the database of a former release with it
 */
export const migrate = async (owner: Pool, log: Log, upTo?: string): Promise<number> => {
  const migrations = (await readMigrations()).filter(({ name }) => upTo === undefined || name <= upTo)
  const client = await owner.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [migrationLock])
    await client.query(
      'create table if not exists schema_migration (name text primary key, checksum text not null, catalogue text not null, applied_at timestamptz not null default clock_timestamp())',
    )
    const { rows: applied } = await client.query<{ name: string; checksum: string; catalogue: string }>(
      'select name, checksum, catalogue from schema_migration order by applied_at, name',
    )
    const known = new Map(migrations.map(migration => [migration.name, migration]))
    for (const row of applied) {
      const migration = known.get(row.name)
      if (!migration)
        throw new Error(`The database is newer than this program: it has the migration ${row.name}. Install the matching release.`)
      if (migration.checksum !== row.checksum)
        throw new Error(`The migration ${row.name} was changed after it was applied. Restore the file; write a new migration instead.`)
    }
    const pending = migrations.filter(migration => !applied.some(row => row.name === migration.name))
    const last = applied.at(-1)
    // A run that broke off between two migrations wrote nothing down; the rest of it is still to be done.
    if (last && !(last.catalogue === unfinished && pending.length > 0)) {
      const lines = await catalogueLines(client)
      if (last.catalogue === wordDigest(lines))
        await client.query('update schema_migration set catalogue = $2 where name = $1', [last.name, structureDigest(lines)])
      else if (last.catalogue !== structureDigest(lines))
        throw new Error(
          await difference(
            client,
            migrations.filter(({ name }) => applied.some(row => row.name === name)),
          ),
        )
    }
    for (const migration of pending) {
      await client.query('begin')
      try {
        await client.query(`set local app.now = '2024-01-01T00:00:00Z'`)
        await unbound(client, await boundTables(client, migration.text), async () => {
          await client.query(migration.text)
          await verify(client, migration)
        })
        await client.query('insert into schema_migration (name, checksum, catalogue) values ($1, $2, $3)', [
          migration.name,
          migration.checksum,
          // Reading it takes longer than most migrations, and a start looks at the last one alone.
          migration === pending.at(-1) ? structureDigest(await catalogueLines(client)) : unfinished,
        ])
        await client.query('commit')
      } catch (error) {
        await client.query('rollback')
        throw new Error(`The migration ${migration.name} failed: ${(error as Error).message}`, { cause: error })
      }
      log.info({ migration: migration.name }, 'migrated')
    }
    return pending.length
  } finally {
    await client.query('select pg_advisory_unlock($1)', [migrationLock]).catch(() => undefined)
    client.release()
  }
}

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
