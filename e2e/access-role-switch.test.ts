import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { openConsole } from './support/shell.ts'

const office = openConsole([
  { account: 'liang', realName: '梁两职', roles: ['exam_admin', 'finance'] },
  { account: 'yi', realName: '易一职', roles: ['finance'] },
])
beforeAll(() =>
  office.backdoor.db(async db => {
    const ids: string[] = []
    for (const name of ['人事科', '财务科']) {
      const { id } = await db.one(sql<{ id: string }>`
        insert into dept (tenant_id, dept_name, full_name, dept_category, sort) values (${db.actor.tenantId}, ${name}, ${name}, 2, 9) returning id::text as id`)
      ids.push(id)
    }
    await db.run(sql`update account set dept_id = ${ids.join(',')} where account = 'liang'`)
  }),
)

const menu = (page: Page) => page.getByRole('navigation', { name: '主菜单' })
const names = (page: Page) => menu(page).locator('.menu-item[data-depth="0"]').allInnerTexts()
const user = (page: Page) => page.getByRole('banner').getByRole('button', { name: /用户菜单/ })
const open = async (page: Page) => {
  await user(page).click()
  await page.getByRole('menuitem', { name: '切换角色或部门' }).click()
  return page.getByRole('dialog', { name: '切换角色或部门' })
}

describe('[S2.31][S6.07] the console works on with one of the person’s roles', () => {
  test('menus and calls follow the choice, by keyboard too, and all roles come back', async () => {
    const visitor = await office.enter('liang')
    const { page } = visitor
    await expect.poll(() => names(page)).toContain('考试管理')
    const dialog = await open(page)
    await expect.poll(() => dialog.getByRole('group', { name: '部门' }).getByRole('radio').count()).toBe(3)
    await dialog.getByRole('radio', { name: '全部角色' }).focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => dialog.getByRole('radio', { name: '财务', exact: true }).isChecked()).toBe(true)
    await dialog.getByRole('radio', { name: '财务科' }).check()
    await page.keyboard.press('Enter')
    await expect.poll(() => names(page).then(list => list.includes('缴费') && !list.includes('考试管理'))).toBe(true)
    await expect.poll(() => user(page).textContent()).toContain('财务 / 梁两职')
    const rows = await office.backdoor.db(db =>
      db.all(sql<{ roles: number; depts: string; narrowed: boolean }>`
        select jsonb_array_length(s.role_ids) as roles, (select string_agg(dept_name, ',') from dept where id::text = s.dept_id) as depts, s.is_narrowed as narrowed
        from session s join account a on a.id = s.user_id where a.account = 'liang' and s.ended_at is null`),
    )
    expect(rows).toEqual([{ roles: 1, depts: '财务科', narrowed: true }])
    const again = await open(page)
    await expect.poll(() => again.getByRole('radio', { name: '财务', exact: true }).isChecked()).toBe(true)
    await again.getByRole('radio', { name: '全部角色' }).check()
    await again.getByRole('button', { name: '确定' }).click()
    await expect.poll(() => names(page)).toContain('考试管理')
  })

  test('a second tab of the browser follows', async () => {
    const visitor = await office.enter('liang')
    const other = await visitor.context.newPage()
    await other.goto(new URL('/wel/index', visitor.page.url()).href)
    await expect.poll(() => names(other)).toContain('考试管理')
    const dialog = await open(visitor.page)
    await dialog.getByRole('radio', { name: '财务', exact: true }).check()
    await dialog.getByRole('button', { name: '确定' }).click()
    await expect.poll(() => user(visitor.page).textContent()).toContain('财务 / 梁两职')
    await expect.poll(() => user(other).textContent()).toContain('财务 / 梁两职')
    await expect.poll(() => names(other).then(list => list.includes('考试管理'))).toBe(false)
    await other.close()
  })

  test('on the phone it is the same', async () => {
    const { page } = await office.enter('liang', { screen: 'phone' })
    const dialog = await open(page)
    await dialog.getByRole('radio', { name: '财务', exact: true }).check()
    await dialog.getByRole('button', { name: '确定' }).click()
    const roles = () =>
      page.evaluate(() => JSON.parse(localStorage.getItem('kaopu-session') ?? '{}').user?.roles?.join() as string | undefined)
    await expect.poll(roles).toBe('finance')
  })

  test('who has one role and no choice of departments is offered none', async () => {
    const { page } = await office.enter('yi')
    await user(page).click()
    await expect.poll(() => page.getByRole('menuitem', { name: '个人信息' }).isVisible()).toBe(true)
    expect(await page.getByRole('menuitem', { name: '切换角色或部门' }).count()).toBe(0)
  })
})
