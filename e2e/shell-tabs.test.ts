import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { lookOf } from '#web/kernel/theme/look.ts'
import { comeIn } from './support/browser.ts'
import { openConsole } from './support/shell.ts'
import { tell } from './support/tour.ts'

const office = openConsole([{ account: 'kaowu1', realName: '周考务', roles: ['admin', 'exam_admin', 'finance'] }], {
  KAOPU_FRAME_HOSTS: 'help.example',
})

const bar = (page: Page) => page.getByRole('navigation', { name: '已打开的页面' })
const names = (page: Page) => bar(page).getByRole('link').allInnerTexts()
const tab = (page: Page, name: string) => bar(page).getByRole('link', { name, exact: true })
const menuOf = async (page: Page, name: string) => {
  await tab(page, name).click({ button: 'right' })
  return page.getByRole('menu', { name: '标签页菜单' })
}
/** Whether the tab that is shown, and its line of the menu, lie within what scrolls around them. */
const isInSight = `['.tag-tab[data-active=true]', '.sider [aria-current]'].map(name => {
  const one = document.querySelector(name)
  const [inner, outer] = [one, one.closest('.menu, .tag-tabs ul')].map(each => each.getBoundingClientRect())
  return inner.left >= outer.left - 1 && inner.right <= outer.right + 1 && inner.top >= outer.top - 1 && inner.bottom <= outer.bottom + 1
})`
/** Opens pages through the side menu, as a person does. */
const openPages = async (page: Page, group: string, pages: readonly string[]) => {
  const menu = page.getByRole('navigation', { name: '主菜单' })
  const head = menu.getByRole('button', { name: group })
  if ((await head.getAttribute('aria-expanded')) === 'false') await head.click()
  for (const name of pages) {
    await menu.getByRole('link', { name, exact: true }).click()
    await bar(page).locator('[aria-current]', { hasText: name }).waitFor()
  }
}

describe('tag tabs', () => {
  test('[S2.22][S2.25][S1.07] each page opens once as a tab with its name; any but the only one can be closed', async () => {
    const { page } = await office.enter('kaowu1')
    await expect.poll(() => names(page)).toEqual(['首页'])
    expect(await bar(page).getByRole('button', { name: /^关闭/ }).count()).toBe(0)
    await openPages(page, '系统管理', ['参数管理', '职务管理', '参数管理'])
    await expect.poll(() => names(page)).toEqual(['首页', '参数管理', '职务管理'])
    await expect.poll(() => page.title()).toBe('参数管理')
    await bar(page).getByRole('button', { name: '关闭 参数管理' }).click()
    await page.waitForURL('**/system/post')
    await expect.poll(() => names(page)).toEqual(['首页', '职务管理'])
    await tab(page, '首页').click()
    await page.waitForURL('**/wel/index')
    await bar(page).getByRole('button', { name: '关闭 职务管理' }).click()
    await expect.poll(() => names(page)).toEqual(['首页'])
    await tab(page, '首页').click({ button: 'middle' })
    await expect.poll(() => names(page)).toEqual(['首页'])
  })

  test('[S2.26][S8.12] the context menu clears the cache after a question, closes others, closes all and goes home', async () => {
    const { page } = await office.enter('kaowu1')
    await openPages(page, '系统管理', ['参数管理', '职务管理'])
    const menu = await menuOf(page, '参数管理')
    expect(await menu.getByRole('menuitem').allInnerTexts()).toEqual([
      '刷新',
      '清除缓存',
      '关闭当前',
      '关闭其他',
      '关闭全部',
      '向左移动',
      '向右移动',
    ])
    await menu.getByRole('menuitem', { name: '清除缓存' }).click()
    await page.getByRole('dialog').getByText('是否需要清除缓存?').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: '取消' }).click()
    await (await menuOf(page, '参数管理')).getByRole('menuitem', { name: '清除缓存' }).click()
    const cleared = page.waitForResponse(/clear-cache/)
    await page.getByRole('dialog').getByRole('button', { name: '确定' }).click()
    expect((await cleared).status()).toBe(200)
    await page.getByText('清除完毕').waitFor()
    await (await menuOf(page, '参数管理')).getByRole('menuitem', { name: '关闭其他' }).click()
    await page.waitForURL('**/system/param')
    // Home stays.
    await expect.poll(() => names(page)).toEqual(['首页', '参数管理'])
    await (await menuOf(page, '参数管理')).getByRole('menuitem', { name: '关闭全部' }).click()
    await page.waitForURL('**/wel/index')
    await expect.poll(() => names(page)).toEqual(['首页'])
  })

  test('[S2.25] what was typed in a page is there again, its timers rest meanwhile, and it is asked about before it is lost', async () => {
    const visitor = await office.come('kaowu1')
    const { page } = visitor
    await page.clock.install()
    await comeIn(visitor, 'kaowu1')
    await visitor.open('/info/index')
    const phone = page.getByRole('textbox', { name: '手机号' })
    await phone.fill('13800000001')
    await page.getByRole('button', { name: '获取验证码' }).click()
    await page.getByRole('button', { name: '60 秒后重新获取' }).waitFor()
    await openPages(page, '系统管理', ['参数管理'])
    await page.clock.runFor(20_000)
    const stay = async () => {
      await page.getByRole('dialog').getByText('修改尚未保存，确定要离开吗？').waitFor()
      await page.getByRole('dialog').getByRole('button', { name: '继续编辑' }).click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    // Its tab is closed from another one.
    await bar(page).getByRole('button', { name: '关闭 个人信息' }).click()
    await stay()
    await (await menuOf(page, '参数管理')).getByRole('menuitem', { name: '关闭其他' }).click()
    await stay()
    await expect.poll(() => names(page)).toEqual(['首页', '个人信息', '参数管理'])
    await tab(page, '个人信息').click()
    expect(await phone.inputValue()).toBe('13800000001')
    await page.getByRole('button', { name: /(60|59) 秒后重新获取/ }).waitFor()
    await bar(page).getByRole('button', { name: '关闭 个人信息' }).click()
    await stay()
    await expect.poll(() => names(page)).toContain('个人信息')
    await phone.fill('')
  })

  test('[S2.25][S2.40] a window with what was typed waits in its tab, whatever is pressed in another one', async () => {
    const { page } = await office.enter('kaowu1')
    await page.goto('/system/param')
    await page.getByRole('button', { name: '新增' }).click()
    const name = page.getByRole('dialog').getByLabel('参数名称')
    await name.fill('写到一半')
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog', { name: '搜索菜单' }).getByRole('combobox').fill('zwgl')
    await page.keyboard.press('Enter')
    await bar(page).locator('[aria-current]', { hasText: '职务管理' }).waitFor()
    await page.keyboard.press('Escape')
    await bar(page).getByRole('button', { name: '关闭 参数管理' }).click()
    await page.getByRole('dialog').getByText('修改尚未保存，确定要离开吗？').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: '继续编辑' }).click()
    await tab(page, '参数管理').click()
    expect(await name.inputValue()).toBe('写到一半')
    // The browser's own refresh asks, too; whoever stays has it all.
    const asked = page.waitForEvent('dialog')
    await page.evaluate('setTimeout(() => location.reload())')
    const question = await asked
    expect(question.type()).toBe('beforeunload')
    await question.dismiss()
    expect([await name.inputValue(), await names(page)]).toEqual(['写到一半', ['首页', '参数管理', '职务管理']])
  })

  test('[S2.25] a page that is shown again stands where it was scrolled to, and so does its list; another page begins at its top', async () => {
    const { page } = await office.enter('kaowu1')
    await page.setViewportSize({ width: 1440, height: 560 })
    await page.goto('/exam/items?size=50')
    const part = (selector: string) => page.locator(`.tab-page:visible ${selector}`).first()
    const scrolled = () =>
      page.locator('.tab-page:visible, .tab-page:visible .table-scroll').evaluateAll(all => all.map(one => one.scrollTop))
    await part('tr[data-row]').waitFor()
    await part('.table-scroll').evaluate(list => list.scrollTo({ top: 300 }))
    await page.locator('.tab-page:visible').evaluate(box => box.scrollTo({ top: 120 }))
    const left = await scrolled()
    expect(left.map(top => top > 0)).toEqual([true, true])
    await openPages(page, '系统管理', ['参数管理'])
    await part('tr[data-row]').waitFor()
    expect(await scrolled()).toEqual([0, 0])
    await tab(page, '报名项库').click()
    await page.waitForURL('**/exam/items?size=50')
    expect(await scrolled()).toEqual(left)
    await part('.pager select').selectOption('100')
    await page.waitForURL('**/exam/items?size=100')
    await expect.poll(async () => (await scrolled())[1]).toBe(0)
  })

  test('[S2.22] a page is shown when its program has come: nothing waits for a clock', async () => {
    const visitor = await office.come('kaowu1')
    const { page, context } = visitor
    await page.clock.install()
    await comeIn(visitor, 'kaowu1')
    const menu = page.getByRole('navigation', { name: '主菜单' })
    await menu.getByRole('button', { name: '考试管理' }).click()
    let go = () => {}
    const held = new Promise<void>(done => {
      go = done
    })
    await context.route(/assets\/files-page-.*\.js$/, async route => {
      await held
      await route.continue()
    })
    await page.clock.pauseAt(Date.now() + 60_000)
    await menu.getByRole('link', { name: '材料库', exact: true }).click()
    const shown = page.locator('.tab-page:visible')
    await shown.getByRole('status', { name: '加载中' }).waitFor()
    go()
    await shown.getByRole('search').waitFor()
    await page.clock.resume()
    await shown.locator('tr[data-row]').first().waitFor()
  })

  test('keeps fifteen pages alive, restores all tabs after a reload, and draws a dropped one anew', async () => {
    const { page } = await office.enter('kaowu1')
    await openPages(page, '考试管理', ['考试列表', '单位编码', '报名项库', '材料库'])
    const system = ['用户管理', '字典', '部门管理', '职务管理', '角色管理', '查看用户权限', '字段权限', '菜单管理', '参数管理', '数据范围']
    await openPages(page, '系统管理', system)
    await openPages(page, '安全审计', ['在线用户', '登录日志'])
    const open = await names(page)
    expect([open.length, await page.locator('.tab-page').count()]).toEqual([17, 15])
    await page.reload()
    await bar(page).locator('[aria-current]', { hasText: '登录日志' }).waitFor()
    await expect.poll(() => names(page)).toEqual(open)
    // Tabs of another theme have another width: the one that is shown stays in sight, and so does its line of the menu.
    for (const theme of ['white', 'theme-bule']) {
      await tell(page, { look: lookOf(theme, null, true) })
      await page.locator(`html[data-preset=${theme}]`).waitFor()
      await expect.poll(() => page.evaluate(isInSight)).toEqual([true, true])
    }
    await tab(page, '首页').click()
    await page.locator('.staff-home h1').waitFor()
  })

  test('the middle button closes a tab, dragging sorts, and the menu sorts for those who cannot drag', async () => {
    const { page } = await office.enter('kaowu1')
    await openPages(page, '系统管理', ['参数管理', '职务管理'])
    await tab(page, '职务管理').locator('..').dragTo(tab(page, '首页').locator('..'))
    await expect.poll(() => names(page)).toEqual(['职务管理', '首页', '参数管理'])
    await (await menuOf(page, '参数管理')).getByRole('menuitem', { name: '向左移动' }).click()
    await expect.poll(() => names(page)).toEqual(['职务管理', '参数管理', '首页'])
    await tab(page, '参数管理').click({ button: 'middle' })
    await expect.poll(() => names(page)).toEqual(['职务管理', '首页'])
    expect(page.context().pages()).toHaveLength(1)
  })

  test('the bar is one stop of the keyboard: arrows walk, Delete closes, Shift+F10 opens the menu', async () => {
    const visitor = await office.enter('kaowu1')
    const { page } = visitor
    await openPages(page, '系统管理', ['参数管理', '职务管理'])
    const focused = () => page.evaluate('document.activeElement.textContent')
    await tab(page, '职务管理').focus()
    await page.keyboard.press('ArrowRight')
    await expect.poll(focused).toBe('首页')
    expect(await bar(page).locator('a[tabindex="0"]').allInnerTexts()).toEqual(['首页'])
    await page.keyboard.press('End')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/system/param')
    await page.keyboard.press('Delete')
    await expect.poll(() => names(page)).toEqual(['首页', '职务管理'])
    await expect.poll(focused).toBe('职务管理')
    await page.keyboard.press('Shift+F10')
    await page.getByRole('menu', { name: '标签页菜单' }).waitFor()
    await visitor.look('shell-tab-menu')
    await page.keyboard.press('Escape')
    await expect.poll(focused).toBe('职务管理')
    await page.keyboard.press('ContextMenu')
    await page.keyboard.press('End')
    await expect.poll(focused).toBe('向左移动')
    await page.keyboard.press('ArrowUp')
    await expect.poll(focused).toBe('关闭全部')
    await page.keyboard.press('Enter')
    await expect.poll(() => names(page)).toEqual(['首页'])
  })
})

describe('pages of others', () => {
  beforeAll(() =>
    office.backdoor.db(async db => {
      for (const [code, name, path] of [
        ['help', '帮助中心', 'https://help.example/start.html'],
        ['other', '其他网站', 'https://other.example/'],
        ['wrong', '错误地址', 'https://user:word@help.example/'],
      ])
        await db.run(sql`with one as (
            insert into menu (tenant_id, code, name, name_en, path, sort) values (${db.actor.tenantId}, ${code}, ${name}, ${code}, ${path}, 90) returning id)
          insert into role_menu (tenant_id, role_id, menu_id)
          select ${db.actor.tenantId}, role.id, one.id from one, role where role.role_alias = 'exam_admin'`)
    }),
  )

  test('[S2.05][S2.18][S3.15] a menu with an outside address opens in a sandboxed frame, for listed hosts only', async () => {
    const visitor = await office.come('kaowu1')
    const { page, context } = visitor
    await context.route('https://help.example/**', route =>
      route.fulfill({
        contentType: 'text/html',
        body: `<h1>帮助</h1><p id="out"></p><script>try { out.textContent = parent.document.cookie } catch { out.textContent = 'sealed' }</script>`,
      }),
    )
    await comeIn(visitor, 'kaowu1')
    await page.getByRole('link', { name: '帮助中心' }).first().click()
    await page.waitForURL('**/myiframe/help')
    expect(await page.locator('iframe.frame').getAttribute('sandbox')).toBe('allow-scripts allow-forms allow-popups')
    await page.frameLocator('iframe.frame').getByText('sealed').waitFor()
    await expect.poll(() => names(page)).toEqual(['首页', '帮助中心'])
    expect(visitor.troubles().filter(trouble => !trouble.includes('https://help.example/'))).toEqual([])

    await page.getByRole('link', { name: '其他网站' }).first().click()
    await page.getByRole('heading', { name: '这个地址不能在页面内打开' }).waitFor()
    expect(await page.getByRole('link', { name: '在新窗口打开' }).getAttribute('href')).toBe('https://other.example/')
    await page.getByRole('link', { name: '错误地址' }).first().click()
    await page.getByText('菜单中的地址不正确，请联系管理员修改。').waitFor()
    await visitor.look('shell-frame-refused')
    const policy = (await page.request.get('/')).headers()['content-security-policy']
    expect(policy).toContain("frame-src 'self' blob: https://help.example;")
  })
})
