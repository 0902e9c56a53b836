import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { type Person, startTestApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { type BuiltExam, buildExam } from '../../support/factories.ts'
import { upload } from '../../support/signing.ts'

let app: TestApp
let tenant: TestTenant
let office: Person
let exam: BuiltExam
let number = 20
beforeAll(async () => {
  app = await startTestApp({ start: '2026-03-10T10:00:00+08:00' })
  tenant = await app.tenant()
  office = await tenant.staff('exam_admin')
})
afterAll(() => app.close())
const fresh = async (): Promise<BuiltExam> => {
  number += 1
  return buildExam(tenant, { exam: { exam_name: `名词 ${number}`, exam_code: `N${number}`, exam_no: number } })
}
const submit = (noun: string, json: Record<string, unknown>, who = office) =>
  who.post(`/blade-${noun}/${noun.toLowerCase()}/submit`, { json })
const remove = (noun: string, ids: string | undefined, who = office) =>
  who.post(`/blade-${noun}/${noun.toLowerCase()}/remove`, { form: { ids: ids ?? '' } })
const list = (noun: string, query: Record<string, string>, who = office) => who.get(`/blade-${noun}/${noun.toLowerCase()}/list`, { query })
/** A sign-up was submitted: the number was counted up. */
const signUp = (examId: string, code?: string) =>
  tenant.db(async db => {
    await db.run(sql`update exam_counter set sign_seq = sign_seq + 1 where exam_id = ${examId}`)
    if (code) {
      const person = await tenant.candidate()
      await db.run(
        sql`insert into signup (tenant_id, exam_id, user_id, code, examine) values (${db.actor.tenantId}, ${examId}, ${person.userId}, ${code}, 'waiting')`,
      )
    }
  })
const auditOf = async (id: string) =>
  (await tenant.rows(sql<{ action: string }>`select action from audit_log where entity_id = ${id} order by id`)).map(row => row.action)

describe('[S7.61] the form of an examination', () => {
  beforeAll(async () => {
    exam = await fresh()
  })
  test('is free while nobody has signed up, and every change of a released one is public', async () => {
    const added = await submit('signitems', { examId: exam.examId, itemKey: 'height', itemLabel: '身高', fieldType: 'number', required: 1 })
    const id = added.body.data.id
    expect((await submit('signitems', { id, itemLabel: '身高(厘米)' })).body.code).toBe(200)
    const twice = await submit('signitems', { examId: exam.examId, itemKey: 'height', itemLabel: '身高', fieldType: 'number' })
    expect([twice.status, twice.body.msg]).toEqual([400, '标识 height 已存在'])
    expect((await submit('signitems', { id, pattern: '[' })).body.data.fields[0].field).toBe('pattern')
    expect((await remove('signitems', id)).body.data).toEqual({ removed: 1 })
    expect(await auditOf(id)).toEqual(['sign-item.added', 'sign-item.updated', 'sign-item.removed'])
    const { changes } = (await office.get('/blade-exam/examination/detail', { query: { id: exam.examId } })).body.data
    expect(changes.map((line: { text: string }) => line.text)).toEqual([
      '删除报名项“身高(厘米)”',
      '修改报名项“身高(厘米)”',
      '新增报名项“身高”',
    ])
  })

  test('is frozen once somebody has: no other type, nothing removed, nothing newly required; labels and optional fields still go', async () => {
    await signUp(exam.examId)
    const id = exam.signItems['nation']
    const type = await submit('signitems', { id, fieldType: 'text' })
    expect([type.status, type.body.code, type.body.data.fields]).toEqual([409, 2003, ['fieldType']])
    expect((await submit('signitems', { id: exam.signItems['certNo'], required: 1 })).body.data.fields).toEqual(['required'])
    expect((await submit('signitems', { id, required: 0, itemLabel: '民族成份' })).body.code).toBe(200)
    expect((await remove('signitems', id)).body).toMatchObject({ code: 2004, msg: '已被使用，不能删除：民族成份' })
    const must = { examId: exam.examId, itemKey: 'email', itemLabel: '邮箱', fieldType: 'text' }
    expect((await submit('signitems', { ...must, required: 1 })).body.code).toBe(2003)
    expect((await submit('signitems', must)).body.code).toBe(200)
    expect((await submit('signfiles', { id: exam.signFiles['photo'], kind: 14 })).body.code).toBe(2003)
    expect((await remove('signfiles', exam.signFiles['photo'])).body.code).toBe(2004)
  })

  test('a paper is stored only with marks and times that fit each other', async () => {
    const id = exam.papers['01']
    const wrong = async (change: Record<string, unknown>) => {
      const { status, body } = await submit('examitem', { id, ...change })
      return [status, body.data.fields]
    }
    expect(await wrong({ passScore: '100.5' })).toEqual([400, [{ field: 'passScore', msg: '合格线不能高于满分' }]])
    expect(await wrong({ fullScore: '50', passScore: '60' })).toEqual([400, [{ field: 'passScore', msg: '合格线不能高于满分' }]])
    expect(await wrong({ reportTime: '2026-03-28 23:00:00' })).toEqual([400, [{ field: 'reportTime', msg: '报到时间不能晚于开始时间' }]])
    expect((await submit('examitem', { id, fullScore: '150', passScore: '90' })).body.code).toBe(200)
    expect(await wrong({ fullScore: '80' })).toEqual([400, [{ field: 'passScore', msg: '合格线不能高于满分' }]])
    expect((await submit('examitem', { id, fullScore: '100', passScore: null })).body.code).toBe(200)
  })

  test('papers keep their times once tickets are made, never overlap for one candidate, and stay while results stand', async () => {
    const id = exam.papers['01']
    const second = {
      examId: exam.examId,
      itemCode: '02',
      itemName: '专业知识',
      itemType: 1,
      startTime: '2026-03-28 10:00:00',
      endTime: '2026-03-28 11:00:00',
    }
    const clash = await submit('examitem', second)
    expect([clash.body.code, clash.body.msg]).toEqual([2003, '科目时间重叠：专业知识、综合基础知识'])
    expect((await submit('examitem', { ...second, endTime: '2026-03-28 09:00:00' })).body.data.fields[0].field).toBe('endTime')
    const added = await submit('examitem', { ...second, startTime: '2026-03-28 14:00:00', endTime: '2026-03-28 15:00:00' })
    expect(
      (await list('examitem', { examId: exam.examId })).body.data.records.map((row: { seedCommit: string }) => row.seedCommit?.length),
    ).toEqual([64, 64])
    await tenant.db(db => db.run(sql`update exam_item set ticket_state = 'made' where id = ${id}`))
    expect((await submit('examitem', { id, startTime: '2026-03-28 09:30:00' })).body.data.fields).toEqual(['startTime'])
    expect((await submit('examitem', { id, startTime: '2026-03-28 09:00:00', fullScore: '100', rules: '请带身份证' })).body.code).toBe(200)
    expect((await remove('examitem', id)).body.code).toBe(2004)
    expect((await remove('examitem', added.body.data.id)).body.code).toBe(200)
  })
})

describe('which posts sit a paper is set at the posts', () => {
  const wish = { unit: 'H01', unitName: '区人民医院', type: 'B', typeName: '护理', planNum: 1 }
  const times = (hour: string) => ({ startTime: `2026-03-28 ${hour}:00:00`, endTime: `2026-03-28 ${hour}:50:00` })
  test('every answer about a paper names its posts, a change of a post changes them all, and the paper takes none', async () => {
    const built = await buildExam(tenant, {
      exam: { exam_name: '岗位与科目', exam_code: 'SITS', exam_no: 19, state: 'draft' },
      posts: [
        { ...wish, code: 'B001', codeName: '护士', itemCodes: ['01'] },
        { ...wish, code: 'B002', codeName: '助产士' },
      ],
      papers: [
        { itemCode: '01', itemName: '综合基础知识', ...times('09') },
        { itemCode: '02', itemName: '护理学', ...times('11') },
      ],
    })
    const { examId } = built
    type Papers = readonly { readonly itemCode: string; readonly typeCodes: readonly string[] }[]
    const brief = (rows: Papers) => Object.fromEntries(rows.map(row => [row.itemCode, row.typeCodes]))
    const everywhere = async () => {
      const get = async (path: string, query: Record<string, string>) => (await office.get(path, { query })).body.data
      const details = await Promise.all(Object.values(built.papers).map(id => get('/blade-examitem/examitem/detail', { id })))
      return [
        brief((await get('/blade-examitem/examitem/list', { examId })).records),
        brief(details),
        brief(await get('/blade-exam/examination/getExamItems', { examId })),
        brief((await get('/blade-exam/examination/detail', { id: examId })).examitems),
      ]
    }
    const same = (papers: Record<string, readonly string[]>) => Array.from({ length: 4 }, () => papers)
    expect(await everywhere()).toEqual(same({ '01': ['B001', 'B002'], '02': ['B002'] }))
    expect((await submit('typeCode', { id: built.posts['B001'], itemCodes: ['02'] })).body.code).toBe(200)
    expect(await everywhere()).toEqual(same({ '01': ['B002'], '02': ['B001', 'B002'] }))
    const id = built.papers['01']
    const read = (await office.get('/blade-examitem/examitem/detail', { query: { id: id ?? '' } })).body.data
    expect((await submit('examitem', { ...read, rules: '请带身份证' })).body.code).toBe(200)
    const refused = await submit('examitem', { ...read, version: undefined, typeCodes: ['B001'] })
    expect([refused.status, refused.body.data.fields]).toEqual([
      400,
      [{ field: 'typeCodes', msg: '适用岗位由系统填写，不能修改（在岗位的“考试科目”中设置）' }],
    ])
    const added = await submit('examitem', { examId, itemCode: '03', itemName: '面试', itemType: 2, ...times('14'), typeCodes: ['B001'] })
    expect([added.status, added.body.data.fields[0].field]).toEqual([400, 'typeCodes'])
    const whole = (await office.get('/blade-exam/examination/detail', { query: { id: examId } })).body.data
    const nested = whole.examitems.map((row: Record<string, unknown>) => ({ ...row, typeCodes: ['B001'] }))
    const saved = await office.post('/blade-exam/examination/submit', { json: { id: examId, version: whole.version, examitems: nested } })
    expect([saved.status, JSON.stringify(saved.body.data)]).toEqual([400, expect.stringContaining('typeCodes')])
    expect(await tenant.rows(sql`select distinct type_codes as named from exam_item where exam_id = ${examId}`)).toEqual([{ named: [] }])
  })
})

describe('[S7.61] posts', () => {
  beforeAll(async () => {
    exam = await fresh()
  })
  test('conditions change freely before sign-up begins, then only by the exam administrator with a reason', async () => {
    const id = exam.posts['A001']
    expect((await submit('typeCode', { id, planNum: 3 })).body.code).toBe(200)
    const admin = await tenant.staff('admin')
    app.clock.set('2026-03-17T10:00:00+08:00')
    const [refused, silent] = [
      await submit('typeCode', { id, sex: 1, changeReason: '更正' }, admin),
      await submit('typeCode', { id, sex: 1 }),
    ]
    expect([refused.body.code, silent.body.code, silent.body.data.fields]).toEqual([2003, 2003, ['sex', 'changeReason']])
    expect((await submit('typeCode', { id, sex: 1, changeReason: '公告更正' })).body.code).toBe(200)
    expect((await submit('typeCode', { id, phone: '0571-88880001' }, admin)).body.code).toBe(200)
    app.clock.set('2026-03-10T10:00:00+08:00')
    const row = (await office.get('/blade-typeCode/typecode/detail', { query: { id } })).body.data
    expect(row).toMatchObject({ planNum: 3, curNum: 3, sex: 1, phone: '0571-88880001', changeReason: '公告更正' })
    const { changes } = (await office.get('/blade-exam/examination/detail', { query: { id: exam.examId } })).body.data
    expect(changes[1].text).toBe('修改岗位“A001 内科医师”：公告更正')
  })

  test('a post that is typed keeps the rules of the workbook: bounds in order, known papers that one person can sit, its unit’s name', async () => {
    const second = { examId: exam.examId, itemCode: '02', itemName: '专业知识', itemType: 1 }
    const added = await submit('examitem', { ...second, startTime: '2026-03-29 09:00:00', endTime: '2026-03-29 10:00:00' })
    const wrong = async (change: Record<string, unknown>) => {
      const typed = {
        examId: exam.examId,
        unit: 'H01',
        unitName: '区人民医院',
        type: 'A',
        typeName: '医疗',
        code: 'A077',
        codeName: '外科医师',
      }
      const { status, body } = await submit('typeCode', { ...typed, planNum: 1, ...change })
      return [status, body.data.fields]
    }
    expect(await wrong({ bornFrom: '2008-01-01', bornTo: '1990-01-01' })).toEqual([
      400,
      [{ field: 'bornTo', msg: '出生日期的下限晚于上限' }],
    ])
    expect(await wrong({ unitName: '第九人民医院' })).toEqual([400, [{ field: 'unitName', msg: '单位代码 H01 已是 区人民医院' }]])
    expect(await wrong({ itemCodes: ['01', '77'] })).toEqual([400, [{ field: 'itemCodes', msg: '科目代码在本考试不存在: 77' }]])
    const late = { id: added.body.data.id, startTime: '2026-03-28 09:00:00', endTime: '2026-03-28 10:00:00' }
    // Papers at the same time are fine as long as nobody sits both; a post for all of them is refused.
    for (const id of Object.values(exam.posts)) expect((await submit('typeCode', { id, itemCodes: ['01'] })).body.code).toBe(200)
    expect((await submit('examitem', late)).body.code).toBe(200)
    expect(await wrong({})).toEqual([400, [{ field: 'itemCodes', msg: '所选科目时间重叠：专业知识、综合基础知识，考生不能同时参加' }]])
    // The names of unit and category follow from their codes; a code that is nowhere needs its name.
    const unknown = await wrong({ unit: 'H99', unitName: null, itemCodes: ['02'] })
    expect([unknown[0], unknown[1][0].field]).toEqual([400, 'unit'])
    const kept = await submit('typeCode', {
      ...{ examId: exam.examId, unit: 'H01', type: 'A', code: 'A077', codeName: '外科医师' },
      ...{ planNum: 1, itemCodes: ['02'], educations: { min: '20' } },
    })
    expect((await list('typeCode', { code: 'A077' })).body.data.records).toMatchObject([
      { itemCodes: ['02'], educations: { min: '20' }, unitName: '区人民医院', typeName: '医疗' },
    ])
    expect((await remove('typeCode', kept.body.data.id)).body.data).toEqual({ removed: 1 })
    expect((await remove('examitem', added.body.data.id)).body.data).toEqual({ removed: 1 })
  })

  test('majors and household are typed as in the workbook: codes of the catalogue, else the published names', async () => {
    const typed = {
      ...{ examId: exam.examId, unit: 'H01', unitName: '区人民医院', type: 'A', typeName: '医疗', code: 'A078', codeName: '全科医师' },
      ...{ planNum: 1, itemCodes: ['01'] },
    }
    const fieldsOf = async (change: Record<string, unknown>) => (await submit('typeCode', { ...typed, ...change })).body.data.fields
    expect(await fieldsOf({ majors: '100201K；X9' })).toEqual([{ field: 'majors', msg: '专业代码不存在: X9' }])
    expect(await fieldsOf({ hukou: '本'.repeat(61) })).toEqual([{ field: 'hukou', msg: '户籍要求最多 60 个字' }])
    expect(await fieldsOf({ hukou: { prefixes: '330106' } })).toEqual([{ field: 'hukou', msg: '户籍要求格式不正确' }])
    const added = await submit('typeCode', { ...typed, majorText: '本科：临床医学、麻醉学', majors: null, hukou: '330106；330100' })
    const { id } = added.body.data
    const stored = async () => {
      const { majors, hukou } = (await office.get('/blade-typeCode/typecode/detail', { query: { id } })).body.data
      return [majors, hukou]
    }
    const named = ['临床医学', '麻醉学'].map(name => ({ code: '', name, level: '' }))
    expect(await stored()).toEqual([named, { text: '330106；330100', prefixes: ['330106', '3301'] }])
    await submit('typeCode', { id, majors: ' 100201k ' })
    expect((await stored())[0]).toEqual([{ code: '100201K', name: '临床医学', level: '本科' }])
    await submit('typeCode', { id, majorText: '临床医学', hukou: '本区户籍' })
    expect(await stored()).toEqual([[{ code: '100201K', name: '临床医学', level: '本科' }], { text: '本区户籍', prefixes: [] }])
    await submit('typeCode', { id, majors: '', hukou: '' })
    expect(await stored()).toEqual([[{ code: '', name: '临床医学', level: '' }], null])
    expect((await remove('typeCode', id)).body.data).toEqual({ removed: 1 })
  })

  test('a post somebody chose keeps its code and cannot be removed; a cap below the sign-ups is refused', async () => {
    await signUp(exam.examId, 'B001')
    const id = exam.posts['B001']
    expect((await submit('typeCode', { id, code: 'B009' })).body.data.fields).toEqual(['code'])
    expect((await remove('typeCode', id)).body).toMatchObject({ code: 2004, msg: '已被使用，不能删除：B001' })
    await tenant.db(db => db.run(sql`update type_code set used_sign = 2 where id = ${id}`))
    expect((await submit('typeCode', { id, maxSign: 1 })).body.data.fields[0].field).toBe('maxSign')
    expect((await remove('typeCode', `${exam.posts['A002']},${id}`)).body.code).toBe(2004)
    expect((await list('typeCode', { examId: exam.examId })).body.data.total).toBe(3)
    expect((await remove('typeCode', exam.posts['A002'])).body.data).toEqual({ removed: 1 })
  })

  test('people of a unit see and mend their own phone number only', async () => {
    const hr = await tenant.staff('unit_hr', { userCode: 'H01' })
    const other = await tenant.staff('unit_hr', { userCode: 'H02' })
    const id = exam.posts['A001']
    expect((await list('typeCode', { examId: exam.examId }, hr)).body.data.records.map((row: { code: string }) => row.code).sort()).toEqual(
      ['A001', 'B001'],
    )
    expect((await submit('typeCode', { id, phone: '0571-1' }, hr)).body.code).toBe(200)
    expect((await submit('typeCode', { id, planNum: 9 }, hr)).status).toBe(403)
    expect((await submit('typeCode', { id, phone: '0571-2' }, other)).status).toBe(404)
    expect((await remove('typeCode', id, hr)).status).toBe(403)
  })
})

describe('[S7.61] libraries and codes', () => {
  test('the tenant starts with the built-in fields and the 14 kinds of files, in both languages', async () => {
    const items = (await list('items', { size: '200' })).body.data
    expect(items.total).toBeGreaterThanOrEqual(48)
    expect(
      items.records.every(
        (row: { itemLabel: string; itemLabelEn: string; builtIn: number }) =>
          row.itemLabel !== '' && row.itemLabelEn !== '' && row.builtIn === 1,
      ),
    ).toBe(true)
    const files = (await list('files', { size: '200' })).body.data.records as { kind: number; fileLabelEn: string; pixel: unknown }[]
    expect(files.map(row => row.kind)).toEqual(Array.from({ length: 14 }, (_, i) => i + 1))
    expect(files[0]).toMatchObject({ pixel: { minW: 295, minH: 413, ratio: [0.7, 0.76] } })
  })

  test('a table that nobody could fill in is no field: its columns are looked at one by one', async () => {
    const table = (itemKey: string, columns: unknown) => submit('items', { itemKey, itemLabel: '值班情况', fieldType: 'table', columns })
    const wrong: readonly (readonly [columns: unknown, field: string, says: string])[] = [
      [undefined, 'columns', '表格至少要有一列'],
      [[], 'columns', '表格至少要有一列'],
      ['shift', 'columns', '表格列格式不正确'],
      [{ 0: 'shift' }, 'columns', '表格列格式不正确'],
      [[{ key: '__proto__', label: '班次', fieldType: 'text' }], 'columns.0.key', '列标识格式不正确'],
      [[{ key: 'shift', label: '', fieldType: 'text' }], 'columns.0.label', '列名称不能为空'],
      [[{ key: 'shift', label: '班次', fieldType: 'table' }], 'columns.0.fieldType', '列类型取值不正确'],
      [[{ key: 'shift', label: '班次', fieldType: 'text', onclick: 'x' }], 'columns.0.onclick', '“onclick”不是允许的字段'],
      [[{ key: 'shift', label: '班次', fieldType: 'select' }], 'columns', '请为“班次”列选择字典'],
      [
        [
          { key: 'shift', label: '班次', fieldType: 'text' },
          { key: 'shift', label: '日期', fieldType: 'date' },
        ],
        'columns',
        '列标识重复：shift',
      ],
    ]
    for (const [columns, field, says] of wrong) {
      const { status, body } = await table('duties', columns)
      expect([status, body.data?.fields?.[0]?.field, body.data?.fields?.[0]?.msg], JSON.stringify(columns)).toEqual([
        400,
        field,
        expect.stringContaining(says),
      ])
    }
    const columns = [
      { key: 'shift', label: '班次', labelEn: 'Shift', fieldType: 'select', dictCode: 'yes_no', required: true, maxLen: null },
    ]
    const { id } = (await table('duties', columns)).body.data
    expect((await office.get('/blade-items/items/detail', { query: { id } })).body.data.columns).toEqual(columns)
    // What is not sent stays: a table keeps its columns, and cannot lose them.
    expect((await submit('items', { id, itemLabel: '值班' })).status).toBe(200)
    expect((await submit('items', { id, columns: null })).body.data.fields[0].field).toBe('columns')
  })

  test('a condition that could not be judged is refused', async () => {
    const target = await fresh()
    const set = (visibleWhen: unknown) => submit('signitems', { id: target.signItems['adjust'], visibleWhen })
    for (const [wrong, field] of [
      ['hasRelative', 'visibleWhen'],
      [{ key: 'hasRelative' }, 'visibleWhen.op'],
      [{ key: 'constructor', op: 'eq', value: '1' }, 'visibleWhen.key'],
      [{ key: 'hasRelative', op: 'like', value: '1' }, 'visibleWhen.op'],
      [{ key: 'hasRelative', op: 'in', value: { one: 1 } }, 'visibleWhen.value'],
    ] as const) {
      const { status, body } = await set(wrong)
      expect([status, body.data?.fields?.[0]?.field], JSON.stringify(wrong)).toEqual([400, field])
    }
    for (const right of [{ key: 'hasRelative', op: 'in', value: ['0', '1'] }, { key: 'hasRelative', op: 'notEmpty' }, null])
      expect((await set(right)).status, JSON.stringify(right)).toBe(200)
  })

  test('pixels that no picture could have are refused', async () => {
    const pixel = { minW: 295, minH: 413, maxW: 4000, maxH: 6000, ratio: [0.7, 0.76] }
    const file = (fileKey: string, wanted: unknown) => submit('files', { fileKey, fileLabel: '照片', kind: 14, pixel: wanted })
    for (const [wanted, field] of [
      ['295x413', 'pixel'],
      [{ minW: 295 }, 'pixel.minH'],
      [{ ...pixel, ratio: [0.7] }, 'pixel.ratio'],
      [{ ...pixel, minW: 5000 }, 'pixel'],
      [{ ...pixel, ratio: [0.8, 0.7] }, 'pixel'],
    ] as const)
      expect((await file('gym', wanted)).body.data?.fields?.[0]?.field, JSON.stringify(wanted)).toBe(field)
    expect((await file('gym', pixel)).status).toBe(200)
  })

  test('[S7.61] a sample is shown to whoever fills the form in; nobody’s own papers become one', async () => {
    const target = await fresh()
    const candidate = await tenant.candidate()
    const bytes = readFileSync(fileURLToPath(new URL('../../../seed/data/portraits/id-front-1.jpg', import.meta.url)))
    const card = await upload(candidate, bytes, 'id-front.jpg', 'image')
    const mine = await upload(office, bytes, 'sample.jpg', 'document')
    const shown = async () =>
      (await candidate.get('/blade-signup/signup/getSignUpFiles', { query: { examId: target.examId } })).body.data.find(
        (file: { fileKey: string }) => file.fileKey === 'idFront',
      ).sampleUrl
    const [row] = (await list('files', { fileKey: 'idFront' })).body.data.records
    const copy = { id: target.signFiles['idFront'] }
    for (const sampleFileId of [card, '7'])
      for (const answer of [await submit('files', { id: row.id, sampleFileId }), await submit('signfiles', { ...copy, sampleFileId })])
        expect(answer.status).toBe(404)
    expect(await shown()).toBeNull()
    expect((await submit('files', { id: row.id, sampleFileId: mine })).status).toBe(200)
    const { sampleLink } = (await list('files', { fileKey: 'idFront' })).body.data.records[0]
    expect((await office.get(sampleLink.replace(/^\/api/, ''))).status).toBe(200)
    // The form of an examination takes the library's, also when somebody else copies it.
    const colleague = await tenant.staff('exam_admin')
    expect((await submit('signfiles', { ...copy, sampleFileId: mine }, colleague)).status).toBe(200)
    const link = await shown()
    expect((await candidate.get(link.replace(/^\/api/, ''))).status).toBe(200)
    expect((await (await tenant.candidate()).get(link.replace(/^\/api/, ''))).status).toBe(404)
    // Somebody's upload that belongs to something already is no sample.
    const taken = await upload(colleague, bytes, 'other.jpg', 'document')
    await tenant.db(db => db.run(sql`update stored_file set owner_kind = 'account', owner_id = 1 where id = ${taken}`))
    expect((await submit('files', { id: row.id, sampleFileId: taken }, colleague)).status).toBe(404)
    expect((await submit('files', { id: row.id, sampleFileId: null })).status).toBe(200)
  })

  test('a built-in field is not removed, a used one neither; a field can be put out of use and then joins no new form', async () => {
    const built = (await list('items', { itemKey: 'marriage' })).body.data.records[0]
    expect((await remove('items', built.id)).body.code).toBe(2004)
    const own = (await submit('items', { itemKey: 'hobby', itemLabel: '爱好', fieldType: 'text' })).body.data.id
    const target = await fresh()
    const copy = { examId: target.examId, itemsId: own, itemKey: 'hobby', itemLabel: '爱好', fieldType: 'text' }
    expect((await office.post('/blade-items/items/changeStatus', { form: { id: own, status: '0' } })).body.data).toEqual({
      id: own,
      status: 0,
    })
    expect((await submit('signitems', copy)).status).toBe(404)
    await office.post('/blade-items/items/changeStatus', { form: { id: own, status: '1' } })
    const used = await submit('signitems', copy)
    expect((await remove('items', own)).body.code).toBe(2004)
    expect((await remove('signitems', used.body.data.id)).body.code).toBe(200)
    expect((await remove('items', own)).body.data).toEqual({ removed: 1 })
    expect(await auditOf(own)).toEqual(['item.added', 'item.status-changed', 'item.status-changed', 'item.removed'])
    const other = await app.tenant()
    const stranger = await other.staff('exam_admin')
    expect((await stranger.post('/blade-items/items/changeStatus', { form: { id: built.id, status: '0' } })).status).toBe(404)
  })

  test('a unit code in use is neither renamed nor removed', async () => {
    const made = (await submit('userCode', { code: 'S77', name: '第七考点', codeKind: 2 })).body.data.id
    expect((await submit('userCode', { code: 'S77', name: '又一个', codeKind: 2 })).body.msg).toBe('编码 S77 已存在')
    await tenant.staff('site', { userCode: 'S77' })
    expect((await submit('userCode', { id: made, code: 'S78' })).body.code).toBe(2003)
    expect((await submit('userCode', { id: made, name: '第七中学' })).body.code).toBe(200)
    expect((await remove('userCode', made)).body).toMatchObject({ code: 2004, msg: '已被使用，不能删除：S77 第七中学' })
    expect((await submit('userCode', { code: 'X1', name: 'x', codeKind: 1 }, await tenant.staff('finance'))).status).toBe(403)
  })

  test('the dictionaries a select field may use are named in the caller’s language', async () => {
    const names = (await office.get('/blade-items/items/getAllDictCodeBiz')).body.data
    expect(names).toContainEqual({ code: 'nation', name: '民族' })
    const english = (await office.get('/blade-items/items/getAllDictCodeBiz', { language: 'en' })).body.data
    expect(english.find((row: { code: string }) => row.code === 'exam_type')).toEqual({ code: 'exam_type', name: 'Examination type' })
  })
})
