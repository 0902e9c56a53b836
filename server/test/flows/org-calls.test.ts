import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { readSheet } from '#kernel/sheet/read-sheet.ts'
import { type Answer, type Person, startTestApp, type TestApp, type TestTenant } from '../support/app.ts'

let t: TestApp
let tenant: TestTenant
let admin: Person
let elsewhere: Person
beforeAll(async () => {
  t = await startTestApp()
  tenant = await t.tenant()
  admin = await tenant.staff('admin', { realName: '管理员' })
  elsewhere = await (await t.tenant()).staff('admin')
})
afterAll(() => t.close())

const rowsOf = async (answer: Answer): Promise<readonly string[][]> => {
  const path = join(await mkdtemp(join(tmpdir(), 'kaopu-book-')), 'book.xlsx')
  await writeFile(path, answer.raw)
  const read = await readSheet(path)
  await rm(dirname(path), { recursive: true })
  return 'problem' in read ? [] : read.rows.map(row => row.cells.map(cell => String(cell ?? '')))
}
const dept = async (deptName: string): Promise<string> =>
  (await admin.post('/blade-system/dept/submit', { json: { deptName, fullName: `${deptName}全称`, deptCategory: 2, sort: 1 } })).body.data
    .id
const linesOf = (action: string, of = tenant) =>
  of.rows(sql<{ userId: string; entityId: string; before: unknown; after: unknown }>`
    select user_id::text as "userId", entity_id as "entityId", before_value as before, after_value as after from audit_log where action = ${action} order by id`)

describe('[S7.19] calls on people', () => {
  test('the mark of a leader is turned on and off, and leaders are listed by name', async () => {
    const [one, two] = [await tenant.staff('reviewer1', { realName: '组长甲' }), await tenant.staff('reviewer1', { realName: '组长乙' })]
    const flip = (id: string, by = admin) => by.post('/blade-system/user/set-leader', { json: { userId: id } })
    const leaders = async (query: object = {}, by = admin) =>
      (await by.get('/blade-system/user/leader-list', { query: { ...query } })).body.data
    expect(await leaders()).toEqual([])
    expect([(await flip(two.userId)).body.data, (await flip(one.userId)).body.data]).toEqual([{ isLeader: 1 }, { isLeader: 1 }])
    const [first, second] = [
      { id: one.userId, realName: '组长甲' },
      { id: two.userId, realName: '组长乙' },
    ]
    expect([...(await leaders())].sort((a, b) => (a.id < b.id ? -1 : 1))).toEqual([first, second].sort((a, b) => (a.id < b.id ? -1 : 1)))
    expect([await leaders({ realName: '乙' }), await leaders({ tenantId: 'other' }), await leaders({}, elsewhere)]).toEqual([
      [second],
      [],
      [],
    ])
    expect((await flip(two.userId)).body.data).toEqual({ isLeader: 0 })
    expect(await leaders()).toEqual([first])
    expect((await linesOf('account.leader-set')).map(({ userId, entityId, before }) => [userId, entityId, before])).toEqual([
      [admin.userId, two.userId, { isLeader: 0 }],
      [admin.userId, one.userId, { isLeader: 0 }],
      [admin.userId, two.userId, { isLeader: 1 }],
    ])
    expect([(await flip(one.userId, elsewhere)).status, (await flip(one.userId, one)).status]).toEqual([404, 403])
    expect((await flip((await tenant.candidate()).userId)).body.reason).toBe('user/candidate')
    expect(await leaders()).toEqual([first])
  })

  test('[S7.15] departments to choose from: those named, those of a person, one’s own', async () => {
    const [north, south] = [await dept('北区'), await dept('南区')]
    const doctor = await tenant.staff('reviewer1', { deptId: `${south},${north}` })
    const select = async (query: object, by = admin) => (await by.get('/blade-system/dept/select', { query: { ...query } })).body
    const line = (id: string, deptName: string) => ({ id, parentId: '0', deptName, fullName: `${deptName}全称` })
    expect((await select({ deptId: south })).data).toEqual([line(south, '南区')])
    expect((await select({ userId: doctor.userId })).data).toEqual([line(north, '北区'), line(south, '南区')])
    expect((await select({})).data).toEqual([])
    expect((await select({ deptId: south }, elsewhere)).data).toEqual([])
    expect((await select({ userId: doctor.userId }, elsewhere)).code).toBe(404)
  })

  test('the empty workbook of the import, for whoever may import', async () => {
    const [answer, same] = [
      await admin.get('/blade-system/user/export-template'),
      await admin.get('/blade-exam/examination/importTemplate', { query: { kind: 'T0' } }),
    ]
    expect(await rowsOf(answer)).toEqual(await rowsOf(same))
    expect((await rowsOf(answer)).flat()).toContain('账号')
    const reviewer = await tenant.staff('reviewer1')
    expect((await reviewer.get('/blade-system/user/export-template')).status).toBe(403)
  })
})

describe('[S7.16][S7.18] workbooks of dictionaries and tenants', () => {
  test('a dictionary with its entries, narrowed as the list, with its audit line', async () => {
    const group = { code: 'own_list', dictValue: '自建字典', sort: 1, isSealed: 0 }
    const { id } = (await admin.post('/blade-system/dict-biz/submit', { json: group })).body.data
    const entry = {
      parentId: id,
      code: 'own_list',
      dictKey: '7',
      dictValue: '第七',
      dictValueEn: 'Seventh',
      sort: 2,
      isSealed: 1,
      remark: '备注',
    }
    await admin.post('/blade-system/dict-biz/submit', { json: entry })
    const rows = await rowsOf(await admin.get('/blade-system/dict-biz/export-dict', { query: { code: 'own_list' } }))
    expect(rows.slice(-2)).toEqual([
      ['own_list', '-1', '自建字典', '', '1', '否'],
      ['own_list', '7', '第七', 'Seventh', '2', '是', '备注'],
    ])
    expect(rows.flat().filter(cell => cell === 'own_list')).toHaveLength(2)
    expect(await linesOf('dictbiz.exported')).toMatchObject([{ userId: admin.userId, after: { filter: { code: 'own_list' } } }])
    expect((await (await tenant.staff('reviewer1')).get('/blade-system/dict-biz/export-dict')).status).toBe(403)
    const foreign = await rowsOf(await elsewhere.get('/blade-system/dict-biz/export-dict', { query: { code: 'own_list' } }))
    expect(foreign.flat()).not.toContain('own_list')
  })

  test('the platform’s dictionary and its tenants, for its operators alone', async () => {
    const operator = await t.platform().staff('administrator')
    const dict = await rowsOf(await operator.get('/blade-system/dict/export-dict'))
    expect(dict.filter(row => row[1] === '-1').length).toBeGreaterThan(0)
    const tenants = await rowsOf(await operator.get('/blade-system/tenant/export-tenant', { query: { tenantId: tenant.tenantId } }))
    expect(tenants.at(-1)?.slice(0, 1)).toEqual([tenant.tenantId])
    expect(tenants.flat()).not.toContain('000000')
    expect(await linesOf('tenant.exported', t.platform())).toMatchObject([
      { userId: operator.userId, after: { filter: { tenantId: tenant.tenantId } } },
    ])
    for (const path of ['tenant/export-tenant', 'dict/export-dict'])
      expect([path, (await admin.get(`/blade-system/${path}`)).status]).toEqual([path, 403])
  })
})

test('[S2.50][S3.01] a key of a parameter is letters and digits in parts, and what is wrong with another is said', async () => {
  const add = (paramKey: string, language: 'zh' | 'en' = 'zh') =>
    admin.post('/blade-system/param/submit', { json: { paramName: '自建', paramKey, paramValue: '1' }, language })
  for (const good of ['own.value', 'own_value-2', 'A1']) expect((await add(good)).body.code).toBe(200)
  for (const bad of ['1own', 'own value', 'own..value', 'own.', '参数', 'own;drop', '<b>'])
    expect([bad, (await add(bad)).body.data?.fields?.[0]?.field]).toEqual([bad, 'paramKey'])
  expect((await add('own value')).body.data.fields[0].msg).toContain('字母开头')
  expect((await add('own value', 'en')).body.data.fields[0].msg).toContain('begin with a letter')
})

test('[S7.20] a role is never moved below itself, at once or through others, and nothing changes', async () => {
  const role = async (roleAlias: string, parentId: string): Promise<string> =>
    (await admin.post('/blade-system/role/submit', { json: { roleName: roleAlias, roleAlias, parentId, sort: 1 } })).body.data.id
  const own = (await tenant.rows(sql<{ id: string }>`select id::text as id from role where role_alias = 'admin'`))[0]?.id ?? ''
  const top = await role('ring_top', own)
  const middle = await role('ring_middle', top)
  const bottom = await role('ring_bottom', middle)
  for (const parentId of [top, middle, bottom]) {
    const answer = await admin.post('/blade-system/role/submit', {
      json: { id: top, roleName: 'ring_top', roleAlias: 'ring_top', parentId, sort: 1 },
    })
    expect(answer.body.data.fields).toEqual([{ field: 'parentId', msg: '不能移到自己的下级' }])
  }
  expect(await tenant.rows(sql`select role_alias as a, parent_id::text as p from role where role_alias like 'ring%' order by id`)).toEqual([
    { a: 'ring_top', p: own },
    { a: 'ring_middle', p: top },
    { a: 'ring_bottom', p: middle },
  ])
})
