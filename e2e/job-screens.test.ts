import { expect, test } from 'vitest'
import { actOn } from './support/screen.ts'
import { openConsole, ownServer } from './support/shell.ts'

// The jobs of the program itself are the platform's, which has a server of its own here.
const office = openConsole([{ account: 'admin1', realName: '赵管理', roles: ['administrator', 'admin'] }], ownServer)

test('[S2.48][S2.49] a job is written with the help of the builder, switched, run, and its runs are read', async () => {
  const admin = await office.enter('admin1')
  const { page } = admin
  await admin.open('/job/jobserver')
  await page.getByRole('cell', { name: '本程序' }).waitFor()
  await admin.look('job-servers')
  await page.getByRole('button', { name: '新增' }).first().click()
  const form = page.getByRole('dialog')
  await form.getByRole('button', { name: '保存' }).click()
  for (const text of ['请输入任务服务名称', '请输入任务服务地址', '请输入任务应用名称', '请输入任务应用密码'])
    await form.getByText(text, { exact: true }).first().waitFor()
  await form.getByLabel('任务服务名称').fill('任务中心')
  await form.getByLabel('任务服务地址').fill('http://169.254.169.254')
  await form.getByLabel('任务应用名称').fill('kaopu')
  await form.getByLabel('任务应用密码').fill('secret-1')
  admin.expectRefusal(400)
  await form.getByRole('button', { name: '保存' }).click()
  await form.getByText('不在允许之列', { exact: false }).first().waitFor()
  await form.getByRole('button', { name: '取消' }).click()
  await page.getByRole('button', { name: '离开' }).click()

  await admin.open('/job/jobinfo')
  await page.getByRole('row', { name: /支付补查/ }).waitFor()
  await admin.look('jobs')
  await page.getByRole('button', { name: '新增' }).first().click()
  await form.getByRole('tab', { name: '基础信息' }).waitFor()
  await form.getByRole('button', { name: '保存' }).click()
  for (const text of ['请选择任务应用', '请输入任务名称', '请输入处理器参数']) await form.getByText(text, { exact: true }).first().waitFor()
  await form.getByRole('tab', { name: '高级配置' }).click()
  await form.getByLabel('最大实例数').waitFor()
  await form.getByRole('tab', { name: '其他配置' }).click()
  await form.getByLabel('错误阈值（次）').waitFor()
  await form.getByRole('tab', { name: '基础信息' }).click()
  await form.getByRole('button', { name: '帮我写' }).click()
  await form.getByRole('button', { name: '使用' }).click()
  await expect.poll(() => form.getByLabel('时间表达式').inputValue()).toBe('0 0 2 * * ?')
  await form.getByText('接下来的执行时间').waitFor()
  expect(await form.locator('.job-hint li').count()).toBe(5)
  await admin.look('job-form')
  await form.getByLabel('时间表达式').fill('0 0 0 31 2 ?')
  await form.getByText('该 Cron 表达式今后没有任何执行时间', { exact: false }).waitFor()
  await form.getByRole('button', { name: '取消' }).click()
  await page.getByRole('button', { name: '离开' }).click()

  const purge = page.getByRole('row', { name: /清理登录数据/ })
  await purge.getByRole('switch').click()
  await expect.poll(() => purge.getByRole('switch').getAttribute('aria-checked')).toBe('false')
  await actOn(purge, '运行')
  await page.getByRole('dialog').getByRole('button', { name: '运行' }).click()
  await page.getByText('已开始运行', { exact: false }).first().waitFor()
  await expect.poll(async () => (await admin.ask('/blade-job/job-instance/list')).records[0]?.state, { timeout: 20_000 }).toBe(5)
  await actOn(purge, '执行记录')
  const runs = page.getByRole('dialog')
  await runs.getByRole('row', { name: /手动/ }).waitFor()
  await admin.look('job-runs')
  await actOn(runs.getByRole('row', { name: /手动/ }).first(), '查看')
  await runs.getByText('没有日志').waitFor()
  await runs.getByRole('button', { name: '返回列表' }).click()
})

test('both screens in English on a phone: nothing wider than the screen', async () => {
  const admin = await office.enter('admin1', { language: 'en', screen: 'phone' })
  for (const [path, text] of [
    ['/job/jobserver', 'this program'],
    ['/job/jobinfo', '支付补查'],
  ] as const) {
    await admin.open(path)
    await admin.page.getByText(text).first().waitFor()
    await admin.look(`phone${path.replaceAll('/', '-')}`)
  }
})
