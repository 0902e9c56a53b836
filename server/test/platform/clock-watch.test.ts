import { expect, onTestFinished, test } from 'vitest'
import { createManualClock, systemClock } from '#kernel/clock.ts'
import { createClockWatch } from '#kernel/clock-watch.ts'
import { sql } from '#kernel/db/sql.ts'
import { createLog } from '#kernel/log.ts'
import { startTestApp, testStart } from '../support/app.ts'

const off = (ms: number) => ({ now: () => new Date(systemClock.now().getTime() + ms) })

test('[19.20] a process whose clock is more than a second from the database’s does not start, either way', async () => {
  await expect(startTestApp({ processClock: off(2_000) })).rejects.toThrow('is 2.0 s ahead of the database')
  await expect(startTestApp({ processClock: off(-90_000) })).rejects.toThrow('is 90.0 s behind the database')
})

test('[19.20] two processes with clocks of their own judge a call by the same time, the database’s', async () => {
  const ahead = await startTestApp({ processClock: off(700) })
  onTestFinished(() => ahead.close())
  const behind = await startTestApp({ processClock: off(-700), databaseUrl: ahead.databaseUrl })
  onTestFinished(() => behind.close())
  const timeOf = async (app: typeof ahead) => Number((await app.anonymous().get('/health')).headers['x-server-time'])
  const before = systemClock.now().getTime()
  const [one, two] = [await timeOf(ahead), await timeOf(behind)]
  const spent = systemClock.now().getTime() - before
  // Apart by what passed between the two calls, and not by the 1.4 s that their machines are.
  expect(Math.abs(two - one)).toBeLessThanOrEqual(spent + 100)
})

test('[19.20] one that drifts while it runs takes no writes until it agrees; health says by how much, operators are told both times', async () => {
  const own = createManualClock(testStart)
  let there = own.now()
  const watch = createClockWatch(async () => there, createLog('silent'), { own, monotonicMs: () => own.now().getTime() })
  const app = await startTestApp({ clockWatch: watch })
  onTestFinished(() => app.close())
  const operator = await app.platform().staff('administrator')
  const tenant = await app.tenant()
  const admin = await tenant.staff('admin')
  const add = () => admin.post('/blade-system/post/submit', { json: { category: '1', postCode: 'CLK', postName: '时钟', sort: 1 } })
  const list = () => admin.get('/blade-system/post/list')
  const told = () =>
    app.platform().rows(sql<object>`
      select title_zh as title, content_zh like '%1.6 秒%' as amount from notify where user_id = ${operator.userId} and event_key like 'clock-%' order by id`)

  own.advance(1_600)
  await watch.look()
  const refused = await add()
  expect([refused.status, refused.body.reason, refused.headers['retry-after']]).toEqual([503, 'kernel/clock-off', '5'])
  expect((await list()).status).toBe(200)
  const health = await app.anonymous().get('/health')
  expect([health.status, health.body]).toEqual([503, { ready: false, clockOffMs: 1_600 }])
  await expect.poll(told).toEqual([{ title: '告警：服务器时钟不一致', amount: true }])

  there = own.now()
  await watch.look()
  expect((await add()).status).toBe(200)
  const well = await app.anonymous().get('/health')
  expect([well.status, well.body]).toEqual([200, { ready: true }])
  await expect.poll(told).toEqual([
    { title: '告警：服务器时钟不一致', amount: true },
    { title: '服务器时钟已恢复一致', amount: false },
  ])
  expect(
    await app.platform().rows(sql<object>`
      select action, after_value->'aheadMs' as "aheadMs" from audit_log where action like 'installation.clock-%' order by id`),
  ).toEqual([
    { action: 'installation.clock-off', aheadMs: 1_600 },
    { action: 'installation.clock-right', aheadMs: 0 },
  ])
})
