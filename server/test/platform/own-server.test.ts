import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { databaseRoles, roleName } from '#kernel/db/pool.ts'
import { createDiskStore } from '#kernel/files/disk.ts'
import { loadSecrets } from '#kernel/secrets.ts'
import { needProgram } from '../support/debian.ts'
import { operateCommand } from '../support/operate-docs.ts'

// A server of one's own, as an operator has it on Debian: PostgreSQL 15 with its own tools, owned by a role that is no superuser. Part of `npm run test:long`.
const root = fileURLToPath(new URL('../../..', import.meta.url))
const password = 'own-server-7'
let home: string
let port: number
let name: string
const folder = () => `/var/lib/postgresql/15/${name}`
const url = (database: string, role = 'kaopu'): string => `postgresql://${role}:${password}@127.0.0.1:${port}/${database}`

interface Outcome {
  readonly code: number
  readonly said: string
  readonly complained: string
}
const shell = (text: string, env: Readonly<Record<string, string>> = {}): Promise<Outcome> =>
  new Promise(done => {
    const own = { PATH: process.env.PATH, KAOPU_PROFILE: 'test', LANG: 'C.UTF-8' }
    execFile('bash', ['--norc', '-e', '-c', text], { cwd: root, env: { ...own, ...env } }, (error, said, complained) =>
      done({ code: error === null ? 0 : Number(error.code ?? -1), said, complained }),
    )
  })
const ok = async (text: string, env: Readonly<Record<string, string>> = {}): Promise<string> => {
  const { code, said, complained } = await shell(text, env)
  expect(`${code}\n${said}${complained}`).toMatch(/^0\n/)
  return said
}
const ask = async <R extends pg.QueryResultRow>(text: string, database = 'kaopu', values: readonly unknown[] = []): Promise<R[]> => {
  const client = new pg.Client({ connectionString: url(database, 'postgres') })
  await client.connect()
  try {
    return (await client.query<R>(text, [...values])).rows
  } finally {
    await client.end()
  }
}
const freePort = async (): Promise<number> => {
  const probe = createServer()
  await new Promise<void>(done => probe.listen(0, '127.0.0.1', done))
  const { port: free } = probe.address() as AddressInfo
  await new Promise(done => probe.close(done))
  return free
}

interface Program {
  readonly lines: readonly string[]
  readonly stop: (signal?: NodeJS.Signals) => Promise<void>
}
/** The program itself. @returns what it said until it was ready */
const start = async (env: Readonly<Record<string, string>>): Promise<Program> => {
  const child: ChildProcess = spawn(process.execPath, ['server/src/main.mjs'], {
    cwd: root,
    env: { PATH: process.env.PATH, KAOPU_PROFILE: 'test', KAOPU_LOG_LEVEL: 'error', PORT: String(await freePort()), ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines: string[] = []
  for await (const line of createInterface({ input: child.stdout as Readable })) {
    lines.push(line)
    if (line.startsWith('Kaopu is ready at ')) break
  }
  expect(lines.at(-1)).toMatch(/^Kaopu is ready at /)
  return {
    lines,
    stop: async (signal = 'SIGINT') => {
      child.kill(signal)
      await once(child, 'exit')
    },
  }
}
const installation = (database: string, data: string) => ({
  DATABASE_URL: url(database),
  KAOPU_DATA: join(home, data),
  KAOPU_BACKUP_DATABASE_URL: url(database, 'kaopu_backup'),
  KAOPU_PG_TOOLS: '/usr/lib/postgresql/15/bin',
})
const original = () => installation('kaopu', 'data')
const place = () => ({ '/mnt/backup/kaopu': join(home, 'place') })
const withKey = () => ({ ...place(), '/media/second': join(home, 'second') })
const createDatabase = async (database: string, more = ''): Promise<void> => {
  await ask(`create database ${database} owner kaopu encoding 'UTF8' template template0`, 'postgres')
  if (more !== '') await ask(more, 'postgres')
}
const readBack = async (data: string, key: string): Promise<string> => {
  const { fieldRootKey } = await loadSecrets({ dataDir: join(home, data) })
  const store = await createDiskStore({ folder: join(home, data, 'files'), rootKey: fieldRootKey })
  return (await buffer(await store.open(key))).toString()
}

let file: string
beforeAll(async () => {
  if (process.getuid?.() !== 0)
    throw new Error('This test makes a server of PostgreSQL as Debian does it, which only root may: run it as root')
  needProgram('pg_createcluster', 'postgresql-15')
  needProgram('pgbackrest', 'pgbackrest')
  home = await mkdtemp(join(tmpdir(), 'kaopu-own-'))
  await chmod(home, 0o755)
  for (const key of ['first', 'second']) await mkdir(join(home, key))
  port = await freePort()
  name = `kaopu${port}`
  execFileSync('pg_createcluster', ['15', name, '--port', String(port), '--start'], { stdio: 'pipe' })
  execFileSync('runuser', ['-u', 'postgres', '--', 'psql', '-p', String(port), '-c', `alter role postgres password '${password}'`], {
    stdio: 'pipe',
  })
  await ask(`create role kaopu login createrole password '${password}'`, 'postgres')
  // As the paper on backups has it.
  await ask(`create role kaopu_backup login bypassrls password '${password}'`, 'postgres')
  await ask('grant pg_read_all_data to kaopu_backup', 'postgres')
  await createDatabase('kaopu')
  await (await start(original())).stop()
  const { fieldRootKey } = await loadSecrets({ dataDir: join(home, 'data') })
  const store = await createDiskStore({ folder: join(home, 'data', 'files'), rootKey: fieldRootKey })
  file = (await store.put(Buffer.from('身份证照片'), { maxBytes: 100 })).key
  await ok(operateCommand('backup-keys', { '/media/first': join(home, 'first'), '/media/second': join(home, 'second') }), original())
}, 600_000)
afterAll(async () => {
  execFileSync('pg_dropcluster', ['15', name, '--stop'], { stdio: 'pipe' })
  await rm(home, { recursive: true, force: true })
})

const rolesOf = async (database: string): Promise<readonly string[]> =>
  (
    await ask<{ role: string }>(
      'select distinct r.rolname as role from pg_policy p join pg_roles r on r.oid = any(p.polroles) order by 1',
      database,
    )
  ).map(({ role }) => role)
const keysLike = (pattern: string, database = 'kaopu') =>
  ask<{ key: string }>('select key from installation where key like $1 order by 1', database, [pattern]).then(rows =>
    rows.map(({ key }) => key),
  )

test('a database of one’s own is dumped and restored by its own tools: beside the original under roles of another name, and after the server lost it', async () => {
  await ask(`insert into installation (key, value) values ('before-backup', '1')`)
  const taken = await shell(operateCommand('backup-take', place()), { ...original(), KAOPU_BACKUP_DATABASE_URL: url('kaopu') })
  expect(taken).toMatchObject({ code: 1, complained: expect.stringContaining('is bound by row-level security and would dump no rows') })
  expect(await ok(operateCommand('backup-take', place()), original())).toMatch(/is whole and was read back/)
  await ask(`insert into installation (key, value) values ('after-backup', '1')`)

  await createDatabase('exams', `alter database exams set app.role_prefix = 'kaopu_city'`)
  const beside = installation('exams', 'beside')
  expect(await ok(operateCommand('restore-bundled', withKey()), beside)).toMatch(/Restored in/)
  expect(await keysLike('%-backup', 'exams')).toEqual(['before-backup'])
  const second = await start(beside)
  expect(second.lines.join('\n')).toMatch(/^Restored from the backup \S+ \(data of .*\)\. Nothing is sent, no job runs/m)
  const city = databaseRoles.map(role => roleName('kaopu_city', role))
  expect((await rolesOf('exams')).filter(role => !city.includes(role))).toEqual([])
  expect((await rolesOf('kaopu')).filter(role => role.startsWith('kaopu_city'))).toEqual([])
  // The original goes on with its own roles and passwords beside it.
  await (await start(original())).stop()
  await second.stop()
  expect(await readBack('beside', file)).toBe('身份证照片')
  expect(await ok(operateCommand('restore-release'), beside)).toContain('Released')

  await ask('drop database exams', 'postgres')
  await ask('drop database kaopu', 'postgres')
  for (const role of [
    ...(await ask<{ name: string }>(
      `select rolname as name from pg_roles where rolname ~ '^kaopu_' and rolname <> 'kaopu_backup'`,
      'postgres',
    )),
  ])
    await ask(`drop role ${role.name}`, 'postgres')
  await rm(join(home, 'data'), { recursive: true })
  await createDatabase('kaopu')
  expect(await ok(operateCommand('restore-bundled', withKey()), original())).toMatch(/Restored in/)
  const again = await start(original())
  expect(again.lines.join('\n')).toMatch(/^Restored from the backup/m)
  await again.stop()
  expect([await keysLike('%-backup'), await readBack('data', file)]).toEqual([['before-backup'], '身份证照片'])
  expect((await rolesOf('kaopu')).every(role => role.startsWith('kaopu_'))).toBe(true)
  expect(await ok(operateCommand('restore-release'), original())).toContain('Released')
}, 600_000)

/** Commands of the paper with the paths, the port and the name of this test's cluster. */
const here = (text: string): string =>
  [
    ['apt-get install -y pgbackrest', 'command -v pgbackrest'],
    ['/etc/pgbackrest', join(home, 'conf')],
    ['/var/lib/pgbackrest', join(home, 'repository')],
    ['/var/lib/postgresql/15/main', folder()],
    ['5432', String(port)],
    ['15 main', `15 ${name}`],
  ].reduce((changed, [from = '', to = '']) => changed.replaceAll(from, to), text)

test('with the write-ahead log kept by pgBackRest the database comes back to a point in time; the program holds itself back and says why', async () => {
  await ok(here(operateCommand('pitr-config')))
  await ok(here(operateCommand('pitr-archive')))
  expect(await ok(here(operateCommand('pitr-backup')))).toMatch(/full backup: \S+F/)
  await ok(operateCommand('backup-take', place()), original())

  const program = await start(original())
  const isSealed = async (account: string) => {
    const [row] = await ask<{ sealed: boolean }>(
      `select exists (select from audit_log a join audit_seal s on s.tenant_id = a.tenant_id and s.audit_id = a.id where a.after_value->>'account' = $1) as sealed`,
      'kaopu',
      [account],
    )
    return row?.sealed
  }
  const make = async (account: string): Promise<void> => {
    await ok(`npm run admin -- create --account ${account}`, original())
    await expect.poll(() => isSealed(account), { timeout: 60_000, interval: 500 }).toBe(true)
  }
  await make('beforehand')
  await ask(`insert into installation (key, value) values ('before-point', '1')`)
  const [{ at } = { at: '' }] = await ask<{ at: string }>(
    `select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US') || '+00' as at`,
  )
  await make('afterwards')
  await ask(`insert into installation (key, value) values ('after-point', '1')`)
  const [{ wal } = { wal: '' }] = await ask<{ wal: string }>('select pg_walfile_name(pg_switch_wal()) as wal')
  await expect
    .poll(async () => (await ask<{ is: boolean }>('select last_archived_wal >= $1 as is from pg_stat_archiver', 'kaopu', [wal]))[0]?.is, {
      timeout: 60_000,
      interval: 500,
    })
    .toBe(true)

  // The disk of the database server is lost, and the program dies with it.
  const [pid] = (await readFile(join(folder(), 'postmaster.pid'), 'utf8')).split('\n')
  process.kill(Number(pid), 'SIGKILL')
  await ok(`find ${folder()} -mindepth 1 -delete || find ${folder()} -mindepth 1 -delete`)
  await program.stop('SIGKILL')
  const began = performance.now()
  await ok(here(operateCommand('pitr-restore', { '2026-03-03 10:15:00+08': at })))
  await expect
    .poll(
      () =>
        ask<{ is: boolean }>('select pg_is_in_recovery() as is').then(
          ([row]) => row?.is,
          () => undefined,
        ),
      { timeout: 120_000, interval: 500 },
    )
    .toBe(false)
  console.log(`pgBackRest: back to ${at} in ${((performance.now() - began) / 1_000).toFixed(1)} s`)

  expect(await keysLike('%-point')).toEqual(['before-point'])
  expect(await ask(`select account from account where account in ('beforehand', 'afterwards')`)).toEqual([{ account: 'beforehand' }])
  const held = await start(original())
  expect(held.lines.join('\n')).toMatch(
    /^The database is older than what was written down of its audit: it does not have \d+ of those heads, as 000000:\d+:[0-9a-f]{64}\. Somebody put it back to an older state \(data of .*\)\. Nothing is sent/m,
  )
  await held.stop()
  expect(await ok(operateCommand('restore-release'), original())).toContain('Released')
  const free = await start(original())
  expect(free.lines.join('\n')).not.toMatch(/older/)
  await free.stop()

  // The folder was lost too: it comes from the backup of the night, without the database.
  await rm(join(home, 'data'), { recursive: true })
  const said = await ok(operateCommand('pitr-folder', withKey()), original())
  expect(said).toMatch(/the database was left as it is[\s\S]*Held back/)
  expect(await readBack('data', file)).toBe('身份证照片')
  const folderBack = await start(original())
  expect(folderBack.lines.join('\n')).toMatch(/^The database was put back to an older state/m)
  await folderBack.stop()
}, 900_000)
