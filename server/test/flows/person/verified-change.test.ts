import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toWireTime } from '#contract/kernel/when.ts'
import { sql } from '#kernel/db/sql.ts'
import { type Answer, type Person, startTestApp, type TestApp, type TestTenant, testSms } from '../../support/app.ts'
import { type BuiltExam, buildExam } from '../../support/factories.ts'
import { testIdCard } from '../../support/id-card.ts'
import { sealFor } from '../../support/login.ts'
import { answersOf, submit, upload, uploadAll } from '../../support/signing.ts'
import { bothAtOnce, document, waitToObject } from '../../support/two-persons.ts'

let t: TestApp
let tenant: TestTenant
let office: Person
let colleague: Person
beforeAll(async () => {
  t = await startTestApp()
  tenant = await t.tenant()
  office = await tenant.staff('exam_admin', { realName: '周考务' })
  colleague = await tenant.staff('exam_admin', { realName: '郑考务' })
})
afterAll(() => t.close())

const path = '/blade-userupdateinfo/userupdateinfo'
const seal = (plain: string): string => sealFor(t, plain)
const picture = readFileSync(fileURLToPath(new URL('../../../seed/data/portraits/id-front-1.jpg', import.meta.url)))
const proofOf = (person: Person): Promise<string> => upload(person, picture, '证明.jpg', 'image')

let serial = 500
const numbers = () => {
  serial += 1
  return { idCard: testIdCard(serial), phone: `1602222${String(serial).padStart(4, '0')}` }
}
interface Candidate extends Person {
  readonly idCard: string
  readonly phone: string
}
const candidate = async (at = tenant): Promise<Candidate> => {
  const own = numbers()
  return { ...(await at.candidate({ realName: '王测', ...own })), ...own }
}
/** The code that was sent to a phone. */
const codeTo = async (phone: string): Promise<{ smsId: string; smsCode: string }> => {
  const sent = await t.anonymous(tenant.tenantId).post('/blade-auth/oauth/sms/send-validate', { form: { phone: seal(phone) } })
  return { smsId: sent.body.data.id, smsCode: testSms }
}
const ask = async (person: Person, field: string, value: string, more: object = {}): Promise<Answer> => {
  const code = field === 'phone' ? await codeTo(value) : {}
  return person.post(`${path}/submit`, {
    json: { field, value: seal(value), reason: '登记有误', proofFileIds: await proofOf(person), ...code, ...more },
  })
}
const decide = (person: Person, id: string, state: 1 | 2, remark?: string): Promise<Answer> =>
  person.post(`${path}/submit`, { json: { id, state, ...(remark === undefined ? {} : { remark }) } })
/** By two persons to whom a document was shown. */
const approve = (id: string): Promise<Answer> =>
  bothAtOnce([office, colleague], (who, more) => who.post(`${path}/submit`, { json: { id, state: 1, ...more } }))
const list = async (person: Person, query: Readonly<Record<string, string | number>> = {}) =>
  (await person.get(`${path}/list`, { query })).body.data
const fieldsOf = ({ body }: Answer): string[] => (body.data?.fields ?? []).map((one: { field: string }) => one.field)
const auditOf = (entityId: string) =>
  tenant.rows(sql<{ action: string; userId: string; before: unknown; after: unknown; reason: string | null }>`
    select action, user_id::text as "userId", before_value as before, after_value as after, reason from audit_log where entity_id = ${entityId} order by id`)

describe('[S7.26] a candidate asks to change verified data', () => {
  test('what is missing or wrong is named; another’s number, another’s file and a second request are refused', async () => {
    const [person, other] = [await candidate(), await candidate()]
    const submitWith = (json: object) => person.post(`${path}/submit`, { json })
    const proofFileIds = await proofOf(person)
    const wanted = numbers().idCard
    // Sealed anew each time: a text that was opened once is not taken again.
    const whole = () => ({ field: 'idCard', value: seal(wanted), reason: '登记有误', proofFileIds })
    for (const [part, field] of [
      [{ field: undefined }, 'field'],
      [{ value: seal('330199199505051021') }, 'value'],
      [{ value: seal(person.idCard) }, 'value'],
      [{ field: 'name', value: seal('王') }, 'value'],
      [{ field: 'phone', value: seal('12345') }, 'value'],
      [{ reason: ' ' }, 'reason'],
      [{ proofFileIds: undefined }, 'proofFileIds'],
      [{ proofFileIds: [1, 2, 3, 4, 5, 6].join(',') }, 'proofFileIds'],
      [{ proofFileIds: await proofOf(other) }, 'proofFileIds'],
    ] as const) {
      const answer = await submitWith({ ...whole(), ...part })
      expect([answer.status, fieldsOf(answer)], JSON.stringify(part)).toEqual([400, [field]])
    }
    expect((await submitWith({ ...whole(), value: seal(other.idCard) })).body).toMatchObject({ code: 2901 })
    const phone = { ...whole(), field: 'phone', value: seal(other.phone) }
    expect((await submitWith({ ...phone, ...(await codeTo(other.phone)) })).body).toMatchObject({ code: 2902 })
    expect(await list(person)).toMatchObject({ total: 0, records: [] })

    expect((await submitWith(whole())).status).toBe(200)
    expect((await ask(person, 'idCard', numbers().idCard)).body).toMatchObject({
      code: 2201,
      msg: '已有一条证件号码变更申请待审，请等待结果或先撤回',
    })
    // Another field is another request.
    expect((await ask(person, 'name', '王·新')).status).toBe(200)
    expect((await list(person)).total).toBe(2)
  })

  test('both sides see it masked; only staff who decide read the whole number, and the candidate sees that they did', async () => {
    const [person, other] = [await candidate(), await candidate()]
    const idCard = numbers().idCard
    const mask = (number: string) => `${number.slice(0, 4)}**********${number.slice(-4)}`
    const { id } = (await ask(person, 'idCard', idCard)).body.data
    const row = {
      id,
      field: 'idCard',
      oldMask: mask(person.idCard),
      newMask: mask(idCard),
      reason: '登记有误',
      state: 0,
      remark: '',
      checkTime: null,
      applyTime: null,
      firstUser: null,
      proofCount: 1,
    }
    const own = await list(person)
    expect(own.records).toEqual([
      { ...row, createTime: '2026-03-17 10:00:00', userId: null, account: null, realName: null, userCode: null, checkUser: null },
    ])
    expect((await list(office, { field: 'idCard', state: 0, keyword: own.records[0].account ?? '' })).records).toContainEqual(
      expect.objectContaining({ ...row, userId: person.userId, realName: '王测', checkUser: null }),
    )
    const detail = (await person.get(`${path}/detail`, { query: { id } })).body.data
    expect(detail).toMatchObject({ ...row, newValue: null, proofs: [{ name: '证明.jpg', mime: 'image/jpeg' }] })
    expect((await other.get(`${path}/detail`, { query: { id } })).status).toBe(404)
    expect((await list(other)).total).toBe(0)
    const seen = (await office.get(`${path}/detail`, { query: { id } })).body.data
    expect(seen.newValue).toBe(idCard)
    expect(
      (await office.get(new URL(seen.proofs[0].link, 'http://x').pathname + new URL(seen.proofs[0].link, 'http://x').search)).status,
    ).toBe(200)
    const log = (await person.get('/me/accessLog', { query: { current: 1, size: 10 } })).body.data
    expect(log.records.map((line: { action: string }) => line.action)).toContain('profile')
    const stored = await tenant.rows(sql<{ text: string }>`select to_jsonb(c)::text as text from verified_change c where id = ${id}`)
    expect(stored[0]?.text).not.toContain(idCard)
  })

  test('neither another tenant nor staff without the right reads or decides', async () => {
    const person = await candidate()
    const { id } = (await ask(person, 'name', '王·新')).body.data
    const stranger = await (await t.tenant()).staff('exam_admin')
    const reviewer = await tenant.staff('reviewer1')
    expect((await list(stranger)).total).toBe(0)
    expect((await stranger.get(`${path}/detail`, { query: { id } })).status).toBe(404)
    expect((await decide(stranger, id, 1)).status).toBe(404)
    expect((await reviewer.get(`${path}/list`)).status).toBe(403)
    expect((await reviewer.get(`${path}/detail`, { query: { id } })).status).toBe(403)
    expect((await decide(reviewer, id, 1)).status).toBe(403)
    // A candidate who sends a decision asks for a change, with nothing to change.
    expect(fieldsOf(await decide(person, id, 1))).toEqual(['field'])
    expect(await tenant.rows(sql`select state from verified_change where id = ${id}`)).toEqual([{ state: 'waiting' }])
  })

  test('it is taken back while it waits, by the candidate only', async () => {
    const [person, other] = [await candidate(), await candidate()]
    const { id } = (await ask(person, 'phone', numbers().phone)).body.data
    const remove = (by: Person) => by.post(`${path}/remove`, { json: { ids: id } })
    expect((await remove(other)).body).toMatchObject({ code: 2201 })
    expect((await remove(office)).status).toBe(403)
    expect((await remove(person)).body.data).toEqual({ removed: 1 })
    expect((await list(person)).total).toBe(0)
    expect((await decide(office, id, 1)).status).toBe(404)
    expect(await tenant.rows(sql`select new_sealed, is_deleted from verified_change where id = ${id}`)).toEqual([
      { new_sealed: null, is_deleted: true },
    ])
    expect((await ask(person, 'phone', numbers().phone)).status).toBe(200)
  })
})

describe('[S7.26] staff decide', () => {
  let exam: BuiltExam
  const signedUp = async (): Promise<{ person: Candidate; signupId: string }> => {
    const person = await candidate()
    const { body } = await submit(person, exam.examId, {
      content: answersOf(person.idCard, person.phone, { name: '王测' }),
      fileIds: await uploadAll(person),
    })
    return { person, signupId: body.data.id }
  }
  const signupOf = async (id: string) => {
    const [row] = await tenant.rows(sql<Record<string, unknown>>`
      select name, id_card_mask, phone_mask, sex, birthday::text as birthday, sign_version, content->>'name' as answer from signup where id = ${id}`)
    return row
  }
  beforeAll(async () => {
    exam = await buildExam(tenant)
  })

  test('a refusal needs its reason, changes nothing and is told', async () => {
    const { person, signupId } = await signedUp()
    const before = await signupOf(signupId)
    const { id } = (await ask(person, 'name', '王·新')).body.data
    expect(fieldsOf(await decide(office, id, 2))).toEqual(['remark'])
    expect((await decide(office, id, 2, '户口簿与申请不一致')).body.data).toMatchObject({
      id,
      state: 2,
      remark: '户口簿与申请不一致',
      checkUser: '周考务',
      checkTime: '2026-03-17 10:00:00',
    })
    expect(await signupOf(signupId)).toEqual(before)
    expect((await person.get('/blade-system/user/info')).body.data.realName).toBe('王测')
    expect(
      await tenant.rows(sql`select title_zh, title_en, content_zh, link from notify where event_key = ${`verified-change-${id}`}`),
    ).toEqual([
      {
        title_zh: '姓名变更申请被驳回',
        title_en: 'The change of your name was refused',
        content_zh: '户口簿与申请不一致',
        link: '/info/index',
      },
    ])
    expect(await list(person)).toMatchObject({ records: [{ state: 2, remark: '户口簿与申请不一致', checkUser: null }] })
    expect((await decide(office, id, 1)).body).toMatchObject({ code: 2201 })
    // The way is open for another one.
    expect((await ask(person, 'name', '王·新')).status).toBe(200)
  })

  test('an approved name is the name of the account, the open sign-up in a new version, and the public ticket', async () => {
    const { person, signupId } = await signedUp()
    const bystander = await signedUp()
    await tenant.db(db =>
      db.run(sql`
        insert into ticket (tenant_id, exam_id, item_id, signup_id, user_id, ticket_no, site_code, site_name, room_no, seat_no, start_time, end_time, ticket_state, released_at, qr_token, pdf_sha256)
        select ${tenant.tenantId}, ${exam.examId}, ${exam.papers['01']}, s.id, s.user_id, '26030101217' || row_number() over (), '01', '一中', '012', (10 + row_number() over ())::text, now(), now() + interval '1 hour',
          'released', now(), repeat(chr((96 + row_number() over ())::int), 43), repeat('0', 64)
        from signup s where s.id in (${signupId}, ${bystander.signupId})`),
    )
    const others = await signupOf(bystander.signupId)
    const { id } = (await ask(person, 'name', '欧阳·新')).body.data
    const pass = (who: Person) => who.post(`${path}/submit`, { json: { id, state: 1, document } })
    await pass(office)
    const answers = await Promise.all([pass(colleague), pass(colleague)])
    expect(answers.map(({ body }) => body.code).toSorted()).toEqual([200, 2201])

    expect((await person.get('/blade-system/user/info')).body.data.realName).toBe('欧阳·新')
    expect(await signupOf(signupId)).toMatchObject({ name: '欧阳·新', answer: '欧阳·新', sign_version: 2 })
    expect(
      await tenant.rows(sql`select sign_version, content->>'name' as name from signup_history where signup_id = ${signupId} order by 1`),
    ).toEqual([
      { sign_version: 1, name: '王测' },
      { sign_version: 2, name: '欧阳·新' },
    ])
    expect(await signupOf(bystander.signupId)).toEqual(others)
    const tickets = (of: string) =>
      tenant.rows(sql<object>`select pdf_version, version, pdf_sha256 is null as renewed, ticket_state from ticket where signup_id = ${of}`)
    expect(await tickets(signupId)).toEqual([{ pdf_version: 2, version: 1, renewed: true, ticket_state: 'released' }])
    expect(await tickets(bystander.signupId)).toEqual([{ pdf_version: 1, version: 0, renewed: false, ticket_state: 'released' }])
    expect(await auditOf(id)).toEqual([
      {
        action: 'verified-change.requested',
        userId: person.userId,
        before: { name: '王测' },
        after: { name: '欧阳·新' },
        reason: '登记有误',
      },
      {
        action: 'verified-change.passed',
        userId: colleague.userId,
        before: { state: 'waiting' },
        after: { state: 'passed', field: 'name', persons: ['周考务', '郑考务'] },
        reason: null,
      },
    ])
    expect((await auditOf(person.userId)).filter(({ action }) => action === 'account.verified-changed')).toEqual([
      {
        action: 'account.verified-changed',
        userId: colleague.userId,
        before: { name: '王测' },
        after: { name: '欧阳·新', request: id, signups: [signupId], tickets: 1 },
        reason: null,
      },
    ])
    expect(await tenant.rows(sql`select new_sealed from verified_change where id = ${id}`)).toEqual([{ new_sealed: null }])
  })

  test('an approved id card carries birthday and sex, stays sealed, and is free no longer', async () => {
    const { person, signupId } = await signedUp()
    const idCard = testIdCard(901, '19920302', 1)
    const { id } = (await ask(person, 'idCard', idCard)).body.data
    expect((await approve(id)).status).toBe(200)
    expect(await signupOf(signupId)).toMatchObject({ id_card_mask: `3301**********${idCard.slice(-4)}`, sex: 1, birthday: '1992-03-02' })
    const [row] = await tenant.rows(
      sql<{
        text: string
      }>`select to_jsonb(s)::text || (select to_jsonb(a)::text from account a where a.id = s.user_id) as text from signup s where id = ${signupId}`,
    )
    expect(row?.text).not.toContain(idCard)
    expect((await ask(await candidate(), 'idCard', idCard)).body).toMatchObject({ code: 2901 })
  })

  test('a number that somebody else registered meanwhile is refused at the decision, and everything stays', async () => {
    const { person, signupId } = await signedUp()
    const before = await signupOf(signupId)
    const { phone } = numbers()
    const { id } = (await ask(person, 'phone', phone)).body.data
    await tenant.candidate({ idCard: numbers().idCard, phone })
    expect((await approve(id)).body).toMatchObject({ code: 2902 })
    expect(await signupOf(signupId)).toEqual(before)
    expect(await tenant.rows(sql`select state, check_user_id from verified_change where id = ${id}`)).toEqual([
      { state: 'waiting', check_user_id: null },
    ])
  })

  test.each(['name', 'idCard', 'phone'])(
    '[two persons: verifiedChange] of %s: one person alone changes nothing, two nothing before the waiting time, and an objection stops it',
    async field => {
      const { person } = await signedUp()
      const value = field === 'name' ? '王·新' : field === 'idCard' ? numbers().idCard : numbers().phone
      const accountOf = async () =>
        (await tenant.rows(sql<object>`select real_name, id_card_mask, phone_mask from account where id = ${person.userId}`))[0]
      const before = await accountOf()
      t.clock.advance(61_000)
      const { id } = (await ask(person, field, value)).body.data
      const [sent] = await tenant.rows(sql<{ content: string; mask: string }>`
      select content, phone_mask as mask from sms_message where user_id = ${person.userId} and template = 'account-change' order by id desc limit 1`)
      await t.runTasks()
      expect(sent?.mask).toBe(`${person.phone.slice(0, 3)}****${person.phone.slice(7)}`)
      expect((await decide(office, id, 1)).body.data).toMatchObject({ state: 0, firstUser: '周考务', applyTime: null })
      expect((await decide(office, id, 1)).body.reason).toBe('kernel/two-persons-own')
      expect((await decide(colleague, id, 1)).body.data).toMatchObject({ state: 0, applyTime: expect.any(String) })
      await waitToObject(t, 23)
      expect(await accountOf()).toEqual(before)
      const url = new URL(/https?:\S+/.exec(sent?.content ?? '')?.[0] ?? 'http://nowhere/')
      const named = { code: url.pathname.slice('/o/'.length) }
      if (field === 'name')
        expect((await t.anonymous(tenant.tenantId).post('/blade-userappeal/userappeal/object', { json: named })).body.data).toEqual({
          ...{ kind: 'change', open: false, no: expect.stringMatching(/^\d+$/), time: expect.any(String) },
        })
      await waitToObject(t, 2)
      if (field === 'name') expect(await accountOf()).toEqual(before)
      else expect(await accountOf()).not.toEqual(before)
      expect((await list(office, { keyword: person.userId })).total).toBe(0)
      expect(await tenant.rows(sql`select state from verified_change where id = ${id}`)).toEqual([
        { state: field === 'name' ? 'refused' : 'passed' },
      ])
      // Whoever asked from the session that the owner did not ask from is out.
      if (field === 'name') expect((await person.get('/blade-system/user/info')).status).toBe(401)
    },
  )

  test('sign-ups of closed examinations and withdrawn ones keep what they said', async () => {
    const { person, signupId } = await signedUp()
    const before = await signupOf(signupId)
    await tenant.db(db => db.run(sql`update signup set examine = 'withdrawn' where id = ${signupId}`))
    const { id } = (await ask(person, 'name', '王·新')).body.data
    expect((await approve(id)).status).toBe(200)
    expect(await signupOf(signupId)).toEqual(before)
  })
})

describe('[19.18] a registered candidate does not find out who else is registered', () => {
  test('a phone is proven by its code before anything is said of it: a number of somebody and of nobody answer alike', async () => {
    const [person, other] = [await candidate(), await candidate()]
    const proofFileIds = await proofOf(person)
    const fresh = numbers().phone
    const tried = async (phone: string, code: object) => {
      const { status, body } = await person.post(`${path}/submit`, {
        json: { field: 'phone', value: seal(phone), reason: '换号', proofFileIds, ...code },
      })
      return [status, body.code, body.reason, body.msg, body.data?.fields]
    }
    const named = [{ field: 'smsCode', msg: '请获取并填写发送到新手机号码的短信验证码' }]
    for (const phone of [other.phone, fresh]) {
      expect(await tried(phone, {})).toEqual([400, 400, 'kernel/invalid-input', named[0]?.msg, named])
      expect((await tried(phone, { smsId: 'made-up', smsCode: testSms }))[2]).toBe('auth/sms-code-over')
      // A code sent to another number proves nothing about this one.
      t.clock.advance(61_000)
      expect((await tried(phone, await codeTo(person.phone)))[2]).toBe('auth/invalid-sms-code')
      t.clock.advance(16 * 60_000)
    }
    expect((await list(person)).total).toBe(0)
    expect((await tried(other.phone, await codeTo(other.phone)))[2]).toBe('auth/phone-taken')
    expect((await tried(fresh, await codeTo(fresh)))[0]).toBe(200)
  })

  test('that an id number is somebody else’s is said three times in 24 hours, each in the trail; then until when to wait', async () => {
    const [person, bystander, first, second] = [await candidate(), await candidate(), await candidate(), await candidate()]
    const said = async (value: string, by = person) => {
      const { status, body, headers } = await ask(by, 'idCard', value)
      return [status, body.reason, headers['retry-after'] ?? null, body.data?.appeal === undefined ? 'no appeal' : 'an appeal']
    }
    const taken = [409, 'auth/id-card-taken', null, 'an appeal']
    expect(await said(first.idCard)).toEqual(taken)
    t.clock.advance(3_600_000)
    expect(await said(second.idCard)).toEqual(taken)
    expect(await said(first.idCard)).toEqual(taken)
    // Neither a number of somebody nor one of nobody is told apart any more.
    const limited = [429, 'person/number-tries', String(23 * 3_600), 'no appeal']
    expect(await said(second.idCard)).toEqual(limited)
    expect(await said(numbers().idCard)).toEqual(limited)
    const { body } = await ask(person, 'idCard', second.idCard)
    const at = new Date(t.clock.now().getTime() + 23 * 3_600_000)
    expect(body.msg).toBe(
      `24 小时内已有 3 次填写的证件号码属于他人，请于 ${toWireTime(at)} 后再申请变更；号码确属本人的，请按此前给出的申诉入口提出申诉`,
    )
    expect(await said(first.idCard, bystander)).toEqual(taken)
    const mask = (number: string) => ({ idCard: `${number.slice(0, 4)}**********${number.slice(-4)}` })
    expect(
      (await auditOf(person.userId))
        .filter(line => line.action === 'verified-change.number-taken')
        .map(({ userId, after }) => [userId, after]),
    ).toEqual([first, second, first].map(one => [person.userId, mask(one.idCard)]))
    t.clock.advance(23 * 3_600_000)
    expect((await said(numbers().idCard))[0]).toBe(200)
  })
})
