import { afterAll, beforeAll, expect, test } from 'vitest'
import { pinyinInitials } from '#contract/kernel/pinyin-initials.ts'
import { searchFold } from '#contract/kernel/search-fold.ts'
import { sql } from '#kernel/db/sql.ts'
import { type Person, startTestApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { buildExam } from '../../support/factories.ts'

let t: TestApp
let tenant: TestTenant
let admin: Person
beforeAll(async () => {
  t = await startTestApp()
  tenant = await t.tenant()
  admin = await tenant.staff('admin', { realName: '管理员' })
})
afterAll(() => t.close())

/** What the database makes of texts, in their order. */
const folded = (words: readonly string[]) =>
  tenant.rows(sql<{ fold: string; ways: string }>`
    select search_fold(w) as fold, pinyin_initials(w) as ways from unnest(${[...words]}::text[]) with ordinality t(w, at) order by at`)

test('[21.4] the database folds as the contract does, whatever the text', async () => {
  const ranges = [
    [0x20, 0x17f],
    [0x370, 0x3ff],
    [0x400, 0x45f],
    [0x1e00, 0x1eff],
    [0x2000, 0x206f],
    [0x20a0, 0x20bf],
    [0x2100, 0x218f],
    [0x2460, 0x24ff],
    [0x2e80, 0x2fd5],
    [0x3000, 0x30ff],
    [0x3200, 0x33ff],
    [0x4e00, 0x9fff],
    [0xf900, 0xfa6d],
    [0xfe00, 0xfe6b],
    [0xff00, 0xffef],
    [0x1f300, 0x1f5ff],
    [0x20000, 0x200ff],
    [0xe0100, 0xe01ef],
  ] as const
  const characters = ranges.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, at) => String.fromCodePoint(from + at)))
  const words = [
    ...characters,
    // Every character once more among others, where what stands beside it might matter.
    ...characters.map((character, at) => `重${character}Σ${characters[(at * 7919) % characters.length]}İ-长 e\u0301`),
    '买买提•艾力',
    '８１０１-0101 0001',
    '长'.repeat(9),
    '',
  ]
  const rows = await folded(words)
  const wrong = words.flatMap((word, at) => {
    const row = rows[at]
    return row?.fold === searchFold(word) && row.ways === pinyinInitials(word).join(' ')
      ? []
      : [[word, row, searchFold(word), pinyinInitials(word).join(' ')]]
  })
  expect(wrong.slice(0, 5)).toEqual([])
})

test('[21.4] departments, staff, dictionaries and menus are found by words in any order, by initials and whatever the width and the dot', async () => {
  const dept = (deptName: string) =>
    admin.post('/blade-system/dept/submit', { json: { deptName, fullName: `某区${deptName}`, deptCategory: 2, sort: 1, parentId: '0' } })
  for (const name of ['区人民医院（东院）', '中医院·骨伤科', '疾控中心ＣＤＣ']) await dept(name)
  const person = (account: string, realName: string) => admin.post('/blade-system/user/submit', { json: { account, realName } })
  await person('search.one', '阿卜杜拉·买买提')
  await person('search-two', '重阳')
  const depts = async (deptName: string) =>
    (await admin.get('/blade-system/dept/list', { query: { deptName } })).body.data.map((row: { deptName: string }) => row.deptName)
  const people = async (query: object, userType = 1) =>
    (await admin.get('/blade-system/user/page', { query: { userType, ...query } })).body.data.records.map(
      (row: { account: string }) => row.account,
    )
  expect([
    await depts('qrmyy'),
    await depts('东院 人民'),
    await depts('(东院)'),
    await depts('骨伤 中医院'),
    await depts('中医院•骨伤科'),
    await depts('cdc'),
    await depts('jkzx'),
    await depts('人民 骨伤'),
  ]).toEqual([
    ['区人民医院（东院）'],
    ['区人民医院（东院）'],
    ['区人民医院（东院）'],
    ['中医院·骨伤科'],
    ['中医院·骨伤科'],
    ['疾控中心ＣＤＣ'],
    ['疾控中心ＣＤＣ'],
    [],
  ])
  expect([
    await people({ realName: '阿卜杜拉．买买提' }),
    await people({ realName: '买买提 阿卜杜拉' }),
    await people({ realName: 'abdl' }),
    await people({ realName: 'cy' }),
    await people({ realName: 'zy' }),
    await people({ account: 'ＳＥＡＲＣＨ．ｏｎｅ' }),
    await people({ account: 'search two' }),
    await people({ realName: '\u200B重\u00AD阳 ' }),
    await people({ realName: '·' }),
    await people({ realName: 'gly' }),
  ]).toEqual([
    ['search.one'],
    ['search.one'],
    ['search.one'],
    ['search-two'],
    ['search-two'],
    ['search.one'],
    ['search-two'],
    ['search-two'],
    [],
    [expect.stringMatching(/^staff\d+$/)],
  ])
})

test('[21.4] units, posts and schools are found by initials, by words in any order and whatever the case', async () => {
  const office = await tenant.staff('exam_admin')
  const { examId } = await buildExam(tenant, {
    posts: [{ unit: 'H09', unitName: '某区人民医院', type: 'A', typeName: '医疗', planNum: 1, code: 'D001', codeName: '内科医师' }],
  })
  const units = async (name: string) =>
    (await office.get('/blade-userCode/usercode/list', { query: { name } })).body.data.records.map((row: { code: string }) => row.code)
  const posts = async (query: object) =>
    (await office.get('/blade-typeCode/typecode/list', { query: { examId, ...query } })).body.data.records.map(
      (row: { code: string }) => row.code,
    )
  expect([await units('qrmyy'), await units('ＭＱＲＭＹＹ'), await units('医院 某区'), await units('zyy')]).toEqual([
    ['H09'],
    ['H09'],
    ['H09'],
    [],
  ])
  expect([
    await posts({ unitName: 'rmyy' }),
    await posts({ codeName: 'nkys' }),
    await posts({ code: 'd001' }),
    await posts({ codeName: 'wkys' }),
  ]).toEqual([['D001'], ['D001'], ['D001'], []])
  await tenant.db(db =>
    db.run(sql`
      insert into school (tenant_id, school_code, school_name, province, level, aliases) values (${db.actor.tenantId}, '9901', '新疆医科大学', '新疆', 1, '新疆医学院')`),
  )
  const schools = async (keyword: string) =>
    (await office.get('/blade-school/school/list', { query: { keyword } })).body.data.map((row: { schoolName: string }) => row.schoolName)
  expect([await schools('xjykdx'), await schools('医科 新疆'), await schools('yk'), await schools('zgyk')]).toEqual([
    ['新疆医科大学'],
    ['新疆医科大学'],
    ['新疆医科大学'],
    [],
  ])
})
