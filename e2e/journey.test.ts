import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFailed, test } from 'vitest'
import { launchBrowser, logIn, type Visitor, visit } from './support/browser.ts'
import { type Backdoor, openBackdoor } from './support/people.ts'
import { freePort, newDataDir, type RunningServer, removeData, startServer, testSms } from './support/server.ts'

let server: RunningServer
let browser: Browser
let backdoor: Backdoor
const everybody: Visitor[] = []
const come = async (name: string, screen: 'desktop' | 'phone', language: 'zh' | 'en' = 'zh'): Promise<Visitor> => {
  const visitor = await visit(browser, server.url, { name, screen, language })
  everybody.push(visitor)
  return visitor
}

beforeAll(async () => {
  const dataDir = await newDataDir()
  server = await startServer({ dataDir, port: await freePort() })
  backdoor = await openBackdoor(dataDir)
  await backdoor.addStaff([
    { account: 'kaowu1', realName: '周考务', roles: ['exam_admin', 'admin'] },
    { account: 'kaowu2', realName: '吴考务', roles: ['exam_admin'] },
    { account: 'chushen', realName: '郑初审', roles: ['reviewer1'] },
    { account: 'fuhe', realName: '王复核', roles: ['reviewer2'] },
    { account: 'caiwu', realName: '冯财务', roles: ['finance'] },
  ])
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser?.close()
  await backdoor?.close()
  await server?.stop()
  if (server) await removeData(server.dataDir)
})
afterEach(() => {
  onTestFailed(() => console.log(`--- server\n${server.output()}`))
  expect(everybody.flatMap(visitor => visitor.troubles().map(trouble => `${visitor.name}: ${trouble}`))).toEqual([])
})

const candidate = { account: 'linxiaoyu', password: 'Sunny-river-27', name: '林小雨', idCard: '330199199505051028', phone: '16012345678' }

describe('one examination from first to last', () => {
  let office: Visitor
  let person: Visitor

  test('[S2.01] staff logs in and finds the menu and a plain list', async () => {
    office = await come('周考务', 'desktop')
    await office.open('/login')
    await office.page.getByRole('heading', { name: '登录' }).waitFor()
    await office.look('login')
    await logIn(office, 'kaowu1')
    await office.page.getByRole('navigation').first().waitFor()
    await office.look('console-home')
    await office.open('/system/param')
    await office.page.getByRole('row').nth(1).waitFor()
    await office.look('param-list')
    const page = await office.ask('/blade-system/param/page', { current: 1, size: 10 })
    expect(page.records.length).toBeGreaterThan(0)
  })

  test('[S3.10] a candidate registers on a phone', async () => {
    person = await come('林小雨', 'phone')
    const { page } = person
    await person.open('/register')
    await page.locator('[name=username]').fill(candidate.account)
    await page.locator('[name=realName]').fill(candidate.name)
    await page.locator('[name=idCard]').fill(candidate.idCard)
    await page.locator('[name=phone]').fill(candidate.phone)
    await page.getByRole('button', { name: '获取验证码' }).click()
    await page.getByText('验证码已发送').waitFor()
    await page.locator('[name=smsCode]').fill(testSms)
    await page.locator('[name=password]').fill(candidate.password)
    await page.locator('[name=password2]').fill(candidate.password)
    await page.locator('[name=consent]').check()
    await person.look('register')
    await page.getByRole('button', { name: '注册', exact: true }).click()
    await page.getByRole('status').filter({ hasText: '注册成功' }).waitFor()
    await person.look('registered')
    await logIn(person, candidate.account, candidate.password)
    await page.getByText(`${candidate.name}，您好`).waitFor()
    await person.look('portal-home-empty')
    const me = await person.ask('/blade-system/user/info')
    expect(me).toMatchObject({ account: candidate.account, realName: candidate.name })
  })
})
