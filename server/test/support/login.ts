import { sm2Encrypt } from '#kernel/crypto/sm2.ts'
import { fromBase32, hotp, totpStep } from '#kernel/crypto/totp.ts'
import { sql } from '#kernel/db/sql.ts'
import { type Answer, type Person, type TestApp, type TestTenant, testCaptcha } from './app.ts'

export const testPassword = 'Quiet-lanterns-drift-48'

/** SM2-sealed, as passwords travel; good once. */
export const sealFor = (t: TestApp, plain: string): string => sm2Encrypt(t.app.services.secrets.login.publicKey, plain)

/** A member of staff who can log in. */
export const staffWithPassword = async (
  t: TestApp,
  tenant: TestTenant,
  roles: Parameters<TestTenant['staff']>[0],
): Promise<Person & { readonly account: string }> => {
  const person = await tenant.staff(roles)
  const hash = await t.app.services.passwords.hash(testPassword)
  const account = await tenant.db(async db => {
    await db.run(sql`update account set password_hash = ${hash} where id = ${person.userId}`)
    return (await db.one(sql<{ account: string }>`select account from account where id = ${person.userId}`)).account
  })
  return { ...person, account }
}

/** The first step of a login by password. */
export const logInByPassword = async (
  t: TestApp,
  tenantId: string,
  account: string,
  password: string = testPassword,
  of: { readonly headers?: Record<string, string>; readonly form?: Record<string, string>; readonly ip?: string } = {},
): Promise<Answer> => {
  const guest = t.anonymous(tenantId)
  const from = of.ip === undefined ? {} : { ip: of.ip }
  const { key } = (await guest.get('/blade-auth/oauth/captcha', from)).body
  return guest.post('/blade-auth/oauth/token', {
    ...from,
    form: { grant_type: 'captcha', username: account, password: sealFor(t, password), key, code: testCaptcha, ...of.form },
    ...(of.headers ? { headers: of.headers } : {}),
  })
}

/** The second step. */
export const sendCode = (
  t: TestApp,
  tenantId: string,
  ticket: string,
  code: string,
  headers: Record<string, string> = {},
): Promise<Answer> => t.anonymous(tenantId).post('/blade-auth/oauth/second-factor', { json: { ticket, code }, headers })

/** What the app of this secret shows; `ahead` steps of 30 seconds from now. */
export const codeOf = (t: TestApp, secret: string, ahead = 0): string => hotp(fromBase32(secret), totpStep(t.clock.now()) + ahead)

/** Sets an app up for somebody who is logged in. */
export const enrol = async (
  t: TestApp,
  person: Person,
): Promise<{ readonly secret: string; readonly recoveryCodes: readonly string[] }> => {
  const { secret } = (await person.post('/blade-auth/second-factor/begin', { json: { password: sealFor(t, testPassword) } })).body.data
  const { recoveryCodes } = (await person.post('/blade-auth/second-factor/confirm', { json: { code: codeOf(t, secret) } })).body.data
  return { secret, recoveryCodes }
}

/** A code that is not that of the app, now or close to it. */
export const wrongCode = (t: TestApp, secret: string): string =>
  ['000000', '111111', '222222', '333333', '444444'].find(code => ![-1, 0, 1].some(ahead => codeOf(t, secret, ahead) === code)) ?? ''
