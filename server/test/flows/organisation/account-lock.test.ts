import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { thisServer } from '#kernel/this-server.ts'
import { type Person, startTestApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { logInByPassword, staffWithPassword, testPassword } from '../../support/login.ts'

let t: TestApp
let tenant: TestTenant
let admin: Person
let auditor: Person
let foreign: Person
beforeAll(async () => {
  t = await startTestApp({ start: '2026-03-10T09:00:00+08:00' })
  tenant = await t.tenant()
  admin = await tenant.staff('admin', { realName: '管理甲' })
  auditor = await tenant.staff('auditor')
  foreign = await (await t.tenant()).staff('admin')
})
afterAll(() => t.close())

const locks = async (query: Record<string, string> = {}, by = auditor) =>
  (await by.get('/blade-system/auth-lock/page', { query })).body.data.records
const lock = (json: object, by = admin) => by.post('/blade-system/auth-lock/lock', { json })
const unlock = (json: object, by = admin) => by.post('/blade-system/auth-lock/unlock', { json })
const detail = (id: string, by = auditor) => by.get('/blade-system/auth-lock/detail', { query: { id } })
const auditOf = (id: string) =>
  tenant.rows(
    sql<object>`select action, user_id::text as by, reason, after_value - 'account' as after from audit_log where entity_id = ${id} and action like 'account.%lock%' order by id`,
  )
const statusOf = async (person: Person) => {
  await t.app.catchUp()
  return (await person.get('/blade-system/user/info')).status
}
const answerOf = async (account: string) => {
  const { status, body } = await logInByPassword(t, tenant.tenantId, account)
  return [status, body.error_code ?? null]
}

describe('[S7.06] the list of locks', () => {
  test('[S7.19] somebody locks from it with a reason, the sessions end, and a second reason lets the person in again', async () => {
    const person = await staffWithPassword(t, tenant, 'finance')
    expect((await lock({ userId: person.userId, lockReason: '' })).body.data.fields).toEqual([
      { field: 'lockReason', msg: '请输入锁定原因' },
    ])
    const refused = [
      await lock({ userId: person.userId, lockReason: '无权' }, auditor),
      await lock({ userId: person.userId, lockReason: '外租户' }, foreign),
      await lock({ userId: admin.userId, lockReason: '自己' }),
    ]
    expect(refused.map(answer => answer.body.reason)).toEqual(['kernel/forbidden', 'kernel/not-found', 'user/self'])
    expect(await statusOf(person)).toBe(200)

    expect((await lock({ userId: person.userId, lockReason: '停岗' })).body.data).toEqual({ changed: 1 })
    expect(await statusOf(person)).toBe(401)
    expect(await answerOf(person.account)).toEqual([400, 2916])
    const row = {
      id: person.userId,
      account: person.account,
      realName: expect.any(String),
      userType: 1,
      lockTarget: 'ACCOUNT',
      lockType: 'MANUAL',
      lockStatus: 'LOCKED',
      failCount: 0,
      lockBeginTime: '2026-03-10 09:00:00',
      lockEndTime: '',
      lockReason: '停岗',
      unlockReason: '',
      unlockTime: '',
      remoteIp: '',
      userAgent: '',
    }
    expect(await locks({ account: person.account })).toEqual([row])
    expect((await detail(person.userId)).body.data).toEqual(row)
    expect((await detail(person.userId, foreign)).status).toBe(404)
    expect((await detail(auditor.userId)).status).toBe(404)

    expect((await unlock({ id: person.userId, unlockReason: ' ' })).body.data.fields).toEqual([
      { field: 'unlockReason', msg: '请输入解锁原因' },
    ])
    expect((await unlock({ id: person.userId, unlockReason: '外租户' }, foreign)).status).toBe(404)
    expect((await unlock({ id: person.userId, unlockReason: '返岗' })).body.data).toEqual({ changed: 1 })
    expect((await answerOf(person.account))[0]).toBe(200)
    expect(await locks({ account: person.account })).toEqual([])
    const ended = {
      ...row,
      lockStatus: 'UN_LOCKED',
      lockBeginTime: '',
      lockReason: '',
      unlockReason: '返岗',
      unlockTime: '2026-03-10 09:00:00',
    }
    expect(await locks({ account: person.account, lockStatus: 'UN_LOCKED' })).toEqual([ended])
    expect((await detail(person.userId)).body.data).toEqual(ended)
    expect(await auditOf(person.userId)).toEqual([
      { action: 'account.locked', by: admin.userId, reason: '停岗', after: { status: 4 } },
      { action: 'account.unlocked', by: admin.userId, reason: '返岗', after: { status: 1 } },
    ])
    // Nothing is unlocked twice.
    expect((await unlock({ id: person.userId, unlockReason: '再次' })).body.reason).toBe('user/state')
  })

  test('a lock begins and ends at its times by itself; until then the person works, and a plan can be given up', async () => {
    const person = await staffWithPassword(t, tenant, 'finance')
    const spared = await tenant.staff('finance')
    const span = { lockBeginTime: '2026-03-10 12:00:00', lockEndTime: '2026-03-10 18:00:00' }
    const wrong = await lock({
      userId: person.userId,
      lockReason: '休假',
      lockBeginTime: span.lockEndTime,
      lockEndTime: span.lockBeginTime,
    })
    expect(wrong.body.data.fields).toEqual([{ field: 'lockEndTime', msg: '锁定结束时间须晚于开始时间' }])
    const past = await lock({ userId: person.userId, lockReason: '休假', lockEndTime: '2026-03-10 08:59:59' })
    expect(past.body.data.fields).toEqual([{ field: 'lockEndTime', msg: '锁定结束时间须晚于开始时间' }])

    for (const one of [person, spared])
      expect((await lock({ userId: one.userId, lockReason: '休假', ...span })).body.data).toEqual({ changed: 1 })
    expect((await locks({ account: person.account })).map((row: { lockStatus: string }) => row.lockStatus)).toEqual(['PRE_LOCKED'])
    expect(await locks({ account: person.account, lockStatus: 'LOCKED' })).toEqual([])
    // Nobody is told locked before.
    const line = (await admin.get('/blade-system/user/page', { query: { account: person.account } })).body.data.records[0]
    expect([line.status, line.lockReason]).toEqual([1, ''])
    expect((await unlock({ id: spared.userId, unlockReason: '取消休假' })).body.data).toEqual({ changed: 1 })
    await t.runTasks()
    expect([await statusOf(person), await statusOf(spared)]).toEqual([200, 200])

    t.clock.set('2026-03-10T12:00:00+08:00')
    await t.runTasks()
    expect([await statusOf(person), await statusOf(spared)]).toEqual([401, 200])
    expect(await answerOf(person.account)).toEqual([400, 2916])
    expect(await locks({ account: person.account })).toMatchObject([{ lockStatus: 'LOCKED', lockReason: '休假', ...span }])

    t.clock.set('2026-03-10T17:59:59+08:00')
    await t.runTasks()
    expect((await answerOf(person.account))[0]).toBe(400)
    t.clock.set('2026-03-10T18:00:00+08:00')
    await t.runTasks()
    expect((await answerOf(person.account))[0]).toBe(200)
    expect(await auditOf(person.userId)).toEqual([
      {
        action: 'account.lock-planned',
        by: admin.userId,
        reason: '休假',
        after: { begin: span.lockBeginTime, end: span.lockEndTime },
      },
      { action: 'account.locked', by: '0', reason: '休假', after: { status: 4, end: span.lockEndTime } },
      { action: 'account.unlocked', by: '0', reason: '锁定到期', after: { status: 1 } },
    ])
    expect(await auditOf(spared.userId)).toMatchObject([{ action: 'account.lock-planned' }, { action: 'account.unlocked' }])
  })

  test('the end of a lock that was lifted and set anew meanwhile ends nothing', async () => {
    const person = await tenant.staff('finance')
    const at = (hour: string) => `2026-03-11 ${hour}:00:00`
    t.clock.set('2026-03-11T09:00:00+08:00')
    await lock({ userId: person.userId, lockReason: '一', lockEndTime: at('10') })
    await unlock({ id: person.userId, unlockReason: '误锁' })
    await lock({ userId: person.userId, lockReason: '二' })
    t.clock.set('2026-03-11T11:00:00+08:00')
    await t.runTasks()
    expect((await detail(person.userId)).body.data).toMatchObject({ lockStatus: 'LOCKED', lockReason: '二', lockEndTime: '' })
  })

  test('a lock by wrong passwords says since when, how many, from where and with what', async () => {
    const person = await staffWithPassword(t, tenant, 'finance')
    t.clock.set('2026-03-12T09:00:00+08:00')
    for (let n = 0; n < 6; n += 1)
      await logInByPassword(t, tenant.tenantId, person.account, 'wrong-words-of-mine', { headers: { 'user-agent': 'probe/2.0' } })
    expect((await detail(person.userId)).body.data).toMatchObject({
      lockType: 'SYSTEM',
      lockStatus: 'LOCKED',
      failCount: 5,
      lockBeginTime: '2026-03-12 09:00:00',
      lockEndTime: '2026-03-12 09:15:00',
      lockReason: '',
      remoteIp: '127.0.0.1',
      userAgent: 'probe/2.0',
    })
  })
})

describe('[S7.06] the log of log-ins', () => {
  test('a line by itself has what the list has, with the server that answered, for its own tenant alone', async () => {
    const person = await staffWithPassword(t, tenant, 'finance')
    await logInByPassword(t, tenant.tenantId, person.account, testPassword, { headers: { 'user-agent': 'probe/3.0' } })
    const [row] = (await auditor.get('/blade-system/auth-log/page', { query: { account: person.account } })).body.data.records
    expect(row).toMatchObject({
      account: person.account,
      grantType: 'password',
      result: 'ok',
      userAgent: 'probe/3.0',
      serviceId: 'kaopu',
      serverIp: thisServer.ip,
      serverHost: thisServer.host,
      env: 'test',
    })
    expect((await auditor.get('/blade-system/auth-log/detail', { query: { id: row.id } })).body.data).toEqual(row)
    expect((await foreign.get('/blade-system/auth-log/detail', { query: { id: row.id } })).status).toBe(404)
    expect((await person.get('/blade-system/auth-log/detail', { query: { id: row.id } })).status).toBe(403)
  })
})
