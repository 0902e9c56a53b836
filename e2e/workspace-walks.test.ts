import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { buildExam } from '../server/test/support/factories.ts'
import { insertSignups } from '../server/test/support/sign-up-rows.ts'
import { openConsole } from './support/shell.ts'

// How many clicks and fields a task takes: a number that grows is a step that somebody added.

const office = openConsole([
  { account: 'kaowu1', realName: '周考务', roles: ['exam_admin'] },
  { account: 'admin1', realName: '吴管理', roles: ['admin'] },
  { account: 'caiwu1', realName: '钱财务', roles: ['finance'] },
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
  // The first number of that year is offered.
  await expect
    .poll(() =>
      window(page)
        .getByLabel(/^考试序号/)
        .inputValue(),
    )
    .toBe('1')
  await fill(window(page).getByLabel('考试编码'), 'WALK2027')
  await click(window(page).getByRole('button', { name: '创建并检查' }))
  await page.getByText('检查通过，可以发布。').waitFor()
  await visitor.look('exam-copy-checked')
  await click(page.getByRole('button', { name: '检查并发布' }).last())
  const asked = page.getByRole('dialog', { name: '发布考试“2027年公开招聘”' })
  await asked.getByText(/需要收回时/).waitFor()
  await click(asked.getByRole('button', { name: '发布', exact: true }))
  await page.getByText('考试已发布，考生现在可以看到它。').waitFor()
  expect(count()).toEqual({ clicks: 5, fields: 1 })
  const { records } = await visitor.ask('/blade-exam/examination/page', { examCode: 'WALK2027' })
  const [source, copy] = await Promise.all([
    visitor.ask('/blade-exam/examination/detail', { id: examId }),
    visitor.ask('/blade-exam/examination/detail', { id: records[0].id }),
  ])
  expect([copy.state, copy.postCount, copy.examitems.length]).toEqual([1, source.postCount, source.examitems.length])
})

test('an examination from nothing is released with at most fifteen clicks; a step that was left with mistakes says so', async () => {
  const visitor = await office.enter('kaowu1')
  const { page } = visitor
  await visitor.tell('/blade-userCode/usercode/submit', { code: 'H09', name: '社区卫生服务中心', codeKind: 1 })
  const { click, fill, count } = walk()
  const box = (field: string) => page.locator(`[data-field="${field}"]`).locator('input, textarea').first()
  const next = () => click(page.getByRole('button', { name: '下一步' }))
  await visitor.open('/exam/examination')
  await click(page.getByRole('button', { name: '新建考试' }).first())
  await fill(box('examName'), '2026年社区护士招聘')
  expect(await box('examNo').inputValue()).toBe('52')
  await next()
  // What is missing is marked at its step and named with the way back.
  const steps = page.locator('.step-nav')
  await steps.locator('[data-look=wrong]').getByText('基本信息').waitFor()
  await visitor.look('exam-left-with-mistakes')
  await click(page.locator('.exam-findings').getByRole('button', { name: '基本信息：请输入考试编码' }))
  await fill(box('examCode'), 'NEW2026')
  await fill(box('contactPhone'), '0571-88010037')
  await fill(box('organizer'), '区卫生健康局')
  await fill(box('promise'), '本人承诺所填信息真实、准确。')
  await next()
  const times = { signBegin: '2026-12-01 09:00', signEnd: '2026-12-05 17:00', examineEnd: '2026-12-07 17:00' }
  for (const [field, time] of Object.entries(times)) await fill(box(field), time)
  await next()
  await click(page.getByRole('button', { name: '新增科目' }))
  const paper = { itemName: '护理学', itemCode: '01', startTime: '2026-12-19 09:00', endTime: '2026-12-19 10:30' }
  for (const [field, text] of Object.entries(paper)) await fill(window(page).locator(`[data-field="${field}"] input`).first(), text)
  await click(window(page).getByRole('button', { name: '确定' }))
  await next()
  await click(page.getByRole('button', { name: '保存草稿' }).first())
  // One tab: the examination's own took the place of the one it was begun in.
  await page.waitForURL(/\/exam\/examination\/\d+\/setup/)
  const tabs = page.getByRole('navigation', { name: '已打开的页面' })
  await expect.poll(() => tabs.getByRole('link').allInnerTexts()).toEqual(['首页', '考试列表', '2026年社区护士招聘'])
  await click(page.getByRole('button', { name: '新增岗位' }))
  const choose = async (label: string, typed: string) => {
    await window(page).getByLabel(label, { exact: true }).fill(typed)
    await page.locator('.ant-select-dropdown:visible .ant-select-item-option', { hasText: typed }).first().waitFor()
    await page.keyboard.press('Enter')
  }
  await choose('招聘单位', 'H09')
  await choose('岗位类别', '护理')
  await visitor.look('exam-new-post')
  await fill(window(page).getByLabel('岗位代码', { exact: true }), 'B001')
  await fill(window(page).getByLabel('岗位名称', { exact: true }), '社区护士')
  await fill(window(page).getByLabel('招聘人数', { exact: true }), '2')
  expect(await window(page).getByLabel('修改原因').count()).toBe(0)
  await click(window(page).getByRole('button', { name: '保存', exact: true }))
  await page.getByText('已有 1 个岗位，计划招聘 2 人').waitFor()
  await click(steps.getByRole('button', { name: '检查并发布' }))
  await page.getByText('检查通过，可以发布。').waitFor()
  await page.getByText('没有设置准考证下载时间，考生下载不到准考证').waitFor()
  await visitor.look('exam-from-nothing-checked')
  await click(page.getByRole('button', { name: '检查并发布' }).last())
  await click(page.getByRole('dialog').getByRole('button', { name: '发布', exact: true }))
  await page.getByText('考试已发布，考生现在可以看到它。').waitFor()
  expect(count()).toEqual({ clicks: 14, fields: 15 })
  const { records } = await visitor.ask('/blade-exam/examination/page', { examCode: 'NEW2026' })
  expect(records).toMatchObject([{ state: 1, postCount: 1 }])
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

test('seats and tickets of all papers take four clicks; the trial adds up for each sitting', async () => {
  const names = ['张走查', '李走查', '王走查']
  await insertSignups(
    office.backdoor,
    examId,
    names.map(name => ({ name, code: 'B001', type: 'B', unit: 'H01' })),
  )
  const visitor = await office.enter('kaowu1')
  const { page } = visitor
  const { click, count } = walk()
  await visitor.open(`/ticket/ticket?examId=${examId}`)
  // What cannot be done yet says why beside it.
  const release = page.locator('.table-tools').getByRole('button', { name: '发布', exact: true })
  await page.getByText('没有已编排、待发布的科目，先试算编排').waitFor()
  expect(await release.isDisabled()).toBe(true)
  await click(page.getByRole('button', { name: '试算编排' }).first())
  const trial = page.getByRole('dialog', { name: '试算编排' })
  const sittings = trial.getByRole('region', { name: '各场次人数与座位' }).getByRole('row')
  await sittings.nth(2).waitFor()
  expect((await sittings.allInnerTexts()).slice(1).map(text => text.split(/\s+/))).toEqual([
    ['综合基础知识', '3', '60', '57', '0'],
    ['专业知识', '3', '60', '57', '0'],
  ])
  await visitor.look('trial-sittings')
  await click(trial.getByRole('button', { name: '确认编排 3 人' }))
  await page.getByText('已编排 6 张准考证').waitFor()
  await click(page.getByRole('button', { name: '发布', exact: true }).first())
  await click(page.getByRole('dialog', { name: '发布准考证' }).getByRole('button', { name: '生成并发布' }))
  await page.getByText('已发布 6 张准考证').waitFor()
  expect(count().clicks).toBe(4)
  await page.getByText('准考证都已发布').waitFor()
  await page.getByText('笔试科目都已编排').waitFor()
  expect([await release.isDisabled(), await release.getAttribute('aria-describedby')]).toEqual([true, expect.stringMatching(/./)])
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

test('[26.6][26.10] finance finds a due by initials, sees the examination of each, and no way to what it may not see', async () => {
  const many = Array.from({ length: 80 }, (_, at) => ({ name: at === 0 ? '孙应缴' : '周应缴', code: 'B001', type: 'B', unit: 'H01' }))
  const people = await insertSignups(office.backdoor, examId, many)
  await office.backdoor.db(db =>
    db.run(sql`
      insert into exam_pay (tenant_id, exam_id, signup_id, user_id, pay_name, amount_fen, state, deadline)
      select s.tenant_id, s.exam_id, s.id, s.user_id, '报名费', 10000, 'due', '2026-03-22T17:00:00+08:00' from signup s
      where s.id = any(${people.map(({ id }) => id)}::bigint[])`),
  )
  const visitor = await office.enter('caiwu1')
  const { page } = visitor
  await visitor.open('/pay/examPay')
  const row = page.getByRole('row', { name: /周应缴/ }).first()
  expect(await row.getByText('WALK2026', { exact: true }).getAttribute('title')).toBe('2026年公开招聘')
  // The pager is of one piece, whether it stands beside the sums or below them.
  const lines = () =>
    page
      .locator('.pager-go')
      .evaluate(go => new Set([...go.children].map(({ offsetTop, offsetHeight }) => Math.round((offsetTop + offsetHeight / 2) / 8))).size)
  for (const width of [1440, 1024]) {
    await page.setViewportSize({ width, height: 900 })
    await page.locator('.pager-jump').waitFor()
    expect([width, await lines()]).toEqual([width, 1])
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  await visitor.look('dues-of-all')
  await page.keyboard.press('Control+k')
  const panel = page.getByRole('dialog', { name: '搜索菜单' })
  await panel.getByRole('combobox').fill('syj')
  await panel.getByRole('option', { name: /孙应缴.*待缴/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: '孙应缴 · 报名费' }).waitFor()
  await page.getByRole('button', { name: '手工登记' }).waitFor()
  expect(await page.getByRole('link', { name: '查看报名' }).count()).toBe(0)
  // Whoever runs the examination goes on to the sign-up from there.
  const runner = await office.enter('kaowu1')
  await runner.open(new URL(page.url()).pathname)
  await runner.page.getByRole('link', { name: '查看报名' }).click()
  await runner.page.getByRole('heading', { name: /孙应缴/ }).waitFor()
})

test('five refunds are approved with three clicks', async () => {
  const people = await insertSignups(
    office.backdoor,
    examId,
    ['一', '二', '三', '四', '五'].map(name => ({ name: `赵退${name}`, code: 'B001', type: 'B', unit: 'H01' })),
  )
  await office.backdoor.db(async db => {
    for (const [at, { id, userId }] of people.entries())
      await db.run(sql`
        with due as (
          insert into exam_pay (tenant_id, exam_id, signup_id, user_id, pay_name, amount_fen, paid_fen, state, deadline)
          values (${db.actor.tenantId}, ${examId}, ${id}, ${userId}, '报名费', 10000, 10000, 'paid', '2026-03-22T17:00:00+08:00') returning tenant_id, id, user_id),
        paid as (
          insert into pay_order (tenant_id, order_no, pay_id, user_id, amount_fen, paid_fen, description, state, expire_time, transaction_id, success_time, mchid, appid)
          select tenant_id, ${`WALK${at}`}, id, user_id, 10000, 10000, '报名费', 'paid', now(), ${`T${at}`}, now(), '1900000001', 'wx1' from due returning tenant_id, id, pay_id, user_id)
        insert into pay_refund (tenant_id, refund_no, order_id, pay_id, user_id, amount_fen, reason, apply_by)
        select tenant_id, ${`WALKR${at}`}, id, pay_id, user_id, 10000, 'mistake', 1 from paid`)
  })
  const visitor = await office.enter('caiwu1')
  const { page } = visitor
  const { click, count } = walk()
  await visitor.open('/pay/payRefund')
  await page.getByRole('row', { name: /赵退一/ }).waitFor()
  await click(page.locator('thead').getByRole('checkbox'))
  await click(page.getByRole('button', { name: '批量批准' }))
  await visitor.look('refunds-asked')
  await click(page.getByRole('dialog').getByRole('button', { name: '批量批准' }))
  const left = () =>
    office.backdoor.db(db =>
      db.one(sql<{ left: number }>`select count(*)::int as left from pay_refund where refund_no like 'WALKR%' and state = 'requested'`),
    )
  await expect.poll(left).toEqual({ left: 0 })
  expect(count()).toEqual({ clicks: 3, fields: 0 })
})
