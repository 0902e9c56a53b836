import { expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { workbook } from '../server/test/support/workbook.ts'
import { sitAt } from './support/screen.ts'
import { openConsole } from './support/shell.ts'

const office = openConsole([
  { account: 'admin1', realName: '赵管理', roles: ['admin'] },
  { account: 'keys1', realName: '钱安全', roles: ['secadmin'] },
  { account: 'watch1', realName: '孙审计', roles: ['auditor'] },
])
/** Who is refused, why, and who can do it instead. */
const apart = /^“审计监督”属于或含有与您的角色须分开的权限，须由不同的人担任.*请由系统运维人员用服务器上的命令 admin 办理$/
const apartInEnglish = /^“.+” is kept apart from your role.*the operator of the server does so with its command admin$/

const stateOf = () =>
  office.backdoor.db(db =>
    db.all(sql<object>`
      select a.account, a.status, a.version, a.real_name, (select array_agg(role_id order by role_id) from account_role where user_id = a.id) as roles
      from account a where a.account in ('watch1', 'keys1') or a.account like 'new%' order by 1`),
  )

test('[19.18] the administrator is told why nothing can be done to the auditor and who can, and what was typed stays', async () => {
  const before = await stateOf()
  const { visitor, desk } = await sitAt(office, 'admin1', '/system/user')
  const { page, row, window } = desk
  await desk.find({ 账号: 'watch1' })
  const auditor = row('watch1')
  const close = async () => {
    await window.getByRole('button', { name: '取消', exact: true }).click()
    await window.getByRole('button', { name: '离开', exact: true }).click()
    await expect.poll(() => page.locator('[role=dialog]:visible').count()).toBe(0)
  }
  const gone = () => page.locator('.toast').getByRole('button').first().click()

  visitor.expectRefusal(403)
  await desk.act(auditor, '锁定')
  await window.getByLabel('锁定原因').fill('借调到别的单位')
  await window.getByRole('button', { name: '锁定', exact: true }).last().click()
  await desk.said(apart)
  expect(await window.getByLabel('锁定原因').inputValue()).toBe('借调到别的单位')
  await visitor.look('apart-lock')
  await gone()
  await close()

  visitor.expectRefusal(403)
  await desk.act(auditor, '编辑')
  await desk.fill({ 姓名: '孙改名' })
  await window.getByRole('button', { name: '保存', exact: true }).click()
  await desk.said(apart)
  expect(await window.getByLabel('姓名', { exact: true }).inputValue()).toBe('孙改名')
  await gone()
  await close()

  visitor.expectRefusal(403)
  await desk.act(auditor, '角色配置')
  await window.getByRole('checkbox', { name: /院校联络员/ }).check()
  // What cannot be given says so before anybody tries.
  expect(await window.getByRole('checkbox', { name: /安全管理员 须与您的角色分开/ }).isDisabled()).toBe(true)
  await window.getByRole('button', { name: '保存', exact: true }).click()
  await desk.said(apart)
  expect(await window.getByRole('checkbox', { name: /院校联络员/ }).isChecked()).toBe(true)
  await visitor.look('apart-roles')
  await gone()
  await close()

  for (const [action, button] of [
    ['重置密码', '重置密码'],
    ['停用', '停用'],
    ['删除', '删除'],
  ] as const) {
    visitor.expectRefusal(403)
    await desk.act(auditor, action)
    await window.getByRole('button', { name: button, exact: true }).last().click()
    await desk.said(apart)
    await gone()
  }
  expect(await stateOf()).toEqual(before)
})

test('[19.18] a workbook with an auditor in it is refused at the cell of the role, which can be mended where it stands', async () => {
  const before = await stateOf()
  const { visitor, desk } = await sitAt(office, 'admin1', '/system/user')
  const { page } = desk
  await desk.button('导入用户').click()
  const dialog = page.getByRole('dialog', { name: /导入/ })
  const book = await workbook([
    ['账号*', '姓名*', '昵称', '手机', '邮箱', '角色*', '部门', '职务', '用户编号', '单位编码', '出生日期'],
    ['new.one', '周新', '', '', '', '财务', '', '', '', '', ''],
    ['new.two', '吴新', '', '', '', '审计监督', '', '', '', '', ''],
  ])
  await dialog
    .locator('input[type=file]')
    .setInputFiles({ name: '用户.xlsx', mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', buffer: book })
  const findings = dialog.getByRole('region')
  await findings.getByRole('row').nth(1).waitFor()
  const text = (await findings.innerText()).replaceAll(/\s+/g, ' ')
  expect(text).toContain('“审计监督”与您的角色须由不同的人担任')
  expect(text).toContain('的命令 admin 办理')
  await visitor.look('apart-import')
  expect(await stateOf()).toEqual(before)
})

test('[19.18] a role that would join what is kept apart: the security administrator is told which right, and the ticks stay', async () => {
  // As the administrator made it: it looks after people.
  await office.backdoor.db(async db => {
    const { id } = await db.one(sql<{ id: string }>`
      insert into role (tenant_id, role_name, role_alias, sort) values (${db.actor.tenantId}, '前台', 'desk', 99) returning id::text as id`)
    await db.run(sql`
      insert into role_menu (tenant_id, role_id, menu_id)
      select ${db.actor.tenantId}, ${id}, id from menu where code = any('{user_view,user_add}') and not is_deleted`)
  })
  const held = () =>
    office.backdoor.db(db =>
      db.all(sql<{ code: string }>`
        select m.code from role_menu rm join menu m on m.id = rm.menu_id join role r on r.id = rm.role_id where r.role_alias = 'desk' order by 1`),
    )
  const { visitor, desk } = await sitAt(office, 'keys1', '/authority/role')
  const { page, window } = desk
  await desk.act(desk.row('前台'), '权限设置')
  await window.getByText('须与您的角色分开的权限不在其中，保存时保持不变').waitFor()
  await window.getByLabel('查找').first().fill('watchrule_edit')
  const edit = window.getByRole('checkbox', { name: /^修改/ })
  await edit.check()
  visitor.expectRefusal(409)
  await window.getByRole('button', { name: '保存', exact: true }).click()
  await desk.said(/^前台会同时拥有.*须分开的权限，不能授予（请取消勾选，可另设角色由不同的人担任）：告警规则 › 修改/)
  expect(await edit.isChecked()).toBe(true)
  await visitor.look('apart-role')
  expect((await held()).map(one => one.code)).toEqual(['user_add', 'user_view'])
  expect(await page.locator('[role=dialog]:visible').count()).toBe(1)
})

test('[19.18] in English too', async () => {
  const { visitor, desk } = await sitAt(office, 'admin1', '/system/user', { language: 'en' })
  const { page, row, window } = desk
  await desk.find({ Account: 'watch1' })
  visitor.expectRefusal(403)
  await desk.act(row('watch1'), 'Lock')
  await window.getByRole('textbox').last().fill('moved to another office')
  await window.getByRole('button', { name: 'Lock', exact: true }).last().click()
  await desk.said(apartInEnglish)
  expect(await window.getByRole('textbox').last().inputValue()).toBe('moved to another office')
  await visitor.look('apart-lock-en')
  expect(await page.locator('[role=dialog]:visible').count()).toBe(1)
})
