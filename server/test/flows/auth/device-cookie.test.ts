import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { type Answer, startTestApp, type TestApp, type TestTenant, testSms } from '../../support/app.ts'
import { codeOf, enrol, logInByPassword, sealFor, sendCode, staffWithPassword, testPassword, wrongCode } from '../../support/login.ts'

let one: TestApp
/** A second process on the same database. */
let two: TestApp
let tenant: TestTenant
beforeAll(async () => {
  one = await startTestApp()
  two = await one.beside()
  tenant = await one.tenant()
})
afterAll(() => one.close())

const pass = (ms: number): void => {
  for (const app of [one, two]) app.clock.advance(ms)
}
const quarterMs = 15 * 60_000
const cookieLine = (answer: Answer): string =>
  [answer.headers['set-cookie'] ?? []]
    .flat()
    .map(String)
    .find(line => line.startsWith('kaopu-device=')) ?? ''
const cookieIn = (answer: Answer): string => cookieLine(answer).split(';')[0] ?? ''
const logIn = (at: TestApp, account: string, password: string, cookie = '', tenantId = tenant.tenantId): Promise<Answer> =>
  logInByPassword(at, tenantId, account, password, cookie === '' ? {} : { headers: { cookie } })
const wrongTimes = async (times: number, account: string, cookie = ''): Promise<readonly string[]> => {
  const seen: string[] = []
  for (let i = 0; i < times; i += 1) seen.push((await logIn(i % 2 ? one : two, account, `wrong ${i}`, cookie)).body.reason)
  return seen
}
const locked = 'auth/account-locked'
const wrong = 'auth/invalid-grant'

describe('[S7.06] a browser that its owner has logged in from', () => {
  test('goes on while strangers have locked the account, at both processes, and the lock of the strangers stays', async () => {
    const person = await staffWithPassword(one, tenant, 'finance')
    const first = await logIn(one, person.account, testPassword)
    expect(cookieLine(first)).toMatch(
      /^kaopu-device=[\w-]{12}\.[\w-]{22}\.\d+\.[\w-]{43}; Path=\/api; HttpOnly; SameSite=Strict; Max-Age=15552000$/,
    )
    const known = cookieIn(first)
    expect(await wrongTimes(6, person.account)).toEqual([...Array(5).fill(wrong), locked])
    for (const at of [one, two]) {
      expect((await logIn(at, person.account, testPassword)).body.reason).toBe(locked)
      expect((await logIn(at, person.account, testPassword, known)).status).toBe(200)
    }
    expect((await logIn(one, person.account, testPassword)).body.reason).toBe(locked)
    // Its own password check is no longer in the strangers' hands either.
    const session = (await logIn(two, person.account, testPassword, known)).body.access_token
    const change = await one.anonymous(tenant.tenantId).post('/blade-auth/second-factor/begin', {
      json: { password: sealFor(one, testPassword) },
      headers: { 'blade-auth': `bearer ${session}`, cookie: known },
    })
    expect(change.status).toBe(200)
  })

  test('has five tries of its own, counted at both processes, and costs strangers nothing', async () => {
    const person = await staffWithPassword(one, tenant, 'finance')
    const known = cookieIn(await logIn(one, person.account, testPassword))
    expect(await wrongTimes(6, person.account, known)).toEqual([...Array(5).fill(wrong), locked])
    expect((await logIn(two, person.account, testPassword, known)).body.reason).toBe(locked)
    expect(await wrongTimes(1, person.account)).toEqual([wrong])
    expect((await logIn(two, person.account, testPassword)).status).toBe(200)
    pass(quarterMs)
    expect((await logIn(two, person.account, testPassword, known)).status).toBe(200)
    expect(await wrongTimes(5, person.account, known)).toEqual(Array(5).fill(wrong))
  })

  test('logs in by a code while strangers have used up the tries and the codes of its owner’s phone', async () => {
    const phone = '16055550001'
    await tenant.candidate({ phone })
    const ask = (cookie = '') => {
      pass(61_000)
      const headers = cookie === '' ? {} : { headers: { cookie } }
      return one
        .anonymous(tenant.tenantId)
        .post('/blade-auth/oauth/sms/send-validate', { form: { phone: sealFor(one, phone) }, ...headers })
    }
    const give = (id: string, value: string, cookie = '') =>
      one.anonymous(tenant.tenantId).post('/blade-auth/oauth/token', {
        form: { grant_type: 'sms_code', phone: sealFor(one, phone), id, value },
        ...(cookie === '' ? {} : { headers: { cookie } }),
      })
    const known = cookieIn(await give((await ask()).body.data.id, testSms))
    expect(known).not.toBe('')
    const { id } = (await ask()).body.data
    for (let i = 0; i < 5; i += 1) expect((await give(id, '000000')).body.reason).toBe('auth/invalid-sms-code')
    for (let i = 0; i < 3; i += 1) expect((await ask()).status).toBe(200)
    expect((await ask()).body.reason).toBe('auth/sms-frequency')
    const sent = await ask(known)
    expect(sent.status).toBe(200)
    expect((await give(id, testSms)).body.reason).toBe('auth/sms-code-over')
    expect((await give(sent.body.data.id, testSms, known)).status).toBe(200)
    // Its own allowance is bounded too.
    for (let i = 0; i < 4; i += 1) expect((await ask(known)).status).toBe(200)
    expect((await ask(known)).body.reason).toBe('auth/sms-frequency')
  })

  test('[S7.19] an administrator sees that lock and ends it', async () => {
    const person = await staffWithPassword(one, tenant, 'finance')
    const admin = await tenant.staff('admin')
    const known = cookieIn(await logIn(one, person.account, testPassword))
    await wrongTimes(6, person.account, known)
    const lines = async () =>
      (await admin.get('/blade-system/auth-lock/page', { query: { account: person.account } })).body.data.records.map(
        (row: { failCount: number; lockType: string }) => [row.failCount, row.lockType],
      )
    expect(await lines()).toEqual([[5, 'SYSTEM']])
    expect((await admin.post('/blade-system/user/unlock', { json: { userIds: person.userId, reason: '本人确认' } })).body.data).toEqual({
      changed: 1,
    })
    expect(await lines()).toEqual([])
    expect((await logIn(one, person.account, testPassword, known)).status).toBe(200)
  })

  test('a cookie that is forged, of somebody else, of another tenant or too old exempts from nothing', async () => {
    const other = await one.tenant()
    const person = await staffWithPassword(one, tenant, 'finance')
    const stranger = await staffWithPassword(one, tenant, 'finance')
    const elsewhere = await staffWithPassword(one, other, 'finance')
    const known = cookieIn(await logIn(one, person.account, testPassword))
    const theirs = cookieIn(await logIn(one, stranger.account, testPassword))
    const abroad = cookieIn(await logIn(one, elsewhere.account, testPassword, '', other.tenantId))
    const [tag = '', number = '', day = '', signature = ''] = known.slice('kaopu-device='.length).split('.')
    await wrongTimes(6, person.account)
    const forged = [
      theirs,
      abroad,
      `kaopu-device=${[tag, `${number.slice(0, -1)}${number.endsWith('A') ? 'B' : 'A'}`, day, signature].join('.')}`,
      `kaopu-device=${[tag, number, Number(day) - 1, signature].join('.')}`,
      `kaopu-device=${[tag, number, day, 'A'.repeat(43)].join('.')}`,
      `kaopu-device=${[tag, ...theirs.slice('kaopu-device='.length).split('.').slice(1)].join('.')}`,
      'kaopu-device=',
      `kaopu-device=${'x~'.repeat(500)}`,
    ]
    for (const cookie of forged)
      expect([cookie, (await logIn(one, person.account, testPassword, cookie)).body.reason]).toEqual([cookie, locked])
    expect((await logIn(one, person.account, testPassword, known)).status).toBe(200)
    pass(180 * 24 * 3_600_000)
    await wrongTimes(6, person.account)
    expect((await logIn(one, person.account, testPassword, known)).body.reason).toBe(locked)
  })

  test('one cookie knows the last five accounts of a shared browser, and a wrong password earns none', async () => {
    const people = []
    for (let i = 0; i < 6; i += 1) people.push(await staffWithPassword(one, tenant, 'finance'))
    let cookie = ''
    for (const person of people) cookie = cookieIn(await logIn(one, person.account, testPassword, cookie))
    expect(cookie.split('~')).toHaveLength(5)
    // A second login of the same account takes no second place, and keeps its number.
    const again = cookieIn(await logIn(one, people[5]?.account ?? '', testPassword, cookie))
    expect(again).toBe(cookie)
    const [oldest, second] = people
    for (const person of [oldest, second]) await wrongTimes(6, person?.account ?? '')
    expect((await logIn(one, oldest?.account ?? '', testPassword, cookie)).body.reason).toBe(locked)
    expect((await logIn(one, second?.account ?? '', testPassword, cookie)).status).toBe(200)
    expect(cookieLine(await logIn(one, people[3]?.account ?? '', 'wrong'))).toBe('')
  })

  test('codes of the second factor are counted in the same place, and only the whole login makes a browser known', async () => {
    const person = await staffWithPassword(one, tenant, 'finance')
    const { secret } = await enrol(one, person)
    pass(30_000)
    const first = await logIn(one, person.account, testPassword)
    expect(cookieLine(first)).toBe('')
    const known = cookieIn(await sendCode(one, tenant.tenantId, first.body.data.ticket, codeOf(one, secret)))
    expect(known).toMatch(/^kaopu-device=/)
    pass(30_000)
    const ticketOf = async (cookie: string) => (await logIn(two, person.account, testPassword, cookie)).body.data?.ticket as string
    const stranger = await ticketOf('')
    for (let i = 0; i < 5; i += 1) await sendCode(two, tenant.tenantId, stranger, wrongCode(one, secret))
    expect((await sendCode(two, tenant.tenantId, stranger, codeOf(one, secret))).body.reason).toBe(locked)
    expect((await sendCode(one, tenant.tenantId, await ticketOf(known), codeOf(one, secret), { cookie: known })).status).toBe(200)
  })

  test('what the database keeps of a browser does not give its cookie away', async () => {
    const person = await staffWithPassword(one, tenant, 'finance')
    const known = cookieIn(await logIn(one, person.account, testPassword))
    await wrongTimes(1, person.account, known)
    const [row] = await tenant.rows(sql<{ text: string; fails: number }>`
      select device_try::text as text, fail_count as fails from device_try where user_id = ${person.userId}`)
    expect([row?.fails, row?.text.includes(known.split('.')[1] ?? 'x')]).toEqual([1, false])
  })
})
