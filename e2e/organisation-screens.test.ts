import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { workbook } from '../server/test/support/workbook.ts'
import { sitAt } from './support/screen.ts'
import { openConsole } from './support/shell.ts'

const office = openConsole([
  { account: 'admin1', realName: '赵管理', roles: ['admin'] },
  { account: 'clerk1', realName: '孙办事', roles: ['finance'] },
])

const onceOf = (page: Page) => page.getByRole('dialog', { name: '一次性密码', exact: true })
const sureOf = (page: Page) => page.getByRole('dialog', { name: '密码还没有复制' })
/** Closes the passwords without a copy of them, which is asked about. */
const closeOnce = async (page: Page) => {
  await onceOf(page).getByRole('button', { name: '关闭' }).last().click()
  await sureOf(page).getByRole('button', { name: '关闭', exact: true }).last().click()
  await onceOf(page).waitFor({ state: 'detached' })
}

/** A department to choose, and two people who asked for an account. */
const prepare = () =>
  office.backdoor.db(async db => {
    await db.run(
      sql`insert into dept (tenant_id, dept_name, full_name, dept_category, sort) values (${db.actor.tenantId}, '财务科', '区卫生健康局财务科', 2, 1)`,
    )
    for (const [account, name] of [
      ['guest1', '周申请'],
      ['guest2', '吴申请'],
    ])
      await db.run(sql`
        insert into account (tenant_id, account, account_key, user_type, nick_name, real_name, status, password_hash)
        select ${db.actor.tenantId}, ${account}, ${account}, 1, ${name}, ${name}, 0, password_hash from account where account = 'clerk1'`)
  })

test('[S7.19][S4.05][S4.06] users: one is added with roles and a department, its password is shown once, it is changed, locked, disabled and removed', async () => {
  await prepare()
  const { visitor, desk } = await sitAt(office, 'admin1', '/system/user')
  const { page, row, window } = desk
  const found = async (account: string) => (await visitor.ask('/blade-system/user/page', { account })).records[0]
  await desk.reach('新增')
  await desk.fill({ 账号: 'zhang.min', 姓名: '张敏' })
  // Without a role the account would open nothing: said before it is made.
  await window.getByRole('button', { name: '保存', exact: true }).click()
  await page.getByRole('dialog', { name: '没有选择角色' }).getByRole('button', { name: /取消/ }).click()
  await desk.fill({ 角色: ['财务'] })
  await page.keyboard.press('Escape')
  await window.getByLabel('部门', { exact: true }).click()
  await page.locator('.ant-select-dropdown:visible').getByText('财务科', { exact: true }).last().click()
  await page.keyboard.press('Escape')
  await window.getByRole('button', { name: '保存', exact: true }).click()
  const once = onceOf(page)
  const password = await once.locator('tbody code').innerText()
  expect(password.length).toBeGreaterThanOrEqual(12)
  // A slip does not lose what nobody can ask for again.
  await page.keyboard.press('Escape')
  await sureOf(page).getByRole('button', { name: /取消/ }).click()
  expect(await once.locator('tbody code').innerText()).toBe(password)
  await closeOnce(page)
  expect(await page.getByText(password).count()).toBe(0)
  expect(await found('zhang.min')).toMatchObject({ realName: '张敏', roleName: '财务', deptName: '财务科', status: 1, passwordDue: 1 })

  const own = row('zhang.min')
  await desk.find({ 账号: 'zhang.min' })
  await desk.act(own, '编辑')
  await desk.fill({ 姓名: '张敏敏' })
  await desk.done()
  await own.getByText('张敏敏').waitFor()
  await desk.act(own, '角色配置')
  await window.getByRole('checkbox', { name: /初审员/ }).check()
  await desk.done()
  expect((await found('zhang.min')).roleName.split(',')).toHaveLength(2)
  // Whoever would find nothing after logging in is asked about here as in the form.
  await desk.act(own, '角色配置')
  for (const name of [/初审员/, /财务/]) await window.getByRole('checkbox', { name }).uncheck()
  await window.getByRole('button', { name: '保存', exact: true }).click()
  const asked = page.getByRole('dialog', { name: '没有选择角色' })
  await asked.getByText(/张敏敏\s+这个账号登录后打不开任何功能/).waitFor()
  await asked.getByRole('button', { name: '取消', exact: true }).click()
  expect((await found('zhang.min')).roleName.split(',')).toHaveLength(2)
  await window.getByRole('checkbox', { name: /财务/ }).check()
  await desk.done()
  expect((await found('zhang.min')).roleName).toBe('财务')
  await desk.act(own, '登录日志')
  await page.waitForURL(/\/monitor\/authLog\?account=zhang\.min$/)
  expect(await page.getByRole('search').getByLabel('账号').inputValue()).toBe('zhang.min')
  await page.goBack()
  await desk.act(own, '锁定')
  await desk.refused('请输入锁定原因', '锁定')
  await window.getByLabel('锁定原因').fill('外出培训')
  await desk.done('锁定')
  await own.getByText('锁定', { exact: true }).first().waitFor()
  await desk.act(own, '解锁')
  await window.getByLabel('解锁原因').fill('培训结束')
  await desk.done('解锁')
  await office.backdoor.db(db =>
    db.run(sql`update account set leader_id = (select id::text from account where account = 'zhang.min') where account = 'clerk1'`),
  )
  await desk.act(own, '停用')
  // What ends with it is said before it is done.
  await window.getByText('他人的上级：1 项').waitFor()
  await window.getByText('孙办事').waitFor()
  await window.getByText('1 项：按部门负责人办理').waitFor()
  await visitor.look('user-held-work')
  await desk.answer(/停用 张敏敏/, '停用')
  await own.getByText('停用', { exact: true }).first().waitFor()
  await desk.act(own, '启用')
  await desk.answer(/启用 张敏敏/, '启用')
  await own.getByText('正常', { exact: true }).waitFor()
  await desk.act(own, '重置密码')
  await desk.answer(/为 张敏敏 生成新的一次性密码/, '重置密码')
  expect(await once.locator('tbody code').innerText()).not.toBe(password)
  await closeOnce(page)
  await desk.act(own, '删除')
  await desk.answer(/张敏敏/, '删除')
  await own.waitFor({ state: 'detached' })
  expect(await found('zhang.min')).toBeUndefined()
})

test('[S7.19][S4.06] registrations are decided on the page of users: one is let in, the other is refused with a reason', async () => {
  const { visitor, desk } = await sitAt(office, 'admin1', '/system/user')
  const { row, window } = desk
  const statusOf = async (account: string) => (await visitor.ask('/blade-system/user/page', { account })).records[0]?.status
  await desk.button('审核模式').click()
  await row('guest1').waitFor()
  await row('clerk1').waitFor({ state: 'detached' })
  await desk.act(row('guest1'), '通过')
  await desk.answer(/通过 周申请 的注册申请/, '通过')
  await row('guest1').waitFor({ state: 'detached' })
  await desk.tick(row('guest2'))
  await desk.button('拒绝').first().click()
  await desk.refused('请输入拒绝原因', '拒绝')
  await window.getByLabel('拒绝原因').fill('不是本单位人员')
  await desk.done('拒绝')
  await row('guest2').waitFor({ state: 'detached' })
  expect([await statusOf('guest1'), await statusOf('guest2')]).toEqual([1, 3])
  await desk.button('返回列表').click()
  await row('clerk1').waitFor()
})

test('[S7.19][issue 4 section 4] users come in by a workbook that is mended on the screen, and leave as they are searched', async () => {
  const { visitor, desk } = await sitAt(office, 'admin1', '/system/user')
  await desk.button('导入用户').click()
  // The question about passwords opens over it as soon as the rows are in.
  const window = visitor.page.getByRole('dialog', { name: '导入用户' })
  const rows = [
    ['账号', '姓名', '昵称', '手机', '邮箱', '角色', '部门'],
    ['li.ping', '李平', '', '', '', '财务', ''],
    ['he.jun', '何军', '', '', '', '没有的角色', ''],
  ]
  await window
    .locator('input[type=file]')
    .setInputFiles({ name: '用户.xlsx', mimeType: 'application/octet-stream', buffer: await workbook(rows) })
  await window
    .getByRole('region', { name: '错误明细' })
    .getByRole('row')
    .filter({ hasText: /没有的角色/ })
    .waitFor()
  await window.getByLabel('第 3 行 角色 的正确内容').fill('财务')
  await window.getByRole('button', { name: /更正重新检查/ }).click()
  await window.getByRole('button', { name: '导入 2 行' }).click()
  await window.getByText('新增 2 行').waitFor()
  // Who came in has no password yet: they are made at once, for these alone.
  await desk.answer(/2 个导入的用户还没有密码/, '生成一次性密码')
  await onceOf(desk.page).locator('tbody code').first().waitFor()
  expect((await onceOf(desk.page).locator('tbody th').allInnerTexts()).sort()).toEqual(['he.jun', 'li.ping'])
  await closeOnce(desk.page)
  await desk.find({ 账号: 'he.jun' })
  await desk.row('he.jun').waitFor()
  expect((await visitor.ask('/blade-system/user/page', { account: 'he.jun' })).records).toMatchObject([
    { realName: '何军', roleName: '财务' },
  ])
  const left = (await desk.book()).flat()
  expect([left.includes('he.jun'), left.includes('li.ping')]).toEqual([true, false])
})
