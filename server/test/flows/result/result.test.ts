import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { type Person, startTestApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { type BuiltExam, buildExam, type ExamOverrides } from '../../support/factories.ts'
import { doWork } from '../../support/own-work.ts'
import { insertSignups, insertTickets, type SignupRef } from '../../support/sign-up-rows.ts'
import { workbook } from '../../support/workbook.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())

interface Score {
  readonly score?: string | null
  readonly state?: number
  readonly bonus?: string
}
/** What an import of this paper by `importer` leaves behind. */
const writeResults = (
  tenant: TestTenant,
  exam: BuiltExam,
  paper: string,
  importer: Person,
  scores: readonly (readonly [SignupRef, Score])[],
) =>
  tenant.db(async db => {
    for (const [i, [signup, { score = null, state = 1, bonus = '0' }]] of scores.entries())
      await db.run(sql`
        insert into result (tenant_id, exam_id, item_id, signup_id, user_id, ticket_no, name, score, result_state, bonus, final_score, created_by, updated_by)
        values (${tenant.tenantId}, ${exam.examId}, ${exam.papers[paper]}, ${signup.id}, ${signup.userId}, ${`2603010010${String(i).padStart(2, '0')}`}, ${signup.name},
          ${score}, ${state}, ${bonus}, ${score === null ? null : sql`${score}::numeric + ${bonus}::numeric`}, ${importer.userId}, ${importer.userId})`)
    await db.run(sql`
      update exam_item set score_state = 'imported', score_import_by = ${importer.userId}, score_import_at = app_now() where id = ${exam.papers[paper]}`)
  })

/** Sat the day before the clock of the tests. */
const sat = [{ itemCode: '01', itemName: '综合基础知识', startTime: '2026-03-16 09:00:00', endTime: '2026-03-16 10:30:00' }]
const examCode = 'HZ2026A'

const setUp = async (overrides: ExamOverrides = {}) => {
  const tenant = await t.tenant()
  const exam = await buildExam(tenant, { papers: sat, ...overrides })
  const importer = await tenant.staff('exam_admin', { realName: '导入人' })
  const releaser = await tenant.staff('exam_admin', { realName: '发布人' })
  const candidates = [await tenant.candidate({ realName: '王测' }), await tenant.candidate({ realName: '李测' })]
  const signups = await insertSignups(tenant, exam.examId, [
    { name: '王测', code: 'B001', type: 'B', unit: 'H01', userId: candidates[0]?.userId ?? '' },
    { name: '李测', code: 'B001', type: 'B', unit: 'H01', userId: candidates[1]?.userId ?? '' },
    { name: '张测', code: 'B001', type: 'B', unit: 'H01' },
    { name: '赵测', code: 'A002', type: 'A', unit: 'H02' },
  ])
  const [wang, li, zhang, zhao] = signups
  const [wangUser, liUser] = candidates
  if (!wang || !li || !zhang || !zhao || !wangUser || !liUser) throw new Error('four sign-ups and two candidates')
  const release = (by: Person, json: Record<string, unknown> = {}) =>
    by.post('/blade-exam/examination/releaseResults', {
      json: { examId: exam.examId, itemIds: exam.papers['01'], state: 1, confirmCode: examCode, ...json },
    })
  const scoreOf = async (who: Person, query: Record<string, string> = {}) => {
    await t.app.catchUp()
    return who.get('/blade-signup/score/getExamScore', { query: { examId: exam.examId, ...query } })
  }
  const audited = () =>
    tenant
      .rows(sql<{ action: string }>`select action from audit_log where action like 'result.%' order by id`)
      .then(rows => rows.map(row => row.action))
  return { tenant, exam, importer, releaser, wang, li, zhang, zhao, wangUser, liUser, release, scoreOf, audited }
}

const four = (s: { wang: SignupRef; li: SignupRef; zhang: SignupRef; zhao: SignupRef }): (readonly [SignupRef, Score])[] => [
  [s.wang, { score: '76.50', bonus: '2.00' }],
  [s.li, { score: '69.50' }],
  [s.zhang, { score: '70.00' }],
  [s.zhao, { state: 2 }],
]

describe('release', () => {
  test('[two persons: resultRelease] [S7.40][S7.50] before it 2403, then the score, the rank in the post and a notice; never by the importer (2402)', async () => {
    const s = await setUp()
    expect((await s.release(s.releaser)).body).toMatchObject({ code: 2201, msg: '科目 综合基础知识 没有可发布的成绩' })
    await writeResults(s.tenant, s.exam, '01', s.importer, four(s))
    const early = await s.scoreOf(s.wangUser)
    expect([early.status, early.body.code, early.body.msg]).toEqual([409, 2403, '成绩尚未发布'])
    const same = await s.release(s.importer)
    expect([same.status, same.body.code, same.body.msg]).toEqual([409, 2402, '导入人与发布人不能相同'])
    expect(await s.audited()).toEqual([])

    expect((await s.release(s.releaser, { sms: 1 })).body.data).toEqual({ people: 4, scheduled: null, plan: null })
    const view = {
      items: [{ itemId: s.exam.papers['01'], itemName: '综合基础知识', score: '76.50', fullScore: '100.00', resultState: 1 }],
      written: '78.50',
      bonus: '2.00',
      total: '78.50',
      rank: 1,
      postCount: 3,
      inCheck: [],
      out: null,
      shortlist: 1,
      nextStep: '您已入围，请留意资格复审和面试通知',
    }
    expect((await s.scoreOf(s.wangUser)).body.data).toEqual(view)
    expect((await s.scoreOf(s.liUser)).body.data).toMatchObject({ written: '69.50', rank: 3, postCount: 3 })
    const [state] = await s.tenant.rows(sql`
      select score_state, score_release_by::text as by, score_release_at is not null as at from exam_item where id = ${s.exam.papers['01']}`)
    expect(state).toEqual({ score_state: 'released', by: s.releaser.userId, at: true })

    expect(await t.runTasks()).toEqual(['result.notify', 'message.send-sms', 'message.send-sms'])
    const notices = await s.tenant.rows(sql`
      select user_id::text as user, kind, title_zh as title, content_zh as content, link from notify order by user_id`)
    expect(notices).toHaveLength(4)
    expect(notices).toContainEqual({
      user: s.wangUser.userId,
      kind: 4,
      title: '成绩已发布',
      content: '2026年区卫生健康系统事业单位公开招聘 成绩已发布，请登录查看。',
      link: '/signup/score',
    })
    expect(await s.audited()).toEqual(['result.released'])
    expect((await s.release(s.releaser)).body.code).toBe(2201)
  })

  test('[S7.50] nobody reads the score of somebody else, of another tenant, or past the row policy', async () => {
    const s = await setUp()
    const other = await setUp()
    for (const one of [s, other]) await writeResults(one.tenant, one.exam, '01', one.importer, four(one))
    const asCandidate = () =>
      t.app.services.scopes.tx({ kind: 'candidate', tenantId: s.tenant.tenantId, userId: s.liUser.userId }, t.clock.now(), async db => ({
        results: (await db.all(sql<{ name: string }>`select name from result`)).map(row => row.name),
        totals: (await db.all(sql`select 1 from score_total`)).length,
      }))
    expect(await asCandidate()).toEqual({ results: [], totals: 0 })
    for (const one of [s, other]) await one.release(one.releaser)
    expect(await asCandidate()).toEqual({ results: ['李测'], totals: 1 })
    expect((await s.scoreOf(s.liUser, { signupId: s.wang.id })).body.data.written).toBe('69.50')
    expect((await other.scoreOf(s.liUser)).status).toBe(404)
    expect((await other.scoreOf(s.releaser, { signupId: other.wang.id })).status).toBe(404)
    expect((await s.scoreOf(await s.tenant.candidate())).status).toBe(404)
    expect((await s.scoreOf(s.releaser, { signupId: s.wang.id })).body.data.written).toBe('78.50')
    expect((await s.scoreOf(await s.tenant.staff('unit_hr', { userCode: 'H02' }), { signupId: s.wang.id })).status).toBe(404)
    expect((await s.scoreOf(await s.tenant.staff('finance'), { signupId: s.wang.id })).status).toBe(403)
  })

  test('written and interview: no total before both are out, then 81.88 at half and half; rank hidden, line shown as asked', async () => {
    const papers = [
      { itemCode: '01', itemName: '笔试', startTime: '2026-03-15 09:00:00', endTime: '2026-03-15 10:30:00' },
      { itemCode: '11', itemName: '面试', itemType: 2 as const, startTime: '2026-03-16 09:00:00', endTime: '2026-03-16 18:00:00' },
    ]
    const s = await setUp({ papers })
    await writeResults(s.tenant, s.exam, '01', s.importer, [
      [s.wang, { score: '78.50' }],
      [s.li, { score: '80.00' }],
    ])
    await s.release(s.releaser, { showRank: 0, showLine: 1 })
    const first = (await s.scoreOf(s.wangUser)).body.data
    expect(Object.keys(first).sort()).toEqual(['inCheck', 'items', 'line', 'nextStep', 'out', 'shortlist', 'written'])
    expect([first.written, first.line, first.shortlist, first.nextStep]).toEqual([
      '78.50',
      '78.50',
      1,
      '您已入围，请留意资格复审和面试通知；面试后公布总成绩',
    ])
    await writeResults(s.tenant, s.exam, '11', s.importer, [
      [s.wang, { score: '85.25' }],
      [s.li, { state: 3 }],
    ])
    await s.release(s.releaser, { itemIds: s.exam.papers['11'] })
    expect((await s.scoreOf(s.wangUser)).body.data).toMatchObject({
      written: '78.50',
      interview: '85.25',
      total: '81.88',
      rank: 1,
      postCount: 1,
    })
    const li = (await s.scoreOf(s.liUser, {})).body.data
    expect([li.written, li.interview, li.total, li.rank, li.nextStep]).toEqual([
      '80.00',
      undefined,
      undefined,
      undefined,
      '您有科目成绩因违纪无效，不能进入下一环节',
    ])
  })

  test('a release for later happens at its time, and not when the results are gone by then', async () => {
    const s = await setUp()
    const gone = await setUp()
    await t.runTasks()
    for (const one of [s, gone]) {
      await writeResults(one.tenant, one.exam, '01', one.importer, four(one))
      // A slip of the year makes nothing public.
      const past = await one.release(one.releaser, { scoreBegin: '2025-03-17 18:00:00' })
      expect([past.status, past.body.data.fields]).toEqual([400, [{ field: 'scoreBegin', msg: '定时发布的时间须晚于现在' }]])
      const answer = await one.release(one.releaser, { scoreBegin: '2026-03-17 18:00:00' })
      expect(answer.body.data).toEqual({ people: 0, scheduled: '2026-03-17 18:00:00', plan: null })
    }
    const cleared = await gone.importer.post('/blade-exam/examination/delResults', {
      json: { examId: gone.exam.examId, itemId: gone.exam.papers['01'] },
    })
    expect(cleared.body.data).toEqual({ removed: 4 })
    expect(await t.runTasks()).toEqual([])
    expect((await s.scoreOf(s.wangUser)).body.code).toBe(2403)
    expect((await doWork(t, 'result.release-due')).result).toEqual({ zh: '发布 0 次，未能发布 0 次', en: '0 released, 0 not released' })
    t.clock.set('2026-03-17T18:00:00+08:00')
    const { result, log } = await doWork(t, 'result.release-due')
    expect(result).toEqual({ zh: '发布 1 次，未能发布 1 次', en: '1 released, 1 not released' })
    expect(log).toMatchObject([
      { zh: `机构 ${s.tenant.tenantId} 考试 ${s.exam.examId}：已发布，4 人` },
      { zh: expect.stringContaining(`机构 ${gone.tenant.tenantId} 考试 ${gone.exam.examId}：未发布，`) },
    ])
    expect((await doWork(t, 'result.release-due')).result).toMatchObject({ en: '0 released, 0 not released' })
    expect(await t.runTasks()).toEqual(['result.notify'])
    const orders = (one: typeof s) => one.tenant.rows(sql`select state, reason from result_release order by id`)
    expect([await orders(s), await orders(gone)]).toEqual([
      [{ state: 'done', reason: null }],
      [{ state: 'skipped', reason: 'result/not-imported' }],
    ])
    expect((await s.scoreOf(s.wangUser)).body.data.total).toBe('78.50')
    expect(await s.audited()).toEqual(['result.release-scheduled', 'result.released'])
    expect(await gone.audited()).toEqual(['result.release-scheduled', 'result.deleted', 'result.release-skipped'])
    // Whoever ordered it reads why it did not happen.
    expect(
      await gone.tenant.rows(
        sql`select user_id::text as user, content_zh as content, link from notify where event_key like 'result-release-skipped|%'`,
      ),
    ).toEqual([
      {
        user: gone.releaser.userId,
        content: expect.stringContaining('成绩到时未发布：科目 综合基础知识 没有可发布的成绩。'),
        link: `/result/result?examId=${gone.exam.examId}`,
      },
    ])
    expect(await s.tenant.rows(sql`select 1 from notify where event_key like 'result-release-skipped|%'`)).toEqual([])
    t.clock.set('2026-03-17T10:00:00+08:00')
  })

  test('[19.12] the administrator alone takes a release back, on the page that their menu has, with a reason; candidates read that it is being checked', async () => {
    const s = await setUp()
    await writeResults(s.tenant, s.exam, '01', s.importer, four(s))
    await s.release(s.releaser)
    const admin = await s.tenant.staff('admin')
    expect(JSON.stringify((await admin.get('/blade-system/menu/routes')).body.data)).toContain('"path":"/result/result"')
    expect((await admin.get('/blade-result/result/list', { query: { examId: s.exam.examId } })).body.data.total).toBe(4)
    expect((await admin.get('/blade-exam/examination/page')).body.data.records.map((one: { id: string }) => one.id)).toEqual([
      s.exam.examId,
    ])
    expect((await s.release(s.releaser, { state: 0, reason: '核对' })).status).toBe(403)
    expect((await s.release(admin)).status).toBe(403)
    expect((await s.release(admin, { state: 0 })).body.msg).toBe('请填写原因')
    const unsure = await s.release(admin, { state: 0, reason: '阅卷复核', confirmCode: 'HZ2026B' })
    expect([unsure.status, unsure.body.reason, unsure.body.data]).toEqual([
      400,
      'result/confirm-withdraw',
      { fields: [{ field: 'confirmCode', msg: '请输入本场考试的考试编码以确认撤回' }] },
    ])
    expect((await s.release(admin, { state: 0, dryRun: 1, confirmCode: undefined })).body.data.plan).toMatchObject({
      examCode,
      refused: null,
      papers: [{ itemName: '综合基础知识', results: 4 }],
    })
    expect(await s.tenant.rows(sql`select distinct released from result`)).toEqual([{ released: true }])
    expect((await s.release(admin, { state: 0, reason: '阅卷复核' })).body.data).toEqual({ people: 0, scheduled: null, plan: null })
    const view = await s.scoreOf(s.wangUser)
    expect([view.body.code, view.body.msg]).toEqual([2403, '成绩核对中，请稍后查看'])
    expect(await s.tenant.rows(sql`select distinct released from score_total`)).toEqual([{ released: false }])
    expect(await s.tenant.rows(sql`select reason from audit_log where action = 'result.withdrawn'`)).toEqual([{ reason: '阅卷复核' }])
    expect((await s.release(s.releaser)).body.data.people).toBe(4)
    expect((await s.scoreOf(s.wangUser)).body.data.total).toBe('78.50')
  })
})

test('[19.12] one paper of two taken back: “being checked” for that paper on the page, at home and in the list of sign-ups, and one message in both languages', async () => {
  await t.runTasks()
  const two = ['01', '02'].map((itemCode, i) => ({
    ...{ itemCode, itemName: i === 0 ? '综合基础知识' : '写作' },
    ...{ startTime: `2026-03-1${5 + i} 09:00:00`, endTime: `2026-03-1${5 + i} 10:30:00` },
  }))
  const s = await setUp({ papers: two })
  await s.tenant.rows(sql`update exam_item set weight = 50`)
  for (const code of ['01', '02'])
    await writeResults(s.tenant, s.exam, code, s.importer, [
      [s.wang, { score: '76.50' }],
      [s.li, { score: '60' }],
    ])
  const both = `${s.exam.papers['01']},${s.exam.papers['02']}`
  expect((await s.release(s.releaser, { itemIds: both, showLine: 1 })).body.data.people).toBe(2)
  await t.runTasks()
  const next = async () => {
    const row = (await s.wangUser.get('/blade-signup/signup/myExamList')).body.data.records[0]
    return [row.scoreReleased, row.scoreInCheck, row.nextAction.code, row.nextAction.text, row.nextAction.link]
  }
  const view = async () => {
    const { items, inCheck, nextStep, total, rank, line } = (await s.scoreOf(s.wangUser)).body.data
    return [items.map((one: { itemName: string }) => one.itemName), inCheck, nextStep, total, rank, line]
  }
  const names = ['综合基础知识', '写作']
  expect(await next()).toEqual([true, false, 'viewScore', '查看成绩', '/signup/score'])
  expect(await view()).toEqual([names, [], '您已入围，请留意资格复审和面试通知', '76.50', 1, '60.00'])
  const admin = await s.tenant.staff('admin')
  const before = await s.tenant.rows(sql`select id from notify`)
  await s.release(admin, { state: 0, itemIds: s.exam.papers['02'], reason: '阅卷复核' })
  const checking = '成绩核对中，请稍后查看'
  expect(await next()).toEqual([true, true, 'waitScore', checking, '/signup/score'])
  expect(await view()).toEqual([['综合基础知识'], ['写作'], checking, undefined, undefined, undefined])
  expect(await t.runTasks()).toEqual(['result.notify-withdrawn'])
  const title = '2026年区卫生健康系统事业单位公开招聘'
  const told = await s.tenant.rows(sql`
    select user_id::text as user, title_zh as title, content_zh as zh, content_en as en, link from notify order by id offset ${before.length}`)
  expect(told).toHaveLength(2)
  expect(told).toContainEqual({
    user: s.wangUser.userId,
    title: '成绩核对中',
    zh: `${title}（写作）成绩正在核对，此前发布的成绩和“成绩已发布”的通知不再有效。核对后将重新发布并通知您。`,
    en: `The results of ${title} (写作) are being checked. What was published and the message “Results released” no longer hold; you will be told when they are released again.`,
    link: '/signup/score',
  })
  // The rest is taken back too: nothing to see, and why.
  await s.release(admin, { state: 0, itemIds: s.exam.papers['01'], reason: '阅卷复核' })
  expect((await s.scoreOf(s.wangUser)).body).toMatchObject({ code: 2403, msg: checking, reason: 'result/in-check' })
  expect(await next()).toEqual([false, true, 'waitScore', checking, '/signup/score'])
  // Cleared and not imported yet: still being checked.
  await s.importer.post('/blade-exam/examination/delResults', { json: { examId: s.exam.examId, itemId: s.exam.papers['01'] } })
  expect((await s.scoreOf(s.wangUser)).body.msg).toBe(checking)
  await t.runTasks()
})

test('[19.12] no total is named while an interview with weight is to come, and the lines are shown by their names', async () => {
  const s = await setUp({ exam: { written_weight: 50, interview_weight: 50, pass_score: '60' } })
  await writeResults(s.tenant, s.exam, '01', s.importer, four(s))
  await s.release(s.releaser, { showLine: 1 })
  const view = (await s.scoreOf(s.wangUser)).body.data
  expect([view.written, view.total, view.passLine, view.line, view.nextStep]).toEqual([
    '78.50',
    undefined,
    '60.00',
    '69.50',
    '您已入围，请留意资格复审和面试通知；面试后公布总成绩',
  ])
})

test('[19.11] before the paper is over no score comes in, is corrected or released, by whatever way', async () => {
  const s = await setUp({
    papers: [{ itemCode: '01', itemName: '综合基础知识', startTime: '2026-03-17 09:00:00', endTime: '2026-03-17 11:30:00' }],
  })
  const refused = (time: string) => ({
    code: 2201,
    msg: `科目 综合基础知识 于 ${time.replace(/:00$/, '')} 结束，结束前不能导入、更正或发布成绩`,
    reason: 'result/not-over',
  })
  const headers = ['准考证号*', '姓名*', '科目代码*', '成绩', '考试状态(正常/缺考/违纪/零分/免试)*', '加分', '备注']
  const [ticketNo] = await insertTickets(s.tenant, s.exam.examId, s.exam.papers['01'] ?? '', [s.wang])
  const bytes = await workbook([headers, [ticketNo ?? '', '王测', '01', '78.50', '正常', '', '']])
  const send = (mode: string) =>
    s.importer.post('/blade-exam/examination/importResult', {
      multipart: {
        fields: { examId: s.exam.examId, itemId: s.exam.papers['01'] ?? '', mode },
        files: [{ part: 'file', name: '成绩.xlsx', bytes }],
      },
    })
  for (const mode of ['check', 'commit']) expect((await send(mode)).body).toMatchObject(refused('2026-03-17 11:30:00'))
  expect(await s.tenant.rows(sql`select score_state from exam_item`)).toEqual([{ score_state: 'none' }])
  // Rows that stand there already, as from a program of an earlier version.
  await writeResults(s.tenant, s.exam, '01', s.importer, four(s))
  const before = await s.tenant.rows(sql`select signup_id, score, final_score, released, version from result order by id`)
  expect((await s.release(s.releaser)).body).toMatchObject(refused('2026-03-17 11:30:00'))
  expect((await s.release(s.releaser, { scoreBegin: '2026-03-17 11:29:59' })).body).toMatchObject(refused('2026-03-17 11:30:00'))
  const [row] = await s.tenant.rows(sql<{ id: string }>`select id::text as id from result where signup_id = ${s.li.id}`)
  const correct = (more: Record<string, unknown> = {}) =>
    s.importer.post('/blade-result/result/submit', { json: { id: row?.id, score: '70.5', reason: '登分有误', ...more } })
  expect((await correct()).body).toMatchObject(refused('2026-03-17 11:30:00'))
  expect(await s.tenant.rows(sql`select signup_id, score, final_score, released, version from result order by id`)).toEqual(before)
  expect(await s.audited()).toEqual([])
  expect(await s.tenant.rows(sql`select task from outbox`)).toEqual([])
  // The plan says why, and of whom it would be.
  const plan = async () => (await s.release(s.releaser, { dryRun: 1, confirmCode: undefined })).body.data.plan
  expect(await plan()).toEqual({
    examName: '2026年区卫生健康系统事业单位公开招聘',
    examCode: 'HZ2026A',
    refused: { code: 2201, msg: refused('2026-03-17 11:30:00').msg },
    lines: [],
    moved: 0,
    against: { total: 0, people: [] },
    rest: [],
    papers: [
      {
        itemName: '综合基础知识',
        startTime: '2026-03-17 09:00:00',
        endTime: '2026-03-17 11:30:00',
        holders: 1,
        missing: 0,
        results: 4,
        absent: 1,
        disciplined: 0,
      },
    ],
  })
  t.clock.set('2026-03-17T11:30:00+08:00')
  expect((await correct()).body.data.state).toBe('applied')
  expect((await s.release(await s.tenant.staff('exam_admin'))).body.data).toEqual({ people: 4, scheduled: null, plan: null })
  await t.runTasks()
  t.clock.set('2026-03-17T10:00:00+08:00')
})

test('[19.14] whoever moves a line under imported results is told whose outcome changes, and so is whoever releases them', async () => {
  const s = await setUp()
  await writeResults(s.tenant, s.exam, '01', s.importer, four(s))
  const paperId = s.exam.papers['01'] ?? ''
  const reach = async (query: Record<string, string>, who = s.importer) =>
    (await who.get('/blade-exam/examination/weighLines', { query: { examId: s.exam.examId, ...query } })).body
  const none = { imported: 4, people: 0, nowPass: 0, nowFail: 0, shortlist: 0 }
  expect((await reach({})).data).toEqual(none)
  // 78.50, 69.50, 70.00 and somebody absent; without a line everybody who came passes and is shortlisted.
  expect((await reach({ passScore: '70' })).data).toEqual({ imported: 4, people: 1, nowPass: 0, nowFail: 1, shortlist: 1 })
  expect((await reach({ papers: `${paperId}:75.00` })).data).toEqual({ imported: 4, people: 2, nowPass: 0, nowFail: 2, shortlist: 2 })
  expect((await reach({ passScore: '', interviewPass: '60' })).data).toEqual(none)
  expect((await reach({ passScore: '60,5' })).data.fields).toEqual([
    { field: 'passScore', msg: '笔试合格线须为不小于 0、最多两位小数的数字' },
  ])
  // Asking changes nothing, and is for those who may change the line, in their own tenant.
  expect(await s.tenant.rows(sql`select pass_score from examination`)).toEqual([{ pass_score: null }])
  expect((await reach({}, await s.tenant.staff('finance'))).code).toBe(403)
  expect((await reach({}, await (await t.tenant()).staff('exam_admin'))).code).toBe(404)

  const plan = async () => {
    const { lines, moved } = (await s.release(s.releaser, { dryRun: 1, confirmCode: undefined })).body.data.plan
    return { lines, moved }
  }
  // Of results whose lines nobody kept, nothing is said.
  expect(await plan()).toEqual({ lines: [], moved: 0 })
  await s.tenant.db(db =>
    db.run(
      sql`update exam_item set score_lines = jsonb_build_object('exam', null, 'paper', 60.00) , pass_score = 60 where id = ${paperId}`,
    ),
  )
  expect(await plan()).toEqual({ lines: [], moved: 0 })
  const office = s.importer
  const change = await office.post('/blade-exam/examination/submit', { json: { id: s.exam.examId, passScore: '70' } })
  expect(change.body.code).toBe(200)
  expect(await plan()).toEqual({ lines: [{ name: '笔试合格线', before: null, after: '70.00' }], moved: 1 })
  expect((await office.post('/blade-examitem/examitem/submit', { json: { id: paperId, passScore: '75' } })).body.code).toBe(200)
  expect(await plan()).toEqual({
    lines: [
      { name: '笔试合格线', before: null, after: '70.00' },
      { name: '综合基础知识 合格线', before: '60.00', after: '75.00' },
    ],
    moved: 2,
  })
  // Taken back, it is as it was.
  expect((await office.post('/blade-examitem/examitem/submit', { json: { id: paperId, passScore: '60' } })).body.code).toBe(200)
  expect((await office.post('/blade-exam/examination/submit', { json: { id: s.exam.examId, passScore: null } })).body.code).toBe(200)
  expect(await plan()).toEqual({ lines: [], moved: 0 })
  expect((await s.release(s.releaser)).body.data.people).toBe(4)
  await t.runTasks()
})

test('[19.11] a release names the examination by its code, typed; a plan needs none and changes nothing', async () => {
  const s = await setUp()
  await writeResults(s.tenant, s.exam, '01', s.importer, four(s))
  for (const confirmCode of [undefined, '', 'HZ2026B']) {
    const answer = await s.release(s.releaser, { confirmCode })
    expect([answer.status, answer.body.reason, answer.body.data]).toEqual([
      400,
      'result/confirm-code',
      { fields: [{ field: 'confirmCode', msg: '请输入本场考试的考试编码以确认发布' }] },
    ])
    const later = await s.release(s.releaser, { confirmCode, scoreBegin: '2026-03-17 18:00:00' })
    expect([later.status, later.body.reason]).toEqual([400, 'result/confirm-code'])
  }
  const plan = (await s.release(s.releaser, { dryRun: 1, confirmCode: undefined })).body.data.plan
  expect([plan.refused, plan.papers[0].missing]).toEqual([null, 0])
  expect((await s.release(s.importer, { dryRun: 1 })).body.data.plan.refused).toEqual({ code: 2402, msg: '导入人与发布人不能相同' })
  const late = await insertSignups(s.tenant, s.exam.examId, [{ name: '孙测', code: 'B001', type: 'B', unit: 'H01' }])
  await insertTickets(s.tenant, s.exam.examId, s.exam.papers['01'] ?? '', [s.wang, ...late])
  expect((await s.release(s.releaser, { dryRun: 1 })).body.data.plan).toMatchObject({
    refused: { code: 2201, msg: '科目 综合基础知识 还有 1 名持准考证考生没有成绩' },
    papers: [{ holders: 2, missing: 1, results: 4 }],
  })
  expect(await s.audited()).toEqual([])
  expect(await s.tenant.rows(sql`select distinct released from result`)).toEqual([{ released: false }])
  expect(await s.tenant.rows(sql`select score_state from exam_item`)).toEqual([{ score_state: 'imported' }])
})

describe('lists, deletion and correction', () => {
  const submit = (who: Person, json: Record<string, unknown>) => who.post('/blade-result/result/submit', { json })

  test('[S7.61] the list by post and rank; units see their released results only', async () => {
    const s = await setUp()
    await writeResults(s.tenant, s.exam, '01', s.importer, four(s))
    const list = async (who: Person, query: Record<string, string | number> = {}) =>
      (await who.get('/blade-result/result/list', { query: { examId: s.exam.examId, ...query } })).body.data
    const unit = await s.tenant.staff('unit_hr', { userCode: 'H01' })
    expect(await list(unit)).toEqual({ records: [], total: 0, size: 10, current: 1, pages: 0 })
    await s.release(s.releaser)
    const page = await list(s.releaser, { size: 2 })
    expect([page.total, page.pages, page.records.map((row: { name: string }) => row.name)]).toEqual([4, 2, ['赵测', '王测']])
    const { id, releaseTime, version, ...row } = page.records[1]
    expect(row).toEqual({
      examId: s.exam.examId,
      itemId: s.exam.papers['01'],
      itemCode: '01',
      itemName: '综合基础知识',
      signupId: s.wang.id,
      ticketNo: '260301001000',
      name: '王测',
      unit: 'H01',
      unitName: '区人民医院',
      code: 'B001',
      codeName: '护士',
      score: '76.50',
      fullScore: '100.00',
      resultState: 1,
      bonus: '2.00',
      finalScore: '78.50',
      remark: null,
      released: 1,
      writtenTotal: '78.50',
      interviewTotal: null,
      total: '78.50',
      rank: 1,
      correctionWaits: 0,
      shortlist: 1,
    })
    expect([typeof id, releaseTime, version]).toEqual(['string', '2026-03-17 10:00:00', 1])
    expect((await list(unit)).records.map((one: { name: string }) => one.name)).toEqual(['王测', '张测', '李测'])
    expect((await list(unit, { unit: 'H02' })).total).toBe(0)
    expect((await list(s.releaser, { keyword: '赵', resultState: 2 })).total).toBe(1)
    const stranger = await (await t.tenant()).staff('exam_admin')
    expect((await list(stranger)).total).toBe(0)
    expect((await stranger.get('/blade-result/result/detail', { query: { id } })).status).toBe(404)
    expect((await s.wangUser.get('/blade-result/result/list', { query: { examId: s.exam.examId } })).status).toBe(403)
  })

  test('[S7.40] results are deleted while they are not released; a foreign id deletes nothing', async () => {
    const s = await setUp()
    const other = await setUp()
    for (const one of [s, other]) await writeResults(one.tenant, one.exam, '01', one.importer, four(one))
    const ids = async (one: typeof s) =>
      (await one.tenant.rows(sql<{ id: string }>`select id::text as id from result where not is_deleted order by id`)).map(row => row.id)
    const del = (json: Record<string, unknown>) =>
      s.importer.post('/blade-exam/examination/delResults', { json: { examId: s.exam.examId, itemId: s.exam.papers['01'], ...json } })
    const [mine] = await ids(s)
    const [theirs] = await ids(other)
    expect((await del({ ids: `${mine},${theirs}` })).status).toBe(404)
    expect(await ids(s)).toHaveLength(4)
    expect((await del({ ids: mine })).body.data).toEqual({ removed: 1 })
    expect((await s.importer.post('/blade-result/result/remove', { form: { ids: (await ids(s)).join(',') } })).body.data).toEqual({
      removed: 3,
    })
    expect(await s.tenant.rows(sql`select score_state, score_import_by from exam_item`)).toEqual([
      { score_state: 'none', score_import_by: null },
    ])
    expect(await ids(other)).toHaveLength(4)
    await other.release(other.releaser)
    const late = await other.importer.post('/blade-exam/examination/delResults', {
      json: { examId: other.exam.examId, itemId: other.exam.papers['01'] },
    })
    expect([late.status, late.body.code]).toEqual([409, 2401])
  })

  test('[S7.61] before release one person corrects with a reason, and may not release then', async () => {
    const s = await setUp()
    await writeResults(s.tenant, s.exam, '01', s.importer, four(s))
    const [row] = await s.tenant.rows(sql<{ id: string }>`select id::text as id from result where signup_id = ${s.li.id}`)
    const id = row?.id
    expect((await submit(s.releaser, { id, score: '70.5' })).body.msg).toBe('请填写原因')
    expect((await submit(s.releaser, { id, score: '100.01', reason: '复核' })).body.msg).toBe('成绩应为 0–100.00 且最多两位小数')
    expect((await submit(s.releaser, { id, resultState: 2, score: '60', reason: '复核' })).body.msg).toBe('考试状态不是“正常”时成绩应为空')
    expect((await submit(s.releaser, { id, score: '70.5', reason: '复核', version: 7 })).body.code).toBe(2002)
    expect((await submit(s.releaser, { id, score: '70.5', reason: '登分有误' })).body.data).toMatchObject({ id, state: 'applied' })
    expect(await s.tenant.rows(sql`select score, final_score, version from result where id = ${id}`)).toEqual([
      { score: '70.50', final_score: '70.50', version: 1 },
    ])
    expect(
      await s.tenant.rows(
        sql`select before_value as before, after_value ->> 'score' as after, reason from audit_log where action = 'result.corrected'`,
      ),
    ).toEqual([{ before: { score: '69.50', resultState: 1, bonus: '0.00', remark: null }, after: '70.50', reason: '登分有误' }])
    expect((await s.release(s.releaser)).body.code).toBe(2402)
    expect((await s.release(await s.tenant.staff('exam_admin'))).status).toBe(200)
  })

  test('[two persons: scoreCorrection] after release a correction 69.5 → 70.5 needs two people, ranks the post anew and tells who it moved', async () => {
    const s = await setUp()
    await writeResults(s.tenant, s.exam, '01', s.importer, four(s))
    await s.release(s.releaser)
    await t.runTasks()
    const [row] = await s.tenant.rows(sql<{ id: string }>`select id::text as id from result where signup_id = ${s.li.id}`)
    const id = row?.id
    const proposed = (await submit(s.importer, { id, score: '70.50', reason: '登分有误' })).body.data
    expect(proposed).toEqual({ id, correctionId: expect.stringMatching(/^\d+$/), state: 'waiting' })
    // The second person finds it without opening every row.
    const waiting = async () => {
      const { body } = await s.releaser.get('/blade-result/result/list', { query: { examId: s.exam.examId, correctionWaits: 1 } })
      return body.data.records.map((row: { id: string; correctionWaits: number }) => [row.id, row.correctionWaits])
    }
    expect(await waiting()).toEqual([[id, 1]])
    expect((await s.scoreOf(s.liUser)).body.data).toMatchObject({ total: '69.50', rank: 3 })
    expect((await submit(s.releaser, { id, score: '71', reason: '再改' })).body.msg).toBe('该成绩已有待确认的更正')
    const decide = (who: Person, confirm: 0 | 1) => submit(who, { id, correctionId: proposed.correctionId, confirm })
    expect((await decide(s.importer, 1)).body).toMatchObject({ code: 2402, msg: '更正的提出人与确认人不能相同' })
    expect((await decide(s.releaser, 1)).body.data.state).toBe('applied')
    expect(await waiting()).toEqual([])
    expect((await decide(s.releaser, 1)).body.code).toBe(2201)
    expect((await s.scoreOf(s.liUser)).body.data).toMatchObject({ total: '70.50', rank: 2 })
    const notices = await s.tenant.rows(sql`
      select user_id::text as user, title_zh as title from notify where event_key = ${`result-corrected|${proposed.correctionId}`} order by title_zh`)
    expect(notices).toEqual([
      { user: s.liUser.userId, title: '成绩更正' },
      { user: s.zhang.userId, title: '排名有变化' },
    ])
    const detail = (await s.releaser.get('/blade-result/result/detail', { query: { id: String(id) } })).body.data
    expect(detail).toMatchObject({ score: '70.50', rank: 2 })
    expect(detail.corrections).toEqual([
      {
        id: proposed.correctionId,
        state: 'applied',
        before: { score: '69.50', resultState: 1, bonus: '0.00', remark: null },
        after: { score: '70.50', resultState: 1, bonus: '0.00', remark: null },
        reason: '登分有误',
        proposedBy: '导入人',
        proposedTime: '2026-03-17 10:00:00',
        own: 0,
        decidedBy: '发布人',
        decidedTime: '2026-03-17 10:00:00',
        decisionRemark: null,
      },
    ])
    const corrected = await s.releaser.get('/blade-result/result/list', { query: { examId: s.exam.examId, correctionWaits: 2 } })
    expect(corrected.body.data.records.map((one: { id: string }) => one.id)).toEqual([id])
    // The candidate reads what stood there before, and why it changed; the one beside them was not corrected.
    expect((await s.scoreOf(s.liUser)).body.data.items[0].corrections).toEqual([
      { before: '69.50', beforeState: 1, after: '70.50', afterState: 1, reason: '登分有误', time: '2026-03-17 10:00:00' },
    ])
    expect((await s.scoreOf(s.wangUser)).body.data.items[0]).not.toHaveProperty('corrections')
    expect(
      await s.tenant.rows(
        sql`select user_id::text as user, title_zh as title from notify where event_key = ${`result-correction|${proposed.correctionId}|decided`}`,
      ),
    ).toEqual([{ user: s.importer.userId, title: '成绩更正已确认' }])
    expect(await s.audited()).toEqual(['result.released', 'result.correction-proposed', 'result.corrected', 'result.read'])
  })
})

test('[28.6] the second person reads what a correction would change, rejects it with a reason that its proposer is told; who proposed it takes it back', async () => {
  const s = await setUp()
  await writeResults(s.tenant, s.exam, '01', s.importer, four(s))
  await s.release(s.releaser)
  const [row] = await s.tenant.rows(sql<{ id: string }>`select id::text as id from result where signup_id = ${s.li.id}`)
  const id = String(row?.id)
  const submit = (who: Person, json: Record<string, unknown>) => who.post('/blade-result/result/submit', { json: { id, ...json } })
  const detail = async (who: Person) => (await who.get('/blade-result/result/detail', { query: { id } })).body.data
  expect(await detail(s.releaser)).not.toHaveProperty('effect')
  const propose = async () => (await submit(s.importer, { score: '70.50', reason: '登分有误' })).body.data.correctionId as string
  const first = await propose()
  const seen = await detail(s.releaser)
  const place = (score: string, rank: number) => ({ score, total: score, rank, shortlist: 1 })
  expect(seen.effect).toEqual([
    { signupId: s.li.id, name: '李测', before: place('69.50', 3), after: place('70.50', 2), called: 0 },
    { signupId: s.zhang.id, name: '张测', before: place('70.00', 2), after: place('70.00', 3), called: 0 },
  ])
  expect([seen.corrections[0].own, (await detail(s.importer)).corrections[0].own]).toEqual([0, 1])
  expect((await submit(s.releaser, { correctionId: first, confirm: 0 })).body.msg).toBe('请填写原因')
  expect((await submit(s.releaser, { correctionId: first, confirm: 0, reason: '与答题卡不符' })).body.data.state).toBe('rejected')
  expect((await detail(s.importer)).corrections[0]).toMatchObject({
    state: 'rejected',
    decidedBy: '发布人',
    decisionRemark: '与答题卡不符',
  })
  const told = await s.tenant.rows(
    sql`select content_zh as said from notify where user_id = ${s.importer.userId} and event_key like 'result-correction|%'`,
  )
  expect(told).toEqual([{ said: expect.stringContaining('李测 的“综合基础知识”成绩更正被驳回：与答题卡不符') }])
  const second = await propose()
  expect((await submit(s.importer, { correctionId: second, confirm: 0 })).body.data.state).toBe('rejected')
  // Nobody is told of what they did themselves, and nothing has changed.
  expect(
    (await s.tenant.rows(sql`select 1 from notify where user_id = ${s.importer.userId} and event_key like 'result-correction|%'`)).length,
  ).toBe(1)
  expect((await s.scoreOf(s.liUser)).body.data).toMatchObject({ total: '69.50', rank: 3 })
  const reasons = await s.tenant.rows(
    sql`select reason, after_value ->> 'isOwn' as own from audit_log where action = 'result.correction-rejected' order by id`,
  )
  expect(reasons).toEqual([
    { reason: '与答题卡不符', own: 'false' },
    { reason: '登分有误', own: 'true' },
  ])
})

test('a result of a paper of another examination is refused by the database', async () => {
  const { tenant, exam, importer, wang } = await setUp()
  const other = await buildExam(tenant, { exam: { exam_name: '另一场', exam_no: 9, exam_code: 'HZ2026Z' } })
  await expect(writeResults(tenant, { ...other, papers: exam.papers }, '01', importer, [[wang, { score: '76.50' }]])).rejects.toMatchObject(
    {
      code: '23503',
      constraint: 'result_paper_fkey',
    },
  )
})

describe('a result and its sign-up hold together in the database, though no reference says so', () => {
  test('whoever is not a sign-up of that examination of the tenant gets no result, nor does anybody of the same statement', async () => {
    const { tenant, exam, importer, wang, li } = await setUp()
    const other = await buildExam(tenant, { exam: { exam_name: '另一场', exam_no: 9, exam_code: 'HZ2026Z' } })
    const [stranger] = await insertSignups(tenant, other.examId, [{ name: '孙测', code: 'B001', type: 'B', unit: 'H01' }])
    const foreign = await setUp()
    const refused = { code: '23503', constraint: 'result_signup' }
    for (const wrong of [
      { ...li, id: '1' },
      { ...li, ...stranger },
      { ...li, id: foreign.wang.id },
    ])
      await expect(
        tenant.db(db =>
          db.run(sql`
            insert into result (tenant_id, exam_id, item_id, signup_id, user_id, ticket_no, name, result_state)
            select ${tenant.tenantId}, ${exam.examId}::bigint, ${exam.papers['01']}::bigint, id, ${wang.userId}::bigint, right(id::text, 12), 'x', 2
            from unnest(${[wang.id, wrong.id]}::bigint[]) id`),
        ),
      ).rejects.toMatchObject(refused)
    expect(await tenant.rows(sql`select 1 from result`)).toEqual([])
    await writeResults(tenant, exam, '01', importer, [[wang, { score: '76.50' }]])
    await expect(tenant.db(db => db.run(sql`update result set signup_id = ${li.id}`))).rejects.toMatchObject({ code: '42501' })
    await expect(tenant.db(db => db.run(sql`update result set exam_id = ${other.examId}`))).rejects.toMatchObject({ code: '42501' })
  })

  test('a sign-up stays: nobody of the application deletes one, and the owner none that has results', async () => {
    const { tenant, exam, importer, wang, li } = await setUp()
    await writeResults(tenant, exam, '01', importer, [[wang, { score: '76.50' }]])
    await expect(tenant.db(db => db.run(sql`delete from signup where id = ${li.id}`))).rejects.toMatchObject({ code: '42501' })
    const kept = { code: '23503', constraint: 'result_signup' }
    const client = await t.owner()
    const owner = (text: string, values: string[]) => client.query(text, values)
    await expect(owner('delete from signup where id = $1', [wang.id])).rejects.toMatchObject(kept)
    await expect(owner('update signup set id = id + 1 where id = $1', [wang.id])).rejects.toMatchObject(kept)
    await expect(owner('update signup set exam_id = exam_id + 1 where id = $1', [wang.id])).rejects.toMatchObject(kept)
  })
})
