import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { workbook } from '../server/test/support/workbook.ts'
import { sitAt } from './support/screen.ts'
import { openConsole } from './support/shell.ts'

// What leaves the screens of system administration as a workbook, and the departments that come back as one.

const office = openConsole([
  { account: 'admin1', realName: '赵管理', roles: ['admin'] },
  { account: 'keeper1', realName: '钱安全', roles: ['secadmin'] },
  { account: 'clerk1', realName: '孙办事', roles: ['finance'] },
])
const header = ['上级部门', '部门名称', '部门全称', '部门类型', '负责人账号', '排序', '备注']

test('[S7.15][issue 4 section 4] departments come in by a workbook that is checked first, is mended on the screen, and go out again', async () => {
  const { visitor, desk } = await sitAt(office, 'admin1', '/system/dept')
  const { page, window } = desk
  const file = window.locator('input[type=file]')
  await desk.button('导入部门').click()
  const rows = [
    ['', '中心医院', '', '机构', 'nobody.here'],
    ['没有的医院', '内科', '中心医院内科', '科室'],
  ]
  await file.setInputFiles({ name: '部门.xlsx', mimeType: 'application/octet-stream', buffer: await workbook([header, ...rows]) })
  // Row, column and reason of what is wrong; nothing is written.
  const wrong = window.getByRole('region', { name: '错误明细' }).getByRole('row')
  await wrong.filter({ hasText: /^2\s*E 负责人账号\s*没有这名工作人员: nobody\.here/ }).waitFor()
  await wrong.filter({ hasText: /^3\s*A 上级部门\s*上级部门不存在，也不在文件中/ }).waitFor()
  expect([await desk.row('中心医院').count(), await window.getByRole('button', { name: /^导入 \d+ 行$/ }).isDisabled()]).toEqual([0, true])
  const marked = await desk.book('下载错误工作簿')
  expect(marked[0]).toEqual([...header, '校验结果', '错误原因'])
  expect(marked.slice(1).map(row => row.at(-1))).toEqual([
    '负责人账号: 没有这名工作人员: nobody.here',
    '上级部门: 上级部门不存在，也不在文件中',
  ])
  await window.getByLabel('第 2 行 负责人账号 的正确内容').fill('clerk1')
  await window.getByLabel('第 3 行 上级部门 的正确内容').fill('中心医院')
  await window.getByRole('button', { name: '用 2 处更正重新检查' }).click()
  await window.getByRole('button', { name: '导入 2 行' }).click()
  await window.getByText('新增 2 行').waitFor()
  await window.getByRole('button', { name: '关闭' }).last().click()
  await desk.row('中心医院').first().waitFor()
  await desk.find({ 部门名称: '内科' })
  await desk.row('中心医院内科').waitFor()
  expect((await desk.book()).slice(1)).toEqual([header, expect.arrayContaining(['中心医院', '内科', '中心医院内科', '科室'])])
  // What left comes back as it is: it says in its first row who took it.
  const [left] = await Promise.all([page.waitForEvent('download'), desk.button('导出').click()])
  await desk.button('导入部门').click()
  await file.setInputFiles({
    name: left.suggestedFilename(),
    mimeType: 'application/octet-stream',
    buffer: await readFile(await left.path()),
  })
  await window.getByRole('button', { name: '导入 1 行' }).click()
  await window.getByText('跳过 1 行').waitFor()
  await window.getByRole('button', { name: '关闭' }).last().click()
  // Search pressed again shows what somebody else has changed since.
  await office.backdoor.db(db => db.run(sql`update dept set full_name = '中心医院心内科' where dept_name = '内科'`))
  await desk.find({})
  await desk.row('中心医院心内科').waitFor()
  expect(await page.getByRole('alert').count()).toBe(0)
  expect(
    (await visitor.ask('/blade-system/dept/lazy-list', { deptName: '内科' })).map((row: { parentName: string }) => row.parentName),
  ).toEqual(['中心医院'])
})

test('[S7.18][S2.50][issue 4 section 4] dictionaries, posts and parameters come in by workbooks of the columns they leave by', async () => {
  const { desk, visitor } = await sitAt(office, 'admin1', '/system/dictbiz')
  const { page, window } = desk
  const give = async (button: string, rows: readonly (readonly string[])[]) => {
    await desk.button(button).click()
    await window
      .locator('input[type=file]')
      .setInputFiles({ name: '导入.xlsx', mimeType: 'application/octet-stream', buffer: await workbook(rows) })
  }
  const store = async (rows: number, done: string) => {
    await window.getByRole('button', { name: `导入 ${rows} 行` }).click()
    await window.getByText(done).waitFor()
    await window.getByRole('button', { name: '关闭' }).last().click()
  }
  await give('导入字典', [
    ['字典编号', '字典键值', '字典名称', '排序'],
    ['blood', '', '血型', '90'],
    ['blod', '1', 'A 型', ''],
  ])
  await window.getByLabel('第 3 行 字典编号 的正确内容').fill('blood')
  await window.getByRole('button', { name: '用 1 处更正重新检查' }).click()
  await store(2, '新增 2 行')
  await desk.row('血型').waitFor()
  await visitor.open('/system/post')
  await give('导入职务', [
    ['职务类型', '职务编号', '职务名称', '排序', '备注'],
    ['中层', 'BGS', '办公室主任', '9', '临时'],
  ])
  await store(1, '新增 1 行')
  await desk.row('办公室主任').getByText('中层').waitFor()
  expect((await desk.book())[1]).toEqual(['职务类型', '职务编号', '职务名称', '排序', '备注'])
  await visitor.open('/system/param')
  await give('导入系统参数', [
    ['参数名称', '参数键名', '参数键值'],
    ['登录失败锁定次数', 'account.failCount', '99'],
  ])
  await window.getByLabel('第 2 行 参数键值 的正确内容').fill('4')
  await window.getByRole('button', { name: '用 1 处更正重新检查' }).click()
  await store(1, '更新 1 行')
  await desk.find({ 参数键名: 'account.failCount' })
  await desk.row('account.failCount').getByText('本租户').waitFor()
  expect(await page.getByRole('alert').count()).toBe(0)
})

test('[S7.17][S7.20][S7.06][issue 4 section 4] roles, menus, top menus, scopes, log-ins and locks leave as they are searched', async () => {
  const admin = await sitAt(office, 'admin1', '/system/menu')
  const search = async (path: string, values: Readonly<Record<string, string>>, seat = admin) => {
    await seat.visitor.open(path)
    await seat.desk.find(values)
    return seat.desk.book()
  }
  const menus = await search('/system/menu', { 菜单编号: 'dept_import' })
  expect(menus.slice(2).map(row => row.slice(0, 3))).toEqual([['系统管理 / 部门管理', 'dept_import', '导入']])
  expect((await search('/system/topmenu', {}))[1]).toEqual(['菜单编号', '菜单名称', '英文名称', '图标', '排序', '主菜单'])
  const logins = await search('/monitor/authLog', { 账号: 'admin1' })
  expect(logins.slice(2).every(row => row[1] === 'admin1' && row[4] === '成功')).toBe(true)
  expect((await search('/monitor/authLock', {}))[1]?.slice(0, 3)).toEqual(['账号', '姓名', '类型'])
  const keeper = await sitAt(office, 'keeper1', '/authority/role')
  const roles = await search('/authority/role', { 角色别名: 'finance' }, keeper)
  expect(roles.slice(2).map(row => row.slice(1, 4))).toEqual([['财务', 'Finance', 'finance']])
  expect((await search('/authority/datascope', {}, keeper))[1]).toEqual(['名称', '业务对象', '范围', '条件'])
  expect((await search('/authority/apiscope', {}, keeper))[1]?.slice(0, 2)).toEqual(['名称', '权限编码'])
})

test('[S4.06][S7.19] an unlock on the page of users asks for its reason, in both languages', async () => {
  const { desk, visitor } = await sitAt(office, 'admin1', '/system/user', { language: 'en' })
  const [clerk] = (await visitor.ask('/blade-system/user/page', { account: 'clerk1' })).records
  expect(clerk.account).toBe('clerk1')
  await desk.act(desk.row('clerk1'), 'Lock')
  await desk.window.getByRole('textbox').fill('on leave')
  await desk.done('Lock')
  await desk.act(desk.row('clerk1'), 'Unlock')
  await desk.refused('Please enter the reason', 'Unlock')
  await desk.window.getByLabel('Reason for the unlock').fill('came back')
  await desk.done('Unlock')
  expect((await visitor.ask('/blade-system/user/detail', { id: clerk.id })).status).toBe(1)
})
