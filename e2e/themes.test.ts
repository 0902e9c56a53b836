import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contrast } from '../web/src/kernel/theme/contrast.ts'
import { lookOf } from '../web/src/kernel/theme/look.ts'
import { comeIn, launchBrowser, logIn, type Visitor, visit } from './support/browser.ts'
import { openBackdoor } from './support/people.ts'
import { sharedServer } from './support/shared-server.ts'

let server: Awaited<ReturnType<typeof sharedServer>>
let browser: Browser

beforeAll(async () => {
  server = await sharedServer()
  const backdoor = await openBackdoor(server.dataDir)
  await backdoor.addStaff([{ account: 'sese', realName: '色瑟', roles: ['admin', 'exam_admin'] }])
  await backdoor.close()
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser?.close()
})

interface Painted {
  readonly preset: string
  readonly mode: string
  readonly primary: string
  readonly page: string
}
const painted = (page: Page): Promise<Painted> =>
  page.evaluate<Painted>(`(() => {
    const root = document.documentElement
    const style = getComputedStyle(root)
    return { preset: root.dataset.preset, mode: root.dataset.theme, primary: style.getPropertyValue('--primary'), page: getComputedStyle(document.body).backgroundColor }
  })()`)
const stored = async (page: Page): Promise<{ theme: string; primary: string | null; chosen: boolean }> => {
  const { theme, primary, chosen } = await page.evaluate<{ theme: string; primary: string | null; chosen: boolean }>(
    `JSON.parse(localStorage.getItem('kaopu-look'))`,
  )
  return { theme, primary, chosen }
}
const primaryOf = (theme: string, mode: 'light' | 'dark' = 'light'): string =>
  /--primary:([^;]+)/.exec(lookOf(theme, null, true)[mode])?.[1] ?? ''
const tool = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

describe('themes', () => {
  let office: Visitor
  test('[S9.04] the login has theme-hey; the header takes theme-bule on mount', async () => {
    office = await visit(browser, server.url, { name: 'office', screen: 'desktop' })
    await office.open('/login')
    await office.page.getByRole('heading', { name: '登录' }).waitFor()
    expect(await painted(office.page)).toMatchObject({ preset: 'theme-hey', mode: 'light', primary: primaryOf('theme-hey') })
    await logIn(office, 'sese')
    await tool(office.page, '选择主题').waitFor()
    expect(await painted(office.page)).toMatchObject({ preset: 'theme-bule', primary: primaryOf('theme-bule') })
    expect(await stored(office.page)).toEqual({ theme: 'theme-bule', primary: null, chosen: false })
  })

  test('[S2.35] one of eleven themes is chosen by keyboard, counts at once in every tab, and stays', async () => {
    const { page, context } = office
    const second = await context.newPage()
    await second.goto('/')
    await tool(second, '选择主题').waitFor()
    await page.evaluate('window.stillHere = true')
    await tool(page, '选择主题').click()
    const choices = page.getByRole('group', { name: '主题' }).getByRole('radio')
    await expect.poll(() => choices.count()).toBe(11)
    await page.getByRole('radio', { name: '深海蓝' }).waitFor()
    await expect.poll(() => page.evaluate('document.activeElement.value')).toBe('theme-bule')
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => painted(page)).toMatchObject({ preset: 'd2', primary: primaryOf('d2') })
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    await expect.poll(() => painted(page)).toMatchObject({ preset: 'vip', primary: primaryOf('vip') })
    expect(await page.evaluate('window.stillHere'), 'the page was not loaded again').toBe(true)
    await page.keyboard.press('Escape')
    await expect.poll(() => page.evaluate('document.activeElement.title')).toBe('选择主题')
    await second.locator('html[data-preset=vip]').waitFor()
    expect(await painted(second)).toEqual(await painted(page))
    await second.close()
    await page.reload()
    await tool(page, '选择主题').waitFor()
    expect(await painted(page)).toMatchObject({ preset: 'vip', primary: primaryOf('vip') })
    expect(await stored(page)).toEqual({ theme: 'vip', primary: null, chosen: true })
  })

  test('[S2.35] the choice is painted before any program has come', async () => {
    const page = await office.context.newPage()
    const before = await painted(office.page)
    await page.route('**/assets/*.js', route => route.fulfill({ contentType: 'application/javascript', body: '' }))
    await page.goto('/')
    expect(await painted(page)).toEqual(before)
    expect(await page.locator('#root .sk-console').isVisible(), 'only the skeleton is there').toBe(true)
    await page.close()
  })

  test('[S2.35] light and dark are chosen beside the theme; Graphite has the dark only', async () => {
    const { page } = office
    await tool(page, '选择主题').click()
    await page.getByRole('button', { name: '深色', exact: true }).click()
    expect(await painted(page)).toMatchObject({ preset: 'vip', mode: 'dark', primary: primaryOf('vip', 'dark') })
    await page.getByRole('button', { name: '浅色', exact: true }).click()
    await page.getByRole('radio', { name: '石墨' }).check({ force: true })
    expect(await painted(page)).toMatchObject({ preset: 'dark', mode: 'dark', primary: primaryOf('dark', 'dark') })
    await page.getByText('“石墨”只有深色').waitFor()
    await page.getByRole('radio', { name: '素纸' }).check({ force: true })
    expect(await painted(page), 'the brightness that was chosen comes back').toMatchObject({ preset: 'white', mode: 'light' })
    await page.keyboard.press('Escape')
  })

  test('[S2.36] any colour can be the primary one; words on it stay readable, a wrong value is refused where it stands', async () => {
    const { page } = office
    await tool(page, '选择主题色').click()
    const value = page.getByRole('textbox', { name: '颜色值' })
    await value.fill('#FFFF00')
    expect(await stored(page)).toEqual({ theme: 'white', primary: '#ffff00', chosen: true })
    const { primary } = await painted(page)
    expect(primary).not.toBe('#ffff00')
    expect(contrast(primary as `#${string}`, '#ffffff')).toBeGreaterThanOrEqual(4.5)
    await value.fill('#12')
    await page.getByRole('alert').filter({ hasText: '请输入 # 加六位十六进制数' }).waitFor()
    expect(await value.inputValue()).toBe('#12')
    expect((await stored(page)).primary, 'what was chosen stays').toBe('#ffff00')
    await value.fill('2f54eb')
    expect((await stored(page)).primary, 'copied without its #').toBe('#2f54eb')
    expect(await page.getByRole('alert').filter({ hasText: '请输入 #' }).count()).toBe(0)
    await page.getByRole('button', { name: '紫', exact: true }).click()
    expect((await stored(page)).primary).toBe('#722ed1')
    await office.look('colour-picker')
    await page.getByRole('button', { name: '恢复主题自带的颜色' }).click()
    expect(await painted(page)).toMatchObject({ preset: 'white', primary: primaryOf('white') })
    await page.keyboard.press('Escape')
  })

  test('[S2.35] the login that follows has the same look', async () => {
    const { page } = office
    await office.context.clearCookies()
    await page.goto('/login')
    await page.getByRole('heading', { name: '登录' }).waitFor()
    expect(await painted(page)).toMatchObject({ preset: 'white', primary: primaryOf('white') })
    expect(office.troubles()).toEqual([])
  })
})

describe('language', () => {
  test('[S2.34][S9.05] Chinese until somebody chooses, then the choice, in every tab and after a reload', async () => {
    const reader = await visit(browser, server.url, { name: 'reader', screen: 'desktop', language: 'en' })
    const { page, context } = reader
    await reader.open('/login')
    await page.getByRole('heading', { name: '登录' }).waitFor()
    expect(await page.evaluate('document.documentElement.lang'), 'whatever the browser speaks').toBe('zh-CN')
    await comeIn(reader, 'sese')
    await tool(page, '选择主题').waitFor()
    const second = await context.newPage()
    await second.goto('/')
    await tool(second, '选择主题').waitFor()
    await tool(page, 'EN').click()
    await tool(page, 'Choose a theme').waitFor()
    await tool(second, 'Choose a theme').waitFor()
    expect(await page.evaluate(`localStorage.getItem('kaopu-lang')`)).toBe('"en"')
    await page.reload()
    await tool(page, 'Choose a theme').waitFor()
    expect(await page.evaluate('document.documentElement.lang')).toBe('en')
    await tool(page, '中文').click()
    await tool(page, '选择主题').waitFor()
    expect(await page.evaluate(`localStorage.getItem('kaopu-lang')`)).toBe('"zh"')
    expect(reader.troubles()).toEqual([])
  })
})

describe('sizes', () => {
  test('[S9.17] the menu is a drawer under 992 px, tools fold under 768, a small dialog takes a fifth of the width', async () => {
    const person = await visit(browser, server.url, { name: 'sizes', screen: 'desktop' })
    const { page } = person
    const width = (px: number) => page.setViewportSize({ width: px, height: 900 })
    await comeIn(person, 'sese')
    const menu = page.getByRole('navigation', { name: '主菜单' })
    const lock = tool(page, '锁屏')
    const dialogWidth = async () => {
      await lock.click()
      const box = await page.locator('.ant-modal').boundingBox()
      await page.keyboard.press('Escape')
      await page.locator('.ant-modal').waitFor({ state: 'hidden' })
      return Math.round(box?.width ?? 0)
    }
    await width(1920)
    await menu.waitFor()
    expect(await dialogWidth()).toBe(384)
    await width(1000)
    await expect.poll(() => menu.isVisible()).toBe(true)
    expect(await dialogWidth(), 'never under 320 px').toBe(320)
    await width(991)
    await page.reload()
    await tool(page, '展开菜单').waitFor()
    await expect.poll(() => menu.isVisible()).toBe(false)
    await width(768)
    await expect.poll(() => lock.isVisible()).toBe(true)
    await width(767)
    await expect.poll(() => lock.isVisible()).toBe(false)
    await page.getByRole('button', { name: '更多工具' }).click()
    expect(await dialogWidth(), 'the whole width').toBe(767)
    expect(person.troubles()).toEqual([])
  })
})
