import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { zipOf } from '#kernel/files/write-zip.ts'
import { type Person, startTestApp, type TestApp, type TestTenant, testSms, testStart } from '../../support/app.ts'
import { type BuiltExam, buildExam, type ExamOverrides } from '../../support/factories.ts'
import { testIdCard } from '../../support/id-card.ts'
import { sealFor } from '../../support/login.ts'
import { answersOf, submit, uploadAll } from '../../support/signing.ts'
import { workbook } from '../../support/workbook.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())
beforeEach(() => t.clock.set(testStart))

const header = [
  '姓名',
  '证件号码',
  '手机号',
  '岗位代码',
  '第二志愿岗位代码',
  '是否服从调剂',
  '民族',
  '学历',
  '学位',
  '毕业院校',
  '专业',
  '毕业时间',
  '是否有亲属在本系统',
]
const importCall = '/blade-exam/examination/importSignUp'
interface Scene {
  readonly tenant: TestTenant
  readonly exam: BuiltExam
}
const scene = async (overrides: ExamOverrides = {}): Promise<Scene> => {
  const tenant = await t.tenant()
  return { tenant, exam: await buildExam(tenant, overrides) }
}
const card = (serial: number): string => testIdCard(700 + serial)
const rowOf = (serial: number, change: Readonly<Record<string, string>> = {}): string[] => {
  const values: Readonly<Record<string, string>> = {
    ...{
      姓名: `学生${'甲乙丙丁戊己庚辛'[serial % 8]}`,
      证件号码: card(serial),
      手机号: `1620000${String(serial).padStart(4, '0')}`,
      岗位代码: 'B001',
    },
    ...{ 是否服从调剂: '是', 民族: '汉族', 学历: '本科', 学位: '学士', 毕业院校: '新疆医科大学', 专业: '护理学', 毕业时间: '2024-06-30' },
    ...change,
  }
  return header.map(name => values[name] ?? '')
}
const send = async (who: Person, { exam }: Scene, rows: readonly (readonly string[])[], fields: Readonly<Record<string, string>> = {}) => {
  const bytes = await workbook([header, ...rows])
  return who.post(importCall, {
    multipart: { fields: { examId: exam.examId, mode: 'commit', ...fields }, files: [{ part: 'file', name: '报名.xlsx', bytes }] },
  })
}
const list = async (who: Person, { exam }: Scene, query: object = {}) =>
  (await who.get('/blade-signup/signup/getGroupSignUps', { query: { examId: exam.examId, size: 50, ...query } })).body.data
const counts = ({ tenant, exam: { examId } }: Scene) =>
  tenant.rows(sql<object>`
    select (select count(*)::int from signup where exam_id = ${examId}) as signups, (select count(*)::int from group_signup where exam_id = ${examId}) as listed,
      (select count(*)::int from account where user_type = 2 and not is_deleted) as people, (select used_sign from type_code where exam_id = ${examId} and code = 'B001') as used`)

describe('[S7.41] importSignUp', () => {
  test('a date of a row that cannot be is an error as in the form, and one that is unlikely asks', async () => {
    const of = await scene()
    const school = await of.tenant.staff('school', { userCode: '4165010760' })
    const born = Number(card(3).slice(6, 10))
    const rows = [
      rowOf(3, { 毕业时间: `${born + 4}-06-30` }),
      rowOf(4, { 毕业时间: `${Number(card(4).slice(6, 10)) + 17}-01-01` }),
      rowOf(5),
    ]
    const checked = (await send(school, of, rows, { mode: 'check' })).body.data
    expect(checked.errors.map((one: { row: number; reason: string }) => [one.row, one.reason])).toEqual([
      [2, '毕业时间不能早于年满 15 周岁'],
    ])
    expect([checked.asked, checked.warnings.filter((one: { asks?: string }) => one.asks)]).toEqual([
      1,
      [{ row: 3, reason: '毕业时不满 18 周岁', asks: 'graduateDate.early.born' }],
    ])
    expect((await send(school, of, rows.slice(1))).body.data).toMatchObject({ state: 4, inserted: 1, skipped: 1, asked: 1 })
    expect((await send(school, of, rows.slice(1, 2), { sure: 'all' })).body.data).toMatchObject({ state: 4, inserted: 1, asked: 0 })
  })

  test('a school fills in the forms of its people: accounts, drafts and messages; each finishes and submits it, and nobody reviews it before', async () => {
    const of = await scene()
    const other = await scene()
    const school = await of.tenant.staff('school', { userCode: '4165010760' })
    // Also of somebody who was brought in before it is an invitation, which the person takes over.
    const known = await of.tenant.candidate({ idCard: card(2), phone: '16200000002', realName: '学生丙' })
    const office = await of.tenant.staff('exam_admin')
    const former = { ...of, exam: await buildExam(of.tenant, { exam: { exam_code: 'FORMER1', exam_name: '往年招聘', exam_no: 9 } }) }
    expect((await send(office, former, [rowOf(2)])).body.data).toMatchObject({ inserted: 1 })
    await t.runTasks()
    await of.tenant.rows(sql`update group_signup set group_code = '4165010760'`)
    const before = await counts(other)
    const checked = await send(school, of, [rowOf(1), rowOf(2)], { mode: 'check' })
    expect(checked.body.data).toMatchObject({ state: 2, total: 2, ok: 2, failed: 0, errors: [] })
    expect(await counts(of)).toEqual([{ signups: 0, listed: 0, people: 1, used: 0 }])
    const { importId } = checked.body.data
    const done = await school.post(importCall, { json: { examId: of.exam.examId, mode: 'commit', importId } })
    expect(done.body.data).toMatchObject({ state: 4, total: 2, inserted: 2, failed: 0 })
    expect(await counts(of)).toEqual([{ signups: 2, listed: 2, people: 3, used: 0 }])
    expect(
      await of.tenant.rows(sql<object>`
        select s.name, s.examine, s.source, s.sign_no as no, s.code, s.unit, s.type, s.adjust, s.education, s.major, s.sign_version as v, s.submit_time as submitted, s.promise_time as promised,
          (select count(*)::int from signup_history h where h.signup_id = s.id) as kept, a.status, a.password_hash as password, a.real_name as account
        from signup s join account a on a.id = s.user_id where s.exam_id = ${of.exam.examId} order by s.id`),
    ).toEqual([
      {
        ...{
          name: '学生乙',
          examine: 'draft',
          source: 3,
          no: null,
          code: 'B001',
          unit: 'H01',
          type: 'B',
          adjust: true,
          education: '20',
        },
        ...{ major: '护理学', v: 0, submitted: null, promised: null, kept: 0, status: 1, password: null, account: '学生乙' },
      },
      expect.objectContaining({ name: '学生丙', no: null }),
    ])
    const [stored] = await of.tenant.rows(sql<{ text: string }>`select content::text as text from signup where name = '学生乙'`)
    expect(stored?.text).not.toContain(card(1))
    await t.runTasks()
    expect(await of.tenant.rows(sql<object>`select template, phone_mask as phone from sms_message order by phone_mask`)).toEqual([
      { template: 'group-signup', phone: '162****0001' },
      // Of this examination and of the one before.
      { template: 'group-signup', phone: '162****0002' },
      { template: 'group-signup', phone: '162****0002' },
    ])
    const shown = await list(school, of)
    expect(
      shown.records.map((row: { name: string; needs: string[]; told: boolean; groupCode: string }) => [
        row.name,
        row.groupCode,
        row.told,
        row.needs,
      ]),
    ).toEqual([
      ['学生丙', '4165010760', true, ['login', 'answers', 'photo', 'files', 'promise']],
      ['学生乙', '4165010760', true, ['login', 'answers', 'photo', 'files', 'promise']],
    ])
    // Nobody who reviews or counts sees it, and nothing was opened for them.
    const reviewer = await of.tenant.staff('reviewer1')
    const forReview = async (who: Person) =>
      (await who.get('/blade-signup/examine/getExamineList', { query: { examId: of.exam.examId } })).body.data.records
    expect([await forReview(office), await forReview(reviewer)]).toEqual([[], []])
    const [first] = await of.tenant.rows(
      sql<{ id: string }>`select id::text as id from signup where exam_id = ${of.exam.examId} order by id`,
    )
    for (const who of [office, reviewer]) {
      expect((await who.post('/blade-signup/examine/open', { json: { signUpId: first?.id ?? '' } })).status).toBe(404)
      const decided = await who.post('/blade-signup/examine/examine', { json: { signUpId: first?.id, examineResult: 1, signVersion: 0 } })
      expect(decided.body.code).not.toBe(200)
    }
    // The person takes it over and finishes it, and nothing is left to do.
    const [waiting] = (await known.get('/blade-signup/signup/getInvitations')).body.data
    expect((await known.post('/blade-signup/signup/takeInvitation', { json: { signupId: waiting.signupId } })).status).toBe(200)
    const answer = await submit(known, of.exam.examId, {
      content: answersOf(card(2), '16200000002', { name: '学生丙' }),
      fileIds: await uploadAll(known),
    })
    expect(answer.body.data).toMatchObject({ examine: 1, signNo: '20260300000001', signVersion: 1 })
    expect((await list(school, of)).records[0]).toMatchObject({ name: '学生丙', needs: [] })
    expect((await list(school, of, { open: 1 })).total).toBe(1)
    expect(await counts(of)).toEqual([{ signups: 2, listed: 2, people: 2, used: 1 }])
    expect((await forReview(office)).map((row: { name: string }) => row.name)).toEqual(['学生丙'])
    expect(await counts(other)).toEqual(before)
  })

  test('every fault of a row is named with its column; the right rows may go in without the others', async () => {
    const of = await scene({
      posts: [
        { code: 'B001', codeName: '护士', unit: 'H01', unitName: '区人民医院', type: 'B', typeName: '护理', planNum: 4, maxSign: 2 },
        { code: 'M001', codeName: '男护士', unit: 'H01', unitName: '区人民医院', type: 'B', typeName: '护理', planNum: 1, sex: 1 },
      ],
    })
    const office = await of.tenant.staff('exam_admin')
    await of.tenant.candidate({ idCard: card(11), phone: '16200009999', realName: '别人' })
    const rows = [
      rowOf(10),
      rowOf(11),
      rowOf(12, { 证件号码: '330199199505050000', 手机号: '123' }),
      rowOf(13, { 证件号码: '3.30106E+17' }),
      rowOf(14, { 岗位代码: 'X', 学历: '博导' }),
      rowOf(10, { 姓名: '学生甲' }),
      rowOf(15, { 岗位代码: 'M001' }),
      rowOf(16, { 姓名: '', 专业: '' }),
      rowOf(17),
      rowOf(18),
    ]
    const all = await send(office, of, rows)
    expect([all.status, all.body.code]).toEqual([422, 2504])
    expect(all.body.data.errors.map((one: { row: number; column: string; code: string }) => [one.row, one.column, one.code])).toEqual([
      [3, 'A', 'name-mismatch'],
      [4, 'B', 'check-digit'],
      [4, 'C', expect.any(String)],
      [5, 'B', 'scientific'],
      [6, 'D', 'unknown-post'],
      [6, 'H', 'dictionary'],
      [7, 'B', 'duplicate'],
      [7, 'C', 'duplicate'],
      [8, 'D', 'conditions'],
      [9, 'A', 'required'],
      [9, 'K', 'required'],
      [11, 'D', 'post-full'],
    ])
    expect(all.body.data.errors[2].reason).toMatch(/手机|11/)
    expect(await counts(of)).toEqual([{ signups: 0, listed: 0, people: 1, used: 0 }])
    const part = await send(office, of, rows, { policy: 'partial' })
    expect(part.body.data).toMatchObject({ state: 4, inserted: 2, failed: 8 })
    expect(await counts(of)).toEqual([{ signups: 2, listed: 2, people: 3, used: 0 }])
    const again = await send(office, of, [rowOf(10)])
    expect(again.body.data.errors[0]).toMatchObject({ row: 2, column: 'B', code: 'signed-up', reason: '此人已报名本次考试（未提交）' })
  })

  test('a school sees and changes its own people alone; one without a code, other roles and other tenants do not come in', async () => {
    const of = await scene()
    const [one, two] = [await of.tenant.staff('school', { userCode: 'S001' }), await of.tenant.staff('school', { userCode: 'S002' })]
    expect((await send(one, of, [rowOf(20)])).status).toBe(200)
    expect((await send(two, of, [rowOf(21)])).status).toBe(200)
    const office = await of.tenant.staff('exam_admin')
    expect((await send(office, of, [rowOf(22)])).status).toBe(200)
    const codes = async (who: Person) => (await list(who, of)).records.map((row: { groupCode: string }) => row.groupCode).sort()
    expect([await codes(one), await codes(two), await codes(office)]).toEqual([['S001'], ['S002'], ['', 'S001', 'S002']])
    // A school reads which one it is, and reminds its own people, each once a day.
    const groups = async (who: Person) =>
      (await who.get('/blade-signup/signup/getOwnGroups', { query: { examId: of.exam.examId } })).body.data
    expect(await groups(one)).toEqual([{ groupCode: 'S001', groupName: null, total: 1, unfinished: 1 }])
    expect(await groups(office)).toEqual([])
    const all = (await list(office, of)).records.map((row: { signupId: string }) => row.signupId).join(',')
    const remind = (who: Person) => who.post('/blade-signup/signup/remindGroup', { json: { examId: of.exam.examId, signupIds: all } })
    expect((await remind(one)).body.data).toEqual({ reminded: 1, skipped: 2 })
    expect((await remind(one)).body.data).toEqual({ reminded: 0, skipped: 3 })
    expect((await remind(office)).body.data).toEqual({ reminded: 2, skipped: 1 })
    expect(
      await of.tenant.rows(sql<object>`
        select n.title_zh as title, count(*)::int as n from notify n where n.event_key like 'signup.group-remind:%' group by n.title_zh`),
    ).toEqual([{ title: '请尽快完成报名', n: 3 }])
    expect(
      await of.tenant.rows(sql<object>`
        select user_id::text as who, jsonb_array_length(after_value->'signups') as n from audit_log where action = 'signup.group-reminded' order by id`),
    ).toEqual([
      { who: one.userId, n: 1 },
      { who: office.userId, n: 2 },
    ])
    const nobody = await of.tenant.staff('school')
    expect((await send(nobody, of, [rowOf(23)])).body.msg).toBe('您的账号没有绑定院校代码，请联系管理员')
    expect((await list(nobody, of)).records).toEqual([])
    expect((await send(one, of, [rowOf(24)], { passed: '1' })).status).toBe(403)
    for (const role of ['unit_hr', 'reviewer1', 'finance'] as const)
      expect((await send(await of.tenant.staff(role), of, [rowOf(25)])).status).toBe(403)
    const stranger = await (await t.tenant()).staff('exam_admin')
    expect((await stranger.get('/blade-signup/signup/getGroupSignUps', { query: { examId: of.exam.examId } })).status).toBe(404)
    expect((await send(stranger, of, [rowOf(26)])).status).not.toBe(200)
    for (const who of [one, two])
      expect((await who.get('/blade-signup/examine/getExamineList', { query: { examId: of.exam.examId } })).status).toBe(403)
    t.clock.set('2026-03-20T17:00:00+08:00')
    expect((await send(one, of, [rowOf(27)])).body.code).toBe(2102)
    expect(await counts(of)).toEqual([{ signups: 3, listed: 3, people: 3, used: 0 }])
  })

  test('a school hears the same of everybody, known here or not, in check mode and in the run; nothing of an account is changed and its owner is told', async () => {
    const of = await scene()
    const [one, two] = [await of.tenant.staff('school', { userCode: 'S001' }), await of.tenant.staff('school', { userCode: 'S002' })]
    const owner = await of.tenant.candidate({ idCard: card(50), phone: '16200000050', realName: '别人' })
    await of.tenant.candidate({ idCard: card(54), phone: '16200000054', realName: '另一人' })
    expect((await send(one, of, [rowOf(51)])).status).toBe(200)
    await of.tenant.rows(sql`
      insert into integrity_list (tenant_id, id_card_index, name_mask, reason, begin_date)
      select ${of.tenant.tenantId}, s.id_card_index, '某', '作弊', '2026-01-01' from signup s where s.name = '学生丁'`)
    const said = async (who: Person, row: readonly string[], mode: string) => {
      const { status, body } = await send(who, of, [row], { mode })
      const { total, inserted, updated, skipped, failed, errors } = body.data
      return { status, total, inserted, updated, skipped, failed, errors }
    }
    const accounts = () =>
      of.tenant.rows(sql<{ id: string; row: object }>`
        select id::text as id, to_jsonb(account) as row from account where user_type = 2 and id in (select user_id from group_signup union select ${owner.userId}::bigint) order by id`)
    const before = await accounts()
    // An account under its own name, one under another name, a phone of somebody, and who was brought in by another school and may not sign up at all.
    const stranger = rowOf(60)
    const known = [rowOf(50, { 姓名: '别人' }), rowOf(54), rowOf(52, { 手机号: '16200000050' }), rowOf(51)]
    const unheard = { check: await said(two, stranger, 'check'), run: await said(two, stranger, 'commit') }
    expect([unheard.check.errors, unheard.run.errors, unheard.run.inserted]).toEqual([[], [], 1])
    for (const [at, row] of known.entries())
      expect([at, { check: await said(two, row, 'check'), run: await said(two, row, 'commit') }]).toEqual([at, unheard])
    // What the school itself has handed in it hears of, under any name: again the same of everybody.
    for (const row of [stranger, ...known])
      expect((await said(two, row, 'check')).errors).toMatchObject([
        { row: 2, column: 'B', code: 'signed-up', reason: '此人已报名本次考试（未提交）' },
      ])
    expect((await list(two, of)).records.map(({ needs }: { needs: string[] }) => needs)).toEqual(
      Array.from({ length: 5 }, () => ['login', 'answers', 'photo', 'files', 'promise']),
    )
    // Nothing of the accounts is changed, the numbers stay theirs, and the owner who has the name is told.
    const after = await accounts()
    expect(before.map(({ id }) => after.find(other => other.id === id))).toEqual(before)
    expect(
      await of.tenant.rows(sql<object>`
        select s.name, a.id_card_index is not null as number, a.phone_index is not null as phone from group_signup g join signup s on s.id = g.signup_id
        join account a on a.id = g.user_id where g.group_code = 'S002' order by g.signup_id`),
    ).toEqual([
      { name: '学生戊', number: false, phone: false },
      { name: '别人', number: false, phone: false },
      { name: '学生庚', number: false, phone: false },
      { name: '学生戊', number: false, phone: false },
      { name: '学生丁', number: false, phone: false },
    ])
    expect(
      await of.tenant.rows(
        sql<object>`select title_zh as title, count(*)::int as n from notify where user_id = ${owner.userId} group by title_zh`,
      ),
    ).toEqual([{ title: '有院校为您填写了报名信息', n: 1 }])
    // The office hears more of anybody; what a school asks is on record.
    expect((await said(await of.tenant.staff('exam_admin'), rowOf(50), 'check')).errors).toMatchObject([{ code: 'name-mismatch' }])
    expect(
      await of.tenant.rows(sql<object>`
        select distinct entity, entity_id as about, after_value as after from audit_log where action = 'signup.group-checked' and user_id = ${two.userId}`),
    ).toEqual([{ entity: 'examination', about: of.exam.examId, after: { groupCode: 'S002', rows: 1 } }])
  })

  test('an administrator of examinations may say that all have passed: dues arise', async () => {
    const of = await scene()
    const office = await of.tenant.staff('exam_admin')
    const answer = await send(office, of, [rowOf(30), rowOf(31)], { passed: '1' })
    expect(answer.body.data).toMatchObject({ state: 4, inserted: 2 })
    const dues = ({ tenant }: Scene) =>
      tenant.rows(sql<object>`
        select s.examine, s.source, s.pay_state as pay, p.state, p.amount_fen as fen, p.pay_name as name, p.user_id = s.user_id as own, p.deadline = e.pay_end as "inTime",
          (select count(*)::int from audit_log a where a.action = 'exampay.added' and a.entity_id = p.id::text) as lines,
          (select count(*)::int from outbox o where o.task = 'pay.lapse' and o.payload ->> 'payId' = p.id::text and o.run_at = p.deadline and o.job_key like '%|lapse-' || p.id) as lapses,
          (select count(*)::int from notify n where n.user_id = s.user_id and n.kind = 2) as told
        from signup s join exam_pay p on p.signup_id = s.id join examination e on e.id = s.exam_id order by s.id`)
    const due = {
      examine: 'passed',
      source: 2,
      pay: 'due',
      state: 'due',
      fen: 10_000,
      name: '报名费',
      own: true,
      inTime: true,
      lines: 1,
      lapses: 1,
    }
    expect(await dues(of)).toEqual([due, due].map(one => ({ ...one, told: 0 })))
    expect((await list(office, of)).records.map((record: { needs: string[] }) => record.needs)).toEqual([['pay'], ['pay']])
    // Where it is due with the submit they owe it too, and hear of it by a message of its own: no review tells them.
    const early = await scene({ exam: { pay_when: 2 } })
    await send(await early.tenant.staff('exam_admin'), early, [rowOf(32)], { passed: '1' })
    expect(await dues(early)).toEqual([{ ...due, told: 1 }])
    // A free post makes no due.
    const free = await scene({ exam: { fee_mode: 0 } })
    await send(await free.tenant.staff('exam_admin'), free, [rowOf(33)], { passed: '1' })
    expect(await dues(free)).toEqual([])
    expect(await free.tenant.rows(sql<object>`select pay_state as pay from signup`)).toEqual([{ pay: 'none' }])
  })

  test('what a school brings is an invitation: its number and its phone are held against nobody, and the person claims it with the own phone', async () => {
    const of = await scene()
    const school = await of.tenant.staff('school', { userCode: 'S001' })
    const schoolPhone = '16233330001'
    await send(school, of, [rowOf(44, { 手机号: schoolPhone }), rowOf(45)])
    const register = async (idCard: string, phone: string, realName: string) => {
      t.clock.advance(61_000)
      const anyone = t.anonymous(of.tenant.tenantId)
      const code = await anyone.post('/blade-auth/oauth/sms/send-validate', { form: { phone: sealFor(t, phone) } })
      const password = 'Sunny-river-2727'
      const fields = {
        ...{
          username: `own${phone}`,
          password: sealFor(t, password),
          password2: sealFor(t, password),
          realName,
          phone: sealFor(t, phone),
          idCard,
        },
        ...{ smsId: code.body.data.id, smsCode: testSms, consent: '1' },
      }
      const made = await anyone.post('/blade-system/user/register', { multipart: { fields } })
      return [made.status, made.body.reason ?? null]
    }
    const people = () =>
      of.tenant.rows(sql<object>`
        select a.real_name as name, a.phone_mask as phone, a.id_card_index is not null as number, (select count(*)::int from signup s where s.user_id = a.id) as signups
        from account a where a.user_type = 2 and not a.is_deleted order by a.id`)
    // Whoever holds the phone that the school wrote down comes in by neither door, before the person has claimed the account.
    const code = async (phone: string) => {
      t.clock.advance(61_000)
      const sent = await t.anonymous(of.tenant.tenantId).post('/blade-auth/oauth/sms/send-validate', { form: { phone: sealFor(t, phone) } })
      return sent.body.data.id
    }
    const logIn = async (phone: string) => {
      const form = { grant_type: 'sms_code', phone: sealFor(t, phone), id: await code(phone), value: testSms }
      const { status, body } = await t.anonymous(of.tenant.tenantId).post('/blade-auth/oauth/token', { form })
      return [status, body.reason ?? null]
    }
    const forget = async (phone: string, idCard: string) => {
      const password = () => sealFor(t, 'Sunny-river-2727')
      const form = { phone: sealFor(t, phone), idCard: sealFor(t, idCard), password: password(), password2: password() }
      const sent = { ...form, smsId: await code(phone), smsCode: testSms }
      return (await t.anonymous(of.tenant.tenantId).post('/blade-system/user/reset-by-sms', { json: sent })).body.reason
    }
    expect([await logIn(schoolPhone), await forget(schoolPhone, card(44))]).toEqual([[400, 'auth/unclaimed'], 'auth/not-yours'])
    expect(await of.tenant.rows(sql`select count(*)::int as n from session where user_type = 2`)).toEqual([{ n: 0 }])
    // The person comes with the own phone, and finds what was filled in.
    expect(await register(card(44), '16244440044', '学生戊')).toEqual([200, null])
    expect(await people()).toEqual([
      { name: '学生己', phone: '162****0045', number: false, signups: 1 },
      { name: '学生戊', phone: '162****0044', number: true, signups: 1 },
    ])
    expect([await logIn('16244440044'), await logIn(schoolPhone)]).toEqual([
      [200, null],
      [400, 'auth/invalid-sms-code'],
    ])
    // Whoever has the phone or the number that a school wrote down for somebody of another name is kept out by neither.
    expect(await register(card(46), '16200000045', '学生庚')).toEqual([200, null])
    expect(await register(card(45), '16244440047', '学生辛')).toEqual([200, null])
    expect((await people()).map(one => Object.values(one))).toEqual([
      ['学生己', '162****0045', false, 1],
      ['学生戊', '162****0044', true, 1],
      ['学生庚', '162****0045', true, 0],
      ['学生辛', '162****0047', true, 0],
    ])
    // An account that its owner has made their own is one.
    const taken = await register(card(44), '16244440048', '学生戊')
    expect(taken).toEqual([409, 'auth/id-card-taken'])
  })

  test('what schools bring becomes the person’s, once: of each examination the first at the registration, another instead of the own draft by choice', async () => {
    const of = await scene()
    const second = { ...of, exam: await buildExam(of.tenant, { exam: { exam_code: 'SECOND1', exam_name: '第二场', exam_no: 8 } }) }
    const [one, two] = [await of.tenant.staff('school', { userCode: 'S001' }), await of.tenant.staff('school', { userCode: 'S002' })]
    await of.tenant.rows(sql`
      insert into school (tenant_id, school_code, school_name, province, level)
      values (${of.tenant.tenantId}, 'S001', '第一医学院', '', 1), (${of.tenant.tenantId}, 'S002', '第二医学院', '', 1)`)
    const name = rowOf(80)[0] ?? ''
    for (const [school, at, row] of [
      [one, of, rowOf(80, { 手机号: '16233330080' })],
      [two, of, rowOf(80, { 手机号: '16233330081', 专业: '临床医学' })],
      [two, second, rowOf(80)],
      // Of another name, it is nobody's.
      [one, second, rowOf(80, { 姓名: '冒名者' })],
    ] as const)
      expect((await send(school, at, [row])).body.data).toMatchObject({ inserted: 1, failed: 0 })
    const portrait = readFileSync(fileURLToPath(new URL('../../../seed/data/portraits/p01-white.jpg', import.meta.url)))
    await one.post('/blade-exam/examination/importSignUpPhotos', {
      multipart: {
        fields: { examId: of.exam.examId },
        files: [{ part: 'file', name: 'photos.zip', bytes: await zipOf({ [`${card(80)}.jpg`]: portrait }) }],
      },
    })
    // Nobody else finds it, and no id of it opens anything.
    const stranger = await of.tenant.candidate({ idCard: card(81), realName: name })
    expect((await stranger.get('/blade-signup/signup/getInvitations')).body.data).toEqual([])
    const all = await of.tenant.rows(sql<{ id: string }>`select id::text as id from signup order by id`)
    for (const { id } of all)
      expect((await stranger.post('/blade-signup/signup/takeInvitation', { json: { signupId: id } })).status).toBe(404)
    const phone = '16244440080'
    const anyone = t.anonymous(of.tenant.tenantId)
    const code = async () => {
      t.clock.advance(61_000)
      return (await anyone.post('/blade-auth/oauth/sms/send-validate', { form: { phone: sealFor(t, phone) } })).body.data.id
    }
    const password = 'Sunny-river-2727'
    const registered = await anyone.post('/blade-system/user/register', {
      multipart: {
        fields: {
          ...{
            username: 'own80',
            password: sealFor(t, password),
            password2: sealFor(t, password),
            realName: name,
            phone: sealFor(t, phone),
          },
          ...{ idCard: card(80), smsId: await code(), smsCode: testSms, consent: '1' },
        },
      },
    })
    expect(registered.status).toBe(200)
    const { userId } = registered.body.data
    const owned = () =>
      of.tenant.rows(sql<object>`
        select s.id::text as id, e.exam_code as exam, s.major, s.examine, s.phone_mask as phone, s.photo_file_id is not null as photo, s.is_deleted as dropped,
          g.user_id = s.user_id as listed, (select count(*)::int from stored_file f where f.owner_kind = 'signup' and f.owner_id = s.id and f.user_id = s.user_id) as files
        from signup s join examination e on e.id = s.exam_id join group_signup g on g.signup_id = s.id where s.user_id = ${userId} order by s.id`)
    const mine = { examine: 'draft', phone: '162****0080', dropped: false, listed: true }
    const first = { ...mine, id: all[0]?.id, exam: expect.any(String), major: '护理学', photo: true, files: 1 }
    const third = { ...mine, id: all[2]?.id, exam: 'SECOND1', major: '护理学', photo: false, files: 0 }
    expect(await owned()).toEqual([first, third])
    expect(
      await of.tenant.rows(sql<object>`select link from notify where user_id = ${userId} and title_zh = '有院校为您填写了报名信息'`),
    ).toEqual([{ link: `/signup/form/${of.exam.examId}?invited=1` }])
    expect(
      await of.tenant.rows(sql<object>`
        select count(*)::int as n, count(*) filter (where is_deleted and phone_sealed is null and id_card_sealed is null)::int as closed
        from account where user_type = 2 and id in (select user_id from group_signup union select ${all[0]?.id ?? ''}::bigint) or user_type = 2 and is_deleted`),
    ).toEqual([{ n: 5, closed: 2 }])
    const session = (
      await anyone.post('/blade-auth/oauth/token', {
        form: { grant_type: 'sms_code', phone: sealFor(t, phone), id: await code(), value: testSms },
      })
    ).body.access_token
    const as = { headers: { 'blade-auth': `bearer ${session}` } }
    // The form is filled in, and asks for nothing the account says itself.
    const waits = async () => (await anyone.get('/blade-signup/signup/getInvitations', as)).body.data
    expect(await waits()).toEqual([
      {
        ...{ signupId: all[1]?.id, examId: of.exam.examId, groupName: '第二医学院' },
        ...{ examName: expect.any(String), importTime: expect.any(String) },
      },
    ])
    const take = async (signupId: string | undefined, more: object = {}) =>
      (await anyone.post('/blade-signup/signup/takeInvitation', { json: { signupId, ...more }, ...as })).body
    expect((await take(all[1]?.id)).reason).toBe('signup/invitation-draft')
    expect((await take(all[1]?.id, { replace: 1 })).data).toEqual({ signUpId: all[1]?.id, examId: of.exam.examId })
    expect(await owned()).toEqual([
      { ...first, dropped: true },
      { ...mine, id: all[1]?.id, exam: expect.any(String), major: '临床医学', photo: false, files: 0 },
      third,
    ])
    // Once.
    expect([await waits(), (await take(all[1]?.id, { replace: 1 })).code, (await take(all[0]?.id)).code]).toEqual([[], 404, 404])
    expect(
      await of.tenant.rows(sql<object>`
        select entity_id as id, user_id::text as by, after_value->>'userId' as "to" from audit_log where action = 'signup.taken-over' order by entity_id`),
    ).toEqual([
      { id: all[0]?.id, by: '0', to: userId },
      { id: all[1]?.id, by: userId, to: userId },
      { id: all[2]?.id, by: '0', to: userId },
    ])
    // The school sees that the person came: the log-in is no longer to do.
    expect((await list(two, of)).records.map((row: { needs: string[] }) => row.needs)).toEqual([['answers', 'photo', 'files', 'promise']])
  })

  test('photos named by id number: matched, unknown and unusable ones are told; nobody else’s are touched', async () => {
    const of = await scene()
    const [one, two] = [await of.tenant.staff('school', { userCode: 'S001' }), await of.tenant.staff('school', { userCode: 'S002' })]
    await send(one, of, [rowOf(40), rowOf(41)])
    await send(two, of, [rowOf(42)])
    const portrait = readFileSync(fileURLToPath(new URL('../../../seed/data/portraits/p01-white.jpg', import.meta.url)))
    const zip = await zipOf({
      [`照片/${card(40)}.jpg`]: portrait,
      [`${card(41)}.jpg`]: Buffer.from('no picture'),
      [`${card(42)}.jpg`]: portrait,
      '说明.txt': Buffer.from('x'),
    })
    const sent = (who: Person, bytes: Buffer) =>
      who.post('/blade-exam/examination/importSignUpPhotos', {
        multipart: { fields: { examId: of.exam.examId }, files: [{ part: 'file', name: 'photos.zip', bytes }] },
      })
    const answer = await sent(one, zip)
    expect(answer.body.data).toEqual({
      ...{ total: 4, matched: 1, unknown: [`${card(42)}.jpg`, '说明.txt'], missing: 1 },
      refused: [{ file: `${card(41)}.jpg`, reason: expect.stringContaining('jpg') }],
    })
    expect(
      await of.tenant.rows(
        sql<object>`select name, photo_file_id is not null as photo, jsonb_array_length(files) as files from signup order by id`,
      ),
    ).toEqual([
      { name: '学生甲', photo: true, files: 1 },
      { name: '学生乙', photo: false, files: 0 },
      { name: '学生丙', photo: false, files: 0 },
    ])
    expect((await list(one, of)).records.find((row: { name: string }) => row.name === '学生甲').needs).not.toContain('photo')
    expect((await sent(one, Buffer.from('PK no zip'))).status).toBe(422)
  })
})
