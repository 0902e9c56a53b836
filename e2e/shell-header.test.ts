import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { chineseTexts, type Visitor } from './support/browser.ts'
import { openConsole } from './support/shell.ts'

const office = openConsole([
  { account: 'admin1', realName: '赵管理', roles: ['admin'] },
  { account: 'kaowu1', realName: '周考务', roles: ['exam_admin'] },
  { account: 'kaowu2', realName: '吴考务', roles: ['exam_admin'] },
  { account: 'kaowu3', realName: '郑考务', roles: ['exam_admin'] },
  { account: 'operator1', realName: '爱新觉罗·长姓名', roles: ['administrator', 'exam_admin', 'finance'] },
])

const header = (page: Page) => page.getByRole('banner')
const tool = (page: Page, name: string | RegExp) => header(page).getByRole('button', { name })
/** What the account keeps of the person's choices. */
const kept = async ({ ask }: Visitor): Promise<Readonly<Record<string, unknown>>> =>
  Object.fromEntries((await ask('/me/settings')).settings.map((one: { name: string; value: unknown }) => [one.name, one.value]))
const menu = (page: Page) => page.getByRole('navigation', { name: '主菜单' })
const menuNames = (page: Page) => menu(page).locator('.menu-item[data-depth="0"]').allInnerTexts()

/** A process of three steps, as another program would write it. */
const bpmn = `<?xml version="1.0" encoding="UTF-8"?>
<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:bpmndi="http://www.omg.org/spec/BPMN/20100524/DI" xmlns:dc="http://www.omg.org/spec/DD/20100524/DC" xmlns:di="http://www.omg.org/spec/DD/20100524/DI" targetNamespace="x">
  <bpmn:process id="leave"><bpmn:startEvent id="s" name="开始"/><bpmn:userTask id="t" name="部门审批"/><bpmn:endEvent id="e" name="结束"/>
    <bpmn:sequenceFlow id="f1" sourceRef="s" targetRef="t"/><bpmn:sequenceFlow id="f2" sourceRef="t" targetRef="e"/></bpmn:process>
  <bpmndi:BPMNDiagram id="d"><bpmndi:BPMNPlane id="p" bpmnElement="leave">
    <bpmndi:BPMNShape id="s1" bpmnElement="s"><dc:Bounds x="100" y="120" width="36" height="36"/></bpmndi:BPMNShape>
    <bpmndi:BPMNShape id="t1" bpmnElement="t"><dc:Bounds x="200" y="98" width="100" height="80"/></bpmndi:BPMNShape>
    <bpmndi:BPMNShape id="e1" bpmnElement="e"><dc:Bounds x="360" y="120" width="36" height="36"/></bpmndi:BPMNShape>
    <bpmndi:BPMNEdge id="g1" bpmnElement="f1"><di:waypoint x="136" y="138"/><di:waypoint x="200" y="138"/></bpmndi:BPMNEdge>
    <bpmndi:BPMNEdge id="g2" bpmnElement="f2"><di:waypoint x="300" y="138"/><di:waypoint x="360" y="138"/></bpmndi:BPMNEdge>
  </bpmndi:BPMNPlane></bpmndi:BPMNDiagram></bpmn:definitions>`
const fileOf = (name: string, text: string) => ({ name, mimeType: 'application/xml', buffer: Buffer.from(text) })

describe('header', () => {
  test('[S2.24][S2.27][S2.31][S2.32][S2.41][S6.01] shows platform, role / nick name, default picture and every tool', async () => {
    const visitor = await office.enter('admin1')
    const { page } = visitor
    await expect.poll(() => menu(page).locator('.sider-brand').innerText()).toBe('区卫生健康系统人才招聘平台')
    const user = tool(page, /用户菜单/)
    await expect.poll(() => user.textContent()).toContain('租户管理员 / 赵管理')
    expect(await user.locator('[data-default]').innerText()).toBe('赵')
    const names = ['收起菜单', '通知', '锁屏', '错误日志', '流程图查看', '选择主题', '选择主题色', 'EN']
    for (const name of names)
      expect(
        await tool(page, new RegExp(`^${name}`))
          .first()
          .isVisible(),
        name,
      ).toBe(true)
    // One way to search: the field where it has room, a button where it has not.
    const search = [header(page).getByRole('combobox', { name: '搜索菜单' }), tool(page, '搜索菜单')]
    expect(await Promise.all(search.map(one => one.isVisible()))).toEqual([true, false])
    await page.setViewportSize({ width: 1_024, height: 768 })
    expect(await Promise.all(search.map(one => one.isVisible()))).toEqual([false, true])
    await visitor.look('shell-header')
  })

  test('[S2.37][S2.38] tools of whoever looks after the program are not in the way of others, until something goes wrong', async () => {
    const visitor = await office.enter('kaowu1')
    const { page } = visitor
    await menu(page).getByText('考试管理').waitFor()
    const shown = () => Promise.all(['错误日志', '流程图查看'].map(name => tool(page, new RegExp(`^${name}`)).count()))
    expect(await shown()).toEqual([0, 0])
    await page.evaluate("setTimeout(() => { throw new Error('planned failure') })")
    await tool(page, '错误日志 (1)').waitFor()
    expect(await shown()).toEqual([1, 0])
    expect(visitor.troubles()).toEqual([expect.stringContaining('planned failure')])
  })

  test('[S2.31][S2.34] where both do not fit, the role gives way to the nick name', async () => {
    const { page } = await office.enter('operator1', { language: 'en' })
    const who = tool(page, /User menu/)
    await expect.poll(() => who.textContent()).toContain('Platform administrator / 爱新觉罗·长姓名')
    const isWhole = (part: string) => page.locator(part).evaluate(element => element.scrollWidth <= element.clientWidth)
    expect([await isWhole('.header-role'), await isWhole('.header-nick')]).toEqual([false, true])
    expect(await page.locator('.header-who').getAttribute('title')).toBe('Platform administrator / 爱新觉罗·长姓名')
  })

  test('[S2.28] folds the menu and remembers it', async () => {
    const visitor = await office.enter('admin1')
    const { page } = visitor
    await tool(page, '收起菜单').click()
    expect(await menu(page).locator('.menu-text').first().isVisible()).toBe(false)
    await page.reload()
    await tool(page, '展开菜单').click()
    await menu(page).getByText('系统管理').waitFor()
    await expect.poll(() => kept(visitor)).toEqual({ folded: false })
  })

  test('[S2.28][S2.34][S2.35][S2.36] fold, language, look and columns are the person’s: another browser has them after the login, a colleague has not', async () => {
    const first = await office.enter('kaowu3')
    await tool(first.page, '收起菜单').click()
    await tool(first.page, '选择主题').first().click()
    await first.page.getByRole('button', { name: '深色', exact: true }).click()
    await first.page.keyboard.press('Escape')
    await first.open('/exam/userCode')
    await first.page.getByRole('button', { name: '列设置' }).click()
    await first.page.getByRole('checkbox', { name: '编码', exact: true }).uncheck()
    await first.page.keyboard.press('Escape')
    await tool(first.page, 'EN').click()
    await expect
      .poll(() => kept(first))
      .toMatchObject({ folded: true, mode: 'dark', lang: 'en', 'own.columns-user-code': { hidden: expect.arrayContaining(['code']) } })
    const second = await office.enter('kaowu3')
    const shown = () => second.page.evaluate('[document.documentElement.lang, document.documentElement.dataset.theme]')
    await expect.poll(shown).toEqual(['en', 'dark'])
    await header(second.page).getByRole('button', { name: 'Unfold the menu' }).waitFor()
    await second.open('/exam/userCode')
    await second.page.getByRole('columnheader', { name: 'Name', exact: true }).waitFor()
    expect(await second.page.getByRole('columnheader', { name: 'Code', exact: true }).count()).toBe(0)
    const colleague = await office.enter('kaowu2')
    expect([await kept(colleague), await colleague.page.evaluate('document.documentElement.lang')]).toEqual([{}, 'zh-CN'])
  })

  test('[S2.33][S2.12][S1.01] the user menu leads to personal info, common questions in a new tab, and out after a question', async () => {
    const visitor = await office.enter('admin1')
    const { page, context } = visitor
    const choose = async (name: string) => {
      await tool(page, /用户菜单/).click()
      await page.getByRole('menuitem', { name }).click()
    }
    await choose('个人信息')
    await page.waitForURL('**/info/index')
    const opened = context.waitForEvent('page')
    await choose('常见问题')
    const questions = await opened
    await questions.getByRole('heading', { name: '常见问题' }).waitFor()
    expect(new URL(questions.url()).pathname).toBe('/problem/problem')
    await questions.close()
    await choose('退出登录')
    await page.getByRole('dialog').getByRole('button', { name: '取消' }).click()
    expect(new URL(page.url()).pathname).toBe('/info/index')
    await choose('退出登录')
    await page.getByRole('dialog').getByRole('button', { name: '确定' }).click()
    await page.waitForURL('**/login')
    expect((await context.cookies()).filter(({ name, value }) => name === 'kaopu-access-token' && value !== '')).toEqual([])
  })

  test('[S2.34][S9.05] switches between Chinese and English and keeps the choice under a name with the product’s prefix', async () => {
    const visitor = await office.enter('admin1')
    const { page } = visitor
    await tool(page, 'EN').click()
    await page.getByRole('navigation', { name: 'Main menu' }).getByText('System', { exact: true }).waitFor()
    expect(await page.evaluate('[document.documentElement.lang, localStorage.getItem("kaopu-lang")]')).toEqual(['en', '"en"'])
    await page.reload()
    await header(page).getByRole('button', { name: 'Lock the screen' }).waitFor()
    await expect.poll(() => page.title()).toBe('Home')
    await expect.poll(() => chineseTexts(page, ['赵管理', '赵'])).toEqual([])
    await header(page).getByRole('button', { name: '中文' }).click()
    await menu(page).getByText('系统管理').waitFor()
    await expect.poll(() => kept(visitor)).toMatchObject({ lang: 'zh' })
  })

  test('[S2.29][S2.40] finds menus by their names, in a panel and in the header', async () => {
    const visitor = await office.enter('admin1')
    const { page } = visitor
    await page.keyboard.press('Control+k')
    const panel = page.getByRole('dialog', { name: '搜索菜单' })
    const found = () => panel.getByRole('option').locator('> span').allInnerTexts()
    await panel.getByRole('combobox').fill('参数')
    await expect.poll(found).toEqual(['参数管理'])
    await panel.getByRole('combobox').fill('数管理')
    await expect.poll(found).toEqual(['参数管理'])
    await panel.getByRole('combobox').fill('没有这个菜单')
    await panel.getByText('没有找到').waitFor()
    await panel.getByRole('combobox').fill('csg')
    // 单 is read dān, chán and shàn.
    await expect.poll(found).toEqual(['参数管理', '菜单管理'])
    await visitor.look('shell-search')
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'hidden' })
    const field = header(page).getByRole('combobox')
    await field.fill('岗位')
    await header(page).getByRole('option').first().waitFor()
    await page.keyboard.press('Escape')
    expect(await field.inputValue()).toBe('')
    await field.fill('KSLB')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/exam/examination')
  })

  test('[S2.39] the top menu has a home item and the server’s items, and switches the side menu', async () => {
    const visitor = await office.enter('admin1')
    const { page } = visitor
    const top = page.getByRole('navigation', { name: '顶部菜单' })
    await expect.poll(() => top.getByRole('listitem').allInnerTexts()).toEqual(['首页', '招聘业务', '缴费财务', '系统管理'])
    const all = await menuNames(page)
    await top.getByRole('button', { name: '系统管理' }).click()
    await expect.poll(() => menuNames(page)).toEqual(['系统管理', '流程管理', '安全审计', '任务调度', '资源管理'])
    await top.getByRole('button', { name: '首页' }).click()
    await expect.poll(() => menuNames(page)).toEqual(all)
    await page.waitForURL('**/wel/index')
  })

  test('[26.12] dictionaries are one entry at the side; each view of them leads to the others', async () => {
    const visitor = await office.enter('admin1')
    const { page } = visitor
    const menu = page.getByRole('navigation', { name: '主菜单' })
    await menu.getByRole('button', { name: '系统管理' }).click()
    expect(await menu.getByRole('link', { name: /字典/ }).allInnerTexts()).toEqual(['字典'])
    await menu.getByRole('link', { name: '字典' }).click()
    await page.waitForURL('**/system/dictbiz')
    const views = page.locator('.tab-page:visible').getByRole('navigation', { name: '字典的视图' })
    await expect.poll(() => views.getByRole('link').allInnerTexts()).toEqual(['业务字典', '系统字典', '字典（左右）', '字典（上下）'])
    await views.getByRole('link', { name: '字典（左右）' }).click()
    // The page writes its kind behind the address as soon as it is there.
    await page.waitForURL(({ pathname }) => pathname === '/dict-horizontal/index')
    await expect.poll(() => views.locator('[aria-current]').allInnerTexts()).toEqual(['字典（左右）'])
    // The entry stays the place where one is.
    expect(await menu.getByRole('link', { name: '字典' }).getAttribute('aria-current')).toBe('true')
    await visitor.look('dict-views')
  })

  test('[S2.42] the notice popover has three tabs with marked samples, and the person’s own news beside them', async () => {
    await office.backdoor.db(db =>
      db.run(sql`insert into notify (tenant_id, user_id, kind, title_zh, title_en, content_zh, content_en, link, event_key)
        select tenant_id, id, 7, '密码即将过期', 'Your password expires', '请在三天内修改', 'Change it within three days', '/info/index', 'shell-test'
        from account where account = 'kaowu1'`),
    )
    const visitor = await office.enter('kaowu1')
    const { page } = visitor
    await tool(page, '通知 (1)').click()
    const panel = page.getByRole('dialog', { name: '通知' })
    await expect.poll(() => panel.getByRole('tab').allInnerTexts()).toEqual(['邮件 (1)', '消息', '通知'])
    expect(await panel.getByRole('region', { name: '示例' }).getByRole('listitem').count()).toBe(2)
    await visitor.look('shell-notices')
    for (const tab of ['消息', '通知']) {
      await panel.getByRole('tab', { name: tab }).click()
      await panel.getByText('没有新内容').waitFor()
      expect(await panel.getByRole('region', { name: '示例' }).getByRole('listitem').count()).toBe(2)
    }
    await panel.getByRole('tab', { name: '邮件' }).click()
    await panel.getByRole('button', { name: /密码即将过期/ }).click()
    await page.waitForURL('**/info/index')
    await tool(page, '通知').and(page.locator('[aria-label="通知"]')).waitFor()
    const { unreadCount } = await visitor.ask('/me/notices')
    expect(unreadCount).toBe(0)
  })

  test('[S2.37][S3.18][S8.10][S8.11][S9.15] counts uncaught errors up to 99, sends them to the server and clears them', async () => {
    const visitor = await office.enter('admin1')
    const { page } = visitor
    const fail = (count: number) =>
      page.evaluate(`for (let n = 0; n < ${count}; n++) setTimeout(() => { throw new Error('planned failure ' + n) })`)
    await fail(1)
    await tool(page, '错误日志 (1)').waitFor()
    await fail(100)
    await tool(page, '错误日志 (99+)').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('planned failure 99', { exact: true }).waitFor()
    await visitor.look('shell-errors')
    await dialog.getByRole('button', { name: '上传到服务器' }).click()
    await page.getByText('发送成功!').waitFor()
    const stored = await office.backdoor.db(db =>
      db.all(sql<{ kind: string; message: string; uri: string }>`
        select kind, message, request_uri as uri from error_log where message = 'planned failure 99'`),
    )
    expect(stored).toEqual([{ kind: 'error', message: 'planned failure 99', uri: '/wel/index' }])
    await dialog.getByText('本浏览器没有记录到错误').waitFor()
    await fail(2)
    await dialog.getByText('planned failure 1', { exact: true }).waitFor()
    await dialog.getByRole('button', { name: '清空' }).click()
    await page.getByText('清空成功!').waitFor()
    await page.keyboard.press('Escape')
    await tool(page, '错误日志').and(page.locator('[aria-label="错误日志"]')).waitFor()
    expect(await page.evaluate('localStorage.getItem("kaopu-errors")')).toBe(null)
    expect(visitor.troubles().filter(trouble => !trouble.includes('planned failure'))).toEqual([])
  })

  test('[S2.38] the flow-chart viewer opens a BPMN file, says what is wrong with others, and keeps the watermark', async () => {
    const visitor = await office.enter('admin1')
    const { page } = visitor
    await tool(page, '流程图查看').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('打开一个 BPMN 2.0 流程图文件查看').waitFor()
    await dialog.locator('input[type=file]').setInputFiles(fileOf('broken.bpmn', '<not-bpmn/>'))
    await dialog.getByText('这个文件不是可以显示的 BPMN 流程图').waitFor()
    await dialog.locator('input[type=file]').setInputFiles(fileOf('leave.bpmn', bpmn))
    await dialog.getByText('部门审批', { exact: true }).first().waitFor()
    await dialog.locator('summary', { hasText: '节点清单（3）' }).click()
    expect(await dialog.locator('.flow-steps li').allInnerTexts()).toEqual(['开始', '部门审批', '结束'])
    const mark = dialog.locator('.bjs-powered-by')
    const box = await mark.boundingBox()
    const onTop = await page.evaluate(`(() => {
      const mark = document.querySelector('.bjs-powered-by').getBoundingClientRect()
      return document.elementFromPoint(mark.x + mark.width / 2, mark.y + mark.height / 2)?.closest('.bjs-powered-by') !== null
    })()`)
    expect([(box?.width ?? 0) > 20, onTop]).toEqual([true, true])
    await visitor.look('shell-flow')
  })
})

test('[S2.38] the viewer costs at most 60 KB and nothing before it is opened', () => {
  const dist = join(import.meta.dirname, '..', 'web', 'dist')
  const manifest = JSON.parse(readFileSync(join(dist, '.vite', 'manifest.json'), 'utf8')) as Record<
    string,
    { file: string; css?: string[] }
  >
  const canvas = manifest['src/shell/flow/canvas.tsx']
  const bytes = [canvas?.file ?? '', ...(canvas?.css ?? [])].map(file => readFileSync(join(dist, `${file}.gz`)).length)
  expect(bytes.reduce((sum, size) => sum + size, 0) / 1024).toBeLessThanOrEqual(60)
})
