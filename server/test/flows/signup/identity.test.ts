import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { type Person, startTestApp, type TestApp, type TestTenant, testSms, testStart } from '../../support/app.ts'
import { type BuiltExam, buildExam } from '../../support/factories.ts'
import { testIdCard } from '../../support/id-card.ts'
import { sealFor } from '../../support/login.ts'
import { answersOf, submit, uploadAll } from '../../support/signing.ts'
import { bothAtOnce } from '../../support/two-persons.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())

interface Someone extends Person {
  readonly idCard: string
  readonly phone: string
}
interface World {
  readonly tenant: TestTenant
  readonly exam: BuiltExam
  readonly someone: (serial: number) => Promise<Someone>
}
const world = async (): Promise<World> => {
  t.clock.set(testStart)
  const tenant = await t.tenant()
  const someone = async (serial: number) => {
    const own = { idCard: testIdCard(serial), phone: `1605555${String(serial).padStart(4, '0')}` }
    return { ...(await tenant.candidate({ realName: '王测', ...own })), ...own }
  }
  return { tenant, exam: await buildExam(tenant), someone }
}
const own = ({ idCard, phone }: Someone, more: Readonly<Record<string, unknown>> = {}) =>
  answersOf(idCard, phone, { name: '王测', ...more })
const save = (person: Person, examId: string, content: object) =>
  person.post('/blade-signup/signup/submit', { json: { examId, code: 'B001', submitType: 0, content } })
const formOf = async (person: Person, examId: string) =>
  (await person.get('/blade-signup/signup/getExamInfoOrSignUpInfo', { query: { examId } })).body.data
const take = (person: Person, ids: string) => person.post('/blade-signup/signup/remove', { query: { ids } })
const rows = (tenant: TestTenant) =>
  tenant.rows(sql<object>`select user_id::text as "userId", examine, name, id_card_mask as mask from signup order by id`)

describe('who signs up is who the account belongs to', () => {
  test('[19.2] another person’s name, number or phone is refused by a submit and by a save, and nothing is written', async () => {
    const { tenant, exam, someone } = await world()
    const [thief, victim] = [await someone(1), await someone(2)]
    const fileIds = await uploadAll(thief)
    for (const [foreign, field] of [
      [{ idCard: victim.idCard }, 'idCard'],
      [{ phone: victim.phone }, 'phone'],
      [{ name: '李四' }, 'name'],
    ] as const) {
      const answer = await submit(thief, exam.examId, { content: own(thief, foreign), fileIds })
      expect([answer.status, answer.body.reason, answer.body.data.fields.map((one: { field: string }) => one.field)]).toEqual([
        422,
        'signup/incomplete',
        [field],
      ])
      const saved = await save(thief, exam.examId, foreign)
      expect([saved.status, saved.body.reason, saved.body.data.fields.map((one: { field: string }) => one.field)]).toEqual([
        422,
        'signup/not-verified',
        [field],
      ])
    }
    expect(await rows(tenant)).toEqual([])
    const english = await thief.post('/blade-signup/signup/submit', {
      language: 'en',
      json: { examId: exam.examId, code: 'B001', submitType: 0, content: { idCard: victim.idCard } },
    })
    expect(english.body.msg).toBe('The id number differs from what was verified of your account; ask for a change under “My data”')
    expect((await submit(victim, exam.examId, { content: own(victim), fileIds: await uploadAll(victim) })).status).toBe(200)
  })

  test('[19.2] what is left out is the account’s, and the form is told so', async () => {
    const { tenant, exam, someone } = await world()
    const person = await someone(3)
    const { name, idCard, phone, idCardType, ...content } = own(person)
    const opened = await formOf(person, exam.examId)
    expect(opened.verified).toEqual({ name, idCard, idCardType, phone, birthday: '1995-05-05', sex: '2' })
    expect((await submit(person, exam.examId, { content, fileIds: await uploadAll(person) })).status).toBe(200)
    expect(await rows(tenant)).toEqual([
      { userId: person.userId, examine: 'waiting', name: '王测', mask: `${person.idCard.slice(0, 4)}**********${person.idCard.slice(14)}` },
    ])
  })

  test('[19.2] an account without a verified number cannot sign anybody up', async () => {
    const { tenant, exam, someone } = await world()
    const [person, other] = [await someone(4), await someone(5)]
    await tenant.db(db =>
      db.run(sql`update account set id_card_sealed = null, id_card_index = null, id_card_mask = null where id = ${person.userId}`),
    )
    expect((await formOf(person, exam.examId)).verified).toMatchObject({ name: '王测', idCard: '' })
    const fileIds = await uploadAll(person)
    const { idCard, ...content } = own(person)
    const msg = '账号尚未核验证件号码，请先在“个人信息”申请信息变更'
    for (const given of [content, { ...content, idCard }, { ...content, idCard: other.idCard }])
      expect((await submit(person, exam.examId, { content: given, fileIds })).body.data.fields).toEqual([{ field: 'idCard', msg }])
    expect((await save(person, exam.examId, content)).status).toBe(200)
  })
})

/** What an installation of before has: somebody signed up with a number that their account does not have. */
const stolen = async ({ tenant, exam, someone }: World, victim: Someone) => {
  const thief = await someone(11)
  const { body } = await submit(thief, exam.examId, { content: own(thief), fileIds: await uploadAll(thief) })
  const index = t.app.services.cipher.blindIndex(tenant.tenantId, 'id-card', victim.idCard)
  await tenant.db(db => db.run(sql`update signup set id_card_index = ${index} where id = ${body.data.id}`))
  // As it was submitted: nobody has changed it since.
  await tenant.db(db => db.run(sql`update signup set sign_version = 1 where id = ${body.data.id}`))
  return { thief, id: body.data.id as string }
}

describe('a number is held by a sign-up that counts', () => {
  test('[19.2] a withdrawn or refused sign-up holds no number; one that waits does, and its refusal is not undone over the other', async () => {
    const w = await world()
    const { tenant, exam, someone } = w
    const victim = await someone(12)
    const { thief, id } = await stolen(w, victim)
    const form = { content: own(victim), fileIds: await uploadAll(victim) }
    expect((await submit(victim, exam.examId, form)).body).toMatchObject({ code: 2104, reason: 'signup/person-taken' })

    const reviewer = await tenant.staff('reviewer1')
    await reviewer.post('/blade-signup/examine/open', { json: { signUpId: id } })
    const decision = { signUpId: id, signVersion: 1, examineResult: 3, examineResultRemark: '冒用他人证件' }
    expect((await reviewer.post('/blade-signup/examine/examine', { json: decision })).status).toBe(200)
    expect((await submit(victim, exam.examId, form)).body.data).toMatchObject({ examine: 1, signVersion: 1 })
    const undo = await reviewer.post('/blade-signup/examine/examine', { json: { ...decision, examineResult: 0, examineResultRemark: '' } })
    expect(undo.body).toMatchObject({ code: 2201, reason: 'examine/undo-number-taken' })

    const mine = await tenant.rows(sql<{ id: string }>`select id::text as id from signup where user_id = ${victim.userId}`)
    expect((await take(victim, mine[0]?.id ?? '')).body.data).toEqual({ withdrawn: 1 })
    expect(
      (await reviewer.post('/blade-signup/examine/examine', { json: { ...decision, examineResult: 0, examineResultRemark: '' } })).status,
    ).toBe(200)
    expect(await tenant.rows(sql<object>`select user_id::text as "userId", examine from signup order by id`)).toEqual([
      { userId: thief.userId, examine: 'waiting' },
      { userId: victim.userId, examine: 'withdrawn' },
    ])
    expect((await submit(victim, exam.examId, { ...form, signVersion: 1 })).body).toMatchObject({ code: 2104 })
  })

  test('[19.2] after a withdrawal somebody else of the same number signs up, and the first one comes back only when it is free', async () => {
    const w = await world()
    const victim = await w.someone(13)
    const { thief, id } = await stolen(w, victim)
    expect((await take(thief, id)).body.data).toEqual({ withdrawn: 1 })
    const form = { content: own(victim), fileIds: await uploadAll(victim) }
    expect((await submit(victim, w.exam.examId, form)).status).toBe(200)
    // The thief comes back with the number of the own account.
    expect((await submit(thief, w.exam.examId, { content: own(thief), fileIds: await uploadAll(thief), signVersion: 1 })).status).toBe(200)
  })
})

describe('the document and the age', () => {
  const foreign = '911124198108030024'
  let registered = 0
  const register = async (tenant: TestTenant, idCard: string, more: Record<string, string> = {}) => {
    t.clock.advance(61_000)
    registered += 1
    const phone = `1606667${String(registered).padStart(4, '0')}`
    const guest = t.anonymous(tenant.tenantId)
    const sent = await guest.post('/blade-auth/oauth/sms/send-validate', { form: { phone: sealFor(t, phone) } })
    const fields = {
      ...{
        username: `document${registered}`,
        password: sealFor(t, 'Sunny-river-2727'),
        password2: sealFor(t, 'Sunny-river-2727'),
        realName: '李测',
      },
      ...{ phone: sealFor(t, phone), idCard, smsId: sent.body.data?.id ?? '', smsCode: testSms, consent: '1', ...more },
    }
    return guest.post('/blade-system/user/register', { multipart: { fields } })
  }

  test('[19.8][P7] nobody under 14 registers, and the number says which document it is of, whatever was chosen', async () => {
    const { tenant } = await world()
    const young = await register(tenant, testIdCard(50, '20120318'))
    expect([young.status, young.body.data.fields]).toEqual([400, [{ field: 'idCard', msg: '未满 14 周岁不能注册和报名' }]])
    expect((await register(tenant, testIdCard(51, '20120316'))).status).toBe(200)
    expect((await register(tenant, '810000199410101237', { idCardType: '1' })).status).toBe(200)
    expect((await register(tenant, foreign, { idCardType: '1' })).status).toBe(200)
    expect((await register(tenant, '911124198108030025')).body.data.fields[0]).toEqual({ field: 'idCard', msg: '证件号码校验位错误' })
    expect(
      await tenant.rows(sql`select id_card_type as type, birthday::text as birthday, sex from account where user_type = 2 order by id`),
    ).toEqual([
      { type: '1', birthday: '2012-03-16', sex: 2 },
      { type: '2', birthday: '1994-10-10', sex: 1 },
      { type: '3', birthday: '1981-08-03', sex: 2 },
    ])
  })

  test('[19.8] each examination says whether it takes permanent residence cards of foreigners', async () => {
    const { tenant, exam } = await world()
    const [phone, idCard] = ['16066660001', '911124199505050023']
    const person = await tenant.candidate({ realName: '王测', idCard, phone })
    const form = { code: 'B001', content: answersOf(idCard, phone, { name: '王测', idCardType: '3' }), fileIds: await uploadAll(person) }
    const refused = await submit(person, exam.examId, form)
    expect(refused.body.data.fields).toEqual([{ field: 'idCard', msg: '本次考试不接受外国人永久居留身份证' }])
    const office = await tenant.staff('exam_admin')
    const [row] = await tenant.rows(sql<{ version: number }>`select version from examination where id = ${exam.examId}`)
    const saved = await office.post('/blade-exam/examination/submit', {
      json: { id: exam.examId, version: row?.version ?? 0, allowForeignCard: 1 },
    })
    expect(saved.status).toBe(200)
    expect((await office.get('/blade-exam/examination/detail', { query: { id: exam.examId } })).body.data.allowForeignCard).toBe(1)
    expect((await submit(person, exam.examId, form)).status).toBe(200)
    expect(await tenant.rows(sql`select id_card_type as type, sex, birthday::text as birthday from signup`)).toEqual([
      { type: '3', sex: 2, birthday: '1995-05-05' },
    ])
  })

  const french = { idCardType: '4', nationality: 'FRA', birthday: '1990-01-31', sex: '2' }
  const sms = async (tenant: TestTenant, phone: string): Promise<string> => {
    t.clock.advance(61_000)
    const sent = await t.anonymous(tenant.tenantId).post('/blade-auth/oauth/sms/send-validate', { form: { phone: sealFor(t, phone) } })
    return sent.body.data.id
  }

  test('[19.8][P7] a passport is registered with country, birth date and sex; the same number of another country is another document', async () => {
    const { tenant } = await world()
    const fields = async (idCard: string, more: Record<string, string>) => (await register(tenant, idCard, more)).body.data.fields
    expect(await fields('E12345678', {})).toEqual([{ field: 'idCard', msg: '证件号码应为 18 位' }])
    expect(await fields('E12345678', { idCardType: '4' })).toEqual([
      { field: 'nationality', msg: '请选择国籍（护照签发国家或地区）' },
      { field: 'birthday', msg: '请填写出生日期，如 1990-01-31' },
      { field: 'sex', msg: '请选择性别' },
    ])
    expect(await fields('E12345678', { ...french, birthday: '2012-03-18' })).toEqual([
      { field: 'birthday', msg: '未满 14 周岁不能注册和报名' },
    ])
    expect(await fields('E-1', french)).toEqual([{ field: 'idCard', msg: '护照号码应为 5 至 20 位字母或数字' }])
    expect(await fields('911124198108030025', french)).toEqual([{ field: 'idCard', msg: '证件号码校验位错误' }])
    expect((await register(tenant, 'ｅ12345678', french)).status).toBe(200)
    const again = await register(tenant, 'E12345678', french)
    expect([again.body.reason, again.body.data.appeal.no]).toEqual(['auth/id-card-taken', expect.stringMatching(/^SS/)])
    expect((await register(tenant, 'E12345678', { ...french, nationality: 'DEU', sex: '1' })).status).toBe(200)
    expect((await register(tenant, testIdCard(60), french)).status).toBe(200)
    expect(
      await tenant.rows(sql`
        select id_card_type as type, nationality, birthday::text as birthday, sex, id_card_mask as mask from account where user_type = 2 order by id`),
    ).toEqual([
      { type: '4', nationality: 'FRA', birthday: '1990-01-31', sex: 2, mask: 'E1*****78' },
      { type: '4', nationality: 'DEU', birthday: '1990-01-31', sex: 1, mask: 'E1*****78' },
      { type: '1', nationality: null, birthday: '1995-05-05', sex: 2, mask: expect.stringContaining('**********') },
    ])
  })

  test('[19.8][19.7] a forgotten password and a lost phone take the number of a passport', async () => {
    const { tenant } = await world()
    expect((await register(tenant, 'P7654321', french)).status).toBe(200)
    const phone = `1606667${String(registered).padStart(4, '0')}`
    const guest = t.anonymous(tenant.tenantId)
    const reset = async (idCard: string) =>
      guest.post('/blade-system/user/reset-by-sms', {
        json: {
          ...{ phone: sealFor(t, phone), smsId: await sms(tenant, phone), smsCode: testSms, idCard: sealFor(t, idCard) },
          ...{ password: sealFor(t, 'Rainy-river-2828'), password2: sealFor(t, 'Rainy-river-2828') },
        },
      })
    expect((await reset('P7654322')).body.reason).toBe('auth/not-yours')
    expect((await reset('p7654321')).body.data).toEqual({ account: `document${registered}` })
    const lost = async (more: object) =>
      guest.post('/blade-userappeal/userappeal/lostPhone', {
        json: {
          ...{ realName: '李测', idCard: sealFor(t, 'P7654321'), phone: sealFor(t, '16066690001'), idCardType: '4' },
          ...{ smsId: await sms(tenant, '16066690001'), smsCode: testSms, ...more },
        },
      })
    expect((await lost({})).body.data.fields).toEqual([{ field: 'nationality', msg: '请选择国籍（护照签发国家或地区）' }])
    expect((await lost({ nationality: 'fra' })).status).toBe(200)
    expect(
      await tenant.rows(sql`
        select p.id_card_mask as mask, a.account from identity_appeal p join account a on a.tenant_id = p.tenant_id and a.id_card_index = p.id_card_index`),
    ).toEqual([{ mask: 'P7****21', account: `document${registered}` }])
  })

  test('[19.8] an account changes to a passport; each examination says whether it takes one, and the form has birth date and sex of the account', async () => {
    const { tenant, exam } = await world()
    const office = await tenant.staff('exam_admin')
    const phone = '16066680001'
    const person = await tenant.candidate({ realName: '王测', idCard: testIdCard(70), phone })
    const files = await uploadAll(person)
    const change = '/blade-userupdateinfo/userupdateinfo'
    const asked = async (more: object) =>
      person.post(`${change}/submit`, {
        json: { field: 'idCard', value: sealFor(t, 'e12345678'), reason: '改用护照', proofFileIds: files['idFront']?.[0], ...more },
      })
    expect((await asked({ ...french, sex: undefined })).body.data.fields).toEqual([{ field: 'sex', msg: '请选择性别' }])
    const request = await asked(french)
    expect(request.body.data.newMask).toBe('E1*****78')
    const { id } = request.body.data
    expect((await office.get(`${change}/detail`, { query: { id } })).body.data.newValue).toBe('E12345678 FRA 1990-01-31 2')
    const colleague = await tenant.staff('exam_admin')
    const pass = (who: Person, more: object) => who.post(`${change}/submit`, { json: { id, state: 1, ...more } })
    expect((await bothAtOnce([office, colleague], pass)).status).toBe(200)
    expect(
      await tenant.rows(
        sql`select id_card_type as type, nationality, birthday::text as birthday, sex from account where id = ${person.userId}`,
      ),
    ).toEqual([{ type: '4', nationality: 'FRA', birthday: '1990-01-31', sex: 2 }])

    const content = answersOf('E12345678', phone, { name: '王测', idCardType: '1', birthday: '1970-01-01', sex: '1' })
    const form = { content, fileIds: await uploadAll(person) }
    expect((await submit(person, exam.examId, form)).body.data.fields).toEqual([{ field: 'idCard', msg: '本次考试不接受护照' }])
    expect(await formOf(person, exam.examId)).toMatchObject({ canSubmit: false, reason: '本次考试不接受护照' })
    const [row] = await tenant.rows(sql<{ version: number }>`select version from examination where id = ${exam.examId}`)
    const saved = await office.post('/blade-exam/examination/submit', {
      json: { id: exam.examId, version: row?.version ?? 0, allowPassport: 1 },
    })
    expect(saved.status).toBe(200)
    expect((await office.get('/blade-exam/examination/detail', { query: { id: exam.examId } })).body.data.allowPassport).toBe(1)
    expect(await formOf(person, exam.examId)).toMatchObject({
      ...{ canSubmit: true, reason: null },
      verified: { name: '王测', idCard: 'E12345678', idCardType: '4', phone, birthday: '1990-01-31', sex: '2' },
    })
    const sent = await submit(person, exam.examId, form)
    expect(sent.status).toBe(200)
    expect(
      await tenant.rows(
        sql`select id_card_type as type, nationality, sex, birthday::text as birthday, id_card_mask as mask from signup order by id`,
      ),
    ).toEqual([{ type: '4', nationality: 'FRA', sex: 2, birthday: '1990-01-31', mask: 'E1*****78' }])
    expect((await formOf(person, exam.examId)).signup.content).toMatchObject({ idCardType: '4', birthday: '1990-01-31', sex: '2' })

    const reviewer = await tenant.staff('reviewer1')
    const found = async (keyword: string) =>
      (await reviewer.get('/blade-signup/examine/getExamineList', { query: { examId: exam.examId, keyword } })).body.data.records.map(
        (one: { idCardMask: string }) => one.idCardMask,
      )
    expect([await found('e12345678'), await found('E12345679')]).toEqual([['E1*****78'], []])
  })
})

test('a submit says why it changes nothing: no version, one that saw no sign-up, an older one', async () => {
  const { tenant, exam, someone } = await world()
  const person = await someone(41)
  const form = { content: own(person), fileIds: await uploadAll(person) }
  const first = (await submit(person, exam.examId, form)).body.data
  const before = await tenant.rows(sql`select examine, sign_version, content from signup`)
  const said = async (more: Readonly<Record<string, unknown>>) => {
    const { status, body } = await submit(person, exam.examId, { ...form, extra: more })
    return { status, code: body.code, reason: body.reason, msg: body.msg, data: body.data }
  }
  const data = { signNo: first.signNo, id: first.id }
  const { signNo } = first
  expect([await said({ signVersion: undefined }), await said({ signVersion: 0 }), await said({ signVersion: 7 })]).toEqual([
    {
      ...{ status: 409, code: 2103, reason: 'signup/version-missing', data },
      msg: `您已有报名（报名序号 ${signNo}），本次提交未注明所改的版本（signVersion），未作修改；请刷新后在已有报名上修改`,
    },
    { status: 409, code: 2103, reason: 'signup/exists', msg: `您已报名本次考试，报名序号 ${signNo}`, data },
    {
      ...{ status: 409, code: 2201, reason: 'signup/version-old', data },
      msg: `您的报名（报名序号 ${signNo}）已是第 1 版，本次提交依据的是第 7 版，未作修改；请刷新后再改`,
    },
  ])
  expect(await tenant.rows(sql`select examine, sign_version, content from signup`)).toEqual(before)
})
