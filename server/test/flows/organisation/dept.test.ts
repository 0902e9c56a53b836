import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deptLevels } from '#contract/organisation/dept.routes.ts'
import { sql } from '#kernel/db/sql.ts'
import { type Person, startTestApp, type TestApp, type TestTenant } from '../../support/app.ts'

let t: TestApp
let tenant: TestTenant
let other: TestTenant
let admin: Person
let foreign: { readonly id: string }
beforeAll(async () => {
  t = await startTestApp()
  tenant = await t.tenant()
  other = await t.tenant()
  admin = await tenant.staff('admin')
  foreign = await make(await other.staff('admin'), { deptName: '外机构部门' })
})
afterAll(() => t.close())

const base = '/blade-system/dept'
const filled = (extra: object) => {
  const { deptName = '医院' } = extra as { deptName?: string }
  return { deptName, fullName: `${deptName}全称`, deptCategory: 1, sort: 1, ...extra }
}
const submit = (extra: object, by = admin) => by.post(`${base}/submit`, { json: filled(extra) })
const make = async (by: Person, extra: object): Promise<{ id: string }> => {
  const { body } = await by.post(`${base}/submit`, { json: filled(extra) })
  expect(body).toMatchObject({ code: 200 })
  return body.data
}
const chainOf = async (id: string): Promise<string> => (await admin.get(`${base}/detail`, { query: { id } })).body.data.ancestors

describe('[S7.15] departments', () => {
  test('every tenant begins with one; added, seen level by level, searched, changed and removed, each change with its audit line', async () => {
    const [root] = (await admin.get(`${base}/lazy-list`, { query: { parentId: 0 } })).body.data
    expect(root).toMatchObject({ parentId: '0', ancestors: '0', deptCategory: 1, hasChildren: false, parentName: '' })
    const leader = await tenant.staff('exam_admin')
    const hospital = await make(admin, { parentId: root.id, deptName: '区人民医院', leaderId: leader.userId, remark: '三级' })
    const ward = await make(admin, { parentId: hospital.id, deptName: '内科', deptCategory: 3, sort: 2 })
    const lab = await make(admin, { parentId: hospital.id, deptName: '检验科', deptCategory: 3, sort: 1 })
    const detail = (await admin.get(`${base}/detail`, { query: { id: hospital.id } })).body.data
    expect(detail).toEqual({
      id: hospital.id,
      tenantId: tenant.tenantId,
      parentId: root.id,
      parentName: root.deptName,
      ancestors: `0,${root.id}`,
      deptName: '区人民医院',
      fullName: '区人民医院全称',
      deptCategory: 1,
      deptCategoryName: '机构',
      leaderId: leader.userId,
      sort: 1,
      remark: '三级',
      hasChildren: true,
      createTime: expect.stringMatching(/^2026-/),
      updateTime: expect.stringMatching(/^2026-/),
      version: 0,
    })
    const below = (await admin.get(`${base}/lazy-list`, { query: { parentId: hospital.id } })).body.data
    expect(below.map((row: { deptName: string; ancestors: string }) => [row.deptName, row.ancestors])).toEqual([
      ['检验科', `0,${root.id},${hospital.id}`],
      ['内科', `0,${root.id},${hospital.id}`],
    ])
    const found = (await admin.get(`${base}/lazy-list`, { query: { parentId: '', deptName: '科' } })).body.data
    expect(found.map((row: { id: string }) => row.id)).toEqual([lab.id, ward.id])
    expect((await admin.get(`${base}/list`, { query: { deptName: '内' } })).body.data).toMatchObject([
      { id: root.id, children: [{ id: hospital.id, children: [{ id: ward.id }] }] },
    ])
    expect((await admin.get(`${base}/tree`)).body.data).toEqual([
      {
        ...node(root.id, '0', root.deptName),
        hasChildren: true,
        children: [
          {
            ...node(hospital.id, root.id, '区人民医院'),
            hasChildren: true,
            children: [node(lab.id, hospital.id, '检验科'), node(ward.id, hospital.id, '内科')],
          },
        ],
      },
    ])
    expect((await admin.get(`${base}/lazy-tree`, { query: { parentId: root.id } })).body.data).toEqual([
      { ...node(hospital.id, root.id, '区人民医院'), hasChildren: true },
    ])

    expect((await submit({ id: ward.id, deptName: '大内科', version: 0 })).body.code).toBe(200)
    expect((await submit({ id: ward.id, deptName: '内科', version: 0 })).body).toMatchObject({ code: 2002 })
    expect((await admin.post(`${base}/remove`, { query: { ids: ward.id } })).body.data).toEqual({ removed: 1 })
    const lines = await tenant.rows(sql<{ action: string; before: string | null; after: string | null }>`
      select action, before_value->>'deptName' as before, after_value->>'deptName' as after from audit_log where entity = 'dept' and entity_id = ${ward.id} order by id`)
    expect(lines).toEqual([
      { action: 'dept.added', before: null, after: '内科' },
      { action: 'dept.updated', before: '内科', after: '大内科' },
      { action: 'dept.removed', before: '大内科', after: null },
    ])
  })

  test('without an order a department follows the last of its own level; a change leaves it where it is', async () => {
    const parent = await make(admin, { parentId: '', deptName: '排序院', sort: 3 })
    const sortOf = async (id: string): Promise<number> => (await admin.get(`${base}/detail`, { query: { id } })).body.data.sort
    const [first, second] = [
      await make(admin, { parentId: parent.id, deptName: '先', sort: undefined }),
      await make(admin, { parentId: parent.id, deptName: '中', sort: 40 }),
    ]
    const last = await make(admin, { parentId: parent.id, deptName: '后', sort: null })
    expect([await sortOf(first.id), await sortOf(second.id), await sortOf(last.id)]).toEqual([1, 40, 41])
    expect((await submit({ id: second.id, deptName: '改名', sort: undefined })).status).toBe(200)
    expect(await sortOf(second.id)).toBe(40)
    await make(admin, { parentId: parent.id, deptName: '末', sort: 9999 })
    expect(await sortOf((await make(admin, { parentId: parent.id, deptName: '再', sort: undefined })).id)).toBe(9999)
    expect((await submit({ parentId: parent.id, deptName: '过', sort: 10_000 })).status).toBe(400)
  })

  test('a move takes everything below along; rings, foreign parents and an eleventh level are refused and change nothing', async () => {
    const a = await make(admin, { parentId: '', deptName: '甲院' })
    const b = await make(admin, { parentId: a.id, deptName: '乙科' })
    const c = await make(admin, { parentId: b.id, deptName: '丙组' })
    const target = await make(admin, { parentId: '', deptName: '丁院' })
    const move = (id: string, parentId: string, deptName: string) => submit({ id, parentId, deptName })
    expect((await move(b.id, target.id, '乙科')).body.code).toBe(200)
    expect([await chainOf(b.id), await chainOf(c.id)]).toEqual([`0,${target.id}`, `0,${target.id},${b.id}`])
    for (const [id, parentId, name] of [
      [b.id, b.id, '乙科'],
      [b.id, c.id, '乙科'],
      [target.id, c.id, '丁院'],
      [b.id, foreign.id, '乙科'],
      [b.id, '999', '乙科'],
    ] as const) {
      const { status, body } = await move(id, parentId, name)
      expect([status, body.data.fields[0].field]).toEqual([400, 'parentId'])
    }
    expect([await chainOf(target.id), await chainOf(c.id)]).toEqual(['0', `0,${target.id},${b.id}`])

    let deepest = target.id
    for (let level = 2; level <= deptLevels; level += 1) deepest = (await make(admin, { parentId: deepest, deptName: `第${level}级` })).id
    expect((await submit({ parentId: deepest, deptName: '太深' })).body.msg).toBe(`部门最多 ${deptLevels} 级，含随之移动的下级`)
    expect((await move(a.id, deepest, '甲院')).status).toBe(400)
    // Below the ninth there is room for one, not for one with another below it.
    const [ninth] = await tenant.rows(sql<{ id: string }>`select parent_id::text as id from dept where id = ${deepest}`)
    expect((await move(b.id, ninth?.id ?? '', '乙科')).status).toBe(400)
    expect((await move(c.id, ninth?.id ?? '', '丙组')).status).toBe(200)
  })

  test('two moves at the same time never make a ring', async () => {
    const a = await make(admin, { parentId: '', deptName: '对调甲' })
    const b = await make(admin, { parentId: '', deptName: '对调乙' })
    const moves = await Promise.all([
      submit({ id: a.id, parentId: b.id, deptName: '对调甲' }),
      submit({ id: b.id, parentId: a.id, deptName: '对调乙' }),
    ])
    expect(moves.map(answer => answer.status).sort()).toEqual([200, 400])
  })

  test('a kind is an entry of its dictionary; one that is stored stays when its entry goes', async () => {
    const own = await t.tenant()
    const chief = await own.staff('admin')
    const wrong = { deptName: '无此类', fullName: '无此类', deptCategory: 9, sort: 1 }
    expect((await chief.post(`${base}/submit`, { json: wrong })).body.data.fields).toEqual([
      { field: 'deptCategory', msg: '部门类型不在字典中，请重新选择' },
    ])
    expect(await own.rows(sql<object>`select 1 from dept where dept_name = '无此类'`)).toEqual([])
    const { id } = (await chief.post(`${base}/submit`, { json: { ...wrong, deptCategory: 3 } })).body.data
    await own.db(db => db.run(sql`update dict_biz set is_deleted = true where code = 'org_category' and dict_key = '3'`))
    expect((await chief.post(`${base}/submit`, { json: { ...wrong, id, deptName: '改名', deptCategory: 3 } })).status).toBe(200)
  })

  test('a name stands once under a parent, a leader is of this tenant, and what is used stays', async () => {
    const house = await make(admin, { parentId: '', deptName: '防疫站' })
    expect((await submit({ parentId: '', deptName: '防疫站' })).body).toMatchObject({
      code: 400,
      data: { fields: [{ field: 'deptName' }] },
    })
    const stranger = await other.staff('admin')
    const candidate = await tenant.candidate()
    for (const leaderId of [stranger.userId, candidate.userId, '12345'])
      expect((await submit({ parentId: '', deptName: '无主', leaderId })).body.data.fields).toEqual([
        { field: 'leaderId', msg: '负责人须是本租户的工作人员' },
      ])
    const remove = (ids: string) => admin.post(`${base}/remove`, { query: { ids } })
    const room = await make(admin, { parentId: house.id, deptName: '一室' })
    expect((await remove(house.id)).body).toMatchObject({ code: 2004, msg: '已被使用，不能删除：防疫站 下还有 1 个部门' })
    const member = await tenant.staff('exam_admin')
    await tenant.db(db => db.run(sql`update account set dept_id = ${`${house.id},${room.id}`} where id = ${member.userId}`))
    expect((await remove(room.id)).body.msg).toBe('已被使用，不能删除：一室 还有 1 名人员')
    await tenant.db(db => db.run(sql`update account set dept_id = null where id = ${member.userId}`))
    expect((await remove(`${house.id},${foreign.id}`)).status).toBe(404)
    expect((await remove(`${house.id},${room.id}`)).body.data).toEqual({ removed: 2 })
  })

  test('the database itself keeps a chain that ends in the parent and holds no ring', async () => {
    const [root] = await tenant.rows(sql<{ id: string }>`select id::text as id from dept where parent_id = 0 order by id limit 1`)
    const spoil = (chain: string) => tenant.db(db => db.run(sql`update dept set ancestor_ids = ${chain}::bigint[] where id = ${root?.id}`))
    await expect(spoil('{7}')).rejects.toThrow(/dept_check/)
    await expect(spoil(`{${root?.id}}`)).rejects.toThrow(/dept_check/)
  })
})

const node = (id: string, parentId: string, title: string) => ({ id, parentId, title, key: id, value: id })
