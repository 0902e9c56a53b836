import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { type Person, startTestApp, type TestApp, type TestTenant, testStart } from '../../support/app.ts'
import { type BuiltExam, buildExam, examplePosts } from '../../support/factories.ts'
import { answersOf, submit, upload, uploadAll } from '../../support/signing.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())

// Invented number of domain 11 with right check digits: born 1998-06-30, female.
const wang = { idCard: '330106199806301023', phone: '16000000001', realName: '王·测' }

interface World {
  readonly tenant: TestTenant
  readonly exam: BuiltExam
  readonly candidate: Person
}
/** A001 asks for men with five years of work and a title, B001 for nothing but a nurse's licence. */
const world = async (): Promise<World> => {
  t.clock.set(testStart)
  const tenant = await t.tenant()
  const exam = await buildExam(tenant, {
    posts: examplePosts,
    items: {
      ...{ name: 1, idCardType: 1, idCard: 1, sex: 1, birthday: 1, nation: 1, political: 1, phone: 1, education: 1, degree: 1 },
      ...{ educationType: 0, school: 1, major: 1, majorCode: 0, graduateDate: 1, certName: 0, title: 0, firstWorkDate: 0 },
      ...{ adjust: 0, hasRelative: 1, relativeInfo: 1, resume: 0 },
    },
    files: { photo: 1, idFront: 1, idBack: 1, diploma: 1, licence: 0 },
  })
  await tenant.db(async db => {
    await db.run(
      sql`update type_code set sex = 1, min_work_years = 5, title = '{"min":"中级"}' where exam_id = ${exam.examId} and code = 'A001'`,
    )
    await db.run(sql`update type_code set cert = '["护士"]' where exam_id = ${exam.examId} and code = 'B001'`)
    await db.run(sql`
      insert into school (tenant_id, school_code, school_name, province, level, aliases) values (${db.actor.tenantId}, '9901', '新疆医科大学', '新疆', 1, '新疆医学院')`)
  })
  return { tenant, exam, candidate: await tenant.candidate(wang) }
}
const save = (person: Person, examId: string, json: object) =>
  person.post('/blade-signup/signup/submit', { json: { examId, submitType: 0, ...json } })
const formOf = async (person: Person, examId: string) =>
  (await person.get('/blade-signup/signup/getExamInfoOrSignUpInfo', { query: { examId } })).body.data
const short = (checks: readonly { choice: number; rule: string; result: string; need: string; got: string }[]) =>
  checks.map(({ choice, rule, result, need, got }) => [choice, rule, result, need, got])

describe('[19.5] conditions are judged from the first step on', () => {
  test('[S5.22] choosing two posts tells every condition of both, what they ask for, and the form tells it again', async () => {
    const { exam, candidate } = await world()
    const { body } = await save(candidate, exam.examId, { code: 'B001', code2: 'A001', content: { idCard: wang.idCard, degree: '3' } })
    expect(short(body.data.autoCheck)).toEqual([
      [1, 'cert', 'warn', '护士', '未填写'],
      [2, 'born', 'ok', '1990-03-16 起', '1998-06-30'],
      [2, 'sex', 'no', '男', '女'],
      [2, 'education', 'warn', '本科及以上', '未填写'],
      [2, 'title', 'warn', '中级及以上', '未填写'],
      [2, 'workYears', 'warn', '5 年及以上', '未填写'],
    ])
    expect(body.data.told).toEqual([
      { field: 'certName', msg: '请填写执业资格：报考岗位要求 护士' },
      { field: 'education', msg: '请填写学历：报考岗位要求 本科及以上' },
      { field: 'title', msg: '请填写职称：报考岗位要求 中级及以上' },
      { field: 'firstWorkDate', msg: '请填写参加工作时间：报考岗位要求 5 年及以上' },
    ])
    expect(body.data.demanded).toEqual(['certName', 'birthday', 'sex', 'education', 'title', 'firstWorkDate'])
    const { autoCheck, told, demanded } = body.data
    expect((await formOf(candidate, exam.examId)).judged).toEqual({ autoCheck, told, demanded })
  })

  test('[S3.12] the second choice refuses a submit like the first, with all that is not met, and reviewers see it once it is met', async () => {
    const { tenant, exam, candidate } = await world()
    const fileIds = await uploadAll(candidate)
    const content = answersOf(wang.idCard, wang.phone, { title: '初级(师)', firstWorkDate: '2024-01-01' })
    const refused = await submit(candidate, exam.examId, { code: 'A002', content, fileIds, extra: { code2: 'A001' } })
    expect([refused.body.code, refused.body.msg, short(refused.body.data.items)]).toEqual([
      2105,
      '不符合岗位条件：第二志愿·性别：要求 男，您填写的是 女',
      [
        [2, 'sex', 'no', '男', '女'],
        [2, 'title', 'no', '中级及以上', '初级(师)'],
        [2, 'workYears', 'no', '5 年及以上', '2 年'],
      ],
    ])
    expect(await tenant.rows(sql<object>`select 1 from signup`)).toEqual([])
    await tenant.db(db => db.run(sql`update type_code set sex = 2, min_work_years = 1, title = null where code = 'A001'`))
    const taken = await submit(candidate, exam.examId, { code: 'A002', content, fileIds, extra: { code2: 'A001' } })
    expect(taken.body.code).toBe(200)
    const staff = await tenant.staff('reviewer1')
    const seen = await staff.get('/blade-signup/signup/detail', { query: { id: taken.body.data.id } })
    expect(seen.body.data.checks.map((check: { ruleLabel: string; result: string }) => [check.ruleLabel, check.result])).toEqual([
      ['第二志愿·出生日期', 'ok'],
      ['第二志愿·性别', 'ok'],
      ['第二志愿·学历', 'ok'],
      ['第二志愿·工作年限', 'ok'],
      ['证明材料', 'warn'],
    ])
  })

  test('what a post asks for is required, its document too; unmet conditions come in the same answer', async () => {
    const { tenant, exam, candidate } = await world()
    const { certName, ...content } = answersOf(wang.idCard, wang.phone)
    const fileIds = await uploadAll(candidate)
    const refused = await submit(candidate, exam.examId, { content, fileIds, extra: { code2: 'A001' } })
    expect([refused.body.code, refused.body.data.fields, short(refused.body.data.items)]).toEqual([
      2106,
      [
        { field: 'certName', msg: '请填写执业资格：报考岗位要求 护士' },
        { field: 'title', msg: '请填写职称：报考岗位要求 中级及以上' },
        { field: 'firstWorkDate', msg: '请填写参加工作时间：报考岗位要求 5 年及以上' },
      ],
      [[2, 'sex', 'no', '男', '女']],
    ])
    const proven = { content: { ...content, certName }, fileIds }
    expect((await submit(candidate, exam.examId, proven)).body.data.fields).toEqual([
      { field: 'file:licence', msg: '请上传执业(资格)证：报考岗位对此有要求' },
    ])
    const licence = [await upload(candidate, Buffer.from('%PDF-1.4\n%%EOF\n'), 'licence.pdf', 'document')]
    expect((await submit(candidate, exam.examId, { ...proven, fileIds: { ...fileIds, licence } })).body.code).toBe(200)
    expect(await tenant.rows(sql<object>`select examine, auto_result from signup`)).toEqual([{ examine: 'waiting', auto_result: 'ok' }])
  })

  test('what contradicts itself is said by its field: doubts go to the reviewer, what cannot be is refused', async () => {
    const { tenant, exam, candidate } = await world()
    const doubtful = answersOf(wang.idCard, wang.phone, {
      ...{ school: '火星医学院', graduateDate: '2026-07-01', firstWorkDate: '2013-08-01' },
      resume: [{ begin: '2018-09', end: '2018-08', unit: '某院' }],
    })
    const fileIds = await uploadAll(candidate)
    const refused = await submit(candidate, exam.examId, { code: 'A002', content: doubtful, fileIds })
    expect(refused.body.data).toEqual({ fields: [{ field: 'resume.0.end', msg: '第 1 行：个人简历·结束年月早于起始年月' }] })
    const { resume: _, ...content } = doubtful
    const asked = await submit(candidate, exam.examId, { code: 'A002', content, fileIds })
    expect([asked.status, asked.body.reason, asked.body.data]).toEqual([
      409,
      'kernel/asks',
      { asks: [{ id: 'firstWorkDate.early.born', field: 'firstWorkDate', msg: '参加工作时不满 16 周岁' }] },
    ])
    expect(await tenant.rows(sql<object>`select examine from signup where examine <> 'draft'`)).toEqual([])
    const young = await submit(candidate, exam.examId, { code: 'A002', content: { ...content, graduateDate: '2002-07-01' }, fileIds })
    expect(young.body.data).toEqual({ fields: [{ field: 'graduateDate', msg: '毕业时间不能早于年满 15 周岁' }] })
    const taken = await submit(candidate, exam.examId, { code: 'A002', content, fileIds, extra: { sure: 'firstWorkDate.early.born' } })
    expect(short(taken.body.data.autoCheck)).toEqual([
      [1, 'evidence', 'warn', '上传执业(资格)证', '未上传'],
      [1, 'graduation', 'warn', '今天以前；尚未毕业的由审核人员确认', '2026-07-01'],
      [1, 'workAge', 'warn', '年满 16 周岁', '15 周岁（2013-08-01）'],
      [1, 'school', 'warn', '院校名单中的全称；境外和已更名的院校由审核人员确认', '火星医学院'],
    ])
    expect(await tenant.rows(sql<object>`select auto_result from signup`)).toEqual([{ auto_result: 'warn' }])
    const known = await save(candidate, exam.examId, { content: { ...content, school: '新疆医学院' } })
    expect(known.body.data.autoCheck.map((check: { rule: string }) => check.rule)).not.toContain('school')
  })

  test('whom the examination treats as a fresh graduate decides in the form; the office says it before release, not after', async () => {
    const { tenant, exam, candidate } = await world()
    await tenant.db(db => db.run(sql`update type_code set fresh = 1 where exam_id = ${exam.examId} and code = 'A002'`))
    const content = { idCard: wang.idCard, graduateDate: '2023-06-30', residency: '1' }
    const freshIn = async () => {
      const { body } = await save(candidate, exam.examId, { code: 'A002', content })
      return short(body.data.autoCheck).filter(([, rule]) => rule === 'fresh')
    }
    expect(await freshIn()).toEqual([[1, 'fresh', 'no', '应届(含择业期内)', '往届']])
    const office = await tenant.staff(['exam_admin'])
    const detail = async () => (await office.get('/blade-exam/examination/detail', { query: { id: exam.examId } })).body.data
    const change = async (values: object) =>
      office.post('/blade-exam/examination/submit', { json: { id: exam.examId, version: (await detail()).version, ...values } })
    const wished = { freshYears: 3, freshEndsBy: 2, freshDay: '2026-02-01', residencyFresh: 0, residencyMaster: 0 }
    const refused = await change(wished)
    expect([refused.body.reason, refused.body.msg]).toEqual([
      'exam/frozen',
      expect.stringContaining(
        '应届按毕业后几年内算、什么情况不再算应届、是否就业看到哪一天、规培合格当年就业按应届对待、规培合格的本科按硕士对待',
      ),
    ])
    await tenant.db(db => db.run(sql`update examination set state = 'draft' where id = ${exam.examId}`))
    expect((await change({ freshYears: 6 })).body.data.fields).toMatchObject([{ field: 'freshYears' }])
    expect((await change(wished)).body.code).toBe(200)
    await tenant.db(db => db.run(sql`update examination set state = 'released' where id = ${exam.examId}`))
    expect(await detail()).toMatchObject(wished)
    expect(await freshIn()).toEqual([[1, 'fresh', 'ok', '应届(含毕业 3 年内)', '择业期内']])
  })
})
