import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { fromWireTime } from '#contract/kernel/when.ts'
import { sql } from '#kernel/db/sql.ts'
import { type Person, startTestApp, type TestApp } from '../../support/app.ts'
import { doWork } from '../../support/own-work.ts'
import { type Recruited, recruit, writeScores } from '../../support/selecting.ts'
import { sheetCells } from '../../support/sheet-text.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())

const at = (wire: string) => fromWireTime(wire) ?? new Date(0)
beforeEach(() => t.clock.set(at('2026-03-17 10:00:00')))

/** After the interview: the first two of B001 and the one of A002 passed the re-review; of B001 the second is the better one in the sum. */
const interviewed = async (scores: readonly string[] = ['80.00', '90.00', '75.00']) => {
  const w = await recruit(t)
  await w.release('01')
  await w.start()
  for (const i of [0, 1, 5]) await w.review(i, 1)
  await writeScores(w.tenant, w.exam, '02', w.importer, [
    [w.at(w.signups, 0), scores[0] ?? ''],
    [w.at(w.signups, 1), scores[1] ?? ''],
    [w.at(w.signups, 5), scores[2] ?? ''],
  ])
  const open = (json: Record<string, unknown> = {}) =>
    w.office.post('/blade-signup/selection/openStages', { json: { examId: w.exam.examId, ...json } })
  const save = (people: readonly number[], stage: number, result: number, json: Record<string, unknown> = {}, by: Person = w.office) =>
    by.post('/blade-signup/signup/saveStage', {
      json: { signupIds: people.map(i => w.at(w.signups, i).id).join(','), stage, result, ...json },
    })
  const list = async (by: Person = w.office, query: Record<string, unknown> = {}) =>
    (await by.get('/blade-signup/selection/stageList', { query: { examId: w.exam.examId, ...query } as never })).body.data
  const brief = async () =>
    (await list()).records.map((row: { name: string; stage: number; state: number; kind: number; rank: number; total: string }) => [
      row.name,
      row.stage,
      row.state,
      row.kind,
      row.rank,
      row.total,
    ])
  return { ...w, open, save, list, brief }
}
const entered = async () => {
  const w = await interviewed()
  await w.release('02')
  await t.runTasks()
  expect((await w.open()).body.code).toBe(200)
  return w
}
type World = Awaited<ReturnType<typeof interviewed>>
/** Who was reminded of what about medical checks. */
const reminded = (w: Pick<Recruited, 'tenant'>) =>
  w.tenant.rows(sql<{ user: string; title: string; content: string; link: string }>`
    select user_id::text as "user", title_zh as title, content_zh as content, link from notify
    where event_key like 'selection-overdue:%' or event_key like 'selection-ask-ends:%' order by id`)
const kinds = async (w: Pick<Recruited, 'chainOf' | 'office'>, from: number) =>
  ((await w.chainOf(w.office, { code: 'B001' }))[0]?.steps ?? []).slice(from).map(step => [step.kind, step.name, step.otherName, step.text])

describe('[S7.40] after the interview', () => {
  test('as many as a post has places enter the medical check by their totals, after the results, and once', async () => {
    const w = await interviewed()
    const early = await w.open()
    expect([early.status, early.body.code, early.body.msg]).toEqual([409, 2403, '成绩尚未全部发布，不能确定体检人员：面试'])
    await w.release('02')
    await t.runTasks()
    const plan = (await w.open({ dryRun: 1 })).body.data
    expect(plan).toEqual({
      people: 2,
      posts: [
        { code: 'B001', codeName: '护士', places: 1, held: 0, now: 1, tied: [] },
        { code: 'A002', codeName: '全科医师', places: 1, held: 0, now: 1, tied: [] },
      ],
    })
    expect((await w.list()).total).toBe(0)
    expect((await w.open()).body.data.people).toBe(2)
    expect(await w.brief()).toEqual([
      ['李二', 5, 0, 1, 1, '87.50'],
      ['孙六', 5, 0, 1, 1, '70.50'],
    ])
    expect((await w.list()).counts).toEqual([{ stage: 5, count: 2 }])
    const again = await w.open()
    expect([again.body.code, again.body.msg]).toEqual([2201, '没有可进入体检的人员'])
    expect(await w.mine(1)).toMatchObject({ stage: 5, state: 0, next: '请等候体检通知；体检合格后进入考察', mayGiveUp: true })
    const other = await entered()
    expect((await other.office.get('/blade-signup/selection/stageList', { query: { examId: w.exam.examId } })).status).toBe(404)
    expect((await w.save([1], 5, 1, {}, other.office)).status).toBe(404)
    expect((await w.save([1], 5, 1, {}, await w.tenant.staff('unit_hr', { userCode: 'H01' }))).status).toBe(403)
    expect((await w.list(await w.tenant.staff('unit_hr', { userCode: 'H02' }))).records.map((row: { name: string }) => row.name)).toEqual([
      '孙六',
    ])
  })

  test('people who share the last rank are not preferred by the program: the office says who enters', async () => {
    const w = await interviewed(['85.00', '90.00', '75.00'])
    await w.tenant.db(db => db.run(sql`update examination set tie_break = '[]' where id = ${w.exam.examId}`))
    await w.release('02')
    await t.runTasks()
    const plan = (await w.open({ dryRun: 1 })).body.data.posts[0]
    expect(plan).toMatchObject({ code: 'B001', places: 1, now: 0 })
    expect(plan.tied.map((one: { name: string; rank: number; total: string }) => [one.name, one.rank, one.total])).toEqual([
      ['王一', 1, '87.50'],
      ['李二', 1, '87.50'],
    ])
    expect((await w.open({ picks: w.at(w.signups, 0).id })).body.data.people).toBe(2)
    expect((await w.brief()).map(([name]: [string]) => name)).toEqual(['王一', '孙六'])
  })

  test('a medical check that was not passed may be repeated once and in time; then the next moves up and is called', async () => {
    const w = await entered()
    const far = (await kinds(w, 0)).length
    const without = await w.save([1], 5, 2)
    expect([without.status, without.body.msg]).toEqual([400, '请填写原因'])
    expect((await w.save([1], 6, 1)).body.msg).toBe('李二 不在“考察”环节或已有结论，没有保存任何结果')
    expect((await w.save([5], 6, 4, {})).body.msg).toBe('只有体检可以复检')
    expect((await w.save([1], 5, 2, { remark: '血压偏高', date: '2026-03-17' })).body.data).toEqual({ saved: 1, substitutes: 0 })
    expect(await w.mine(1)).toMatchObject({
      state: 5,
      until: '2026-03-24 10:00:00',
      mayAskRecheck: true,
      next: '体检不合格。可于 2026-03-24 10:00 前申请复检一次，不申请即为不合格',
    })
    const ask = (i: number) =>
      w.at(w.candidates, i).post('/blade-signup/selection/askRecheck', { json: { signupId: w.at(w.signups, i).id } })
    // Seven working days after the day of the request: the weekend in between does not count.
    expect((await ask(1)).body.data).toEqual({ until: '2026-03-26 24:00' })
    expect((await ask(1)).body.data).toEqual({ until: '2026-03-26 24:00' })
    expect((await ask(5)).body.code).toBe(2201)
    expect(await reminded(w)).toEqual([])
    t.clock.set(at('2026-03-27 10:00:00'))
    await doWork(t, 'selection.remind')
    await doWork(t, 'selection.remind')
    expect((await reminded(w)).filter(row => row.user === w.office.userId)).toEqual([
      {
        user: w.office.userId,
        title: '复检逾期未登记结论',
        content: '2026年区卫生健康系统事业单位公开招聘：1 人的复检已到期，尚未登记结论，请尽快登记。',
        link: `/result/selection?examId=${w.exam.examId}`,
      },
    ])
    t.clock.set(at('2026-03-17 10:00:00'))
    expect((await ask(0)).status).toBe(409)
    expect((await w.save([1], 5, 2, { remark: '复检仍不合格' })).body.data).toEqual({ saved: 1, substitutes: 1 })
    expect(await w.brief()).toEqual([
      ['李二', 9, 2, 1, 1, '87.50'],
      ['王一', 5, 0, 2, 2, '85.00'],
      ['孙六', 5, 0, 1, 1, '70.50'],
    ])
    expect(await kinds(w, far)).toEqual([
      ['stepFailing', '李二', null, '体检不合格：血压偏高；可于 2026-03-24 10:00 前申请复检一次'],
      ['recheckAsked', '李二', null, '申请复检，应于 2026-03-26 前完成'],
      ['stepFailed', '李二', null, '体检不合格：复检仍不合格'],
      ['substituted', '王一', '李二', '递补：应有 1 人，现有 0 人，按名次由下一名递补（名次 2，成绩 85.00）；请于 2026-03-19 10:00 前确认'],
    ])
    expect(await w.mine(0)).toMatchObject({ stage: 5, kind: 2, call: { kind: 2, stage: 5, state: 0 } })
    expect((await w.mine(1)).next).toBe('您未通过体检')
    expect(await w.tenant.rows(sql`select template, user_id::text as "user" from sms_message where template = 'substitute-call'`)).toEqual([
      { template: 'substitute-call', user: w.at(w.candidates, 0).userId },
    ])
    // The one who moved up gives up, and nobody is left.
    expect((await w.answer(0, 2, { confirm: '放弃' })).body.data).toEqual({ state: 2 })
    expect((await kinds(w, far + 4)).map(([kind, name]) => [kind, name])).toEqual([
      ['declined', '王一'],
      ['listEnded', null],
    ])
  })

  test('without a request in time the outcome stays; an examination without substitution leaves the place free', async () => {
    const w = await entered()
    const rule = { confirmHours: 24, substitute: 0, medicalAskDays: 7, medicalDoneDays: 7, contacts: 3 }
    const saved = await w.office.post('/blade-signup/selection/saveRule', { json: { examId: w.exam.examId, ...rule } })
    expect(saved.body.code).toBe(200)
    expect((await w.office.get('/blade-signup/selection/rule', { query: { examId: w.exam.examId } })).body.data).toEqual({
      ...rule,
      publicityDays: 5,
    })
    expect((await w.save([1], 5, 4)).body.msg).toBe('复检只能申请一次，且须在 - 前提出')
    await w.save([1], 5, 2, { remark: '血压偏高' })
    t.clock.set(at('2026-03-24 10:00:00'))
    const late = await w.at(w.candidates, 1).post('/blade-signup/selection/askRecheck', { json: { signupId: w.at(w.signups, 1).id } })
    expect([late.status, late.body.msg]).toEqual([409, '复检只能申请一次，且须在 2026-03-24 10:00 前提出'])
    t.clock.set(at('2026-03-24 10:01:00'))
    await doWork(t, 'selection.deadlines')
    expect((await w.brief())[0]).toEqual(['李二', 9, 2, 1, 1, '87.50'])
    expect((await kinds(w, 0)).slice(-2).map(([kind, , , text]) => [kind, text])).toEqual([
      ['recheckLapsed', '2026-03-24 10:00 前未申请复检，体检不合格'],
      ['noSubstitution', '不递补：本考试体检环节不递补'],
    ])
  })

  const published = async (w: World) => {
    const made = (await w.office.post('/blade-desk/notice/makePublicity', { json: { examId: w.exam.examId, list: 2 } })).body.data
    const moved = await w.office.post('/blade-desk/notice/changeState', { json: { id: made.id, event: 'publish' } })
    expect(moved.body.code).toBe(200)
    return made as { id: string; people: number }
  }

  test('[two persons: objectionUpheld] vetting, a publicity of the required working days without open objections, the hire, and the end for all others', async () => {
    const w = await entered()
    expect((await w.save([1, 5], 5, 1, { date: '2026-03-17' })).body.data).toEqual({ saved: 2, substitutes: 0 })
    // One of two does not fit: nothing is saved of either.
    await w.save([5], 6, 3, { remark: '本人放弃' })
    expect((await w.save([1, 5], 6, 1)).body.msg).toBe('孙六 不在“考察”环节或已有结论，没有保存任何结果')
    expect((await w.save([1], 6, 1)).body.data).toEqual({ saved: 1, substitutes: 0 })
    expect(await w.mine(1)).toMatchObject({ stage: 7, next: '拟聘用公示中；公示期满无异议即聘用' })
    const none = await w.save([1], 7, 1)
    expect([none.status, none.body.msg]).toEqual([409, '李二 尚未完成公示：拟聘用名单须公示满 5 个工作日'])
    const made = await published(w)
    expect(made.people).toBe(1)
    const content = (await w.office.get('/blade-desk/notice/detail', { query: { id: made.id } })).body.data.content as string
    expect([content.includes('李二'), content.includes('王一'), content.includes('孙六'), content.includes('87.50')]).toEqual([
      true,
      false,
      false,
      true,
    ])
    expect((await w.office.post('/blade-desk/notice/makePublicity', { json: { examId: w.exam.examId, list: 2 } })).body.code).not.toBe(200)
    const objection = await w.office.post('/blade-signup/selection/addObjection', {
      json: { signupId: w.at(w.signups, 1).id, content: '学历存疑', source: '来信' },
    })
    expect(
      (await w.office.post('/blade-signup/selection/addObjection', { json: { signupId: w.at(w.signups, 0).id, content: '-' } })).body.msg,
    ).toBe('只能对公示中的人员登记异议')
    t.clock.set(at('2026-03-23 23:59:59'))
    expect((await w.save([1], 7, 1)).body.msg).toBe('李二 尚未完成公示：拟聘用名单须公示满 5 个工作日')
    t.clock.set(at('2026-03-24 00:00:00'))
    expect((await w.save([1], 7, 1)).body.msg).toBe('李二 有未核查完的异议，不能通过公示')
    const ended = (who: typeof w.office, id: string, state: 2 | 3) =>
      who.post('/blade-signup/selection/endObjection', { json: { id, state, decision: '学历经学信网核实无误' } })
    // Who recorded it does not find it right, nor does anybody before the person answered or the days are over: until then it is found unfounded alone.
    const second = await w.tenant.staff('exam_admin')
    expect((await ended(w.office, objection.body.data.id, 3)).body.reason).toBe('kernel/two-persons-own')
    const [told] = await w.tenant.rows(sql<{ title: string; until: boolean }>`
      select n.title_zh as title, o.answer_until = o.created_at + interval '5 days' as until
      from selection_objection o join notify n on n.event_key = 'selection_objection:' || o.id and n.user_id = o.user_id`)
    expect(told).toEqual({ title: '公示期间收到对您的异议', until: true })
    const texts = await w.tenant.rows(sql<{ content: string }>`select content from sms_message where template = 'proposal-made'`)
    expect(texts.map(one => one.content)).toEqual([expect.stringContaining('公示期间收到对您的异议')])
    await w.tenant.rows(sql`update selection_objection set answer_until = app_now() + interval '1 day'`)
    await t.runTasks()
    expect((await ended(second, objection.body.data.id, 3)).body.reason).toBe('selection/objection-early')
    const end = (id: string) => ended(w.office, id, 2)
    expect((await end(objection.body.data.id)).body.code).toBe(200)
    expect((await end(objection.body.data.id)).body.msg).toBe('该异议已核查')
    expect((await w.office.get('/blade-signup/selection/objections', { query: { examId: w.exam.examId } })).body.data).toMatchObject([
      {
        name: '李二',
        code: 'B001',
        content: '学历存疑',
        source: '来信',
        state: 2,
        decision: '学历经学信网核实无误',
        byName: '考务人',
        decidedName: '考务人',
      },
    ])
    expect((await w.save([1], 7, 1)).body.data).toEqual({ saved: 1, substitutes: 0 })
    const finish = (confirmCode: string) => w.office.post('/blade-signup/selection/end', { json: { examId: w.exam.examId, confirmCode } })
    expect((await finish('HZ2026A')).body.msg).toBe('还有 1 人未有结论，不能结束')
    expect((await w.save([1], 8, 1, { date: '2026-03-24', remark: '4 月 1 日报到' })).body.data).toEqual({ saved: 1, substitutes: 0 })
    expect(await w.mine(1)).toMatchObject({
      stage: 8,
      state: 1,
      date: '2026-03-24',
      next: '您已被聘用，请按单位通知办理手续',
      mayGiveUp: false,
    })
    expect((await finish('HZ2026B')).body.msg).toBe('请输入本场考试的考试编码以确认')
    // Everybody who was never called, and the one who was second.
    expect((await finish('HZ2026A')).body.data).toEqual({ people: 4 })
    expect((await w.states()).map(one => [one.name, one.stage])).toEqual([
      ['王一', 9],
      ['李二', 8],
      ['张三', 9],
      ['赵四', 9],
      ['钱五', 9],
      ['孙六', 9],
    ])
    expect(
      await w.tenant.rows(
        sql`select title_zh as title from notify where user_id = ${w.at(w.candidates, 1).userId} and kind = 6 order by id`,
      ),
    ).toEqual([
      { title: '您已入围资格复审，请确认' },
      { title: '资格复审通过' },
      { title: '您已进入体检环节' },
      { title: '您已进入考察环节' },
      { title: '您已进入公示环节' },
      { title: '您已进入聘用环节' },
      { title: '您已被聘用' },
    ])
  })

  test('the list of a stage is a workbook for the hospital: numbers of cards and phones masked', async () => {
    const w = await entered()
    const book = await w.office.get('/blade-signup/selection/exportStage', { query: { examId: w.exam.examId, stage: 5 } })
    expect(book.status).toBe(200)
    const rows = (await sheetCells(book.raw)).slice(1)
    expect(rows[0]).toEqual([
      ...['序号', '单位', '岗位代码', '岗位', '姓名', '性别', '身份证号', '手机号'],
      ...['准考证号', '总成绩', '名次', '环节', '结果', '是否递补', '日期', '备注'],
    ])
    expect(rows.slice(1).map(row => [row[2], row[4], row[6], row[7], row[9], row[10], row[11], row[12]])).toEqual([
      ['B001', '李二', '3301**********1023', '138****0001', 87.5, 1, '体检', '待定'],
      ['A002', '孙六', '3301**********1023', '138****0001', 70.5, 1, '体检', '待定'],
    ])
    const recheck = await w.office.get('/blade-signup/selection/exportRecheck', { query: { examId: w.exam.examId } })
    expect((await sheetCells(recheck.raw)).slice(2).map(row => [row[2], row[4], row[8], row[10]])).toEqual([
      ['B001', '王一', 1, '复审通过'],
      ['B001', '李二', 2, '复审通过'],
      ['A002', '孙六', 1, '复审通过'],
    ])
    expect(
      await w.tenant.rows(sql`select action from audit_log where action in ('selection.exported', 'recheck.exported') order by id`),
    ).toEqual([{ action: 'selection.exported' }, { action: 'recheck.exported' }])
  })
})

describe('[4.2] a disqualification after the interview (amendment A8)', () => {
  test('whoever is disqualified in the medical check leaves it, and the next enters', async () => {
    const w = await entered()
    const admin = await w.tenant.staff('admin')
    const at1 = w.at(w.signups, 1).id
    await w.tenant.rows(sql`update type_code set used_sign = 5 where exam_id = ${w.exam.examId} and code = 'B001'`)
    const propose = async (signUpId: string): Promise<string> => {
      const json = { signUpId, level: 4, examineResult: 3, examineResultRemark: '学历材料不实', signVersion: 1 }
      expect((await w.office.post('/blade-signup/examine/examine', { json })).body.code).toBe(200)
      return (await admin.get('/blade-signup/selection/standing', { query: { signUpId } })).body.data.disqualifications[0].id
    }
    const settle = async (id: string) => {
      const statement = { fields: { id, statement: '本人承认' }, files: [] }
      expect((await w.at(w.candidates, 1).post('/blade-signup/selection/answerProposal', { multipart: statement })).body.code).toBe(200)
      return admin.post('/blade-signup/selection/decideDisqualify', { json: { id, outcome: 1, decision: '经核查属实' } })
    }
    const where = async (signupId: string) =>
      (
        await w.tenant.rows(sql`
          select s.examine, s.review_state as review, s.stage, p.step, p.ended_stage as ended from signup s join selection_person p on p.signup_id = s.id where s.id = ${signupId}`)
      )[0]
    expect(await where(at1)).toEqual({ examine: 'passed', review: 2, stage: 5, step: 'open', ended: null })
    expect((await settle(await propose(at1))).body.data).toMatchObject({ state: 1, substitutes: 1 })
    await t.runTasks()
    expect(await where(at1)).toEqual({ examine: 'disqualified', review: 3, stage: 9, step: 'failed', ended: 5 })
    expect((await w.brief()).filter((row: unknown[]) => row[1] === 5).map((row: unknown[]) => row[0])).toEqual(['王一', '孙六'])
  })
})
