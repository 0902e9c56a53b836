import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startTestApp, type TestApp, type TestTenant } from '../support/app.ts'
import { logInByPassword, staffWithPassword } from '../support/login.ts'
import { lossyLink } from '../support/lossy-link.ts'
import { operateCommand } from '../support/operate-docs.ts'

let t: TestApp
let tenant: TestTenant
beforeAll(async () => {
  t = await startTestApp()
  tenant = await t.tenant()
})
afterAll(() => t.close())

const read = async (of: TestApp = t): Promise<readonly string[]> => {
  const answer = await of.app.server.inject({ method: 'GET', url: '/metrics' })
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8'])
  return answer.body.split('\n')
}
/** The value of the only line of this name with these labels; undefined where there is none. */
const numberOf = (lines: readonly string[], name: string, labels: Readonly<Record<string, string>> = {}): number | undefined => {
  const found = lines.filter(
    line =>
      (line.startsWith(`${name}{`) || line.startsWith(`${name} `)) &&
      Object.entries(labels).every(([key, value]) => line.includes(`${key}="${value}"`)),
  )
  expect(found.length).toBeLessThan(2)
  return found[0] === undefined ? undefined : Number(found[0].split(' ').at(-1))
}

test('calls are counted and timed per route, failed log-ins by their reason, in this process', async () => {
  const { account } = await staffWithPassword(t, tenant, 'finance')
  const before = await read()
  await logInByPassword(t, tenant.tenantId, account, 'not-the-password')
  expect((await logInByPassword(t, tenant.tenantId, account)).body).toMatchObject({ account })
  const lines = await read()

  const route = { method: 'POST', route: '/blade-auth/oauth/token' }
  const grown = (name: string, labels: Readonly<Record<string, string>>): number =>
    (numberOf(lines, name, labels) ?? 0) - (numberOf(before, name, labels) ?? 0)
  expect({
    right: grown('kaopu_http_requests_total', { ...route, status: '200' }),
    wrong: grown('kaopu_http_requests_total', { ...route, status: '400' }),
    timed: grown('kaopu_http_request_duration_seconds_count', route),
    within: grown('kaopu_http_request_duration_seconds_bucket', { ...route, le: '+Inf' }),
    failed: grown('kaopu_login_failures_total', { reason: 'auth/invalid-grant' }),
  }).toEqual({ right: 1, wrong: 1, timed: 2, within: 2, failed: 1 })
})

test('queue, jobs, pools, disk, backup and build are told as they are', async () => {
  const owner = await t.owner()
  await owner.query(`set app.now = '2026-03-17T02:00:00Z'`)
  await owner.query(`insert into outbox (tenant_id, task, payload) values ($1, 'log.nothing', '{}'), ($1, 'log.nothing', '{}')`, [
    tenant.tenantId,
  ])
  await owner.query(
    `insert into installation (key, value) values ('backup', '{"takenAt":"2026-03-16T04:00:00Z"}') on conflict (key) do update set value = excluded.value`,
  )
  await owner.query(`insert into installation_mark (kind, name, value, since) values ('secret', 'login', 'print', $1)`, [
    new Date(t.clock.now().getTime() - 101 * 86_400_000),
  ])
  const lines = await read()
  await owner.query(`delete from installation_mark where value = 'print'`)
  await owner.query(`delete from outbox where task = 'log.nothing'; delete from installation where key = 'backup'`)

  expect(numberOf(lines, 'kaopu_queue_jobs', { state: 'outbox' })).toBe(2)
  expect(numberOf(lines, 'kaopu_queue_oldest_seconds')).toBe(0)
  expect(numberOf(lines, 'kaopu_backup_last_timestamp_seconds')).toBe(Date.parse('2026-03-16T04:00:00Z') / 1_000)
  expect(numberOf(lines, 'kaopu_login_key_age_seconds')).toBe(101 * 86_400)
  expect(numberOf(lines, 'kaopu_used_ciphertexts')).toBeGreaterThanOrEqual(0)
  expect(numberOf(lines, 'kaopu_ready', { check: 'database' })).toBe(1)
  expect(numberOf(lines, 'kaopu_db_pool_max', { role: 'kaopu_staff' })).toBe(10)
  expect(numberOf(lines, 'kaopu_disk_free_bytes')).toBeGreaterThan(0)
  expect(lines.filter(line => line.startsWith('kaopu_build_info{'))).toEqual([
    expect.stringMatching(/build="[^"+]+\+\d{4}",node="\d+\.\d+\.\d+"} 1$/),
  ])
  expect(lines.filter(line => line.startsWith('kaopu_source_up{') && !line.endsWith(' 1'))).toEqual([])
})

test('rows that do not agree are told by check, and checks that could not be made', async () => {
  const owner = await t.owner()
  await owner.query(`set app.now = '2026-03-17T02:00:00Z'`)
  await owner.query(
    `insert into invariant_state (tenant_id, name, found, problem_zh, problem_en) values ('000000', 'pay.ledger', 2, '', ''), ($1, 'pay.ledger', 3, '', ''), ('000000', 'file.missing', 0, '慢', 'slow')`,
    [tenant.tenantId],
  )
  const lines = await read()
  await owner.query('delete from invariant_state')

  expect(numberOf(lines, 'kaopu_invariant_findings', { check: 'pay.ledger' })).toBe(5)
  expect(numberOf(lines, 'kaopu_invariant_failed', { check: 'pay.ledger' })).toBe(0)
  expect(numberOf(lines, 'kaopu_invariant_failed', { check: 'file.missing' })).toBe(1)
})

test('what a provider answered and which messages failed for good is counted by what it was for', async () => {
  const { onProviderCall, publishProviderCall, publishSmsFailure } = await import('#kernel/events.ts')
  const heard: string[] = []
  onTestFinished(onProviderCall(({ purpose, outcome }) => heard.push(`${purpose} ${outcome}`)))
  publishProviderCall({ purpose: 'pay', host: 'pay.example.cn', method: 'POST', outcome: 'timeout', durationMs: 5_000 })
  publishSmsFailure('account')
  const lines = await read()

  expect(heard).toEqual(['pay timeout'])
  expect(numberOf(lines, 'kaopu_provider_calls_total', { purpose: 'pay', host: 'pay.example.cn', outcome: 'timeout' })).toBe(1)
  expect(numberOf(lines, 'kaopu_sms_failures_total', { kind: 'account' })).toBe(1)
})

test('a database that answers nothing leaves its numbers out, and says so; all others are told', async () => {
  const link = await lossyLink(t.databaseUrl)
  const behind = await startTestApp({ databaseUrl: link.url })
  onTestFinished(async () => {
    link.thaw()
    await behind.close()
    await link.close()
  })
  expect(numberOf(await read(behind), 'kaopu_queue_oldest_seconds')).toBe(0)

  link.freeze()
  const lines = await read(behind)

  expect(numberOf(lines, 'kaopu_queue_oldest_seconds')).toBeUndefined()
  expect(numberOf(lines, 'kaopu_source_up', { source: 'queue' })).toBe(0)
  expect(numberOf(lines, 'kaopu_ready', { check: 'database' })).toBe(0)
  expect(numberOf(lines, 'kaopu_disk_free_bytes')).toBeGreaterThan(0)
})

test.each([
  ['another machine', { remoteAddress: '203.0.113.9' }],
  [
    'somebody whom an unlisted proxy on this machine passes on',
    { remoteAddress: '127.0.0.1', headers: { 'x-forwarded-for': '203.0.113.9' } },
  ],
])('%s is told that there is nothing', async (_, from) => {
  const { statusCode, body } = await t.app.server.inject({ method: 'GET', url: '/metrics', ...from })

  expect([statusCode, JSON.parse(body).reason]).toEqual([404, 'kernel/no-route'])
})

test('the commands of the paper show readiness, build, and what one request left in the logs', async () => {
  const served = new URL(await t.app.server.listen({ port: 0, host: '127.0.0.1' })).host
  const run = async (command: string): Promise<string> => (await promisify(execFile)('sh', ['-euc', command])).stdout
  const logs = join(await mkdtemp(join(tmpdir(), 'kaopu-journal-')), 'lines')
  onTestFinished(() => rm(dirname(logs), { recursive: true }))
  const id = '0f8fad5b-d9cb-469f-a165-70867728950e'
  await writeFile(logs, `{"level":"warn","traceId":"${id}","msg":"one"}\n{"level":"warn","traceId":"another","msg":"two"}\n`)

  expect(JSON.parse(await run(operateCommand('watch-ready', { '127.0.0.1:7300': served })))).toMatchObject({ ready: true })
  expect(await run(operateCommand('watch-metrics', { '127.0.0.1:7300': served }))).toMatch(/^kaopu_build_info\{build="/)
  expect(await run(operateCommand('watch-trace', { 'journalctl -u kaopu -o cat': `cat ${logs}` }))).toContain('"msg":"one"')
})
