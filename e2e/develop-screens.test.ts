import { expect, test } from 'vitest'
import { sitAt } from './support/screen.ts'
import { openConsole, ownServer } from './support/shell.ts'

// What a platform administrator does to have code made of a table: try a data source, make a model, set its columns, generate, compare.

const office = openConsole(
  [
    { account: 'admin1', realName: '赵管理', roles: ['admin'] },
    { account: 'operator1', realName: '钱平台', roles: ['administrator'] },
  ],
  ownServer,
)

test('[S7.28] the connection of a data source is tried, and what is wrong is said in words', async () => {
  const { desk } = await sitAt(office, 'operator1', '/tool/datasource')
  const { page, row, window } = desk
  await desk.button('新增').click()
  await desk.fill({
    数据源名称: '外部库',
    数据库类型: ['MySQL'],
    主机: 'db.example.org',
    端口: '3306',
    库名: 'stat',
    用户名: 'reader',
    密码: 'reading-only-7',
  })
  await desk.done()
  await desk.act(row('外部库'), '测试连接')
  await window.getByText('连接失败', { exact: true }).waitFor()
  await window.getByText(/地址不在允许之列.*KAOPU_DATA_SOURCES/).waitFor()
  await page.keyboard.press('Escape')
  await window.waitFor({ state: 'detached' })
})

test('[S7.27][S7.28] a model of a table becomes code: columns are set, the preview shows what has changed since', async () => {
  const { visitor, desk } = await sitAt(office, 'operator1', '/tool/model')
  const { page, row, window } = desk
  await desk.button('新增').click()
  await window.getByLabel('数据表').fill('examine_tip')
  await page.locator('.ant-select-dropdown:visible').getByText('examine_tip', { exact: true }).last().click()
  await expect.poll(() => window.getByLabel('模型编号').inputValue()).toBe('examine-tip')
  await window.getByLabel('数据表').fill('ticket_remark')
  await page.locator('.ant-select-dropdown:visible').getByText('ticket_remark', { exact: true }).last().click()
  // What follows from the table is filled in, and anew with another table.
  await expect.poll(() => window.getByLabel('模型编号').inputValue()).toBe('ticket-remark')
  await desk.fill({ 模型名称: '备注模型', 模型编号: 'remark-library' })
  await desk.done()
  await desk.act(row('备注模型'), '字段设置')
  await page.getByRole('heading', { name: '“备注模型”的字段' }).waitFor()
  await page.getByLabel('title 的名称').fill('标题')
  await page.getByLabel('content 的搜索', { exact: true }).check()
  await page.getByLabel('status 的列表').uncheck()
  await page.getByRole('button', { name: '保存', exact: true }).click()
  await desk.said('已保存，3 个字段有改动')
  await page.getByRole('button', { name: '重新读取表结构' }).click()
  await desk.said('新增 0 个，移除 0 个，变化 0 个')
  expect(await page.getByLabel('title 的名称').inputValue()).toBe('标题')

  await visitor.open('/tool/code')
  await desk.button('新增').click()
  await desk.fill({ 功能名称: '备注库', 数据模型: ['备注模型'], 类型: ['主子表'] })
  // Fields of a child or a tree are there for their kind only.
  await window.getByLabel('子表模型').waitFor()
  await desk.fill({ 类型: ['单表'] })
  await window.getByLabel('子表模型').waitFor({ state: 'detached' })
  expect(await window.getByLabel('树父级字段').count()).toBe(0)
  await window.getByLabel('所属模块').fill('ticket')
  await page.locator('.ant-select-dropdown:visible').getByText('ticket', { exact: true }).last().click()
  await desk.done()
  await desk.act(row('备注库'), '预览')
  await page.getByRole('heading', { name: '“备注库”的代码预览' }).waitFor()
  await page.getByText('尚未生成过，没有可比较的内容').waitFor()
  await page.getByRole('region', { name: '文件内容' }).getByText("'标题'").waitFor()
  await page.getByRole('button', { name: 'README-generated.md' }).click()
  await page.getByRole('region', { name: '文件内容' }).getByText('npm run nouns').first().waitFor()

  await page.getByRole('button', { name: '返回', exact: true }).click()
  const download = page.waitForEvent('download')
  await desk.act(row('备注库'), '生成代码')
  expect((await download).suggestedFilename()).toMatch(/^kaopu-code-remark-library-\d{4}-\d{2}-\d{2}\.zip$/)
  await desk.said('代码已生成并下载')

  const { records } = await visitor.ask('/blade-develop/model/list', {})
  await visitor.open(`/tool/model/${records[0].id}`)
  await page.getByLabel('title 的名称').fill('题名')
  await page.getByRole('button', { name: '保存', exact: true }).click()
  await desk.said('已保存，1 个字段有改动')
  const codes = await visitor.ask('/blade-develop/code/list', {})
  await visitor.open(`/tool/code/${codes.records[0].id}`)
  await page.getByRole('button', { name: '与上次生成比较' }).click()
  await page.locator('.develop-removed').getByText("'标题'").waitFor()
  await page.locator('.develop-added').getByText("'题名'").waitFor()

  const stranger = await sitAt(office, 'admin1', '/tool/code')
  await stranger.desk.page.getByRole('heading', { name: '没有访问权限' }).waitFor()
})
