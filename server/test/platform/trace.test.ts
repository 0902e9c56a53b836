import { once } from 'node:events'
import { createServer } from 'node:http'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { systemClock } from '#kernel/clock.ts'
import { sql } from '#kernel/db/sql.ts'
import { neverHeld } from '#kernel/hold.ts'
import { createLog } from '#kernel/log.ts'
import { createOutbound } from '#kernel/outbound.ts'
import { enqueue, type Task } from '#kernel/queue/outbox.ts'
import { startWorker } from '#kernel/queue/worker.ts'
import { withTrace } from '#kernel/trace.ts'
import { startTestApp, type TestApp, type TestTenant } from '../support/app.ts'

let t: TestApp
let tenant: TestTenant
const lines: Record<string, unknown>[] = []
const log = createLog('info', { write: line => void lines.push(JSON.parse(line)) })
beforeAll(async () => {
  t = await startTestApp({ log })
  tenant = await t.tenant()
})
afterAll(() => t.close())

const id = '0f8fad5b-d9cb-469f-a165-70867728950e'

test('the id that a browser gives its call comes back in the answer, stands in the call log and in the trail', async () => {
  const admin = await tenant.staff('admin')
  const answer = await admin.post('/blade-system/param/submit', {
    json: { paramName: '请求编号', paramKey: 'trace.one', paramValue: '1' },
    headers: { 'x-request-id': id },
  })
  await t.app.modules.log.flush()

  expect([answer.status, answer.headers['x-request-id']]).toEqual([200, id])
  expect(await tenant.rows(sql`select trace_id as id from api_log where path = '/blade-system/param/submit'`)).toEqual([{ id }])
  expect(await tenant.rows(sql`select trace_id as id from audit_log where action = 'param.added'`)).toEqual([{ id }])
})

test.each(['', 'short', 'x'.repeat(41), 'a b c d e f', '{"level":"error"}'])(
  '%j names no call: the server gives it an id of its own',
  async given => {
    const { headers } = await t.anonymous().get('/live', { headers: { 'x-request-id': given } })

    expect(headers['x-request-id']).toMatch(/^[\w-]{12}$/)
  },
)

test('work that a request orders runs under its id, and so does what is said and asked elsewhere while it runs', async () => {
  const asked: (string | undefined)[] = []
  const provider = createServer((call, answer) => {
    asked.push(call.headers['x-request-id'] as string | undefined)
    answer.end('{}')
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void provider.close())
  await once(provider, 'listening')
  const place = provider.address()
  const origin = `http://127.0.0.1:${typeof place === 'object' ? place?.port : ''}`
  const outbound = createOutbound({ hold: neverHeld, purpose: 'sms', allowedOrigins: [], localOrigins: () => [origin] })
  lines.length = 0

  await withTrace(id, async () => {
    await tenant.db(db => enqueue(db, 'message.nothing', { n: 1 }))
    await outbound({ method: 'POST', url: `${origin}/send`, body: '{}' })
  })

  expect(await tenant.rows(sql`select trace_id as id, payload->>'n' as n from outbox where task = 'message.nothing'`)).toEqual([
    { id, n: '1' },
  ])
  expect(asked).toEqual([id])
  expect(lines.filter(line => line['msg'] === 'provider answered')).toEqual([
    {
      ...{
        level: 'info',
        time: expect.any(String),
        traceId: id,
        purpose: 'sms',
        host: new URL(origin).host,
        method: 'POST',
        outcome: 'ok',
      },
      ...{ durationMs: expect.any(Number), msg: 'provider answered' },
    },
  ])
})

test('a task that fails in the worker is logged under the id of the call that ordered it, and one that nobody asked for under an id of its own', async () => {
  const failing: Task = {
    name: 'try.fail',
    maxAttempts: 1,
    run: async () => {
      log.warn('the task says something')
      throw new Error('the task fails')
    },
  }
  const worker = await startWorker(t.app.services.pools.kaopu_worker, [failing], { clock: systemClock, log, concurrency: 1 })
  onTestFinished(() => worker.stop())
  lines.length = 0
  const told = () => lines.filter(line => String(line['msg']).includes('task')).map(line => [line['level'], line['msg'], line['traceId']])

  await withTrace(id, () => tenant.db(db => enqueue(db, 'try.fail', {})))
  const ordered = [
    ['warn', 'the task says something', id],
    ['error', 'task failed', id],
  ]
  await expect.poll(told, { timeout: 20_000 }).toEqual(ordered)
  await tenant.db(db => enqueue(db, 'try.fail', {}))
  const own = expect.stringMatching(/^[\w-]{12}$/)
  await expect
    .poll(told, { timeout: 20_000 })
    .toEqual([...ordered, ['warn', 'the task says something', own], ['error', 'task failed', own]])
})

test('what a scheduled job says, orders and fails with carries the number of its run', async () => {
  t.clock.set('2026-03-17T10:00:00+08:00')
  t.app.modules.job.bind([
    ...t.app.modules.processors,
    {
      name: 'try.trace',
      label: { zh: '试', en: 'Try' },
      help: { zh: '试', en: 'Try' },
      scope: 'tenant',
      run: async () => {
        await tenant.db(db => enqueue(db, 'message.nothing', { by: 'job' }))
        log.warn('the job says something')
        throw new Error('the job fails')
      },
    },
  ])
  const admin = await tenant.staff('admin')
  const [server] = await tenant.rows(sql<{ id: string }>`select id::text as id from job_server where job_server_url = ''`)
  const added = await admin.post('/blade-job/job-info/submit', {
    json: {
      ...{ jobServerId: server?.id, jobName: '编号', enable: 1, timeExpressionType: 2, timeExpression: '0 * * * * ?' },
      ...{ executeType: 1, processorType: 1, processorInfo: 'try.trace', dispatchStrategy: 1 },
    },
  })
  expect(added.status).toBe(200)
  lines.length = 0
  t.clock.set('2026-03-17T10:01:00+08:00')
  await t.app.modules.job.scheduler.settle()

  const runs = await tenant.rows(sql<{ id: string }>`select 'run-' || id as id from job_instance where job_info_id = ${added.body.data.id}`)
  expect(runs).toHaveLength(1)
  const [run] = runs
  expect(lines.filter(line => String(line['msg']).includes('job')).map(line => [line['msg'], line['traceId']])).toEqual([
    ['the job says something', run?.id],
    ['job failed', run?.id],
  ])
  expect(await tenant.rows(sql`select trace_id as id from outbox where task = 'message.nothing' and payload->>'by' = 'job'`)).toEqual([run])
})
