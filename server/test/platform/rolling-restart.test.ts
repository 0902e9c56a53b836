import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { logInAs } from '../../../e2e/support/caller.ts'
import { type Backdoor, openBackdoor, staffPassword } from '../../../e2e/support/people.ts'
import { freePort, type RunningServer, startServer } from '../../../e2e/support/server.ts'
import { build } from '../../../tools/install.mjs'
import { type EmptyDatabase, emptyDatabase } from '../support/empty-database.ts'
import { operateText } from '../support/operate-docs.ts'
import { type FrontProxy, startSmallProxy } from '../support/small-proxy.ts'

/** Calls while both instances are restarted, one after the other; the goal speaks of 2,000. */
const calls = 2_000
const clients = 8
/** Every so many calls are writes. */
const writesEvery = 4

let database: EmptyDatabase
let backdoor: Backdoor
let token: string
let ports: readonly [number, number]
let servers: RunningServer[]

const haproxy = '/usr/sbin/haproxy'
const isLong = Boolean(process.env['KAOPU_LONG'])
if (isLong && !existsSync(haproxy) && process.getuid?.() === 0)
  try {
    execFileSync('flock', ['/tmp/apt.lock', 'apt-get', 'install', '-y', '--no-install-recommends', 'haproxy'], { stdio: 'ignore' })
  } catch {
    console.log('apt-get could not install haproxy: the restart behind it is not tried')
  }

/** The proxy of Debian, with the configuration that the paper prints. */
const startHaproxy = async (of: readonly [number, number]): Promise<FrontProxy> => {
  const folder = await mkdtemp(join(tmpdir(), 'kaopu-haproxy-'))
  const port = await freePort()
  const file = join(folder, 'haproxy.cfg')
  const printed = operateText('size', 'frontend kaopu', {
    ':443 ssl crt /etc/haproxy/kaopu.pem': `127.0.0.1:${port}`,
    '10.0.0.11:7300': `127.0.0.1:${of[0]}`,
    '10.0.0.12:7300': `127.0.0.1:${of[1]}`,
  })
  await writeFile(file, `defaults\n    mode http\n    timeout connect 5s\n    timeout client 60s\n    timeout server 60s\n${printed}`)
  const child = spawn(haproxy, ['-db', '-f', file], { stdio: ['ignore', 'inherit', 'inherit'] })
  const url = `http://127.0.0.1:${port}`
  await expect
    .poll(
      () =>
        fetch(`${url}/api/live`).then(
          answer => answer.status,
          () => 0,
        ),
      { timeout: 30_000 },
    )
    .toBe(200)
  return {
    url,
    close: async () => {
      child.kill('SIGTERM')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      await rm(folder, { recursive: true })
    },
  }
}

beforeAll(async () => {
  await build(process.execPath, 'server')
  database = await emptyDatabase()
  ports = [await freePort(), await freePort()]
  servers = [await start(0), await start(1)]
  backdoor = await openBackdoor(database.dataDir, undefined, database.url)
  await backdoor.addStaff([{ account: 'guanli', realName: '陈管理', roles: ['admin'] }])
  token = await logInAs(servers[0]?.url ?? '', 'guanli', staffPassword)
}, 300_000)
afterAll(async () => {
  await backdoor?.close()
  for (const server of servers ?? []) await server.stop()
  await database?.close()
})
const start = (at: 0 | 1): Promise<RunningServer> =>
  startServer({
    dataDir: database.dataDir,
    port: ports[at],
    env: { DATABASE_URL: database.url, KAOPU_DRAIN_SECONDS: '2' },
  })

test.each([
  ['a small proxy', startSmallProxy],
  ...(isLong && existsSync(haproxy) ? [['haproxy with the configuration of the paper', startHaproxy] as const] : []),
] as const)('both instances behind %s are restarted one after the other: none of 2,000 calls fails', async (name, behind) => {
  const proxy = await behind(ports)
  const failed: string[] = []
  const by: Record<string, number> = {}
  let sent = 0
  let written = 0
  let restarted = 0
  const client = async () => {
    while (sent < calls || restarted < servers.length) {
      sent += 1
      const serial = sent
      const isWrite = serial % writesEvery === 0
      const headers = { 'Blade-Auth': `bearer ${token}`, 'Content-Type': 'application/json' }
      const answer = await fetch(
        `${proxy.url}/api/blade-system/param/${isWrite ? 'submit' : 'list'}`,
        isWrite
          ? {
              method: 'POST',
              headers,
              body: JSON.stringify({ paramName: '重启', paramKey: `roll.${name.length}.${serial}`, paramValue: '1' }),
            }
          : { headers },
      ).then(
        async one => `${one.status} ${one.ok ? '' : await one.text()}`,
        (error: unknown) => `${error} ${error instanceof Error ? error.cause : ''}`,
      )
      if (isWrite) written += 1
      by[answer.slice(0, 3)] = (by[answer.slice(0, 3)] ?? 0) + 1
      if (!answer.startsWith('200')) failed.push(`${isWrite ? 'write' : 'read'} ${serial}: ${answer}`)
    }
  }
  const restart = async () => {
    for (const at of [0, 1] as const) {
      const others = sent
      expect(await servers[at]?.stop()).toBe(0)
      expect(sent, 'calls went on while it drained').toBeGreaterThan(others)
      servers[at] = await start(at)
      const down = ports[at]
      await expect
        .poll(() => fetch(`http://127.0.0.1:${down}/api/ready?scope=own`).then(answer => answer.status), { timeout: 60_000 })
        .toBe(200)
      // The proxy has to see it before the other one goes.
      const seen = sent
      await expect.poll(() => sent - seen, { timeout: 60_000 }).toBeGreaterThan(calls / 4)
      restarted += 1
    }
  }
  await Promise.all([restart(), ...Array.from({ length: clients }, client)])
  await proxy.close()
  console.log(`${sent} calls behind ${name}, ${written} of them writes, while two instances were restarted: ${JSON.stringify(by)}`)
  expect(failed).toEqual([])
  expect(sent).toBeGreaterThanOrEqual(calls)
  expect(
    await backdoor.db(db =>
      db.all(sql<object>`select count(*)::int as n from param where param_key like ${`roll.${name.length}.%`} and not is_deleted`),
    ),
  ).toEqual([{ n: written }])
})
