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
  await page.getByLabel('任务名称').first().fill('核对账本')
  await page.getByRole('button', { name: '搜索', exact: true }).click()
  await page.getByRole('row', { name: /核对账本/ }).waitFor()
  await page.getByRole('button', { name: '清空', exact: true }).click()
  await admin.look('jobs')
  await page.getByRole('button', { name: '新增' }).first().click()
  await form.getByRole('tab', { name: '基础信息' }).waitFor()
  await form.getByRole('button', { name: '保存' }).click()
  for (const text of ['请选择任务应用', '请输入任务名称', '请输入时间表达式', '请输入处理器参数'])
    await form.getByText(text, { exact: true }).first().waitFor()
  await form.getByRole('tab', { name: '高级配置' }).click()
  await form.getByLabel('最大实例数').waitFor()
  await form.getByRole('tab', { name: '其他配置' }).click()
  await form.getByLabel('错误阈值（次）').waitFor()
  await form.getByRole('tab', { name: '基础信息' }).click()
  await form.getByRole('button', { name: '帮我写' }).click()
  await expect.poll(() => form.getByLabel('时间表达式').inputValue()).toBe('0 0 2 * * ?')
  await form.getByText('接下来的执行时间').waitFor()
  expect(await form.locator('.job-hint li').count()).toBe(5)
  await admin.look('job-form')
  await form.getByLabel('时间表达式').fill('0 0 0 31 2 ?')
  await form.getByText('该 Cron 表达式今后没有任何执行时间', { exact: false }).waitFor()
  await form.getByRole('button', { name: '取消' }).click()
  await page.getByRole('button', { name: '离开' }).click()

  const purge = page.getByRole('row', { name: /注销账号/ })
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
  await runs.getByText(/^注销账号 0 个$/).waitFor()
  await runs.getByText('INFO 等待注销的账号 0 个', { exact: false }).waitFor()
  await runs.getByRole('button', { name: '返回列表' }).click()
})

interface Words {
  readonly [key: string]: string
}
const words: Readonly<Record<'zh' | 'en', Words>> = {
  zh: {
    ...{ add: '新增', save: '保存', basic: '基础信息', advanced: '高级配置', other: '其他配置', application: '任务应用', name: '任务名称' },
    ...{
      builtIn: '内置',
      processor: '处理器',
      builder: '帮我写',
      often: '频度',
      week: '每周',
      weekday: '星期',
      friday: '星期五',
      hour: '时',
    },
    ...{
      expression: '时间表达式',
      next: '接下来的执行时间',
      runsAtATime: '最大实例数',
      level: '日志级别',
      run: '运行',
      started: '已开始运行',
    },
    ...{
      runs: '执行记录',
      byHand: '手动',
      view: '查看',
      result: '删除过期登录数据',
      line: 'INFO 刷新令牌：',
      back: '返回列表',
      close: '关闭',
      off: '已停用',
    },
  },
  en: {
    ...{ add: 'Add', save: 'Save', basic: 'Basic', advanced: 'Advanced', other: 'Other', application: 'Application', name: 'Name' },
    ...{
      builtIn: 'built-in',
      processor: 'Processor',
      builder: 'Write it for me',
      often: 'How often',
      week: 'every week',
      weekday: 'Weekday',
    },
    ...{
      friday: 'Friday',
      hour: 'Hour',
      expression: 'Time expression',
      next: 'Next runs',
      runsAtATime: 'Runs at a time',
      level: 'Log level',
    },
    ...{
      run: 'Run',
      started: 'Started',
      runs: 'Runs',
      byHand: 'By hand',
      view: 'View',
      result: 'rows removed',
      line: 'INFO 0 refresh tokens',
    },
    ...{ back: 'Back to the list', close: 'Close', off: 'Disabled' },
  },
}

test.each(['zh', 'en'] as const)(
  '[S2.49][S4.01][S9.08] a job is added by the form with its three tabs, runs, tells how it went, and is switched off: %s',
  async language => {
    const w = words[language]
    const word = (key: string): string => w[key] ?? ''
    const admin = await office.enter('admin1', { language })
    const { page } = admin
    await admin.open('/job/jobinfo')
    await page
      .getByRole('button', { name: word('add') })
      .first()
      .click()
    const form = page.getByRole('dialog')
    const choose = async (label: string, option: string) => {
      await form.getByLabel(label, { exact: true }).click()
      await page.locator('.ant-select-dropdown:visible .ant-select-item-option').filter({ hasText: option }).first().click()
    }
    const jobName = `每周清理 ${language}`
    await form.getByLabel(word('name'), { exact: true }).fill(jobName)
    // What the timing needs is marked as needed.
    await form
      .locator('.ant-form-item', { hasText: word('expression') })
      .locator('.ant-form-item-required')
      .first()
      .waitFor()
    await form.getByRole('button', { name: word('builder') }).click()
    await choose(word('often'), word('week'))
    await choose(word('weekday'), word('friday'))
    await choose(word('hour'), '3')
    // It counts without another press.
    await expect.poll(() => form.getByLabel(word('expression')).inputValue()).toBe('0 0 3 ? * 6')
    await form.getByText(word('next')).waitFor()
    const times = await form.locator('.job-hint li').allTextContents()
    expect(times.map(time => [new Date(`${time.slice(0, 10)}T00:00:00Z`).getUTCDay(), time.slice(11)])).toEqual(
      Array(5).fill([5, '03:00:00']),
    )
    await form.getByLabel(word('application'), { exact: true }).click()
    await page.locator('.ant-select-dropdown:visible .ant-select-item-option').first().click()
    await form.getByLabel(word('processor'), { exact: true }).fill('auth.purge')
    await form.getByRole('tab', { name: word('advanced') }).click()
    await form.getByLabel(word('runsAtATime')).fill('2')
    await form.getByRole('tab', { name: word('other') }).click()
    await choose(word('level'), 'DEBUG')
    await form.getByRole('tab', { name: word('basic') }).click()
    await admin.look(`job-add-${language}`)
    await form.getByRole('button', { name: word('save') }).click()
    const row = page.getByRole('row', { name: new RegExp(jobName) })
    await row.waitFor()
    const [stored] = (await admin.ask('/blade-job/job-info/list', { jobName })).records
    expect(stored).toMatchObject({
      ...{ timeExpressionType: 2, timeExpression: '0 0 3 ? * 6', executeType: 1, processorType: 1, processorInfo: 'auth.purge' },
      ...{ dispatchStrategy: 1, concurrency: 5, maxInstanceNum: 2, logLevel: 1, enable: 1, nextTime: times[0] },
    })
    await actOn(row, word('run'))
    await page
      .getByRole('dialog')
      .getByRole('button', { name: word('run') })
      .click()
    await page.getByText(word('started'), { exact: false }).first().waitFor()
    await expect
      .poll(async () => (await admin.ask('/blade-job/job-instance/list', { jobInfoId: stored.id })).records[0]?.state, { timeout: 20_000 })
      .toBe(5)
    await actOn(row, word('runs'))
    const runs = page.getByRole('dialog')
    const run = runs.getByRole('row', { name: new RegExp(word('byHand')) })
    await run.getByText(word('result'), { exact: false }).waitFor()
    await actOn(run, word('view'))
    await runs.getByText(word('line'), { exact: false }).waitFor()
    await admin.look(`job-log-${language}`)
    await page.keyboard.press('Escape')
    await row.getByRole('switch').click()
    await page.getByText(word('off')).first().waitFor()
    await expect.poll(() => row.getByRole('switch').getAttribute('aria-checked')).toBe('false')
    expect((await admin.ask('/blade-job/job-info/detail', { id: stored.id })) as object).toMatchObject({ enable: 0, nextTime: '' })
  },
)

test('both screens in English on a phone: nothing wider than the screen, each job by its name with its next run', async () => {
  const admin = await office.enter('admin1', { language: 'en', screen: 'phone' })
  const { page } = admin
  await admin.open('/job/jobserver')
  await page.getByText('this program').first().waitFor()
  await admin.look('phone-job-jobserver')
  await admin.open('/job/jobinfo')
  const row = page.getByRole('row', { name: /Run reports that are due/ })
  await row.waitFor()
  const actions = await row.locator('td').last().boundingBox()
  for (const text of [/^Run reports that are due$/, /^next \d{4}-\d\d-\d\d \d\d:\d\d$/]) {
    const box = await row.getByText(text).boundingBox()
    expect(box?.x ?? -1).toBeGreaterThan(0)
    // What scrolls passes below the actions.
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(actions?.x ?? 0)
  }
  await admin.look('phone-job-jobinfo')
})
