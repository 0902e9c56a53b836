import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { type Person, startTestApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { type BuiltExam, buildExam, type ExamOverrides } from '../../support/factories.ts'
import { testIdCard } from '../../support/id-card.ts'
import { beginPayments, emulatorOf, moneyOf, openCode, runTask } from '../../support/pay.ts'
import { decide, openReview } from '../../support/reviewing.ts'
import { createSerial } from '../../support/serial.ts'
import { insertSignups } from '../../support/sign-up-rows.ts'
import { answersOf, submit, upload, uploadAll } from '../../support/signing.ts'
import { waitingFor } from '../../support/to-dos.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())
beforeEach(() => beginPayments(t))

const approval = readFileSync(fileURLToPath(new URL('../../../seed/data/portraits/diploma.jpg', import.meta.url)))
const signupCalls = '/blade-signup/signup'
const nextSerial = createSerial()
/** After payments and reviews of HZ2026A have ended, and within the window of the tests. */
const decided = '2026-03-22T18:00:00+08:00'
const window = { choiceBegin: '2026-03-22 18:00:00', choiceEnd: '2026-03-24 17:00:00' }
const choiceOver = '2026-03-24T17:00:00+08:00'

interface Scene {
  readonly tenant: TestTenant
  readonly exam: BuiltExam
  readonly officer: Person
}
const scene = async (overrides: ExamOverrides = {}): Promise<Scene> => {
  const tenant = await t.tenant()
  return { tenant, exam: await buildExam(tenant, overrides), officer: await tenant.staff('exam_admin', { realName: '考务丁' }) }
}
interface Someone {
  readonly person: Person
  readonly id: string
  readonly payId: string
}
/** Somebody who has signed up for a post and waits for a reviewer. */
const signedUp = async ({ tenant, exam }: Scene, code: string, form: Readonly<Record<string, unknown>> = {}): Promise<Someone> => {
  const serial = nextSerial()
  const [idCard, phone] = [testIdCard(500 + serial), `161${String(serial).padStart(8, '0')}`]
  const person = await tenant.candidate({ idCard, phone })
  const { code2, ...answers } = form
  const { body, status } = await submit(person, exam.examId, {
    code,
    content: answersOf(idCard, phone, { name: '王测', adjust: '0', ...answers }),
    fileIds: await uploadAll(person),
    ...(code2 === undefined ? {} : { extra: { code2 } }),
  })
  if (status !== 200) throw new Error(JSON.stringify(body))
  return { person, id: body.data.id, payId: '' }
}
/** The same, passed; the fee is owed. */
const passed = async (of: Scene, code: string, form: Readonly<Record<string, unknown>> = {}): Promise<Someone> => {
  const { person, id } = await signedUp(of, code, form)
  const payId = await of.tenant.db(async db => {
    await db.run(sql`update signup set examine = 'passed' where id = ${id}`)
    const state = await t.app.modules.pay.openDues(db, id)
    await db.run(sql`update signup set pay_state = ${state} where id = ${id}`)
    return (await db.maybe(sql<{ id: string }>`select id::text as id from exam_pay where signup_id = ${id}`))?.id ?? ''
  })
  return { person, id, payId }
}
const paid = async (of: Scene, code: string, form: Readonly<Record<string, unknown>> = {}): Promise<Someone> => {
  const someone = await passed(of, code, form)
  await payFor(someone)
  return someone
}
const payFor = async ({ person, payId }: Pick<Someone, 'person' | 'payId'>): Promise<void> => {
  const { codeUrl } = await openCode(person, payId)
  const { emulator } = await emulatorOf(t)
  await emulator.payAsPerson(codeUrl)
  await emulator.runDue()
}
/** Lets background work run and the provider tell what became of refunds. */
const settle = async (): Promise<void> => {
  await t.runTasks()
  t.clock.advance(3_000)
  await (await emulatorOf(t)).emulator.runDue()
  await t.runTasks()
}

const list = async ({ officer, exam }: Scene, all = 0) =>
  (await officer.get(`${signupCalls}/getPostReductionList`, { query: { examId: exam.examId, all } })).body.data
const save = (who: Person, exam: BuiltExam, rows: readonly object[], extra: object = {}) =>
  who.post(`${signupCalls}/savePostReductionInfoByExamId`, { json: { examId: exam.examId, rows, ...extra } })
const cancel = (code: string, more: object = {}) => ({ code, action: 2, afterNum: 0, reason: '未达到开考比例', ...more })
const publish = (of: Scene, rows: readonly object[]) => save(of.officer, of.exam, rows, { ...window, publish: 1 })
const info = async (who: Person, id: string) =>
  (await who.get(`${signupCalls}/getPostReductionInfo`, { query: { signupId: id } })).body.data
const choose = (who: Person, id: string, choice: 1 | 2, toCode?: string) =>
  who.post(`${signupCalls}/savePostReductionInfo`, { json: { signupId: id, choice, ...(toCode === undefined ? {} : { toCode }) } })
const join = ({ officer }: Scene, reductionId: string, ...signupIds: string[]) =>
  officer.post(`${signupCalls}/joinPostReductionNameList`, { json: { reductionId, signupIds } })
const names = async ({ officer, exam }: Scene) =>
  (await officer.get(`${signupCalls}/postReductionNamePage`, { query: { examId: exam.examId, size: 50 } })).body.data.records
const endChoices = async (): Promise<void> => {
  const processor = t.app.modules.processors.find(one => one.name === 'reduction.close')
  if (!processor) throw new Error('nobody ends the choices')
  await processor.run({
    ...{ tenantId: '000000', params: '', item: undefined, attempt: 1, now: t.clock.now() },
    ...{ signal: new AbortController().signal, log: () => {} },
  })
}
const stateOf = async ({ tenant }: Scene, id: string) =>
  (
    await tenant.rows(sql<object>`
      select examine, code, reduction_state as reduction, pay_state as pay from signup where id = ${id}`)
  )[0]
const lineOf = async ({ tenant }: Scene, id: string) =>
  (
    await tenant.rows(
      sql<object>`select choice, state, to_code as "to", join_way as way from reduction_name where signup_id = ${id} order by id`,
    )
  )[0]
const postsOf = async ({ tenant }: Scene) =>
  tenant.rows(sql<object>`select code, cur_num as num, post_state as state, used_sign as used from type_code order by code`)
const noticesTo = ({ tenant }: Scene, { person }: Someone) =>
  tenant
    .rows(
      sql<{
        title: string
        sure: boolean
      }>`select title_zh as title, need_sure as sure from notify where user_id = ${person.userId} and kind = 5 order by id`,
    )
    .then(rows => rows.map(row => (row.sure ? `${row.title} !` : row.title)))
const smsTo = ({ tenant }: Scene, { person }: Someone) =>
  tenant
    .rows(sql<{ template: string }>`select template from sms_message where user_id = ${person.userId} order by id`)
    .then(rows => rows.map(row => row.template))
const review = async (of: Scene, id: string, results: readonly (1 | 3)[]): Promise<unknown[]> => {
  const said: unknown[] = []
  for (const [at, examineResult] of results.entries()) {
    const reviewer = await of.tenant.staff(at === 0 ? 'reviewer1' : 'reviewer2')
    const signVersion = (await openReview(reviewer, id)).body.data.signup.signVersion
    const remark = examineResult === 3 ? { examineResultRemark: '不符合岗位要求' } : {}
    said.push((await decide(reviewer, id, { examineResult, signVersion, ...remark })).body.data.examine)
  }
  return said
}
/** Rows of another tenant with the same examination, which nothing here may touch. */
const neighbour = async () => {
  const of = await scene()
  const [one] = await insertSignups(of.tenant, of.exam.examId, [{ code: 'A001', type: 'A', unit: 'H01', payState: 'paid' }])
  const before = JSON.stringify([await postsOf(of), await of.tenant.rows(sql<object>`select * from signup`)])
  return async () =>
    expect([
      JSON.stringify([await postsOf(of), await of.tenant.rows(sql<object>`select * from signup`)]) === before,
      await of.tenant.rows(sql<object>`select id from reduction_name`),
      await of.tenant.rows(sql<object>`select id from notify where user_id = ${one?.userId ?? '0'}`),
    ]).toEqual([true, [], []])
}

describe('a post is cancelled after payment (domain 11, scenario 11)', () => {
  test('[S7.46][S7.47] A001 has 2 places and 2 paid people: both are on the list and told; one moves, one gets the money, one who never answers is refunded', async () => {
    const of = await scene()
    const untouched = await neighbour()
    const mover = await paid(of, 'A001')
    const leaver = await paid(of, 'A001')
    const silent = await passed(of, 'A001')
    // While people still pay and are reviewed the numbers are a forecast, with those who may still come to count.
    const ofPost = async () => {
      const { canDecide, hasBegun, unreviewed, posts } = await list(of)
      const { valid, pending, proposal } = posts.find((post: { code: string }) => post.code === 'A001')
      return { canDecide, hasBegun, unreviewed, valid, pending, proposal }
    }
    const early = { canDecide: false, hasBegun: false, unreviewed: 0, valid: 2, pending: 1, proposal: 2 }
    expect(await ofPost()).toEqual(early)
    const waits = () => waitingFor(of.officer, of.exam.examId, 'reductions')
    expect(await waits()).toEqual([0, undefined])
    await of.tenant.rows(sql`update signup set examine = 'waiting' where id = ${silent.id}`)
    expect(await ofPost()).toEqual({ ...early, unreviewed: 1 })
    await of.tenant.rows(sql`update signup set examine = 'passed' where id = ${silent.id}`)
    // The third pays in the last minute, and it is told so late that the fee has lapsed meanwhile.
    t.clock.set('2026-03-22T16:55:00+08:00')
    await (await emulatorOf(t)).emulator.payAsPerson((await openCode(silent.person, silent.payId)).codeUrl)
    t.clock.set(decided)
    await runTask(t, 'pay.lapse', { tenantId: of.tenant.tenantId, payId: silent.payId })
    expect(await stateOf(of, silent.id)).toMatchObject({ pay: 'overdue' })
    const shown = await list(of)
    expect(shown).toMatchObject({ canDecide: true, hasBegun: false, unreviewed: 0, decidesFrom: '2026-03-22 17:00:00', ratioBasis: 2 })
    expect(shown.posts.find((post: { code: string }) => post.code === 'A001')).toMatchObject({
      ...{ planNum: 2, curNum: 2, ratio: 3, valid: 2, proposal: 2, proposedNum: 0, decision: null },
    })

    // All three posts are below the ratio: work for whoever decides, until it is published or kept. A draft waits too.
    expect([await waits(), await waitingFor(await of.tenant.staff('finance'), of.exam.examId, 'reductions')]).toEqual([
      [3, 3],
      [undefined, undefined],
    ])
    expect((await save(of.officer, of.exam, [cancel('A001', { toCodes: ['A002'] })])).body.data).toMatchObject({ saved: 1, published: 0 })
    expect(await waits()).toEqual([3, 3])
    expect((await publish(of, [cancel('A001', { toCodes: ['A002'] })])).body.data).toEqual({ saved: 1, published: 1, joined: 2, told: 3 })
    expect(await waits()).toEqual([2, 2])
    expect(await postsOf(of)).toEqual([
      { code: 'A001', num: 0, state: 2, used: 3 },
      { code: 'A002', num: 1, state: 3, used: 0 },
      { code: 'B001', num: 4, state: 0, used: 0 },
    ])
    await t.runTasks()
    for (const one of [mover, leaver]) {
      expect(await stateOf(of, one.id)).toEqual({ examine: 'passed', code: 'A001', reduction: 1, pay: 'paid' })
      expect(await noticesTo(of, one)).toEqual(['所报岗位已取消，请改报或退费 !'])
      expect(await smsTo(of, one)).toContain('post-cancelled')
    }
    await settle()
    expect(await stateOf(of, silent.id)).toEqual({ examine: 'passed', code: 'A001', reduction: 0, pay: 'paid' })
    const { id: reductionId } = (await list(of)).posts.find((post: { code: string }) => post.code === 'A001').decision
    expect((await join(of, reductionId, silent.id, mover.id)).body.data).toEqual({
      joined: 1,
      ignored: [{ signupId: mover.id, reason: '已在名单中' }],
    })

    const asked = await info(mover.person, mover.id)
    expect(asked).toMatchObject({
      reduction: { action: 2, code: 'A001', codeName: '内科医师', unitName: '区人民医院', reason: '未达到开考比例' },
      row: { choice: 0, state: 0, toCode: null },
      ...{ refundAmount: 10_000, choiceBegin: '2026-03-22 18:00:00', choiceEnd: '2026-03-24 17:00:00', canChoose: true, reason: null },
    })
    expect(asked.targets).toEqual([
      expect.objectContaining({ code: 'A002', isRecommended: true, match: 'ok', checks: [], feeDifference: 0 }),
      expect.objectContaining({ code: 'B001', isRecommended: false, match: 'ok' }),
    ])
    expect((await choose(mover.person, mover.id, 1, 'A002')).body.data).toEqual({ choice: 1, state: 1, examine: 1, toCode: 'A002' })
    expect(await stateOf(of, mover.id)).toEqual({ examine: 'waiting', code: 'A002', reduction: 2, pay: 'paid' })
    expect(await review(of, mover.id, [1, 1])).toEqual([2, 5])
    expect(await stateOf(of, mover.id)).toEqual({ examine: 'passed', code: 'A002', reduction: 3, pay: 'paid' })
    expect(await moneyOf(of.tenant, mover.payId)).toMatchObject({ due: { state: 'paid', paid: 10_000, refunded: 0 }, refunds: [] })

    expect((await choose(leaver.person, leaver.id, 2)).body.data).toEqual({ choice: 2, state: 3, examine: 6, toCode: null })
    await settle()
    expect(await stateOf(of, leaver.id)).toEqual({ examine: 'withdrawn', code: 'A001', reduction: 4, pay: 'refunded' })
    expect(await moneyOf(of.tenant, leaver.payId)).toMatchObject({
      due: { state: 'refunded', paid: 10_000, refunded: 10_000 },
      refunds: [{ state: 'succeeded', reason: 'postCancelled', fen: 10_000 }],
    })
    expect(await lineOf(of, leaver.id)).toEqual({ choice: 'refund', state: 'done', to: null, way: 1 })

    t.clock.set(choiceOver)
    await endChoices()
    expect(await lineOf(of, silent.id)).toEqual({ choice: 'none', state: 'open', to: null, way: 2 })
    t.clock.advance(60_000)
    await endChoices()
    expect(await stateOf(of, silent.id)).toMatchObject({ examine: 'withdrawn', reduction: 5 })
    await settle()
    await endChoices()
    expect(await stateOf(of, silent.id)).toEqual({ examine: 'withdrawn', code: 'A001', reduction: 4, pay: 'refunded' })
    expect(await lineOf(of, silent.id)).toEqual({ choice: 'late', state: 'done', to: null, way: 2 })
    expect(await postsOf(of)).toEqual([
      { code: 'A001', num: 0, state: 2, used: 0 },
      { code: 'A002', num: 1, state: 3, used: 1 },
      { code: 'B001', num: 4, state: 0, used: 0 },
    ])
    expect((await list(of)).posts[0].decision).toMatchObject({ action: 2, validCount: 2, state: 2, people: 3, waiting: 0 })
    expect(
      (await names(of)).map((row: Record<string, unknown>) => [
        row['fromCode'],
        row['choice'],
        row['toCode'],
        row['state'],
        row['payState'],
      ]),
    ).toEqual([
      ['A001', 3, null, 2, 4],
      ['A001', 2, null, 2, 4],
      ['A001', 1, 'A002', 2, 2],
    ])
    expect(
      await of.tenant.rows(
        sql<object>`select action, reason from audit_log where action like 'reduction.%' or action like 'transfer.%' order by id`,
      ),
    ).toEqual([
      { action: 'reduction.drafted', reason: '未达到开考比例' },
      { action: 'reduction.published', reason: '未达到开考比例' },
      { action: 'transfer.joined', reason: null },
      { action: 'transfer.chosen', reason: null },
      { action: 'transfer.settled', reason: null },
      { action: 'transfer.chosen', reason: null },
      { action: 'transfer.settled', reason: null },
      { action: 'transfer.lapsed', reason: null },
      { action: 'reduction.ended', reason: null },
      { action: 'transfer.settled', reason: null },
    ])
    await untouched()
  })
})

describe('a post is reduced, not cancelled (scenario 12)', () => {
  test('[S7.47] B001 has 4 places and 10 valid people: 3 are proposed; nobody moves; 3 is shown; 10 are told and asked to confirm', async () => {
    const of = await scene()
    const untouched = await neighbour()
    const people = await insertSignups(
      of.tenant,
      of.exam.examId,
      Array.from({ length: 12 }, (_, at) => ({
        ...{ code: 'B001', type: 'B', unit: 'H01' },
        ...(at < 10 ? { payState: 'paid' } : at === 10 ? { examine: 'refused' } : { payState: 'refunded' }),
      })),
    )
    t.clock.set(decided)
    const [post] = (await list(of)).posts.filter((one: { code: string }) => one.code === 'B001')
    expect(post).toMatchObject({ curNum: 4, ratio: 3, valid: 10, proposal: 1, proposedNum: 3 })
    const answer = await publish(of, [{ code: 'B001', action: 1, afterNum: 3, reason: '未达到开考比例' }])
    expect(answer.body.data).toEqual({ saved: 1, published: 1, joined: 0, told: 10 })
    expect(await of.tenant.rows(sql<object>`select id from reduction_name`)).toEqual([])
    const [shown] = (await list(of)).posts.filter((one: { code: string }) => one.code === 'B001')
    expect(shown).toMatchObject({
      planNum: 4,
      curNum: 3,
      postState: 1,
      proposal: 0,
      decision: { action: 1, beforeNum: 4, afterNum: 3, validCount: 10 },
    })
    const told = await of.tenant.rows(
      sql<object>`select title_zh as title, need_sure as sure, count(*)::int as n from notify where kind = 5 group by 1, 2`,
    )
    expect(told).toEqual([{ title: '所报岗位计划调整', sure: true, n: 10 }])
    expect(
      await of.tenant.rows(
        sql<object>`select distinct examine, code, reduction_state as r from signup where id = any(${people.slice(0, 10).map(one => one.id)}::bigint[])`,
      ),
    ).toEqual([{ examine: 'passed', code: 'B001', r: 0 }])
    expect(await of.tenant.rows(sql<object>`select content_zh as line from exam_change`)).toEqual([
      { line: '岗位 B001 护士：招聘人数核减为 3 人' },
    ])
    await untouched()
  })
})

describe('decisions', () => {
  test('[S7.47] nothing is decided before payments and reviews have ended, of closed examinations, by others, or of another tenant', async () => {
    const of = await scene()
    const rows = [cancel('A001')]
    const early = await save(of.officer, of.exam, rows)
    expect([early.status, early.body.code, early.body.msg]).toEqual([
      409,
      2102,
      '缴费和审核 2026-03-22 17:00 截止后，有效人数才算数；请届时再核减',
    ])
    t.clock.set(decided)
    const stranger = await (await t.tenant()).staff('exam_admin')
    expect((await save(stranger, of.exam, rows)).status).toBe(404)
    for (const role of ['reviewer1', 'finance', 'auditor', 'unit_hr'] as const)
      expect([role, (await save(await of.tenant.staff(role), of.exam, rows)).status]).toEqual([role, 403])
    await of.tenant.rows(sql`update examination set state = 'closed' where id = ${of.exam.examId} returning id`)
    expect((await save(of.officer, of.exam, rows)).body.code).toBe(2101)
    expect(await of.tenant.rows(sql`select id from post_reduction`)).toEqual([])
  })

  test('[S7.47] every wrong row is named; a draft is kept, replaced and published once; keeping a post needs the approval', async () => {
    const of = await scene()
    t.clock.set(decided)
    const wrong = await save(of.officer, of.exam, [
      { code: 'X', action: 1, afterNum: 1, reason: '无' },
      { code: 'B001', action: 1, afterNum: 4, reason: '无' },
      cancel('A001', { toCodes: ['A001'] }),
      { code: 'A002', action: 4, afterNum: 1, reason: '无' },
      cancel('A001'),
    ])
    expect([wrong.status, wrong.body.data.items.map((item: { msg: string }) => item.msg)]).toEqual([
      422,
      [
        '本考试没有岗位 X',
        '岗位 B001 核减后人数须为 1 至 3',
        '岗位 A001 不能推荐岗位 A001',
        '岗位 A002 保留须上传批准文件',
        '岗位 A001 出现两次',
      ],
    ])
    expect((await save(of.officer, of.exam, [cancel('A001')], { publish: 1 })).body.data.fields[0].field).toBe('choiceBegin')
    expect((await save(of.officer, of.exam, [cancel('A001')])).body.data).toEqual({ saved: 1, published: 0, joined: 0, told: 0 })
    expect((await save(of.officer, of.exam, [cancel('A001', { reason: '改' })])).body.data).toEqual({
      saved: 1,
      published: 0,
      joined: 0,
      told: 0,
    })
    const rows = () =>
      of.tenant.rows(
        sql<object>`select code, action, state, reason, before_num as before, after_num as after from post_reduction order by code`,
      )
    expect(await rows()).toEqual([{ code: 'A001', action: 'cancel', state: 'draft', reason: '改', before: 2, after: 0 }])
    expect(await postsOf(of)).toContainEqual({ code: 'A001', num: 2, state: 0, used: 0 })
    expect((await publish(of, [cancel('A001')])).body.data).toMatchObject({ published: 1 })
    const again = await publish(of, [cancel('A001'), { code: 'B001', action: 1, afterNum: 3, reason: '无' }])
    expect([again.status, again.body.code]).toEqual([422, 400])
    expect(await rows()).toHaveLength(1)
    const fileId = await upload(of.officer, approval, 'approval.jpg', 'image')
    const kept = await publish(of, [{ code: 'B001', action: 4, afterNum: 0, reason: '紧缺岗位', approveFile: fileId }])
    expect(kept.body.data).toEqual({ saved: 1, published: 1, joined: 0, told: 0 })
    expect(await postsOf(of)).toContainEqual({ code: 'B001', num: 4, state: 0, used: 0 })
    const { approveFileUrl } = (await list(of)).posts.find((post: { code: string }) => post.code === 'B001').decision
    expect((await of.officer.get(approveFileUrl)).headers['content-type']).toBe('image/jpeg')
  })

  test('[S7.47] everybody of a cancelled post is told, in every state; who passes later owes nothing and chooses, or goes when the time is over', async () => {
    const of = await scene()
    const of1 = async (examine: string, payState = 'none') => {
      const who = await signedUp(of, 'B001')
      await of.tenant.rows(sql`update signup set examine = ${examine}, pay_state = ${payState} where id = ${who.id}`)
      return who
    }
    const states = {
      draft: await of1('draft'),
      waiting: await of1('waiting'),
      second: await of1('second'),
      returned: await of1('returned'),
      refused: await of1('refused'),
      lapsed: await of1('passed', 'overdue'),
      withdrawn: await of1('withdrawn'),
      disqualified: await of1('disqualified'),
    }
    const late = await of1('waiting')
    t.clock.set(decided)
    await publish(of, [cancel('B001')])
    const told = '所报岗位已取消 !'
    for (const [state, who] of Object.entries(states))
      expect([state, await noticesTo(of, who)]).toEqual([state, state === 'withdrawn' || state === 'disqualified' ? [] : [told]])

    const card = async ({ person }: Someone) => JSON.stringify((await person.get(`${signupCalls}/myExamList`)).body.data)
    for (const who of [states.waiting, states.second]) expect(await card(who)).toContain('所报岗位已取消，审核通过后可改报或退费')
    const pass = (who: Someone) => review(of, who.id, [1, 1])
    await pass(states.waiting)
    expect(await of.tenant.rows(sql`select 1 from exam_pay where signup_id = ${states.waiting.id}`)).toEqual([])
    expect((await stateOf(of, states.waiting.id)) as object).toMatchObject({ examine: 'passed', pay: 'none', reduction: 1 })
    expect((await noticesTo(of, states.waiting)).at(-1)).toBe('所报岗位已取消，请改报或退费 !')
    t.clock.set(choiceOver)
    await pass(late)
    expect(await of.tenant.rows(sql`select 1 from exam_pay where signup_id = ${late.id}`)).toEqual([])
    expect((await stateOf(of, late.id)) as object).toMatchObject({ pay: 'none', reduction: 4 })
    expect((await noticesTo(of, late)).at(-1)).toBe('已退出本次考试')
  })

  test('[S7.47] a post that people have signed up for is not cancelled by its form, which would tell nobody; pausing it there goes', async () => {
    const of = await scene()
    await signedUp(of, 'A001')
    const path = '/blade-typeCode/typecode'
    const posts = (await of.officer.get(`${path}/list`, { query: { examId: of.exam.examId, size: 20 } })).body.data.records as readonly {
      id: string
      code: string
      version: number
    }[]
    const change = (code: string, postState: number) => {
      const { id, version } = posts.find(post => post.code === code) ?? { id: '0', version: 0 }
      return of.officer.post(`${path}/submit`, { json: { examId: of.exam.examId, id, version, postState } })
    }
    const stateOf = (code: string) =>
      of.tenant.rows(sql<{ state: number }>`select post_state as state from type_code where exam_id = ${of.exam.examId} and code = ${code}`)
    const refused = await change('A001', 2)
    expect([refused.status, refused.body.data.fields[0].field, refused.body.data.fields[0].msg]).toEqual([
      400,
      'postState',
      '已有人报名的岗位请在“岗位核减与改报”中取消，系统会逐一通知报名人员并安排改报或退费；在此之前可先暂停',
    ])
    expect(await stateOf('A001')).toEqual([{ state: 0 }])
    expect([(await change('A001', 4)).status, await stateOf('A001')]).toEqual([200, [{ state: 4 }]])
    expect([(await change('B001', 2)).status, await stateOf('B001')]).toEqual([200, [{ state: 2 }]])
  })

  test('[S7.47] two officers publish the same decision at once: one does, the other is told; people are on the list once', async () => {
    const of = await scene()
    const people = await insertSignups(
      of.tenant,
      of.exam.examId,
      Array.from({ length: 20 }, () => ({ code: 'B001', type: 'B', unit: 'H01', payState: 'paid' })),
    )
    const second = await of.tenant.staff('exam_admin')
    t.clock.set(decided)
    const rows = [cancel('B001')]
    const answers = await Promise.all([publish(of, rows), save(second, of.exam, rows, { ...window, publish: 1 })])
    expect(answers.map(answer => answer.status).sort()).toEqual([200, 422])
    expect(
      await of.tenant.rows(sql<object>`select count(*)::int as n, count(distinct signup_id)::int as people from reduction_name`),
    ).toEqual([{ n: people.length, people: people.length }])
    expect(await of.tenant.rows(sql<object>`select count(*)::int as n from notify where kind = 5`)).toEqual([{ n: 20 }])
    expect(await of.tenant.rows(sql<object>`select count(*)::int as n from audit_log where action = 'reduction.published'`)).toEqual([
      { n: 1 },
    ])
  })
})

describe('what people choose', () => {
  test('[S7.47] a post whose condition is not met, that is cancelled, full or unknown is refused with its reason, and nothing moves', async () => {
    const of = await scene({
      posts: [
        { code: 'B001', codeName: '护士', unit: 'H01', unitName: '区人民医院', type: 'B', typeName: '护理', planNum: 4 },
        { code: 'M001', codeName: '男护士', unit: 'H01', unitName: '区人民医院', type: 'B', typeName: '护理', planNum: 1, sex: 1 },
        { code: 'F001', codeName: '助产士', unit: 'H01', unitName: '区人民医院', type: 'B', typeName: '护理', planNum: 1, maxSign: 1 },
        { code: 'C001', codeName: '导诊', unit: 'H01', unitName: '区人民医院', type: 'B', typeName: '护理', planNum: 1 },
      ],
    })
    const someone = await paid(of, 'B001')
    await paid(of, 'F001')
    t.clock.set(decided)
    expect((await publish(of, [cancel('B001'), cancel('C001')])).status).toBe(200)
    const other = await of.tenant.candidate()
    const stranger = await (await t.tenant()).candidate()
    for (const who of [other, stranger]) {
      expect((await who.get(`${signupCalls}/getPostReductionInfo`, { query: { signupId: someone.id } })).status).toBe(404)
      expect((await choose(who, someone.id, 2)).status).toBe(404)
    }
    const { targets } = await info(someone.person, someone.id)
    expect(targets.map((target: { code: string; match: string }) => [target.code, target.match])).toEqual([['M001', 'no']])
    const said: unknown[] = []
    for (const code of ['M001', 'F001', 'C001', 'B001', 'X']) {
      const { status, body } = await choose(someone.person, someone.id, 1, code)
      said.push([status, body.code, body.msg])
    }
    expect(said).toEqual([
      [422, 2212, expect.stringMatching(/^不能改报岗位 M001：.*性别/)],
      [422, 2212, '不能改报岗位 F001：岗位报名人数已满'],
      [422, 2212, '不能改报岗位 C001：岗位已取消'],
      [422, 2212, '不能改报岗位 B001：这是被取消的岗位'],
      [422, 2212, '不能改报岗位 X：本考试没有这个岗位'],
    ])
    expect((await choose(someone.person, someone.id, 1)).status).toBe(400)
    expect([await stateOf(of, someone.id), await lineOf(of, someone.id)]).toEqual([
      { examine: 'passed', code: 'B001', reduction: 1, pay: 'paid' },
      { choice: 'none', state: 'open', to: null, way: 1 },
    ])
  })

  test('[S7.47] the last choice within the time counts; refused for the new post, one chooses again; after the time it is the money', async () => {
    const of = await scene({ exam: { examine_levels: 1 } })
    const someone = await paid(of, 'A001')
    t.clock.set(decided)
    await publish(of, [cancel('A001')])
    expect((await choose(someone.person, someone.id, 1, 'A002')).status).toBe(200)
    expect((await choose(someone.person, someone.id, 1, 'A002')).body.data).toEqual({ choice: 1, state: 1, examine: 1, toCode: 'A002' })
    expect((await choose(someone.person, someone.id, 1, 'B001')).body.data.toCode).toBe('B001')
    expect(await postsOf(of)).toEqual([
      { code: 'A001', num: 0, state: 2, used: 0 },
      { code: 'A002', num: 1, state: 0, used: 0 },
      { code: 'B001', num: 4, state: 0, used: 1 },
    ])
    // Open at a reviewer, nothing moves.
    const reviewer = await of.tenant.staff('reviewer1')
    const { signVersion } = (await openReview(reviewer, someone.id)).body.data.signup
    expect(signVersion).toBe(3)
    expect((await choose(someone.person, someone.id, 2)).body.code).toBe(2111)
    expect(
      (await decide(reviewer, someone.id, { examineResult: 3, examineResultRemark: '专业不符', signVersion: 3 })).body.data.examine,
    ).toBe(4)
    expect(await stateOf(of, someone.id)).toEqual({ examine: 'refused', code: 'B001', reduction: 1, pay: 'paid' })
    expect((await info(someone.person, someone.id)).row).toEqual({
      choice: 0,
      state: 0,
      toCode: null,
      toName: null,
      choiceTime: expect.any(String),
      remark: '专业不符',
    })
    expect((await decide(reviewer, someone.id, { examineResult: 0, examineResultRemark: '误判', signVersion: 3 })).body.code).toBe(2201)
    expect((await choose(someone.person, someone.id, 1, 'A002')).status).toBe(200)
    t.clock.set(choiceOver)
    expect((await choose(someone.person, someone.id, 1, 'B001')).body).toMatchObject({ code: 2211 })
    expect(await review(of, someone.id, [3])).toEqual([4])
    expect(await stateOf(of, someone.id)).toMatchObject({ examine: 'withdrawn', code: 'A002', reduction: 4 })
    await settle()
    expect([await stateOf(of, someone.id), await lineOf(of, someone.id)]).toEqual([
      { examine: 'withdrawn', code: 'A002', reduction: 4, pay: 'refunded' },
      { choice: 'transfer', state: 'done', to: null, way: 1 },
    ])
  })

  test('[S7.47] who passes for a cancelled post while others choose joins its list, is told, and chooses like them; after the window the money goes back', async () => {
    const of = await scene({ exam: { examine_levels: 1 } })
    const [late, never] = [await signedUp(of, 'A001'), await signedUp(of, 'A001')]
    t.clock.set(decided)
    expect((await publish(of, [cancel('A001')])).body.data).toEqual({ saved: 1, published: 1, joined: 0, told: 2 })
    expect(await info(late.person, late.id)).toBeNull()
    expect(await review(of, late.id, [1])).toEqual([5])
    expect([await stateOf(of, late.id), await lineOf(of, late.id)]).toEqual([
      { examine: 'passed', code: 'A001', reduction: 1, pay: 'none' },
      { choice: 'none', state: 'open', to: null, way: 1 },
    ])
    expect(await noticesTo(of, late)).toEqual(['所报岗位已取消 !', '所报岗位已取消，请改报或退费 !'])
    expect(await smsTo(of, late)).toContain('post-cancelled')
    expect((await choose(late.person, late.id, 1, 'B001')).body.data).toEqual({ choice: 1, state: 1, examine: 1, toCode: 'B001' })
    t.clock.set(choiceOver)
    expect(await review(of, never.id, [1])).toEqual([5])
    expect(await lineOf(of, never.id)).toMatchObject({ choice: 'late', way: 1 })
    expect(await noticesTo(of, never)).toEqual(['所报岗位已取消 !', '已退出本次考试'])
  })

  test('[S7.47] the post that somebody moves to is cancelled meanwhile: passed, nothing is owed, no place is had, and there is another one to choose', async () => {
    const of = await scene({ exam: { examine_levels: 1 } })
    const mover = await paid(of, 'A001')
    t.clock.set(decided)
    await publish(of, [cancel('A001')])
    expect((await choose(mover.person, mover.id, 1, 'B001')).status).toBe(200)
    await publish(of, [cancel('B001')])
    expect(await review(of, mover.id, [1])).toEqual([5])
    expect([await stateOf(of, mover.id), await of.tenant.rows(sql`select pay_name as name, state from exam_pay`)]).toEqual([
      { examine: 'passed', code: 'B001', reduction: 1, pay: 'paid' },
      [{ name: '报名费', state: 'paid' }],
    ])
    expect(
      await of.tenant.rows(sql`select from_code as "from", choice, state from reduction_name where signup_id = ${mover.id} order by id`),
    ).toEqual([
      { from: 'A001', choice: 'transfer', state: 'done' },
      { from: 'B001', choice: 'none', state: 'open' },
    ])
    expect((await choose(mover.person, mover.id, 1, 'A002')).body.data).toMatchObject({ choice: 1, toCode: 'A002' })
  })

  test('[S7.61][13.5] what people of a post are told is in the words of their tenant, in both languages', async () => {
    const of = await scene({ exam: { examine_levels: 1 } })
    const admin = await of.tenant.staff('admin')
    const own = async (scene: string, content: string, contentEn: string) =>
      (
        await admin.post('/blade-sendTemplate/sendtemplate/submit', {
          json: {
            ...{ code: scene, name: scene, scene, title: `本区 ${scene}`, content, titleEn: `Ours ${scene}`, contentEn },
            ...{ templateId: '', signName: '', status: 1 },
          },
        })
      ).status
    expect([
      await own('post-reduced', '${post} 招 ${count} 人', '${post} has ${count} places'),
      await own('post-cancelled', '${post}：${deadline}前选择', '${post}: choose until ${deadline}'),
      await own('transfer-result', '${post}：${result}', '${post}: ${result}'),
    ]).toEqual([200, 200, 200])
    const [mover, stays] = [await paid(of, 'A001'), await paid(of, 'B001')]
    t.clock.set(decided)
    await publish(of, [cancel('A001'), { code: 'B001', action: 1, afterNum: 3, reason: '未达到开考比例' }])
    await choose(mover.person, mover.id, 1, 'A002')
    expect(await review(of, mover.id, [3])).toEqual([4])
    await choose(mover.person, mover.id, 1, 'B001')
    expect(await review(of, mover.id, [1])).toEqual([5])
    const told = ({ person }: Someone) =>
      of.tenant.rows(sql<object>`
        select title_zh as zh, title_en as en, content_zh as "contentZh", content_en as "contentEn" from notify
        where user_id = ${person.userId} and kind = 5 and title_zh like '本区%' order by id`)
    const words = (scene: string, contentZh: string, contentEn: string) => ({
      ...{ zh: `本区 ${scene}`, en: `Ours ${scene}` },
      ...{ contentZh, contentEn },
    })
    expect(await told(mover)).toEqual([
      words('post-cancelled', '内科医师：2026-03-24 17:00前选择', '内科医师: choose until 2026-03-24 17:00'),
      words('transfer-result', '全科医师：未通过', '全科医师: refused'),
      words('transfer-result', '护士：成功', '护士: passed'),
    ])
    expect(await told(stays)).toEqual([words('post-reduced', '护士 招 3 人', '护士 has 3 places')])
  })

  test('[S7.47] nobody answers: who accepts other posts goes to the second choice when all its conditions are met, everybody else gets the money', async () => {
    const of = await scene()
    const moves = await paid(of, 'B001', { adjust: '1', code2: 'A002' })
    const unfit = await paid(of, 'B001', { adjust: '0', code2: 'A002' })
    const free = (await insertSignups(of.tenant, of.exam.examId, [{ code: 'B001', type: 'B', unit: 'H01' }]))[0]
    t.clock.set(decided)
    await publish(of, [cancel('B001')])
    t.clock.set(choiceOver)
    t.clock.advance(60_000)
    await endChoices()
    await settle()
    expect([await stateOf(of, moves.id), await lineOf(of, moves.id)]).toEqual([
      { examine: 'waiting', code: 'A002', reduction: 2, pay: 'paid' },
      { choice: 'late', state: 'review', to: 'A002', way: 1 },
    ])
    expect(await noticesTo(of, moves)).toEqual(['所报岗位已取消，请改报或退费 !', '已按第二志愿改报'])
    expect(await stateOf(of, unfit.id)).toEqual({ examine: 'withdrawn', code: 'B001', reduction: 4, pay: 'refunded' })
    expect([await stateOf(of, free?.id ?? '0'), await lineOf(of, free?.id ?? '0')]).toEqual([
      { examine: 'withdrawn', code: 'B001', reduction: 4, pay: 'none' },
      { choice: 'late', state: 'done', to: null, way: 1 },
    ])
    expect(await review(of, moves.id, [1, 1])).toEqual([2, 5])
    expect(await stateOf(of, moves.id)).toMatchObject({ examine: 'passed', code: 'A002', reduction: 3 })
  })

  test('[S7.47] a dearer post makes a due of the difference, a cheaper one gives the difference back', async () => {
    const of = await scene({
      exam: { fee_mode: 3, examine_levels: 1 },
      posts: [
        { code: 'A001', codeName: '内科', unit: 'H01', unitName: '区人民医院', type: 'A', typeName: '医疗', planNum: 2, feeFen: 10_000 },
        { code: 'D001', codeName: '外科', unit: 'H01', unitName: '区人民医院', type: 'A', typeName: '医疗', planNum: 2, feeFen: 15_000 },
        { code: 'E001', codeName: '儿科', unit: 'H01', unitName: '区人民医院', type: 'A', typeName: '医疗', planNum: 2, feeFen: 6_000 },
      ],
    })
    const [up, down] = [await paid(of, 'A001'), await paid(of, 'A001')]
    t.clock.set(decided)
    await publish(of, [cancel('A001')])
    expect(
      (await info(up.person, up.id)).targets.map((one: { code: string; feeDifference: number }) => [one.code, one.feeDifference]),
    ).toEqual([
      ['D001', 5_000],
      ['E001', -4_000],
    ])
    await choose(up.person, up.id, 1, 'D001')
    await choose(down.person, down.id, 1, 'E001')
    expect([await review(of, up.id, [1]), await review(of, down.id, [1])]).toEqual([[5], [5]])
    await settle()
    const duesOf = (id: string) =>
      of.tenant.rows(
        sql<object>`select pay_kind as kind, pay_name as name, amount_fen as fen, state, refunded_fen as back from exam_pay where signup_id = ${id} order by id`,
      )
    expect(await duesOf(up.id)).toEqual([
      { kind: 1, name: '报名费', fen: 10_000, state: 'paid', back: 0 },
      { kind: 2, name: '改报补差（D001）', fen: 5_000, state: 'due', back: 0 },
    ])
    expect(await stateOf(of, up.id)).toEqual({ examine: 'passed', code: 'D001', reduction: 3, pay: 'due' })
    expect(await duesOf(down.id)).toEqual([{ kind: 1, name: '报名费', fen: 10_000, state: 'paid', back: 4_000 }])
    expect(await stateOf(of, down.id)).toEqual({ examine: 'passed', code: 'E001', reduction: 3, pay: 'paid' })
    const [difference] = await of.tenant.rows(
      sql<{ id: string }>`select id::text as id from exam_pay where signup_id = ${up.id} and pay_kind = 2`,
    )
    await payFor({ person: up.person, payId: difference?.id ?? '' })
    expect(await stateOf(of, up.id)).toMatchObject({ pay: 'paid' })
  })

  test('[S7.47] a candidate chooses while the window closes: whoever came in time is heard, and the end finds nobody left', async () => {
    const of = await scene()
    const people = [await paid(of, 'A001'), await paid(of, 'A001'), await paid(of, 'A001')]
    t.clock.set(decided)
    await publish(of, [cancel('A001')])
    t.clock.set('2026-03-24T16:59:59.999+08:00')
    const chosen = Promise.all(people.map(one => choose(one.person, one.id, 1, 'A002')))
    const ended = endChoices()
    expect((await chosen).map(answer => answer.status)).toEqual([200, 200, 200])
    await ended
    t.clock.set(choiceOver)
    t.clock.advance(60_000)
    await Promise.all([endChoices(), endChoices()])
    expect(await Promise.all(people.map(one => lineOf(of, one.id)))).toEqual(
      people.map(() => ({ choice: 'transfer', state: 'review', to: 'A002', way: 1 })),
    )
    expect((await choose(people[0]?.person as Person, people[0]?.id ?? '', 2)).body.code).toBe(2211)
    expect(await of.tenant.rows(sql<object>`select used_sign as used from type_code where code in ('A001', 'A002') order by code`)).toEqual(
      [{ used: 0 }, { used: 3 }],
    )
  })
})

describe('lists by hand', () => {
  test('[S7.47] who has not chosen can be taken off with a reason and keeps the place; who has chosen cannot', async () => {
    const of = await scene()
    const [stays, goes] = [await paid(of, 'A001'), await paid(of, 'A001')]
    t.clock.set(decided)
    await publish(of, [cancel('A001')])
    await choose(goes.person, goes.id, 1, 'A002')
    const off = (signupId: string, reason = '误加入') => of.officer.post(`${signupCalls}/removeNameList`, { json: { signupId, reason } })
    expect((await off(stays.id, '')).status).toBe(400)
    expect([(await off(goes.id)).body.code, (await off(stays.id)).body.data]).toEqual([2201, { state: 4 }])
    expect([await stateOf(of, stays.id), await lineOf(of, stays.id)]).toEqual([
      { examine: 'passed', code: 'A001', reduction: 0, pay: 'paid' },
      { choice: 'kept', state: 'removed', to: null, way: 1 },
    ])
    expect((await off(stays.id)).status).toBe(404)
    expect(await info(stays.person, stays.id)).toBeNull()
    expect(await of.tenant.rows(sql<object>`select reason from audit_log where action = 'transfer.removed'`)).toEqual([
      { reason: '误加入' },
    ])
    const { id: reductionId } = (await list(of)).posts[0].decision
    const other = (await insertSignups(of.tenant, of.exam.examId, [{ code: 'B001', type: 'B', unit: 'H01' }]))[0]
    expect((await join(of, reductionId, stays.id, other?.id ?? '0', '7')).body.data).toEqual({
      joined: 1,
      ignored: [
        { signupId: other?.id, reason: '不是岗位 A001 的报名' },
        { signupId: '7', reason: '本考试没有此报名' },
      ],
    })
    const stranger = await (await t.tenant()).staff('exam_admin')
    expect((await stranger.post(`${signupCalls}/joinPostReductionNameList`, { json: { reductionId, signupIds: [stays.id] } })).status).toBe(
      404,
    )
    expect((await stranger.post(`${signupCalls}/removeNameList`, { json: { signupId: stays.id, reason: '无' } })).status).toBe(404)
    t.clock.set(choiceOver)
    expect((await join(of, reductionId, stays.id)).body.code).toBe(2201)
  })

  test('[S7.46] staff of a unit see their own posts and people, and each new post is reviewed before those that wait', async () => {
    const of = await scene()
    const mover = await paid(of, 'A001')
    const [waiting] = await insertSignups(of.tenant, of.exam.examId, [
      { code: 'B001', type: 'B', unit: 'H01', examine: 'waiting', firstSubmitTime: '2026-03-16 09:00:01' },
      { code: 'A002', type: 'A', unit: 'H02', examine: 'waiting', firstSubmitTime: '2026-03-16 09:00:02' },
    ])
    t.clock.set(decided)
    await publish(of, [cancel('A001')])
    await choose(mover.person, mover.id, 1, 'A002')
    const hr = async (userCode: string) => {
      const who = await of.tenant.staff('unit_hr', { userCode })
      const posts = (await who.get(`${signupCalls}/getPostReductionList`, { query: { examId: of.exam.examId, all: 1 } })).body.data.posts
      const people = (await who.get(`${signupCalls}/postReductionNamePage`, { query: { examId: of.exam.examId } })).body.data.total
      return [posts.map((post: { code: string }) => post.code), people]
    }
    expect([await hr('H01'), await hr('H02')]).toEqual([
      [['A001', 'B001'], 1],
      [['A002'], 0],
    ])
    const reviewer = await of.tenant.staff('reviewer1')
    const open = await openReview(reviewer, waiting?.id ?? '0')
    expect(open.status).toBe(200)
    expect((await decide(reviewer, waiting?.id ?? '0', { examineResult: 1 })).body.data).toMatchObject({ examine: 2, nextId: mover.id })
  })
})
