import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { type Answer, type Person, startTestApp, type TestApp, type TestTenant, testSms, testStart } from '../../support/app.ts'
import { buildExam } from '../../support/factories.ts'
import { testIdCard } from '../../support/id-card.ts'
import { logInByPassword, sealFor } from '../../support/login.ts'
import { answersOf, submit, uploadAll } from '../../support/signing.ts'
import { document, waitToObject } from '../../support/two-persons.ts'

let t: TestApp
let tenant: TestTenant
let office: Person
let colleague: Person
beforeAll(async () => {
  t = await startTestApp()
})
beforeEach(async () => {
  tenant = await t.tenant()
  office = await tenant.staff('exam_admin', { realName: '周考务' })
  colleague = await tenant.staff('exam_admin', { realName: '郑考务' })
})
afterAll(() => t.close())

const path = '/blade-userappeal/userappeal'
const sealed = (plain: string): string => sealFor(t, plain)
const bytes = readFileSync(fileURLToPath(new URL('../../../seed/data/portraits/id-front-1.jpg', import.meta.url)))
const password = 'Sunny-river-2727'

let serial = 400
const numbers = () => {
  serial += 1
  return { idCard: testIdCard(serial), phone: `1608888${String(serial).padStart(4, '0')}` }
}
interface Someone extends Person {
  readonly idCard: string
  readonly phone: string
}
const someone = async (realName = '王测'): Promise<Someone> => {
  const own = numbers()
  return { ...(await tenant.candidate({ realName, ...own })), ...own }
}
const anyone = () => t.anonymous(tenant.tenantId)
const codeTo = async (phone: string): Promise<string> => {
  t.clock.advance(61_000)
  return (await anyone().post('/blade-auth/oauth/sms/send-validate', { form: { phone: sealed(phone) } })).body.data.id
}
const register = async (of: { idCard: string; phone: string }, name = '李测'): Promise<Answer> => {
  serial += 1
  const fields = {
    ...{ username: `newcomer${serial}`, password: sealed(password), password2: sealed(password), realName: name, phone: sealed(of.phone) },
    ...{ idCard: of.idCard, smsId: await codeTo(of.phone), smsCode: testSms, consent: '1' },
  }
  return anyone().post('/blade-system/user/register', { multipart: { fields } })
}
interface Place {
  readonly no: string
  readonly key: string
  readonly link: string
}
const send = ({ no, key }: Place, more: Record<string, string> = {}, files = [{ part: 'proof', name: '身份证.jpg', bytes }]) =>
  anyone().post(`${path}/send`, { multipart: { fields: { no, key, reason: '这是我本人的号码', ...more }, files } })
const stateOf = async ({ no, key }: Place) => (await anyone().get(`${path}/state`, { query: { no, key } })).body.data
const listed = async () => (await office.get(`${path}/list`, { query: { state: 1 } })).body.data.records
const idOf = async ({ no }: Place): Promise<string> => (await listed()).find((row: { no: string }) => row.no === no)?.id
const decideAs = async (who: Person, place: Place, state: 2 | 3, more: object = {}) =>
  who.post(`${path}/decide`, { json: { id: await idOf(place), state, ...more } })
const decide = (place: Place, state: 2 | 3, remark?: string) => decideAs(office, place, state, remark === undefined ? {} : { remark })
/** Two persons, one after the other, and the time in which the owner may object. */
const uphold = async (place: Place): Promise<Answer> => {
  await t.runTasks()
  await decide(place, 2)
  const answer = await decideAs(colleague, place, 2)
  await waitToObject(t)
  return answer
}
const accountOf = async ({ userId }: Person) =>
  (
    await tenant.rows(
      sql<object>`select real_name as name, phone_mask as phone, id_card_mask as "idCard", password_hash is null as "noPassword" from account where id = ${userId}`,
    )
  )[0]
const noticesOf = (userId: string) => tenant.rows(sql<object>`select title_zh as title from notify where user_id = ${userId} order by id`)
const actionsOf = (entityId: string) =>
  tenant.rows(
    sql<object>`select action, user_id::text as by from audit_log where entity_id = ${entityId} and action <> 'account.read' order by id`,
  )
const smsTo = (phone: string) =>
  tenant.rows(sql<object>`
    select template from sms_message where phone_mask = ${`${phone.slice(0, 3)}****${phone.slice(7)}`} and template like 'appeal%' order by id`)
const masked = (phone: string) => `${phone.slice(0, 3)}****${phone.slice(7)}`

describe('[19.2] whoever is refused because a number is taken can appeal', () => {
  test('a registration whose id number somebody has: the refusal names number and link and nothing of the other; upheld, the account is theirs', async () => {
    const before = await someone('李测')
    const me = { idCard: before.idCard, phone: numbers().phone }
    const refused = await register(me, '李测')
    const place: Place = refused.body.data.appeal
    expect([refused.status, refused.body.code, refused.body.msg]).toEqual([
      409,
      2901,
      `该证件号已注册。如果这是您本人的，请凭申诉编号 ${place.no} 申诉`,
    ])
    expect(place).toEqual({
      no: expect.stringMatching(/^SS[A-Z2-9]{8}$/),
      key: expect.any(String),
      link: `/register/appeal?no=${place.no}&key=${place.key}`,
    })
    expect(JSON.stringify(refused.body)).not.toContain(before.userId)
    // Asked again, it is the same appeal.
    expect((await register(me, '李测')).body.data.appeal).toEqual(place)
    expect(await stateOf(place)).toMatchObject({ kind: 'account', state: 0, phoneMask: masked(me.phone), needsName: false })

    expect((await send(place)).body.data).toMatchObject({ state: 1 })
    expect((await send(place)).body.reason).toBe('person/appeal-closed')
    const id = await idOf(place)
    const detail = (await office.get(`${path}/detail`, { query: { id } })).body.data
    expect(detail).toMatchObject({
      ...{ kind: 'account', realName: '李测', idCard: me.idCard, phoneMask: masked(me.phone), reason: '这是我本人的号码', signups: [] },
      ...{ holders: [{ userId: before.userId, realName: '李测', phoneMask: masked(before.phone) }], proofs: [{ name: '身份证.jpg' }] },
    })
    expect((await office.get(detail.proofs[0].link.replace('/api', ''))).status).toBe(200)

    expect((await uphold(place)).body.data).toMatchObject({ state: 1, firstUser: '周考务', applyTime: expect.any(String) })
    expect(await stateOf(place)).toMatchObject({ state: 2 })
    expect((await before.get('/blade-system/user/info')).status).toBe(401)
    expect(await accountOf(before)).toMatchObject({ name: '李测', phone: masked(me.phone), noPassword: true })
    expect(await actionsOf(before.userId)).toEqual([{ action: 'account.handed-over', by: '0' }])
    expect((await actionsOf(id)).at(-1)).toEqual({ action: 'appeal.upheld', by: '0' })
    expect(await smsTo(me.phone)).toEqual([{ template: 'appeal-upheld' }])
    const reset = await anyone().post('/blade-system/user/reset-by-sms', {
      json: {
        ...{ phone: sealed(me.phone), idCard: sealed(me.idCard), smsId: await codeTo(me.phone), smsCode: testSms },
        ...{ password: sealed(password), password2: sealed(password) },
      },
    })
    expect(reset.status).toBe(200)
    expect((await logInByPassword(t, tenant.tenantId, me.phone, password)).status).toBe(200)
  })

  test('a number registered under another name: that account is handed to nobody, it gives the number up and the person registers', async () => {
    const thief = await someone('盗用')
    const me = { idCard: thief.idCard, phone: numbers().phone }
    const place: Place = (await register(me, '李测')).body.data.appeal
    await send(place)
    await uphold(place)
    expect(await accountOf(thief)).toMatchObject({ name: '盗用', phone: masked(thief.phone), idCard: null })
    expect((await thief.get('/blade-system/user/info')).status).toBe(401)
    expect((await register(me, '李测')).status).toBe(200)
  })

  test('a registration whose phone somebody has: upheld, the other gives it up and is told, and the person registers', async () => {
    const before = await someone()
    const me = { idCard: numbers().idCard, phone: before.phone }
    const refused = await register(me)
    expect([refused.status, refused.body.code]).toEqual([409, 2902])
    const place: Place = refused.body.data.appeal
    await send(place)
    expect((await uphold(place)).status).toBe(200)
    expect(await accountOf(before)).toMatchObject({ name: '王测', phone: null })
    expect(await noticesOf(before.userId)).toEqual([{ title: '有人申请变更您的账号' }, { title: '手机号码已解除绑定' }])
    expect(await actionsOf(before.userId)).toEqual([{ action: 'account.phone-released', by: '0' }])
    expect((await register(me)).status).toBe(200)
  })

  test('a sign-up whose id number another sign-up holds: upheld, that one is taken back with its place, and mine is taken', async () => {
    t.clock.set(testStart)
    const exam = await buildExam(tenant)
    const [thief, me] = [await someone(), await someone('李测')]
    const form = (person: Someone, name: string) => answersOf(person.idCard, person.phone, { name })
    const stolen = await submit(thief, exam.examId, { content: form(thief, '王测'), fileIds: await uploadAll(thief) })
    const index = t.app.services.cipher.blindIndex(tenant.tenantId, 'id-card', me.idCard)
    await tenant.db(db => db.run(sql`update signup set id_card_index = ${index} where id = ${stolen.body.data.id}`))
    const own = { content: form(me, '李测'), fileIds: await uploadAll(me) }
    const refused = await submit(me, exam.examId, own)
    const place: Place = refused.body.data.appeal
    expect([refused.status, refused.body.code, refused.body.msg]).toEqual([
      409,
      2104,
      `该证件号已报名本次考试。如果这是您本人的，请凭申诉编号 ${place.no} 申诉`,
    ])
    await send(place)
    const id = await idOf(place)
    expect((await office.get(`${path}/detail`, { query: { id } })).body.data).toMatchObject({
      kind: 'number',
      holders: [],
      signups: [{ signNo: stolen.body.data.signNo, realName: '王测' }],
    })
    for (const who of [office, colleague]) expect((await decideAs(who, place, 2, { document })).status).toBe(200)
    expect(
      await tenant.rows(
        sql`select examine from signup where id = ${stolen.body.data.id} union all select used_sign::text from type_code where exam_id = ${exam.examId} and code = 'B001'`,
      ),
    ).toEqual([{ examine: 'withdrawn' }, { examine: '0' }])
    expect((await noticesOf(thief.userId)).at(-1)).toEqual({ title: '报名已被撤回' })
    expect((await submit(me, exam.examId, own)).status).toBe(200)
  })

  test('a change to an id number that another account has: upheld, the other account gives it up, and the change can be asked for', async () => {
    const [holder, me] = [await someone(), await someone('李测')]
    const upload = await me.post('/file/upload', {
      multipart: { fields: { purpose: 'image' }, files: [{ part: 'file', name: 'a.jpg', bytes }] },
    })
    const ask = () =>
      me.post('/blade-userupdateinfo/userupdateinfo/submit', {
        json: { field: 'idCard', value: sealed(holder.idCard), reason: '登记有误', proofFileIds: upload.body.data.fileId },
      })
    const refused = await ask()
    expect([refused.status, refused.body.code]).toEqual([409, 2901])
    await send(refused.body.data.appeal)
    expect((await uphold(refused.body.data.appeal)).status).toBe(200)
    expect(await accountOf(holder)).toMatchObject({ idCard: null, phone: masked(holder.phone) })
    expect((await holder.get('/blade-system/user/info')).status).toBe(401)
    expect((await ask()).status).toBe(200)
  })

  test('what is missing is named; a wrong key, an appeal not sent and one decided on open nothing; a refusal is told', async () => {
    const holder = await someone()
    const place: Place = (await register({ idCard: holder.idCard, phone: numbers().phone })).body.data.appeal
    const other: Place = (await register({ idCard: holder.idCard, phone: numbers().phone })).body.data.appeal
    const field = async (answer: Promise<Answer>) => (await answer).body.data.fields[0].field
    expect([await field(send(place, { reason: ' ' })), await field(send(place, {}, []))]).toEqual(['reason', 'proof'])
    for (const wrong of [
      { ...place, key: other.key },
      { ...place, key: 'x' },
      { ...place, no: 'SSAAAAAAAA' },
    ])
      expect([
        (await send(wrong)).status,
        (await anyone().get(`${path}/state`, { query: { no: wrong.no, key: wrong.key } })).status,
      ]).toEqual([404, 404])
    const rows = await tenant.rows(sql<{ id: string }>`select id::text as id from identity_appeal where appeal_no = ${place.no}`)
    const unsent = rows[0]?.id ?? ''
    expect((await office.get(`${path}/detail`, { query: { id: unsent } })).status).toBe(404)
    expect((await office.post(`${path}/decide`, { json: { id: unsent, state: 2 } })).status).toBe(404)
    await send(place)
    expect((await decide(place, 3)).body.data.fields[0].field).toBe('remark')
    expect((await decide(place, 3, '证件照片看不清')).status).toBe(200)
    expect(await stateOf(place)).toMatchObject({ state: 3, remark: '证件照片看不清' })
    expect((await office.post(`${path}/decide`, { json: { id: unsent, state: 2 } })).body.reason).toBe('person/appeal-closed')
    expect(await accountOf(holder)).toMatchObject({ name: '王测', phone: masked(holder.phone), noPassword: true })
    expect((await holder.get('/blade-system/user/info')).status).toBe(200)
  })
})

describe('[19.7] a lost phone', () => {
  const begin = async (idCard: string, phone: string, more: object = {}) =>
    anyone().post(`${path}/lostPhone`, {
      json: { realName: '王测', idCard: sealed(idCard), phone: sealed(phone), smsId: await codeTo(phone), smsCode: testSms, ...more },
    })

  test('the request is answered alike whoever has an account; upheld, the account takes the new phone and its password is chosen anew', async () => {
    const person = await someone()
    const fresh = numbers().phone
    const begun = await begin(person.idCard, fresh)
    const nobody = await begin(numbers().idCard, numbers().phone)
    const shapeOf = ({ status, body }: Answer) => [status, Object.keys(body.data), body.msg]
    expect(shapeOf(begun)).toEqual(shapeOf(nobody))
    await send(begun.body.data)
    await send(nobody.body.data)
    expect((await decide(nobody.body.data, 2)).body.reason).toBe('person/appeal-nobody')
    expect((await uphold(begun.body.data)).status).toBe(200)
    expect(await accountOf(person)).toMatchObject({ name: '王测', phone: masked(fresh), noPassword: true })
    expect((await person.get('/blade-system/user/info')).status).toBe(401)
    expect(await noticesOf(person.userId)).toEqual([{ title: '有人申请变更您的账号' }, { title: '身份申诉已通过' }])
    const reset = await anyone().post('/blade-system/user/reset-by-sms', {
      json: {
        ...{ phone: sealed(fresh), idCard: sealed(person.idCard), smsId: await codeTo(fresh), smsCode: testSms },
        ...{ password: sealed(password), password2: sealed(password) },
      },
    })
    expect(reset.status).toBe(200)
  })

  const linkOf = async (phone: string): Promise<{ code: string; address: string }> => {
    const [sent] = await tenant.rows(sql<{ content: string }>`
      select content from sms_message where phone_mask = ${masked(phone)} and template = 'account-change' order by id desc limit 1`)
    const address = /https?:\S+/.exec(sent?.content ?? '')?.[0] ?? 'http://nowhere/'
    const { origin, pathname } = new URL(address)
    return { code: pathname.slice(3), address: `${origin}${pathname.slice(0, 3)}` }
  }
  const objection = ({ code }: { code: string }) => anyone().post(`${path}/objection`, { json: { code } })
  const object = ({ code }: { code: string }) => anyone().post(`${path}/object`, { json: { code } })

  test('another name is nobody’s account: it is refused to whoever would agree, and nothing of the account changes', async () => {
    const victim = await someone('王测')
    const begun = await begin(victim.idCard, numbers().phone, { realName: '李盗' })
    await send(begun.body.data)
    for (const who of [office, colleague]) {
      const answer = await decideAs(who, begun.body.data, 2, { document })
      expect([answer.status, answer.body.reason]).toEqual([409, 'person/appeal-name'])
    }
    expect(await accountOf(victim)).toMatchObject({ name: '王测', phone: masked(victim.phone) })
    expect((await victim.get('/blade-system/user/info')).status).toBe(200)
  })

  test('[two persons: appeal] the old phone hears of it when it is sent; one person alone changes nothing, two nothing before the waiting time', async () => {
    const victim = await someone('王测')
    const fresh = numbers().phone
    const place = (await begin(victim.idCard, fresh)).body.data
    await send(place)
    // Before anybody has decided.
    expect((await linkOf(victim.phone)).address).toBe('http://localhost:7300/o/')
    await t.runTasks()
    expect(await noticesOf(victim.userId)).toEqual([{ title: '有人申请变更您的账号' }])
    const stays = async () => {
      expect(await accountOf(victim)).toMatchObject({ name: '王测', phone: masked(victim.phone) })
      expect((await victim.get('/blade-system/user/info')).status).toBe(200)
    }
    expect((await decide(place, 2)).body.data).toMatchObject({ state: 1, firstUser: '周考务', applyTime: null })
    const again = await decide(place, 2)
    expect([again.status, again.body.reason]).toEqual([409, 'kernel/two-persons-own'])
    await stays()
    expect((await decideAs(colleague, place, 2)).body.data).toMatchObject({ state: 1, applyTime: expect.any(String) })
    expect((await decideAs(colleague, place, 2)).body.reason).toBe('kernel/two-persons-waits')
    await t.runTasks()
    await waitToObject(t, 23)
    await stays()
    await waitToObject(t, 1)
    expect(await accountOf(victim)).toMatchObject({ name: '王测', phone: masked(fresh), noPassword: true })
    expect(await tenant.rows(sql`select state, began_name, second_name, end_reason from two_person_act where kind = 'appeal'`)).toEqual([
      { state: 'done', began_name: '周考务', second_name: '郑考务', end_reason: null },
    ])
  })

  test('whoever has the phone objects by what was sent to it: it stops at once, also after two have agreed; a guessed key opens nothing', async () => {
    const victim = await someone('王测')
    const place = (await begin(victim.idCard, numbers().phone)).body.data
    await send(place)
    await t.runTasks()
    for (const who of [office, colleague]) await decideAs(who, place, 2)
    const link = await linkOf(victim.phone)
    expect((await object({ code: `${link.code.slice(0, 1)}${'a'.repeat(9)}${link.code.slice(10)}` })).status).toBe(404)
    expect((await objection(link)).body.data).toEqual({ kind: 'appeal', open: true })
    const stopped = (await object(link)).body.data
    // The owner can name it later: the number of what was stopped and when the objection came in.
    expect(stopped).toEqual({
      kind: 'appeal',
      open: false,
      no: expect.stringMatching(/^\d+$/),
      time: expect.stringMatching(/^2\d{3}-\d\d-\d\d \d\d:\d\d/),
    })
    expect(
      await tenant.rows(sql`select entity_id::text as no from audit_log where action = 'appeal.objected' and entity_id = ${stopped.no}`),
    ).toHaveLength(1)
    expect((await object(link)).body.reason).toBe('person/objection-closed')
    await waitToObject(t, 48)
    expect(await accountOf(victim)).toMatchObject({ name: '王测', phone: masked(victim.phone) })
    expect((await victim.get('/blade-system/user/info')).status).toBe(200)
    expect(await stateOf(place)).toMatchObject({ state: 3, remark: '账号现在的使用者提出反对，请持有效证件原件到现场办理' })
    expect((await noticesOf(colleague.userId)).at(-1)).toEqual({ title: '账号变更被本人反对，已停止' })
  })

  test('who shows a document to both waits for nothing, and the record says which; both have to name the same', async () => {
    const person = await someone('王测')
    const fresh = numbers().phone
    const place = (await begin(person.idCard, fresh)).body.data
    await send(place)
    await decideAs(office, place, 2, { document })
    expect((await decideAs(colleague, place, 2)).body.reason).toBe('kernel/two-persons-other')
    expect((await decideAs(colleague, place, 2, { document })).body.data).toMatchObject({ state: 2 })
    expect(await accountOf(person)).toMatchObject({ phone: masked(fresh) })
    expect(await tenant.rows(sql`select document, state from two_person_act where kind = 'appeal'`)).toEqual([{ document, state: 'done' }])
  })

  test('a wrong code and what is typed wrong are refused, and the code is spent under the counter of logins', async () => {
    const person = await someone()
    expect((await begin(person.idCard, person.phone, { smsCode: '000001' })).body.reason).toBe('auth/invalid-sms-code')
    expect((await begin('330106199806301024', numbers().phone)).body.data.fields[0].field).toBe('idCard')
    expect((await begin(person.idCard, numbers().phone, { realName: '王' })).body.data.fields[0].field).toBe('realName')
    expect(await tenant.rows(sql`select result from login_log where user_id = ${person.userId}`)).toEqual([
      { result: 'auth/invalid-sms-code' },
    ])
  })
})
