import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { type Person, startTestApp, type TestApp, type TestTenant } from '../support/app.ts'

const at = '/blade-system/topmenu'
let t: TestApp
let tenant: TestTenant
let admin: Person
beforeAll(async () => {
  t = await startTestApp()
  tenant = await t.tenant()
  admin = await tenant.staff('admin')
})
afterAll(() => t.close())

const menuIds = async (codes: readonly string[], of = tenant) =>
  (await of.rows(sql<{ id: string }>`select id::text as id from menu where code = any(${[...codes]}) order by sort, id`)).map(row => row.id)
const tabs = async (person: Person) => (await person.get('/blade-system/menu/top-menu')).body.data.map((tab: { code: string }) => tab.code)
const add = async (code: string): Promise<string> =>
  (await admin.post(`${at}/submit`, { json: { code, name: '常用', nameEn: 'Often used', source: 'list', sort: 9 } })).body.data.id

test('[S6.04][S7.20] a tab is made, given menus, seen by whoever holds one of them, and gone with its menus', async () => {
  const id = await add('often')
  expect(await tabs(admin)).toEqual(['recruit', 'finance', 'manage'])
  const menus = await menuIds(['param', 'post'])
  expect((await admin.post(`${at}/grant`, { json: { topMenuIds: [id], menuIds: menus } })).body.data).toEqual({ changed: 1 })
  expect((await admin.get('/blade-system/menu/top-tree-keys', { query: { topMenuIds: id } })).body.data.menu.toSorted()).toEqual(
    menus.toSorted(),
  )
  expect(await tabs(admin)).toEqual(['recruit', 'finance', 'manage', 'often'])
  // A tab gives no rights: a reviewer holds neither of its menus.
  expect(await tabs(await tenant.staff('reviewer1'))).not.toContain('often')
  const side = (await admin.get('/blade-system/menu/routes', { query: { topMenuId: id } })).body.data
  expect(
    side.map((group: { code: string; children: { code: string }[] }) => [group.code, group.children.map(one => one.code).toSorted()]),
  ).toEqual([['system', ['param', 'post']]])
  await admin.post(`${at}/grant`, { json: { topMenuIds: [id], menuIds: menus.slice(0, 1) } })
  expect((await admin.get('/blade-system/menu/top-tree-keys', { query: { topMenuIds: id } })).body.data.menu).toEqual(menus.slice(0, 1))
  const tree = (await admin.get('/blade-system/menu/grant-top-tree', { language: 'en' })).body.data.menu
  expect(tree.find((node: { title: string }) => node.title === 'System').children.length).toBeGreaterThan(3)
  expect((await admin.post(`${at}/submit`, { json: { code: 'often', name: 'x', nameEn: 'x', source: 'x', sort: 1 } })).body.msg).toBe(
    '菜单编号 often 已存在',
  )
  await admin.post(`${at}/remove`, { query: { ids: id } })
  expect(await tenant.rows(sql`select 1 from top_menu_menu where top_menu_id = ${id}`)).toEqual([])
  const lines = await tenant.rows(sql<{ action: string; before: string[]; after: string[] }>`
    select action, before_value->'menuIds' as before, after_value->'menuIds' as after from audit_log where action = 'topmenu.granted' order by id`)
  expect(lines).toEqual([
    { action: 'topmenu.granted', before: [], after: menus },
    { action: 'topmenu.granted', before: menus, after: menus.slice(0, 1) },
  ])
})

test('menus and tabs of another tenant are not there, and nothing is done', async () => {
  const other = await t.tenant()
  const stranger = await other.staff('admin')
  const [mine, [foreign = '']] = [await add('mine'), await menuIds(['param'], other)]
  const [own = ''] = await menuIds(['param'])
  await admin.post(`${at}/grant`, { json: { topMenuIds: [mine], menuIds: [own] } })
  for (const json of [
    { topMenuIds: [mine], menuIds: [own, foreign] },
    { topMenuIds: [mine, '1'], menuIds: [] },
  ])
    expect((await admin.post(`${at}/grant`, { json })).status).toBe(404)
  expect((await stranger.post(`${at}/grant`, { json: { topMenuIds: [mine], menuIds: [] } })).status).toBe(404)
  expect((await stranger.get('/blade-system/menu/top-tree-keys', { query: { topMenuIds: mine } })).body.data).toEqual({ menu: [] })
  expect((await admin.get('/blade-system/menu/top-tree-keys', { query: { topMenuIds: mine } })).body.data.menu).toEqual([own])
})
