import { once } from 'node:events'
import { createServer } from 'node:http'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { neverHeld } from '#kernel/hold.ts'
import { createLog } from '#kernel/log.ts'
import { createOutbound } from '#kernel/outbound.ts'
import { enqueue } from '#kernel/queue/outbox.ts'
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
