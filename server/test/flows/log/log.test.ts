import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { idCardCheckDigit } from '#contract/person/id-card.ts'
import { countStatements } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import { thisServer } from '#kernel/this-server.ts'
import { type Person, startTestApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { doWork } from '../../support/own-work.ts'
import { sheetRows } from '../../support/sheet-text.ts'

let t: TestApp
let tenant: TestTenant
let admin: Person
let auditor: Person
let foreign: Person
beforeAll(async () => {
  t = await startTestApp()
  tenant = await t.tenant()
  const other = await t.tenant()
  admin = await tenant.staff('admin')
  auditor = await tenant.staff('auditor')
  foreign = await other.staff('admin')
})
afterAll(() => t.close())

// biome-ignore lint/suspicious/noExplicitAny: rows of many lists -- parsing border
type Row = any
const list = async (by: Person, kind: string, query: object = {}): Promise<Row[]> => {
  await t.app.modules.log.flush()
  return (await by.get(`/blade-log/${kind}/list`, { query: { size: 200, ...query } })).body.data.records
}
const cellsOf = async (bytes: Buffer): Promise<string[]> => (await sheetRows(bytes)).flat()
const setParameter = async (paramKey: string, paramValue: string, of = tenant) => {
  await of.db(db => db.run(sql`update param set param_value = ${paramValue} where param_key = ${paramKey}`))
  t.app.modules.log.forget()
}

describe('[S7.29] the log of calls', () => {
  test('who did what, when, from where, with which outcome and how long it took; reads only where a tenant wants them', async () => {
    const made = await admin.post('/blade-system/dept/submit', {
      json: { deptName: '日志科', fullName: '日志科', deptCategory: 2, sort: 7 },
      headers: { 'user-agent': 'probe/1.0' },
    })
    await auditor.post('/blade-system/dept/remove', { query: { ids: made.body.data.id } })
    await admin.get('/blade-system/dept/list')
    expect(await list(auditor, 'api', { requestUri: 'dept' })).toMatchObject([
      { method: 'POST', requestUri: '/blade-system/dept/remove', userId: auditor.userId, status: 403, reason: 'kernel/forbidden' },
      {
        method: 'POST',
        requestUri: '/blade-system/dept/submit',
        userId: admin.userId,
        account: expect.stringMatching(/^staff/),
        status: 200,
        reason: '',
        remoteIp: '127.0.0.1',
        createTime: '2026-03-17 10:00:00',
        time: expect.stringMatching(/^\d+$/),
        tenantId: tenant.tenantId,
        serviceId: 'kaopu',
        type: '1',
        traceId: expect.stringMatching(/./),
      },
    ])
    const [row] = await list(auditor, 'api', { requestUri: 'dept/submit' })
    const detail = (await auditor.get('/blade-log/api/detail', { query: { id: row.id } })).body.data
    expect(detail).toMatchObject({ userAgent: 'probe/1.0', userType: 1 })
    expect(JSON.parse(detail.params)).toEqual({ deptName: '***', fullName: '***', deptCategory: 2, sort: 7 })
    expect(await list(auditor, 'api', { failed: 1, requestUri: 'dept' })).toHaveLength(1)
    expect(await list(auditor, 'api', { traceId: row.traceId })).toHaveLength(1)
    expect(await list(auditor, 'api', { requestUri: 'dept', ascs: 'status' })).toMatchObject([{ status: 200 }, { status: 403 }])
    expect(await list(auditor, 'api', { from: '2027-01-01 00:00:00' })).toEqual([])

    await setParameter('log.apiScope', 'all')
    await list(auditor, 'api')
    await admin.get('/blade-system/dept/list')
    expect((await list(auditor, 'api', { requestUri: 'dept/list' })).length).toBe(1)
    await setParameter('log.apiScope', 'off')
    await list(auditor, 'api')
    await admin.post('/blade-system/dept/remove', { query: { ids: '1' } })
    expect(await list(auditor, 'api', { requestUri: 'dept/remove' })).toHaveLength(1)
    await setParameter('log.apiScope', 'changes')
    await list(auditor, 'api')
  })

  test('[T17][S10] no row of any log holds an id number, a phone, a password, a name or a line of somebody else’s making', async () => {
    const phone = '13812345678'
    const idCard = `33010619920202302${idCardCheckDigit('33010619920202302')}`
    const word = 'Geheim-7531'
    const inject = `x\u001b[31m\u202e\u2028${'é'.repeat(4_000)}`
    const secrets = { phone, idCard, password: word, realName: '陶渊明', email: 'tao@example.cn', account: 'tao.yuanming' }
    const calls: [string, object][] = [
      ['/blade-system/user/submit', { json: secrets }],
      ['/blade-system/user/submit', { query: secrets }],
      ['/blade-system/user/register', { form: { ...secrets, remark: `${phone}\r\n${idCard}` } }],
      ['/blade-system/user/update-password', { json: { oldPassword: word, newPassword: word } }],
      ['/blade-auth/oauth/token', { form: { grant_type: 'password', username: phone, password: word } }],
      ['/blade-system/param/submit', { json: { paramName: phone, paramKey: idCard, paramValue: word, [idCard]: phone } }],
      ['/blade-system/user/remove', { query: { ids: `${idCard},1` } }],
    ]
    for (const [path, options] of calls)
      for (const by of [admin, t.anonymous(tenant.tenantId)])
        await by.post(path, { ...options, headers: { 'user-agent': `agent ${phone} bearer ${word} ${'x'.repeat(5_000)}` } })
    const broken = Object.assign(new Error(`bad "${secrets.realName}" ${inject} ${idCard} password=${word}`), { detail: phone })
    t.app.modules.log.failed(tenant.tenantId, 'probe', broken)
    t.app.modules.log.say(tenant.tenantId, 'warn', `probe\r\n${inject}`, { note: inject, phone, error: broken })
    await t.app.modules.log.flush()
    const rows = await t.app.services.scopes.asPlatform('test', t.clock.now(), async db => [
      ...(await db.all(sql<object>`select * from api_log`)),
      ...(await db.all(sql<object>`select * from usual_log`)),
      ...(await db.all(sql<object>`select * from error_log`)),
    ])
    const text = JSON.stringify(rows)
    expect(rows.length).toBeGreaterThan(calls.length)
    for (const found of [phone, idCard, idCard.slice(0, 17), word, '陶渊明', 'tao@', 'tao.yuan'])
      expect([found, text.includes(found)]).toEqual([found, false])
    expect(text).not.toMatch(/\\u001b|\\r|\u202e|\u2028/)
    expect(Math.max(...rows.map(row => Buffer.byteLength(JSON.stringify(row))))).toBeLessThan(10_000)
    const [line] = await list(auditor, 'error', { source: 'server' })
    expect(line).toMatchObject({ kind: 'Error', requestUri: 'probe', occurrences: 1 })
  })

  test('[PF6] a log answers to those who may read it, in their own tenant; operators of the platform name another’s and leave a line', async () => {
    await admin.post('/blade-system/dept/remove', { query: { ids: '1' } })
    const [row] = await list(admin, 'api')
    for (const kind of ['usual', 'api', 'error']) {
      const finance = await tenant.staff('finance')
      const statuses = [
        (await t.anonymous().get(`/blade-log/${kind}/list`)).status,
        (await finance.get(`/blade-log/${kind}/list`)).status,
        (await (await tenant.candidate()).get(`/blade-log/${kind}/list`)).status,
        (await foreign.get(`/blade-log/${kind}/list`, { query: { ofTenant: tenant.tenantId } })).status,
        (await (await t.platform().staff('admin')).get(`/blade-log/${kind}/list`, { query: { ofTenant: tenant.tenantId } })).status,
      ]
      expect(statuses).toEqual([401, 403, 403, 403, 403])
    }
    expect((await list(foreign, 'api', { requestUri: 'dept' })).filter(line => line.tenantId === tenant.tenantId)).toEqual([])
    expect((await foreign.get('/blade-log/api/detail', { query: { id: row.id } })).status).toBe(404)
    expect((await foreign.get('/blade-log/api/detail', { query: { id: row.id, ofTenant: tenant.tenantId } })).status).toBe(403)
    const operator = await t.platform().staff('administrator')
    expect((await list(operator, 'api', { ofTenant: tenant.tenantId })).map(line => line.id)).toContain(row.id)
    expect((await list(operator, 'api')).map(line => line.id)).not.toContain(row.id)
    expect(
      await t
        .platform()
        .rows(
          sql<object>`select entity, after_value->>'tenantId' as who from audit_log where action = 'log.read' and user_id = ${operator.userId}`,
        ),
    ).toEqual([{ entity: 'log_api', who: tenant.tenantId }])
    // The database alone: nobody writes or removes a line in a tenant's name.
    await expect(tenant.db(db => db.run(sql`delete from api_log`))).rejects.toMatchObject({ code: '42501' })
    await expect(
      tenant.db(db =>
        db.run(sql`insert into usual_log (tenant_id, level, log_id, created_at) values (${tenant.tenantId}, 1, 'x', app_now())`),
      ),
    ).rejects.toMatchObject({ code: '42501' })
  })

  test('a call pays no statement for its line, and a flood of refusals does not fill the log', async () => {
    const statements = await countStatements(() => admin.post('/blade-system/dept/remove', { query: { ids: '1' } }))
    const silent = t.app.modules.log.lost()
    await t.app.modules.log.flush()
    const before = await t.platform().rows(sql<{ n: number }>`select count(*)::int as n from api_log where user_id = 0`)
    t.clock.advance(60_000)
    for (let i = 0; i < 100; i += 1) await t.anonymous().post('/blade-system/dept/remove', { query: { ids: '1' } })
    await t.app.modules.log.flush()
    const after = await t.platform().rows(sql<{ n: number }>`select count(*)::int as n from api_log where user_id = 0`)
    expect((after[0]?.n ?? 0) - (before[0]?.n ?? 0)).toBe(60)
    expect(
      await t.platform().rows(sql<{ d: string }>`select log_data as d from usual_log where log_id = 'log' order by id desc limit 1`),
    ).toEqual([{ d: '{"event":"lines were not kept","lost":0,"refused":40}' }])
    expect(silent).toBe(0)
    await setParameter('log.apiScope', 'off')
    await t.app.modules.log.flush()
    await admin.post('/blade-system/dept/remove', { query: { ids: '1' } })
    expect(await countStatements(() => admin.post('/blade-system/dept/remove', { query: { ids: '1' } }))).toBe(statements)
    await setParameter('log.apiScope', 'changes')
    expect((await t.anonymous().get('/health')).body).toEqual({ ready: true })
  })

  test('errors of one cause stand as one group with their number; the list says each', async () => {
    const broken = (n: number) => Object.assign(new Error(`row ${n} is gone`), { stack: 'Error\n    at run (server/src/a.ts:1:1)' })
    for (const n of [1, 2, 3]) t.app.modules.log.failed(tenant.tenantId, 'probe.group', broken(n))
    await t.app.modules.log.flush()
    t.app.modules.log.failed(tenant.tenantId, 'probe.group', broken(4))
    const rows = await list(auditor, 'error', { requestUri: 'probe.group' })
    expect(rows.map(row => row.occurrences)).toEqual([1, 3])
    const groups = (await auditor.get('/blade-log/error/groups', { query: { requestUri: 'probe.group' } })).body.data
    expect(groups).toMatchObject({ total: 1, records: [{ occurrences: 4, digest: rows[0].digest, id: rows[0].id, source: 'server' }] })
    const detail = (await auditor.get('/blade-log/error/detail', { query: { id: rows[0].id } })).body.data
    expect(detail).toMatchObject({ fileName: 'server/src/a.ts', lineNumber: 1, stackTrace: expect.stringContaining('server/src/a.ts') })
  })

  test('an export holds the lines of the search and leaves an audit line', async () => {
    const answer = await auditor.get('/blade-log/api/export', { query: { requestUri: 'dept/submit' } })
    expect(answer.status).toBe(200)
    const rows = await cellsOf(answer.raw)
    expect(rows).toEqual(expect.arrayContaining(['POST', '/blade-system/dept/submit', '200']))
    expect(JSON.stringify(rows)).not.toContain('dept/remove')
    expect((await (await tenant.staff('secadmin')).get('/blade-log/api/export')).status).toBe(403)
    expect(
      await tenant.rows(
        sql<object>`select entity, user_id::text as by, after_value->'filter' as filter from audit_log where action = 'log.exported'`,
      ),
    ).toEqual([{ entity: 'log_api', by: auditor.userId, filter: { requestUri: 'dept/submit' } }])
  })

  test('each line has the fields that the framework names, of the server that wrote it', async () => {
    const placed = { tenantId: tenant.tenantId, serviceId: 'kaopu', serverIp: thisServer.ip, serverHost: thisServer.host, env: 'test' }
    await admin.post('/blade-system/dept/remove', { query: { ids: '1' } })
    const [call] = await list(auditor, 'api', { requestUri: 'dept/remove' })
    expect(call).toMatchObject({
      ...placed,
      createBy: call.account,
      type: '1',
      title: expect.any(String),
      method: 'POST',
      methodClass: 'blade-system.dept',
      methodName: 'remove',
    })
    t.app.modules.log.say(tenant.tenantId, 'warn', 'probe', { event: 'said' })
    const [said] = await list(auditor, 'usual', { logId: 'probe' })
    expect(said).toMatchObject({ ...placed, logLevel: 'warn', logData: '{"event":"said"}', requestUri: '', createBy: '' })
    expect((await auditor.get('/blade-log/usual/detail', { query: { id: said.id } })).body.data).toEqual({
      ...said,
      userAgent: '',
      params: '',
    })
    t.app.modules.log.failed(tenant.tenantId, 'probe task', new Error('broke'))
    const [error] = await list(auditor, 'error', { message: 'broke' })
    expect(error).toMatchObject({ ...placed, exceptionName: 'Error', requestUri: 'probe task', methodClass: '', methodName: '' })
  })
})

describe('[S7.29] old lines', () => {
  const old = async (table: string, of: TestTenant, days: readonly number[]) =>
    t.app.services.scopes.asPlatform('test', t.clock.now(), async db => {
      for (const day of days) {
        const at = new Date(t.clock.now().getTime() - day * 24 * 3_600_000)
        if (table === 'api_log')
          await db.run(
            sql`insert into api_log (tenant_id, method, path, status, duration_ms, created_at) values (${of.tenantId}, 'POST', '/old', 200, 1, ${at})`,
          )
        else if (table === 'login_log')
          await db.run(
            sql`insert into login_log (tenant_id, account_key, grant_type, result, created_at) values (${of.tenantId}, 'old', 'password', 'ok', ${at})`,
          )
        else if (table === 'usual_log')
          await db.run(sql`insert into usual_log (tenant_id, level, log_id, created_at) values (${of.tenantId}, 2, 'old', ${at})`)
        else
          await db.run(
            sql`insert into error_log (tenant_id, source, message, request_uri, created_at) values (${of.tenantId}, 'server', 'old', '/old', ${at})`,
          )
      }
    })
  const left = async (of: TestTenant) => {
    const { rows } = {
      rows: await of.rows(sql<{ k: string; n: number }>`
      select 'api' as k, count(*)::int as n from api_log where path = '/old' union all select 'error', count(*)::int from error_log where message = 'old'
      union all select 'usual', count(*)::int from usual_log where log_id = 'old'
      union all select 'login', count(*)::int from login_log where account_key = 'old' order by 1`),
    }
    return Object.fromEntries(rows.map(row => [row.k, row.n]))
  }

  test('go after the days each tenant keeps them, and never before the law lets them', async () => {
    const [one, two] = [await t.tenant(), await t.tenant()]
    for (const of of [one, two])
      for (const table of ['api_log', 'usual_log', 'error_log', 'login_log']) await old(table, of, [5, 60, 100, 200, 400])
    await setParameter('log.apiDays', '30', one)
    await setParameter('log.usualDays', '30', one)
    await setParameter('log.loginDays', '300', one)
    await setParameter('log.errorDays', '300', one)
    await doWork(t, 'log.purge')
    expect([await left(one), await left(two)]).toEqual([
      { api: 3, usual: 1, error: 4, login: 4 },
      { api: 3, usual: 2, error: 3, login: 3 },
    ])
    await t.app.modules.log.flush()
    expect(await one.rows(sql<{ d: string }>`select log_data as d from usual_log where log_id = 'log.purge' order by id`)).toHaveLength(4)
  })

  test('are removed by hand after a count that was seen, with reason and audit line, in one tenant, by who may', async () => {
    const [mine, other] = [await t.tenant(), await t.tenant()]
    for (const of of [mine, other]) await old('api_log', of, [10, 200, 300])
    const by = await mine.staff('admin')
    const purge = (person: Person, json: object) => person.post('/blade-log/api/purge', { json })
    expect((await purge(await mine.staff('auditor'), { before: '2025-06-01' })).status).toBe(403)
    const young = await purge(by, { before: '2026-03-01' })
    expect([young.status, young.body.reason, young.body.msg]).toEqual([409, 'log/too-young', expect.stringContaining('180')])
    expect((await purge(by, { before: '2025-09-10' })).body.data).toEqual({ count: 2, done: false })
    expect((await purge(by, { before: '2025-09-10', expected: 1 })).body.reason).toBe('log/count-changed')
    expect(await left(mine)).toMatchObject({ api: 3 })
    expect((await purge(by, { before: '2025-09-10', expected: 2, reason: '年度清理' })).body.data).toEqual({ count: 2, done: true })
    await t.runTasks()
    expect([await left(mine), await left(other)]).toMatchObject([{ api: 1 }, { api: 3 }])
    expect(await mine.rows(sql<object>`select entity, reason, after_value as after from audit_log where action = 'log.purged'`)).toEqual([
      { entity: 'log_api', reason: '年度清理', after: { before: '2025-09-10', count: 2 } },
    ])
    // Log-ins by a call beside their list.
    for (const of of [mine, other]) await old('login_log', of, [10, 200, 300])
    const logins = (person: Person, json: object) => person.post('/blade-system/auth-log/purge', { json })
    expect((await logins(await mine.staff('secadmin'), { before: '2025-06-01' })).status).toBe(403)
    expect((await logins(by, { before: '2026-03-01' })).body.reason).toBe('log/too-young')
    expect((await logins(by, { before: '2025-09-10' })).body.data).toEqual({ count: 2, done: false })
    expect((await logins(by, { before: '2025-09-10', expected: 2, reason: '过期' })).body.data).toEqual({ count: 2, done: true })
    await t.runTasks()
    expect([await left(mine), await left(other)]).toMatchObject([{ login: 1 }, { login: 3 }])
    expect(await mine.rows(sql<object>`select reason, after_value as after from audit_log where entity = 'log_login'`)).toEqual([
      { reason: '过期', after: { before: '2025-09-10', count: 2 } },
    ])
  })
})

test('[S7.29] the program says when it starts and stops; nothing that waits is lost at its end', async () => {
  const two = await startTestApp({ databaseUrl: t.databaseUrl, withWorker: true })
  await two.anonymous(tenant.tenantId).post('/blade-system/dept/remove', { query: { ids: '1' }, headers: { 'user-agent': 'last-words' } })
  await two.close()
  expect(
    await t
      .platform()
      .rows(sql<{ d: string }>`select log_data::json->>'event' as d from usual_log where log_id = 'program' and level = 2 order by id`),
  ).toEqual([{ d: 'started' }, { d: 'stopped' }])
  const operator = await t.platform().staff('administrator')
  expect(await list(operator, 'usual', { logId: 'program', logLevel: 2 })).toMatchObject([
    { logLevel: 'info', logData: expect.stringContaining('stopped') },
    { logData: expect.stringContaining('started') },
  ])
  expect(
    (await list(operator, 'api', { ofTenant: tenant.tenantId })).filter(row => row.reason === 'kernel/no-token').length,
  ).toBeGreaterThan(0)
})
