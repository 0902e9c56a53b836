import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { checkAccess } from './support/axe.ts'
import { checkContrastNow, type Measured } from './support/contrast.ts'
import { staffPassword } from './support/people.ts'
import { actOn } from './support/screen.ts'
import { testCaptcha } from './support/server.ts'
import { openConsole } from './support/shell.ts'
import { tell } from './support/tour.ts'

const office = openConsole([{ account: 'admin1', realName: '赵管理', roles: ['admin'] }])

/** Presses Tab until the focus is on what the test is about, as somebody without a mouse does. */
const tabTo = async (page: Page, wanted: string, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> => {
  // A home page with all of an administrator's menus has some eighty stops.
  for (let presses = 0; presses < 200; presses++) {
    if (await page.evaluate(`(${wanted})(document.activeElement)`)) return
    await page.keyboard.press(key)
  }
  throw new Error(`the focus never came to ${wanted}`)
}
const named = (name: string) => `el => (el.getAttribute('aria-label') ?? el.textContent ?? '').trim() === ${JSON.stringify(name)}`
const field = (name: string) => `el => el.name === ${JSON.stringify(name)}`
const labelled = (text: string) => `el => el.labels?.[0]?.textContent.includes(${JSON.stringify(text)}) ?? false`

describe('by keyboard alone', () => {
  test('[S2.25][S2.30][S2.33][S2.40][S8.09] logs in, finds a menu, searches, edits, closes tabs, locks, unlocks and logs out', async () => {
    const visitor = await office.come('admin1')
    const { page } = visitor
    const { keyboard } = page
    await visitor.open('/login')
    await page.locator('.captcha img').waitFor()
    await tabTo(page, field('username'))
    await keyboard.type('admin1')
    await tabTo(page, field('password'))
    await keyboard.type(staffPassword)
    await tabTo(page, field('captcha'))
    await keyboard.type(testCaptcha)
    await keyboard.press('Enter')
    await page.waitForURL('**/wel/index')
    await page.locator('.staff-home h1').waitFor()

    await keyboard.press('Control+k')
    // Whoever types looks for the caret first.
    await page.getByRole('dialog', { name: '搜索菜单' }).locator('input:focus').waitFor()
    await keyboard.type('csgl')
    await page.getByRole('option', { name: /参数管理/ }).waitFor()
    await keyboard.press('Enter')
    await page.waitForURL('**/system/param')
    await page.getByRole('row').nth(1).waitFor()

    await tabTo(page, labelled('参数键名'))
    await keyboard.type('account.failCount')
    await keyboard.press('Enter')
    await page.waitForURL('**/system/param?**')
    await expect.poll(() => page.getByRole('row').count()).toBe(2)
    await tabTo(page, `el => el.closest('tr') !== null && el.textContent.trim() === '编辑'`)
    await keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await tabTo(page, labelled('参数键值'))
    await keyboard.press('Control+a')
    await keyboard.type('6')
    await tabTo(page, `el => el.closest('[role=dialog]') !== null && ['保存', '确定'].includes(el.textContent.trim())`)
    await keyboard.press('Enter')
    await page.getByText('更新成功').waitFor()
    const { value } = await office.backdoor.db(db =>
      db.one(sql<{ value: string }>`select param_value as value from param where param_key = 'account.failCount'`),
    )
    expect(value).toBe('6')

    const tabs = page.getByRole('navigation', { name: '已打开的页面' }).getByRole('link')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await tabTo(page, `el => el.matches('.tag-tab a')`, 'Shift+Tab')
    await keyboard.press('Delete')
    await expect.poll(() => tabs.allInnerTexts()).toEqual(['首页'])

    await tabTo(page, named('锁屏'), 'Shift+Tab')
    await keyboard.press('Enter')
    await page.getByRole('dialog', { name: '锁屏' }).locator('input:focus').waitFor()
    await keyboard.type('cup of tea')
    await keyboard.press('Enter')
    await page.waitForURL('**/lock')
    await page.getByRole('heading', { name: '屏幕已锁定' }).waitFor()
    await page.locator('input:focus').waitFor()
    await keyboard.type('cup of tea')
    await keyboard.press('Enter')
    await page.waitForURL('**/wel/index')
    await page.locator('.staff-home h1').waitFor()

    await tabTo(page, `el => el.matches('.header-user')`)
    await keyboard.press('Enter')
    await page.getByRole('menu').waitFor()
    await keyboard.press('End')
    await keyboard.press('Enter')
    await page.getByRole('dialog').getByText('确定要退出系统吗？').waitFor()
    await tabTo(page, `el => el.closest('[role=dialog]') !== null && el.textContent.trim() === '确定'`)
    await keyboard.press('Enter')
    await page.waitForURL('**/login')
  })
})

describe('sizes', () => {
  /** The narrowest, where most is folded away; all of them in `npm run test:long`. */
  const sizes: readonly ('laptop' | 'tablet' | 'phone')[] = process.env['KAOPU_LONG'] ? ['laptop', 'tablet', 'phone'] : ['phone']
  test.each(sizes)('[S9.17][S2.28] on a %s everything is in reach, and nothing scrolls sideways', async screen => {
    const visitor = await office.enter('admin1', { screen })
    const { page } = visitor
    const isNarrow = screen !== 'laptop'
    const menu = page.getByRole('navigation', { name: '主菜单' })
    await expect.poll(() => menu.isVisible()).toBe(!isNarrow)
    if (isNarrow) await page.getByRole('button', { name: '展开菜单' }).click()
    await menu.getByRole('button', { name: '系统管理' }).click()
    if (isNarrow) await visitor.look(`shell-${screen}-drawer`)
    await menu.getByRole('link', { name: '参数管理' }).click()
    await page.getByRole('row').nth(1).waitFor()
    await expect.poll(() => menu.isVisible()).toBe(!isNarrow)
    if (screen === 'phone') await page.getByRole('button', { name: '更多工具' }).click()
    for (const name of ['锁屏', '错误日志', '流程图查看', 'EN']) await page.getByRole('banner').getByRole('button', { name }).waitFor()
    await visitor.look(`shell-${screen}-list`)
    await page.getByRole('button', { name: '顶部菜单' }).click()
    await page.getByRole('menuitem', { name: '系统管理' }).click()
    await page.getByRole('button', { name: '锁屏' }).click()
    const dialog = page.getByRole('dialog', { name: '锁屏' })
    await dialog.getByLabel('锁屏密码').waitFor()
    await visitor.look(`shell-${screen}-lock`)
    await dialog.getByRole('button', { name: '取消' }).click()
    await visitor.open('/info/index')
    await page.getByLabel('姓名').waitFor()
    await visitor.look(`shell-${screen}-info`)
  })

  test('what can only be read in a window is scrolled by keyboard, where the screen is smaller than it', async () => {
    const visitor = await office.enter('admin1', { screen: 'phone' })
    const { page } = visitor
    await page.setViewportSize({ width: 390, height: 320 })
    await visitor.open('/system/param')
    await actOn(page.getByRole('row').nth(1), '查看')
    const text = page.getByRole('dialog').locator('.dialog-content')
    await expect.poll(() => text.getAttribute('tabindex')).toBe('0')
    expect(await checkAccess(page, { within: '[role=dialog]' })).toEqual([])
  })

  test('[S2.34] in English on a phone', async () => {
    const visitor = await office.enter('admin1', { screen: 'phone', language: 'en' })
    const { page } = visitor
    await visitor.look('shell-phone-en')
    await page.getByRole('button', { name: 'Notifications' }).click()
    await page.getByRole('tab', { name: 'Messages' }).click()
    await visitor.look('shell-phone-notices-en')
  })
})

test('[S9.17] a text too pale to read is found on a page whose colours have been measured, and under a theme that has not', async () => {
  const visitor = await office.enter('admin1')
  const { page } = visitor
  await visitor.open('/system/param')
  await page.getByRole('row').nth(1).waitFor()
  const measured: Measured = new Map()
  expect(await checkContrastNow(page, measured)).toEqual([])
  const known = measured.size
  await page.evaluate(`document.body.insertAdjacentHTML('beforeend', '<p style="color: #ddd; background: #fff">pale</p>')`)
  expect(await checkContrastNow(page, measured)).toEqual([expect.stringMatching(/^color-contrast: .*p/)])
  expect(measured.size).toBe(known + 1)
  await page.evaluate(`document.querySelector('body > p').remove()`)
  await tell(page, { mode: 'dark' })
  await page.locator('html[data-theme=dark]').waitFor()
  expect(await checkContrastNow(page, measured)).toEqual([])
  expect(measured.size).toBeGreaterThan(known + 20)
})
