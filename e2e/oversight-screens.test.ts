import { expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { callAs, logInAs } from './support/caller.ts'
import { staffPassword } from './support/people.ts'
import { type Seat, sitAt } from './support/screen.ts'
import { openConsole, ownServer } from './support/shell.ts'

// Who is here, who came, who is kept out, what was called, what went wrong and what was changed: the screens of oversight.

const office = openConsole(
  [
    { account: 'admin1', realName: '赵管理', roles: ['admin'] },
    { account: 'auditor1', realName: '孙审计', roles: ['auditor'] },
    { account: 'clerk1', realName: '李考务', roles: ['exam_admin'] },
    { account: 'clerk2', realName: '周考务', roles: ['exam_admin'] },
  ],
  ownServer,
)
const sit = (account: string, path: string): Promise<Seat> => sitAt(office, account, path)
const chosen = (desk: Seat['desk'], label: string, option: string) =>
  desk.page.getByRole('search').getByLabel(label, { exact: true }).selectOption({ label: option })

test('[S7.15][issue 4 section 1] online users: whoever is here is found, and a session is ended with a reason that is kept', async () => {
  const clerk = await sit('clerk1', '/wel/index')
  const { visitor, desk } = await sit('admin1', '/monitor/online')
  const { row, window } = desk
  await row('本次会话').waitFor()
  expect(await row('本次会话').getByRole('button', { name: '强制下线' }).count()).toBe(0)
  await desk.button('强制下线').first().press('Enter')
  await desk.said('请先选择会话')
  await desk.find({ 账号: 'clerk1' })
  await desk.act(row('李考务'), '强制下线')
  await window.getByText('强制 李考务 下线').waitFor()
  await desk.refused('请输入下线原因', '强制下线')
  await window.getByLabel('下线原因').fill('座位交接')
  await desk.done('强制下线')
  await row('李考务').waitFor({ state: 'detached' })
  expect(await visitor.ask('/blade-system/online/page', { account: 'clerk1' })).toMatchObject({ total: 0 })
  clerk.visitor.expectRefusal(401)
  clerk.visitor.expectRefusal(401)
  await clerk.visitor.open('/exam/examination')
  await clerk.desk.page.waitForURL('**/login*')
  clerk.visitor.troubles()
  const kept = await office.backdoor.db(db => db.all(sql<{ reason: string }>`select reason from audit_log where action = 'session.kicked'`))
  expect(kept).toEqual([{ reason: '座位交接' }])
})

test('[S7.06][issue 4 section 1] the log-in log and the lock list: wrong passwords stand there, and the lock is opened with a reason', async () => {
  const { visitor, desk } = await sit('admin1', '/monitor/authLock')
  const { row, window } = desk
  for (let left = 5; left > 0; left--) await logInAs(office.server.url, 'clerk2', 'Wrong-harbour-27').catch(() => {})
  await desk.find({ 账号: 'clerk2' })
  await row('周考务').getByText('密码错误').waitFor()
  await chosen(desk, '锁定方式', '人工锁定')
  await desk.find({})
  await desk.page.getByText('没有符合条件的数据').waitFor()
  await desk.button('清空').click()
  expect((await desk.book()).flat()).toContain('周考务')
  await desk.act(row('周考务'), '解锁')
  await window.getByText('解锁 周考务，密码错误次数同时清零。').waitFor()
  await desk.refused('请输入解锁原因', '解锁')
  await window.getByLabel('原因').fill('本人来电核实')
  await desk.done('解锁')
  await row('周考务').waitFor({ state: 'detached' })
  await logInAs(office.server.url, 'clerk2', staffPassword)

  await desk.button('锁定账号').click()
  await window.getByLabel('账号').waitFor()
  await desk.refused('请输入账号', '保存')
  await window.getByText('请输入原因', { exact: true }).waitFor()
  await window.getByLabel('账号').fill('clerk2')
  await desk.page.getByTitle('clerk2 周考务').click()
  await window.getByLabel('原因').fill('离岗')
  const until = async (time: string) => {
    await window.getByLabel('结束时间').fill(time)
    await desk.page.keyboard.press('Tab')
  }
  visitor.expectRefusal(400)
  await until('2020-01-01 00:00:00')
  await desk.refused('锁定结束时间须晚于开始时间', '保存')
  await until('2098-01-01 00:00:00')
  await desk.done('保存')
  await row('周考务').getByText('2097-12-31 24:00').waitFor()
  await expect(logInAs(office.server.url, 'clerk2', staffPassword)).rejects.toThrow()
  await desk.act(row('周考务'), '解锁')
  await window.getByLabel('原因').fill('返岗')
  await desk.done('解锁')
  await row('周考务').waitFor({ state: 'detached' })
  await chosen(desk, '状态', '已解锁')
  await desk.find({})
  await row('周考务').getByText('已解锁').waitFor()

  await visitor.open('/monitor/authLog')
  await desk.find({ 账号: 'clerk2' })
  await row('成功').first().waitFor()
  await chosen(desk, '结果', '失败')
  await desk.find({})
  await row('成功').first().waitFor({ state: 'detached' })
  await row('账号或密码错误').first().waitFor()
  expect(await desk.page.locator('tbody tr[data-row]').count()).toBeGreaterThanOrEqual(5)
  expect((await desk.book()).filter(line => line.includes('clerk2')).length).toBeGreaterThanOrEqual(5)
  const kept = await office.backdoor.db(db =>
    db.all(sql<{ reason: string }>`select reason from audit_log where action = 'account.unlocked'`),
  )
  expect(kept).toEqual([{ reason: '本人来电核实' }, { reason: '返岗' }])
})

test('[S7.29] logs: a call with its meaning and outcome, a line of the program, an error by its cause; each with its detail and export', async () => {
  const clerk = callAs(office.server.url, await logInAs(office.server.url, 'clerk1', staffPassword))
  expect((await clerk.post('/blade-system/post/submit', { postCode: 'x' })).status).toBe(403)
  const { visitor, desk } = await sit('auditor1', '/monitor/log/api')
  const { page, row, window } = desk
  await expect.poll(async () => (await visitor.ask('/blade-log/api/list', { requestUri: 'post/submit' })).total).toBe(1)
  await desk.button('展开').click()
  await chosen(desk, '状态', '被拒或失败')
  await desk.find({ 调用: 'post/submit' })
  await desk.act(row('/blade-system/post/submit'), '查看')
  for (const text of ['POST /blade-system/post/submit', '403', 'kernel/forbidden', 'clerk1']) await window.getByText(text).first().waitFor()
  await page.keyboard.press('Escape')
  await window.waitFor({ state: 'detached' })
  expect((await desk.book()).flat()).toContain('/blade-system/post/submit')

  await visitor.open('/monitor/log/usual')
  // Days are written as everywhere in the product, whatever the browser's language, and chosen in the product's.
  const since = page.getByLabel('时间起', { exact: true })
  await since.fill('2026年2月30日')
  await desk.button('搜索').click()
  expect(await since.evaluate((box: { validationMessage: string }) => box.validationMessage)).toBe('请按 2026-03-05 的格式填写日期')
  await desk.button('清空').click()
  expect(await since.inputValue()).toBe('')
  await since.fill('2026/3/5')
  await desk.button('时间起：打开日历').click()
  const calendar = page.locator('.ant-picker-panel')
  await calendar.getByText('2026年').waitFor()
  await calendar.getByText('3月').waitFor()
  await calendar.locator('.ant-picker-cell-in-view').getByText('8', { exact: true }).click()
  await calendar.waitFor({ state: 'detached' })
  await expect.poll(() => since.inputValue()).toBe('2026-03-08')
  await desk.find({ 来源: 'program' })
  expect(new URL(page.url()).searchParams.get('from')).toBe('2026-03-08 00:00:00')
  await desk.act(row('started').first(), '查看')
  await window.locator('pre').getByText('"profile"').waitFor()
  await page.keyboard.press('Escape')
  await window.waitFor({ state: 'detached' })
  expect((await desk.book()).flat().join()).toContain('started')
  // Whoever reads them for oversight removes nothing.
  expect(await desk.button('清理').count()).toBe(0)

  await office.backdoor.db(db =>
    db.run(sql`
      insert into error_log (tenant_id, source, kind, message, stack_trace, request_uri, digest, created_at)
      select ${db.actor.tenantId}, 'browser', 'TypeError', 'chart is not ready', 'at draw (chart.js:7)', '/wel/dashboard', 'd1', app_now() - age * interval '1 day'
      from unnest(array[0, 0, 40, 41, 42]) as age`),
  )
  await visitor.open('/monitor/log/error')
  await desk.find({ 错误信息: 'chart' })
  await desk.act(row('chart is not ready').first(), '查看')
  await window.getByText('at draw (chart.js:7)').waitFor()
  await page.keyboard.press('Escape')
  await window.waitFor({ state: 'detached' })
  expect((await desk.book()).filter(line => line.includes('chart is not ready'))).toHaveLength(5)
  await page.getByLabel('显示方式').selectOption({ label: '按原因' })
  await expect.poll(() => row('chart is not ready').count()).toBe(1)
  await desk.act(row('chart is not ready'), '查看')
  await window.getByText('at draw (chart.js:7)').waitFor()
})

test('[S7.29] a log is purged by its keeper: counted first, with a reason, and only what was counted goes', async () => {
  const { visitor, desk } = await sit('admin1', '/monitor/log/error')
  const { window } = desk
  await desk.button('清理').click()
  await window.getByText(/至少保存 7 天/).waitFor()
  await window.getByRole('button', { name: '统计条数' }).click()
  await window.getByText(/之前共有 3 条日志/).waitFor()
  await desk.refused('请输入清理原因', '删除 3 条')
  await window.getByLabel('清理原因').fill('按制度清理')
  await desk.done('删除 3 条')
  await desk.said('3 条日志将在后台删除')
  await expect.poll(async () => (await visitor.ask('/blade-log/error/list', { message: 'chart' })).total).toBe(2)
  const kept = await office.backdoor.db(db => db.all(sql<{ reason: string }>`select reason from audit_log where action = 'log.purged'`))
  expect(kept).toEqual([{ reason: '按制度清理' }])
})

test('[issue 4 section 5][issue 4 section 4] the record of changes: who changed what is found, in words, with the values before and after, sealed and exported', async () => {
  const keeper = callAs(office.server.url, await logInAs(office.server.url, 'admin1', staffPassword))
  const post = { category: '1', postCode: 'audited', postName: '审计前', sort: 1 }
  const { id } = (await keeper.post('/blade-system/post/submit', post)).body.data
  await keeper.post('/blade-system/post/submit', { ...post, id, postName: '审计后', version: 0 })
  const { visitor, desk } = await sit('auditor1', '/monitor/audit')
  const { page, row, window } = desk
  await desk.button('展开').click()
  await chosen(desk, '仅数据变更', '是')
  await chosen(desk, '对象', '职务')
  await desk.find({ 账号或姓名: '赵管理', 对象编号: id })
  await row('post.updated').getByText('已存证').waitFor()
  await expect.poll(() => page.locator('tbody tr[data-row]').count()).toBe(2)
  await desk.act(row('post.updated'), '查看')
  const changed = window.getByRole('table').getByRole('row')
  expect(await changed.first().innerText()).toBe('项目\t变更前\t变更后')
  const lines = async () => (await changed.allInnerTexts()).slice(1)
  expect(await lines()).toContain('职务名称\t审计前\t审计后')
  // The words of a dictionary come by a call of their own.
  await expect.poll(lines).toContain('职务类型\t高层\t高层')
  await window.getByText(`职务 ${id}`).waitFor()
  // Words throughout: no part of the record goes by the program’s own name.
  expect((await lines()).filter(line => /^[a-z]/.test(line))).toEqual([])
  await page.keyboard.press('Escape')
  await window.waitFor({ state: 'detached' })
  await chosen(desk, '操作', '修改')
  await desk.find({ 对象编号: '', 操作代码: 'post.', 原因或变更内容: '审计后' })
  await row('post.updated').waitFor()
  await expect.poll(() => page.locator('tbody tr[data-row]').count()).toBe(1)
  expect((await desk.book()).flat()).toContain('post.updated')
  // Who takes the trail away stands in the trail.
  await expect.poll(async () => (await visitor.ask('/blade-log/audit/list', { action: 'audit.exported' })).total).toBe(1)
})

test('[S2.34][S9.17] the same screens in English, and on a phone, where the window’s button can be pressed', async () => {
  const { visitor, desk } = await sitAt(office, 'admin1', '/monitor/log/error', { screen: 'phone', language: 'en' })
  await desk.button('Purge').click()
  const count = desk.window.getByRole('button', { name: 'Count lines' })
  await count.click()
  await desk.window.getByText('There are no lines before that day').waitFor()
  expect(((await count.boundingBox())?.y ?? 999) < 844).toBe(true)
  for (const [path, title] of Object.entries({
    '/monitor/online': 'Online users',
    '/monitor/authLock': 'Locks',
  })) {
    await visitor.open(path)
    await desk.page.getByRole('heading', { level: 1, name: title }).waitFor()
    await desk.page.getByRole('search').getByRole('button', { name: 'Search' }).waitFor()
  }
})
