import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { workText, zeroBits } from '#contract/auth/work.ts'
import { sql } from '#kernel/db/sql.ts'
import { type Answer, startTestApp, type TestApp, type TestTenant, testCaptcha } from '../../support/app.ts'
import { sealFor, staffWithPassword, testPassword } from '../../support/login.ts'

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

const bitsOf = (key: string, answer: string): number => {
  const hash = createHash('sha256').update(workText(key, answer)).digest()
  return zeroBits([hash.readUInt32BE(0)])
}
/** The least answer with at least so many zero bits, or with less than them. */
const find = (key: string, isGood: (bits: number) => boolean): string => {
  for (let n = 0; ; n += 1) if (isGood(bitsOf(key, String(n)))) return String(n)
}
const ask = async (at: TestApp = one): Promise<{ key: string; bits: number }> =>
  (await at.anonymous(tenant.tenantId).get('/blade-auth/oauth/captcha-work')).body
const logIn = (account: string, key: string, code: string, at: TestApp = one, tenantId = tenant.tenantId): Promise<Answer> =>
  at.anonymous(tenantId).post('/blade-auth/oauth/token', {
    form: { grant_type: 'captcha', username: account, password: sealFor(one, testPassword) },
    headers: { 'captcha-key': key, 'captcha-code': code },
  })

describe('[S7.07] a captcha without a picture', () => {
  test('work that is done opens the login like a picture, once, and whichever process gave it', async () => {
    const person = await staffWithPassword(one, tenant, 'finance')
    const { key, bits } = await ask(two)
    expect([key.length, bits]).toEqual([43, 17])
    const answer = find(key, found => found >= bits)
    expect((await logIn(person.account, key, answer)).body.user_id).toBe(person.userId)
    expect((await logIn(person.account, key, answer)).body.error).toBe('invalid_captcha')
  })

  test('too little work, another spelling, another key, another tenant and a late answer are refused', async () => {
    const person = await staffWithPassword(one, tenant, 'finance')
    const other = await one.tenant()
    const wrong = async (send: (key: string, good: string, bits: number) => Promise<Answer>) => {
      const { key, bits } = await ask()
      const good = find(key, found => found >= bits)
      return (await send(key, good, bits)).body.error
    }
    const foreign = await ask()
    expect([
      await wrong((key, _good, bits) =>
        logIn(
          person.account,
          key,
          find(key, found => found < bits),
        ),
      ),
      await wrong((key, good) => logIn(person.account, key, `0x${good}`)),
      await wrong((key, good) => logIn(person.account, key, `${good}${' '.repeat(3)}x`)),
      await wrong((key, _good, bits) =>
        logIn(
          person.account,
          key,
          find(foreign.key, found => found >= bits),
        ),
      ),
      await wrong((key, good) => logIn(person.account, key, good, one, other.tenantId)),
      await wrong((key, good) => {
        one.clock.advance(5 * 60_000)
        return logIn(person.account, key, good)
      }),
    ]).toEqual(Array(6).fill('invalid_captcha'))
    expect((await tenant.rows(sql<{ n: number }>`select count(*)::int as n from session where user_id = ${person.userId}`))[0]?.n).toBe(1)
  })

  test('the letters of a picture are no work, and a number no picture', async () => {
    const person = await staffWithPassword(one, tenant, 'finance')
    const work = await ask()
    expect((await logIn(person.account, work.key, testCaptcha)).body.error).toBe('invalid_captcha')
    const { key } = (await one.anonymous(tenant.tenantId).get('/blade-auth/oauth/captcha')).body
    expect(
      (
        await logIn(
          person.account,
          key,
          find(key, found => found >= 17),
        )
      ).body.error,
    ).toBe('invalid_captcha')
  })

  test('counted with the pictures; whoever asks often works harder, and is never refused', async () => {
    const own = await one.tenant()
    const guest = one.anonymous(own.tenantId)
    const fill = (letter: string, count: number) =>
      own.db(db =>
        db.run(sql`
          insert into login_challenge (tenant_id, key, kind, purpose, answer_hash, tries_max, ip, until, created_at)
          select ${own.tenantId}, lpad(n::text, 43, ${letter}), 'captcha', 'login', '', 1, '127.0.0.1', ${one.clock.now()}, ${one.clock.now()} from generate_series(1, ${count}::int) n`),
      )
    const bits = async () => (await guest.get('/blade-auth/oauth/captcha-work')).body.bits
    expect(await bits()).toBe(17)
    await fill('a', 60)
    expect(await bits()).toBe(19)
    await fill('b', 939)
    expect(await bits()).toBe(22)
  })
})
