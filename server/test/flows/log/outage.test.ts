import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { thisServer } from '#kernel/this-server.ts'
import { startTestApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { lossyLink } from '../../support/lossy-link.ts'

let t: TestApp
let tenant: TestTenant
beforeAll(async () => {
  t = await startTestApp()
  tenant = await t.tenant()
})
afterAll(() => t.close())

test('calls that are answered while the database is away stand in the call log afterwards, each once and in their order', async () => {
  const link = await lossyLink(t.databaseUrl)
  const behind = await startTestApp({ databaseUrl: link.url })
  onTestFinished(async () => {
    await behind.close()
    await link.close()
  })
  const { lost, flush } = behind.app.modules.log
  const call = async (n: number) =>
    (
      await behind.anonymous(tenant.tenantId).post('/blade-system/dept/remove', {
        query: { ids: '1' },
        headers: { 'x-request-id': `outage-call-${n}` },
      })
    ).status
  expect(await call(1)).toBe(401)
  await flush()

  link.refuse()
  const away: number[] = []
  for (let n = 2; n <= 20; n += 1) {
    away.push(await call(n))
    if (n % 5 === 0) await flush()
  }
  const spooled = (await readFile(join(behind.app.services.config.dataDir, 'log-spool', `${thisServer.host}-7300.jsonl`), 'utf8')).split(
    '\n',
  )
  expect([new Set(away), spooled.filter(line => line.includes('outage-call-')).length]).toEqual([new Set([401]), 19])
  link.accept()
  expect(await call(21)).toBe(401)
  await flush()

  const calls = await tenant.rows(
    sql<{ id: string }>`select trace_id as id from api_log where trace_id like 'outage-call-%' order by api_log.id`,
  )
  expect([calls.map(({ id }) => id), lost()]).toEqual([Array.from({ length: 21 }, (_, n) => `outage-call-${n + 1}`), 0])
})
