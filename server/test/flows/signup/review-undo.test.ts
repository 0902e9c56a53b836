import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { type Person, startTestApp, type TestApp, type TestTenant } from '../../support/app.ts'
import type { buildExam } from '../../support/factories.ts'
import { emulatorOf, exam as examPath, noticesOf, openCode } from '../../support/pay.ts'
import { decide, openReview as open, type ReviewWorld, reviewWorld, wang } from '../../support/reviewing.ts'
import { answersOf, submit } from '../../support/signing.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())

const minute = 60_000

const world = (overrides: Parameters<typeof buildExam>[1] = {}): Promise<ReviewWorld> => reviewWorld(t, overrides)
const oneLevel = { exam: { examine_levels: 1 } }
const undo = (person: Person, id: string, json: Readonly<Record<string, unknown>> = {}) => decide(person, id, { examineResult: 0, ...json })
const review = async (person: Person, id: string, json: Readonly<Record<string, unknown>>): Promise<number> => {
  await open(person, id)
  return (await decide(person, id, json)).body.data.examine
}
const signup = async (tenant: TestTenant) =>
  (
    await tenant.rows(sql<object>`
      select examine, examine_remark, examine_level, pay_state, reviewer1_id::text as r1, reviewer2_id::text as r2, jsonb_array_length(advisements) as advices,
        (select used_sign from type_code c where c.exam_id = signup.exam_id and c.code = signup.code) as places
      from signup`)
  )[0]
const refusal = { examineResult: 3, examineResultRemark: '学历不符' }

describe('undoing a decision (domain 4.2, last row)', () => {
  test('[S4.10][S4.13] the author takes a refusal back within 30 minutes: state, place and lock are as before, the candidate is told', async () => {
    const w = await world()
    const before = await signup(w.tenant)
    expect(await review(w.r1, w.id, refusal)).toBe(4)
    expect(await signup(w.tenant)).toMatchObject({ examine: 'refused', places: 0 })
    t.clock.advance(30 * minute - 1)
    expect((await open(w.r1, w.id)).body.data.undo).toEqual({
      result: 3,
      examinerName: '初审甲',
      until: '2026-03-17 10:30:00',
      needsReason: false,
    })
    expect((await undo(w.r1, w.id)).body.data).toEqual({ examine: 1, nextId: null, payState: 0 })
    expect(await signup(w.tenant)).toEqual(before)
    expect(await noticesOf(w.tenant, w.candidate.userId)).toEqual(
      expect.arrayContaining(['资格审核未通过', '审核结果已撤回，正在重新审核']),
    )
    expect(await w.tenant.rows(sql`select result, undone, undone_by::text as by from examine_record`)).toEqual([
      { result: 3, undone: true, by: w.r1.userId },
    ])
    expect(
      await w.tenant.rows(
        sql`select user_id::text as who, before_value as before, after_value as after from audit_log where action = 'signup.examine-undone'`,
      ),
    ).toEqual([
      {
        who: w.r1.userId,
        before: { examine: 'refused', recordId: expect.any(String), level: 1, result: 3 },
        after: { examine: 'waiting' },
      },
    ])
    // The author holds the lock again and decides anew; the candidate hears of it again.
    expect((await decide(w.r1, w.id, refusal)).body.data.examine).toBe(4)
    expect((await noticesOf(w.tenant, w.candidate.userId)).filter(title => title === '资格审核未通过')).toHaveLength(2)
  })

  test('30 minutes later only an examination administrator may, with a reason', async () => {
    const w = await world()
    await review(w.r1, w.id, refusal)
    t.clock.advance(30 * minute)
    expect((await open(w.r1, w.id)).body.data.undo).toBeNull()
    const late = await undo(w.r1, w.id)
    expect([late.status, late.body.code, late.body.reason]).toEqual([409, 2201, 'examine/undo-too-late'])
    expect((await undo(w.officer, w.id)).body.reason).toBe('examine/undo-reason')
    expect((await open(w.officer, w.id)).body.data.undo).toEqual({ result: 3, examinerName: '初审甲', until: null, needsReason: true })
    expect((await undo(w.officer, w.id, { examineResultRemark: '复查后学历符合' })).body.data.examine).toBe(1)
    expect(await w.tenant.rows(sql`select reason from audit_log where action = 'signup.examine-undone'`)).toEqual([
      { reason: '复查后学历符合' },
    ])
    // It is back in the queue, held by nobody.
    expect((await open(w.r1, w.id)).body.data.mayDecide).toBe(true)
  })

  test('examine.undoMinutes decides how long; the parameter of another tenant does not', async () => {
    const w = await world()
    const other = await t.tenant()
    await w.tenant.rows(sql`update param set param_value = '5' where param_key = 'examine.undoMinutes'`)
    await other.rows(sql`update param set param_value = '500' where param_key = 'examine.undoMinutes'`)
    await review(w.r1, w.id, refusal)
    t.clock.advance(5 * minute)
    expect((await undo(w.r1, w.id)).body).toMatchObject({ reason: 'examine/undo-too-late', msg: expect.stringContaining('5 分钟') })
    t.clock.advance(-1)
    expect((await undo(w.r1, w.id)).body.data.examine).toBe(1)
  })

  test('nobody undoes the decision of another reviewer, and isBack = 0 closes it for reviewers', async () => {
    const w = await world()
    await review(w.r1, w.id, refusal)
    const rival = await w.tenant.staff('reviewer1', { realName: '初审丙' })
    expect((await undo(rival, w.id)).body).toMatchObject({ code: 403, reason: 'examine/undo-not-yours' })
    await w.tenant.rows(sql`update role set is_back = 0 where role_alias = 'reviewer1'`)
    expect((await undo(w.r1, w.id)).body).toMatchObject({ code: 403, reason: 'examine/undo-off' })
    expect((await undo(w.officer, w.id, { examineResultRemark: '误操作' })).body.data.examine).toBe(1)
  })

  test('a pass is undone with its unpaid due; its open code is closed at the provider', async () => {
    const w = await world(oneLevel)
    expect(await review(w.r1, w.id, { examineResult: 1 })).toBe(5)
    const [due] = (await w.candidate.get(`${examPath}/getMyPayList`)).body.data
    const { codeUrl } = await openCode(w.candidate, due.id)
    expect((await undo(w.r1, w.id)).body.data).toEqual({ examine: 1, nextId: null, payState: 0 })
    expect(await w.tenant.rows(sql`select state, remark from exam_pay`)).toEqual([{ state: 'void', remark: '审核撤回' }])
    await t.runTasks()
    const { emulator } = await emulatorOf(t)
    expect(emulator.orderByCodeUrl(codeUrl)?.state).toBe('closed')
    expect((await decide(w.r1, w.id, { examineResult: 1 })).body.data).toMatchObject({ examine: 5, payState: 1 })
    expect(await w.tenant.rows(sql`select state from exam_pay order by id`)).toEqual([{ state: 'void' }, { state: 'due' }])
  })

  test.each([
    ['paid', sql`update signup set pay_state = 'paid'`],
    ['with a ticket', undefined],
  ])('a pass that is %s has moved on (2201), for the administrator too', async (_name, change) => {
    const w = await world(oneLevel)
    await review(w.r1, w.id, { examineResult: 1 })
    await w.tenant.rows(
      change ??
        sql`insert into ticket (tenant_id, exam_id, item_id, signup_id, user_id, type, ticket_no, qr_token, site_code, site_name, room_no, seat_no, start_time, end_time)
          select tenant_id, exam_id, ${Object.values(w.exam.papers)[0] ?? '0'}, id, user_id, 1, '260301012173', repeat('q', 43), '01', '一中', '012', '17', now(), now() from signup`,
    )
    for (const person of [w.r1, w.officer])
      expect((await undo(person, w.id, { examineResultRemark: '误操作' })).body).toMatchObject({
        code: 2201,
        reason: 'examine/undo-moved-on',
      })
    expect(await signup(w.tenant)).toMatchObject({ examine: 'passed' })
  })

  test('handed to the second level: undone until the second reviewer opens it', async () => {
    const w = await world()
    await review(w.r1, w.id, { examineResult: 1 })
    await open(w.r2, w.id)
    expect((await undo(w.r1, w.id)).body.reason).toBe('examine/undo-moved-on')
    await w.r2.post('/blade-signup/examine/release', { query: { signUpId: w.id } })
    expect((await undo(w.r1, w.id)).body.data.examine).toBe(1)
    expect(await review(w.r1, w.id, { examineResult: 1 })).toBe(2)
    expect(await review(w.r2, w.id, { examineResult: 1 })).toBe(5)
    // Now the decision of the second level is the last one.
    expect((await undo(w.r1, w.id)).body.reason).toBe('examine/undo-not-yours')
    expect((await undo(w.r2, w.id)).body.data.examine).toBe(2)
    expect(await signup(w.tenant)).toMatchObject({ examine: 'second', examine_level: 2, r1: w.r1.userId, r2: null })
  })

  test('a return is undone only until the candidate has answered it', async () => {
    const w = await world()
    const advisementList = [{ kind: 'item', key: 'major', label: '所学专业', advice: '按证书填写' }]
    const returned = { examineResult: 2, examineResultRemark: '请修改', advisementList }
    expect(await review(w.r1, w.id, returned)).toBe(3)
    expect((await undo(w.r1, w.id)).body.data.examine).toBe(1)
    expect(await signup(w.tenant)).toMatchObject({ examine: 'waiting', examine_remark: null, advices: 0 })
    expect((await decide(w.r1, w.id, returned)).body.data.examine).toBe(3)
    await submit(w.candidate, w.exam.examId, {
      content: answersOf(wang.idCard, wang.phone, { major: '助产学', majorCode: '' }),
      fileIds: w.fileIds,
      signVersion: 1,
    })
    expect((await undo(w.r1, w.id)).body.reason).toBe('examine/stale')
    expect((await undo(w.r1, w.id, { signVersion: 2 })).body.reason).toBe('examine/undo-moved-on')
  })

  test('a place that was given away meanwhile is not taken twice (2107), and a second undo finds nothing', async () => {
    const w = await world()
    await review(w.r1, w.id, refusal)
    await w.tenant.rows(sql`update type_code set max_sign = 1, used_sign = 1`)
    expect((await undo(w.r1, w.id)).body.code).toBe(2107)
    await w.tenant.rows(sql`update type_code set used_sign = 0`)
    expect((await undo(w.r1, w.id)).body.data.examine).toBe(1)
    expect((await undo(w.r1, w.id)).body.reason).toBe('examine/wrong-state')
    const stranger = await (await t.tenant()).staff('exam_admin')
    expect((await undo(stranger, w.id, { examineResultRemark: '误操作' })).status).toBe(404)
  })
})

describe('[4.2] level 4: an examination administrator corrects a sign-up that has passed', () => {
  const advice = [{ kind: 'item', key: 'major', label: '专业', advice: '与毕业证不一致' }]
  const correct = (person: Person, id: string, json: Readonly<Record<string, unknown>> = {}) =>
    decide(person, id, { level: 4, examineResult: 2, examineResultRemark: '专业填写有误', advisementList: advice, ...json })

  test('returned before it is paid: the due of the pass goes, the candidate is told what to mend, and passes anew', async () => {
    const w = await world(oneLevel)
    expect(await review(w.r1, w.id, { examineResult: 1 })).toBe(5)
    expect(await signup(w.tenant)).toMatchObject({ examine: 'passed', pay_state: 'due' })
    for (const who of [w.r1, await w.tenant.staff('finance'), await w.tenant.staff('admin')])
      expect((await correct(who, w.id)).status).toBe(403)
    for (const [json, code] of [
      [{ examineResult: 1 }, 400],
      [{ examineResultRemark: ' ' }, 400],
      [{ advisementList: [] }, 400],
      [{ advisementList: [{ ...advice[0], key: 'nothing' }] }, 400],
      [{ signVersion: 7 }, 2203],
    ] as const)
      expect((await correct(w.officer, w.id, json)).body.code).toBe(code)
    expect(await signup(w.tenant)).toMatchObject({ examine: 'passed', pay_state: 'due', advices: 0 })
    expect((await correct(w.officer, w.id)).body.data).toEqual({ examine: 3, nextId: null, payState: 0 })
    expect(await signup(w.tenant)).toMatchObject({
      ...{ examine: 'returned', examine_remark: '专业填写有误', examine_level: 1, pay_state: 'none', advices: 1, places: 1 },
    })
    expect(await noticesOf(w.tenant, w.candidate.userId)).toEqual(expect.arrayContaining(['报名需要修改']))
    expect(await w.tenant.rows(sql`select state from exam_pay`)).toEqual([{ state: 'void' }])
    expect(
      await w.tenant.rows(sql`
        select level, result, before_state as before, after_state as after, examiner_id::text as by from examine_record where level = 4`),
    ).toEqual([{ level: 4, result: 2, before: 'passed', after: 'returned', by: w.officer.userId }])
    expect(
      await w.tenant.rows(sql`
        select before_value as before, after_value as after, reason from audit_log where action = 'signup.corrected' and user_id = ${w.officer.userId}`),
    ).toEqual([{ before: { examine: 'passed' }, after: { examine: 'returned', signVersion: 1 }, reason: '专业填写有误' }])
    // The earlier pass is no decision any more that could be called back.
    expect((await undo(w.r1, w.id)).body.reason).toBe('examine/undo-not-yours')
    expect((await correct(w.officer, w.id)).body.code).toBe(2201)
    // The return is undone as any decision: by an administrator of the examination, with the dues of the pass; then it is returned again.
    expect((await open(w.officer, w.id)).body.data.undo).toMatchObject({ result: 2, needsReason: false, until: null })
    expect((await undo(w.officer, w.id)).body.data).toEqual({ examine: 5, nextId: null, payState: 1 })
    expect(await signup(w.tenant)).toMatchObject({
      examine: 'passed',
      examine_remark: null,
      pay_state: 'due',
      advices: 0,
      places: 1,
      r1: w.r1.userId,
    })
    expect(await noticesOf(w.tenant, w.candidate.userId)).toContain('退回修改已撤回，报名仍为审核通过')
    expect(await w.tenant.rows(sql`select state from exam_pay order by id`)).toEqual([{ state: 'void' }, { state: 'due' }])
    expect(
      await w.tenant.rows(
        sql`select before_value->>'level' as level, after_value as after from audit_log where action = 'signup.examine-undone'`,
      ),
    ).toEqual([{ level: '4', after: { examine: 'passed' } }])
    expect((await correct(w.officer, w.id)).body.data.examine).toBe(3)
    const other = await w.tenant.staff('exam_admin')
    expect((await undo(other, w.id)).body.reason).toBe('examine/undo-reason')
    const again = { content: answersOf(wang.idCard, wang.phone, { major: '护理学' }), fileIds: w.fileIds, signVersion: 1 }
    expect((await submit(w.candidate, w.exam.examId, again)).body.data.examine).toBe(1)
    // Handed in again, there is nothing left to take back.
    expect((await undo(w.officer, w.id, { signVersion: 2 })).body.reason).toBe('examine/undo-moved-on')
    await open(w.r1, w.id)
    expect((await decide(w.r1, w.id, { examineResult: 1, signVersion: 2 })).body.data).toMatchObject({ examine: 5, payState: 1 })
  })

  test('paid or seated it is not returned any more, nor after the time for corrections, but with a day of its own', async () => {
    const w = await world(oneLevel)
    await review(w.r1, w.id, { examineResult: 1 })
    await w.tenant.rows(sql`update signup set pay_state = 'paid'`)
    const paid = await correct(w.officer, w.id)
    expect([paid.status, paid.body.code, paid.body.reason]).toEqual([409, 2201, 'examine/correct-begun'])
    await w.tenant.rows(sql`update signup set pay_state = 'due', reduction_state = 1`)
    expect((await correct(w.officer, w.id)).body.reason).toBe('examine/correct-moving')
    await w.tenant.rows(sql`update signup set reduction_state = 0`)
    t.clock.set('2026-03-21T12:00:00+08:00')
    expect((await correct(w.officer, w.id)).body.code).toBe(2206)
    expect((await correct(w.officer, w.id, { extendHours: 24 })).body.data.examine).toBe(3)
    t.clock.set('2026-03-17T10:00:00+08:00')
  })
})
