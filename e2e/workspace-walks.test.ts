import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { buildExam } from '../server/test/support/factories.ts'
import { openConsole } from './support/shell.ts'

// How many clicks and fields a task takes: a number that grows is a step that somebody added.

const office = openConsole([
  { account: 'kaowu1', realName: '周考务', roles: ['exam_admin'] },
  { account: 'admin1', realName: '吴管理', roles: ['admin'] },
])
let examId = ''

beforeAll(async () => {
  const papers = [
    { itemCode: '01', itemName: '综合基础知识', startTime: '2026-03-28 09:00:00', endTime: '2026-03-28 10:30:00' },
    { itemCode: '02', itemName: '专业知识', startTime: '2026-03-28 14:00:00', endTime: '2026-03-28 16:00:00' },
  ]
  const exam = { exam_name: '2026年公开招聘', exam_code: 'WALK2026', exam_no: 51 }
  examId = (await buildExam(office.backdoor, { exam, papers })).examId
})

/** Clicks and fills, counted. */
const walk = () => {
  let clicks = 0
  let fields = 0
  return {
    click: async (at: Locator) => {
      clicks += 1
      await at.click()
    },
    fill: async (at: Locator, text: string) => {
      fields += 1
      await at.fill(text)
    },
    count: () => ({ clicks, fields }),
  }
}
const window = (page: Page) => page.getByRole('dialog')

test('an examination from a copy is released with at most six clicks and fields each; its papers and posts come along', async () => {
  const visitor = await office.enter('kaowu1')
  const { page } = visitor
  const { click, fill, count } = walk()
  await visitor.open('/exam/examination')
  const row = page.getByRole('row', { name: /WALK2026/ })
  await click(row.getByRole('button', { name: '更多' }))
  await click(page.getByRole('menuitem', { name: '复制为新考试' }))
  expect(await window(page).getByLabel('考试名称').inputValue()).toBe('2027年公开招聘')
  await visitor.look('exam-copy')
  await fill(window(page).getByLabel('考试编码'), 'WALK2027')
  await fill(window(page).getByLabel(/^考试序号/), '52')
  await click(window(page).getByRole('button', { name: '创建并检查' }))
  await page.getByText('检查通过，可以发布。').waitFor()
  await visitor.look('exam-copy-checked')
  await click(page.getByRole('button', { name: '检查并发布' }).last())
  const asked = page.getByRole('dialog', { name: '发布考试“2027年公开招聘”' })
  await asked.getByText(/需要收回时/).waitFor()
  await click(asked.getByRole('button', { name: '发布', exact: true }))
  await page.getByText('考试已发布，考生现在可以看到它。').waitFor()
  expect(count()).toEqual({ clicks: 5, fields: 2 })
  const { records } = await visitor.ask('/blade-exam/examination/page', { examCode: 'WALK2027' })
  const [source, copy] = await Promise.all([
    visitor.ask('/blade-exam/examination/detail', { id: examId }),
    visitor.ask('/blade-exam/examination/detail', { id: records[0].id }),
  ])
  expect([copy.state, copy.postCount, copy.examitems.length]).toEqual([1, source.postCount, source.examitems.length])
})

test('a new colleague with a role takes four clicks, and is seen as a page', async () => {
  const visitor = await office.enter('admin1')
  const { page } = visitor
  const { click, fill, count } = walk()
  await visitor.open('/system/user')
  await click(page.getByRole('button', { name: '新增', exact: true }))
  await fill(window(page).getByLabel('账号', { exact: true }), 'wang.new')
  await fill(window(page).getByLabel('姓名', { exact: true }), '王新来')
  await click(window(page).getByLabel('角色', { exact: true }))
  await click(page.locator('.ant-select-dropdown:visible').getByText('财务', { exact: true }).last())
  await page.keyboard.press('Escape')
  await click(window(page).getByRole('button', { name: '保存', exact: true }))
  const once = page.getByRole('dialog', { name: '一次性密码' })
  await once.locator('tbody code').waitFor()
  expect(count()).toEqual({ clicks: 4, fields: 2 })
  await once.getByRole('button', { name: '关闭' }).last().click()
  // Nothing was copied: whoever closes all the same is asked once.
  await page.getByRole('dialog', { name: '密码还没有复制' }).getByRole('button', { name: '关闭', exact: true }).last().click()
  await once.waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'wang.new' }).click()
  await page.getByRole('heading', { name: '王新来 · wang.new' }).waitFor()
  await page.locator('.timeline').getByText('创建账号').waitFor()
  await visitor.look('user-page')
})

test('rooms are kept once, taken by a paper and copied to the others; the page says whether they suffice', async () => {
  const visitor = await office.enter('kaowu1')
  const { page } = visitor
  await visitor.tell('/blade-examSite/examsite/submit', { siteCode: '01', siteName: '第一中学', siteAddress: '人民路 1 号' })
  for (const roomCode of ['01-001', '01-002']) await visitor.tell('/blade-siteRoom/siteroom/submit', { roomCode, rows: 5, cols: 6 })
  const { click, count } = walk()
  await visitor.open(`/exam/examination/${examId}/setup/rooms`)
  await click(page.getByRole('button', { name: /^从考点选用/ }).first())
  await click(window(page).getByRole('checkbox', { name: /第一中学：2 个考场，60 座/ }))
  await click(window(page).getByRole('button', { name: '加入所选考点的考场' }))
  await window(page).waitFor({ state: 'detached' })
  await click(page.getByRole('button', { name: /^复制到其他科目/ }).first())
  await click(window(page).getByRole('checkbox', { name: '专业知识' }))
  await click(window(page).getByRole('button', { name: '复制考场' }))
  await window(page).waitFor({ state: 'detached' })
  await visitor.look('exam-rooms')
  expect(count().clicks).toBe(6)
  const { examitems } = await visitor.ask('/blade-exam/examination/detail', { id: examId })
  const ids: readonly string[] = examitems.map((paper: { id: string }) => paper.id)
  for (const id of ids) {
    const { rooms } = await visitor.ask('/blade-examitem/examitem/detail', { id })
    expect(rooms.map((room: { siteName: string; roomNo: string }) => `${room.siteName} ${room.roomNo}`)).toEqual([
      '第一中学 001',
      '第一中学 002',
    ])
  }
})

test('a list opened again from the menu keeps its search; a condition without a box is a chip that goes by a press', async () => {
  const visitor = await office.enter('kaowu1')
  const { page } = visitor
  await visitor.open('/exam/examination?year=2031')
  const chips = page.getByRole('list', { name: '已启用的条件' })
  await chips.getByRole('button', { name: /年度：.*2031/ }).waitFor()
  const menu = page.getByRole('navigation', { name: '主菜单' })
  await menu.getByRole('link', { name: '首页' }).click()
  await page.locator('.staff-home h1').waitFor()
  await menu.getByRole('link', { name: '考试列表' }).click()
  await page.waitForURL('**/exam/examination?year=2031')
  await chips.getByRole('button').click()
  await page.waitForURL(url => url.search === '')
  await page.getByRole('row', { name: /WALK2026/ }).waitFor()
})
