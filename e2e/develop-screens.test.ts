import { test } from 'vitest'
import { sitAt } from './support/screen.ts'
import { openConsole, ownServer } from './support/shell.ts'

// What a platform administrator does before code is made of a table.

const office = openConsole([{ account: 'operator1', realName: '钱平台', roles: ['administrator'] }], ownServer)

test('[S7.28] the connection of a data source is tried, and what is wrong is said in words', async () => {
  const { desk } = await sitAt(office, 'operator1', '/tool/datasource')
  const { page, row, window } = desk
  await desk.button('新增').click()
  await desk.fill({ 数据源名称: '外部库', 数据库类型: ['MySQL'], 主机: 'db.example.org', 端口: '3306', 库名: 'stat', 用户名: 'reader' })
  await desk.done()
  await desk.act(row('外部库'), '测试连接')
  await window.getByText('连接失败', { exact: true }).waitFor()
  await window.getByText(/地址不在允许之列.*KAOPU_DATA_SOURCES/).waitFor()
  await page.keyboard.press('Escape')
  await window.waitFor({ state: 'detached' })
})
