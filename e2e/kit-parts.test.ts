import { describe, expect, test } from 'vitest'
import { checkAccess } from './support/axe.ts'
import { isFocused, openKit } from './support/kit.ts'

const kit = openKit()
const { open, table, address, picture } = kit
/** What the keyboard is on. */
const focused = () =>
  kit.page.evaluate<string>("document.activeElement.textContent || document.activeElement.getAttribute('aria-label') || ''")

describe('the kit by itself', () => {
  test('a row’s third and further actions stand in one menu that arrow keys walk and Escape leaves', async () => {
    await open('list')
    const row = table('kit-people').locator('tbody tr[data-row]').first()
    await row.waitFor()
    expect(await row.locator('.cell-actions button').allInnerTexts()).toEqual(['查看', '编辑', '更多'])
    const more = row.getByRole('button', { name: '赵晓雨 的更多操作' })
    await more.press('Enter')
    const menu = kit.page.getByRole('menu', { name: '赵晓雨 的更多操作' })
    await expect.poll(() => menu.getByRole('menuitem').allInnerTexts()).toEqual(['通过', '复制', '删除'])
    await expect.poll(focused).toBe('通过')
    await kit.page.keyboard.press('ArrowUp')
    await expect.poll(focused).toBe('删除')
    await kit.page.keyboard.press('Escape')
    await menu.waitFor({ state: 'detached' })
    expect(await isFocused(more)).toBe(true)
    await more.press('Enter')
    await kit.page.keyboard.press('End')
    await kit.page.keyboard.press('Enter')
    const asked = kit.page.getByRole('dialog', { name: '删除' })
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
      const items = await kit.page.getByRole('menu').getByRole('menuitem').allInnerTexts()
      await kit.page.keyboard.press('Escape')
      return items
    }
    await expect.poll(beside).toEqual(['查看', '编辑', '更多'])
    await kit.page.setViewportSize({ width: 1200, height: 900 })
    await expect.poll(beside).toEqual(['查看', '更多'])
    expect(await inMenu()).toEqual(['编辑', '通过', '复制', '删除'])
    await expect.poll(() => list.locator('.table-scroll').getAttribute('data-more')).toBe('false')
    await kit.page.setViewportSize({ width: 390, height: 844 })
    await expect.poll(beside).toEqual(['更多'])
    expect(await inMenu()).toEqual(['查看', '编辑', '通过', '复制', '删除'])
    const more = await row.getByRole('button', { name: '赵晓雨 的更多操作' }).boundingBox()
    expect((more?.x ?? 999) + (more?.width ?? 0)).toBeLessThanOrEqual(390)
    // Alone in its cell it begins where the head does.
    const margin = await kit.page.evaluate(
      `getComputedStyle(document.querySelector('tr[data-row] td.cell-actions [data-more]')).marginLeft`,
    )
    expect(margin).toBe('0px')
    await kit.page.setViewportSize({ width: 1440, height: 900 })
    await expect.poll(beside).toEqual(['查看', '编辑', '更多'])
    // Too wide from its beginning.
    await kit.page.setViewportSize({ width: 1200, height: 900 })
    await kit.page.reload()
    await expect.poll(beside).toEqual(['查看', '更多'])
    await kit.page.setViewportSize({ width: 1440, height: 900 })
    // What the browser notes about sizes that change while it tells of them is no error of the program, which people would see counted.
    expect(await kit.page.evaluate(() => localStorage.getItem('kaopu-errors'))).toBeNull()
  })

  test('columns, row height and full screen are chosen by keyboard; the columns are kept for the person', async () => {
    await open('list')
    const rows = table('kit-people')
    const heads = () => rows.locator('thead th').allInnerTexts()
    await expect.poll(heads).toEqual(['', '姓名', '证件号', '报考岗位', '状态', '成绩', '应缴（元）', '提交时间', '操作'])
    await rows.getByRole('button', { name: '列设置' }).press('Enter')
    const chooser = kit.page.getByRole('dialog', { name: '列设置' })
    await chooser.getByRole('checkbox', { name: '备注' }).press('Space')
    await chooser.getByRole('button', { name: '将证件号前移' }).press('Enter')
    await kit.page.keyboard.press('Escape')
    const chosen = ['', '证件号', '姓名', '报考岗位', '状态', '成绩', '应缴（元）', '提交时间', '备注', '操作']
    expect(await heads()).toEqual(chosen)
    await kit.page.reload()
    await expect.poll(heads).toEqual(chosen)
    await rows.getByRole('button', { name: '列设置' }).click()
    await chooser.getByRole('button', { name: '恢复默认' }).click()
    await kit.page.keyboard.press('Escape')

    await rows.getByRole('button', { name: '行高' }).press('Enter')
    await kit.page.getByRole('menuitemradio', { name: '宽松' }).press('Enter')
    await expect.poll(async () => (await rows.locator('tbody tr').first().boundingBox())?.height).toBeGreaterThanOrEqual(52)
    await rows.getByRole('button', { name: '行高' }).press('Enter')
    await kit.page.getByRole('menuitemradio', { name: '紧凑' }).press('Enter')

    await rows.getByRole('button', { name: '全屏' }).press('Enter')
    await expect.poll(() => rows.boundingBox()).toMatchObject({ x: 0, y: 0, width: 1440, height: 900 })
    expect(await kit.page.locator('.menu').isVisible()).toBe(false)
    await kit.page.keyboard.press('Escape')
    await expect.poll(() => kit.page.locator('.menu').isVisible()).toBe(true)
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
    await kit.page.keyboard.press('ArrowRight')
    await expect.poll(() => tree.locator('tbody tr').count()).toBe(6)
    expect(await first.getAttribute('aria-expanded')).toBe('true')
    await kit.page.keyboard.press('ArrowRight')
    await expect.poll(() => kit.page.evaluate<string>("document.activeElement.getAttribute('aria-level')")).toBe('2')
    await kit.page.keyboard.press('ArrowLeft')
    await kit.page.keyboard.press('ArrowLeft')
    await expect.poll(() => tree.locator('tbody tr').count()).toBe(3)
    await kit.page.keyboard.press('End')
    await expect.poll(focused).toContain('疾控中心')
  })

  test('[S2.10] of two lists the second belongs to the chosen row of the first; the divider moves by arrow keys', async () => {
    for (const part of ['side', 'stack'] as const) {
      await open(part)
      await kit.page.getByText('在上一个列表中选择一个单位，这里显示其人员').waitFor()
      await table('kit-units').getByRole('button', { name: '区中医院' }).press('Enter')
      await kit.page.getByRole('heading', { name: '区中医院的人员' }).waitFor()
      await expect.poll(() => table('kit-people-of').locator('tbody tr[data-row]').count()).toBe(10)
      await table('kit-people-of').getByRole('button', { name: '第 2 页' }).click()
      await expect.poll(() => address().get('detail.current')).toBe('2')
      await table('kit-units').getByRole('button', { name: '疾控中心' }).click()
      await kit.page.getByRole('heading', { name: '疾控中心的人员' }).waitFor()
      expect([address().get('detail.of'), address().get('detail.current')]).toEqual(['3', null])
      const divider = kit.page.getByRole('separator', { name: '调整两栏大小' })
      const share = Number(await divider.getAttribute('aria-valuenow'))
      await divider.press(part === 'side' ? 'ArrowRight' : 'ArrowDown')
      await expect.poll(async () => Number(await divider.getAttribute('aria-valuenow'))).toBe(Math.min(75, share + 5))
    }
  })

  test('[S9.17] widths: a prompt has a fifth of the screen, forms 520, 760 and 960, more than twelve fields or tabs a drawer', async () => {
    await open('dialog')
    const wide: Readonly<Record<string, number>> = { prompt: 320, one: 520, two: 760, three: 960, drawer: 860, tabs: 860 }
    for (const [kind, width] of Object.entries(wide)) {
      await kit.page.locator(`[data-dialog=${kind}]`).click()
      const box = kit.page.locator('.ant-modal, .ant-drawer-content-wrapper')
      await expect.poll(async () => Math.round((await box.boundingBox())?.width ?? 0)).toBe(width)
      expect(await checkAccess(kit.page), kind).toEqual([])
      // Messages stand at the left end of the foot then: neither over the drawer's title nor over its buttons.
      if (kind === 'drawer') {
        const place = () =>
          kit.page.locator('.toaster').evaluate(it => [it.getBoundingClientRect().left, it.getBoundingClientRect().bottom])
        expect(await place()).toEqual([16, 900 - 80])
        await kit.page.setViewportSize({ width: 390, height: 844 })
        expect(await place()).toEqual([16, 844 - 80])
        await kit.page.setViewportSize({ width: 1440, height: 900 })
      }
      await kit.page.keyboard.press('Escape')
      await box.waitFor({ state: 'detached' })
    }
    await kit.page.setViewportSize({ width: 2000, height: 900 })
    await kit.page.locator('[data-dialog=prompt]').click()
    await expect.poll(async () => Math.round((await kit.page.locator('.ant-modal').boundingBox())?.width ?? 0)).toBe(400)
    await kit.page.keyboard.press('Escape')
    await kit.page.setViewportSize({ width: 390, height: 844 })
    await kit.page.locator('[data-dialog=one]').click()
    await expect.poll(async () => Math.round((await kit.page.locator('.ant-modal').boundingBox())?.width ?? 0)).toBe(390)
    await kit.page.setViewportSize({ width: 1440, height: 900 })
  })

  test('in a form with tabs the problem of another tab is brought into view', async () => {
    await open('dialog')
    await kit.page.locator('[data-dialog=tabs]').click()
    const form = kit.page.getByRole('dialog', { name: '带页签的抽屉' })
    await form.getByRole('tab', { name: '报名与考点' }).click()
    await form.getByRole('button', { name: '保存' }).click()
    await form.getByText('请输入名称', { exact: true }).waitFor()
    expect(await form.getByRole('tab', { name: '基本信息' }).getAttribute('aria-selected')).toBe('true')
    await kit.page.keyboard.press('Escape')
  })

  test('a picture is cropped by keyboard', async () => {
    await open('upload')
    await kit.page
      .locator('input[type=file]')
      .nth(1)
      .setInputFiles({ name: '我.png', mimeType: 'image/png', buffer: await picture(400, 300) })
    const crop = kit.page.getByRole('dialog', { name: '裁剪头像' })
    await crop.getByRole('button', { name: '使用' }).waitFor()
    await crop.getByLabel('缩放').press('ArrowRight')
    await crop.getByRole('button', { name: '旋转' }).press('Enter')
    await crop.getByRole('button', { name: '使用' }).click()
    const result = kit.page.getByRole('img', { name: '裁剪结果' })
    await result.waitFor()
    await expect.poll(async () => (await result.boundingBox())?.width).toBe(96)
    const pixels = await result.evaluate(image => {
      const { naturalWidth, naturalHeight } = image as unknown as { naturalWidth: number; naturalHeight: number }
      return [naturalWidth, naturalHeight]
    })
    expect(pixels).toEqual([256, 256])
  })

  test('[S9.19] AES encrypts and decrypts under a key that is typed, DES is read; a key or text that is none is called that', async () => {
    await open('cipher')
    const part = (name: string) => kit.page.getByRole('region', { name, exact: true })
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
