import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { type Person, startTestApp, type TestApp } from '../../support/app.ts'
import { buildExam } from '../../support/factories.ts'
import { recruit } from '../../support/selecting.ts'
import { applicant, rooms } from '../../support/ticket-people.ts'
import { waitingFor } from '../../support/to-dos.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())
beforeEach(() => t.clock.set('2026-03-17T10:00:00+08:00'))

const exam = '/blade-exam/examination'
const propose = (by: Person, signUpId: string, reason = '本人提交了学位证书原件，异议成立') =>
  by.post('/blade-signup/selection/proposeRestore', { json: { signUpId, reason } })
const decide = (by: Person, id: string, outcome: 1 | 2, decision = '学位证书经核实有效') =>
  by.post('/blade-signup/selection/decideRestore', { json: { id, outcome, decision } })

/** 王一 leads the post and was disqualified at the re-review. */
const disqualified = async () => {
  const w = await recruit(t)
  await w.tenant.rows(sql`update type_code set used_sign = 5 where exam_id = ${w.exam.examId} and code = 'B001'`)
  await w.release('01')
  await t.runTasks()
  await w.start()
  expect((await w.review(0, 3, { remark: '没有学位证书' })).body.data).toMatchObject({ reviewState: 3, substitutes: 2 })
  await t.runTasks()
  const signupId = w.at(w.signups, 0).id
  const state = async () =>
    (
      await w.tenant.rows(sql`
        select s.examine, s.review_state as review, s.shortlist, s.stage, p.used_sign as used, r.rank_in_post as rank
        from signup s join type_code p on p.exam_id = s.exam_id and p.code = s.code left join score_total r on r.signup_id = s.id where s.id = ${signupId}`)
    )[0]
  return { ...w, signupId, state, admin: await w.tenant.staff('admin', { realName: '管理人' }) }
}
const out = { examine: 'disqualified', review: 3, shortlist: 3, stage: 9, used: 4, rank: null }

describe('[4.2] a disqualified sign-up is restored after an objection', () => {
  test('proposed by one person, decided by another: the place, the rank and the re-review are back, on record, and the person is told', async () => {
    const w = await disqualified()
    expect(await w.state()).toEqual(out)
    for (const role of ['admin', 'unit_hr', 'recheck', 'auditor', 'finance', 'reviewer1'] as const)
      expect([role, (await propose(await w.tenant.staff(role), w.signupId)).status]).toEqual([role, 403])
    expect((await propose(w.at(w.candidates, 0), w.signupId)).status).toBe(403)
    expect((await propose(w.office, w.signupId, ' ')).status).toBe(400)
    const sitting = await propose(w.office, w.at(w.signups, 1).id)
    expect([sitting.status, sitting.body.code, sitting.body.msg]).toEqual([
      409,
      2201,
      '李二 现为“审核通过”，只有已取消资格的报名可以恢复，请刷新',
    ])
    const proposed = await propose(w.office, w.signupId)
    const { id } = proposed.body.data
    // Whoever decides is told who moved up meanwhile: restoring leaves them in.
    const standingOf = async () => (await w.admin.get('/blade-signup/selection/standing', { query: { signUpId: w.signupId } })).body.data
    expect((await standingOf()).movedUp).toEqual(['张三', '赵四'])
    expect(proposed.body.data).toEqual({ id, state: 0 })
    expect((await propose(w.importer, w.signupId)).body.msg).toBe('已有一项恢复资格的提议等待决定')
    // Nothing has happened yet but that the administrators are asked.
    expect(await w.state()).toEqual(out)
    expect(await w.tenant.rows(sql`select title_zh as title, link from notify where user_id = ${w.admin.userId}`)).toEqual([
      { title: '有恢复资格的提议待决定', link: `/examine/signup/${w.signupId}` },
    ])
    // It is their work until it is decided, and the list of sign-ups shows which.
    const waits = () => waitingFor(w.admin, w.exam.examId, 'proposals')
    const listed = async () =>
      (await w.admin.get('/blade-signup/examine/getExamineList', { query: { examId: w.exam.examId, proposed: 1 } })).body.data.records.map(
        (one: { name: string }) => one.name,
      )
    expect([await waits(), await waitingFor(w.office, w.exam.examId, 'proposals'), await listed()]).toEqual([
      [1, 1],
      [undefined, undefined],
      ['王一'],
    ])
    expect(JSON.stringify((await w.admin.get('/blade-system/menu/routes')).body.data)).toContain('"/examine/review"')
    for (const role of ['exam_admin', 'unit_hr', 'recheck', 'auditor'] as const)
      expect([role, (await decide(await w.tenant.staff(role), id, 1)).status]).toEqual([role, 403])
    expect((await decide(w.admin, id, 1, '')).status).toBe(400)
    expect((await decide(w.admin, id, 1)).body.data).toEqual({ id, state: 1, seats: 0 })
    await t.runTasks()
    expect([await waits(), await listed()]).toEqual([[0, undefined], []])
    expect(await w.state()).toEqual({ examine: 'passed', review: 1, shortlist: 1, stage: 3, used: 5, rank: 1 })
    // Called anew, with time to answer.
    expect(
      await w.tenant.rows(
        sql`select state, stage, kind, deadline from selection_call where signup_id = ${w.signupId} and state = 'waiting'`,
      ),
    ).toEqual([{ state: 'waiting', stage: 3, kind: 1, deadline: new Date('2026-03-19T10:00:00+08:00') }])
    expect((await decide(w.admin, id, 2)).body.msg).toBe('这项提议已有决定')
    const info = (await w.office.get('/blade-signup/selection/recheckInfo', { query: { signUpId: w.signupId } })).body.data
    const standing = (await w.admin.get('/blade-signup/selection/standing', { query: { signUpId: w.signupId } })).body.data
    expect(standing.restorations).toEqual([
      {
        ...{ id, state: 1, reason: '本人提交了学位证书原件，异议成立', byName: '考务人', time: '2026-03-17 10:00:00' },
        ...{ decision: '学位证书经核实有效', decidedName: '管理人', decidedTime: '2026-03-17 10:00:00' },
      },
    ])
    expect(info.records.map((one: { level: number; result: number; remark: string }) => [one.level, one.result, one.remark])).toEqual([
      [3, 3, '没有学位证书'],
      [4, 1, '学位证书经核实有效'],
    ])
    expect(
      await w.tenant.rows(sql`
        select action, user_id::text as "by", before_value as before, after_value as after, reason from audit_log
        where action like 'recheck.restore%' order by id`),
    ).toEqual([
      {
        ...{ action: 'recheck.restore-proposed', by: w.office.userId, before: null },
        ...{ after: { restorationId: id }, reason: '本人提交了学位证书原件，异议成立' },
      },
      {
        ...{ action: 'recheck.restored', by: w.admin.userId, before: { examine: 'disqualified', reviewState: 3 } },
        ...{ after: { restorationId: id, examine: 'passed', reviewState: 1, seats: 0 }, reason: '学位证书经核实有效' },
      },
    ])
    expect(
      await w.tenant.rows(sql`
        select title_zh as title, content_zh as content, need_sure as sure from notify where user_id = ${w.at(w.candidates, 0).userId} and event_key like 'selection-restore%'`),
    ).toEqual([
      {
        title: '异议成立，您的报名资格已恢复',
        content:
          '2026年区卫生健康系统事业单位公开招聘：您的报名资格已恢复，将重新进行资格复审，请留意通知并在“复审与聘用”中提交材料。说明：学位证书经核实有效',
        sure: true,
      },
    ])
    expect((await w.mine(0)).next).toBe('请于 2026-03-19 10:00 前确认是否参加')
    // Whoever moved up meanwhile keeps the place, and the re-review goes on.
    expect((await w.states()).map(one => [one.name, one.review])).toEqual([
      ['王一', 1],
      ['李二', 1],
      ['张三', 1],
      ['赵四', 1],
      ['钱五', 0],
      ['孙六', 1],
    ])
    expect((await w.review(0, 1)).body.data).toMatchObject({ reviewState: 2 })
  })

  test('[two persons: restore] nobody decides alone, nobody of another tenant sees it, a full post and a closed examination are said, and a refusal changes nothing', async () => {
    const w = await disqualified()
    const other = await disqualified()
    expect((await propose(other.office, w.signupId)).status).toBe(404)
    const both = await w.tenant.staff(['exam_admin', 'admin'], { realName: '兼任人' })
    const { id } = (await propose(both, w.signupId)).body.data
    expect((await decide(other.admin, id, 1)).status).toBe(404)
    // Nor does whoever disqualified it.
    await w.tenant.rows(sql`update examine_record set examiner_id = ${w.admin.userId} where after_state = 'disqualified'`)
    expect((await decide(w.admin, id, 1)).body.reason).toBe('kernel/two-persons-own')
    await w.tenant.rows(sql`update examine_record set examiner_id = ${w.office.userId} where after_state = 'disqualified'`)
    const alone = await decide(both, id, 1)
    expect([alone.status, alone.body.code, alone.body.msg]).toEqual([403, 2205, '恢复资格须由两人办理，您提出的提议须由另一人决定'])
    await w.tenant.rows(sql`update type_code set max_sign = 4 where exam_id = ${w.exam.examId} and code = 'B001'`)
    expect((await decide(w.admin, id, 1)).body.code).toBe(2107)
    await w.tenant.rows(sql`update type_code set max_sign = 0 where exam_id = ${w.exam.examId} and code = 'B001'`)
    await w.tenant.rows(sql`update examination set state = 'closed' where id = ${w.exam.examId}`)
    expect((await decide(w.admin, id, 1)).body.code).toBe(2101)
    await w.tenant.rows(sql`update examination set state = 'released' where id = ${w.exam.examId}`)
    expect(await w.state()).toEqual(out)
    expect((await decide(w.admin, id, 2, '证书编号查无记录')).body.data).toEqual({ id, state: 2, seats: 0 })
    expect(await w.state()).toEqual(out)
    expect(
      await w.tenant.rows(
        sql`select title_zh as title, content_zh as content from notify where user_id = ${w.at(w.candidates, 0).userId} and event_key like 'selection-restore%'`,
      ),
    ).toEqual([
      {
        title: '异议不成立，维持取消资格',
        content: '2026年区卫生健康系统事业单位公开招聘：经核查，维持取消资格的决定。说明：证书编号查无记录',
      },
    ])
    expect((await w.chainOf(w.office, { code: 'B001' }))[0]?.steps.at(-1)).toMatchObject({
      ...{ kind: 'notRestored', name: '王一', byName: '管理人', text: '异议不成立，维持取消资格：证书编号查无记录' },
    })
    // It may be proposed again, for instance with new papers.
    expect((await propose(w.office, w.signupId)).body.data.state).toBe(0)
    expect(await other.state()).toEqual(out)
  })

  test('papers still to come: a spare seat and a released ticket; without a free seat nothing changes; a ticket the office made void stays void', async () => {
    const tenant = await t.tenant()
    const room = rooms(1, { rows: 1, cols: 3, spare: 1 })[0] ?? {}
    const paper = { itemCode: '01', itemName: '综合基础知识', startTime: '2026-03-28 09:00:00', endTime: '2026-03-28 10:30:00' }
    const built = await buildExam(tenant, { exam: { ticket_begin: '2026-03-16 09:00:00' }, papers: [{ ...paper, rooms: [room] }] })
    const itemId = built.papers['01'] ?? ''
    const [office, admin] = [await tenant.staff('exam_admin'), await tenant.staff('admin')]
    const [gone, stays] = [
      await applicant(t, tenant, built.examId, { name: '王一' }),
      await applicant(t, tenant, built.examId, { name: '李二' }),
    ]
    expect((await office.post(`${exam}/creTicketEnd`, { json: { examId: built.examId, itemIds: itemId } })).body.data.made).toBe(2)
    expect(
      (await office.post(`${exam}/releaseTickets`, { json: { examId: built.examId, itemIds: itemId, force: 1 } })).body.data.step,
    ).toBe('released')
    await t.runTasks()
    const tickets = () =>
      tenant.rows<{ id: string; state: string; byRule: boolean; seat: string; no: string }>(sql`
        select id::text as id, ticket_state as state, void_by_rule as "byRule", seat_no as seat, ticket_no as no from ticket where signup_id = ${gone.signupId} order by id`)
    const [first] = await tickets()
    /** Called to the re-review before this paper, and refused there. */
    const disqualify = async () => {
      await tenant.rows(sql`update signup set review_state = 1, shortlist = 1, stage = 3 where id = ${gone.signupId}`)
      const done = await office.post('/blade-signup/examine/reviewInfo', {
        json: { signUpId: gone.signupId, examineResult: 3, remark: '没有学位证书' },
      })
      expect(done.body.data).toMatchObject({ reviewState: 3 })
    }
    await tenant.rows(sql`
      insert into selection_person (tenant_id, signup_id, exam_id, user_id, code, kind)
      values (${tenant.tenantId}, ${gone.signupId}, ${built.examId}, ${gone.person.userId}, 'B001', 1)`)
    await disqualify()
    expect((await tickets()).map(one => [one.state, one.byRule])).toEqual([['void', true]])
    await t.runTasks()
    expect(
      await tenant.rows(
        sql`select title_zh as title, content_zh as content from notify where user_id = ${gone.person.userId} and title_zh = '准考证已作废'`,
      ),
    ).toEqual([
      {
        title: '准考证已作废',
        content: '您在 2026年区卫生健康系统事业单位公开招聘 的报名不再有效，准考证已作废，座位不再保留。如有疑问请联系主办单位。',
      },
    ])
    const { id } = (await propose(office, gone.signupId)).body.data

    // Others sit on every seat: the refusal says so, and all of it is as before.
    await tenant.rows(sql`update exam_item set rooms = ${JSON.stringify([{ ...room, cols: 1, spare: 0 }])} where id = ${itemId}`)
    await tenant.rows(sql`update ticket set seat_no = '01' where signup_id = ${stays.signupId}`)
    const full = await decide(admin, id, 1)
    expect([full.status, full.body.code, full.body.msg]).toEqual([409, 2301, '座位不足，还差 1 个'])
    expect(
      await tenant.rows(sql`
        select s.examine, s.review_state as review, r.state from signup s join selection_restoration r on r.signup_id = s.id where s.id = ${gone.signupId}`),
    ).toEqual([{ examine: 'disqualified', review: 3, state: 'proposed' }])
    await tenant.rows(sql`update exam_item set rooms = ${JSON.stringify([room])} where id = ${itemId}`)

    // The third seat is the one that was kept free.
    expect((await decide(admin, id, 1)).body.data).toEqual({ id, state: 1, seats: 1 })
    const [void1, live] = await tickets()
    expect([void1?.id, void1?.state]).toEqual([first?.id, 'void'])
    expect([live?.state, live?.byRule, live?.seat]).toEqual(['released', false, '03'])
    expect(live?.no).not.toBe(first?.no)
    await t.runTasks()
    expect(
      await tenant.rows(
        sql`select title_zh as title from notify where user_id = ${gone.person.userId} and title_zh like '准考证可以打印%'`,
      ),
    ).toHaveLength(2)
    expect(
      await tenant.rows(sql`select template from sms_message where user_id = ${gone.person.userId} and template = 'ticket-released'`),
    ).toHaveLength(1)
    expect((await gone.person.get(`${exam}/getExamTicketList`, { query: { examId: built.examId } })).body.data.records).toMatchObject([
      { ticketNo: first?.no, ticketState: 3 },
      { seatNo: '03', ticketNo: live?.no, ticketState: 1 },
    ])

    // A ticket that the office itself had made void does not come back with the sign-up.
    expect((await office.post(`${exam}/delTicket`, { json: { id: live?.id, reason: '冒名' } })).body.code).toBe(200)
    await disqualify()
    const again = (await propose(office, gone.signupId)).body.data.id
    expect((await decide(admin, again, 1)).body.data).toEqual({ id: again, state: 1, seats: 0 })
    expect((await tickets()).map(one => one.state)).toEqual(['void', 'void'])
  })
})

describe('[4.2] a sign-up that has passed is disqualified: proposal, answer, decision by somebody else (amendment A8)', () => {
  const reason = '报名所填工作经历与单位证明不符，依据《事业单位公开招聘违纪违规行为处理规定》第六条'
  const suggest = (by: Person, signUpId: string, signVersion = 1) =>
    by.post('/blade-signup/examine/examine', { json: { signUpId, level: 4, examineResult: 3, examineResultRemark: reason, signVersion } })
  const settle = (by: Person, id: string, outcome: 1 | 2, json: object = {}) =>
    by.post('/blade-signup/selection/decideDisqualify', { json: { id, outcome, decision: '经核查属实', ...json } })
  const standing = async (by: Person, signUpId: string) =>
    (await by.get('/blade-signup/selection/standing', { query: { signUpId } })).body.data

  test('nothing happens before the person could answer; then seat, place and ticket go, and an objection brings them back', async () => {
    const tenant = await t.tenant()
    const paper = { itemCode: '01', itemName: '综合基础知识', startTime: '2026-03-28 09:00:00', endTime: '2026-03-28 10:30:00' }
    const built = await buildExam(tenant, {
      exam: { ticket_begin: '2026-03-16 09:00:00' },
      papers: [{ ...paper, rooms: rooms(1, { spare: 1 }) }],
    })
    const [office, admin] = [
      await tenant.staff('exam_admin', { realName: '考务人' }),
      await tenant.staff(['admin', 'exam_admin'], { realName: '管理人' }),
    ]
    const { person, signupId } = await applicant(t, tenant, built.examId, { name: '王一' })
    await tenant.rows(sql`update type_code set used_sign = 1 where exam_id = ${built.examId} and code = 'B001'`)
    const itemIds = built.papers['01'] ?? ''
    await office.post(`${exam}/creTicketEnd`, { json: { examId: built.examId, itemIds } })
    await office.post(`${exam}/releaseTickets`, { json: { examId: built.examId, itemIds, force: 1 } })
    await t.runTasks()
    const state = async () =>
      (
        await tenant.rows(sql`
          select s.examine, s.pay_state as pay, p.used_sign as used, (select string_agg(k.ticket_state, ',' order by k.id) from ticket k where k.signup_id = s.id) as tickets
          from signup s join type_code p on p.exam_id = s.exam_id and p.code = s.code where s.id = ${signupId}`)
      )[0]
    const sitting = { examine: 'passed', pay: 'paid', used: 1, tickets: 'released' }
    for (const role of ['reviewer1', 'unit_hr', 'recheck', 'finance', 'auditor'] as const)
      expect([role, (await suggest(await tenant.staff(role), signupId)).status]).toEqual([role, 403])
    expect((await suggest(await (await t.tenant()).staff('exam_admin'), signupId)).status).toBe(404)
    const waits = async (who: Person) => waitingFor(who, built.examId, 'proposals')
    expect(await waits(admin)).toEqual([0, undefined])
    expect((await suggest(office, signupId)).body.data).toEqual({ examine: 5, nextId: null, payState: 2 })
    expect(await waits(admin)).toEqual([1, 1])
    const twice = await suggest(admin, signupId)
    expect([twice.status, twice.body.reason]).toEqual([409, 'selection/disqualify-waiting'])
    const [{ id }] = (await standing(office, signupId)).disqualifications
    const told = await tenant.rows<{ id: string }>(sql`
      select id::text as id, title_zh as title, content_zh as content, need_sure as sure from notify where user_id = ${person.userId} and event_key = ${`selection-disqualify:${id}`}`)
    expect(told).toEqual([
      {
        ...{ id: expect.any(String), title: '拟取消报名资格告知', sure: true },
        content: `2026年区卫生健康系统事业单位公开招聘：${reason}。招考单位拟取消您的报名资格。您可在 2026-03-22 10:00 前登录，在“复审与聘用”中陈述、申辩；逾期未提出的，将依法作出决定。`,
      },
    ])
    expect(
      await tenant.rows(
        sql`select title_zh as title, link from notify where user_id = ${admin.userId} and event_key like 'selection-disqualify%'`,
      ),
    ).toEqual([{ title: '有取消资格的提议待决定', link: `/examine/signup/${signupId}` }])
    for (const role of ['exam_admin', 'unit_hr', 'recheck', 'auditor'] as const)
      expect([role, (await settle(await tenant.staff(role), id, 1)).status]).toEqual([role, 403])
    await t.runTasks()
    const early = await settle(admin, id, 1)
    expect([early.status, early.body.reason]).toEqual([409, 'selection/disqualify-early'])
    expect(early.body.msg).toContain('2026-03-22 10:00')
    expect((await settle(admin, id, 1, { decision: '' })).status).toBe(400)
    expect(await state()).toEqual(sitting)
    await person.post('/blade-exam/examination/sureNotify', { json: { id: told[0]?.id } })

    // The days to answer are over.
    t.clock.set('2026-03-22T10:00:00+08:00')
    expect((await settle(admin, id, 1)).body.data).toEqual({ id, state: 1, substitutes: 0 })
    await t.runTasks()
    expect(await waits(admin)).toEqual([0, undefined])
    expect(await state()).toEqual({ examine: 'disqualified', pay: 'paid', used: 0, tickets: 'void' })
    expect((await standing(admin, signupId)).disqualifications).toMatchObject([
      {
        ...{ id, state: 1, reason, byName: '考务人', time: '2026-03-17 10:00:00', answerUntil: '2026-03-22 10:00:00', statement: null },
        ...{ toldTime: '2026-03-17 10:00:00', decision: '经核查属实', decidedName: '管理人', decidedTime: '2026-03-22 10:00:00' },
      },
    ])
    expect(
      await tenant.rows(sql`
        select title_zh as title, content_zh as content, need_sure as sure from notify where user_id = ${person.userId} and event_key = ${`selection-disqualify:${id}:decided`}`),
    ).toEqual([
      {
        ...{ title: '取消报名资格决定', sure: true },
        content: `2026年区卫生健康系统事业单位公开招聘：因${reason}，决定取消您的报名资格。理由：经核查属实。如不服本决定，可依法申请复核、行政复议或者提起行政诉讼。`,
      },
    ])
    expect(
      await tenant.rows(sql`
        select action, user_id::text as by, before_value as before, after_value as after, reason from audit_log where action like 'recheck.disqualif%' order by id`),
    ).toEqual([
      {
        ...{ action: 'recheck.disqualify-proposed', by: office.userId, before: null, reason },
        after: { disqualificationId: id, answerUntil: '2026-03-22 10:00:00' },
      },
      {
        ...{ action: 'recheck.disqualified', by: admin.userId, before: { examine: 'passed', reviewState: 0 }, reason: '经核查属实' },
        after: { disqualificationId: id, examine: 'disqualified', substitutes: 0 },
      },
    ])
    expect((await settle(admin, id, 2)).body.reason).toBe('selection/disqualify-decided')
    expect((await suggest(office, signupId)).body.reason).toBe('examine/wrong-state')

    // The other way round: who was never in a re-review is restored too, with a seat of its own.
    const back = (await propose(office, signupId)).body.data.id
    expect((await decide(admin, back, 1)).body.reason).toBe('kernel/two-persons-own')
    expect((await decide(await tenant.staff('admin'), back, 1)).body.data).toEqual({ id: back, state: 1, seats: 1 })
    await t.runTasks()
    expect(await state()).toEqual({ ...sitting, tickets: 'void,released' })
    expect(
      await tenant.rows(
        sql`select content_zh as content from notify where user_id = ${person.userId} and event_key like 'selection-restore%'`,
      ),
    ).toEqual([{ content: '2026年区卫生健康系统事业单位公开招聘：您的报名资格已恢复，请登录查看下一步。说明：学位证书经核实有效' }])
  })

  test('[two persons: disqualify] whoever answered need not wait; nobody decides alone; in the re-review the next moves up; not upheld changes nothing', async () => {
    const w = await recruit(t)
    await w.tenant.rows(sql`update type_code set used_sign = 5 where exam_id = ${w.exam.examId} and code = 'B001'`)
    await w.release('01')
    await t.runTasks()
    await w.start()
    expect((await w.review(0, 1)).body.data).toMatchObject({ reviewState: 2 })
    const admin = await w.tenant.staff(['admin', 'exam_admin'], { realName: '管理人' })
    const idOf = async (i: number): Promise<string> => (await standing(admin, w.at(w.signups, i).id)).disqualifications[0].id
    await suggest(admin, w.at(w.signups, 1).id)
    // Whoever proposed it does not decide on it: to others it is work.
    expect([
      await waitingFor(admin, w.exam.examId, 'proposals'),
      await waitingFor(await w.tenant.staff('admin'), w.exam.examId, 'proposals'),
    ]).toEqual([
      [0, undefined],
      [1, 1],
    ])
    const own = await settle(admin, await idOf(1), 2)
    expect([own.status, own.body.reason]).toEqual([403, 'selection/disqualify-own'])
    await suggest(w.office, w.at(w.signups, 0).id)
    await w.tenant.rows(sql`update signup set reduction_state = 1 where id = ${w.at(w.signups, 0).id}`)
    const statement = '本人承认材料有误'
    // What was heard otherwise than in the account is noted with when and how; an answer in the account needs neither, and nobody rewrites it.
    const noted = { statement, statementWay: 2, statementTime: '2026-03-17 10:00:00' }
    for (const how of [
      { statement },
      { ...noted, statementTime: '2026-03-17 09:59:00' },
      { ...noted, statementTime: '2026-03-17 10:00:01' },
    ])
      expect((await settle(admin, await idOf(0), 1, how)).body.reason).toBe('selection/statement-how')
    const [person, stranger] = [w.at(w.candidates, 0), w.at(w.candidates, 1)]
    const answer = async (who: typeof person, text: string) =>
      who.post('/blade-signup/selection/answerProposal', { json: { id: await idOf(0), statement: text } })
    expect((await answer(stranger, statement)).status).toBe(404)
    expect((await answer(person, '先前的说法')).body.data).toEqual({ id: await idOf(0), statedTime: '2026-03-17 10:00:00' })
    expect((await answer(person, statement)).body.code).toBe(200)
    const mine = (await person.get('/blade-signup/selection/ownProposals')).body.data
    expect(mine).toMatchObject([
      { state: 0, reason: expect.stringContaining('工作经历与单位证明不符'), statement, statedTime: '2026-03-17 10:00:00', decision: null },
    ])
    expect((await stranger.get('/blade-signup/selection/ownProposals')).body.data.map((one: { state: number }) => one.state)).toEqual([0])
    expect((await settle(admin, await idOf(0), 1, { ...noted, statement: '另一种说法' })).body.data.fields).toEqual([
      { field: 'statement', msg: '本人已在线陈述，不能改写' },
    ])
    expect((await settle(admin, await idOf(0), 1)).body.reason).toBe('selection/disqualify-moving')
    await w.tenant.rows(sql`update signup set reduction_state = 0 where id = ${w.at(w.signups, 0).id}`)
    expect((await settle(admin, await idOf(0), 1)).body.data).toMatchObject({ state: 1, substitutes: 2 })
    expect((await answer(person, '太晚了')).body.reason).toBe('hearing/decided')
    expect((await w.mine(0)).next).toBe('您的报名资格已被取消')
    await t.runTasks()
    expect((await w.states()).map(one => [one.name, one.review])).toEqual([
      ['王一', 3],
      ['李二', 1],
      ['张三', 1],
      ['赵四', 1],
      ['钱五', 0],
      ['孙六', 1],
    ])
    expect((await w.chainOf(w.office, { code: 'B001' }))[0]?.steps.map(one => [one.kind, one.name]).slice(-3)).toEqual([
      ['disqualified', '王一'],
      ['substituted', '张三'],
      ['substituted', '赵四'],
    ])
    expect((await standing(w.office, w.at(w.signups, 0).id)).disqualifications[0]).toMatchObject({
      statement,
      statementWay: 4,
      statementTime: '2026-03-17 10:00:00',
    })
    const another = await w.tenant.staff('admin')
    expect((await settle(another, await idOf(1), 2)).body.data).toMatchObject({ state: 2, substitutes: 0 })
    expect((await w.states())[1]).toMatchObject({ name: '李二', review: 1 })
    expect(
      await w.tenant.rows(sql`
        select title_zh as title from notify where user_id = ${w.at(w.candidates, 1).userId} and event_key like 'selection-disqualify:%:decided'`),
    ).toEqual([{ title: '不予取消报名资格' }])
  })
})
