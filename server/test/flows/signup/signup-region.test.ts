import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { startTestApp, type TestApp, testStart } from '../../support/app.ts'
import { buildExam } from '../../support/factories.ts'
import { decide, openReview } from '../../support/reviewing.ts'
import { answersOf, submit, uploadAll } from '../../support/signing.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())

const hangzhou = { province: '330000', city: '330100', area: '330106' }
const askedOfAll = [
  'name',
  'idCardType',
  'idCard',
  'sex',
  'birthday',
  'nation',
  'political',
  'phone',
  'education',
  'degree',
  'school',
  'major',
  'graduateDate',
  'hasRelative',
]
const without = Object.fromEntries(
  [...askedOfAll, 'adjust', 'certName', 'schoolCode', 'majorCode', 'educationType'].map(key => [key, 0 as const]),
)

/** An examination whose region means `regionLabel` and whose post B001 takes people of Hangzhou only. */
const world = async (regionLabel: string, items: Readonly<Record<string, 0 | 1>> = without) => {
  t.clock.set(testStart)
  const tenant = await t.tenant()
  const exam = await buildExam(tenant, { exam: { region_label: regionLabel }, items })
  await tenant.db(db => db.run(sql`update type_code set hukou = '{"text": "杭州市户籍", "prefixes": ["3301"]}' where code = 'B001'`))
  const person = { idCard: '330106199806301023', phone: '16000000001', realName: '王·测' }
  const candidate = await tenant.candidate(person)
  const fileIds = await uploadAll(candidate)
  const send = (place: Readonly<Record<string, string>>, answers: Readonly<Record<string, unknown>> = {}, signVersion = 0) =>
    submit(candidate, exam.examId, {
      content: answersOf(person.idCard, person.phone, answers),
      fileIds,
      signVersion,
      extra: place,
    })
  const form = async (language = 'zh') =>
    (
      await candidate.get('/blade-signup/signup/getExamInfoOrSignUpInfo', {
        query: { examId: exam.examId },
        headers: { 'accept-language': language },
      })
    ).body.data
  const stored = () => tenant.rows(sql<object>`select province, city, area from signup`)
  const hukou = () =>
    tenant.rows(
      sql<object>`select c->>'result' as result, c->'got'->>'zh' as got from signup, jsonb_array_elements(auto_check) c where c->>'rule' = 'hukou'`,
    )
  return { tenant, candidate, send, form, stored, hukou }
}

test('[S7.46][S7.47] the region of the first step is judged as household registration where it means that', async () => {
  const w = await world('户籍所在地')
  expect((await w.form()).asksRegion).toBe(true)
  expect([(await w.form()).exam.regionLabel, (await w.form('en')).exam.regionLabel]).toEqual(['户籍所在地', 'Registered household'])
  const elsewhere = await w.send({ province: '350000', city: '350200', area: '350203' })
  expect(elsewhere.body).toMatchObject({ code: 2105, data: { items: [{ rule: 'hukou', field: 'signup.region' }] } })
  expect((await w.send(hangzhou)).body).toMatchObject({ code: 200, data: { examine: 1 } })
  expect(await w.stored()).toEqual([hangzhou])
})

test('[S7.47] the place of the examination is not taken for the household registration: nobody is refused or passed by it', async () => {
  const w = await world('报考考区')
  const elsewhere = { province: '350000', city: '350200', area: '350203' }
  expect((await w.send(elsewhere)).body).toMatchObject({ code: 200, data: { examine: 1 } })
  expect(await w.stored()).toEqual([elsewhere])
  expect(await w.hukou()).toEqual([{ result: 'warn', got: '未填写' }])
})

test('[S7.46][S7.47] nobody is asked twice: a field of the form for the same place is the region, whatever is sent beside it', async () => {
  const w = await world('户籍所在地', { ...without, hukouAddress: 1 })
  expect((await w.form()).asksRegion).toBe(false)
  const answer = await w.send({ province: '350000', city: '350200', area: '350203' }, { hukouAddress: '330106' })
  expect(answer.body).toMatchObject({ code: 200, data: { examine: 1 } })
  expect(await w.stored()).toEqual([hangzhou])
  const reviewer = await w.tenant.staff('reviewer1')
  const shown = await reviewer.post('/blade-signup/examine/open', { json: { signUpId: answer.body.data.id } })
  expect([shown.body.data.regionLabel, shown.body.data.signup.content.hukouAddress]).toEqual([null, '330106'])
})

test('[S7.47][S7.49] a returned sign-up changes its region only where the reviewer asked for it', async () => {
  const w = await world('报考考区')
  const xiamen = { province: '350000', city: '350200', area: '350203' }
  const { id } = (await w.send(hangzhou)).body.data
  const reviewer = await w.tenant.staff('reviewer1')
  const { regionLabel, signup } = (await reviewer.post('/blade-signup/examine/open', { json: { signUpId: id } })).body.data
  expect([regionLabel, signup.area]).toEqual(['报考考区', hangzhou.area])
  const giveBack = async (key: string, signVersion: number) => {
    await openReview(reviewer, id)
    const advisementList = [{ kind: 'item', key, advice: '请核对' }]
    return decide(reviewer, id, { signVersion, examineResult: 2, examineResultRemark: '请核对', advisementList })
  }
  expect((await giveBack('major', 1)).body).toMatchObject({ data: { examine: 3 } })
  expect((await w.send(xiamen, { major: '助产学', majorCode: '' }, 1)).body).toMatchObject({
    reason: 'signup/locked-part',
    msg: expect.stringMatching(/报考考区(?!、)/),
  })
  expect(await w.stored()).toEqual([hangzhou])
  expect((await w.send(hangzhou, { major: '助产学', majorCode: '' }, 1)).body).toMatchObject({ data: { examine: 1 } })
  expect((await giveBack('signup.region', 2)).body).toMatchObject({ data: { examine: 3 } })
  expect((await w.send(xiamen, { major: '助产学', majorCode: '' }, 2)).body).toMatchObject({ data: { examine: 1 } })
  expect(await w.stored()).toEqual([xiamen])
})

test('[S7.47][S7.49] a region that a field of the form asks for is mended where that field was returned, and locked where another was', async () => {
  const w = await world('户籍所在地', { ...without, hukouAddress: 1 })
  const { id } = (await w.send({}, { hukouAddress: '330106' })).body.data
  const reviewer = await w.tenant.staff('reviewer1')
  const giveBack = async (key: string, signVersion: number) => {
    await openReview(reviewer, id)
    const advisementList = [{ kind: 'item', key, advice: '请核对' }]
    return decide(reviewer, id, { signVersion, examineResult: 2, examineResultRemark: '请核对', advisementList })
  }
  expect((await giveBack('major', 1)).body).toMatchObject({ data: { examine: 3 } })
  expect((await w.send({}, { hukouAddress: '330102' }, 1)).body).toMatchObject({
    reason: 'signup/locked-part',
    msg: '以下内容未要求修改，不能更改：户籍所在地',
  })
  expect((await w.send({}, { hukouAddress: '330106', major: '助产学', majorCode: '' }, 1)).body).toMatchObject({ data: { examine: 1 } })
  expect((await giveBack('hukouAddress', 2)).body).toMatchObject({ data: { examine: 3 } })
  expect((await w.send({}, { hukouAddress: '330102', major: '助产学', majorCode: '' }, 2)).body).toMatchObject({ data: { examine: 1 } })
  expect(await w.stored()).toEqual([{ province: '330000', city: '330100', area: '330102' }])
})

test('[S7.46] who says in the form that they accept a transfer is stored, listed and exported as such', async () => {
  const w = await world('报考考区')
  const isStored = async () => (await w.tenant.rows(sql<{ adjust: boolean }>`select adjust from signup`))[0]?.adjust
  expect((await w.send(hangzhou, { adjust: '1' })).body.code).toBe(200)
  expect(await isStored()).toBe(true)
  expect((await w.send(hangzhou, { adjust: '0' }, 1)).body.code).toBe(200)
  expect(await isStored()).toBe(false)
})
