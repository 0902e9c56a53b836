import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFailed, test } from 'vitest'
import type { parts } from '../web/src/features/kit/parts.ts'
import { checkAccess } from './support/axe.ts'
import { comeIn, launchBrowser, type Visitor, visit } from './support/browser.ts'
import { openBackdoor } from './support/people.ts'
import { sharedServer } from './support/shared-server.ts'

let server: Awaited<ReturnType<typeof sharedServer>>
let browser: Browser
let admin: Visitor
let page: Page

beforeAll(async () => {
  server = await sharedServer()
  const backdoor = await openBackdoor(server.dataDir)
  await backdoor.addStaff([
    { account: 'guanli', realName: '周管理', roles: ['admin'] },
    { account: 'chushen', realName: '郑初审', roles: ['reviewer1'] },
  ])
  await backdoor.close()
  browser = await launchBrowser()
  admin = await visit(browser, server.url, { name: '周管理', screen: 'desktop' })
  page = admin.page
  await comeIn(admin, 'guanli')
})
afterAll(async () => {
  await browser?.close()
})
afterEach(() => {
  onTestFailed(async () => console.log(await admin.fail()))
  expect(admin.troubles()).toEqual([])
})

const open = async (part: keyof typeof parts, more = ''): Promise<void> => {
  await admin.open(`/test/index?kit.part=${part}${more}`)
  await page.locator('.kit-page h1').waitFor()
}
const table = (name: string) => page.locator(`[data-table="${name}"]`)
const names = (name: string) => table(name).locator('tbody tr[data-row] td:nth-child(2)').allInnerTexts()
/** What the keyboard is on. */
const focused = () => page.evaluate<string>("document.activeElement.textContent || document.activeElement.getAttribute('aria-label') || ''")
const isFocused = (one: Locator): Promise<boolean> =>
  one.evaluate(element => element === (globalThis as unknown as { document: { activeElement: unknown } }).document.activeElement)
const address = () => new URL(page.url()).searchParams

/** A picture with a grain, as a photograph has it, so that it is large and can be made smaller. */
const picture = async (width: number, height: number): Promise<Buffer> => {
  const base64 = await page.evaluate<string>(`(() => {
    const canvas = Object.assign(document.createElement('canvas'), { width: ${width}, height: ${height} })
    const draw = canvas.getContext('2d')
    const cells = draw.createImageData(${width}, ${height})
    for (let at = 0; at < cells.data.length; at += 1) cells.data[at] = at % 4 === 3 ? 255 : 96 + (Math.imul(at, 2654435761) >>> 27)
    draw.putImageData(cells, 0, 0)
    return canvas.toDataURL('image/jpeg', 0.95).split(',')[1]
  })()`)
  return Buffer.from(base64, 'base64')
}

describe('the kit', () => {
  test('[S2.09] /test/index is in the menu of administrators and nobody else’s', async () => {
    await admin.open('/')
    await page.locator('nav .menu').waitFor()
    await page.locator('.menu').getByRole('button', { name: '系统管理' }).click()
    await page.locator('.menu a[href="/test/index"]').waitFor()
    const other = await visit(browser, server.url, { name: '郑初审', screen: 'desktop' })
    await comeIn(other, 'chushen')
    await other.open('/test/index')
    await other.page.getByText('没有访问权限').waitFor()
    await other.context.close()
  })

  test('[S9.03] a list begins with 10 rows and offers 10, 30, 50, 100 and 200; its state stands in the address', async () => {
    await open('list')
    await table('kit-people').locator('tbody tr[data-row]').first().waitFor()
    expect(await names('kit-people')).toHaveLength(10)
    const size = table('kit-people').getByLabel('每页条数')
    expect(await size.locator('option').allInnerTexts()).toEqual(['10 条/页', '30 条/页', '50 条/页', '100 条/页', '200 条/页'])
    await size.selectOption('50')
    await expect.poll(() => table('kit-people').locator('tbody tr[data-row]').count()).toBe(50)
    await table('kit-people').getByRole('button', { name: '第 2 页' }).click()
    await expect.poll(() => address().get('current')).toBe('2')
    await table('kit-people').getByRole('button', { name: '成绩' }).click()
    await expect.poll(() => Object.fromEntries(address())).toEqual({ 'kit.part': 'list', size: '50', sort: 'score' })
    const before = await names('kit-people')
    await page.reload()
    await expect.poll(() => names('kit-people')).toEqual(before)
  })

  test('conditions: three in view, the others behind "more"; Enter searches, clearing shows everything', async () => {
    await open('list')
    const form = page.getByRole('search').locator('form')
    await form.getByLabel('姓名').waitFor()
    expect(await form.locator('.search-field').count()).toBe(3)
    await form.getByRole('button', { name: '展开' }).press('Enter')
    expect(await form.locator('.search-field').count()).toBe(5)
    await form.getByLabel('证件号').fill('1003')
    await form.getByLabel('证件号').press('Enter')
    await expect.poll(() => table('kit-people').locator('tbody tr[data-row]').count()).toBe(1)
    expect(address().get('idCard')).toBe('1003')
    await form.getByRole('button', { name: '清空' }).press('Enter')
    await expect.poll(() => table('kit-people').locator('tbody tr[data-row]').count()).toBe(10)
  })

  test('a printed list has every column between the edges of the sheet, its conditions and nothing to press, in dark ink from a dark screen too', async () => {
    const usual = page.viewportSize()
    await page.evaluate(`localStorage.setItem('kaopu-mode', '"dark"')`)
    await open('list', '&name=王')
    await page.locator('html[data-theme=dark]').waitFor()
    await table('kit-people').locator('tbody tr[data-row]').first().waitFor()
    try {
      // What is left of a sheet of A4 that lies on its side.
      await page.setViewportSize({ width: 1032, height: 702 })
      await page.emulateMedia({ media: 'print' })
      const outside = await table('kit-people').evaluate(list => {
        const edge = list.getBoundingClientRect().right
        return [...list.querySelectorAll('th, td')].filter(cell => cell.getBoundingClientRect().right > edge + 1).length
      })
      expect(outside).toBe(0)
      expect(await page.locator('.search-field:visible label').allInnerTexts()).toEqual(['姓名'])
      const pressable = '.header, nav.tag-tabs, .sider, .table-tools, .cell-actions, .cell-check, .pager select, .button'
      expect(await page.locator(pressable).filter({ visible: true }).count()).toBe(0)
      const heads = table('kit-people').locator('thead')
      expect(
        await heads.evaluate(head => {
          const of = head.ownerDocument.defaultView
          const first = head.querySelector('th:not(.cell-check)')
          return [of?.getComputedStyle(head).display, first && of?.getComputedStyle(first, '::before').content]
        }),
      ).toEqual(['table-header-group', `"${await table('kit-people').getAttribute('aria-label')}"`])
      const cell = table('kit-people').locator('tbody tr[data-row] td:nth-child(2)').first()
      expect(await cell.evaluate(it => it.ownerDocument.defaultView?.getComputedStyle(it).color)).toBe('rgb(31, 39, 51)')
    } finally {
      await page.emulateMedia({ media: null })
      if (usual !== null) await page.setViewportSize(usual)
      await page.evaluate(`localStorage.removeItem('kaopu-mode')`)
    }
  })

  test('printing a list prints every row of its search, not those of the page, by its button and by the keys; then the page is as it was', async () => {
    const rows = table('kit-people').locator('tbody tr[data-row]')
    /** What stands in the page when the browser is told to print. */
    const watch = () =>
      page.evaluate(`window.print = () => {
        window.printed = [
          document.querySelectorAll('[data-table="kit-people"] tbody tr[data-row]').length,
          document.querySelectorAll('.ant-modal-wrap').length,
          document.querySelector('[data-table="kit-people"] .pager > span').textContent,
        ]
        dispatchEvent(new Event('afterprint'))
      }`)
    const printed = () => page.evaluate('window.printed')
    await open('list')
    await rows.first().waitFor()
    await watch()
    await table('kit-people').getByRole('button', { name: '打印全部结果' }).click()
    await expect.poll(printed).toEqual([137, 0, '共 137 条'])
    await expect.poll(() => rows.count()).toBe(10)
    await open('list', '&post=检验技师&current=2')
    await expect.poll(() => table('kit-people').locator('.pager > span').first().innerText()).toBe('共 68 条')
    await watch()
    await page.keyboard.press('Control+p')
    await expect.poll(printed).toEqual([68, 0, '共 68 条'])
    await expect.poll(() => rows.count()).toBe(10)
    expect(address().get('current')).toBe('2')
  })

  test('[S5.13] selection goes over pages, and a deletion asks by names and count', async () => {
    await open('list')
    const rows = table('kit-people')
    await rows.locator('tbody tr[data-row]').first().waitFor()
    const remove = page.getByRole('button', { name: '批量删除' })
    expect([await remove.getAttribute('aria-disabled'), await remove.getAttribute('title')]).toEqual(['true', '请先勾选至少一行'])
    await remove.press('Enter')
    await page.getByRole('status').filter({ hasText: '请选择至少一条数据' }).waitFor()
    await rows.locator('tbody input[type=checkbox]').nth(0).press('Space')
    await rows.locator('tbody input[type=checkbox]').nth(1).press('Space')
    await rows.getByRole('button', { name: '第 2 页' }).click()
    await expect.poll(() => address().get('current')).toBe('2')
    await rows.getByLabel('选择本页全部').check()
    await rows.getByText('已选 12 项').waitFor()
    expect(await remove.getAttribute('aria-disabled')).toBeNull()
    await remove.click()
    const asked = page.getByRole('dialog', { name: '删除' })
    expect(await asked.innerText()).toMatch(/赵晓雨、王思远、.+ 等 12 条/)
    await asked.getByRole('button', { name: '删除' }).click()
    await page.getByRole('status').filter({ hasText: '删除成功' }).waitFor() // [S8.09]
    await rows.getByText('已选 12 项').waitFor({ state: 'detached' })
  })

  test('a row’s third and further actions stand in one menu that arrow keys walk and Escape leaves', async () => {
    await open('list')
    const row = table('kit-people').locator('tbody tr[data-row]').first()
    await row.waitFor()
    expect(await row.locator('.cell-actions button').allInnerTexts()).toEqual(['查看', '编辑', '更多'])
    const more = row.getByRole('button', { name: '赵晓雨 的更多操作' })
    await more.press('Enter')
    const menu = page.getByRole('menu', { name: '赵晓雨 的更多操作' })
    await expect.poll(() => menu.getByRole('menuitem').allInnerTexts()).toEqual(['通过', '复制', '删除'])
    await expect.poll(focused).toBe('通过')
    await page.keyboard.press('ArrowUp')
    await expect.poll(focused).toBe('删除')
    await page.keyboard.press('Escape')
    await menu.waitFor({ state: 'detached' })
    expect(await isFocused(more)).toBe(true)
    await more.press('Enter')
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    const asked = page.getByRole('dialog', { name: '删除' })
    await asked.getByText('赵晓雨').waitFor()
    await asked.getByRole('button', { name: '取消' }).press('Enter')
    await asked.waitFor({ state: 'detached' })
    expect(await isFocused(more)).toBe(true)
  })

  test('a list that is too wide for its window folds its actions into the row’s menu, and unfolds where there is room', async () => {
    await open('list')
    const list = table('kit-people')
    const row = list.locator('tbody tr[data-row]').first()
    const beside = () => row.locator('.cell-actions').getByRole('button').allInnerTexts()
    const inMenu = async () => {
      await row.getByRole('button', { name: '赵晓雨 的更多操作' }).click()
      const items = await page.getByRole('menu').getByRole('menuitem').allInnerTexts()
      await page.keyboard.press('Escape')
      return items
    }
    await expect.poll(beside).toEqual(['查看', '编辑', '更多'])
    await page.setViewportSize({ width: 1200, height: 900 })
    await expect.poll(beside).toEqual(['查看', '更多'])
    expect(await inMenu()).toEqual(['编辑', '通过', '复制', '删除'])
    await expect.poll(() => list.locator('.table-scroll').getAttribute('data-more')).toBe('false')
    await page.setViewportSize({ width: 390, height: 844 })
    await expect.poll(beside).toEqual(['更多'])
    expect(await inMenu()).toEqual(['查看', '编辑', '通过', '复制', '删除'])
    const more = await row.getByRole('button', { name: '赵晓雨 的更多操作' }).boundingBox()
    expect((more?.x ?? 999) + (more?.width ?? 0)).toBeLessThanOrEqual(390)
    // Alone in its cell it begins where the head does.
    const margin = await page.evaluate(`getComputedStyle(document.querySelector('tr[data-row] td.cell-actions [data-more]')).marginLeft`)
    expect(margin).toBe('0px')
    await page.setViewportSize({ width: 1440, height: 900 })
    await expect.poll(beside).toEqual(['查看', '编辑', '更多'])
    // Too wide from its beginning.
    await page.setViewportSize({ width: 1200, height: 900 })
    await page.reload()
    await expect.poll(beside).toEqual(['查看', '更多'])
    await page.setViewportSize({ width: 1440, height: 900 })
    // What the browser notes about sizes that change while it tells of them is no error of the program, which people would see counted.
    expect(await page.evaluate(() => localStorage.getItem('kaopu-errors'))).toBeNull()
  })

  test('columns, row height and full screen are chosen by keyboard; the columns are kept for the person', async () => {
    await open('list')
    const rows = table('kit-people')
    const heads = () => rows.locator('thead th').allInnerTexts()
    await expect.poll(heads).toEqual(['', '姓名', '证件号', '报考岗位', '状态', '成绩', '应缴（元）', '提交时间', '操作'])
    await rows.getByRole('button', { name: '列设置' }).press('Enter')
    const chooser = page.getByRole('dialog', { name: '列设置' })
    await chooser.getByRole('checkbox', { name: '备注' }).press('Space')
    await chooser.getByRole('button', { name: '将证件号前移' }).press('Enter')
    await page.keyboard.press('Escape')
    const chosen = ['', '证件号', '姓名', '报考岗位', '状态', '成绩', '应缴（元）', '提交时间', '备注', '操作']
    expect(await heads()).toEqual(chosen)
    await page.reload()
    await expect.poll(heads).toEqual(chosen)
    await rows.getByRole('button', { name: '列设置' }).click()
    await chooser.getByRole('button', { name: '恢复默认' }).click()
    await page.keyboard.press('Escape')

    await rows.getByRole('button', { name: '行高' }).press('Enter')
    await page.getByRole('menuitemradio', { name: '宽松' }).press('Enter')
    await expect.poll(async () => (await rows.locator('tbody tr').first().boundingBox())?.height).toBeGreaterThanOrEqual(52)
    await rows.getByRole('button', { name: '行高' }).press('Enter')
    await page.getByRole('menuitemradio', { name: '紧凑' }).press('Enter')

    await rows.getByRole('button', { name: '全屏' }).press('Enter')
    await expect.poll(() => rows.boundingBox()).toMatchObject({ x: 0, y: 0, width: 1440, height: 900 })
    expect(await page.locator('.menu').isVisible()).toBe(false)
    await page.keyboard.press('Escape')
    await expect.poll(() => page.locator('.menu').isVisible()).toBe(true)
  })

  test('a masked value is shown whole to who may ask, and hidden again', async () => {
    await open('list')
    const cell = table('kit-people').locator('tbody tr[data-row]').first().locator('td').nth(2)
    await cell.getByText('330106********1000').waitFor()
    await cell.getByRole('button', { name: '查看赵晓雨的完整证件号' }).press('Enter')
    await cell.getByText('330106198001011000').waitFor()
    await cell.getByRole('button', { name: '隐藏赵晓雨的证件号' }).press('Enter')
    await cell.getByText('330106********1000').waitFor()
  })

  test('of a thousand rows at once only those in view are drawn, and every one can be reached', async () => {
    await open('table', '&kit.state=long')
    const rows = table('kit-table-long')
    await rows.locator('tbody tr[data-row]').first().waitFor()
    expect(await rows.locator('tbody tr[data-row]').count()).toBeLessThan(100)
    expect(await rows.locator('table').getAttribute('aria-rowcount')).toBe('1001')
    await rows.locator('.table-scroll').press('End')
    await rows.locator('tr[data-row="9000999"]').waitFor()
    expect(await rows.locator('tr[data-row="9000999"]').getAttribute('aria-rowindex')).toBe('1001')
  })

  test('a tree is opened and walked by arrow keys, and its children come when they are asked for', async () => {
    await open('tree')
    const tree = table('kit-tree').getByRole('treegrid')
    const first = tree.getByRole('row', { name: /区人民医院/ }).first()
    await first.waitFor()
    expect(await tree.locator('tbody tr').count()).toBe(3)
    await first.focus()
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => tree.locator('tbody tr').count()).toBe(6)
    expect(await first.getAttribute('aria-expanded')).toBe('true')
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => page.evaluate<string>("document.activeElement.getAttribute('aria-level')")).toBe('2')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    await expect.poll(() => tree.locator('tbody tr').count()).toBe(3)
    await page.keyboard.press('End')
    await expect.poll(focused).toContain('疾控中心')
  })

  test('[S2.10] of two lists the second belongs to the chosen row of the first; the divider moves by arrow keys', async () => {
    for (const part of ['side', 'stack'] as const) {
      await open(part)
      await page.getByText('在上一个列表中选择一个单位，这里显示其人员').waitFor()
      await table('kit-units').getByRole('button', { name: '区中医院' }).press('Enter')
      await page.getByRole('heading', { name: '区中医院的人员' }).waitFor()
      await expect.poll(() => table('kit-people-of').locator('tbody tr[data-row]').count()).toBe(10)
      await table('kit-people-of').getByRole('button', { name: '第 2 页' }).click()
      await expect.poll(() => address().get('detail.current')).toBe('2')
      await table('kit-units').getByRole('button', { name: '疾控中心' }).click()
      await page.getByRole('heading', { name: '疾控中心的人员' }).waitFor()
      expect([address().get('detail.of'), address().get('detail.current')]).toEqual(['3', null])
      const divider = page.getByRole('separator', { name: '调整两栏大小' })
      const share = Number(await divider.getAttribute('aria-valuenow'))
      await divider.press(part === 'side' ? 'ArrowRight' : 'ArrowDown')
      await expect.poll(async () => Number(await divider.getAttribute('aria-valuenow'))).toBe(Math.min(75, share + 5))
    }
  })

  test('[S5.01] a form says what is missing, goes to the first problem, keeps what was typed and shows what the server says', async () => {
    await open('dialog')
    const button = page.locator('[data-dialog=one]')
    await button.press('Enter')
    const form = page.getByRole('dialog', { name: '单列表单' })
    await expect.poll(() => isFocused(form.getByLabel('名称'))).toBe(true)
    await form.getByRole('button', { name: '保存' }).press('Enter')
    await form.locator('.ant-form-item-explain-error', { hasText: '请选择性别' }).waitFor()
    await expect.poll(() => isFocused(form.getByLabel('名称'))).toBe(true)
    await form.getByLabel('名称').fill('占用')
    await form.getByLabel('性别').press('Enter')
    await page.locator('.ant-select-dropdown').getByText('男', { exact: true }).click()
    await form.getByLabel('出生日期').fill('1996-05-05')
    await page.keyboard.press('Enter')
    await form.getByLabel('招聘人数').fill('3')
    await form.getByRole('button', { name: '保存' }).click()
    await form.getByText('该名称已被使用（示例）').waitFor()
    expect(await form.getByLabel('招聘人数').inputValue()).toBe('3')

    await page.keyboard.press('Escape')
    const asked = page.getByRole('dialog', { name: '离开' })
    await asked.getByText('修改尚未保存，确定要离开吗？').waitFor()
    await asked.getByRole('button', { name: '继续编辑' }).press('Enter')
    await asked.waitFor({ state: 'detached' })
    expect(await form.getByLabel('招聘人数').inputValue()).toBe('3')
    await form.getByLabel('名称').fill('可用')
    await form.getByRole('button', { name: '保存' }).click()
    await page.getByRole('status').filter({ hasText: '新增成功' }).waitFor()
    await form.waitFor({ state: 'detached' })
    expect(await isFocused(button)).toBe(true)
  })

  test('[S9.17] widths: a prompt has a fifth of the screen, forms 520, 760 and 960, more than twelve fields or tabs a drawer', async () => {
    await open('dialog')
    const wide: Readonly<Record<string, number>> = { prompt: 320, one: 520, two: 760, three: 960, drawer: 860, tabs: 860 }
    for (const [kind, width] of Object.entries(wide)) {
      await page.locator(`[data-dialog=${kind}]`).click()
      const box = page.locator('.ant-modal, .ant-drawer-content-wrapper')
      await expect.poll(async () => Math.round((await box.boundingBox())?.width ?? 0)).toBe(width)
      expect(await checkAccess(page), kind).toEqual([])
      // Messages stand at the left end of the foot then: neither over the drawer's title nor over its buttons.
      if (kind === 'drawer') {
        const place = () => page.locator('.toaster').evaluate(it => [it.getBoundingClientRect().left, it.getBoundingClientRect().bottom])
        expect(await place()).toEqual([16, 900 - 80])
        await page.setViewportSize({ width: 390, height: 844 })
        expect(await place()).toEqual([16, 844 - 80])
        await page.setViewportSize({ width: 1440, height: 900 })
      }
      await page.keyboard.press('Escape')
      await box.waitFor({ state: 'detached' })
    }
    await page.setViewportSize({ width: 2000, height: 900 })
    await page.locator('[data-dialog=prompt]').click()
    await expect.poll(async () => Math.round((await page.locator('.ant-modal').boundingBox())?.width ?? 0)).toBe(400)
    await page.keyboard.press('Escape')
    await page.setViewportSize({ width: 390, height: 844 })
    await page.locator('[data-dialog=one]').click()
    await expect.poll(async () => Math.round((await page.locator('.ant-modal').boundingBox())?.width ?? 0)).toBe(390)
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  test('in a form with tabs the problem of another tab is brought into view', async () => {
    await open('dialog')
    await page.locator('[data-dialog=tabs]').click()
    const form = page.getByRole('dialog', { name: '带页签的抽屉' })
    await form.getByRole('tab', { name: '报名与考点' }).click()
    await form.getByRole('button', { name: '保存' }).click()
    await form.getByText('请输入名称', { exact: true }).waitFor()
    expect(await form.getByRole('tab', { name: '基本信息' }).getAttribute('aria-selected')).toBe('true')
    await page.keyboard.press('Escape')
  })

  test('a wrong cell of an import is mended in its row; a masked one shows its mask beside the box', async () => {
    await open('import', '&kit.state=wrong')
    const first = page.getByLabel('第 4 行 招聘人数 的正确内容')
    expect(await first.inputValue()).toBe('若干')
    await first.fill('3')
    expect(await first.getAttribute('data-changed')).toBe('true')
    expect(await page.getByLabel('第 9 行 证件号 的正确内容').inputValue()).toBe('')
    await page.getByText('3301**********0028').waitFor()
  })

  test('a file goes up with its progress, a failed one goes again under the same key, a large picture is made smaller', async () => {
    await open('upload')
    const keys: (string | null)[] = []
    let refused = 0
    await page.route('**/api/file/upload', async route => {
      keys.push(await route.request().headerValue('Idempotency-Key'))
      refused += 1
      if (refused <= 1) await route.abort('connectionreset')
      else await route.continue()
    })
    const bytes = await picture(3_000, 2_000)
    expect(bytes.length).toBeGreaterThan(500 * 1024)
    await page.locator('input[type=file]').first().setInputFiles({ name: '毕业证.jpg', mimeType: 'image/jpeg', buffer: bytes })
    const stored = page.getByRole('list', { name: '文件' }).getByRole('link', { name: '毕业证.jpg' })
    await stored.waitFor()
    expect(keys).toHaveLength(2)
    expect(new Set(keys).size).toBe(1)
    const size = await page.locator('.upload-stored small').innerText()
    expect(Number.parseInt(size, 10)).toBeLessThanOrEqual(500)
    await page.unroute('**/api/file/upload')
    admin.troubles() // The connection that this test cut.
  })

  test('a picture is cropped by keyboard', async () => {
    await open('upload')
    await page
      .locator('input[type=file]')
      .nth(1)
      .setInputFiles({ name: '我.png', mimeType: 'image/png', buffer: await picture(400, 300) })
    const crop = page.getByRole('dialog', { name: '裁剪头像' })
    await crop.getByRole('button', { name: '使用' }).waitFor()
    await crop.getByLabel('缩放').press('ArrowRight')
    await crop.getByRole('button', { name: '旋转' }).press('Enter')
    await crop.getByRole('button', { name: '使用' }).click()
    const result = page.getByRole('img', { name: '裁剪结果' })
    await result.waitFor()
    await expect.poll(async () => (await result.boundingBox())?.width).toBe(96)
    const pixels = await result.evaluate(image => {
      const { naturalWidth, naturalHeight } = image as unknown as { naturalWidth: number; naturalHeight: number }
      return [naturalWidth, naturalHeight]
    })
    expect(pixels).toEqual([256, 256])
  })

  test('an export is saved under the server’s name, and my exports open beside it', async () => {
    await open('export')
    const [file] = await Promise.all([page.waitForEvent('download'), page.locator('.export-buttons button').first().click()])
    expect(file.suggestedFilename()).toMatch(/\.xlsx$/)
    await page.getByRole('button', { name: '我的导出' }).click()
    const mine = page.getByRole('dialog', { name: '我的导出' })
    await mine.getByText('还没有导出过数据较多的文件').waitFor()
    await page.keyboard.press('Escape')
    await mine.waitFor({ state: 'detached' })
  })

  test('[S9.19] AES encrypts and decrypts under a key that is typed, DES is read; a key or text that is none is called that', async () => {
    await open('cipher')
    const part = (name: string) => page.getByRole('region', { name, exact: true })
    const fill = async (name: string, text: string, key: string) => {
      await part(name).getByLabel('明文，或 Base64 密文').fill(text)
      await part(name).getByLabel(/^密钥/).fill(key)
    }
    const press = (name: string, way: string) => part(name).getByRole('button', { name: way }).click()
    const shown = (name: string, text: string) => part(name).getByRole('status').getByText(text, { exact: true }).waitFor()
    await fill('AES', '报名序号 26110001', '0123456789abcdef')
    await press('AES', '加密')
    await shown('AES', '结果：yVHTgFFc0ZTZ4PxZBYHHcsNtv/dRJuXYKpw4kdnKNPE=')
    await fill('AES', 'yVHTgFFc0ZTZ4PxZBYHHcsNtv/dRJuXYKpw4kdnKNPE=', '0123456789abcdef')
    await press('AES', '解密')
    await shown('AES', '结果：报名序号 26110001')
    await fill('AES', 'yVHTgFFc0ZTZ4PxZBYHHcsNtv/dRJuXYKpw4kdnKNPE=', 'fedcba9876543210')
    await press('AES', '解密')
    await part('AES').getByText('这段文字不是用这个密钥加密的，或者已被改动').waitFor()
    await fill('AES', '报名', '短')
    await press('AES', '加密')
    await part('AES').locator('.field-error', { hasText: '密钥，16、24 或 32 个字节' }).waitFor()
    await fill('DES', '0fauY0mvayc=', 'jMVCBsFG')
    await press('DES', '解密')
    await shown('DES', '结果：考谱')
    await fill('DES', 'AAAA', 'jMVCBsFG')
    await press('DES', '解密')
    await part('DES').getByText('这段文字不是用这个密钥加密的，或者已被改动').waitFor()
  })
})
