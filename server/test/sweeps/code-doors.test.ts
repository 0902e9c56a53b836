import { afterAll, beforeAll, expect, test } from 'vitest'
import { allRoutes } from '#contract/registry.ts'
import { sql } from '#kernel/db/sql.ts'
import { type Answer, type Person, startTestApp, type TestApp, testSms } from '../support/app.ts'
import { testIdCard } from '../support/id-card.ts'
import { logInByPassword, sealFor, testPassword } from '../support/login.ts'
import { isWhole } from '../support/swept-routes.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())

const tokenPath = '/blade-auth/oauth/token'
/** Every call that takes a code which was sent by SMS, by what its input declares. */
const takers = allRoutes()
  .filter(({ path, input }) => path === tokenPath || 'smsId' in ((input as { properties?: object }).properties ?? {}))
  .map(({ path }) => path)

interface Given {
  readonly phone: string
  readonly id: string
  readonly code: string
}
/** How each of them is called; the body is right but for the code. A session is that of somebody else than the owner of the phone. */
const calls: Readonly<
  Record<string, (who: { readonly guest: Pick<Person, 'get' | 'post'>; readonly other: Person }, given: Given) => Promise<Answer>>
> = {
  [tokenPath]: ({ guest }, { phone, id, code }) =>
    guest.post(tokenPath, { form: { grant_type: 'sms_code', phone: sealFor(t, phone), id, value: code } }),
  '/blade-system/user/register': ({ guest }, { phone, id, code }) =>
    guest.post('/blade-system/user/register', {
      multipart: {
        fields: {
          ...{ username: 'somebody', realName: '某某', phone: sealFor(t, phone), idCard: testIdCard(801) },
          ...{ password: sealFor(t, testPassword), password2: sealFor(t, testPassword), smsId: id, smsCode: code, consent: '1' },
        },
      },
    }),
  '/blade-system/user/reset-by-sms': ({ guest }, { phone, id, code }) =>
    guest.post('/blade-system/user/reset-by-sms', {
      json: {
        ...{ phone: sealFor(t, phone), idCard: sealFor(t, testIdCard(800)), smsId: id, smsCode: code },
        ...{ password: sealFor(t, testPassword), password2: sealFor(t, testPassword) },
      },
    }),
  '/blade-userappeal/userappeal/lostPhone': ({ guest }, { phone, id, code }) =>
    guest.post('/blade-userappeal/userappeal/lostPhone', {
      json: { realName: '某某', idCard: sealFor(t, testIdCard(801)), phone: sealFor(t, phone), smsId: id, smsCode: code },
    }),
  '/blade-system/user/update-info': ({ other }, { phone, id, code }) =>
    other.post('/blade-system/user/update-info', { json: { phone: sealFor(t, phone), smsId: id, smsCode: code } }),
  '/blade-system/user/userUpdate': ({ other }, { phone, id, code }) =>
    other.post('/blade-system/user/userUpdate', { json: { phone: sealFor(t, phone), smsId: id, smsCode: code } }),
  '/blade-userupdateinfo/userupdateinfo/submit': ({ other }, { phone, id, code }) =>
    other.post('/blade-userupdateinfo/userupdateinfo/submit', {
      json: { field: 'phone', value: sealFor(t, phone), reason: '换号', proofFileIds: '1', smsId: id, smsCode: code },
    }),
}

test('every call that takes a code by SMS is called here', () => {
  if (isWhole) expect(Object.keys(calls).sort()).toEqual([...takers].sort())
})

test.each(takers)(
  '[19.17] wrong codes at %s use up the request of whoever guesses: five of them, and neither code nor password of the owner in a browser that nobody knows',
  async path => {
    const tenant = await t.tenant()
    const phone = '16055599001'
    const owner = await tenant.candidate({ phone, idCard: testIdCard(800) })
    const other = /update-info|userUpdate/.test(path) ? await tenant.staff('finance') : await tenant.candidate({ phone: '16055599002' })
    const hash = await t.app.services.passwords.hash(testPassword)
    await tenant.rows(sql`update account set password_hash = ${hash} where id in (${owner.userId}, ${other.userId})`)
    const guest = t.anonymous(tenant.tenantId)
    const ask = async (): Promise<string> => {
      t.clock.advance(61_000)
      return (await guest.post('/blade-auth/oauth/sms/send-validate', { form: { phone: sealFor(t, phone) } })).body.data.id
    }
    const call = calls[path]
    if (!call) throw new Error(`${path} takes a code by SMS: say above how it is called`)
    const reasons: string[] = []
    const guess = async (id: string, code: string): Promise<void> => {
      reasons.push((await call({ guest, other }, { phone, id, code })).body.reason)
    }
    for (let request = 0; request < 2; request += 1) {
      const id = await ask()
      for (let at = 0; at < 6; at += 1) await guess(id, '000000')
      // Not even the right one, and a request that never was costs nobody anything.
      await guess(id, testSms)
      await guess('never-asked-for', testSms)
    }
    const ofRequest = [...Array(5).fill('auth/invalid-sms-code'), ...Array(3).fill('auth/sms-code-over')]
    expect(reasons).toEqual([...ofRequest, ...ofRequest])
    expect(
      await tenant.rows(sql<object>`
        select sum(fail_count)::int as fails, bool_or(locked_until is not null) as locked, (select count(*)::int from login_try) as beside from account`),
    ).toEqual([{ fails: 0, locked: false, beside: 0 }])
    expect((await logInByPassword(t, tenant.tenantId, phone)).status).toBe(200)
    const form = { grant_type: 'sms_code', phone: sealFor(t, phone), id: await ask(), value: testSms }
    expect((await guest.post(tokenPath, { form })).status).toBe(200)
  },
)

test('[19.17] wrong passwords shut the password alone: the owner comes in by a code in a browser that nobody knows', async () => {
  const tenant = await t.tenant()
  const phone = '16055599003'
  const owner = await tenant.candidate({ phone })
  const hash = await t.app.services.passwords.hash(testPassword)
  await tenant.rows(sql`update account set password_hash = ${hash} where id = ${owner.userId}`)
  for (let at = 0; at < 5; at += 1) await logInByPassword(t, tenant.tenantId, phone, 'wrong')
  expect((await logInByPassword(t, tenant.tenantId, phone)).body.error).toBe('account_locked')
  const guest = t.anonymous(tenant.tenantId)
  const { id } = (await guest.post('/blade-auth/oauth/sms/send-validate', { form: { phone: sealFor(t, phone) } })).body.data
  const entered = await guest.post(tokenPath, { form: { grant_type: 'sms_code', phone: sealFor(t, phone), id, value: testSms } })
  expect(entered.status).toBe(200)
  // The count of the passwords goes on as it was.
  expect((await logInByPassword(t, tenant.tenantId, phone)).body.error).toBe('account_locked')
})

test('[S7.11] over all browsers a number is guessed at twenty-five times an hour and fifty times a day', async () => {
  const tenant = await t.tenant()
  const phone = '16055599004'
  await tenant.candidate({ phone })
  const guest = t.anonymous(tenant.tenantId)
  let guesses = 0
  const counts: number[] = []
  for (let hour = 0; hour < 23; hour += 1) {
    for (let minute = 0; minute < 7; minute += 1) {
      t.clock.advance(minute === 0 ? 54 * 60_000 : 60_000)
      const sent = await guest.post('/blade-auth/oauth/sms/send-validate', { form: { phone: sealFor(t, phone) } })
      if (sent.status !== 200) continue
      for (;;) {
        const form = { grant_type: 'sms_code', phone: sealFor(t, phone), id: sent.body.data.id, value: '000000' }
        if ((await guest.post(tokenPath, { form })).body.reason !== 'auth/invalid-sms-code') break
        guesses += 1
      }
    }
    counts.push(guesses)
  }
  expect([counts[0], counts.at(-1)]).toEqual([25, 50])
})
