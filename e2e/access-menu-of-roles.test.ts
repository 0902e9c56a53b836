import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { type RoleAlias, roleAliases } from '../server/seed/base/menus.ts'
import { buildExam } from '../server/test/support/factories.ts'
import { insertSignups } from '../server/test/support/sign-up-rows.ts'
import { calm } from './support/calm.ts'
import { openConsole } from './support/shell.ts'

/** Candidates have the portal. */
const roles = roleAliases.filter(role => role !== 'candidate')
const accountOf = (role: RoleAlias) => `menu.${role.replace('_', '.')}`

const office = openConsole(roles.map(role => ({ account: accountOf(role), realName: '点菜单', roles: [role] })))

beforeAll(async () => {
  const { examId } = await buildExam(office.backdoor, { exam: { exam_name: '每个菜单都点到', exam_code: 'MENU', exam_no: 61 } })
  await insertSignups(office.backdoor, examId, [
    { code: 'A001', type: 'A', unit: 'H01', name: '王待审', examine: 'waiting' },
    { code: 'A001', type: 'A', unit: 'H01', name: '李通过', examine: 'passed' },
  ])
})

/** What the page that is shown says instead of its content. */
const refusalOf = async (page: Page): Promise<string> => {
  const shown = page.locator('.tab-page:visible, .status-page:visible').first()
  const heads = await shown.locator('h1').allInnerTexts()
  const words = await shown.innerText()
  return /没有访问权限|页面不存在|没有这个页面|暂时无法|出错了/.exec(words)?.[0] ?? (heads.length === 0 ? '没有标题' : '')
}

// A call that is refused behind the screen is a trouble of the visitor: the test fails by it (openConsole).
test.each(roles)('[26.8] every entry of the menu of %s leads to a page that its person may see', async role => {
  const visitor = await office.enter(accountOf(role))
  const { page } = visitor
  // Home lists all entries of the menu, those too that stand within an examination and not at the side.
  const home = page.locator('.staff-home')
  const entries = home.locator('.home-card li a')
  await entries.first().waitFor()
  const hrefs = await entries.evaluateAll(links => links.map(link => link.getAttribute('href') ?? ''))
  const nowhere: string[] = []
  for (const [at, href] of hrefs.entries()) {
    await page.getByRole('navigation', { name: '已打开的页面' }).getByRole('link', { name: '首页' }).click()
    await home.waitFor()
    await entries.nth(at).click()
    await home.waitFor({ state: 'hidden' })
    await calm(page)
    const refusal = await refusalOf(page)
    if (refusal !== '') nowhere.push(`${href}: ${refusal}`)
  }
  expect({ nowhere, pressed: hrefs.length > 0 }).toEqual({ nowhere: [], pressed: true })
})
