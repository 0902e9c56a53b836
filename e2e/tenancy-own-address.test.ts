import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { platformTenant } from '#contract/kernel/platform.ts'
import { sql } from '#kernel/db/sql.ts'
import { testIdCard } from '../server/test/support/id-card.ts'
import { launchBrowser, logIn, type Visitor, visit } from './support/browser.ts'
import { seedData } from './support/exam.ts'
import { type Backdoor, openBackdoor } from './support/people.ts'
import { testSms } from './support/server.ts'
import { sharedServer } from './support/shared-server.ts'

let server: Awaited<ReturnType<typeof sharedServer>>
let browser: Browser
let backdoor: Backdoor
/** The first tenant of the installation, whose address this is not. */
let first: Backdoor
let present: Visitor[] = []

beforeAll(async () => {
  server = await sharedServer()
  backdoor = await openBackdoor(server.dataDir)
  first = await openBackdoor(server.dataDir, platformTenant)
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser?.close()
  await backdoor?.close()
  await first?.close()
})
afterEach(async () => {
  const troubles = present.flatMap(visitor => visitor.troubles())
  for (const visitor of present) await visitor.context.close()
  present = []
  expect(troubles).toEqual([])
})

/** Somebody whose browser has never been here: it knows of no tenant. */
const comeForTheFirstTime = async (name: string): Promise<Visitor> => {
  const visitor = await visit(browser, server.url, { name, screen: 'phone' })
  present.push(visitor)
  return visitor
}
const ana = { account: 'zhouyan', name: '周燕', idCard: testIdCard(41), phone: '16041000041', password: 'Sunny-river-27' }
const newPassword = 'Quiet-meadow-31'
const newPhone = '16041000042'

/** In the tenant whose address it is, and in the first one: candidates, codes that were sent, and appeals. */
const rows = async () => {
  const of = (tenant: Backdoor) =>
    tenant.db(async db => ({
      people: await db.all(sql<object>`select account, phone_mask as phone from account where user_type = 2 order by account`),
      codes: (await db.one(sql<{ count: number }>`select count(*)::int as count from login_challenge where kind = 'sms'`)).count,
      appeals: await db.all(sql<object>`select kind, state, name, phone_mask as phone from identity_appeal`),
    }))
  return { own: await of(backdoor), first: await of(first) }
}
const none = { people: [], codes: 0, appeals: [] }
const person = { account: ana.account, phone: '160****0041' }
/** A phone gets one code a minute. */
const aMinuteLater = () => backdoor.db(db => db.run(sql`update login_challenge set created_at = created_at - interval '1 minute'`))

const fill = async ({ page }: Visitor, values: Readonly<Record<string, string>>) => {
  for (const [name, value] of Object.entries(values)) await page.locator(`[name=${name}]`).fill(value)
}
const askForCode = async ({ page }: Visitor) => {
  await page.getByRole('button', { name: '获取验证码' }).click()
  await page.getByText('验证码已发送').waitFor()
}

describe('whoever comes for the first time to a tenant’s own address, past the login page', () => {
  test('[S3.10] registers there', async () => {
    const visitor = await comeForTheFirstTime('register')
    const { page } = visitor
    await visitor.open('/register')
    await fill(visitor, { username: ana.account, realName: ana.name, idCard: ana.idCard, phone: ana.phone })
    await askForCode(visitor)
    await fill(visitor, { smsCode: testSms, password: ana.password, password2: ana.password })
    await page.locator('[name=consent]').check()
    await page.getByRole('button', { name: '注册', exact: true }).click()
    await page.getByRole('status').filter({ hasText: '注册成功' }).waitFor()
    expect(await rows()).toEqual({ own: { people: [person], codes: 1, appeals: [] }, first: none })
  })

  test('[19.7] chooses another password for the one that was forgotten', async () => {
    await aMinuteLater()
    const visitor = await comeForTheFirstTime('forgot')
    const { page } = visitor
    await visitor.open('/register/forgot')
    await fill(visitor, { idCard: ana.idCard, phone: ana.phone })
    await askForCode(visitor)
    await fill(visitor, { smsCode: testSms, password: newPassword, password2: newPassword })
    await page.getByRole('button', { name: '重设密码' }).click()
    await page.getByText('密码已重设').waitFor()
    expect(await rows()).toEqual({ own: { people: [person], codes: 2, appeals: [] }, first: none })
    await logIn(visitor, ana.account, newPassword)
    await page.getByText(`${ana.name}，您好`).waitFor()
  })

  test('[19.7] appeals with another phone', async () => {
    const visitor = await comeForTheFirstTime('appeal')
    const { page } = visitor
    await visitor.open('/register/forgot')
    await page.getByRole('button', { name: '手机号不用了' }).click()
    await fill(visitor, { realName: ana.name, idCard: ana.idCard, phone: newPhone })
    await askForCode(visitor)
    await fill(visitor, { smsCode: testSms })
    await page.getByRole('button', { name: '下一步：提交证明' }).click()
    await fill(visitor, { reason: '原手机号已注销' })
    await page.locator('[name=proof]').setInputFiles(fileURLToPath(seedData('portraits/id-front-1.jpg')))
    await page.getByRole('button', { name: '提交申诉' }).click()
    await page.getByText('已提交，等待审核').waitFor()
    const appeal = { kind: 'lostPhone', state: 'waiting', name: ana.name, phone: '160****0042' }
    expect(await rows()).toEqual({ own: { people: [person], codes: 3, appeals: [appeal] }, first: none })
  })
})

test('a login by phone is the tenant’s whose address it is, also before the page has heard which one that is', async () => {
  await aMinuteLater()
  const visitor = await comeForTheFirstTime('sms')
  const { page } = visitor
  const entered = Promise.withResolvers<void>()
  await page.route('**/tenant/info?*', async route => {
    await entered.promise
    await route.continue()
  })
  await visitor.open('/login')
  await page.getByRole('tab', { name: /验证码|短信/ }).click()
  await fill(visitor, { phone: ana.phone })
  await askForCode(visitor)
  await fill(visitor, { code: testSms })
  await page.locator('.login-submit').click()
  await page.getByText(`${ana.name}，您好`).waitFor()
  entered.resolve()
  await page.unrouteAll({ behavior: 'wait' })
  const { own, first: other } = await rows()
  expect([own.codes, other]).toEqual([4, none])
})
