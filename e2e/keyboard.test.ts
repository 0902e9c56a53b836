import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openConsole } from './support/shell.ts'
import { whole } from './support/tour.ts'

const office = openConsole([{ account: 'admin1', realName: '赵管理', roles: ['admin'] }])

interface Focus {
  readonly name: string
  readonly inWindow: boolean
  /** Somebody sees where the keyboard is; what the kit draws around a control counts. */
  readonly isSeen: boolean
}

const focusOf = (page: Page): Promise<Focus> =>
  page.evaluate<Focus>(`(() => {
    const at = document.activeElement
    const drawn = one => {
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(one)
      return (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) || boxShadow !== 'none'
    }
    const around = at.closest('.ant-select, .ant-input-number, .ant-input-affix-wrapper, .ant-picker, .ant-tree-list')
    return {
      name: (at.getAttribute('aria-label') ?? (at.innerText || at.id || at.tagName)).slice(0, 40),
      inWindow: at.closest('.ant-modal-wrap, .ant-drawer') !== null,
      isSeen: at === document.body || drawn(at) || (around !== null && drawn(around)),
    }
  })()`)

/** Presses Tab until the focus is there; on the way nobody loses sight of it. */
const tabTo = async (page: Page, name: string): Promise<void> => {
  for (let presses = 0; presses < 200; presses++) {
    await page.keyboard.press('Tab')
    const now = await focusOf(page)
    if (!now.isSeen) throw new Error(`${page.url()}: nobody sees that the keyboard is on “${now.name}”`)
    if (now.name === name) return
  }
  throw new Error(`${page.url()}: the keyboard does not come to “${name}”`)
}

/** One list; three, made of the same parts, in `npm run test:long`. */
const lists = [
  { path: '/system/user', add: '新增', field: 'realName' },
  { path: '/authority/role', add: '新增角色', field: 'roleName' },
  { path: '/system/menu', add: '新增菜单', field: 'name' },
]
test.each(process.env['KAOPU_LONG'] ? lists : lists.slice(0, 1))(
  '$path is worked with the keyboard alone, and it comes back to where it was',
  async ({ path, add, field }) => {
    const { page, open } = await office.enter('admin1')
    await open(path)
    await whole(page)
    const nameNow = async () => (await focusOf(page)).name
    const inWindow = async () => (await focusOf(page)).inWindow

    await tabTo(page, add)
    await page.keyboard.press('Enter')
    await expect.poll(inWindow).toBe(true)
    // The keyboard goes round within the window; between its end and its beginning is the browser's own.
    for (let presses = 0; presses < 30; presses++) {
      await page.keyboard.press('Tab')
      const now = await focusOf(page)
      expect(now.inWindow || now.name.startsWith('跳到主要内容'), `Tab ${presses} is on “${now.name}”`).toBe(true)
      expect(now.isSeen, `“${now.name}” shows that the keyboard is there`).toBe(true)
    }
    await page.keyboard.press('Escape')
    await expect.poll(nameNow).toBe(add)

    await tabTo(page, '编辑')
    await page.keyboard.press('Enter')
    await expect.poll(nameNow).toBe(field)
    await page.keyboard.press('Escape')
    await expect.poll(nameNow).toBe('编辑')

    await page.keyboard.press('Enter')
    await expect.poll(nameNow).toBe(field)
    await page.keyboard.press('End')
    await page.keyboard.type('甲')
    await tabTo(page, '保存')
    await page.keyboard.press('Enter')
    await page.locator('.toast[data-tone=success]').waitFor()
    await page.locator('tbody').getByText('甲', { exact: false }).first().waitFor()
    await expect.poll(nameNow).toBe('编辑')
  },
)

test('the window of an edit stands while its row is on the way; the keyboard goes to the first field, but not from where somebody went meanwhile', async () => {
  const { page, open } = await office.enter('admin1')
  const held: (() => void)[] = []
  await page.route(/\/blade-system\/param\/detail\?/, async route => {
    await new Promise<void>(go => held.push(go))
    await route.continue()
  })
  await open('/system/param')
  await whole(page)
  const nameNow = async () => (await focusOf(page)).name
  const window = page.locator('.ant-modal')
  const edit = async () => {
    await page.keyboard.press('Enter')
    await window.locator('.skeleton').waitFor()
    await expect.poll(() => held.length).toBe(1)
    await expect.poll(async () => (await focusOf(page)).inWindow).toBe(true)
  }
  await tabTo(page, '编辑')
  await edit()
  // Nothing can be saved that nobody has seen.
  await page.getByRole('button', { name: '保存', exact: true, disabled: true }).waitFor()
  held.pop()?.()
  await expect.poll(nameNow).toBe('paramName')
  expect(await window.count()).toBe(1)
  await page.keyboard.press('Escape')
  await expect.poll(nameNow).toBe('编辑')
  // A window that is opened again while it closes still has its row.
  await expect.poll(() => window.count()).toBe(0)

  // Quicker than the window opens: in the moment in which the kit puts the keyboard into it.
  await page.evaluate(`addEventListener('focusin', () => document.querySelector('.ant-modal-footer button')?.focus(), { once: true })`)
  await edit()
  await expect.poll(nameNow).toBe('取消')
  held.pop()?.()
  await window.locator('input').first().waitFor()
  expect(await nameNow()).toBe('取消')
})
