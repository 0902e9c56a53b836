import { expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { checkAccess, settle } from './support/axe.ts'
import { openConsole } from './support/shell.ts'

const office = openConsole([
  { account: 'admin1', realName: '赵管理', roles: ['admin'] },
  { account: 'liaison', realName: '秦院校', roles: ['school'] },
])

test('[S6.02][S6.04][S7.15][S7.17][S7.20] a menu is made and granted, rows are narrowed, and what the person sees is looked at', async () => {
  const { page, open } = await office.enter('admin1')
  const dialog = page.getByRole('dialog')
  const save = async () => {
    await dialog.getByRole('button', { name: '保存' }).click()
    await dialog.waitFor({ state: 'detached' })
  }
  const clean = async () => {
    await settle(page)
    expect(await checkAccess(page)).toEqual([])
  }

  await open('/system/menu')
  await page.getByRole('button', { name: '新增菜单' }).click()
  await dialog.getByLabel('菜单名称').fill('院校职务')
  await dialog.getByLabel('英文名称').fill('School posts')
  await dialog.getByLabel('菜单编号').fill('schoolpost')
  await dialog.getByLabel('路由地址').fill('/nowhere')
  await dialog.getByText('还没有页面使用这个地址').waitFor()
  await dialog.getByLabel('路由地址').fill('https://example.org/posts')
  await dialog.getByText('在框架页中打开外部网址').waitFor()
  await clean()
  await save()
  await page.getByRole('row', { name: /院校职务/ }).waitFor()

  await open('/authority/datascope')
  await page.getByRole('button', { name: '新增', exact: true }).click()
  await dialog.getByLabel('名称', { exact: true }).fill('只看排序 5 以内')
  await dialog.getByLabel('业务对象').selectOption('post')
  await dialog.getByRole('button', { name: '添加条件' }).click()
  await dialog.getByLabel('字段 1').selectOption('sort')
  await dialog.getByLabel('比较 1').selectOption('le')
  await dialog.getByLabel('值 1', { exact: true }).fill('5')
  await clean()
  await save()
  await page.getByRole('row', { name: /只看排序 5 以内/ }).waitFor()

  await open('/authority/role')
  await page
    .getByRole('row', { name: /院校联络员/ })
    .getByRole('button', { name: '权限设置' })
    .click()
  await dialog.getByLabel('查找').fill('院校职务')
  await dialog.getByLabel('院校职务').check()
  await dialog.getByLabel('查找').fill('post_view')
  await dialog.getByLabel(/^查看/).check()
  await clean()
  await dialog.getByRole('tab', { name: '数据权限' }).click()
  await dialog.getByRole('tabpanel', { name: '数据权限' }).getByLabel('查找').fill('只看')
  await dialog.getByLabel('只看排序 5 以内').check()
  await save()
  const held = await office.backdoor.db(db =>
    db.all(sql<{ code: string }>`
      select m.code from role_menu rm join menu m on m.id = rm.menu_id join role r on r.id = rm.role_id
      where r.role_alias = 'school' and m.code = any('{schoolpost,post_view,post}') order by 1`),
  )
  expect(held.map(row => row.code)).toEqual(['post', 'post_view', 'schoolpost'])

  await open('/system/viewAs')
  await page.getByRole('button', { name: /秦院校/ }).click()
  await page.getByRole('tabpanel', { name: '菜单' }).getByText('院校职务').waitFor()
  await page.getByRole('tab', { name: '数据' }).click()
  await expect.poll(() => page.getByRole('row', { name: /职务/ }).first().innerText()).toContain('只看排序 5 以内')
  await clean()

  const liaison = await office.enter('liaison')
  await liaison.page.getByRole('link', { name: '院校职务' }).first().waitFor()

  // Taken away while somebody works: the first list that is refused says so, and the menu follows without a new start.
  const link = liaison.page.locator('.sider').getByRole('link', { name: '职务管理' })
  await liaison.open('/system/post')
  await liaison.page.getByText('0 条结果').waitFor()
  await link.first().waitFor()
  await open('/authority/role')
  await page
    .getByRole('row', { name: /院校联络员/ })
    .getByRole('button', { name: '权限设置' })
    .click()
  await dialog.getByLabel('查找').fill('职务管理')
  await dialog.getByLabel('职务管理', { exact: true }).uncheck()
  await save()
  liaison.expectRefusal(403)
  await liaison.page.locator('main').getByRole('button', { name: '搜索', exact: true }).click()
  await expect.poll(() => link.count()).toBe(0)
})

test('[26.12] a role that is left without a menu is asked about: whoever has no other finds nothing after logging in', async () => {
  await office.backdoor.db(async db => {
    const { id } = await db.one(sql<{ id: string }>`
      insert into role (tenant_id, role_name, role_alias, sort) values (${db.actor.tenantId}, '前台', 'desk', 99) returning id::text as id`)
    await db.run(sql`
      insert into role_menu (tenant_id, role_id, menu_id)
      select ${db.actor.tenantId}, ${id}, id from menu where code = any('{post,post_view}') and not is_deleted`)
  })
  const { page, open } = await office.enter('admin1')
  await open('/authority/role')
  await page.getByRole('row', { name: /前台/ }).getByRole('button', { name: '权限设置' }).click()
  const window = page.getByRole('dialog', { name: /权限设置/ })
  await window.getByLabel('查找').fill('职务管理')
  await window.getByRole('checkbox', { name: '职务管理' }).uncheck()
  await window.getByRole('button', { name: '保存' }).click()
  const asked = page.getByRole('dialog', { name: '没有勾选任何菜单' })
  await asked.getByText('拥有这个角色、没有其他角色的人登录后打不开任何功能。').waitFor()
  await asked.getByRole('button', { name: '取消', exact: true }).click()
  const held = await office.backdoor.db(db =>
    db.all(sql<object>`select 1 from role_menu rm join role r on r.id = rm.role_id where r.role_alias = 'desk'`),
  )
  expect(held).toHaveLength(2)
})
