import { expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { checkAccess, settle } from './support/axe.ts'
import { openConsole } from './support/shell.ts'

const office = openConsole([
  { account: 'admin1', realName: '赵管理', roles: ['admin'] },
  { account: 'auditor1', realName: '孙审计', roles: ['auditor'] },
])

test('[S6.03][S6.04] a role’s fields are masked and hidden on one screen, and its people see that at once', async () => {
  await office.backdoor.db(db =>
    db.run(sql`update account set phone_mask = '138****1234', email = 'zhang@example.com' where account = 'admin1'`),
  )
  // A role of the tenant's own that sees people; the auditor's fields are ruled by nobody (ADR 0116).
  await office.backdoor.db(async db => {
    await db.run(sql`
      delete from role_menu rm using role r, menu m where r.id = rm.role_id and m.id = rm.menu_id and r.role_alias = 'auditor' and m.code ~ '^(auditlog|alert|watchrule)'`)
    await db.run(sql`update role set role_alias = 'viewer', role_name = '查看员' where role_alias = 'auditor'`)
  })
  const { page, open } = await office.enter('admin1')
  const auditor = await office.enter('auditor1')
  await auditor.open('/system/user')
  await auditor.page.getByRole('row', { name: /赵管理/ }).waitFor()

  await open('/authority/role')
  await page
    .getByRole('row', { name: /查看员/ })
    .getByRole('button', { name: '字段权限' })
    .click()
  await page.getByRole('heading', { name: '字段权限' }).waitFor()
  await expect.poll(() => page.getByLabel('角色', { exact: true }).locator('option:checked').innerText()).toBe('查看员')
  // Facts stand above the nouns, each with where its copies are; of a noun there is what no other tells.
  const name = page.getByRole('group', { name: '姓名', exact: true }).first()
  await name.getByRole('radio', { name: /完整显示/ }).focus()
  await page.keyboard.press('ArrowDown')
  expect(await name.getByRole('radio', { name: /部分显示/ }).isChecked()).toBe(true)
  await name.getByText('欧阳*').waitFor()
  await page
    .getByRole('group', { name: '电子邮箱', exact: true })
    .getByRole('radio', { name: /不显示/ })
    .check()
  expect(await name.getByText(/^出现在：/).innerText()).toMatch(/用户、报名信息、准考证、成绩.*应缴/)
  // With the keyboard: a noun is opened and the arrow keys choose.
  await page.locator('summary', { hasText: /^应缴$/ }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('姓名、证件号后四位、首次登记人、登记人：按上方“个人信息”的设置。').waitFor()
  await page
    .getByRole('group', { name: '可退金额', exact: true })
    .first()
    .getByRole('radio', { name: /不显示/ })
    .check()
  await page.getByText('有 3 项改动未保存').waitFor()
  await settle(page)
  expect(await checkAccess(page)).toEqual([])
  await page.getByRole('button', { name: '保存' }).click()
  await page.getByText('没有改动').waitFor()
  const rules = await office.backdoor.db(db => db.all(sql`select noun, field, level from role_field_rule order by noun, field`))
  expect(rules).toEqual([
    { noun: 'exampay', field: 'leftAmount', level: 2 },
    { noun: 'fact', field: 'email', level: 2 },
    { noun: 'fact', field: 'name', level: 1 },
  ])

  await auditor.page.reload()
  await auditor.page.getByRole('row', { name: /赵\*\*/ }).waitFor()
  expect(await auditor.page.getByText('赵管理').count()).toBe(0)
  // What is not seen in full is no condition of the search, once the page has heard of it: the rows may come first.
  const search = auditor.page.getByLabel('姓名', { exact: true })
  await search.waitFor({ state: 'detached' })
  await auditor.open('/monitor/online')
  await auditor.page.getByRole('row', { name: /赵\*\*/ }).waitFor()
  await auditor.page.getByLabel('账号', { exact: true }).waitFor()
  await search.waitFor({ state: 'detached' })

  await open('/system/viewAs')
  await page.getByRole('button', { name: /孙审计/ }).click()
  await page.getByRole('tab', { name: '字段' }).click()
  await page.getByText('姓名 · 部分显示').first().waitFor()
  await page.getByText('邮箱 · 不显示').first().waitFor()
})
