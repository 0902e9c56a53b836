import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { checkServer } from '#kernel/db/embedded-probe.ts'
import { findFreePort } from '#kernel/free-port.ts'
import { needProgram } from '../support/debian.ts'

/** pgbouncer before the database of the tests; it does not run as root. @returns the address that leads through it */
const bouncer = async (mode: string): Promise<string> => {
  needProgram('pgbouncer', 'pgbouncer')
  const target = new URL(inject('adminUrl'))
  const folder = await mkdtemp(join(tmpdir(), 'kaopu-bouncer-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const port = (await findFreePort(16_432)) ?? 0
  const password = decodeURIComponent(target.password)
  const host = target.searchParams.get('host') ?? target.hostname
  const users = `"${decodeURIComponent(target.username)}" "${password}"\n`
  await writeFile(join(folder, 'users'), users)
  await writeFile(
    join(folder, 'pgbouncer.ini'),
    `[databases]\n* = host=${host} port=${target.port}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =\nauth_type = plain\nauth_file = ${folder}/users\npool_mode = ${mode}\ndefault_pool_size = 5\nlogfile = ${folder}/log\n`,
  )
  const isRoot = process.getuid?.() === 0
  const nobody = 65_534
  if (isRoot) for (const path of [folder, join(folder, 'users'), join(folder, 'pgbouncer.ini')]) await chown(path, nobody, nobody)
  const child = spawn('pgbouncer', [join(folder, 'pgbouncer.ini')], { stdio: 'ignore', ...(isRoot ? { uid: nobody, gid: nobody } : {}) })
  const end = once(child, 'exit')
  onTestFinished(async () => {
    child.kill('SIGINT')
    await end
  })
  const url = new URL(target)
  url.hostname = '127.0.0.1'
  url.port = String(port)
  url.searchParams.delete('host')
  await vi.waitUntil(
    async () => {
      const client = new pg.Client({ connectionString: url.href })
      try {
        await client.connect()
        await client.end()
        return true
      } catch {
        return false
      }
    },
    { timeout: 20_000 },
  )
  return url.href
}

// Tests' own servers may forget what they acknowledged, which is refused after the pooler.
const other = 'could lose acknowledged data'

test.each(['transaction', 'statement'])('pgbouncer with pool_mode = %s is refused at the start, with the way out', async mode => {
  await expect(checkServer(await bouncer(mode))).rejects.toThrow(
    /^DATABASE_URL leads to a pooler that gives a connection a server for one transaction at a time, .* or set pool_mode = session for this database\.$/,
  )
})

test.each([
  ['with pool_mode = session', () => bouncer('session')],
  ['itself', async () => inject('adminUrl')],
])('the database %s is not taken for such a pooler', async (_, url) => {
  const said = await checkServer(await url()).then(
    () => '',
    (error: Error) => error.message,
  )
  expect(said === '' || said.includes(other) ? 'no pooler' : said).toBe('no pooler')
})
