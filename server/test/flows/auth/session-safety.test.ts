import pg from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { hashToken } from '#kernel/crypto/token.ts'
import type { PlatformDb } from '#kernel/db/scope.ts'
import { type RawBuilder, sql } from '#kernel/db/sql.ts'
import { listByAccessHash } from '#server/modules/auth/data/session.repo.ts'
import { type Answer, startTestApp, type TestApp, type TestTenant, testCaptcha, testSms } from '../../support/app.ts'
import { testIdCard } from '../../support/id-card.ts'
import { logInByPassword, sealFor, staffWithPassword, testPassword } from '../../support/login.ts'
import { type Logins, loginsOf, type Tab, tabOf } from '../../support/logins.ts'

let one: TestApp
/** A second process on the same database. */
let two: TestApp
let tenant: TestTenant
let people: Logins
beforeAll(async () => {
  one = await startTestApp()
  two = await one.beside()
  tenant = await one.tenant()
  people = loginsOf(one, tenant)
})
afterAll(() => one.close())

const tick = (ms: number): void => {
  one.clock.advance(ms)
  two.clock.advance(ms)
}

const login = async (account?: string): Promise<Tab> => people.tab(one, account ?? (await people.account()).name)
const refresh = (at: TestApp, tab: Tab): Promise<Answer> => people.refresh(at, tab)
const get = async (at: TestApp, tab: Tab, path = '/blade-system/user/info'): Promise<number> => (await people.get(at, tab, path)).status
const post = (at: TestApp, tab: Tab, path: string, json: object = {}): Promise<Answer> => people.post(at, tab, path, json)
const lock = (at: TestApp, tab: Tab, word = 'tea time') => post(at, tab, '/blade-auth/oauth/lock', { password: people.seal(word) })
const unlock = (at: TestApp, tab: Tab, word: string) => post(at, tab, '/blade-auth/oauth/unlock', { password: people.seal(word) })

describe('[S4.05] two tabs refresh', () => {
  /** A thousand races of two real processes are in server/test/fuzz. */
  const races = process.env['KAOPU_LONG'] ? 1_000 : 50
  test('many times at once over two processes: both go on with the same session, nobody is logged out', async () => {
    let tab = await login()
    let live = 0
    for (let race = 0; race < races; race += 1) {
      const [first, second] = await Promise.all([refresh(race % 2 === 0 ? one : two, tab), refresh(race % 2 === 0 ? two : one, tab)])
      const [a, b] = [tabOf(first), tabOf(second)]
      expect([race, first.status, second.status]).toEqual([race, 200, 200])
      expect([a.token === b.token, a.cookie === b.cookie]).toEqual([true, true])
      if ((await get(one, a)) === 200 && (await get(two, b)) === 200) live += 1
      tab = a
      // More than the grace: the next race begins with tokens that are alone again.
      tick(11_000)
    }
    console.log(`refresh race: ${races} races over two processes, ${live} with both tabs alive`)
    expect(live).toBe(races)
    expect(await tenant.rows(sql<object>`select end_reason from session where user_id = ${tab.userId} and ended_at is not null`)).toEqual(
      [],
    )
  }, 900_000)

  test('a tab that slept nine seconds gets what the other got; one of eleven seconds ends the session for both', async () => {
    const tab = await login()
    const fast = tabOf(await refresh(one, tab))
    tick(9_000)
    const slow = tabOf(await refresh(two, tab))
    expect(slow).toEqual(fast)
    tick(2_000)
    expect((await refresh(two, tab)).body.error).toBe('invalid_refresh_token')
    tick(5_000)
    expect([await get(one, fast), await get(two, fast)]).toEqual([401, 401])
  })

  test('the grace is for the same client only: another one with the used token ends the session', async () => {
    const tab = await login()
    const fast = tabOf(await refresh(one, tab))
    const thief = await two.anonymous(tenant.tenantId).post('/blade-auth/oauth/token', {
      form: { grant_type: 'refresh_token' },
      headers: { cookie: tab.cookie, 'sec-fetch-site': 'same-origin', 'user-agent': 'another' },
    })
    expect(thief.body.error).toBe('invalid_refresh_token')
    tick(5_000)
    expect(await get(two, fast)).toBe(401)
  })

  test('a token used up two changes ago ends the session too; it is in the trail, and its owner is told', async () => {
    const tab = await login()
    const second = tabOf(await refresh(one, tab))
    const third = tabOf(await refresh(two, second))
    expect((await refresh(one, tab)).body.error).toBe('invalid_refresh_token')
    tick(5_000)
    expect([await get(one, third), await get(two, third), (await refresh(two, third)).status]).toEqual([401, 401, 400])
    const [line] = await tenant.rows(
      sql<object>`select action, after_value as after from audit_log where action = 'session.refresh-replayed' and after_value->>'userId' = ${tab.userId}`,
    )
    expect(line).toEqual({ action: 'session.refresh-replayed', after: { userId: tab.userId } })
    expect(await tenant.rows(sql<object>`select title_en as title from notify where user_id = ${tab.userId}`)).toEqual([
      { title: 'One of your logins was ended' },
    ])
  })
})

describe('[S6.07] a session takes a part of its roles and departments', () => {
  const rolesAt = async (at: TestApp, tab: Tab): Promise<string[]> =>
    (await at.anonymous().get('/blade-auth/oauth/user-info', { headers: { 'blade-auth': `bearer ${tab.token}` } })).body.data.roles
  const switchTo = (tab: Tab, headers: Record<string, string>) =>
    one.anonymous(tenant.tenantId).post('/blade-auth/oauth/token', {
      form: { grant_type: 'refresh_token' },
      headers: { cookie: tab.cookie, 'sec-fetch-site': 'same-origin', ...headers },
    })

  test('through refresh: only what is held, kept by later refreshes, heard by every process, and left by a grant that takes it away', async () => {
    const tab = await login()
    const [first, second, third] = await tenant.rows(sql<{ id: string; alias: string }>`
      select id::text as id, role_alias as alias from role where role_alias in ('reviewer1', 'finance', 'admin') order by sort desc`)
    if (!first || !second || !third) throw new Error('three roles')
    expect([first.alias, second.alias, third.alias]).toEqual(['finance', 'reviewer1', 'admin'])
    const depts = await tenant.rows(sql<{ id: string }>`select id::text as id from dept`)
    await tenant.db(async db => {
      await db.run(sql`insert into account_role (tenant_id, user_id, role_id) values (${tenant.tenantId}, ${tab.userId}, ${first.id})`)
      await db.run(sql`update account set dept_id = ${depts[0]?.id} where id = ${tab.userId}`)
    })
    const both = await switchTo(tab, {})
    expect([both.body.role_name, both.body.dept_id]).toEqual(['reviewer1,finance', depts[0]?.id])
    const wide = tabOf(both)
    tick(11_000)
    for (const headers of [{ 'role-id': third.id }, { 'role-id': `${second.id},${third.id}` }, { 'dept-id': '999' }]) {
      const refused = await switchTo(wide, headers)
      expect([refused.status, refused.body.reason]).toEqual([400, 'auth/foreign-choice'])
    }
    // The tenant of a call is no way around either: the token is not known there.
    const elsewhere = await one.tenant()
    expect((await switchTo(wide, { 'tenant-id': elsewhere.tenantId })).body.error).toBe('invalid_refresh_token')

    const narrow = await switchTo(wide, { 'role-id': second.id })
    expect([narrow.body.role_name, narrow.body.role_id]).toEqual(['reviewer1', second.id])
    tick(11_000)
    const again = tabOf(await switchTo(tabOf(narrow), {}))
    expect(await rolesAt(two, again)).toEqual(['reviewer1'])
    // A header at any other call is not read.
    expect(
      (await two.anonymous().get('/blade-system/param/list', { headers: { 'blade-auth': `bearer ${again.token}`, 'role-id': third.id } }))
        .status,
    ).toBe(403)
    const admin = await tenant.staff('admin')
    await admin.post('/blade-system/user/grant', { query: { userIds: tab.userId, roleIds: first.id } })
    await two.app.catchUp()
    expect(await rolesAt(two, again)).toEqual(['finance'])
  })
})

describe('[S6.07][S7.06] what a login asks for is a wish, never a fact', () => {
  test('a role or department that is not held refuses the login by header and by parameter, after the password only', async () => {
    const own = await one.tenant()
    const person = await staffWithPassword(one, own, ['reviewer1', 'finance'])
    const roles = await own.rows(sql<{ id: string; alias: string }>`select id::text as id, role_alias as alias from role`)
    const idOf = (alias: string): string => roles.find(role => role.alias === alias)?.id ?? ''
    const elsewhere = await one.tenant()
    const [theirs] = await elsewhere.rows(sql<{ id: string }>`select id::text as id from role where role_alias = 'finance'`)
    const foreign = [idOf('admin'), theirs?.id ?? '', `${idOf('finance')},${idOf('admin')}`, '999', 'x']
    const seen = async (of: Parameters<typeof logInByPassword>[4], password?: string) =>
      (await logInByPassword(one, own.tenantId, person.account, password, of)).body.reason
    for (const ids of foreign) {
      expect([ids, await seen({ headers: { 'role-id': ids } }), await seen({ form: { roleId: ids } })]).toEqual([
        ids,
        'auth/foreign-choice',
        'auth/foreign-choice',
      ])
    }
    expect([await seen({ headers: { 'dept-id': '999' } }), await seen({ form: { deptId: '999' } })]).toEqual([
      'auth/foreign-choice',
      'auth/foreign-choice',
    ])
    // Whoever does not know the password learns nothing about what is held.
    expect(await seen({ headers: { 'role-id': idOf('admin') } }, 'not-the-password')).toBe('auth/invalid-grant')
    expect(await own.rows(sql`select 1 from session where client_id = 'kaopu-web' and fingerprint <> ${'f'.repeat(64)}`)).toEqual([])
    const narrow = await logInByPassword(one, own.tenantId, person.account, undefined, { headers: { 'role-id': idOf('finance') } })
    expect([narrow.body.role_name, narrow.body.role_id]).toEqual(['finance', idOf('finance')])
  })

  test('the tenant of a call is where the account is looked for, and the session stays in its own', async () => {
    const [own, other] = [await one.tenant(), await one.tenant()]
    const person = await staffWithPassword(one, own, 'finance')
    expect((await logInByPassword(one, other.tenantId, person.account)).body.error).toBe('invalid_grant')
    const inside = await logInByPassword(one, own.tenantId, person.account, undefined, { form: { tenantId: other.tenantId } })
    expect(inside.body.tenant_id).toBe(own.tenantId)
    const info = await one.anonymous(other.tenantId).get('/blade-auth/oauth/user-info', {
      headers: { 'blade-auth': `bearer ${inside.body.access_token}` },
      query: { tenantId: other.tenantId },
    })
    expect(info.body.data).toMatchObject({ tenant_id: own.tenantId, user_id: person.userId })
  })
})

test('[S7.06] the tenant may stand in the form; one that is not there opens no other door', async () => {
  const own = await one.tenant()
  const { account } = await staffWithPassword(one, own, 'finance')
  const logIn = async (tenantId: string, headers: Record<string, string> = {}) => {
    const { key } = (await one.anonymous(own.tenantId).get('/blade-auth/oauth/captcha')).body
    const form = { grant_type: 'captcha', username: account, password: sealFor(one, testPassword), key, code: testCaptcha, tenantId }
    return one.anonymous().post('/blade-auth/oauth/token', { form, headers, language: 'en' })
  }
  expect((await logIn(own.tenantId)).body.tenant_id).toBe(own.tenantId)
  // Its captcha would be wrong too: the tenant is refused before anything is looked at.
  for (const wrong of ['zzzzzz', "000000'--", '0000000000000'])
    expect([(await logIn(wrong)).body.msg, (await logIn(own.tenantId, { 'tenant-id': wrong })).body.msg]).toEqual([
      'The tenant number is not right',
      'The tenant number is not right',
    ])
})

test('a session is worth nothing while its account or its tenant is closed, even where nobody ended the session', async () => {
  const own = await one.tenant()
  const theirs = loginsOf(one, own)
  const { name, userId } = await theirs.account()
  const tab = await theirs.tab(one, name)
  const seen = async () => {
    tick(5_000)
    return [(await theirs.get(one, tab)).status, (await theirs.get(two, tab)).status]
  }
  expect(await seen()).toEqual([200, 200])
  for (const [shut, open] of [
    [sql`update account set status = 2 where id = ${userId}`, sql`update account set status = 1 where id = ${userId}`],
    [sql`update account set is_deleted = true where id = ${userId}`, sql`update account set is_deleted = false where id = ${userId}`],
  ] as const) {
    await own.db(db => db.run(shut))
    expect(await seen()).toEqual([401, 401])
    await own.db(db => db.run(open))
    expect(await seen()).toEqual([200, 200])
  }
  const { scopes } = one.app.services
  const tenantRow = (set: ReturnType<typeof sql>) =>
    scopes.asPlatform('a tenant is closed past its command', one.clock.now(), db =>
      db.run(sql`update tenant set ${set} where tenant_id = ${own.tenantId}`),
    )
  for (const [shut, open] of [
    [sql`status = 0`, sql`status = 1`],
    [sql`expire_time = '2020-01-01'`, sql`expire_time = null`],
  ] as const) {
    await tenantRow(shut)
    expect(await seen()).toEqual([401, 401])
    await tenantRow(open)
    expect(await seen()).toEqual([200, 200])
  }
})

describe('a process that has lost its ear', () => {
  const listenerOf = (app: TestApp) =>
    app.app.services.pools.kaopu_platform.query<{ pid: number }>(
      `select pid from pg_locks where locktype = 'advisory' and ((classid::bigint << 32) | objid::bigint) = $1 and granted`,
      [app.app.services.runner],
    )

  test('a change of rights made meanwhile is seen five seconds later at the latest, and at once when it hears again', async () => {
    const owner = new pg.Client({ connectionString: one.databaseUrl })
    await owner.connect()
    const tab = await login()
    const admin = await tenant.staff('admin')
    const [role] = await tenant.rows(sql<{ id: string }>`select id::text as id from role where role_alias = 'finance'`)
    const rolesAt = async (at: TestApp) => (await people.get(at, tab)).body.data.roles
    expect([await rolesAt(one), await rolesAt(two)]).toEqual([['reviewer1'], ['reviewer1']])
    const [before] = (await listenerOf(two)).rows
    await owner.query('select pg_terminate_backend($1)', [before?.pid])
    await admin.post('/blade-system/user/grant', { query: { userIds: tab.userId, roleIds: role?.id } })
    await two.app.catchUp()
    expect(await rolesAt(two)).toEqual(['finance'])
    const [after] = (await listenerOf(two)).rows
    expect([after === undefined, after?.pid === before?.pid]).toEqual([false, false])
    // What is told now is heard.
    await admin.post('/blade-system/user/lock', { json: { userIds: tab.userId, reason: '调查' } })
    await two.app.catchUp()
    expect(await get(two, tab)).toBe(401)
    await owner.end()
  })

  test('without any word from the database, a change is seen when five seconds have passed', async () => {
    const tab = await login()
    expect([await get(one, tab), await get(two, tab)]).toEqual([200, 200])
    // As somebody at the database would do it, whose change nobody is told of.
    const owner = new pg.Client({ connectionString: one.databaseUrl })
    await owner.connect()
    await owner.query('begin; set local session_replication_role = replica')
    await owner.query('update session set ended_at = now() where user_id = $1', [tab.userId])
    await owner.query('commit')
    await owner.end()
    await two.app.catchUp()
    expect(await get(two, tab)).toBe(200)
    tick(5_000)
    expect([await get(one, tab), await get(two, tab)]).toEqual([401, 401])
  })
})

describe('[S7.06][S7.11] a code by SMS', () => {
  test('is good once over all doors, also for two that come at once to two processes, and for its phone and tenant only', async () => {
    const own = await one.tenant()
    await own.candidate({ phone: '16055577001' })
    await own.candidate({ phone: '16055577002' })
    const phone = '16055577001'
    const send = async (to = phone): Promise<string> => {
      tick(61_000)
      return (await one.anonymous(own.tenantId).post('/blade-auth/oauth/sms/send-validate', { form: { phone: sealFor(one, to) } })).body
        .data.id
    }
    const logIn = (at: TestApp, id: string, to = phone, tenantId = own.tenantId) =>
      at
        .anonymous(tenantId)
        .post('/blade-auth/oauth/token', { form: { grant_type: 'sms_code', phone: sealFor(one, to), id, value: testSms } })
    const first = await send()
    const together = await Promise.all([logIn(one, first), logIn(two, first)])
    expect(together.map(answer => answer.body.error ?? 'in').sort()).toEqual(['in', 'invalid_sms_code'])
    const registered = await one.anonymous(own.tenantId).post('/blade-system/user/register', {
      multipart: {
        fields: {
          username: 'late.comer',
          password: sealFor(one, 'Sunny-river-27'),
          password2: sealFor(one, 'Sunny-river-27'),
          realName: '李测',
          phone: sealFor(one, phone),
          idCard: testIdCard(881),
          smsId: first,
          smsCode: testSms,
          consent: '1',
        },
      },
    })
    expect([registered.status, await own.rows(sql`select 1 from account where account_key = 'late.comer'`)]).toEqual([400, []])
    const second = await send()
    expect((await logIn(one, second, '16055577002')).body.error).toBe('invalid_sms_code')
    expect((await logIn(one, second, phone, (await one.tenant()).tenantId)).body.error).toBe('invalid_sms_code')
    expect((await logIn(two, second)).status).toBe(200)
    expect((await logIn(two, second)).body.error).toBe('invalid_sms_code')
    // A wrong code is a try to log in like a wrong password: it stands in the login log, with whose phone it was.
    expect(
      await own.rows(sql<object>`
        select result, count(*)::int as n, count(*) filter (where user_id = 0)::int as nobody
        from login_log where grant_type = 'sms_code' group by 1 order by 1`),
    ).toEqual([
      { result: 'auth/invalid-sms-code', n: 1, nobody: 0 },
      { result: 'auth/sms-code-over', n: 3, nobody: 0 },
      { result: 'ok', n: 2, nobody: 0 },
    ])
  })
})

describe('[S4.04] logout', () => {
  test('in one tab ends all tabs of the session, on every process within 5 seconds, and its refresh token', async () => {
    const tab = await login()
    expect([await get(one, tab), await get(two, tab)]).toEqual([200, 200])
    expect((await post(one, tab, '/blade-auth/oauth/logout')).status).toBe(200)
    expect(await get(one, tab)).toBe(401)
    tick(5_000)
    expect(await get(two, tab)).toBe(401)
    expect((await refresh(two, tab)).body.error).toBe('invalid_refresh_token')
  })

  test('of one device leaves the other device logged in', async () => {
    const desk = await login()
    const [row] = await tenant.rows(sql<{ account: string }>`select account from account where id = ${desk.userId}`)
    const phone = await login(row?.account)
    expect(phone.userId).toBe(desk.userId)
    await post(one, desk, '/blade-auth/oauth/logout')
    tick(5_000)
    expect([await get(two, desk), await get(two, phone)]).toEqual([401, 200])
  })
})

describe('[S4.02] the lock', () => {
  test('holds in every tab and on every process, survives a refresh and a new login clears it', async () => {
    const tab = await login()
    expect((await lock(one, tab)).status).toBe(200)
    expect(await get(one, tab)).toBe(423)
    tick(5_000)
    expect(await get(two, tab)).toBe(423)
    const refreshed = tabOf(await refresh(two, tab))
    expect(await get(two, refreshed)).toBe(423)
    const [row] = await tenant.rows(sql<{ account: string; hash: string }>`
      select a.account, s.lock_hash as hash from session s join account a on a.id = s.user_id where s.user_id = ${tab.userId}`)
    expect(row?.hash).toMatch(/argon2id/)
    expect(await get(one, await login(row?.account))).toBe(200)
    expect((await unlock(two, refreshed, 'tea time')).status).toBe(200)
    expect(await get(two, refreshed)).toBe(200)
  })

  test('five wrong words end the session, spread over two processes and at once; the right one comes too late', async () => {
    const tab = await login()
    await lock(one, tab)
    tick(5_000)
    const answers = await Promise.all(Array.from({ length: 12 }, (_, at) => unlock(at % 2 === 0 ? one : two, tab, `wrong ${at}`)))
    const reasons = answers.map(answer => answer.body.reason)
    expect(reasons.filter(reason => reason === 'auth/wrong-password')).toHaveLength(4)
    expect(reasons.every(reason => reason === 'auth/wrong-password' || reason === 'kernel/bad-token')).toBe(true)
    expect((await unlock(one, tab, 'tea time')).status).toBe(401)
    expect(await tenant.rows(sql<object>`select end_reason from session where user_id = ${tab.userId}`)).toEqual([
      { end_reason: 'unlock-failed' },
    ])
    tick(5_000)
    expect((await refresh(two, tab)).body.error).toBe('invalid_refresh_token')
  })

  test('four wrong words and the right one: open, but the count goes on', async () => {
    const tab = await login()
    await lock(one, tab)
    for (let i = 0; i < 4; i += 1) expect((await unlock(one, tab, `wrong ${i}`)).body.reason).toBe('auth/wrong-password')
    expect((await unlock(one, tab, 'tea time')).status).toBe(200)
    expect(await get(one, tab)).toBe(200)
    await lock(one, tab, 'another word')
    expect((await unlock(one, tab, 'wrong again')).status).toBe(401)
    expect(await get(one, tab)).toBe(401)
  })

  test('staff who do nothing for half an hour find it locked, not ended, and open it with their own password; polls are no activity', async () => {
    const tab = await login()
    // The access token lives an hour, so the half hour is reached without a refresh.
    for (let minute = 0; minute < 29; minute += 7) {
      tick(7 * 60_000)
      await get(one, tab, '/me/notices')
    }
    expect(await get(one, tab)).toBe(423)
    expect((await unlock(one, tab, 'tea time')).body.reason).toBe('auth/wrong-password')
    expect((await unlock(one, tab, testPassword)).status).toBe(200)
    expect(await get(one, tab)).toBe(200)
  })

  test('asks for a word, and while locked answers only unlock, logout and refresh', async () => {
    const tab = await login()
    expect((await post(one, tab, '/blade-auth/oauth/lock')).status).toBe(400)
    await lock(one, tab)
    expect((await lock(one, tab, 'another word')).status).toBe(423)
    expect((await post(one, tab, '/blade-system/user/update-info', { name: '新' })).status).toBe(423)
    expect((await post(one, tab, '/blade-auth/oauth/logout')).status).toBe(200)
    expect(await get(one, tab)).toBe(401)
  })
})

test('a token is stored as a digest only', async () => {
  const tab = await login()
  const rows = await tenant.rows(sql<{ text: string }>`select s::text as text from session s where user_id = ${tab.userId}`)
  const secrets = [tab.token, tab.cookie.split('=')[1] ?? '']
  expect(rows.some(row => secrets.some(secret => row.text.includes(secret)))).toBe(false)
  expect(rows[0]?.text).toContain(hashToken(tab.token))
})

test('[S4.03] a session that a one-time password opened goes on no longer than that password', async () => {
  const { name } = await people.account()
  const end = new Date(one.clock.now().getTime() + 60_000)
  await tenant.db(db => db.run(sql`update account set must_change_password = true, one_time_until = ${end} where account = ${name}`))
  const first = await refresh(one, await login(name))
  expect(first.status).toBe(200)
  tick(60_000)
  const late = await refresh(one, tabOf(first))
  expect([late.status, late.body.error]).toEqual([400, 'invalid_refresh_token'])
})

interface Plan {
  readonly 'Relation Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Rows Removed by Join Filter'?: number
  readonly Plans?: readonly Plan[]
}
/** Rows of sessions and accounts that a plan looked at. */
const rowsLookedAt = (plan: Plan): number =>
  (plan['Relation Name'] === 'session' || plan['Relation Name'] === 'account'
    ? (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops']
    : 0) + (plan.Plans ?? []).reduce((sum, below) => sum + rowsLookedAt(below), 0)

test('[S4.05] a session is read by its token alone, however many people came in since the database counted them', async () => {
  const fresh = await startTestApp()
  onTestFinished(() => fresh.close())
  const home = await fresh.tenant()
  const tokens = [(await home.staff('finance')).token, (await home.staff('auditor')).token, (await home.candidate()).token]
  // Of fewer people the table is so small that going through all of it is the shortest way.
  const crowd = 1_200
  await home.db(db =>
    db.run(sql`
      with people as (
        insert into account (tenant_id, account, account_key, user_type, nick_name, real_name)
        select ${home.tenantId}, 'crowd' || n, 'crowd' || n, 2, '众', '众' from generate_series(1, ${crowd}::int) n returning id)
      insert into session (tenant_id, user_id, user_type, client_id, access_hash, access_until, refresh_hash, refresh_until, fingerprint, created_at, active_at)
      select ${home.tenantId}, id, 2, 'kaopu-web', lpad(id::text, 64, 'a'), ${fresh.clock.now()}, lpad(id::text, 64, 'b'), ${fresh.clock.now()}, ${'f'.repeat(64)},
        ${fresh.clock.now()}, ${fresh.clock.now()} from people`),
  )
  const looked = (asked: readonly string[]) =>
    fresh.app.services.scopes.asPlatform('what a read costs', fresh.clock.now(), async db => {
      let statement: RawBuilder<unknown> | undefined
      const listening = Object.assign(Object.create(db) as PlatformDb, {
        all: async (given: RawBuilder<unknown>) => {
          statement = given
          return []
        },
      })
      await listByAccessHash(listening, asked.map(hashToken))
      if (statement === undefined) throw new Error('nothing was asked')
      const [plan] = await db.all(sql<{ 'QUERY PLAN': readonly { readonly Plan: Plan }[] }>`explain (analyze, format json) ${statement}`)
      return rowsLookedAt(plan?.['QUERY PLAN'][0]?.Plan as Plan)
    })
  // A session and an account for each who asks.
  expect(await looked(tokens.slice(0, 1))).toBe(2)
  expect(await looked(tokens)).toBe(6)
})

test('[S4.05] sessions that are asked for at one moment are read together: each gets its own, and one that ended is refused, whoever asks beside it', async () => {
  const those = [await tenant.staff('finance'), await tenant.staff('auditor'), await tenant.candidate(), await tenant.staff('finance')]
  const [, gone] = those
  const ask = () =>
    Promise.all(
      those.map(async who => {
        const [info, user] = [await who.get('/blade-auth/oauth/user-info'), await who.get('/blade-system/user/info')]
        return [info.status, user.body.data?.id, info.body.data?.roles]
      }),
    )
  const [finance, auditor, candidate, other] = those.map(who => who.userId)
  tick(5_000)
  expect(await ask()).toEqual([
    [200, finance, ['finance']],
    [200, auditor, ['auditor']],
    [200, candidate, ['candidate']],
    [200, other, ['finance']],
  ])
  await tenant.db(db => db.run(sql`update session set ended_at = app_now(), end_reason = 'test' where user_id = ${gone?.userId}`))
  await one.app.catchUp()
  tick(5_000)
  expect((await ask()).map(([status, id]) => [status, id])).toEqual([
    [200, finance],
    [401, undefined],
    [200, candidate],
    [200, other],
  ])
})
