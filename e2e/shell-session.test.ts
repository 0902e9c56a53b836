import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { logIn, typeLogin } from './support/browser.ts'
import { openConsole, ownServer } from './support/shell.ts'

const office = openConsole([{ account: 'admin1', realName: '赵管理', roles: ['admin'] }], ownServer)

const pathOf = (page: Page) => new URL(page.url()).pathname
const toast = (page: Page, text: string) => page.locator('.toast-text', { hasText: text })
const lockWith = async (page: Page, password: string) => {
  await page.getByRole('button', { name: '锁屏' }).click()
  await page.getByRole('dialog').getByLabel('锁屏密码').fill(password)
  await page.getByRole('dialog').getByRole('button', { name: '确定' }).click()
  await page.waitForURL('**/lock')
}
/** Statuses that a test provokes, and the browser's lines about them. */
const ignore = (troubles: readonly string[], pattern: RegExp) => troubles.filter(trouble => !pattern.test(trouble))
const wrongToken = `document.cookie = 'kaopu-access-token=wrong; path=/; samesite=strict'`

describe('guard', () => {
  test('[S2.03][S2.23] without a token only pages that need none open; all others lead to the login and back', async () => {
    const visitor = await office.come('nobody')
    const { page } = visitor
    for (const [path, title] of [
      ['/403', '没有访问权限'],
      ['/404', '页面不存在'],
      ['/500', '服务器出错了'],
    ] as const) {
      await visitor.open(path)
      await page.getByRole('heading', { name: title }).waitFor()
    }
    await visitor.look('shell-500')
    await visitor.open('/system/param?paramKey=x')
    await page.waitForURL('**/login?**')
    await page.getByText('登录后回到刚才的页面。已保存的内容都在；窗口里没有保存的填写不保留。').waitFor()
    await visitor.look('shell-login-back')
    await typeLogin(page, 'admin1')
    await page.waitForURL('**/system/param?paramKey=x')
  })

  test('[S2.19][S2.21][S4.03] a token leads from the login to the start; an empty one is logged out', async () => {
    const visitor = await office.enter('admin1')
    const { page, context } = visitor
    const stored = JSON.parse(await page.evaluate<string>('localStorage.getItem("kaopu-session")'))
    expect(stored).toMatchObject({ locked: false, user: { account: 'admin1', tenantId: '000000', nickName: '赵管理', userType: 1 } })
    await visitor.open('/login')
    await page.waitForURL('**/wel/index')
    await context.addCookies([{ name: 'kaopu-access-token', value: '', url: office.server.url, sameSite: 'Strict' }])
    await visitor.open('/system/param')
    await page.waitForURL('**/login?**')
  })
})

describe('lock', () => {
  test('[S2.02][S2.20][S2.30][S4.02][S5.12][S9.17] asks for a lock password, locks server and all tabs, and keeps the pages behind', async () => {
    const visitor = await office.enter('admin1')
    const { page, context } = visitor
    const other = await context.newPage()
    await other.goto('/system/post')
    await other.getByRole('row').first().waitFor()
    await visitor.open('/info/index')
    await page.getByLabel('昵称').fill('写到一半')
    await page.getByRole('button', { name: '锁屏' }).click()
    const dialog = page.getByRole('dialog', { name: '锁屏' })
    await dialog.getByRole('button', { name: '确定' }).click()
    await dialog.getByText('锁屏密码不能为空').waitFor()
    expect(await dialog.locator('.ant-modal-container, .ant-modal-content').first().boundingBox()).toMatchObject({ width: 320 })
    await visitor.look('shell-lock-dialog')
    await page.keyboard.press('Escape')
    await lockWith(page, 'cup of tea')
    await other.waitForURL('**/lock')
    await visitor.look('shell-locked')
    const token = decodeURIComponent((await context.cookies()).find(({ name }) => name === 'kaopu-access-token')?.value ?? '')
    const refused = await context.request.get('/api/blade-system/param/page', { headers: { 'Blade-Auth': `bearer ${token}` } })
    expect(refused.status()).toBe(423)
    await other.goto('/system/param')
    await other.waitForURL('**/lock')

    visitor.expectRefusal(400)
    await page.getByLabel('锁屏密码').fill('not this')
    await page.getByRole('button', { name: '解锁' }).click()
    await page.locator('.toast').waitFor()
    await page.getByLabel('锁屏密码').fill('cup of tea')
    await page.getByRole('button', { name: '解锁' }).click()
    await page.waitForURL('**/info/index')
    await expect.poll(() => page.getByLabel('昵称').inputValue()).toBe('写到一半')
    await other.waitForURL('**/system/p*')
    await page.getByLabel('昵称').fill('赵管理')
  })

  test('[S4.02][S4.03] a login clears the lock', async () => {
    const visitor = await office.enter('admin1')
    const { page } = visitor
    await lockWith(page, 'cup of tea')
    await page.getByRole('button', { name: '退出登录' }).click()
    await page.waitForURL('**/login')
    await logIn(visitor, 'admin1')
    await page.waitForURL('**/wel/index')
    await page.locator('.staff-home h1').waitFor()
  })
})

describe('session', () => {
  test('[S4.05][S9.02] looks every ten seconds and renews a token of 3000 seconds, once for all tabs', async () => {
    const visitor = await office.come('admin1')
    const { page, context } = visitor
    await page.clock.install()
    await logIn(visitor, 'admin1')
    await page.locator('.staff-home h1').waitFor()
    await page.waitForLoadState('networkidle')
    let renewals = 0
    context.on('request', request => {
      if (request.url().includes('grant_type=refresh_token')) renewals += 1
    })
    await page.clock.runFor(11_000)
    expect(renewals).toBe(0)
    const before = (await context.cookies()).find(({ name }) => name === 'kaopu-access-token')?.value
    const renewed = page.waitForResponse(/grant_type=refresh_token/)
    await page.clock.fastForward(3_000_000)
    await page.clock.runFor(10_000)
    expect((await renewed).status()).toBe(200)
    await expect.poll(async () => (await context.cookies()).find(({ name }) => name === 'kaopu-access-token')?.value).not.toBe(before)
    await page.clock.runFor(30_000)
    expect(renewals).toBe(1)
  })

  test('[S8.02] a first 401 renews the token once and repeats the calls', async () => {
    const visitor = await office.enter('admin1')
    const { page, context } = visitor
    let renewals = 0
    context.on('request', request => {
      if (request.url().includes('grant_type=refresh_token')) renewals += 1
    })
    await page.evaluate(wrongToken)
    await visitor.open('/system/param')
    await page.getByRole('row').nth(1).waitFor()
    expect([renewals, await page.locator('.toast').count()]).toEqual([1, 0])
    expect(ignore(visitor.troubles(), /status of 401/)).toEqual([])
  })

  test('[S8.03] when the renewal fails too there is one message, nothing is kept, and the login opens', async () => {
    const visitor = await office.enter('admin1')
    const { page, context } = visitor
    await context.clearCookies({ name: 'kaopu-refresh-token' })
    await page.evaluate(wrongToken)
    await visitor.open('/system/param')
    await toast(page, '用户令牌过期，请重新登录').waitFor()
    expect(await page.locator('.toast').count()).toBe(1)
    await page.waitForURL('**/login?redirect=**')
    expect(await page.evaluate('[localStorage.getItem("kaopu-session"), document.cookie.includes("access-token=w")]')).toEqual([
      null,
      false,
    ])
    expect(ignore(visitor.troubles(), /status of 40[01]/)).toEqual([])
  })

  test('[S4.04] logging out in one tab ends the others and forgets token, menus, roles and tabs', async () => {
    const visitor = await office.enter('admin1')
    const { page, context } = visitor
    const other = await context.newPage()
    await other.goto('/system/param')
    await other.getByRole('row').nth(1).waitFor()
    await page.getByRole('button', { name: /用户菜单/ }).click()
    await page.getByRole('menuitem', { name: '退出登录' }).click()
    await page.getByRole('dialog').getByRole('button', { name: '确定' }).click()
    await page.waitForURL('**/login')
    await other.waitForURL('**/login**')
    for (const each of [page, other])
      expect(await each.evaluate('[localStorage.getItem("kaopu-session"), sessionStorage.getItem("kaopu-tabs")]')).toEqual([null, '[]'])
    await logIn(visitor, 'admin1')
    await expect.poll(() => page.getByRole('navigation', { name: '已打开的页面' }).getByRole('link').allInnerTexts()).toEqual(['首页'])
  })
})

describe('error catalogue', () => {
  test('[S8.01][S3.21] a refused login shows its description and stores nothing', async () => {
    const visitor = await office.come('stranger')
    const { page, context } = visitor
    await visitor.open('/login')
    visitor.expectRefusal(400)
    await typeLogin(page, 'admin1', 'wrong-password')
    await toast(page, '用户名或密码错误').waitFor()
    // A place in the queue of a rush opens nothing.
    expect((await context.cookies()).map(({ name }) => name).filter(name => name !== 'kaopu-place')).toEqual([])
    expect([pathOf(page), await page.locator('[name=password]').inputValue()]).toEqual(['/login', 'wrong-password'])
  })

  test('[S8.04][S8.05][S8.06] shows the server’s text once, and 系统错误 where there is none', async () => {
    const visitor = await office.enter('admin1')
    const { page } = visitor
    const answer = (status: number, body: object) =>
      page.route('**/oauth/clear-cache', route => route.fulfill({ status, json: body }), { times: 1 })
    const clearCache = async () => {
      await page.getByRole('button', { name: '标签页操作' }).click()
      await page.getByRole('menuitem', { name: '清除缓存' }).click()
      await page.getByRole('dialog').getByRole('button', { name: '确定' }).click()
    }
    await answer(200, { code: 2103, success: false, msg: '您已报名本次考试' })
    await clearCache()
    await toast(page, '您已报名本次考试').waitFor()
    expect(await page.locator('.toast').count()).toBe(1)
    await answer(500, { code: 500, success: false, msg: '' })
    await clearCache()
    await toast(page, '系统错误').waitFor()
    expect(await toast(page, '清除完毕').count()).toBe(0)
    expect(ignore(visitor.troubles(), /status of 500|^admin1: 500|^500 GET/)).toEqual([])
  })

  test('[20.7] a menu that does not come while the server is away is there by itself when the server is back', async () => {
    const visitor = await office.enter('admin1')
    const { page } = visitor
    const menu = page.getByRole('navigation', { name: '主菜单' })
    await page.route('**/menu/routes*', route => route.fulfill({ status: 502, body: 'Bad gateway' }))
    await page.reload()
    await menu.getByText('菜单加载失败').waitFor()
    await page.unroute('**/menu/routes*')
    await menu.getByRole('button', { name: '系统管理' }).waitFor()
    expect(ignore(visitor.troubles(), /status of 502|^502 GET|menu\/routes/)).toEqual([])
  })

  test('[S8.13] a part that does not come makes the page load anew once, then says so and can be tried again', async () => {
    const visitor = await office.enter('admin1')
    const { page, context } = visitor
    let refuse = true
    await context.route(/assets\/business-page-.*\.js$/, route => (refuse ? route.abort() : route.continue()))
    let loads = 0
    page.on('load', () => {
      loads += 1
    })
    await page.getByRole('navigation', { name: '主菜单' }).getByRole('button', { name: '系统管理' }).click()
    await page.getByRole('link', { name: '业务字典' }).first().click()
    await page.getByRole('heading', { name: '页面出错了' }).waitFor()
    await page.getByText('页面文件加载失败或超时，请检查网络后重试').waitFor()
    expect(loads).toBe(1)
    await visitor.look('shell-chunk-failed')
    refuse = false
    await page.getByRole('button', { name: '重试' }).click()
    await page.getByRole('row').nth(1).waitFor()
    expect(ignore(visitor.troubles(), /ERR_FAILED|dynamically imported|页面文件加载失败|Failed to load/)).toEqual([])
  })

  test('[S8.13] a part that never answers is an error after 120 seconds', async () => {
    const visitor = await office.come('admin1')
    const { page, context } = visitor
    await page.clock.install()
    await logIn(visitor, 'admin1')
    await page.locator('.staff-home h1').waitFor()
    await context.route(/assets\/business-page-.*\.js$/, () => {})
    await page.getByRole('navigation', { name: '主菜单' }).getByRole('button', { name: '系统管理' }).click()
    await page.getByRole('link', { name: '业务字典' }).first().click()
    await page.locator('.tab-page:visible').getByRole('status', { name: '加载中' }).waitFor()
    await page.clock.runFor(119_000)
    expect(await page.getByRole('heading', { name: '页面出错了' }).count()).toBe(0)
    await page.clock.runFor(2_000)
    await page.getByRole('heading', { name: '页面出错了' }).waitFor()
    await page.getByRole('button', { name: /^错误日志 \(/ }).click()
    await page.getByRole('dialog').getByText('页面文件加载失败或超时').first().waitFor()
    expect(ignore(visitor.troubles(), /页面文件加载失败/)).toEqual([])
  })
})
