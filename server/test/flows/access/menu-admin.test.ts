import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { seedTenant } from '../../../seed/base/seed-tenant.ts'
import { type Person, startTestApp, type TestApp, type TestTenant } from '../../support/app.ts'

let t: TestApp
let tenant: TestTenant
let admin: Person
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())
beforeEach(async () => {
  tenant = await t.tenant()
  admin = await tenant.staff('admin')
})

const base = '/blade-system/menu'
const submit = (json: object, by = admin) => by.post(`${base}/submit`, { json })
const page = { parentId: '0', code: 'guide', name: '办事指南', nameEn: 'Guide', path: '/guide/index', sort: 90, category: 1 }
const button = { parentId: '0', code: 'guide_print', name: '打印', nameEn: 'Print', sort: 1, category: 2, action: 1 }
const idOf = async (code: string): Promise<string> =>
  (await tenant.rows(sql<{ id: string }>`select id::text as id from menu where code = ${code} and not is_deleted`))[0]?.id ?? ''
interface Node {
  readonly code: string
  readonly children?: readonly Node[]
}
const codes = (nodes: readonly Node[]): string[] => nodes.flatMap(node => [node.code, ...codes(node.children ?? [])])
const problem = async (json: object) => {
  const { status, body } = await submit(json)
  return [status, body.data?.fields?.[0]?.field, body.msg]
}

describe('[S7.17][S3.15] menus', () => {
  test('are added with buttons, found, changed, sorted and removed, each with its audit line', async () => {
    const { id } = (await submit(page)).body.data
    const print = (await submit({ ...button, parentId: id })).body.data.id
    const list = (await admin.get(`${base}/list`, { query: { code: 'guide' } })).body.data
    expect(list).toEqual([
      {
        id,
        parentId: '0',
        code: 'guide',
        name: '办事指南',
        nameEn: 'Guide',
        alias: '',
        path: '/guide/index',
        source: '',
        sort: 90,
        category: 1,
        categoryName: '菜单',
        action: 0,
        actionName: '',
        isOpen: 1,
        isOpenName: '否',
        remark: '',
        isSystem: 0,
        isPlatform: 0,
        version: 0,
        hasChildren: true,
        children: [expect.objectContaining({ id: print, code: 'guide_print', category: 2, action: 1, path: '' })],
      },
    ])
    const level = (await admin.get(`${base}/lazy-list`, { query: { parentId: id } })).body.data
    expect(level).toMatchObject([{ id: print, parentName: '办事指南', hasChildren: false }])
    expect((await admin.get(`${base}/lazy-list`)).body.data.map((row: Node) => row.code)).toEqual(
      expect.arrayContaining(['wel', 'exam', 'guide']),
    )
    expect((await admin.get(`${base}/lazy-list`, { query: { name: 'guid' } })).body.data.map((row: Node) => row.code)).toEqual(['guide'])
    expect(codes((await admin.get(`${base}/list`, { query: { code: 'post_add' } })).body.data)).toEqual(['system', 'post', 'post_add'])
    const alone = (await admin.get(`${base}/menu-list`, { query: { code: 'guide' } })).body.data
    const [{ children: _, hasChildren: __, ...itself }] = list
    expect(alone).toEqual([itself])
    const all: string[] = codes((await admin.get(`${base}/menu-list`)).body.data)
    expect([all.includes('guide'), all.includes('post'), all.includes('post_add')]).toEqual([true, true, false])
    expect((await admin.get(`${base}/menu-list`, { query: { code: 'post_add' } })).body.data).toEqual([])
    expect((await admin.get(`${base}/lazy-menu-list`, { query: { parentId: id } })).body.data).toEqual([])
    expect((await admin.get(`${base}/lazy-menu-list`, { query: { code: 'guide' } })).body.data).toEqual([
      { ...itself, parentName: '', hasChildren: false },
    ])
    const tops = (await admin.get(`${base}/lazy-menu-list`)).body.data
    expect(tops.find((row: Node) => row.code === 'system')).toMatchObject({ category: 1, hasChildren: true })
    const english = (await admin.get(`${base}/tree`, { language: 'en' })).body.data
    expect(english.at(-1)).toEqual({ id, parentId: '0', title: 'Guide', key: id, value: id })

    await submit({ ...page, id, name: '指南', version: 0 })
    expect(await submit({ ...page, id, name: '别名', version: 0 })).toMatchObject({ status: 409, body: { code: 2002 } })
    expect((await admin.get(`${base}/detail`, { query: { id: print } })).body.data).toMatchObject({ parentName: '指南', name: '打印' })

    const second = (await submit({ ...button, parentId: id, code: 'guide_edit', name: '编辑', nameEn: 'Edit', sort: 2 })).body.data.id
    expect((await admin.post(`${base}/sort`, { json: { ids: `${second},${print}` } })).body.data).toEqual({ sorted: 2 })
    expect((await admin.get(`${base}/lazy-list`, { query: { parentId: id } })).body.data.map((row: Node) => row.code)).toEqual([
      'guide_edit',
      'guide_print',
    ])
    expect((await admin.post(`${base}/sort`, { json: { ids: second } })).status).toBe(409)

    expect((await admin.post(`${base}/remove`, { query: { ids: id } })).body).toMatchObject({
      code: 2004,
      msg: '已被使用，不能删除：指南 还有 2 个下级',
    })
    expect((await admin.post(`${base}/remove`, { query: { ids: `${id},${print},${second}` } })).body.data).toEqual({ removed: 3 })
    expect((await admin.get(`${base}/detail`, { query: { id } })).status).toBe(404)
    const log = await tenant.rows(sql<{ action: string }>`select action from audit_log where entity = 'menu' order by id`)
    expect(log.map(row => row.action)).toEqual([
      'menu.added',
      'menu.added',
      'menu.updated',
      'menu.added',
      'menu.sorted',
      'menu.removed',
      'menu.removed',
      'menu.removed',
    ])
  })

  test.each([
    [{ code: '' }, 'code', '请输入菜单编号'],
    [{ name: '' }, 'name', '请输入菜单名称'],
    [{ nameEn: '' }, 'nameEn', '请输入英文名称'],
    [{ sort: undefined }, 'sort', '请输入排序'],
    [{ code: 'wel' }, 'code', '菜单编号 wel 已存在'],
    [{ name: '首页' }, 'name', '同级已有名称 首页'],
    [{ path: '' }, 'path', '请输入路由地址'],
    [{ path: '/wel/index' }, 'path', '路由地址已用于 首页'],
    [{ path: 'javascript:alert(1)' }, 'path', '路由地址须以 / 开头，或是 http(s) 网址；不能含空格、反斜杠、// 或 ..'],
    [{ parentId: '1' }, 'parentId', '上级菜单不存在'],
    [{ category: 2 }, 'parentId', '请选择按钮所属的菜单'],
  ])('[S5.21] %o is refused at its field', async (change, field, msg) => {
    expect(await problem({ ...page, ...change })).toEqual([400, field, msg])
  })

  test('[S5.21] stay a tree of three levels: nothing below a button, nothing below itself', async () => {
    const first = (await submit(page)).body.data.id
    const under = (parentId: string, code: string) => submit({ ...page, parentId, code, name: code, path: `/${code}` })
    const second = (await under(first, 'b2')).body.data.id
    const third = (await under(second, 'b3')).body.data.id
    expect((await under(third, 'b4')).body.msg).toBe('菜单最多 3 级')
    expect(await problem({ ...page, id: first, parentId: third })).toEqual([400, 'parentId', '不能移到自己的下级'])
    expect(await problem({ ...page, id: first, parentId: await idOf('exam') })).toEqual([400, 'parentId', '菜单最多 3 级'])
    const print = (await submit({ ...button, parentId: third })).body.data.id
    expect((await under(print, 'b5')).body.msg).toBe('按钮下面不能再有菜单')
    // All four levels reach the shell of somebody who holds the button.
    await tenant.db(db =>
      db.run(
        sql`insert into role_menu (tenant_id, role_id, menu_id) select ${tenant.tenantId}, id, ${print} from role where role_alias = 'reviewer1'`,
      ),
    )
    expect(codes((await (await tenant.staff('reviewer1')).get(`${base}/buttons`)).body.data)).toEqual(
      expect.arrayContaining(['guide', 'b2', 'b3', 'guide_print']),
    )
  })

  test('[S6.03] what the program asks for keeps its code and cannot be removed; names, order and place may change', async () => {
    const id = await idOf('post_add')
    const row = (await admin.get(`${base}/detail`, { query: { id } })).body.data
    expect(row).toMatchObject({ isSystem: 1, isPlatform: 0 })
    const same = { id, code: 'post_add', name: '登记', nameEn: 'Register', sort: 5, category: 2 }
    expect(await problem({ ...same, code: 'post_plus' })).toEqual([400, 'code', '这是程序自带的菜单，编号不能修改'])
    expect(await problem({ ...same, category: 1, path: '/x' })).toEqual([400, 'category', '程序自带或有下级的菜单不能改变类型'])
    expect((await admin.post(`${base}/remove`, { query: { ids: id } })).body.msg).toBe('已被使用，不能删除：新增 是程序自带的菜单')
    // Its screen stands at one path: moved, nobody would find the screen of menus to move it back.
    const screen = { id: await idOf('menu'), code: 'menu', name: '菜单', nameEn: 'Menus', sort: 1, category: 1 }
    expect(await problem({ ...screen, path: '/elsewhere' })).toEqual([400, 'path', '这是程序自带的菜单，路由地址不能修改'])
    expect((await submit({ ...screen, path: '/system/menu' })).status).toBe(200)
    expect((await submit(same)).status).toBe(200)
    // PF 10: not even where the row itself has gone does anybody make its code.
    const parentId = await idOf('post')
    await tenant.rows(sql`update menu set is_deleted = true where code = 'dict_add'`)
    expect(await problem({ ...button, parentId, code: 'dict_add' })).toEqual([400, 'code', '编号 dict_add 由程序使用，不能新建'])
    await tenant.db(seedTenant)
    expect((await admin.get(`${base}/detail`, { query: { id } })).body.data).toMatchObject({ name: '登记', sort: 5, isSystem: 1 })
  })

  test('[PF 50] a menu made again under an old code begins without the old one’s grants', async () => {
    const reviewer = await tenant.staff('reviewer1')
    const held = async () => codes((await reviewer.get(`${base}/buttons`)).body.data).includes('guide_print')
    const make = async (parentId: string) => (await submit({ ...button, parentId })).body.data.id as string
    const parent = (await submit(page)).body.data.id
    const old = await make(parent)
    await tenant.db(db =>
      db.run(
        sql`insert into role_menu (tenant_id, role_id, menu_id) select ${tenant.tenantId}, id, ${old} from role where role_alias = 'reviewer1'`,
      ),
    )
    expect(await held()).toBe(true)
    await admin.post(`${base}/remove`, { query: { ids: old } })
    await make(parent)
    expect(await held()).toBe(false)
    expect(await tenant.rows(sql`select 1 from role_menu where menu_id = ${old}`)).toEqual([])
  })

  test('[PF 8][PF 14][PF 23] need the right for each thing done; a batch with a row of another tenant does nothing', async () => {
    const other = await t.tenant()
    const stranger = await other.staff('admin')
    const mine = (await submit(page)).body.data.id
    const theirs = (await submit({ ...page, name: '别家' }, stranger)).body.data.id
    expect((await stranger.get(`${base}/detail`, { query: { id: mine } })).status).toBe(404)
    expect((await submit({ ...page, id: mine }, stranger)).status).toBe(404)
    expect((await stranger.post(`${base}/sort`, { json: { ids: mine } })).status).toBe(404)
    expect((await admin.post(`${base}/remove`, { query: { ids: `${mine},${theirs}` } })).status).toBe(404)
    expect((await admin.get(`${base}/detail`, { query: { id: mine } })).status).toBe(200)
    expect(codes((await stranger.get(`${base}/list`, { query: { code: 'guide' } })).body.data)).toEqual(['guide'])
    const auditor = await tenant.staff('auditor')
    expect([(await auditor.get(`${base}/list`)).status, (await submit(page, auditor)).status]).toEqual([200, 403])
    expect((await (await tenant.staff('exam_admin')).get(`${base}/list`)).status).toBe(403)
    // Somebody who may only add does not edit.
    await tenant.rows(sql`delete from role_menu where menu_id = (select id from menu where code = 'menu_edit')`)
    const adder = await tenant.staff('admin')
    expect([
      (await submit({ ...page, id: mine }, adder)).status,
      (await submit({ ...page, code: 'more', name: '更多', path: '/more' }, adder)).status,
    ]).toEqual([403, 200])
  })

  test('twenty times the same code at once makes one menu', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => submit(page)))
    expect(answers.map(answer => answer.status).sort()).toEqual([200, ...Array(19).fill(400)])
  })
})

test('[S7.21] one’s own menus by path with the roles that hold them, and those that lead elsewhere', async () => {
  const { id } = (await submit({ ...page, code: 'site', name: '官网', nameEn: 'Site', path: 'https://example.test/a' })).body.data
  await tenant.db(db =>
    db.run(
      sql`insert into role_menu (tenant_id, role_id, menu_id) select ${tenant.tenantId}, r.id, ${id} from role r where r.role_alias in ('admin', 'finance')`,
    ),
  )
  const routes = async (person: Person) => (await person.get(`${base}/auth-routes`)).body.data as Record<string, { authority: string[] }>[]
  const mine = await routes(await tenant.staff('finance'))
  expect(mine).toContainEqual({ 'https://example.test/a': { authority: ['admin', 'finance'] } })
  expect(mine.flatMap(Object.keys)).not.toContain('/system/param')
  expect((await routes(admin)).flatMap(Object.keys)).toContain('/system/param')
  const outside = async (person: Person) => codes((await person.get(`${base}/routes-ext`)).body.data)
  expect([await outside(admin), await outside(await tenant.staff('reviewer1'))]).toEqual([['site'], []])
})
