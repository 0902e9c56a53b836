import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { readDictionaries } from '#modules/reference/index.ts'
import { seedTenant } from '../../../seed/base/seed-tenant.ts'
import { type Person, startTestApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { buildExam } from '../../support/factories.ts'
import { insertSignups } from '../../support/sign-up-rows.ts'

let t: TestApp
let tenant: TestTenant
let admin: Person
beforeAll(async () => {
  t = await startTestApp()
  tenant = await t.tenant()
  admin = await tenant.staff('admin')
})
afterAll(() => t.close())

const base = '/blade-system/dict-biz'
const submit = (json: object, by = admin, at = base) => by.post(`${at}/submit`, { json })
const group = { code: 'shift', dictValue: '班次', sort: 1, isSealed: 0 }
const offered = async (code: string) =>
  (await t.anonymous(tenant.tenantId).get(`${base}/dictionary`, { query: { code } })).body.data.map(
    (row: { dictKey: string }) => row.dictKey,
  )

describe('[S3.05][S7.18] the business dictionary', () => {
  test('entries are pasted, two hundred at once: all or none, behind those that are there, each with its audit line', async () => {
    const own = await t.tenant()
    const chief = await own.staff('admin')
    const { id: parentId } = (await submit({ ...group, code: 'pasted' }, chief)).body.data
    await submit({ code: 'x', parentId, dictKey: 'a', dictValue: '甲', sort: 7, isSealed: 0 }, chief)
    const paste = (lines: string, by = chief, parent = parentId) => by.post(`${base}/add-entries`, { json: { parentId: parent, lines } })
    const many = Array.from({ length: 199 }, (_, i) => `k${i}\t名称${i}\tName ${i}`)
    const keys = async () =>
      (await own.rows(sql<{ key: string }>`select dict_key as key from dict_biz where parent_id = ${parentId} and not is_deleted`)).map(
        row => row.key,
      )
    expect((await paste([...many, 'a\t又一个甲'].join('\n'))).body.data.fields).toEqual([
      { field: 'lines', msg: '第 200 行：键值 a 已存在' },
    ])
    expect(await keys()).toEqual(['a'])
    expect((await paste([...many, 'b\t乙'].join('\n'))).body.data).toEqual({ added: 200 })
    const rows = (await chief.get(`${base}/child-list`, { query: { parentId } })).body.data
    expect(rows.map((row: { dictKey: string }) => row.dictKey)).toEqual(['a', ...many.map((_, i) => `k${i}`), 'b'])
    expect(rows[1]).toMatchObject({ code: 'pasted', dictKey: 'k0', dictValue: '名称0', dictValueEn: 'Name 0', sort: 8, isSealed: 0 })
    expect(
      await own.rows(sql<object>`
        select count(*)::int as lines from audit_log where action = 'dictbiz.added' and user_id = ${chief.userId} and after_value->>'parentId' = ${parentId}`),
    ).toEqual([{ lines: 201 }])
    // An entry is no dictionary; nobody without the button, and nobody of another tenant.
    expect((await paste('c\t丙', chief, rows[0].id)).status).toBe(404)
    expect((await paste('c\t丙', await own.staff('auditor'))).status).toBe(403)
    expect((await paste('c\t丙', admin)).status).toBe(404)
    expect((await paste(' ')).body.data.fields).toMatchObject([{ field: 'lines' }])
    const race = await Promise.all(['c\t丙', 'c\t丁'].map(line => paste(line)))
    expect(race.map(answer => answer.status).sort()).toEqual([200, 400])
    expect((await admin.post('/blade-system/dict/add-entries', { json: { parentId, lines: 'c\t丙' } })).status).toBe(403)
  })

  test('a group and its entries: made, listed as page, tree and children, changed, sealed, removed; each with its audit line', async () => {
    const made = (await submit({ ...group, parentId: '' })).body.data
    const entry = (
      await submit({ code: 'ignored', parentId: made.id, dictKey: '1', dictValue: '白班', sort: 2, isSealed: 0, remark: '八点' })
    ).body.data
    const night = (
      await submit({ code: 'x', parentId: made.id, dictKey: '2', dictValue: '夜班', dictValueEn: 'Night', sort: 1, isSealed: 0 })
    ).body.data
    const parents = await admin.get(`${base}/parent-list`, { query: { code: 'shift' } })
    expect(parents.body.data).toMatchObject({
      total: 1,
      records: [{ id: made.id, parentId: '0', code: 'shift', dictKey: '-1', hasChildren: true }],
    })
    const children = (await admin.get(`${base}/child-list`, { query: { parentId: made.id, current: 1, size: 10 } })).body.data
    expect(children).toEqual([
      {
        id: night.id,
        parentId: made.id,
        code: 'shift',
        dictKey: '2',
        dictValue: '夜班',
        dictValueEn: 'Night',
        sort: 1,
        isSealed: 0,
        remark: '',
        hasChildren: false,
        version: expect.any(Number),
      },
      {
        id: entry.id,
        parentId: made.id,
        code: 'shift',
        dictKey: '1',
        dictValue: '白班',
        dictValueEn: '',
        sort: 2,
        isSealed: 0,
        remark: '八点',
        hasChildren: false,
        version: expect.any(Number),
      },
    ])
    expect((await admin.get(`${base}/list`, { query: { code: 'shift' } })).body.data).toMatchObject([
      { id: made.id, children: [{ id: night.id }, { id: entry.id }] },
    ])
    expect((await admin.get(`${base}/tree`, { query: { code: 'shift' } })).body.data).toEqual([
      {
        id: made.id,
        parentId: '0',
        title: '班次',
        key: made.id,
        value: made.id,
        hasChildren: true,
        children: [
          { id: night.id, parentId: made.id, title: '夜班', key: night.id, value: night.id },
          { id: entry.id, parentId: made.id, title: '白班', key: entry.id, value: entry.id },
        ],
      },
    ])
    expect((await admin.get(`${base}/tree`, { query: { code: 'DICT' } })).body.data.length).toBeGreaterThan(10)
    expect((await admin.get(`${base}/detail`, { query: { id: night.id } })).body.data).toMatchObject({
      dictValue: '夜班',
      parentName: '班次',
    })

    const [whole, top] = [
      (await admin.get(`${base}/tree`, { query: { code: 'shift' } })).body.data,
      (await admin.get(`${base}/parent-tree`)).body.data,
    ]
    expect(top.filter((node: { title: string }) => node.title === '班次')).toEqual([
      { id: made.id, parentId: '0', title: '班次', key: made.id, value: made.id },
    ])
    expect(top.length).toBe((await admin.get(`${base}/tree`)).body.data.length)
    expect(whole[0].children.map((node: { id: string }) => node.id)).toEqual([night.id, entry.id])

    expect(await offered('shift')).toEqual(['2', '1'])
    await submit({ id: night.id, code: 'x', dictValue: '夜班', sort: 1, isSealed: 1 })
    expect(await offered('shift')).toEqual(['1'])
    // The text of a sealed entry still names old records.
    expect((await tenant.db(db => readDictionaries(db, ['shift'])))['shift']?.map(row => row.zh)).toEqual(['夜班', '白班'])
    await submit({ ...group, id: made.id, code: 'turn' })
    expect(await offered('turn')).toEqual(['1'])

    expect((await admin.post(`${base}/remove`, { query: { ids: made.id } })).body).toMatchObject({
      code: 2004,
      msg: '已被使用，不能删除：班次 还有字典项',
    })
    expect((await admin.post(`${base}/remove`, { query: { ids: `${made.id},${entry.id},${night.id}` } })).body.data).toEqual({ removed: 3 })
    expect(await offered('turn')).toEqual([])
    const log = await tenant.rows(sql<{ action: string }>`select action from audit_log where entity = 'dictbiz' order by id`)
    expect(log.map(row => row.action)).toEqual([
      ...Array(3).fill('dictbiz.added'),
      ...Array(2).fill('dictbiz.updated'),
      ...Array(3).fill('dictbiz.removed'),
    ])
  })

  test.each([
    [{ code: '' }, '请输入字典编号'],
    [{ dictValue: '' }, '请输入字典名称'],
    [{ sort: undefined }, '请输入字典排序'],
    [{ isSealed: 2 }, '封存取值不正确'],
    [{ code: 'sex' }, '字典编号 sex 已存在'],
    [{ parentId: '1' }, '上级字典不存在'],
  ])('[S5.21] %o is refused in words', async (change, msg) => {
    expect(await submit({ ...group, ...change })).toMatchObject({ status: 400, body: { msg } })
  })

  test('[S5.21] an entry needs a key that is free, stays in its dictionary, and has no entries of its own', async () => {
    const [one, two] = [(await submit({ ...group, code: 'one' })).body.data, (await submit({ ...group, code: 'two' })).body.data]
    const entry = { code: 'x', parentId: one.id, dictKey: '1', dictValue: '甲', sort: 1, isSealed: 0 }
    const { id } = (await submit(entry)).body.data
    expect((await submit({ ...entry, dictKey: '' })).body.msg).toBe('请输入字典键值')
    expect((await submit({ ...entry, dictKey: '-1' })).body.msg).toBe('请输入字典键值')
    for (const dictKey of ['-2', '-20', '-0.5'])
      expect((await submit({ ...entry, dictKey })).body.data.fields).toEqual([{ field: 'dictKey', msg: '字典键值不能为负数' }])
    expect((await submit(entry)).body.msg).toBe('字典键值 1 已存在')
    // Said at its field: the form has nothing to guess.
    expect((await submit(entry)).body.data.fields).toEqual([{ field: 'dictKey', msg: '字典键值 1 已存在' }])
    expect((await submit({ ...entry, id, parentId: two.id })).body.msg).toBe('字典项不能移到别的字典')
    expect((await submit({ ...entry, parentId: id, dictKey: '9' })).body.msg).toBe('上级字典不存在')
  })

  test('[S4.08] sealed, an entry and a whole dictionary are offered no more; what was chosen before keeps its words, and unsealed it is back', async () => {
    const { id } = (await submit({ ...group, code: 'sealed' })).body.data
    const entry = { code: 'x', parentId: id, dictKey: '1', dictValue: '甲', sort: 1, isSealed: 0 }
    const first = (await submit(entry)).body.data.id
    await submit({ ...entry, dictKey: '2', dictValue: '乙', sort: 2 })
    const words = async () => (await tenant.db(db => readDictionaries(db, ['sealed'])))['sealed']?.map(row => [row.key, row.zh])
    expect(await offered('sealed')).toEqual(['1', '2'])
    expect((await submit({ ...entry, id: first, isSealed: 1 })).status).toBe(200)
    expect(await offered('sealed')).toEqual(['2'])
    expect((await admin.get(`${base}/detail`, { query: { id: first } })).body.data).toMatchObject({ isSealed: 1, dictValue: '甲' })
    expect(await words()).toEqual([
      ['1', '甲'],
      ['2', '乙'],
    ])
    expect((await submit({ ...entry, id: first, isSealed: 2 })).status).toBe(400)
    expect((await submit({ ...entry, id: first, isSealed: 0 })).status).toBe(200)
    expect(await offered('sealed')).toEqual(['1', '2'])
    const seals = await tenant.rows(sql<object>`
      select before_value->>'isSealed' as before, after_value->>'isSealed' as after from audit_log where entity = 'dictbiz' and entity_id = ${first} and action = 'dictbiz.updated' order by id`)
    expect(seals).toEqual([
      { before: '0', after: '1' },
      { before: '1', after: '0' },
    ])
  })

  test('a row that somebody has changed meanwhile is not changed back; a caller that does not say what it saw writes as before', async () => {
    const { id } = (await submit({ ...group, code: 'meanwhile' })).body.data
    const seen = (await admin.get(`${base}/detail`, { query: { id } })).body.data.version
    await submit({ ...group, code: 'meanwhile', id, dictValue: '新名称', version: seen })
    const late = await submit({ ...group, code: 'meanwhile', id, isSealed: 1, version: seen })
    expect([late.status, late.body.reason]).toEqual([409, 'kernel/changed-meanwhile'])
    expect((await admin.get(`${base}/detail`, { query: { id } })).body.data).toMatchObject({ dictValue: '新名称', isSealed: 0 })
    expect((await submit({ ...group, code: 'meanwhile', id, remark: '旧客户端' })).status).toBe(200)
  })

  test('twenty times the same key at once makes one entry', async () => {
    const made = (await submit({ ...group, code: 'race' })).body.data
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => submit({ code: 'x', parentId: made.id, dictKey: '1', dictValue: '甲', sort: 1, isSealed: 0 })),
    )
    expect(answers.filter(answer => answer.status === 200)).toHaveLength(1)
    expect(answers.every(answer => [200, 400, 409].includes(answer.status))).toBe(true)
  })

  test('another tenant’s rows are not there; a batch with one of them does nothing', async () => {
    const other = await t.tenant()
    const stranger = await other.staff('admin')
    const [mine, theirs] = [
      (await submit({ ...group, code: 'mine' })).body.data,
      (await submit({ ...group, code: 'theirs' }, stranger)).body.data,
    ]
    expect((await stranger.get(`${base}/detail`, { query: { id: mine.id } })).status).toBe(404)
    expect((await submit({ ...group, code: 'mine', id: mine.id }, stranger)).status).toBe(404)
    expect((await admin.post(`${base}/remove`, { query: { ids: `${mine.id},${theirs.id}` } })).status).toBe(404)
    expect((await admin.get(`${base}/detail`, { query: { id: mine.id } })).status).toBe(200)
    expect((await (await tenant.staff('reviewer1')).get(`${base}/list`)).status).toBe(403)
  })

  test('[S4.08] what came with the program keeps its code and key and is not removed, so that data keeps its words; it is sealed, and what a tenant adds is its own', async () => {
    const [of] = (await admin.get(`${base}/list`, { query: { code: 'exam_type' } })).body.data
    const [first] = of.children
    const remove = async (ids: string) => (await admin.post(`${base}/remove`, { query: { ids } })).body
    expect((await remove([of.id, ...of.children.map((row: { id: string }) => row.id)].join())).reason).toBe('dict/built-in')
    expect((await remove(first.id)).msg).toBe('“事业单位公开招聘”由程序使用，已有数据靠它显示文字，不能删除；不再使用时请封存')
    const whole = (row: Readonly<Record<string, unknown>>) =>
      Object.fromEntries(['id', 'parentId', 'code', 'dictKey', 'dictValue', 'sort', 'isSealed'].map(name => [name, row[name]]))
    const change = async (row: object, json: object) => (await submit({ ...row, ...json })).body
    expect((await change(whole(of), { code: 'kind_of_exam' })).data.fields).toMatchObject([{ field: 'code' }])
    expect((await change(whole(first), { dictKey: '77' })).data.fields).toMatchObject([{ field: 'dictKey' }])
    expect((await change(whole(first), { dictValue: '公开招聘', isSealed: 1 })).code).toBe(200)
    expect(await offered('exam_type')).not.toContain('1')
    const own = (await submit({ code: 'x', parentId: of.id, dictKey: '88', dictValue: '自建', sort: 9, isSealed: 0 })).body.data
    expect((await remove(own.id)).data).toEqual({ removed: 1 })
    expect((await submit({ ...whole(first), isSealed: 0 })).body.code).toBe(200)
  })

  test('[S4.08] an entry that data is shown by, and a dictionary that a form asks, stay with their keys until nothing uses them; the refusal says where', async () => {
    const own = await t.tenant()
    const chief = await own.staff('admin')
    const remove = async (ids: string, language: 'zh' | 'en' = 'zh') =>
      (await chief.post(`${base}/remove`, { query: { ids }, language })).body
    const groupOf = async (code: string): Promise<string> =>
      (await chief.get(`${base}/parent-list`, { query: { code } })).body.data.records[0].id
    const entry = async (code: string, dictKey: string, dictValue: string, dictValueEn = ''): Promise<string> =>
      (await submit({ code: 'x', parentId: await groupOf(code), dictKey, dictValue, dictValueEn, sort: 9, isSealed: 0 }, chief)).body.data
        .id
    const used = (where: string, name: string) => ({
      code: 2004,
      reason: 'dict/in-use',
      msg: `“${name}”已用于${where}，不能删除；不再使用时请封存`,
    })

    const trainee = await entry('post_category', '9', '见习', 'Trainee')
    const duty = { category: '9', postCode: 'trainee', postName: '见习岗', sort: 1 }
    const post = (await chief.post('/blade-system/post/submit', { json: duty })).body.data.id
    expect(await remove(trainee)).toMatchObject(used('职务', '见习'))
    expect((await remove(trainee, 'en')).msg).toBe(
      '"Trainee" is used in duty post, so it cannot be removed; seal it when it is not to be chosen any more',
    )
    const rename = await submit({ code: 'x', id: trainee, dictKey: '8', dictValue: '见习', sort: 9, isSealed: 0 }, chief)
    expect(rename.body).toMatchObject({ code: 2004, msg: '“见习”已用于职务，编号和键值不能修改' })
    expect((await submit({ code: 'x', id: trainee, dictKey: '9', dictValue: '实习', sort: 9, isSealed: 1 }, chief)).status).toBe(200)
    await chief.post('/blade-system/post/remove', { query: { ids: post } })
    expect((await remove(trainee)).data).toEqual({ removed: 1 })

    // What a post of an examination asks for, in a list or as a threshold.
    const [licence, level, other] = [
      await entry('cert', '叉车工', '叉车工'),
      await entry('title', '首席', '首席'),
      await entry('cert', '焊工', '焊工'),
    ]
    const { examId, posts } = await buildExam(own)
    await own.db(db => db.run(sql`update type_code set cert = '["护士", "叉车工"]', title = '{"min": "首席"}' where id = ${posts['A001']}`))
    expect([await remove(licence), await remove(level)]).toMatchObject([used('岗位', '叉车工'), used('岗位', '首席')])
    expect((await remove(other)).data).toEqual({ removed: 1 })

    // What people answered, in a field of their form and in a column of a table of it; a sealed answer may be any.
    const shift = (await submit({ ...group, code: 'ward_shift' }, chief)).body.data.id
    const [day, night, late] = [
      await entry('ward_shift', 'd', '白班'),
      await entry('ward_shift', 'n', '夜班'),
      await entry('ward_shift', 'l', '小夜'),
    ]
    await own.db(db =>
      db.run(sql`
        insert into sign_item (tenant_id, exam_id, item_key, item_label, field_type, dict_code, columns, sensitive)
        values (${own.tenantId}, ${examId}, 'shift', '班次', 'select', 'ward_shift', null, 0),
          (${own.tenantId}, ${examId}, 'duties', '值班', 'table', null, '[{"key": "kind", "label": "班次", "fieldType": "select", "dictCode": "ward_shift"}]', 0)`),
    )
    const [exam] = await own.rows(sql<{ name: string }>`select exam_name as name from examination where id = ${examId}`)
    const form = `“${exam?.name}”的报名表`
    expect((await remove(late)).data).toEqual({ removed: 1 })
    const place = { code: 'A001', type: 'A', unit: '01' }
    const [, second] = await insertSignups(own, examId, [
      { ...place, content: { shift: 'd', elsewhere: 'n' } },
      { ...place, content: { duties: [{ kind: 'n' }] } },
    ])
    expect([await remove(day), await remove(night)]).toMatchObject([used(form, '白班'), used(form, '夜班')])
    await own.db(db => db.run(sql`update signup set is_deleted = true where id = ${second?.id ?? ''}`))
    expect((await remove(night)).data).toEqual({ removed: 1 })
    await own.db(db => db.run(sql`update sign_item set sensitive = 2 where item_key = 'shift'`))
    const any = await entry('ward_shift', 'z', '机动')
    expect(await remove(any)).toMatchObject(used(form, '机动'))
    await own.db(db => db.run(sql`update signup set is_deleted = true where exam_id = ${examId}`))
    expect((await remove(`${shift},${day},${any}`)).msg).toBe(`“班次”已用于${form}，不能删除；不再使用时请封存`)
    await own.db(db => db.run(sql`update sign_item set is_deleted = true where exam_id = ${examId}`))
    expect((await remove(`${shift},${day},${any}`)).data).toEqual({ removed: 3 })
  })

  test('what was removed is not brought back by the next start', async () => {
    const own = await t.tenant()
    await own.db(db => db.run(sql`update dict_biz set is_deleted = true where code = 'sex' and dict_key = '2'`))
    await own.db(seedTenant)
    expect(await own.rows(sql<object>`select dict_key from dict_biz where code = 'sex' and not is_deleted order by dict_key`)).toEqual([
      { dict_key: '-1' },
      { dict_key: '1' },
    ])
  })
})

describe('[S7.18] the system dictionary', () => {
  test('belongs to the platform: its administrator writes, other tenants read and are told no', async () => {
    const at = '/blade-system/dict'
    const stranger = await tenant.staff('administrator')
    expect((await submit(group, stranger, at)).body).toMatchObject({ code: 403, reason: 'kernel/forbidden' })
    expect((await stranger.post(`${at}/remove`, { query: { ids: '1' } })).body.code).toBe(403)
    expect((await submit(group, admin, at)).status).toBe(403)
    const chief = await t.platform().staff('administrator')
    const { id } = (await submit(group, chief, at)).body.data
    expect((await stranger.get(`${at}/detail`, { query: { id } })).body.data).toMatchObject({ code: 'shift', dictValue: '班次' })
    expect((await chief.post(`${at}/remove`, { query: { ids: id } })).body.data).toEqual({ removed: 1 })
    expect(await t.platform().rows(sql<object>`select action from audit_log where entity = 'dict' order by id`)).toEqual([
      { action: 'dict.added' },
      { action: 'dict.removed' },
    ])
  })
})

test('[S7.18] selectors get dictionaries and trees of entries; what is sealed is in the full ones alone', async () => {
  const { id } = (await submit({ ...group, code: 'colour', dictValue: '颜色' })).body.data
  for (const [dictKey, isSealed] of [
    ['1', 0],
    ['2', 1],
  ] as const)
    await submit({ code: 'x', parentId: id, dictKey, dictValue: `第 ${dictKey} 种`, sort: 1, isSealed })
  const shut = (await submit({ ...group, code: 'shut', dictValue: '停用', isSealed: 1 })).body.data
  const codes = async (call: string) =>
    (await admin.get(`${base}/${call}`)).body.data
      .map((row: { code: string }) => row.code)
      .filter((code: string) => /^(colour|shut)$/.test(code))
  expect([await codes('select'), await codes('select-all')]).toEqual([['colour'], ['colour', 'shut']])
  expect((await admin.get(`${base}/select`)).body.data).toContainEqual({ id, code: 'colour', dictValue: '颜色' })
  // A reviewer has no right on dictionaries, and their forms show these words.
  const reviewer = await tenant.staff('reviewer1')
  const tree = async (call: string, code: string) => (await reviewer.get(`${base}/${call}`, { query: { code } })).body.data
  const keys = async (call: string) => (await tree(call, 'colour'))[0].children.map((node: { dictKey: string }) => node.dictKey)
  expect([await keys('dictionary-tree'), await keys('dictionary-full')]).toEqual([['1'], ['1', '2']])
  expect([await tree('dictionary-tree', 'shut'), await tree('dictionary-full', 'shut')]).toEqual([
    [],
    [{ id: shut.id, parentId: '0', title: '停用', key: shut.id, value: shut.id, dictKey: '-1', isSealed: 1 }],
  ])
  expect((await reviewer.get(`${base}/select`)).status).toBe(403)
  const platform = (await reviewer.get('/blade-system/dict/dictionary-tree', { query: { code: 'yes_no' } })).body.data
  expect(platform.map((node: { children: object[] }) => node.children.length)).toEqual([2])
})
