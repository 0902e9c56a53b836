import { expect, test } from 'vitest'
import { actOn } from './support/screen.ts'
import { openConsole } from './support/shell.ts'

const office = openConsole([
  { account: 'secadmin1', realName: '钱安全', roles: ['secadmin'] },
  { account: 'auditor1', realName: '孙审计', roles: ['auditor'] },
])

test('[security 3.8] a rule is switched off with its reason, the auditor is told, sees the lines in question and says what it was', async () => {
  const auditor = await office.enter('auditor1')
  const keeper = await office.enter('secadmin1')
  const desk = keeper.page
  const asked = desk.getByRole('dialog')
  await keeper.open('/monitor/watchRule')
  const rule = desk.getByRole('row', { name: /一小时内多次导出/ })
  await actOn(rule, '修改')
  await asked.getByLabel('达到多少时告警').fill('很多')
  await asked.getByRole('button', { name: '保存' }).click()
  await asked.getByText('请填 1 至 10000000 的整数').first().waitFor()
  await asked.getByLabel('达到多少时告警').fill('12')
  await asked.getByLabel('原因').fill('年底集中导出')
  await keeper.look('watch-rule-dialog')
  await asked.getByRole('button', { name: '保存' }).click()
  await asked.waitFor({ state: 'detached' })
  await rule.getByText('达到 12').waitFor()
  await actOn(rule, '停用')
  await asked.getByLabel('原因').fill('演练')
  await asked.getByRole('button', { name: '停用' }).click()
  await asked.waitFor({ state: 'detached' })
  await rule.getByText('停用').first().waitFor()
  await keeper.look('watch-rules')

  const page = auditor.page
  const toDo = page.getByRole('link', { name: /待处理的异常告警/ })
  await expect.poll(async () => (await auditor.ask('/me/notices')).unreadCount, { timeout: 60_000 }).toBe(1)
  await auditor.open('/wel/index')
  await toDo.click()
  await page
    .getByRole('row', { name: /告警规则被修改或停用/ })
    .getByRole('button', { name: '处理' })
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('钱安全').first().waitFor()
  await dialog.getByRole('button', { name: '查看数据表' }).click()
  await dialog.getByRole('table', { name: '当天各小时的数量' }).waitFor()
  await auditor.look('alert-dialog')
  await dialog.getByRole('button', { name: '开始核查' }).click()
  await dialog.waitFor({ state: 'detached' })
  const row = page.getByRole('row', { name: /核查中/ })
  await row.getByRole('button', { name: '处理' }).click()
  await dialog.getByRole('button', { name: '判定误报' }).click()
  await dialog.getByText('请写明核查情况').waitFor()
  await dialog.getByLabel('核查情况').fill('已报备的演练')
  await dialog.getByRole('button', { name: '判定误报' }).click()
  await dialog.waitFor({ state: 'detached' })
  await auditor.open('/monitor/alert?state=3')
  await page
    .getByRole('row', { name: /误报.*孙审计/ })
    .getByRole('button', { name: '查看' })
    .click()
  await dialog.getByText('已报备的演练').waitFor()
  await dialog.getByRole('link', { name: '在审计日志中查看' }).click()
  await page.getByRole('row', { name: /watch-rule\.switched-off/ }).waitFor()
  await page.getByRole('row', { name: /watch-rule\.updated/ }).waitFor()
  await expect.poll(() => page.getByRole('row', { name: /watch-rule\./ }).count()).toBe(2)

  // Whoever it was about has nothing of it.
  await keeper.open('/monitor/alert')
  await desk.getByText('没有告警').waitFor()
})

test('[security 3.8] a rule of one’s own is added, limited and removed; holidays are entered as spans', async () => {
  const keeper = await office.enter('secadmin1')
  const desk = keeper.page
  const asked = desk.getByRole('dialog')
  await keeper.open('/monitor/watchRule')
  await desk.getByRole('button', { name: '新增规则' }).click()
  await asked.getByRole('button', { name: '保存' }).click()
  await asked.getByText('请填写名称').first().waitFor()
  await asked.getByLabel('中文名称').fill('一天内多次导出岗位')
  await asked.getByLabel('英文名称').fill('Many exports of posts')
  await asked.getByLabel('统计内容').selectOption({ label: '导出与打印' })
  await asked.getByLabel('达到多少时告警').fill('20')
  await asked.getByLabel('达到限值多少倍时暂停其导出').fill('3')
  await asked.getByLabel('原因').fill('专项检查')
  await keeper.look('watch-rule-add')
  await asked.getByRole('button', { name: '保存' }).click()
  await asked.waitFor({ state: 'detached' })
  const own = desk.getByRole('row', { name: /一天内多次导出岗位/ })
  await own.getByText('达限值 3 倍').waitFor()

  await desk.getByRole('button', { name: '设置工作时间' }).click()
  await asked.getByLabel('放假的日子').fill('国庆')
  await asked.getByLabel('原因').fill('年度放假安排')
  await asked.getByRole('button', { name: '保存' }).click()
  await asked.getByText('“国庆”不是日期').waitFor()
  await asked.getByLabel('放假的日子').fill('2026-10-01 ~ 2026-10-07')
  await asked.getByLabel('周末上班的日子').fill('2026-10-10')
  await keeper.look('watch-office')
  await asked.getByRole('button', { name: '保存' }).click()
  await asked.waitFor({ state: 'detached' })
  await desk.getByText('另有 7 天放假，1 天调休上班').waitFor()

  await actOn(own, '删除')
  await asked.getByLabel('原因').fill('专项结束')
  await asked.getByRole('button', { name: '删除' }).click()
  await own.waitFor({ state: 'detached' })
})
