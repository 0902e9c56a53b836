import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { buildExam } from '../server/test/support/factories.ts'
import { insertSignups } from '../server/test/support/sign-up-rows.ts'
import { openConsole } from './support/shell.ts'
import { ownTenant } from './support/tenant.ts'

const office = openConsole([{ account: 'kaowu1', realName: '周考务', roles: ['exam_admin'] }])
const post = { type: 'B', unit: 'H01', code: 'B001' }
let busy = ''
let quiet = ''

beforeAll(async () => {
  busy = (await buildExam(office.backdoor, { exam: { exam_name: '有人等待的考试', exam_code: 'BUSY', exam_no: 41 } })).examId
  // Newer, and nobody waits in it.
  quiet = (await buildExam(office.backdoor, { exam: { exam_name: '没有工作的考试', exam_code: 'QUIET', exam_no: 42 } })).examId
  const [, refused] = await insertSignups(office.backdoor, busy, [
    { ...post, name: '王小等', examine: 'waiting' },
    { ...post, name: '李小拒', examine: 'refused' },
  ])
  await office.backdoor.db(db =>
    db.run(sql`
      insert into examine_record (tenant_id, signup_id, exam_id, user_id, sign_version, level, result, remark, before_state, after_state, examiner_id, examiner_name)
      values (${ownTenant()}, ${refused?.id}, ${busy}, ${refused?.userId}, 1, 1, 3, '学历不符合岗位要求', 'waiting', 'refused', 1, '赵审')`),
  )
})

const sections = (page: Page) => page.getByRole('navigation', { name: '本次考试' })
const switcher = (page: Page) => page.getByRole('combobox', { name: '切换考试' })

test('an old address leads to the workspace of the examination with work; the page has no chooser, and changing the examination keeps it', async () => {
  const visitor = await office.enter('kaowu1')
  const { page } = visitor
  await visitor.open('/exam/typeCode')
  await page.waitForURL(`**/exam/examination/${busy}/setup/typeCode`)
  await page.getByRole('heading', { name: '岗位代码' }).waitFor()
  expect(await page.getByLabel('选择考试').count()).toBe(0)
  await expect.poll(() => sections(page).locator('[aria-current]').allInnerTexts()).toEqual(['设置'])
  await switcher(page).selectOption(quiet)
  await page.waitForURL(`**/exam/examination/${quiet}/setup/typeCode`)
  await page.getByRole('heading', { name: '岗位代码' }).waitFor()
  // One tab, not two: the other examination took its place.
  const tabs = page.getByRole('navigation', { name: '已打开的页面' })
  await expect.poll(() => tabs.getByRole('link').allInnerTexts()).toEqual(['首页', '没有工作的考试'])
  // Sections share it, and what was searched for is there again.
  await visitor.open(`/exam/examination/${busy}/signups`)
  // Two pages count otherwise: the one that has more says why.
  await page.getByText('提交过（含已撤回）；“考试列表”的报名人数：已提交（不含撤回）').waitFor()
  await visitor.open(`/exam/examination/${busy}/signups?examine=4`)
  await page.getByRole('link', { name: /^2026/ }).waitFor()
  await sections(page).getByRole('link', { name: '费用' }).click()
  await page.waitForURL(`**/exam/examination/${busy}/fees`)
  await sections(page).getByRole('link', { name: '总览' }).click()
  await page.getByRole('link', { name: '初审报名（1）' }).waitFor()
  expect(await tabs.getByRole('link').allInnerTexts()).toEqual(['首页', '没有工作的考试', '有人等待的考试'])
  await visitor.look('workspace-overview')
  await page.getByRole('link', { name: '初审报名（1）' }).click()
  await page.waitForURL(`**/exam/examination/${busy}/review?examine=1`)
  await page.getByText('王小等').waitFor()
  // The workbench leads back to this list, with the row one came from under the keyboard.
  await page.locator('a[data-signup]').first().click()
  await page.getByRole('button', { name: '返回列表' }).click()
  await page.waitForURL(`**/exam/examination/${busy}/review?examine=1`)
  await expect.poll(() => page.locator('tr:has(a[data-signup]:focus)').innerText()).toContain('王小等')
  await expect.poll(() => tabs.getByRole('link').allInnerTexts()).toEqual(['首页', '没有工作的考试', '有人等待的考试'])
})

test('an address that is no page of an examination says so: it is no question of rights', async () => {
  const visitor = await office.enter('kaowu1')
  await visitor.open(`/exam/examination/${busy}/settings`)
  await visitor.page.getByText('没有这个页面。请从上方选择本次考试的栏目。').waitFor()
  expect(await visitor.page.getByText('没有访问权限').count()).toBe(0)
})

test('the side menu of an examination administrator has few entries, none of them about one examination', async () => {
  const { page } = await office.enter('kaowu1')
  const top = page.getByRole('navigation', { name: '主菜单' }).locator('.menu-item[data-depth="0"]')
  await expect.poll(() => top.allInnerTexts()).toEqual(['首页', '考试管理', '报名审核', '报表', '通知公告', '消息', '我的事务'])
})

test('why a person was refused is one search and one Enter', async () => {
  const visitor = await office.enter('kaowu1')
  const { page } = visitor
  await page.keyboard.press('Control+k')
  const panel = page.getByRole('dialog', { name: '搜索菜单' })
  await panel.getByRole('combobox').fill('李小拒')
  await panel.getByRole('option', { name: /李小拒/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: /李小拒/ }).waitFor()
  await page.getByText('学历不符合岗位要求').waitFor()
  expect(await page.locator('.page-head').innerText()).toContain('审核不通过')
  await visitor.look('signup-course')
})
