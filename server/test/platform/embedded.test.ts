import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type EmbeddedDatabase, startEmbedded } from '#kernel/db/embedded.ts'
import { takeOwnership } from '#kernel/db/embedded-probe.ts'
import { createLog } from '#kernel/log.ts'

const log = createLog('silent')
const isRoot = process.getuid?.() === 0

let top: string
let dataDir: string
let open: EmbeddedDatabase[]
let children: ChildProcess[]

beforeEach(async () => {
  top = await mkdtemp(join(tmpdir(), '考 谱-'))
  // As on a usual machine: others may pass, so that an unprivileged server can.
  await chmod(top, 0o755)
  dataDir = join(top, 'data')
  open = []
  children = []
})
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL')
  for (const database of open) await database.stop()
  await rm(top, { recursive: true })
})

const start = async (folder = dataDir): Promise<EmbeddedDatabase> => {
  const database = await startEmbedded({ dataDir: folder, log })
  open.push(database)
  return database
}

const ask = async <T extends pg.QueryResultRow>(url: string, sql: string): Promise<T[]> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<T>(sql)).rows
  } finally {
    await client.end()
  }
}

const startElsewhere = async (): Promise<{ child: ChildProcess; url: string; reused: boolean }> => {
  const child = fork(join(import.meta.dirname, 'starter.ts'), [dataDir], { execArgv: [] })
  children.push(child)
  const [answer] = (await once(child, 'message')) as [{ url: string; reused: boolean }]
  return { child, ...answer }
}

const kill = async (child: ChildProcess): Promise<void> => {
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

const postmasterPid = async (): Promise<number> =>
  Number((await readFile(join(dataDir, 'postgres/pgdata/postmaster.pid'), 'utf8')).split('\n')[0])

test('embedded › first start in a path with a space and Chinese characters: durable, local, one collation', async () => {
  const { url, reused } = await start()

  expect(reused).toBe(false)
  const rows = await ask<{ name: string; setting: string }>(
    url,
    `select name, setting from pg_settings where name in ('data_checksums', 'fsync', 'full_page_writes', 'listen_addresses', 'max_connections',
      'server_encoding', 'synchronous_commit', 'unix_socket_directories', 'unix_socket_permissions') order by name`,
  )
  expect(Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))).toEqual({
    data_checksums: 'on',
    fsync: 'on',
    full_page_writes: 'on',
    listen_addresses: '127.0.0.1',
    max_connections: '120',
    server_encoding: 'UTF8',
    synchronous_commit: 'on',
    unix_socket_directories: '.',
    unix_socket_permissions: '0700',
  })
  expect(
    await ask(url, `select datlocprovider::text as provider, datlocale as locale from pg_database where datname = 'postgres'`),
  ).toEqual([{ provider: 'b', locale: 'C.UTF-8' }])
  expect((await stat(join(dataDir, 'postgres/password'))).mode & 0o777).toBe(0o600)
})

test('embedded › asks for the password, by the socket and by the address', async () => {
  const { url } = await start()
  const wrong = new URL(url)
  wrong.password = 'postgres'
  await expect(ask(wrong.href, 'select 1')).rejects.toThrow('password authentication failed')
  wrong.searchParams.delete('host')
  await expect(ask(wrong.href, 'select 1')).rejects.toThrow('password authentication failed')
})

test('embedded › is asked by a socket in its own folder, by the address where the folder is named too long for one', async () => {
  const via = async (folder: string): Promise<[string | null, unknown]> => {
    const database = await start(folder)
    const [row] = await ask<{ address: string | null }>(database.url, 'select host(inet_client_addr()) as address')
    return [new URL(database.url).searchParams.get('host'), row?.address]
  }
  expect(await via(dataDir)).toEqual([join(dataDir, 'postgres/pgdata'), null])
  expect(await via(join(top, 'n'.repeat(100)))).toEqual([null, '127.0.0.1'])
})

test('embedded › after a clean stop the second start keeps port, password and rows', async () => {
  const first = await start()
  await ask(first.url, `create table note as select '䶮' as text`)
  await first.stop()

  const second = await start()

  expect(second.url).toBe(first.url)
  expect(second.reused).toBe(false)
  expect(await ask(second.url, 'select text from note')).toEqual([{ text: '䶮' }])
})

test('embedded › a server that outlived its killed parent is joined, not doubled', async () => {
  const { child, url } = await startElsewhere()
  const pid = await postmasterPid()
  await ask(url, 'create table note (n int)')
  await kill(child)

  const next = await start()

  expect(next.reused).toBe(true)
  expect(next.url).toBe(url)
  expect(await postmasterPid()).toBe(pid)
  expect(await ask(next.url, 'select n from note')).toEqual([])
})

test('embedded › kill -9 of the server loses nothing acknowledged and the stale lock file needs no hand', async () => {
  const first = await start()
  await ask(first.url, 'create table note (n int)')
  for (let n = 0; n < 20; n += 1) await ask(first.url, `insert into note values (${n})`)
  process.kill(await postmasterPid(), 'SIGKILL')

  const second = await start()

  expect(second.reused).toBe(false)
  expect(second.url).toBe(first.url)
  expect(await ask(second.url, 'select count(*)::int as rows from note')).toEqual([{ rows: 20 }])
})

test('embedded › kill -9 of parent and server together', async () => {
  const { child, url } = await startElsewhere()
  await ask(url, 'create table note (n int)')
  const pid = await postmasterPid()
  await kill(child)
  process.kill(pid, 'SIGKILL')

  const next = await start()

  expect(await ask(next.url, 'select n from note')).toEqual([])
})

test('embedded › ensure() brings a killed server back on the same port', async () => {
  const database = await start()
  process.kill(await postmasterPid(), 'SIGKILL')

  await database.ensure()

  expect(await ask(database.url, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('embedded › a lock file whose number now belongs to another process of the same user does not block', async () => {
  const first = await start()
  const lockPath = join(dataDir, 'postgres/pgdata/postmaster.pid')
  const lines = (await readFile(lockPath, 'utf8')).split('\n')
  await first.stop()
  const other = spawn('sleep', ['600'], isRoot ? { uid: 65_534, gid: 65_534 } : {})
  children.push(other)
  await writeFile(lockPath, [String(other.pid), ...lines.slice(1, 6), '', 'ready   ', ''].join('\n'))
  if (isRoot) await chmod(lockPath, 0o666)

  const second = await start()

  expect(second.reused).toBe(false)
  expect(await ask(second.url, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('embedded › two first starts at the same moment share one server', async () => {
  const [one, two] = await Promise.all([startElsewhere(), startElsewhere()])

  expect(one.url).toBe(two.url)
  expect([one.reused, two.reused].sort()).toEqual([false, true])
  expect(await readdir(dataDir)).toEqual(['postgres'])
  await start()
})

test('embedded › a port taken by another program is replaced', async () => {
  const first = await start()
  await first.stop()
  const { createServer } = await import('node:net')
  const squatter = createServer().listen(first.port, '127.0.0.1')
  await once(squatter, 'listening')

  const second = await start()
  squatter.close()

  expect(second.port).not.toBe(first.port)
  expect(await ask(second.url, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('embedded › a cluster of another major is refused and not touched', async () => {
  await (await start()).stop()
  const versionPath = join(dataDir, 'postgres/pgdata/PG_VERSION')
  await writeFile(versionPath, '17\n')

  await expect(startEmbedded({ dataDir, log })).rejects.toThrow(
    /was made by PostgreSQL 17, this version of Kaopu brings PostgreSQL 18\. Nothing was changed\./,
  )
  expect(await readFile(versionPath, 'utf8')).toBe('17\n')
})

test('embedded › a first start killed half-way leaves no cluster and is cleared away', async () => {
  const gone = spawn('true')
  await once(gone, 'exit')
  await mkdir(join(dataDir, `postgres.new-${gone.pid}`, 'pgdata'), { recursive: true })

  await start()

  expect(await readdir(dataDir)).toEqual(['postgres'])
})

test.runIf(isRoot)('embedded › as root the server runs as nobody', async () => {
  await start()

  expect((await stat(`/proc/${await postmasterPid()}`)).uid).toBe(65_534)
})

test.runIf(isRoot)('embedded › below a closed folder the cluster lives elsewhere and cluster-path names it', async () => {
  await chmod(top, 0o700)
  const database = await start()
  const home = (await readFile(join(dataDir, 'cluster-path'), 'utf8')).trim()
  await database.stop()

  const second = await start()

  expect(home).toMatch(/^\/var\/(lib|tmp)\/kaopu\/[0-9a-f]{16}\/cluster$/)
  expect(second.url).toBe(database.url)
  await second.stop()
  await rm(join(home, '..'), { recursive: true })
  await expect(startEmbedded({ dataDir, log })).rejects.toThrow(`says that the database lives in ${home}, but it is not there`)
})

test('ownership › one application at a time; free as soon as its process is killed', async () => {
  const { url } = await start()
  const held = await takeOwnership(
    url,
    0,
    async () => {},
    () => {},
  )
  const refused = await takeOwnership(
    url,
    0,
    async () => {},
    () => {},
  )

  expect(held).toBeDefined()
  expect(refused).toBeUndefined()

  held?.letGo()
  await ask(url, `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'`)
  const next = await takeOwnership(
    url,
    5_000,
    async () => {},
    () => {},
  )
  expect(next).toBeDefined()
  next?.letGo()
})

test('ownership › is taken again when the server was killed and came back', async () => {
  const database = await start()
  let lost = 0
  const back = new Promise<void>(done => {
    void takeOwnership(
      database.url,
      0,
      async () => {
        lost += 1
        await database.ensure()
        done()
      },
      () => {},
    ).then(async held => {
      expect(held).toBeDefined()
      process.kill(await postmasterPid(), 'SIGKILL')
    })
  })

  await back

  expect(lost).toBe(1)
  const holders = async (): Promise<number> =>
    (await ask<{ n: number }>(database.url, `select count(*)::int as n from pg_locks where locktype = 'advisory'`))[0]?.n ?? 0
  await expect.poll(holders).toBe(1)
})
