import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { type Person, startTestApp, type TestApp, type TestTenant } from '../../support/app.ts'

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

test('[S2.39] one tab is the main one: another takes its place, and a person who holds nothing of it has none', async () => {
  const own = await t.tenant()
  const chief = await own.staff('admin')
  const main = async (person = chief) => (await person.get('/blade-system/menu/main-menu')).body.data
  const enable = (query: Record<string, string>) => chief.post(`${at}/enable`, { query })
  expect(await main()).toEqual({})
  const list = (await chief.get(`${at}/list`)).body.data.records
  const idOf = (code: string): string => list.find((row: { code: string }) => row.code === code).id
  expect((await enable({ id: idOf('manage') })).body.data).toEqual({ isMain: 1 })
  expect(await main()).toMatchObject({ id: idOf('manage'), code: 'manage', isMain: 1 })
  expect(await main(await own.staff('reviewer1'))).toEqual({})
  await enable({ id: idOf('recruit') })
  expect((await chief.get(`${at}/list`)).body.data.records.map((row: { code: string; isMain: number }) => [row.code, row.isMain])).toEqual([
    ['recruit', 1],
    ['finance', 0],
    ['manage', 0],
  ])
  await enable({ id: idOf('recruit'), enable: '0' })
  expect(await main()).toEqual({})
  expect((await enable({ id: '1' })).status).toBe(404)
  const lines = await own.rows(sql<{ id: string; before: number; after: number }>`
    select entity_id as id, (before_value->'isMain')::int as before, (after_value->'isMain')::int as after from audit_log where action = 'topmenu.main-set' order by audit_log.id`)
  expect(lines).toEqual([
    { id: idOf('manage'), before: 0, after: 1 },
    { id: idOf('manage'), before: 1, after: 0 },
    { id: idOf('recruit'), before: 0, after: 1 },
    { id: idOf('recruit'), before: 1, after: 0 },
  ])
})
