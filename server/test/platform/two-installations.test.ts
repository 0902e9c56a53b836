import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { prepareDatabase } from '#kernel/db/migrate.ts'
import { databaseRoles, openOwnerPool, roleName, urlFor } from '#kernel/db/pool.ts'
import { prefixesFor, withRoles } from '#kernel/db/roles.ts'
import { createLog } from '#kernel/log.ts'
import { loadSecrets, type Secrets } from '#kernel/secrets.ts'
import { type Application, createApplication } from '#server/app.ts'
import { loadConfig } from '#server/config.ts'
import { operateCommand } from '../support/operate-docs.ts'

/** Two installations on one database server, each with keys and passwords of its own. */
const log = createLog('silent')
interface Installation {
  readonly database: string
  readonly url: string
  readonly secrets: Secrets
  readonly dataDir: string
}
let admin: pg.Client
const made: Installation[] = []
/** A copy of a database, by default of the one of this run, has its roles: as installations of before, and as one that was restored beside itself. */
const create = async (database: string, template = inject('template')): Promise<Installation> => {
  await admin.query(`create database ${pg.escapeIdentifier(database)} template ${pg.escapeIdentifier(template)}`)
  const url = new URL(inject('adminUrl'))
  url.pathname = `/${database}`
  const dataDir = await mkdtemp(join(tmpdir(), 'kaopu-two-'))
  const installation = { database, url: url.href, secrets: await loadSecrets({ dataDir }), dataDir }
  made.push(installation)
  return installation
}
const prepare = async ({ url, secrets }: Installation): Promise<string> => {
  const owner = openOwnerPool(url, log)
  try {
    return (await prepareDatabase(owner, log, { passwords: secrets.databasePasswords })).prefix
  } finally {
    await owner.end()
  }
}
const start = ({ url, secrets, dataDir }: Installation): Promise<Application> =>
  createApplication({
    config: loadConfig({ KAOPU_PROFILE: 'test', KAOPU_DATA: dataDir, KAOPU_TEST_CAPTCHA: 'abcde' }),
    secrets,
    databaseUrl: url,
    log,
    withoutWorker: true,
  })
const within = async <T>({ url }: Installation, text: string): Promise<T[]> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<T & pg.QueryResultRow>(text)).rows
  } finally {
    await client.end()
  }
}
/** Who may do what: policies and rights of every table, with the roles' names. */
const rights = (installation: Installation) =>
  within<{ line: string }>(
    installation,
    `select format('%s %s %s %s %s', tablename, case policyname when 'kaopu_worker' then 'queue' else policyname end, roles, qual, with_check) as line from pg_policies
     union all select format('%s %s %s', c.oid::regclass, privilege_type, grantee::regrole) from pg_class c, aclexplode(relacl) where relnamespace in ('public'::regnamespace, 'graphile_worker'::regnamespace)
     union all select format('%s %s', oid::regprocedure, prosrc) from pg_proc where pronamespace = 'public'::regnamespace and prosrc like '%kaopu%'
     order by 1`,
  ).then(rows => rows.map(({ line }) => line).sort())
const logsIn = async ({ url, secrets }: Installation, prefix: string): Promise<string[]> => {
  const failed: string[] = []
  for (const role of databaseRoles) {
    const client = new pg.Client({ connectionString: urlFor(url, roleName(prefix, role), secrets.databasePasswords[role]) })
    await client.connect().then(
      () => client.end(),
      (error: Error) => failed.push(`${role}: ${error.message}`),
    )
  }
  return failed
}

beforeAll(async () => {
  admin = new pg.Client({ connectionString: inject('adminUrl') })
  await admin.connect()
})
afterAll(async () => {
  for (const { database, dataDir } of made) {
    await admin.query(`drop database if exists ${pg.escapeIdentifier(database)} with (force)`)
    await rm(dataDir, { recursive: true, force: true })
  }
  const { rows } = await admin.query<{ role: string }>(
    `select rolname as role from pg_roles where shobj_description(oid, 'pg_authid') like 'Login role of Kaopu for the database ${process.pid}%'`,
  )
  for (const { role } of rows) await admin.query(`drop role ${role}`)
  await admin.end()
})

test('upgrade › two installations on one database server run beside each other, each with its own secrets', async () => {
  const [one, other] = [await create(`${process.pid}-one`), await create(`${process.pid}-other`)]
  const prefixes = [await prepare(one), await prepare(other)] as const
  const apps = [await start(one), await start(other)]
  const answers = await Promise.all(apps.map(app => app.server.inject({ method: 'GET', url: '/api/blade-auth/oauth/captcha' })))

  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200])
  expect(new Set(prefixes).size).toBe(2)
  expect([await logsIn(one, prefixes[0]), await logsIn(other, prefixes[1])]).toEqual([[], []])
  // No right and no text of one names a role of another.
  const named = new Set((await rights(one)).flatMap(line => line.match(/\bkaopu\w*_(?=(staff|candidate|system|platform)\b)/g) ?? []))
  expect([...named]).toEqual([`${prefixes[0]}_`])
  await Promise.all(apps.map(app => app.close()))
})

describe('upgrade › installations that shared their roles get their own', () => {
  test('new ones with every right and policy where another has them too, the same under another name where it is alone', async () => {
    const one = await create(`${process.pid}a`)
    const before = await rights(one)
    const first = await prepare(one)
    expect(first).toBe(prefixesFor(one.database, '')[0])
    expect(await rights(one)).toEqual(before.map(line => withRoles(line, first)).sort())
    expect(await logsIn(one, first)).toEqual([])

    const copy = await create(`${process.pid}b`, one.database)
    const second = await prepare(copy)
    expect(second).toBe(prefixesFor(copy.database, '')[0])
    expect(await rights(copy)).toEqual(before.map(line => withRoles(line, second)).sort())
    // Nothing of the first has changed: whatever runs on it goes on.
    expect(await rights(one)).toEqual(before.map(line => withRoles(line, first)).sort())
    expect([await logsIn(one, first), await logsIn(copy, second)]).toEqual([[], []])

    await admin.query(`alter database "${copy.database}" rename to "${process.pid}d"`)
    const url = new URL(copy.url)
    url.pathname = `/${process.pid}d`
    const renamed = { ...copy, database: `${process.pid}d`, url: url.href }
    made.push(renamed)
    const third = await prepare(renamed)
    expect(third).toBe(prefixesFor(renamed.database, '')[0])
    expect(await rights(renamed)).toEqual(before.map(line => withRoles(line, third)).sort())
    expect(await logsIn(renamed, third)).toEqual([])
    expect((await admin.query('select from pg_roles where starts_with(rolname, $1)', [`${second}_`])).rowCount).toBe(0)
    // And a start finds nothing to do.
    expect([await prepare(one), await prepare(renamed)]).toEqual([first, third])
  })

  test('a role of that name which belongs to somebody else is left alone', async () => {
    const third = await create(`${process.pid}c`)
    const [usual, instead] = prefixesFor(
      third.database,
      String((await within<{ oid: string }>(third, `select oid::text from pg_database where datname = current_database()`))[0]?.oid),
    )
    await admin.query(`create role ${usual}_system login password 'of something else'`)

    expect(await prepare(third)).toBe(instead)
    const client = new pg.Client({ connectionString: urlFor(third.url, `${usual}_system`, 'of something else') })
    await client.connect()
    await client.end()
    await admin.query(`drop role ${usual}_system`)
  })
})

/** An operator's commands, as a paper prints them, on one installation with the keys of this run. */
const operate = ({ url, dataDir }: Installation, text: string): Promise<{ code: number; said: string; complained: string }> =>
  new Promise(done => {
    const env = {
      PATH: process.env['PATH'],
      KAOPU_PROFILE: 'test',
      KAOPU_DATA: dataDir,
      KAOPU_SECRETS_FILE: join(inject('dataDir'), 'secrets.json'),
      DATABASE_URL: url,
      npm_config_update_notifier: 'false',
    }
    execFile('bash', ['-e', '-c', text], { cwd: join(import.meta.dirname, '../../..'), env }, (error, said, complained) =>
      done({ code: error === null ? 0 : Number(error.code ?? -1), said, complained }),
    )
  })

test('upgrade › the paper tries an upgrade, which changes nothing, and carries it out', async () => {
  const fourth = await create(`${process.pid}e`)
  const own = prefixesFor(fourth.database, '')[0]
  const before = await rights(fourth)

  expect(await operate(fourth, operateCommand('upgrade-dry-run'))).toMatchObject({
    code: 0,
    said: expect.stringContaining(
      `0 migrations, 0 ms. Everything was taken back.\nStop every process of Kaopu for the upgrade: the login roles kaopu_… become ${own}_…, which belong to this database alone`,
    ),
  })
  expect(await rights(fourth)).toEqual(before)

  expect(await operate(fourth, operateCommand('upgrade-migrate'))).toMatchObject({
    code: 0,
    said: expect.stringContaining('The database is at this release; 0 migrations ran.'),
  })
  expect(await rights(fourth)).toEqual(before.map(line => withRoles(line, own)).sort())
  expect((await operate(fourth, operateCommand('upgrade-dry-run'))).said).toContain('The database is at this release: nothing to migrate.')
  expect(await operate(fourth, 'npm run migrate -- --colour')).toMatchObject({
    code: 1,
    complained: expect.stringContaining("Unknown option '--colour'"),
  })
})

test('an operator who names another beginning gets roles of that name, and keeps them at the next start', async () => {
  const named = await create('kaopu_two_named')
  const city = 'kaopu_two_city'
  const [, statement = ''] =
    /--command "(.+)"/.exec(
      operateCommand('upgrade-role-prefix', { 'database kaopu ': `database ${named.database} `, kaopu_city: city }),
    ) ?? []
  await within(named, statement)

  expect(await prepare(named)).toBe(city)
  expect(await prepare(named)).toBe(city)
  const roles = await within<{ name: string }>(named, `select rolname as name from pg_roles where rolname like '${city}%' order by 1`)
  expect(roles.map(({ name }) => name)).toEqual(databaseRoles.map(role => roleName(city, role)).sort())
  await within(named, `alter database ${named.database} set app.role_prefix = 'other'`)
  await expect(prepare(named)).rejects.toThrow(
    /app\.role_prefix of the database kaopu_two_named is "other"; names of Kaopu's roles begin with kaopu/,
  )
})
