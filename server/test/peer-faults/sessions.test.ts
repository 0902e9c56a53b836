import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { hashToken } from '#kernel/crypto/token.ts'
import { sql } from '#kernel/db/sql.ts'
import { type Answer, type Person, startTestApp, type TestApp, type TestTenant, testSms } from '../support/app.ts'
import { testIdCard } from '../support/id-card.ts'
import { testPassword } from '../support/login.ts'
import { type Logins, loginsOf, type Tab, tabOf } from '../support/logins.ts'
import { resetByTwo } from '../support/two-persons.ts'

let one: TestApp
/** A second process on the same database. */
let two: TestApp
let tenant: TestTenant
let people: Logins
let admin: Person
beforeAll(async () => {
  one = await startTestApp()
  two = await one.beside()
  tenant = await one.tenant()
  people = loginsOf(one, tenant)
  admin = await tenant.staff('admin')
})
afterAll(() => one.close())

/** What both processes answer to a token, once they have heard of every change, and what its refresh token still gets. */
const reach = async (who: Logins, tab: Tab) => {
  await Promise.all([one.app.catchUp(), two.app.catchUp()])
  const [here, there] = [(await who.get(one, tab)).status, (await who.get(two, tab)).status]
  return { here, there, refresh: (await who.refresh(two, tab)).status }
}
const gone = { here: 401, there: 401, refresh: 400 }

test('[PF 44] whoever has logged out is out: access token, refresh cookie and a copy of both, in every process', async () => {
  const { name } = await people.account()
  const [tab, other] = [await people.tab(one, name), await people.tab(one, name)]
  expect((await people.get(two, tab)).status).toBe(200)
  expect((await people.post(one, tab, '/blade-auth/oauth/logout')).status).toBe(200)
  expect(await reach(people, tab)).toEqual(gone)
  const [stolen] = await tenant.rows(sql<{ reason: string; has: boolean }>`
    select end_reason as reason, ended_at is not null as has from session where access_hash = ${hashToken(tab.token)}`)
  expect(stolen).toEqual({ reason: 'logout', has: true })
  expect((await people.get(two, other)).status).toBe(200)
})

describe('[PF 57] a password made for somebody ends, and so does what was open before it', () => {
  const reset = async (userId: string): Promise<{ password: string; until: string }> =>
    (await resetByTwo([admin, await tenant.staff('admin')], userId)).body.data[0]
  const change = (tab: Tab, from: string, to: string) =>
    people.post(one, tab, '/blade-system/user/update-password', {
      oldPassword: people.seal(from),
      newPassword: people.seal(to),
      newPassword1: people.seal(to),
    })

  test('[PF 57] a reset ends every session, the newest password of two alone opens, and only its own change', async () => {
    const { userId, name } = await people.account()
    const before = await people.tab(one, name)
    const first = await reset(userId)
    const second = await reset(userId)
    expect(await reach(people, before)).toEqual(gone)
    expect((await people.logIn(one, name, testPassword)).body.reason).toBe('auth/invalid-grant')
    expect((await people.logIn(one, name, first.password)).body.reason).toBe('auth/invalid-grant')
    const tab = tabOf(await people.logIn(one, name, second.password))
    for (const path of ['/blade-system/param/list', '/blade-system/user/page', '/blade-system/menu/tree'])
      expect([path, (await people.get(two, tab, path)).body.reason]).toEqual([path, 'kernel/password-due'])
    expect((await change(tab, second.password, 'green hill lantern 7')).status).toBe(200)
    expect((await people.logIn(one, name, second.password)).body.reason).toBe('auth/invalid-grant')
    expect((await people.logIn(one, name, 'green hill lantern 7')).status).toBe(200)
  })

  test('[PF 57] it is good for three days and not for ever; a new own password ends the other sessions', async () => {
    const { userId, name } = await people.account()
    const { password, until } = await reset(userId)
    expect(until).toBe('2026-03-20 10:00:00')
    const late = '2026-03-20T10:00:01+08:00'
    one.clock.set(late)
    two.clock.set(late)
    expect((await people.logIn(one, name, password)).body.reason).toBe('auth/one-time-expired')
    const [desk, phone] = await (async () => {
      const { name: another } = await people.account()
      return [await people.tab(one, another), await people.tab(two, another)]
    })()
    expect((await change(desk, testPassword, 'green hill lantern 8')).status).toBe(200)
    expect(await reach(people, phone)).toEqual(gone)
    expect((await people.get(two, desk)).status).toBe(200)
  })
})

/** A door that takes a password, tried at one process. */
type Door = (at: TestApp, password: string) => Promise<Answer>

describe('[PF 58] every door that takes a password counts on the same account', () => {
  const passwordDoors = (name: string, tab: Tab): Door[] => [
    (at, word) => people.logIn(at, name, word),
    (at, word) => people.logIn(at, ` ${name.toUpperCase()} `, word),
    (at, word) =>
      people.post(at, tab, '/blade-system/user/update-password', {
        oldPassword: people.seal(word),
        newPassword: people.seal('green hill lantern 9'),
        newPassword1: people.seal('green hill lantern 9'),
      }),
  ]
  const candidateDoors = async (): Promise<Door[]> => {
    const person = await tenant.candidate({ phone: '16058000001', idCard: testIdCard(581) })
    const hash = await one.app.services.passwords.hash(testPassword)
    const [row] = await tenant.db(async db => {
      await db.run(sql`update account set password_hash = ${hash} where id = ${person.userId}`)
      return db.all(sql<{ account: string }>`select account from account where id = ${person.userId}`)
    })
    const tab: Tab = { token: person.token, cookie: '', userId: person.userId }
    return [
      ...passwordDoors(row?.account ?? '', tab),
      (at, word) => people.logIn(at, '16058000001', word),
      (at, word) => people.post(at, tab, '/me/export', { password: people.seal(word) }),
      (at, word) => people.post(at, tab, '/me/closing/request', { password: people.seal(word) }),
    ]
  }
  const staffDoors = async (): Promise<Door[]> => {
    const { name } = await people.account()
    const tab = await people.tab(one, name)
    return [
      ...passwordDoors(name, tab),
      (at, word) => people.post(at, tab, '/blade-auth/second-factor/begin', { password: people.seal(word) }),
    ]
  }

  test.each([
    ['candidates', candidateDoors],
    ['staff', staffDoors],
  ] as const)('[PF 58] the doors of %s: all of them at once, at two processes, get no more looks than one', async (_who, open) => {
    const doors = await open()
    const looks = [one, two].map(app => vi.spyOn(app.app.services.passwords, 'verify'))
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, round) => doors.map((door, at) => door((round + at) % 2 ? one : two, `wrong ${round} ${at}`))).flat(),
    )
    const looked = looks.reduce((sum, spy) => sum + spy.mock.calls.length, 0)
    for (const spy of looks) spy.mockRestore()
    const said = new Set(['auth/invalid-grant', 'auth/wrong-password', 'auth/account-locked'])
    expect(answers.map(({ status, body }) => (status < 500 ? body.reason : status)).filter(reason => !said.has(reason))).toEqual([])
    expect([looked > 0, looked <= 10]).toEqual([true, true])
    for (const [at, door] of doors.entries()) {
      const { status, body } = await door(two, testPassword)
      expect([at, status, body.reason]).toEqual([at, 400, 'auth/account-locked'])
    }
  })
})

test('[PF 58] a code sent to one phone is good for that phone alone, and not a second time', async () => {
  const own = await one.tenant()
  const guest = one.anonymous(own.tenantId)
  const phones = ['16058100001', '16058100002'] as const
  for (const phone of phones) await own.candidate({ phone, realName: '甲' })
  const send = async (phone: string): Promise<string> =>
    (await guest.post('/blade-auth/oauth/sms/send-validate', { form: { phone: people.seal(phone) } })).body.data.id
  const enter = async (phone: string, id: string) => {
    const form = { grant_type: 'sms_code', phone: people.seal(phone), id, value: testSms }
    const { status, body } = await guest.post('/blade-auth/oauth/token', { form })
    return body.reason ?? status
  }
  const [first, second] = [await send(phones[0]), await send(phones[1])]
  expect([await enter(phones[1], first), await enter(phones[0], second)]).toEqual(['auth/invalid-sms-code', 'auth/invalid-sms-code'])
  expect([await enter(phones[0], first), await enter(phones[0], first)]).toEqual([200, 'auth/sms-code-over'])
})

describe('[PF 61] what ended a session keeps it ended, whatever is done afterwards', () => {
  /** Each ends the session; the operator is the platform’s, the administrator the tenant’s. */
  type Act = (own: { tenant: TestTenant; admin: Person; people: Logins; tab: Tab; name: string }, operator: Person) => Promise<unknown>
  const idOfTenant = async (tenantId: string, operator: Person): Promise<string> =>
    (await operator.get('/blade-system/tenant/list', { query: { tenantId } })).body.data.records[0].id
  const causes: Readonly<Record<string, Act>> = {
    logout: ({ people: who, tab }) => who.post(one, tab, '/blade-auth/oauth/logout'),
    kick: async ({ admin: by, tenant: at, tab }) => {
      const [row] = await at.rows(sql<{ id: string }>`select id::text as id from session where access_hash = ${hashToken(tab.token)}`)
      return by.post('/blade-system/online/kick', { json: { ids: row?.id, reason: '下线' } })
    },
    lock: ({ admin: by, tab }) => by.post('/blade-system/user/lock', { json: { userIds: tab.userId, reason: '调查' } }),
    disable: ({ admin: by, tab }) => by.post('/blade-system/user/changeStatus', { json: { id: tab.userId, status: 2 } }),
    reset: async ({ admin: by, tenant: at, tab }) => resetByTwo([by, await at.staff('admin')], tab.userId),
    remove: ({ admin: by, tab }) => by.post('/blade-system/user/remove', { json: { ids: tab.userId } }),
    replay: async ({ people: who, tab }) => {
      await who.refresh(one, tab)
      for (const app of [one, two]) app.clock.advance(11_000)
      return who.refresh(two, tab)
    },
    recycle: async ({ tenant: at }, operator) =>
      operator.post('/blade-system/tenant/recycle', { json: { ids: await idOfTenant(at.tenantId, operator) } }),
  }
  const revivals: Readonly<Record<string, Act>> = {
    unlock: ({ admin: by, tab }) => by.post('/blade-system/user/unlock', { json: { userIds: tab.userId, reason: '本人确认' } }),
    enable: ({ admin: by, tab }) => by.post('/blade-system/user/changeStatus', { json: { id: tab.userId, status: 1 } }),
    grant: async ({ admin: by, tenant: at, tab }) => {
      const [role] = await at.rows(sql<{ id: string }>`select id::text as id from role where role_alias = 'finance'`)
      return by.post('/blade-system/user/grant', { json: { userIds: tab.userId, roleIds: role?.id } })
    },
    pass: async ({ tenant: at }, operator) =>
      operator.post('/blade-system/tenant/pass', { json: { ids: await idOfTenant(at.tenantId, operator) } }),
    'another login': ({ people: who, name }) => who.logIn(two, name, testPassword),
    'a refresh': ({ people: who, tab }) => who.refresh(one, tab),
    'clear-cache': ({ admin: by }) => by.get('/blade-auth/oauth/clear-cache'),
  }

  test.each(Object.keys(causes))('[PF 61] %s, then everything that gives rights back, one after another', async first => {
    const operator = await one.platform().staff('administrator')
    const at = await one.tenant()
    const who = loginsOf(one, at)
    const by = await at.staff('admin')
    const { name } = await who.account()
    const tab = await who.tab(one, name)
    expect([(await who.get(one, tab)).status, (await who.get(two, tab)).status]).toEqual([200, 200])
    const own = { tenant: at, admin: by, people: who, tab, name }
    await causes[first]?.(own, operator)
    expect(await reach(who, tab)).toEqual(gone)
    for (const [after, act] of Object.entries(revivals)) {
      await act(own, operator)
      expect({ after, ...(await reach(who, tab)) }).toEqual({ after, ...gone })
    }
  })

  test.each(Object.keys(causes))('[PF 61] %s and any other cause after it leave nothing alive', async first => {
    const operator = await one.platform().staff('administrator')
    const alive: string[] = []
    for (const [second, go] of Object.entries(causes)) {
      if (first === second) continue
      const at = first === 'recycle' || second === 'recycle' ? await one.tenant() : tenant
      const who = loginsOf(one, at)
      const { name } = await who.account()
      const tab = await who.tab(one, name)
      const own = { tenant: at, admin: at === tenant ? admin : await at.staff('admin'), people: who, tab, name }
      await causes[first]?.(own, operator)
      await go(own, operator)
      const left = await reach(who, tab)
      if (left.here !== 401 || left.there !== 401 || left.refresh !== 400) alive.push(`${second}: ${JSON.stringify(left)}`)
    }
    expect(alive).toEqual([])
  })
})
