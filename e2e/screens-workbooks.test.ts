import { expect, test } from 'vitest'
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

test('[S7.15][issue 4 section 4] departments come in by a workbook that is checked first, and go out again', async () => {
  const { visitor, desk } = await sitAt(office, 'admin1', '/system/dept')
  const { page, window } = desk
  const choose = async (name: string, rows: readonly (readonly string[])[]) =>
    window
      .locator('input[type=file]')
      .setInputFiles({ name, mimeType: 'application/octet-stream', buffer: await workbook([header, ...rows]) })
  await desk.button('导入部门').click()
  await choose('部门.xlsx', [
    ['', '中心医院', '', '机构', 'nobody.here'],
    ['没有的医院', '内科', '', '科室'],
  ])
  await window.getByText('没有这名工作人员: nobody.here').first().waitFor()
  await window.getByText('上级部门不存在，也不在文件中').first().waitFor()
  await window.getByRole('button', { name: '下载错误工作簿' }).waitFor()
  expect(await desk.row('中心医院').count()).toBe(0)
  await window.getByRole('button', { name: '重新选择' }).click()
  await choose('部门.xlsx', [
    ['中心医院', '内科', '中心医院内科', '科室'],
    ['', '中心医院', '', '机构', 'clerk1'],
  ])
  await window.getByRole('button', { name: '导入 2 行' }).click()
  await window.getByText('新增 2 行').waitFor()
  await window.getByRole('button', { name: '关闭' }).last().click()
  await desk.row('中心医院').first().waitFor()
  await desk.find({ 部门名称: '内科' })
  await desk.row('中心医院内科').waitFor()
  expect((await desk.book()).slice(1)).toEqual([header, expect.arrayContaining(['中心医院', '内科', '中心医院内科', '科室'])])
  expect(await page.getByRole('alert').count()).toBe(0)
  expect(
    (await visitor.ask('/blade-system/dept/lazy-list', { deptName: '内科' })).map((row: { parentName: string }) => row.parentName),
  ).toEqual(['中心医院'])
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
  expect((await search('/system/topmenu', {}))[1]).toEqual(['菜单编号', '菜单名称', '英文名称', '图标', '排序'])
  const logins = await search('/monitor/authLog', { 账号: 'admin1' })
  expect(logins.slice(2).every(row => row[1] === 'admin1' && row[4] === '成功')).toBe(true)
  expect((await search('/monitor/authLock', {}))[1]?.slice(0, 3)).toEqual(['账号', '姓名', '类型'])
  const keeper = await sitAt(office, 'keeper1', '/system/role')
  const roles = await search('/system/role', { 角色别名: 'finance' }, keeper)
  expect(roles.slice(2).map(row => row.slice(1, 4))).toEqual([['财务', 'Finance', 'finance']])
  expect((await search('/system/dataScope', {}, keeper))[1]).toEqual(['名称', '业务对象', '范围', '条件'])
  expect((await search('/system/apiScope', {}, keeper))[1]?.slice(0, 2)).toEqual(['名称', '权限编码'])
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
