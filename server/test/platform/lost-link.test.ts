import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { createLog, type Log } from '#kernel/log.ts'
import { type Answer, startTestApp, type TestApp, type TestTenant } from '../support/app.ts'
import { type LossyLink, lossyLink } from '../support/lossy-link.ts'
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

describe('[19.22] a commit that was carried out and whose answer was lost', () => {
  let link: LossyLink
  /** A process behind a link that loses answers. */
  let far: TestApp
  beforeAll(async () => {
    link = await lossyLink(t.databaseUrl)
    const { payments, oauth } = t.app
    far = await startTestApp({ databaseUrl: link.url, ...(payments ? { payments } : {}), ...(oauth ? { oauth } : {}) })
  })
  afterAll(async () => {
    await far.close()
    await link.close()
  })
  const told = ({ status, body }: Answer) => [status, body.reason ?? 'done']
  const unknown = [503, 'kernel/outcome-unknown']
  const callAs = (at: TestApp, token: string, path: string, json: object, key: string) =>
    at.anonymous().post(path, { json, headers: { 'blade-auth': `bearer ${token}`, 'idempotency-key': key } })

  test('a route of the kernel: the same key gets the committed answer, from that process and from another, and it was done once', async () => {
    const { token } = await tenant.staff('admin')
    const add = (at: TestApp, paramValue = '1') =>
      callAs(at, token, '/blade-system/param/submit', { paramName: '答复丢失', paramKey: 'lost.answer', paramValue }, 'lost-answer-1')
    const before = link.lost()
    link.loseCommitOf('lost.answer')
    expect(told(await add(far))).toEqual(unknown)
    expect(link.lost()).toBe(before + 1)
    const rows = await tenant.rows(sql<{ id: string }>`select id::text as id from param where param_key = 'lost.answer'`)
    expect(rows).toHaveLength(1)

    const [here, there] = [await add(far), await add(t)]
    expect([told(here), here.body.data.id]).toEqual([[200, 'done'], rows[0]?.id])
    expect(there.body).toEqual(here.body)
    expect(told(await add(t, '2'))).toEqual([422, 'kernel/idempotency-mismatch'])
    expect(
      await tenant.rows(sql<object>`
        select (select count(*)::int from param where param_key = 'lost.answer') as rows,
          (select count(*)::int from audit_log where action = 'param.added' and entity_id = ${rows[0]?.id ?? ''}) as lines`),
    ).toEqual([{ rows: 1, lines: 1 }])
  })

  test('a route that keeps the key itself: the file is there once, and the same key answers with it', async () => {
    const { token, userId } = await tenant.candidate()
    const pdf = Buffer.from(
      '%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [] /Count 0 >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n',
    )
    const put = () =>
      far.anonymous().post('/file/upload', {
        multipart: { fields: { purpose: 'document' }, files: [{ part: 'file', name: 'lost-upload.pdf', bytes: pdf }] },
        headers: { 'blade-auth': `bearer ${token}`, 'idempotency-key': 'lost-answer-2' },
      })
    link.loseCommitOf('lost-upload.pdf')
    expect(told(await put())).toEqual(unknown)
    const again = await put()
    expect(told(again)).toEqual([200, 'done'])
    expect(await tenant.rows(sql<object>`select id::text as id from stored_file where user_id = ${userId}`)).toEqual([
      { id: again.body.data.fileId },
    ])
  })

  test('a route with transactions of its own: it is never run again, and says so', async () => {
    const { token } = await tenant.staff('admin')
    const add = () => callAs(far, token, '/blade-system/user/submit', { account: 'lost.answer.user', realName: '李四' }, 'lost-answer-3')
    link.loseCommitOf('account.added')
    expect(told(await add())).toEqual(unknown)
    // At once, and from any process: nobody has to wait for what will never come.
    expect(told(await add())).toEqual([409, 'kernel/outcome-lost'])
    expect(
      told(await callAs(t, token, '/blade-system/user/submit', { account: 'lost.answer.user', realName: '李四' }, 'lost-answer-3')),
    ).toEqual([409, 'kernel/outcome-lost'])
    expect(await tenant.rows(sql<object>`select count(*)::int as n from account where account = 'lost.answer.user'`)).toEqual([{ n: 1 }])
  })
})

describe('[19.22] the database goes away within a call with transactions of its own, and comes back', () => {
  let link: LossyLink
  let far: TestApp
  let token: string
  beforeAll(async () => {
    link = await lossyLink(t.databaseUrl)
    const { payments, oauth } = t.app
    far = await startTestApp({ databaseUrl: link.url, ...(payments ? { payments } : {}), ...(oauth ? { oauth } : {}) })
    ;({ token } = await tenant.staff('admin'))
  })
  afterAll(async () => {
    await far.close()
    await link.close()
  })
  const add = async (at: TestApp, account: string) => {
    const answer = await at.anonymous().post('/blade-system/user/submit', {
      json: { account, realName: '李四' },
      headers: { 'blade-auth': `bearer ${token}`, 'idempotency-key': keyOf(account) },
    })
    return [answer.status, answer.body.reason ?? 'done', answer.body.data?.id]
  }
  const keyOf = (account: string) => `away-${account.replace('.', '-')}`
  const away = [503, 'kernel/no-database', undefined]
  const accounts = (account: string) => tenant.rows(sql<{ id: string }>`select id::text as id from account where account = ${account}`)
  const claims = (account: string) =>
    tenant.rows(sql<{ status: number | null }>`select status from idempotency where key = ${keyOf(account)}`)

  test('after it has claimed its key and before it has done anything: the key is free at once', async () => {
    link.goDownAtCommitOf('away-one-claimed', 'answered')
    expect(await add(far, 'one.claimed')).toEqual(away)
    // While it is away the answer stays the same.
    expect(await add(far, 'one.claimed')).toEqual(away)
    link.accept()
    expect(await add(far, 'one.claimed')).toEqual([200, 'done', expect.any(String)])
    expect(await accounts('one.claimed')).toHaveLength(1)
  })

  test('while it claims its key: nothing was begun, and the key is free at once', async () => {
    link.goDownAtCommitOf('away-two-claiming')
    expect(await add(far, 'two.claiming')).toEqual(away)
    expect(await claims('two.claiming')).toEqual([{ status: null }])
    link.accept()
    // By itself too: the repetition may come to another process.
    await expect.poll(() => claims('two.claiming')).toEqual([])
    expect(await add(t, 'two.claiming')).toEqual([200, 'done', expect.any(String)])
    expect(await accounts('two.claiming')).toHaveLength(1)
  })

  test('after it was done and before its answer was stored: the caller has the answer, and so has the same key later, at any process', async () => {
    link.goDownAtCommitOf('account.added', 'answered')
    const first = await add(far, 'three.done')
    expect(first).toEqual([200, 'done', (await accounts('three.done'))[0]?.id])
    link.accept()
    await expect.poll(() => claims('three.done')).toEqual([{ status: 200 }])
    expect([await add(far, 'three.done'), await add(t, 'three.done')]).toEqual([first, first])
    expect(await accounts('three.done')).toHaveLength(1)
  })

  test('while it commits: nobody knows, it is said at once, and it is not done again', async () => {
    link.goDownAtCommitOf('account.added')
    expect(await add(far, 'four.committing')).toEqual([503, 'kernel/outcome-unknown', undefined])
    link.accept()
    await expect.poll(() => claims('four.committing')).toEqual([{ status: 500 }])
    const lost = [409, 'kernel/outcome-lost', undefined]
    expect([await add(far, 'four.committing'), await add(t, 'four.committing')]).toEqual([lost, lost])
    expect(await accounts('four.committing')).toHaveLength(1)
  })
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
