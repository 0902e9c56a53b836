import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { type Person, startTestApp, type TestApp } from '../../support/app.ts'
import { buildExam } from '../../support/factories.ts'
import { applicant, rooms } from '../../support/ticket-people.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp({ start: '2026-03-23T10:00:00+08:00' })
})
afterAll(() => t.close())

const image = readFileSync(new URL('../../../seed/data/portraits/p01-white.jpg', import.meta.url))
const calls = '/blade-signup/integrity'
const paper = {
  itemCode: '01',
  itemName: '综合基础知识',
  startTime: '2026-03-28 09:00:00',
  endTime: '2026-03-28 10:30:00',
  rooms: rooms(1),
}

const scene = async () => {
  t.clock.set('2026-03-23T10:00:00+08:00')
  const tenant = await t.tenant()
  const { examId, papers } = await buildExam(tenant, { papers: [paper] })
  const [office, admin] = [await tenant.staff('exam_admin'), await tenant.staff('admin')]
  const one = await applicant(t, tenant, examId, { name: '张测' })
  const other = await applicant(t, tenant, examId, { name: '李测' })
  const list = async (query: Readonly<Record<string, string | number>> = {}, who: Person = admin) =>
    (await who.get(`${calls}/list`, { query })).body.data.records
  const decide = (who: Person, json: object) => who.post(`${calls}/decide`, { json })
  const told = async (userId: string) =>
    tenant.rows(sql<{ title: string; content: string; needSure: boolean }>`
      select title_zh as title, content_zh as content, need_sure as "needSure" from notify where user_id = ${userId} and event_key like 'integrity%' order by id`)
  const listed = () =>
    tenant.rows(sql`select begin_date::text as begin, end_date::text as end, name_mask as name, reason from integrity_list order by id`)
  return { tenant, examId, itemId: papers['01'] ?? '', office, admin, one, other, list, decide, told, listed }
}

test('[two persons: integrityRecord, integrityLift] [A20][A8] a confirmed violation is proposed, told and answered before the administrator records it; the number signs up again after its end', async () => {
  const s = await scene()
  const exam = '/blade-exam/examination'
  await s.office.post(`${exam}/creTicketEnd`, { json: { examId: s.examId, itemIds: s.itemId } })
  await s.tenant.rows(sql`update ticket set ticket_state = 'released', released_at = app_now() where exam_id = ${s.examId}`)
  t.clock.set('2026-03-28T09:40:00+08:00')
  const [ticket] = await s.tenant.rows(sql<{ id: string }>`select id::text as id from ticket where signup_id = ${s.one.signupId}`)
  const door = await s.tenant.staff('exam_admin')
  const filed = await door.post('/blade-ticket/day/violation', {
    multipart: {
      fields: {
        ...{
          violationId: randomUUID(),
          ticketId: ticket?.id ?? '',
          clause: '7-4',
          facts: '在桌下使用手机',
          at: String(t.clock.now().getTime()),
        },
        ...{ firstSigner: '监考甲', secondSigner: '监考乙', device: 'd1' },
      },
      files: ['firstSignature', 'secondSignature'].map(part => ({ part, name: `${part}.jpg`, bytes: image })),
    },
  })
  expect(filed.body.code).toBe(200)
  const decideViolation = (outcome: number) =>
    s.office.post('/blade-ticket/day/decideViolation', { json: { id: filed.body.data.id, outcome, decision: '证据确凿' } })
  expect(await s.list()).toEqual([])
  expect((await decideViolation(1)).body.code).toBe(200)
  const reason = '综合基础知识：使用具有发送、接收信息功能的非规定工具（在桌下使用手机）'
  const [row] = await s.list()
  expect(row).toMatchObject({
    ...{ name: '张*', reason, state: 0, level: null, endDate: null, toldTime: null, statement: null },
    ...{ proposedTime: '2026-03-28 09:40:00', answerUntil: '2026-04-02 09:40:00' },
  })
  expect(await s.told(s.one.person.userId)).toEqual([
    { title: '违纪违规处理告知', needSure: true, content: expect.stringContaining('您可在 2026-04-02 09:40 前在线或向招考单位陈述、申辩') },
  ])
  const texts = await s.tenant.rows(sql<{ content: string }>`select content from sms_message where template = 'proposal-made'`)
  expect(texts.map(one => one.content)).toEqual([expect.stringContaining('拟将违纪违规记入诚信档案。请于 2026-04-02 09:40 前登录查看')])
  // Nothing is recorded meanwhile, and the office of the examination decides nothing.
  expect(await s.listed()).toEqual([])
  const record = { id: row.id, outcome: 1, level: 'y5', decision: '使用手机作弊' }
  expect((await s.decide(s.office, record)).status).toBe(403)
  expect((await s.decide(s.one.person, record)).status).toBe(403)
  const foreign = await (await t.tenant()).staff('admin')
  expect((await s.decide(foreign, record)).status).toBe(404)
  await t.runTasks()
  expect((await s.decide(s.admin, record)).body).toMatchObject({ reason: 'integrity/early' })
  expect((await s.decide(s.admin, { ...record, level: undefined, statement: '承认' })).body.data.fields).toMatchObject([{ field: 'level' }])
  expect((await s.decide(s.admin, { ...record, statement: '承认', version: 9 })).status).toBe(409)

  expect((await s.decide(s.admin, { ...record, statement: '承认' })).body.reason).toBe('integrity/early')
  expect((await s.one.person.post(`${calls}/answer`, { multipart: { fields: { id: row.id, statement: '承认使用手机' } } })).status).toBe(
    200,
  )
  expect((await s.decide(s.admin, record)).body.data).toEqual({ id: row.id, state: 1 })
  expect((await s.decide(s.admin, record)).body).toMatchObject({ reason: 'integrity/decided' })
  expect(await s.listed()).toEqual([{ begin: '2026-03-28', end: '2031-03-27', name: '张*', reason }])
  expect((await s.list({ state: 1 }))[0]).toMatchObject({
    statement: '承认使用手机',
    level: 'y5',
    endDate: '2031-03-27',
    decision: '使用手机作弊',
  })
  expect((await s.told(s.one.person.userId))[1]).toMatchObject({
    title: '诚信档案记录决定',
    needSure: true,
    content: expect.stringMatching(/期限：五年，至 2031-03-27.*可依法申请复核、行政复议或者提起行政诉讼/),
  })

  // Lifted today it holds no more today.
  t.clock.set('2026-03-30T10:00:00+08:00')
  const lift = { id: row.id, reason: '复核后撤销' }
  // [two persons: integrityLift] Who recorded it does not lift it.
  expect((await s.admin.post(`${calls}/lift`, { json: lift })).body.reason).toBe('kernel/two-persons-own')
  const second = await s.tenant.staff('admin')
  expect((await second.post(`${calls}/lift`, { json: lift })).body.data).toEqual({ id: row.id, state: 3 })
  expect((await second.post(`${calls}/lift`, { json: lift })).body).toMatchObject({ reason: 'integrity/decided' })
  expect((await s.listed())[0]).toMatchObject({ end: '2026-03-29' })
  expect(
    await s.tenant.rows(sql`select action, user_id::text as by, reason from audit_log where action like 'integrity.%' order by id`),
  ).toEqual([
    { action: 'integrity.proposed', by: s.office.userId, reason },
    { action: 'integrity.statement-answered', by: s.one.person.userId, reason: null },
    { action: 'integrity.recorded', by: s.admin.userId, reason: '使用手机作弊' },
    { action: 'integrity.lifted', by: second.userId, reason: '复核后撤销' },
  ])
})

test('a released result that is a breach is proposed once, and dismissed with reasons; after the days to answer nobody has to have answered', async () => {
  const s = await scene()
  const importer = await s.tenant.staff('exam_admin')
  t.clock.set('2026-03-30T10:00:00+08:00')
  await s.tenant.db(async db => {
    for (const [signup, state] of [
      [s.one, 3],
      [s.other, 1],
    ] as const)
      await db.run(sql`
        insert into result (tenant_id, exam_id, item_id, signup_id, user_id, ticket_no, name, score, result_state, bonus, final_score, created_by, updated_by)
        values (${s.tenant.tenantId}, ${s.examId}, ${s.itemId}, ${signup.signupId}, ${signup.person.userId}, ${`26030100100${state}`}, '某人', ${state === 3 ? null : 60},
          ${state}, 0, ${state === 3 ? null : 60}, ${importer.userId}, ${importer.userId})`)
    await db.run(
      sql`update exam_item set score_state = 'imported', score_import_by = ${importer.userId}, score_import_at = app_now() where id = ${s.itemId}`,
    )
  })
  const release = { examId: s.examId, itemIds: s.itemId, state: 1, confirmCode: 'HZ2026A' }
  expect((await s.office.post('/blade-exam/examination/releaseResults', { json: release })).body.code).toBe(200)
  await t.runTasks()
  const rows = await s.list({ examId: s.examId })
  expect(rows).toMatchObject([{ name: '张*', reason: '综合基础知识：成绩按违纪处理', state: 0 }])
  // Taken back and released again, nothing is proposed twice.
  await s.admin.post('/blade-exam/examination/releaseResults', { json: { ...release, state: 0, reason: '核对' } })
  await s.office.post('/blade-exam/examination/releaseResults', { json: release })
  await t.runTasks()
  expect(await s.list()).toHaveLength(1)
  t.clock.set('2026-04-04T10:00:00+08:00')
  expect((await s.decide(s.admin, { id: rows[0].id, outcome: 2, decision: '证据不足' })).body.data).toEqual({ id: rows[0].id, state: 2 })
  expect((await s.told(s.one.person.userId)).map(({ title, needSure }) => [title, needSure])).toEqual([
    ['违纪违规处理告知', true],
    ['不予记入诚信档案', false],
  ])
  expect(await s.listed()).toEqual([])
  // A record without an answer, when the days are over.
  await s.tenant.rows(sql`update integrity_case set state = 'proposed', decision = null, decided_by = null, decided_at = null`)
  expect((await s.decide(s.admin, { id: rows[0].id, outcome: 1, level: 'life', decision: '情节严重' })).body.data.state).toBe(1)
  expect(await s.listed()).toMatchObject([{ begin: '2026-04-04', end: null }])
})
