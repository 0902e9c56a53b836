import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { type Answer, type Person, startTestApp, type TestApp, type TestTenant, testStart } from '../../support/app.ts'
import { type BuiltExam, buildExam } from '../../support/factories.ts'
import { runTask } from '../../support/pay.ts'
import { sheetCells } from '../../support/sheet-text.ts'
import { insertSignups } from '../../support/sign-up-rows.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(async () => {
  await t.close()
})
beforeEach(() => t.clock.set(testStart))

const rowsOf = async (answer: Answer) => {
  expect(answer.status).toBe(200)
  return sheetCells(answer.raw)
}
const jobs = '/blade-exam/exportjob'
const signUps = '/blade-signup/signup/exportSignUp'
const detail = async (person: Person, id: string) => (await person.get(`${jobs}/detail`, { query: { id } })).body.data
const fetched = (person: Person, id: string) => person.get(`${jobs}/download`, { query: { id } })
const audited = (tenant: TestTenant, action: string) =>
  tenant
    .rows(sql<{ after: unknown }>`select after_value as after from audit_log where action = ${action} order by id`)
    .then(rows => rows.map(row => row.after))

/** A tenant whose exports of more than two rows go to the background, with three people in two units. */
const setUp = async (): Promise<{ tenant: TestTenant; exam: BuiltExam; office: Person }> => {
  const tenant = await t.tenant()
  const exam = await buildExam(tenant)
  await insertSignups(tenant, exam.examId, [
    { name: '张䶮', code: 'A001', type: 'A', unit: 'H01', examine: 'passed' },
    { name: '李四', code: 'A002', type: 'A', unit: 'H02', examine: 'waiting' },
    { name: '王五', code: 'A001', type: 'A', unit: 'H01', examine: 'waiting' },
  ])
  await tenant.rows(sql`update param set param_value = '1' where param_key = 'export.asyncRows'`)
  return { tenant, exam, office: await tenant.staff('exam_admin', { realName: '考务甲' }) }
}
const order = async (person: Person, exam: BuiltExam, options: { headers?: Record<string, string>; language?: 'en' } = {}) =>
  (await person.post(signUps, { json: { examId: exam.examId }, ...options })).body.data

describe('exports in the background (decision 4.7)', () => {
  test('[S7.47] sign-ups: ordered, written by the queue, fetched by their owner by call and by link, gone a day later', async () => {
    const { tenant, exam, office } = await setUp()
    const ordered = await office.post(signUps, { json: { examId: exam.examId } })
    expect(ordered.body).toMatchObject({
      code: 200,
      success: true,
      data: {
        id: expect.stringMatching(/^\d+$/),
        kind: `POST ${signUps}`,
        fileName: 'HZ2026A_2026年区卫生健康系统事业单位公开招聘_报名信息_20260317100000.xlsx',
        state: 0,
        total: 3,
        done: 0,
        sizeBytes: null,
        createTime: '2026-03-17 10:00:00',
        endTime: null,
        expireTime: null,
        fileUrl: null,
        problem: null,
      },
    })
    const { id } = ordered.body.data
    expect((await fetched(office, id)).body).toMatchObject({ code: 2201, reason: 'export/not-ready' })

    t.clock.advance(5_000)
    expect(await t.runTasks()).toContain('file.export')
    const done = await detail(office, id)
    expect(done).toMatchObject({ state: 4, total: 3, done: 3, endTime: '2026-03-17 10:00:05', expireTime: '2026-03-18 10:00:05' })
    const rows = await rowsOf(await fetched(office, id))
    expect(rows[0]).toEqual(['2026年区卫生健康系统事业单位公开招聘 报名信息 · 考务甲 · 2026-03-17 10:00:00 · 内部资料 注意保密'])
    expect(rows.slice(2).map(row => [row[3], row[4]])).toEqual(['张䶮', '李四', '王五'].map(name => [name, `3301${'*'.repeat(14)}`]))
    const linked = await office.get(done.fileUrl)
    expect(linked.raw.length).toBe(done.sizeBytes)
    expect((await office.get(`${jobs}/page`)).body.data).toMatchObject({ total: 1, records: [{ id, state: 4 }] })
    expect(await audited(tenant, 'signup.exported')).toEqual([
      { filter: { examId: exam.examId }, units: null, rows: 3, large: true, jobId: id },
    ])
    // Once by call, once by link.
    expect(await audited(tenant, 'export.downloaded')).toEqual([{ rows: 3 }, null])

    t.clock.set('2026-03-18T10:00:04.999+08:00')
    expect((await fetched(office, id)).status).toBe(200)
    t.clock.set('2026-03-18T10:00:05+08:00')
    expect(await detail(office, id)).toMatchObject({ state: 7, fileUrl: null })
    const late = await fetched(office, id)
    expect([late.status, late.body.code]).toEqual([403, 2803])
    expect(await t.runTasks()).toEqual(['file.export-expire'])
    expect(await tenant.rows(sql`select 1 from stored_file where owner_kind = 'export_job'`)).toEqual([])
    expect(await tenant.rows(sql`select state from export_job`)).toEqual([{ state: 7 }])
    expect((await fetched(office, id)).body.code).toBe(2803)
  })

  test('the generic export of a noun and the results go the same way', async () => {
    const { tenant, exam, office } = await setUp()
    const admin = await tenant.staff('admin')
    const params = await admin.get('/blade-system/param/export', { query: { paramKey: 'upload.' } })
    expect(params.body.data).toMatchObject({ kind: 'GET /blade-system/param/export', state: 0, total: 3 })
    await tenant.rows(sql`
      insert into result (tenant_id, exam_id, item_id, signup_id, user_id, ticket_no, name, score, result_state, final_score)
      select tenant_id, exam_id, ${exam.papers['01']}, id, user_id, '2603010010' || row_number() over (order by id), name, 78.5, 1, 78.5 from signup`)
    const results = await office.post('/blade-exam/examination/exportResult', { json: { examId: exam.examId } })
    expect(results.body.data).toMatchObject({ kind: 'POST /blade-exam/examination/exportResult', state: 0, total: 3 })
    await t.runTasks()
    const values = await rowsOf(await fetched(admin, params.body.data.id))
    expect(values.slice(2).map(row => row[1])).toEqual(
      expect.arrayContaining(['upload.imageMaxKb', 'upload.pdfMaxKb', 'upload.photoMaxKb']),
    )
    expect((await rowsOf(await fetched(office, results.body.data.id))).slice(2).map(row => row[2])).toEqual(
      expect.arrayContaining(['张䶮', '李四', '王五']),
    )
  })

  test('the rows are those the caller sees: a hiring unit gets its own people, in the language it asked in', async () => {
    const { tenant, exam } = await setUp()
    const unit = await tenant.staff('unit_hr', { userCode: 'H01' })
    const { id } = await order(unit, exam, { language: 'en' })
    await t.runTasks()
    const rows = await rowsOf(await fetched(unit, id))
    expect(rows[1]?.slice(0, 4)).toEqual(['No.', 'Sign-up no.', 'Candidate no.', 'Name'])
    expect(rows.slice(2).map(row => row[3])).toEqual(['张䶮', '王五'])
  })

  test('a job belongs to one person: nobody else of the tenant and nobody of another tenant sees, cancels or fetches it', async () => {
    const { tenant, exam, office } = await setUp()
    const { id } = await order(office, exam)
    await t.runTasks()
    const { fileUrl } = await detail(office, id)
    for (const other of [await tenant.staff('exam_admin'), (await setUp()).office, await tenant.candidate()]) {
      expect((await other.get(`${jobs}/page`)).body.data).toMatchObject({ total: 0, records: [] })
      for (const answer of [
        await other.get(`${jobs}/detail`, { query: { id } }),
        await other.post(`${jobs}/cancel`, { query: { id } }),
        await fetched(other, id),
        await other.get(fileUrl),
      ])
        expect([answer.status, answer.body.code]).toEqual([404, 404])
    }
  })

  test('rights that were taken away since are asked for again, and a closed account gets nothing written', async () => {
    const { tenant, exam, office } = await setUp()
    const { id } = await order(office, exam)
    await t.runTasks()
    await tenant.rows(sql`delete from role_menu where menu_id in (select id from menu where code = 'signup_export')`)
    t.clock.advance(5_000)
    expect((await fetched(office, id)).status).toBe(403)
    expect(await detail(office, id)).toMatchObject({ state: 4, fileUrl: null })

    const second = await setUp()
    const job = await order(second.office, second.exam)
    await second.tenant.rows(sql`update account set status = 2 where id = ${second.office.userId}`)
    await t.runTasks()
    expect(await second.tenant.rows(sql`select state, problem_zh as problem from export_job where id = ${job.id}`)).toEqual([
      { state: 5, problem: '没有权限执行此操作' },
    ])
  })

  test('[19.23] the link of a finished one asks for the right and for the field rules of the moment', async () => {
    const { tenant, exam, office } = await setUp()
    const { id } = await order(office, exam)
    await t.runTasks()
    const { fileUrl } = await detail(office, id)
    const linked = async () => {
      const answer = await office.get(fileUrl)
      return answer.status === 200 ? 200 : answer.body.reason
    }
    expect(await linked()).toBe(200)
    const role = sql`(select id from role where role_alias = 'exam_admin')`
    await tenant.rows(sql`
      insert into role_field_rule (tenant_id, role_id, noun, field, level, views) values (${tenant.tenantId}, ${role}, 'signup', 'name', 1, '{signup_view}')`)
    t.clock.advance(5_000)
    expect(await linked()).toBe('export/rules-changed')
    expect((await fetched(office, id)).body.reason).toBe('export/rules-changed')
    expect(await detail(office, id)).toMatchObject({ state: 4, fileUrl: null })
    await tenant.rows(sql`delete from role_field_rule`)
    t.clock.advance(5_000)
    expect(await linked()).toBe(200)
    await tenant.rows(sql`delete from role_menu where menu_id in (select id from menu where code = 'signup_export')`)
    t.clock.advance(5_000)
    expect(await linked()).toBe('kernel/forbidden')
    // Whoever opens the address itself reads why, and not the envelope.
    const page = await office.get(fileUrl, { headers: { 'sec-fetch-dest': 'document' } })
    expect([page.status, page.headers['content-type'], page.headers['content-security-policy']]).toEqual([
      403,
      'text/html; charset=utf-8',
      "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ])
    for (const part of ['<h1>文件无法打开</h1>', '<p>没有权限执行此操作</p>', '<a href="/">返回首页</a>'])
      expect(page.raw.toString('utf8')).toContain(part)
    const english = await office.get(fileUrl, { language: 'en', headers: { 'sec-fetch-dest': 'document' } })
    expect(english.raw.toString('utf8')).toContain('<h1>The file cannot be opened</h1>')
    expect(await audited(tenant, 'export.downloaded')).toEqual([null, null])
  })

  test('cancel: a waiting one ends at once, a running one stops at its next sign of life and leaves no file', async () => {
    const { tenant, exam, office } = await setUp()
    const first = await order(office, exam)
    expect((await office.post(`${jobs}/cancel`, { query: { id: first.id } })).body.data).toEqual({ id: first.id, state: 6 })
    expect((await office.post(`${jobs}/cancel`, { query: { id: first.id } })).body.reason).toBe('export/ended')
    await t.runTasks()
    expect(await detail(office, first.id)).toMatchObject({ state: 6, done: 0, fileUrl: null })

    const second = await order(office, exam)
    // As a cancel that arrives just after the worker has taken the job.
    await tenant.rows(sql`update export_job set cancel_asked = true where id = ${second.id}`)
    await t.runTasks()
    expect(await detail(office, second.id)).toMatchObject({ state: 6, fileUrl: null })
    expect(await tenant.rows(sql`select 1 from stored_file where owner_kind = 'export_job'`)).toEqual([])
    expect(await audited(tenant, 'export.cancelled')).toHaveLength(1)
  })

  test('at most six open ones a person (2503); one whose worker died is given up after two minutes and blocks nobody', async () => {
    const { tenant, exam, office } = await setUp()
    const ids: string[] = []
    for (let i = 0; i < 6; i += 1) ids.push((await order(office, exam)).id)
    const refused = await office.post(signUps, { json: { examId: exam.examId } })
    expect([refused.status, refused.body.code, refused.body.msg]).toEqual([409, 2503, '您有 6 个导出尚未完成，请稍候或取消后再试'])
    const colleague = await tenant.staff('exam_admin')
    expect((await order(colleague, exam)).state).toBe(0)

    await tenant.rows(sql`update export_job set state = 3, started_at = app_now(), beat_at = app_now() where id = ${ids[0]}`)
    t.clock.advance(120_001)
    expect((await order(office, exam)).state).toBe(0)
    expect(await detail(office, ids[0] ?? '')).toMatchObject({ state: 5, problem: '导出被中断，请重新导出' })
    // The order comes again, as the queue delivers what a killed worker held: nothing is written twice.
    await runTask(t, 'file.export', { tenantId: tenant.tenantId, id: ids[0] })
    expect(await detail(office, ids[0] ?? '')).toMatchObject({ state: 5 })
  })

  test('[S7.47] what a killed process has left half written is written from the start when the queue hands it out again', async () => {
    const { tenant, exam, office } = await setUp()
    const { id } = await order(office, exam)
    await tenant.rows(sql`update export_job set state = 3, done = 4000, started_at = app_now(), beat_at = app_now() where id = ${id}`)
    t.clock.advance(45_000)
    await runTask(t, 'file.export', { tenantId: tenant.tenantId, id })
    const { total } = await detail(office, id)
    expect(await detail(office, id)).toMatchObject({ state: 4, done: total, problem: null })
    expect(await tenant.rows(sql`select 1 from stored_file where owner_kind = 'export_job'`)).toHaveLength(1)
    await runTask(t, 'file.export', { tenantId: tenant.tenantId, id })
    expect(await tenant.rows(sql`select 1 from stored_file where owner_kind = 'export_job'`)).toHaveLength(1)
  })

  test('what was ordered and is not there any more ends with the reason', async () => {
    const { tenant, exam, office } = await setUp()
    const { id } = await order(office, exam)
    await tenant.rows(sql`update examination set is_deleted = true where id = ${exam.examId}`)
    await t.runTasks()
    expect(await detail(office, id)).toMatchObject({ state: 5, problem: '记录不存在' })
  })

  test('the same Idempotency-Key orders once', async () => {
    const { tenant, exam, office } = await setUp()
    const headers = { 'idempotency-key': 'export-once-1' }
    const [first, second] = [await order(office, exam, { headers }), await order(office, exam, { headers })]
    expect(second.id).toBe(first.id)
    expect(await tenant.rows(sql`select count(*)::int as n from export_job`)).toEqual([{ n: 1 }])
  })

  test('a parameter never lifts the limit of 5,000 rows', async () => {
    const { tenant, exam, office } = await setUp()
    await tenant.rows(sql`update param set param_value = '999999' where param_key = 'export.asyncRows'`)
    expect((await rowsOf(await office.post(signUps, { json: { examId: exam.examId } }))).length).toBe(5)
    await insertSignups(
      tenant,
      exam.examId,
      Array.from({ length: 4_998 }, (_, i) => ({ name: `人${i}`, code: 'B001', type: 'B', unit: 'H01' })),
    )
    expect(await order(office, exam)).toMatchObject({ state: 0, total: 5_001 })
  })
})
