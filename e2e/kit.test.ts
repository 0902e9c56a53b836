import { describe, expect, test } from 'vitest'
import { comeIn } from './support/browser.ts'
import { isFocused, openKit } from './support/kit.ts'

const kit = openKit()
const { open, table, address, picture } = kit
const names = (name: string) => table(name).locator('tbody tr[data-row] td:nth-child(2)').allInnerTexts()

describe('the kit', () => {
  test('[S2.09] /test/index is in the menu of administrators and nobody else’s', async () => {
    await kit.admin.open('/')
    await kit.page.locator('nav .menu').waitFor()
    await kit.page.locator('.menu').getByRole('button', { name: '系统管理' }).click()
    await kit.page.locator('.menu a[href="/test/index"]').waitFor()
    const other = await kit.visit({ name: '郑初审', screen: 'desktop' })
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
    await kit.page.reload()
    await expect.poll(() => names('kit-people')).toEqual(before)
  })

  test('conditions: three in view, the others behind "more"; Enter searches, clearing shows everything', async () => {
    await open('list')
    const form = kit.page.getByRole('search').locator('form')
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
    const usual = kit.page.viewportSize()
    await kit.page.evaluate(`localStorage.setItem('kaopu-mode', '"dark"')`)
    await open('list', '&name=王')
    await kit.page.locator('html[data-theme=dark]').waitFor()
    await table('kit-people').locator('tbody tr[data-row]').first().waitFor()
    try {
      // What is left of a sheet of A4 that lies on its side.
      await kit.page.setViewportSize({ width: 1032, height: 702 })
      await kit.page.emulateMedia({ media: 'print' })
      const outside = await table('kit-people').evaluate(list => {
        const edge = list.getBoundingClientRect().right
        return [...list.querySelectorAll('th, td')].filter(cell => cell.getBoundingClientRect().right > edge + 1).length
      })
      expect(outside).toBe(0)
      expect(await kit.page.locator('.search-field:visible label').allInnerTexts()).toEqual(['姓名'])
      const pressable = '.header, nav.tag-tabs, .sider, .table-tools, .cell-actions, .cell-check, .pager select, .button'
      expect(await kit.page.locator(pressable).filter({ visible: true }).count()).toBe(0)
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
      await kit.page.emulateMedia({ media: null })
      if (usual !== null) await kit.page.setViewportSize(usual)
      await kit.page.evaluate(`localStorage.removeItem('kaopu-mode')`)
    }
  })

  test('printing a list prints every row of its search, not those of the page, by its button and by the keys; then the page is as it was', async () => {
    const rows = table('kit-people').locator('tbody tr[data-row]')
    /** What stands in the page when the browser is told to print. */
    const watch = () =>
      kit.page.evaluate(`window.print = () => {
        window.printed = [
          document.querySelectorAll('[data-table="kit-people"] tbody tr[data-row]').length,
          document.querySelectorAll('.ant-modal-wrap').length,
          document.querySelector('[data-table="kit-people"] .pager > span').textContent,
        ]
        dispatchEvent(new Event('afterprint'))
      }`)
    const printed = () => kit.page.evaluate('window.printed')
    await open('list')
    await rows.first().waitFor()
    await watch()
    await table('kit-people').getByRole('button', { name: '打印全部结果' }).click()
    await expect.poll(printed).toEqual([137, 0, '共 137 条'])
    await expect.poll(() => rows.count()).toBe(10)
    await open('list', '&post=检验技师&current=2')
    await expect.poll(() => table('kit-people').locator('.pager > span').first().innerText()).toBe('共 68 条')
    await watch()
    await kit.page.keyboard.press('Control+p')
    await expect.poll(printed).toEqual([68, 0, '共 68 条'])
    await expect.poll(() => rows.count()).toBe(10)
    expect(address().get('current')).toBe('2')
  })

  test('[S5.13] selection goes over pages, and a deletion asks by names and count', async () => {
    await open('list')
    const rows = table('kit-people')
    await rows.locator('tbody tr[data-row]').first().waitFor()
    const remove = kit.page.getByRole('button', { name: '批量删除' })
    expect([await remove.getAttribute('aria-disabled'), await remove.getAttribute('title')]).toEqual(['true', '请先勾选至少一行'])
    await remove.press('Enter')
    await kit.page.getByRole('status').filter({ hasText: '请选择至少一条数据' }).waitFor()
    await rows.locator('tbody input[type=checkbox]').nth(0).press('Space')
    await rows.locator('tbody input[type=checkbox]').nth(1).press('Space')
    await rows.getByRole('button', { name: '第 2 页' }).click()
    await expect.poll(() => address().get('current')).toBe('2')
    await rows.getByLabel('选择本页全部').check()
    await rows.getByText('已选 12 项').waitFor()
    expect(await remove.getAttribute('aria-disabled')).toBeNull()
    await remove.click()
    const asked = kit.page.getByRole('dialog', { name: '删除' })
    expect(await asked.innerText()).toMatch(/赵晓雨、王思远、.+ 等 12 条/)
    await asked.getByRole('button', { name: '删除' }).click()
    await kit.page.getByRole('status').filter({ hasText: '删除成功' }).waitFor() // [S8.09]
    await rows.getByText('已选 12 项').waitFor({ state: 'detached' })
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

  test('[S5.01] a form says what is missing, goes to the first problem, keeps what was typed and shows what the server says', async () => {
    await open('dialog')
    const button = kit.page.locator('[data-dialog=one]')
    await button.press('Enter')
    const form = kit.page.getByRole('dialog', { name: '单列表单' })
    await expect.poll(() => isFocused(form.getByLabel('名称'))).toBe(true)
    await form.getByRole('button', { name: '保存' }).press('Enter')
    await form.locator('.ant-form-item-explain-error', { hasText: '请选择性别' }).waitFor()
    await expect.poll(() => isFocused(form.getByLabel('名称'))).toBe(true)
    await form.getByLabel('名称').fill('占用')
    await form.getByLabel('性别').press('Enter')
    await kit.page.locator('.ant-select-dropdown').getByText('男', { exact: true }).click()
    await form.getByLabel('出生日期').fill('1996-05-05')
    await kit.page.keyboard.press('Enter')
    await form.getByLabel('招聘人数').fill('3')
    await form.getByRole('button', { name: '保存' }).click()
    await form.getByText('该名称已被使用（示例）').waitFor()
    expect(await form.getByLabel('招聘人数').inputValue()).toBe('3')

    await kit.page.keyboard.press('Escape')
    const asked = kit.page.getByRole('dialog', { name: '离开' })
    await asked.getByText('修改尚未保存，确定要离开吗？').waitFor()
    await asked.getByRole('button', { name: '继续编辑' }).press('Enter')
    await asked.waitFor({ state: 'detached' })
    expect(await form.getByLabel('招聘人数').inputValue()).toBe('3')
    await form.getByLabel('名称').fill('可用')
    await form.getByRole('button', { name: '保存' }).click()
    await kit.page.getByRole('status').filter({ hasText: '新增成功' }).waitFor()
    await form.waitFor({ state: 'detached' })
    expect(await isFocused(button)).toBe(true)
  })

  test('a wrong cell of an import is mended in its row; a masked one shows its mask beside the box', async () => {
    await open('import', '&kit.state=wrong')
    const first = kit.page.getByLabel('第 4 行 招聘人数 的正确内容')
    expect(await first.inputValue()).toBe('若干')
    await first.fill('3')
    expect(await first.getAttribute('data-changed')).toBe('true')
    expect(await kit.page.getByLabel('第 9 行 证件号 的正确内容').inputValue()).toBe('')
    await kit.page.getByText('3301**********0028').waitFor()
  })

  test('a file goes up with its progress, a failed one goes again under the same key, a large picture is made smaller', async () => {
    await open('upload')
    const keys: (string | null)[] = []
    let refused = 0
    await kit.page.route('**/api/file/upload', async route => {
      keys.push(await route.request().headerValue('Idempotency-Key'))
      refused += 1
      if (refused <= 1) await route.abort('connectionreset')
      else await route.continue()
    })
    const bytes = await picture(3_000, 2_000)
    expect(bytes.length).toBeGreaterThan(500 * 1024)
    await kit.page.locator('input[type=file]').first().setInputFiles({ name: '毕业证.jpg', mimeType: 'image/jpeg', buffer: bytes })
    const stored = kit.page.getByRole('list', { name: '文件' }).getByRole('link', { name: '毕业证.jpg' })
    await stored.waitFor()
    expect(keys).toHaveLength(2)
    expect(new Set(keys).size).toBe(1)
    const size = await kit.page.locator('.upload-stored small').innerText()
    expect(Number.parseInt(size, 10)).toBeLessThanOrEqual(500)
    await kit.page.unroute('**/api/file/upload')
    kit.admin.troubles() // The connection that this test cut.
  })

  test('an export is saved under the server’s name, and my exports open beside it', async () => {
    await open('export')
    const [file] = await Promise.all([kit.page.waitForEvent('download'), kit.page.locator('.export-buttons button').first().click()])
    expect(file.suggestedFilename()).toMatch(/\.xlsx$/)
    await kit.page.getByRole('button', { name: '我的导出' }).click()
    const mine = kit.page.getByRole('dialog', { name: '我的导出' })
    await mine.getByText('还没有导出过数据较多的文件').waitFor()
    await kit.page.keyboard.press('Escape')
    await mine.waitFor({ state: 'detached' })
  })
})
