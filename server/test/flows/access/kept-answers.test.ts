import { brotliDecompressSync, zstdDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { type Person, startTestApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { reviewWorld } from '../../support/reviewing.ts'

let t: TestApp
let second: TestApp
beforeAll(async () => {
  t = await startTestApp()
  second = await t.beside()
})
afterAll(() => t.close())

interface Node {
  readonly id: string
  readonly code?: string
  readonly title?: string
  readonly children?: readonly Node[]
}
const flat = (nodes: readonly Node[]): Node[] => nodes.flatMap(node => [node, ...flat(node.children ?? [])])
const routes = '/blade-system/menu/routes'
const buttons = '/blade-system/menu/buttons'
const tree = '/blade-system/dept/tree'
type Asked = Pick<Person, 'get'>
const codes = async (path: string, by: Asked): Promise<(string | undefined)[]> =>
  flat((await by.get(path)).body.data).map(node => node.code)
/** The same person, asking the other process. */
const overThere = (person: Person): Asked => ({
  get: (path, options) =>
    second.anonymous().get(path, { ...options, headers: { 'blade-auth': `bearer ${person.token}`, ...options?.headers } }),
})
const idOf = async (tenant: TestTenant, table: 'menu' | 'role', name: string): Promise<string> =>
  (
    await tenant.rows(
      sql<{
        id: string
      }>`select id::text as id from ${sql.table(table)} where ${sql.ref(table === 'menu' ? 'code' : 'role_alias')} = ${name} and not is_deleted`,
    )
  )[0]?.id ?? `no ${name}`

test('[S7.11] menus and buttons are kept for a set of roles, and no longer than they hold: here at once, in another process when it hears', async () => {
  const [tenant, other] = [await t.tenant(), await t.tenant()]
  const [admin, finance, reviewer] = [await tenant.staff('admin'), await tenant.staff('finance'), await tenant.staff('reviewer1')]
  const elsewhere = await other.staff('finance')
  const before = { routes: await codes(routes, finance), buttons: await codes(buttons, finance) }
  expect(before.routes).toContain('dashboard')
  // The same roles, another tenant, other roles, the other process: each its own answer.
  for (const asked of [finance, overThere(finance), elsewhere])
    expect([await codes(routes, asked), await codes(buttons, asked)]).toEqual([before.routes, before.buttons])
  expect(await codes(routes, reviewer)).not.toContain('dashboard')
  const both = await tenant.staff(['finance', 'reviewer1'])
  expect(await codes(routes, both)).toEqual(expect.arrayContaining(before.routes))

  const [role, menu] = [await idOf(tenant, 'role', 'finance'), await idOf(tenant, 'menu', 'dashboard')]
  const held = await tenant.rows(sql<{ id: string }>`select menu_id::text as id from role_menu where role_id = ${role}`)
  const granted = await admin.post('/blade-system/role/grant', {
    json: { roleIds: [role], menuIds: held.map(({ id }) => id).filter(id => id !== menu) },
  })
  expect(granted.body.msg).toBe('操作成功')
  expect(await codes(routes, finance)).not.toContain('dashboard')
  await second.app.catchUp()
  expect(await codes(routes, overThere(finance))).not.toContain('dashboard')
  expect(await codes(routes, elsewhere)).toContain('dashboard')
})

test('the tree of departments is kept for who sees all of it; who is narrowed has their own', async () => {
  const [tenant, other] = [await t.tenant(), await t.tenant()]
  const [admin, elsewhere] = [await tenant.staff('admin'), await other.staff('admin')]
  const names = async (by: Asked): Promise<(string | undefined)[]> => flat((await by.get(tree)).body.data).map(node => node.title)
  const add = async (deptName: string, parentId = '0'): Promise<string> =>
    (await admin.post('/blade-system/dept/submit', { json: { deptName, fullName: deptName, parentId } })).body.data.id
  const before = await names(admin)
  expect(await names(overThere(admin))).toEqual(before)
  const bureau = await add('甲局')
  expect(await names(admin)).toContain('甲局')
  const office = await add('甲科', bureau)
  await second.app.catchUp()
  expect(await names(overThere(admin))).toEqual(await names(admin))
  expect(await names(admin)).toContain('甲科')
  expect(await names(elsewhere)).not.toContain('甲局')
  const narrowed = await tenant.staff('unit_hr', { deptId: office })
  const seen = await narrowed.get(tree)
  if (seen.status === 200) expect(flat(seen.body.data).map(node => node.title)).not.toContain('甲局')
  const spare = await add('空科', bureau)
  expect(await names(admin)).toContain('空科')
  expect((await admin.post('/blade-system/dept/remove', { json: { ids: spare } })).status).toBe(200)
  expect(await names(admin)).not.toContain('空科')
})

test('who holds an answer already is told so until it changes, in the language and for the roles it was for', async () => {
  const tenant = await t.tenant()
  const [admin, finance] = [await tenant.staff('admin'), await tenant.staff('finance')]
  const asked = (by: Person, tag: string, language: 'zh' | 'en' = 'zh') => by.get(tree, { language, headers: { 'if-none-match': tag } })
  const first = await admin.get(tree)
  const tag = String(first.headers['etag'])
  expect([first.headers['cache-control'], tag]).toEqual(['private, no-cache', expect.stringMatching(/^"[\w-]{43}"$/)])
  const again = await asked(admin, tag)
  expect([again.status, again.raw.length, again.headers['etag']]).toEqual([304, 0, tag])
  expect((await asked(admin, tag, 'en')).status).toBe(200)
  const menus = String((await finance.get(routes)).headers['etag'])
  expect((await admin.get(routes, { headers: { 'if-none-match': menus } })).status).toBe(200)
  await admin.post('/blade-system/dept/submit', { json: { deptName: '新局', fullName: '新局', parentId: '0' } })
  const changed = await asked(admin, tag)
  expect([changed.status, flat(changed.body.data).map(node => node.title)]).toEqual([200, expect.arrayContaining(['新局'])])
})

test('who takes zstd or brotli gets the same answer compressed, in their language', async () => {
  const tenant = await t.tenant()
  const admin = await tenant.staff('admin')
  const plain = await admin.get(routes)
  for (const [accepts, encoding] of [
    ['gzip, deflate, br, zstd', 'zstd'],
    ['gzip, deflate, br, zstd;q=0', 'br'],
    ['br;q=0, identity', undefined],
  ] as const) {
    const { headers, raw } = await admin.get(routes, { headers: { 'accept-encoding': accepts } })
    expect(headers['content-encoding']).toBe(encoding)
    expect(
      JSON.parse((encoding === 'zstd' ? zstdDecompressSync(raw) : encoding === 'br' ? brotliDecompressSync(raw) : raw).toString()),
    ).toEqual(plain.body)
  }
  const english = await admin.get(routes, { language: 'en' })
  expect([english.body.msg, english.body.data]).toEqual(['Operation succeeded', plain.body.data])
})

test('guests share one list of examinations, which is no older than half a second; a candidate’s own is read each time', async () => {
  const w = await reviewWorld(t)
  const path = '/blade-signup/signup/examList'
  const names = async (by: Asked, language: 'zh' | 'en' = 'zh'): Promise<string[]> =>
    (await by.get(path, { language })).body.data.records.map(({ examName }: { examName: string }) => examName)
  const guest = t.anonymous(w.tenant.tenantId)
  const before = await names(guest)
  expect(before).toEqual(await names(w.candidate))
  await w.tenant.db(db => db.run(sql`update examination set exam_name = '改名的考试' where id = ${w.exam.examId}`))
  expect(await names(w.candidate)).toContain('改名的考试')
  expect(await names(guest)).toEqual(before)
  expect(await names(guest, 'en')).toContain('改名的考试')
  t.clock.advance(500)
  expect(await names(guest)).toContain('改名的考试')
  expect(await names(t.anonymous((await t.tenant()).tenantId))).toEqual([])
})

test('a tree of which single departments were read anew is the tree of all of them, in both processes, whatever was changed and by whom', async () => {
  const tenant = await t.tenant()
  const admin = await tenant.staff('admin')
  type Branch = { readonly title: string; readonly children: readonly Branch[] }
  const shape = (nodes: readonly Node[]): Branch[] => nodes.map(node => ({ title: node.title ?? '', children: shape(node.children ?? []) }))
  /** From the rows, by nothing that is kept. */
  const drawn = async (): Promise<Branch[]> => {
    const rows = await tenant.rows(
      sql<{ id: string; parent: string; title: string }>`
        select id::text as id, parent_id::text as parent, dept_name as title from dept where not is_deleted order by sort, id`,
    )
    const below = (parent: string): Branch[] =>
      rows
        .filter(row => row.parent === parent || (parent === '0' && !rows.some(other => other.id === row.parent)))
        .map(({ id, title }) => ({ title, children: below(id) }))
    return below('0')
  }
  const agree = async (): Promise<string[]> => {
    const should = await drawn()
    expect(shape((await admin.get(tree)).body.data)).toEqual(should)
    await second.app.catchUp()
    expect(shape((await overThere(admin).get(tree)).body.data)).toEqual(should)
    return should.map(({ title }) => title)
  }
  const save = async (json: Record<string, unknown>): Promise<string> =>
    (await admin.post('/blade-system/dept/submit', { json: { fullName: json['deptName'], ...json } })).body.data.id
  await agree()
  const [a, b] = [await save({ deptName: '甲', sort: 5 }), await save({ deptName: '乙', sort: 4 })]
  const c = await save({ deptName: '丙', parentId: a })
  await agree()
  await save({ id: a, deptName: '甲甲', sort: 1 })
  await save({ id: c, deptName: '丙', parentId: b, sort: 2 })
  await agree()
  // Above it and all that stands below it.
  await save({ id: a, deptName: '甲甲', parentId: c, sort: 1 })
  await agree()
  // Beside the program: told by the database alone, several at once, one that was never read, one that goes and one that comes back.
  await tenant.rows(sql`update dept set sort = 9 - sort where id = any(${[a, b, c]}::bigint[]) returning 1 as one`)
  await tenant.rows(
    sql`insert into dept (tenant_id, parent_id, dept_name, full_name, dept_category, sort) values (${tenant.tenantId}, 0, '丁', '丁', 2, 3) returning 1 as one`,
  )
  await t.app.catchUp()
  expect(await agree()).toContain('丁')
  await tenant.rows(sql`update dept set is_deleted = true where id = ${c} returning 1 as one`)
  await t.app.catchUp()
  await agree()
  await tenant.rows(sql`update dept set is_deleted = false where id = ${c} returning 1 as one`)
  await t.app.catchUp()
  await agree()
  expect((await admin.post('/blade-system/dept/remove', { json: { ids: a } })).body.data).toEqual({ removed: 1 })
  await agree()
  // More than are read one by one.
  await tenant.rows(sql`
    insert into dept (tenant_id, parent_id, ancestor_ids, dept_name, full_name, dept_category, sort)
    select tenant_id, id, ancestor_ids || id, '科' || g, '科' || g, 2, g from dept, generate_series(1, 300) g where id = ${b} returning 1 as one`)
  await t.app.catchUp()
  await agree()
})
