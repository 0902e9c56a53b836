import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { createLog, type Log } from '#kernel/log.ts'
import { startTestApp, type TestApp, type TestTenant } from '../support/app.ts'
import { upload } from '../support/signing.ts'

let t: TestApp
let tenant: TestTenant
/** Lines of level 50. */
const errors: unknown[] = []
beforeAll(async () => {
  const log: Log = createLog('silent')
  log.error = (...words: unknown[]) => void errors.push(words)
  t = await startTestApp({ log })
  tenant = await t.tenant()
})
afterAll(() => t.close())

test('[19.22] a commit whose answer was lost says so, and the same key finds out what became of it', async () => {
  const admin = await tenant.staff('admin')
  const owner = await t.owner()
  // The commit waits in a trigger of its own, so that the link can be cut while it is on its way.
  await owner.query(`
    create function slow_commit() returns trigger language plpgsql as $$ begin
      if new.param_key = 'lost.link' then perform pg_sleep(30); end if; return null; end $$;
    create constraint trigger slow_commit after insert on param deferrable initially deferred for each row execute function slow_commit()`)
  const add = () =>
    admin.post('/blade-system/param/submit', {
      json: { paramName: '断线', paramKey: 'lost.link', paramValue: '1' },
      headers: { 'idempotency-key': 'lost-link-1' },
    })
  const lost = add()
  await expect
    .poll(async () => {
      const { rowCount } = await owner.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`,
      )
      return rowCount
    })
    .toBe(1)
  const answer = await lost
  expect([answer.status, answer.body.code, answer.body.reason, answer.headers['retry-after']]).toEqual([
    503,
    2007,
    'kernel/outcome-unknown',
    '2',
  ])
  expect(answer.body.msg).toContain('Idempotency-Key')
  await owner.query('drop trigger slow_commit on param; drop function slow_commit()')

  const [again, once] = [await add(), await add()]
  expect([again.status, once.body.data]).toEqual([200, again.body.data])
  expect(await tenant.rows(sql<object>`select count(*)::int as n from param where param_key = 'lost.link'`)).toEqual([{ n: 1 }])
})

test('[19.22] a folder of uploads that was cleared away is made again', async () => {
  const candidate = await tenant.candidate()
  const before = process.env['TMPDIR']
  const gone = await mkdtemp(join(tmpdir(), 'kaopu-gone-'))
  onTestFinished(async () => {
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
    await rm(gone, { recursive: true, force: true })
  })
  process.env['TMPDIR'] = join(gone, 'tmp')
  await rm(join(t.app.services.config.dataDir, 'files'), { recursive: true })
  const pdf = Buffer.from(
    '%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [] /Count 0 >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n',
  )
  expect(await upload(candidate, pdf, 'a.pdf', 'document')).toMatch(/^\d+$/)
})

test('[19.22] ids of another tenant, and ones that no row can have, end in 404 or at their field, and are no defect', async () => {
  const other = await t.tenant()
  const admin = await tenant.staff('admin')
  const foreign = await other.staff('reviewer1')
  const [role] = await other.rows(sql<{ id: string }>`select id::text as id from role where role_alias = 'finance'`)
  errors.length = 0
  const office = await tenant.staff('exam_admin')
  const asked = async (id: string) => [
    (await admin.get('/blade-system/user/detail', { query: { id } })).status,
    (await admin.post('/blade-system/user/remove', { query: { ids: id } })).status,
    (await office.get('/blade-signup/signup/detail', { query: { id } })).status,
    (await office.get('/blade-exam/examination/detail', { query: { id } })).status,
  ]
  expect(await asked(foreign.userId)).toEqual([404, 404, 404, 404])
  expect(await asked('999000111222333444')).toEqual([404, 404, 404, 404])
  // No id is larger: its field says so.
  expect(await asked('9999999999999999999')).toEqual([400, 400, 400, 400])
  const own = await tenant.staff('reviewer1')
  expect((await admin.post('/blade-system/user/grant', { json: { userIds: own.userId, roleIds: role?.id } })).status).toBe(404)
  expect(errors).toEqual([])
})
