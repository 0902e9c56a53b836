import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { startTestApp, type TestApp, testStart } from '../../support/app.ts'
import { buildExam } from '../../support/factories.ts'
import { testIdCard } from '../../support/id-card.ts'
import { answersOf, submit, uploadAll } from '../../support/signing.ts'
import { workbook } from '../../support/workbook.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())
beforeEach(() => t.clock.set(testStart))

const idCard = '330106199806301023'
const phone = '16000000001'
const ofToday = { province: '浙江省', city: '杭州市', level: 1 }

/** Two schools of one name, one of them once had another; a third was once called as a fourth one is today. */
const scene = async () => {
  const tenant = await t.tenant()
  const office = await tenant.staff('exam_admin')
  await tenant.rows(sql`update school set is_deleted = true where not is_deleted`)
  for (const school of [
    { ...ofToday, schoolCode: '4133000001', schoolName: '东方医学院', aliases: '东方卫校' },
    { ...ofToday, schoolCode: '4132000002', schoolName: '东方医学院', province: '江苏省', city: '南京市' },
    { ...ofToday, schoolCode: '4133000003', schoolName: '江南大学', aliases: '湖滨学院' },
    { ...ofToday, schoolCode: '4133000004', schoolName: '湖滨学院' },
  ])
    expect((await office.post('/blade-school/school/submit', { json: school })).body.code).toBe(200)
  const exam = await buildExam(tenant)
  const candidate = await tenant.candidate({ realName: '王·测', idCard, phone })
  const send = async (answers: Record<string, unknown>) =>
    submit(candidate, exam.examId, { content: answersOf(idCard, phone, answers), fileIds: await uploadAll(candidate) })
  const stored = () => tenant.rows(sql<{ school: string | null }>`select school from signup where exam_id = ${exam.examId} order by id`)
  const opened = async () =>
    (await candidate.get('/blade-signup/signup/getExamInfoOrSignUpInfo', { query: { examId: exam.examId } })).body.data.signup
  return { tenant, office, exam, candidate, send, stored, opened }
}
const both = '东方医学院 江苏省南京市 4132000002；东方医学院 浙江省杭州市 4133000001'

test('a name that several schools have, today or once, is asked about in the form, and a code among them says which', async () => {
  const w = await scene()
  const asked = await w.send({ school: '东方医学院' })
  expect([asked.status, asked.body.data.fields]).toEqual([
    422,
    [{ field: 'school', msg: `“东方医学院”对应 2 所院校，请从列表中选择其中一所：${both}` }],
  ])
  const former = await w.send({ school: '湖滨学院', schoolCode: '4132000002' })
  expect(former.body.data.fields).toEqual([
    {
      field: 'school',
      msg: '“湖滨学院”对应 2 所院校，请从列表中选择其中一所：湖滨学院 浙江省杭州市 4133000004；江南大学（曾用名相同） 浙江省杭州市 4133000003',
    },
  ])
  expect((await w.send({ school: '东方医学院', schoolCode: '4132000002' })).body.code).toBe(200)
  expect(await w.stored()).toEqual([{ school: '东方医学院（4132000002）' }])
})

test('a former name finds the school of today: the form keeps the name of the diploma and the code, lists have the name of today', async () => {
  const w = await scene()
  expect((await w.send({ school: '湖滨学院', schoolCode: '4133000003' })).body.code).toBe(200)
  expect(await w.stored()).toEqual([{ school: '江南大学' }])
  const other = await scene()
  expect((await other.send({ school: '东方卫校' })).body.code).toBe(200)
  expect(await other.stored()).toEqual([{ school: '东方医学院（4133000001）' }])
  const { content } = await other.opened()
  expect([content.school, content.schoolCode]).toEqual(['东方卫校', '4133000001'])
  // Whoever looks for a former name is shown which school that is today.
  const list = async (keyword: string) =>
    (await other.candidate.get('/blade-school/school/list', { query: { keyword } })).body.data.map((one: Record<string, unknown>) => [
      one['schoolName'],
      one['schoolCode'],
      one['formerName'],
    ])
  expect(await list('东方卫校')).toEqual([['东方医学院', '4133000001', '东方卫校']])
  expect(await list('湖滨')).toEqual([
    ['湖滨学院', '4133000004', null],
    ['江南大学', '4133000003', '湖滨学院'],
  ])
})

test('an import asks the same of a row, takes a code in the place of the name and keeps a former one', async () => {
  const w = await scene()
  const header = ['姓名', '证件号码', '手机号', '岗位代码', '学历', '学位', '毕业院校', '专业', '毕业时间']
  const rows = (schools: readonly string[]) =>
    schools.map((school, i) => [
      ...[`学生${'甲乙丙丁'[i]}`, testIdCard(820 + i), `1620000082${i}`, 'B001', '本科', '学士', school, '护理学', '2024-06-30'],
    ])
  const send = async (schools: readonly string[]) =>
    w.office.post('/blade-exam/examination/importSignUp', {
      multipart: {
        fields: { examId: w.exam.examId, mode: 'commit' },
        files: [{ part: 'file', name: '报名.xlsx', bytes: await workbook([header, ...rows(schools)]) }],
      },
    })
  const wrong = await send(['东方医学院', '江南大学'])
  expect(wrong.body.data.errors.map((one: { row: number; header: string; reason: string }) => [one.row, one.header, one.reason])).toEqual([
    [2, '毕业院校', `“东方医学院”对应 2 所院校，请从列表中选择其中一所：${both}；可在此填写院校标识码`],
  ])
  expect((await send(['4132000002', '东方卫校', '江南大学', '别的大学'])).body.data).toMatchObject({ ok: 4, errors: [] })
  expect(await w.stored()).toEqual([
    { school: '东方医学院（4132000002）' },
    { school: '东方医学院（4133000001）' },
    { school: '江南大学' },
    { school: '别的大学' },
  ])
})
