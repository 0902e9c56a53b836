import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startEmbedded } from '#kernel/db/embedded.ts'
import { createLog } from '#kernel/log.ts'
import { callAs, logInAs } from './support/caller.ts'
import { openBackdoor, staffPassword } from './support/people.ts'
import { freePort, newDataDir, type RunningServer, removeData, startServer } from './support/server.ts'

let first: RunningServer
let second: RunningServer | undefined
let dataDir: string
let databaseUrl: string
const setClock = (offMs: number) => writeFileSync(join(dataDir, 'clock'), String(offMs))
/** A process on a machine of its own: the same database, secrets and files, and another clock. */
const startBeside = async (offMs: number): Promise<RunningServer> => {
  setClock(offMs)
  return startServer({
    dataDir,
    port: await freePort(),
    env: {
      DATABASE_URL: databaseUrl,
      TEST_CLOCK_FILE: join(dataDir, 'clock'),
      NODE_OPTIONS: `--import ${new URL('./support/skewed-clock.mjs', import.meta.url)}`,
    },
  })
}

beforeAll(async () => {
  dataDir = await newDataDir()
  first = await startServer({ dataDir, port: await freePort() })
  const database = new URL((await startEmbedded({ dataDir, log: createLog('error') })).url)
  database.pathname = '/kaopu'
  databaseUrl = database.href
  const backdoor = await openBackdoor(dataDir)
  await backdoor.addStaff([{ account: 'admin1', realName: '赵管理', roles: ['admin'] }])
  await backdoor.close()
})
afterAll(async () => {
  await second?.stop()
  await first?.stop()
  if (first) await removeData(first.dataDir)
})

test('[19.20] a second process whose clock is off does not start and says by how much', async () => {
  await expect(startBeside(3_000)).rejects.toThrow(
    /ended with 1 before it was ready[\s\S]*The clock of this machine is 3\.0 s ahead of the database's; at most 1 s is allowed.*Synchronise both/,
  )
  await expect(startBeside(-2_500)).rejects.toThrow(/The clock of this machine is 2\.5 s behind the database's/)
})

test('[19.20] one that drifts while it runs takes no writes and says so in its health, beside one that goes on; once it agrees it takes them', async () => {
  second = await startBeside(0)
  const { url } = second
  const token = await logInAs(url, 'admin1', staffPassword)
  const health = async (at: string) => {
    const response = await fetch(`${at}/api/health`)
    return [response.status, await response.json()]
  }
  const add = (at: string, paramKey: string) =>
    callAs(at, token).post('/blade-system/param/submit', { paramName: '时钟', paramKey, paramValue: '1' })
  expect(await health(url)).toEqual([200, { ready: true }])

  setClock(60_000)
  await expect.poll(() => health(url), { timeout: 20_000 }).toEqual([503, { ready: false, clockOffMs: expect.any(Number) }])
  const refused = await add(url, 'clock.off')
  expect([refused.status, refused.body.reason, refused.body.msg]).toEqual([
    503,
    'kernel/clock-off',
    '服务器时钟与数据库相差超过 1 秒，暂停受理提交；请稍后重试，您填写的内容不会丢失',
  ])
  expect((await callAs(url, token).get('/blade-system/param/list', { paramKey_equal: 'clock.off' })).data.total).toBe(0)
  expect([await health(first.url), (await add(first.url, 'clock.first')).status]).toEqual([[200, { ready: true }], 200])
  expect(second.output()).toContain('nothing is written until they agree')

  setClock(0)
  await expect.poll(() => health(url), { timeout: 20_000 }).toEqual([200, { ready: true }])
  expect((await add(url, 'clock.off')).status).toBe(200)
})
