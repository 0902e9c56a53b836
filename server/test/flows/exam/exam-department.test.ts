import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { type Person, startTestApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { buildExam, makeDept } from '../../support/factories.ts'
import { insertSignups } from '../../support/sign-up-rows.ts'
import { seedRows, workbook } from '../../support/workbook.ts'

let t: TestApp
let tenant: TestTenant
/** Bureau › personnel office › examination office; beside the personnel office the disease control centre. */
let tree: { bureau: string; personnel: string; office: string; cdc: string }
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())
beforeEach(async () => {
  tenant = await t.tenant()
  const bureau = await makeDept(tenant, '区卫生健康局')
  const personnel = await makeDept(tenant, '人事科', bureau)
  tree = { bureau, personnel, office: await makeDept(tenant, '考务办', personnel), cdc: await makeDept(tenant, '疾控中心', bureau) }
})

const base = '/blade-exam/examination'
let serial = 0
const examIn = async (deptId: string | null, managers: readonly string[] = []): Promise<string> => {
  serial += 1
  const { examId } = await buildExam(tenant, {
    exam: { exam_name: `第 ${serial} 批`, exam_code: `D${serial}`, exam_no: (serial % 99) + 1, managers: JSON.stringify(managers) },
  })
  await tenant.db(db => db.run(sql`update examination set dept_id = ${deptId} where id = ${examId}`))
  return examId
}
const officer = (deptId?: string): Promise<Person> => tenant.staff('exam_admin', deptId === undefined ? {} : { deptId })
const idsOf = async (person: Person): Promise<string[]> => {
  const page = (await person.get(`${base}/page`, { query: { size: 50 } })).body.data
  expect(page.total).toBe(page.records.length)
  return page.records.map((row: { id: string }) => row.id)
}
const newExam = (changes: object = {}) => {
  serial += 1
  return {
    examName: `新建 ${serial}`,
    examCode: `N${serial}`,
    examNo: (serial % 99) + 1,
    year: 2027,
    examType: 1,
    organizer: '区卫生健康局',
    contactPhone: '0571-88880000',
    ...changes,
  }
}
const create = async (person: Person, changes: object = {}) => (await person.post(`${base}/submit`, { json: newExam(changes) })).body
const change = async (person: Person, id: string, changes: object) =>
  (await person.post(`${base}/submit`, { json: { id, ...changes } })).body
const ownersOf = async (id: string) =>
  (await tenant.rows(sql`select dept_id::text as "deptId", managers from examination where id = ${id}`))[0]

describe('[S4.11][S6.03] examination administrators reach the examinations of their departments', () => {
  test('their own and those below, those that name them, and those of nobody', async () => {
    const [personnel, office, cdc, open] = [
      await examIn(tree.personnel),
      await examIn(tree.office),
      await examIn(tree.cdc),
      await examIn(null),
    ]
    const one = await officer(tree.personnel)
    const named = await examIn(tree.cdc, [one.userId])
    const all = [named, open, cdc, office, personnel]
    expect(await idsOf(one)).toEqual([named, open, office, personnel])
    expect(await idsOf(await officer(tree.office))).toEqual([open, office])
    expect(await idsOf(await officer(`${tree.office},${tree.cdc}`))).toEqual([named, open, cdc, office])
    expect(await idsOf(await officer(tree.bureau))).toEqual(all)
    expect(await idsOf(await officer())).toEqual([open])
    expect(await idsOf(await tenant.staff('admin', { deptId: tree.cdc }))).toEqual(all)
    // Rights add up, rows of an examination administrator do not: with finance's rows they would run every examination.
    expect(await idsOf(await tenant.staff(['exam_admin', 'finance', 'auditor'], { deptId: tree.office }))).toEqual([open, office])
    expect(await idsOf(await tenant.staff('auditor'))).toEqual(all)
    expect((await one.get(`${base}/detail`, { query: { id: cdc } })).status).toBe(404)
    expect((await one.get(`${base}/detail`, { query: { id: named } })).body.data).toMatchObject({ deptId: tree.cdc, deptName: '疾控中心' })
  })

  test('a department that moves takes its examinations along, in open sessions too', async () => {
    const exam = await examIn(tree.office)
    const [cdc, personnel] = [await officer(tree.cdc), await officer(tree.personnel)]
    expect([await idsOf(cdc), await idsOf(personnel)]).toEqual([[], [exam]])
    const admin = await tenant.staff('admin')
    const office = (await admin.get('/blade-system/dept/detail', { query: { id: tree.office } })).body.data
    const { deptName, fullName, deptCategory, sort } = office
    const moved = await admin.post('/blade-system/dept/submit', {
      json: { id: tree.office, parentId: tree.cdc, deptName, fullName, deptCategory, sort },
    })
    expect(moved.body.code).toBe(200)
    expect([await idsOf(cdc), await idsOf(personnel)]).toEqual([[exam], []])
  })

  test('a department with examinations is not removed', async () => {
    const exam = await examIn(tree.cdc)
    const admin = await tenant.staff('admin')
    const remove = () => admin.post('/blade-system/dept/remove', { query: { ids: tree.cdc } })
    expect((await remove()).body).toMatchObject({ reason: 'kernel/in-use', msg: expect.stringContaining('疾控中心 还有 1 场考试') })
    await tenant.db(db => db.run(sql`update examination set dept_id = null where id = ${exam}`))
    expect((await remove()).body.code).toBe(200)
  })
})

describe('[S4.11] whom an examination belongs to', () => {
  test('a new one belongs to the department of who makes it, or to another one below', async () => {
    const one = await officer(tree.personnel)
    const made = async (changes: object = {}) => ownersOf((await create(one, changes)).data.id)
    expect(await made()).toEqual({ deptId: tree.personnel, managers: [] })
    expect(await made({ deptId: null })).toEqual({ deptId: tree.personnel, managers: [] })
    expect(await made({ deptId: tree.office, managers: [one.userId, one.userId] })).toEqual({ deptId: tree.office, managers: [one.userId] })
    expect(await create(one, { deptId: tree.cdc })).toMatchObject({ code: 400, data: { fields: [{ field: 'deptId' }] } })
    expect(await create(one, { deptId: '1' })).toMatchObject({ code: 400, data: { fields: [{ field: 'deptId' }] } })
    const alone = await officer()
    expect(await ownersOf((await create(alone)).data.id)).toEqual({ deptId: null, managers: [] })
    expect(await create(alone, { deptId: tree.cdc })).toMatchObject({ code: 400 })
    const admin = await tenant.staff('admin')
    expect(await ownersOf((await create(admin, { deptId: tree.cdc })).data.id)).toEqual({ deptId: tree.cdc, managers: [] })
    expect(await ownersOf((await create(admin)).data.id)).toEqual({ deptId: null, managers: [] })
  })

  test('managers are examination administrators of the tenant', async () => {
    const one = await officer(tree.personnel)
    const stranger = await (await t.tenant()).staff('exam_admin')
    const candidate = await tenant.candidate()
    for (const id of ['1', stranger.userId, candidate.userId, (await tenant.staff('finance')).userId])
      expect(await create(one, { managers: [id] })).toMatchObject({ code: 400, data: { fields: [{ field: 'managers' }] } })
    // Somebody who was one when named stays named until they are taken out.
    const exam = await examIn(tree.personnel, ['1'])
    expect((await change(one, exam, { managers: ['1', one.userId] })).code).toBe(200)
    expect(await ownersOf(exam)).toEqual({ deptId: tree.personnel, managers: ['1', one.userId] })
  })

  test('nobody gives one away to where they do not reach, opens it to all, or locks themselves out', async () => {
    const one = await officer(tree.personnel)
    const [own, named, open] = [await examIn(tree.personnel), await examIn(tree.cdc, [one.userId]), await examIn(null)]
    expect(await change(one, own, { deptId: tree.cdc })).toMatchObject({ code: 400, data: { fields: [{ field: 'deptId' }] } })
    expect(await change(one, own, { deptId: null })).toMatchObject({ code: 400, data: { fields: [{ msg: '请选择所属部门' }] } })
    expect(await change(one, named, { managers: [] })).toMatchObject({ code: 400, data: { fields: [{ field: 'managers' }] } })
    expect((await change(one, named, { organizer: '疾控中心', deptId: tree.cdc })).code).toBe(200)
    expect((await change(one, named, { deptId: tree.office, managers: [] })).code).toBe(200)
    expect((await change(one, open, { organizer: '局', deptId: null })).code).toBe(200)
    expect((await change(one, open, { deptId: tree.office })).code).toBe(200)
    expect([await ownersOf(own), await ownersOf(named), await ownersOf(open)]).toEqual([
      { deptId: tree.personnel, managers: [] },
      { deptId: tree.office, managers: [] },
      { deptId: tree.office, managers: [] },
    ])
    expect(await change(await officer(tree.cdc), open, { organizer: '他' })).toMatchObject({ code: 404 })
  })

  test('a name, code or number that an unseen examination has is refused as any other', async () => {
    await create(await officer(tree.cdc), { examName: '同名', examCode: 'SAME', examNo: 7 })
    const one = await officer(tree.office)
    for (const [changes, field] of [
      [{ examName: '同名' }, 'examName'],
      [{ examCode: 'SAME' }, 'examCode'],
      [{ examNo: 7 }, 'examNo'],
    ] as const)
      expect([field, (await create(one, changes)).reason]).toEqual([field, 'kernel/duplicate'])
  })

  test('the number that is offered is free in the whole tenant and year, and in no other', async () => {
    const freeNo = async (person: Person, year: number) => (await person.get(`${base}/freeNo`, { query: { year } })).body
    await (await officer(tree.cdc)).post(`${base}/submit`, { json: newExam({ year: 2031, examNo: 7 }) })
    const one = await officer(tree.office)
    const offered = await freeNo(one, 2031)
    expect([offered.data, (await freeNo(one, 2032)).data]).toEqual([{ examNo: 8 }, { examNo: 1 }])
    expect((await create(one, { year: 2031, ...offered.data })).code).toBe(200)
    expect((await freeNo(await tenant.staff('finance'), 2031)).code).toBe(403)
    const stranger = await t.tenant()
    expect((await freeNo(await stranger.staff('exam_admin'), 2031)).data).toEqual({ examNo: 1 })
  })

  test('all that is taken is told at once, each at its field', async () => {
    const one = await officer(tree.office)
    const first = newExam({ examName: '两次', examCode: 'TWICE', examNo: 77 })
    expect((await one.post(`${base}/submit`, { json: first })).body.code).toBe(200)
    expect((await one.post(`${base}/submit`, { json: first })).body).toMatchObject({
      reason: 'kernel/duplicate',
      msg: '考试名称 两次 已存在',
      data: {
        fields: [
          { field: 'examName', msg: '考试名称 两次 已存在' },
          { field: 'examCode', msg: '考试编码 TWICE 已存在' },
          { field: 'examNo', msg: '考试序号 77 已存在' },
        ],
      },
    })
  })

  test('what may be chosen is what one reaches', async () => {
    const owners = async (person: Person) => {
      const { departments, managers, mayLeaveOpen } = (await person.get(`${base}/getOwners`)).body.data
      return [departments.map((row: { title: string; level: number }) => [row.title, row.level]), managers.length, mayLeaveOpen]
    }
    const one = await officer(tree.personnel)
    await tenant.staff('finance')
    expect(await owners(one)).toEqual([
      [
        ['人事科', 1],
        ['考务办', 2],
      ],
      1,
      false,
    ])
    expect(await owners(await officer())).toEqual([[], 2, true])
    // The tenant's own, with which it was made, and the four here.
    expect((await owners(await tenant.staff('admin')))[0]).toHaveLength(5)
    expect((await (await tenant.staff('finance')).get(`${base}/getOwners`)).status).toBe(403)
  })
})

describe('[S4.11] what hangs on an examination of another department', () => {
  test('imports, exports, figures, counts and batches with one foreign id stop', async () => {
    const [mine, theirs] = [await examIn(tree.office), await examIn(tree.cdc)]
    const one = await officer(tree.office)
    const other = await officer(tree.cdc)
    for (const examId of [mine, theirs]) await insertSignups(tenant, examId, [{ code: 'B001', type: 'B', unit: 'H01', examine: 'waiting' }])
    const book = await workbook(seedRows('posts').slice(0, 3))
    const importInto = (examId: string) =>
      one.post(`${base}/importTypeCode`, {
        multipart: { fields: { examId, mode: 'check' }, files: [{ part: 'file', name: 'posts.xlsx', bytes: book }] },
      })
    expect([(await importInto(mine)).status, (await importInto(theirs)).status]).toEqual([200, 404])
    const runs = await tenant.rows(sql`select exam_id::text as id, params->'reach' as reach from import_job where kind = 'T1'`)
    expect(runs).toEqual([{ id: mine, reach: { departments: [tree.office], units: {} } }])
    const figures = (person: Person, examId: string) => person.get('/blade-signup/statistics/getBmrsForType', { query: { examId } })
    // The colleague's figure lies in the memory of the process when it is asked for from elsewhere.
    const counted = (await figures(other, theirs)).body.data as { num: number }[]
    expect(counted.reduce((sum, row) => sum + row.num, 0)).toBe(1)
    expect([(await figures(one, mine)).status, (await figures(one, theirs)).status]).toEqual([200, 404])
    expect((await one.post('/blade-signup/signup/exportSignUp', { json: { examId: theirs } })).status).toBe(404)
    const waiting = (await one.get('/me/home')).body.data.todos.find((todo: { key: string }) => todo.key === 'reviewFirst')
    expect(waiting).toMatchObject({ count: 1, examId: mine })
    const posts = await tenant.rows(
      sql<{ id: string }>`select id::text as id from type_code where exam_id in (${mine}, ${theirs}) order by id`,
    )
    const removed = await one.post('/blade-typeCode/typecode/remove', { query: { ids: posts.map(row => row.id).join(',') } })
    expect(removed.status).toBe(404)
    expect(await tenant.rows(sql`select 1 from type_code where is_deleted`)).toEqual([])
  })

  test('a call that works in the name of the system reaches no further than who makes it', async () => {
    const [mine, theirs] = [await examIn(tree.office), await examIn(tree.cdc)]
    for (const examId of [mine, theirs]) {
      await insertSignups(tenant, examId, [{ code: 'B001', type: 'B', unit: 'H01', examine: 'passed' }])
      await tenant.db(db =>
        db.run(sql`
          insert into exam_pay (tenant_id, exam_id, signup_id, user_id, item_id, pay_kind, pay_name, amount_fen, paid_fen, state, deadline, source)
          select tenant_id, exam_id, id, user_id, 0, 1, '报名费', 10000, 10000, 'paid', now() + interval '30 days', 1 from signup where exam_id = ${examId}`),
      )
    }
    const due = async (examId: string) =>
      (await tenant.rows(sql<{ id: string; n: number }>`select id::text as id, is_invoice as n from exam_pay where exam_id = ${examId}`))[0]
    const one = await tenant.staff(['exam_admin', 'finance'], { deptId: tree.office })
    const invoice = async (examId: string) =>
      (await one.post(`${base}/sureInvoice`, { json: { ids: (await due(examId))?.id, isInvoice: 1, invoiceNo: 'F1' } })).status
    expect([await invoice(mine), await invoice(theirs)]).toEqual([200, 404])
    expect([(await due(mine))?.n, (await due(theirs))?.n]).toEqual([1, 0])
  })

  test('an account given another department, or none, reaches what the new one has', async () => {
    const [office, cdc] = [await examIn(tree.office), await examIn(tree.cdc)]
    const one = await officer(tree.office)
    const admin = await tenant.staff('admin')
    expect(await idsOf(one)).toEqual([office])
    const saved = await admin.post('/blade-system/user/submit', {
      json: { id: one.userId, realName: '陈考务', deptId: tree.cdc, version: 0 },
    })
    expect(saved.body).toMatchObject({ code: 200 })
    await t.app.catchUp()
    expect(await idsOf(one)).toEqual([cdc])
  })
})
