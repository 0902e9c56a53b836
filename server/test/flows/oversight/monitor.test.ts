import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { type Person, startTestApp, type TestApp, type TestTenant, testCaptcha } from '../../support/app.ts'
import { sealFor } from '../../support/login.ts'
import { sheetRows } from '../../support/sheet-text.ts'

let t: TestApp
/** A second process on the same database. */
let two: TestApp
let tenant: TestTenant
let admin: Person
let auditor: Person
let foreign: Person
beforeAll(async () => {
  t = await startTestApp()
  two = await t.beside()
  tenant = await t.tenant()
  const other = await t.tenant()
  admin = await tenant.staff('admin')
  auditor = await tenant.staff('auditor')
  foreign = await other.staff('admin', { realName: '外机构管理员' })
  await foreign.post('/blade-system/dept/submit', { json: { deptName: '外机构部门', fullName: '外', deptCategory: 1, sort: 1 } })
})
afterAll(() => t.close())

const sessionOf = async (person: Person): Promise<string> =>
  (
    await t.app.services.scopes.asPlatform('test', t.clock.now(), db =>
      db.all(sql<{ id: string }>`select id::text as id from session where user_id = ${person.userId} and ended_at is null`),
    )
  )[0]?.id ?? ''
const logIn = async (account: string, password: string) => {
  const guest = t.anonymous(tenant.tenantId)
  const { key } = (await guest.get('/blade-auth/oauth/captcha')).body
  const sealed = sealFor(t, password)
  return guest.post('/blade-auth/oauth/token', {
    form: { grant_type: 'captcha', username: account, password: sealed, key, code: testCaptcha },
  })
}
const records = async (by: Person, path: string, query: object = {}) =>
  (await by.get(path, { query: { size: 200, ...query } })).body.data.records

describe('[S7.12] sessions that are open', () => {
  test('are listed by their tenant, ended for a reason in every process, and never one’s own, another’s or somebody’s above', async () => {
    const member = await tenant.staff('finance', { realName: '在线人' })
    const list = await records(admin, '/blade-system/online/page', { realName: '在线' })
    expect(list).toMatchObject([
      {
        userId: member.userId,
        realName: '在线人',
        roleName: '财务',
        userType: 1,
        isOwn: 0,
        locked: 0,
        loginTime: expect.stringMatching(/^2026/),
      },
    ])
    const inEnglish = await admin.get('/blade-system/online/page', { query: { realName: '在线' }, headers: { 'accept-language': 'en' } })
    expect(inEnglish.body.data.records).toMatchObject([{ realName: '在线人', roleName: 'Finance' }])
    expect(JSON.stringify(await records(admin, '/blade-system/online/page'))).not.toMatch(/外机构|hash/)
    expect((await records(admin, '/blade-system/online/page')).filter((row: { isOwn: number }) => row.isOwn === 1)).toHaveLength(1)
    const atTwo = () => two.anonymous().get('/blade-system/user/info', { headers: { 'blade-auth': `bearer ${member.token}` } })
    expect((await atTwo()).status).toBe(200)
    const kick = (ids: string, by = admin) => by.post('/blade-system/online/kick', { query: { ids, reason: '演练' } })
    const session = list[0].id
    const refused = [await kick(await sessionOf(admin)), await kick(`${session},${await sessionOf(foreign)}`), await kick(session, auditor)]
    expect(refused.map(answer => answer.body.reason)).toEqual(['user/self', 'kernel/not-found', 'kernel/forbidden'])
    expect((await kick(session)).body.data).toEqual({ changed: 1 })
    await two.app.catchUp()
    expect((await atTwo()).status).toBe(401)
    expect((await kick(session)).status).toBe(404)
    expect(
      await tenant.rows(
        sql<object>`select user_id::text as by, after_value->>'userId' as who, reason from audit_log where action = 'session.kicked'`,
      ),
    ).toEqual([{ by: admin.userId, who: member.userId, reason: '演练' }])
  })
})

describe('[S7.06] tries to log in', () => {
  test('every try is in the log with how it ended; whoever is shut out is in the list of locks until unlocked', async () => {
    const made = (await admin.post('/blade-system/user/submit', { json: { account: 'watched.one', realName: '被看见' } })).body.data
    await logIn('watched.one', made.oneTime.password)
    for (let attempt = 0; attempt < 6; attempt += 1) await logIn('watched.one', 'wrong')
    await logIn('nobody.here', 'wrong')
    const log = await records(auditor, '/blade-system/auth-log/page', { account: 'watched' })
    expect(
      log.map((row: { result: string; realName: string; grantType: string }) => [row.result, row.realName, row.grantType]).reverse(),
    ).toEqual([
      ['ok', '被看见', 'password'],
      ...Array(5).fill(['auth/invalid-grant', '', 'password']),
      ['auth/account-locked', '', 'password'],
    ])
    expect(await records(auditor, '/blade-system/auth-log/page', { account: 'watched', ok: 1 })).toHaveLength(1)
    expect(await records(auditor, '/blade-system/auth-log/page', { account: 'nobody' })).toHaveLength(1)
    expect(await records(auditor, '/blade-system/auth-log/page', { from: '2027-01-01 00:00:00' })).toEqual([])
    expect(await records(foreign, '/blade-system/auth-log/page', { account: 'watched' })).toEqual([])

    const member = await tenant.staff('finance', { realName: '停岗人' })
    await admin.post('/blade-system/user/lock', { json: { userIds: member.userId, reason: '停岗' } })
    const locks = await records(auditor, '/blade-system/auth-lock/page')
    expect(
      locks.map((row: { realName: string; lockType: string; lockReason: string }) => [row.realName, row.lockType, row.lockReason]).sort(),
    ).toEqual([
      ['停岗人', 'MANUAL', '停岗'],
      ['被看见', 'SYSTEM', ''],
    ])
    expect(await records(auditor, '/blade-system/auth-lock/page', { lockType: 'SYSTEM' })).toMatchObject([
      { failCount: 5, lockEndTime: expect.stringMatching(/^2026/) },
    ])
    // However many tries raced or came after it: one lock, one line. A name that nobody has leaves none.
    expect(
      await tenant.rows(
        sql<object>`select entity_id as id, after_value->'isOneDevice' as device from audit_log where action = 'account.shut-out'`,
      ),
    ).toEqual([{ id: made.id, device: false }])
    await admin.post('/blade-system/user/unlock', { query: { userIds: `${made.id},${member.userId}`, reason: '已返岗' } })
    expect(await records(auditor, '/blade-system/auth-lock/page')).toEqual([])
  })
})

describe('[S7.29] what went on', () => {
  test('the audit trail answers to the auditor alone, with what changed and whether the line is sealed; looking leaves a line', async () => {
    const made = (
      await admin.post('/blade-system/dept/submit', { json: { deptName: '审计科', fullName: '审计科', deptCategory: 2, sort: 1 } })
    ).body.data
    await admin.post('/blade-system/dept/submit', {
      json: { id: made.id, deptName: '审计处', fullName: '审计处', deptCategory: 2, sort: 1 },
    })
    const lines = await records(auditor, '/blade-log/audit/list', { entity: 'dept', entityId: made.id, changes: 1 })
    expect(lines).toMatchObject([
      { action: 'dept.updated', userId: admin.userId, actorKind: 'staff', seq: null },
      { action: 'dept.added', userId: admin.userId },
    ])
    const at = { entity: 'dept', entityId: made.id }
    const found = async (query: object) => (await records(auditor, '/blade-log/audit/list', { ...at, ...query })).length
    expect(
      await Promise.all(
        [
          { userId: admin.userId },
          { userId: auditor.userId },
          { account: lines[0].account },
          { remoteIp: '127.0.0.1' },
          { remoteIp: '10.9' },
          { keyword: '审计处' },
          { keyword: '审计科' },
          { keyword: '没有写过' },
          { keyword: '%' },
          { deed: 'added' },
          { deed: 'add' },
        ].map(found),
      ),
    ).toEqual([2, 0, 2, 2, 0, 1, 2, 0, 0, 1, 0])
    const detail = (await auditor.get('/blade-log/audit/detail', { query: { id: lines[0].id } })).body.data
    expect([JSON.parse(detail.before).deptName, JSON.parse(detail.after).deptName]).toEqual(['审计科', '审计处'])
    expect(await records(auditor, '/blade-log/audit/list', { action: 'audit.read' })).toMatchObject([
      { userId: auditor.userId, entityId: lines[0].id },
    ])
    await t.app.services.scopes.asPlatform('test', t.clock.now(), db =>
      db.run(sql`
        insert into audit_seal (tenant_id, seq, audit_id, row_hash, chain_hash, signature, fence, sealed_at)
        values (${tenant.tenantId}, 77, ${lines[0].id}, ${'a'.repeat(64)}, ${'b'.repeat(64)}, ${'c'.repeat(64)}, 1, ${t.clock.now()})`),
    )
    expect((await auditor.get('/blade-log/audit/detail', { query: { id: lines[0].id } })).body.data).toMatchObject({
      seq: '77',
      chainHash: 'b'.repeat(64),
    })
    const changes = await records(auditor, '/blade-system/record-data/list', { tableName: 'dept', recordUserName: lines[0].account })
    expect(changes.map((row: { id: string; operation: string }) => [row.id, row.operation])).toEqual([
      [lines[0].id, 'dept.updated'],
      [lines[1].id, 'dept.added'],
    ])
    expect(await records(auditor, '/blade-system/record-data/list', { operation: 'audit.read' })).toEqual([])
    const { oldData, newData, ...record } = (await auditor.get('/blade-system/record-data/detail', { query: { id: lines[0].id } })).body
      .data
    expect([JSON.parse(oldData).deptName, JSON.parse(newData).deptName]).toEqual(['审计科', '审计处'])
    expect(record).toEqual({ ...changes[0], userAgent: expect.any(String) })
    const [{ id: looked }, ...others] = await records(auditor, '/blade-log/audit/list', { action: 'audit.read' })
    expect(others).toHaveLength(2)
    expect((await auditor.get('/blade-system/record-data/detail', { query: { id: looked } })).status).toBe(404)
    expect((await admin.get('/blade-system/record-data/list')).status).toBe(403)
    expect((await admin.get('/blade-log/audit/list')).status).toBe(403)
    expect(JSON.stringify(await records(auditor, '/blade-log/audit/list'))).not.toContain('外机构')
    const theirs = await t.app.services.scopes.asPlatform('test', t.clock.now(), db =>
      db.all(sql<{ id: string }>`select id::text as id from audit_log where tenant_id = ${foreign.tenantId} limit 1`),
    )
    expect((await auditor.get('/blade-log/audit/detail', { query: { id: theirs[0]?.id ?? '' } })).status).toBe(404)
  })

  test('the trail leaves as a workbook, narrowed as the list, for whoever may export it; the export is a line and not in it', async () => {
    const { body } = await admin.post('/blade-system/dept/submit', { json: { deptName: '导出科', fullName: '导出科', deptCategory: 2 } })
    const query = { entity: 'dept', entityId: body.data.id }
    const sheet = async (by: Person, of: object) =>
      (await sheetRows((await by.get('/blade-log/audit/export', { query: of as never })).raw)).slice(1)
    const [header = [], ...rows] = await sheet(auditor, query)
    expect(header).toEqual([
      '链上序号',
      '时间',
      '账号',
      '姓名',
      '操作方',
      '操作',
      '操作代码',
      '对象',
      '对象编号',
      '原因',
      'IP 地址',
      '追踪号',
      '打印内容',
      '人数',
    ])
    expect(rows.map(row => [row[5], row[6], row[7], row[8], row[10]])).toEqual([
      ['部门 · 新增', 'dept.added', '部门', body.data.id, '127.0.0.1'],
    ])
    const exported = await records(auditor, '/blade-log/audit/list', { action: 'audit.exported' })
    expect(exported).toMatchObject([{ userId: auditor.userId, entity: 'audit' }])
    const all = await sheet(auditor, {})
    expect(all.length - 1).toBe((await auditor.get('/blade-log/audit/list')).body.data.total - 1)
    expect([
      all.flat().includes('外机构'),
      (await admin.get('/blade-log/audit/export')).status,
      (await t.anonymous().get('/blade-log/audit/export')).status,
    ]).toEqual([false, 403, 401])
  })

  test('[PF6] errors of the browsers are read by who may, in their own tenant only', async () => {
    const list = [{ type: 'error', message: '页面崩溃', stack: 'at x', url: '/exam?token=1', time: '2026-03-17' }]
    await foreign.post('/blade-auth/oauth/logout', { json: [{ ...list[0], message: '外机构错误' }] })
    await admin.post('/blade-auth/oauth/logout', { json: list })
    const rows = await records(auditor, '/blade-log/error/list')
    expect(rows).toMatchObject([{ message: '页面崩溃', source: 'browser' }])
    expect((await auditor.get('/blade-log/error/detail', { query: { id: rows[0].id } })).body.data).toMatchObject({
      stackTrace: 'at x',
      clientTime: '2026-03-17',
    })
    const finance = await tenant.staff('finance')
    expect([(await t.anonymous().get('/blade-log/error/list')).status, (await finance.get('/blade-log/error/list')).status]).toEqual([
      401, 403,
    ])
    expect((await foreign.get('/blade-log/error/detail', { query: { id: rows[0].id } })).status).toBe(404)
  })
})
