import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { buildExam } from '../../support/factories.ts'
import { keepPage } from '../../support/keep-page.ts'
import { doWork } from '../../support/own-work.ts'
import { pdfText } from '../../support/pdf-text.ts'
import { applicant, rooms } from '../../support/ticket-people.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp({ start: '2026-03-23T10:00:00+08:00' })
})
afterAll(() => t.close())

const calls = '/blade-ticket/accommodation'
const image = readFileSync(new URL('../../../seed/data/portraits/p01-white.jpg', import.meta.url))
const paper = {
  itemCode: '01',
  itemName: '综合基础知识',
  startTime: '2026-03-28 09:00:00',
  endTime: '2026-03-28 10:30:00',
  rooms: [...rooms(1), ...rooms(1, { roomNo: '002', accessible: true })],
}

test('[A19] a candidate asks with a proof, the office decides, the candidate is told and gets the accessible room', async () => {
  const [tenant, second] = [await t.tenant(), await t.tenant()]
  const { examId, papers } = await buildExam(tenant, { papers: [paper] })
  const itemId = papers['01'] ?? ''
  const admin = await tenant.staff('exam_admin')
  const one = await applicant(t, tenant, examId, { name: '甲人' })
  const other = await applicant(t, tenant, examId, { name: '乙人' })
  const body = (kinds: string, files = [{ part: 'proof', name: '残疾人证.jpg', bytes: image }]) => ({
    multipart: { fields: { examId, kinds, reason: '下肢残疾，使用轮椅' }, files },
  })
  const mine = async (who = one) => (await who.person.get(`${calls}/mine`, { query: { examId } })).body.data
  const list = async (query: object = {}) => (await admin.get(`${calls}/list`, { query: { examId, ...query } })).body.data

  expect(await mine()).toEqual({ mayAsk: true, asked: null })
  expect((await one.person.post(`${calls}/ask`, body('wings'))).status).toBe(400)
  expect((await one.person.post(`${calls}/ask`, body('room', []))).body.data.fields).toEqual([{ field: 'proof', msg: '请上传证明材料' }])
  expect(await tenant.rows(sql`select id from accommodation`)).toEqual([])
  expect((await one.person.post(`${calls}/ask`, body('room,time'))).body.data).toMatchObject({ state: 0 })
  expect((await one.person.post(`${calls}/ask`, body('room'))).body).toMatchObject({ reason: 'ticket/accommodation-asked' })
  expect(await mine()).toEqual({
    mayAsk: false,
    asked: {
      ...{ kinds: ['room', 'time'], reason: '下肢残疾，使用轮椅', state: 0, extraMinutes: null, remark: null, hasProof: true },
    },
  })
  expect(await mine(other)).toEqual({ mayAsk: true, asked: null })

  // The office of this tenant sees the request with its proof; nobody else does.
  const [row] = (await list()).records
  expect(row).toMatchObject({ name: '甲人', kinds: ['room', 'time'], reason: '下肢残疾，使用轮椅', state: 0, decidedTime: null })
  expect((await list({ state: 1 })).total).toBe(0)
  expect((await admin.get(row.proof)).headers['content-type']).toBe('image/jpeg')
  expect(await tenant.rows(sql`select count(*)::int as n from audit_log where action = 'accommodation.read'`)).toEqual([{ n: 1 }])
  const foreign = await second.staff('exam_admin')
  expect((await foreign.get(`${calls}/list`, { query: { examId } })).status).toBe(404)
  expect((await foreign.post(`${calls}/decide`, { json: { id: row.id, outcome: 1, extraMinutes: 30 } })).status).toBe(404)
  const reviewer = await tenant.staff('reviewer1')
  expect((await reviewer.get(`${calls}/list`, { query: { examId } })).status).toBe(403)
  expect((await one.person.post(`${calls}/decide`, { json: { id: row.id, outcome: 1 } })).status).toBe(403)

  expect((await admin.post(`${calls}/decide`, { json: { id: row.id, outcome: 2 } })).body.data.fields).toMatchObject([{ field: 'remark' }])
  expect((await admin.post(`${calls}/decide`, { json: { id: row.id, outcome: 1 } })).body.data.fields).toMatchObject([
    { field: 'extraMinutes' },
  ])
  // Refused, asked again without a new proof, taken back, asked once more.
  const refused = await admin.post(`${calls}/decide`, { json: { id: row.id, outcome: 2, remark: '证明已过期', version: row.version } })
  expect(refused.body.data).toEqual({ id: row.id, state: 2 })
  expect(await mine()).toMatchObject({ mayAsk: true, asked: { state: 2, remark: '证明已过期' } })
  expect((await one.person.post(`${calls}/ask`, body('room,time', []))).body.data).toEqual({ id: row.id, state: 0 })
  expect((await one.person.post(`${calls}/withdraw`, { json: { examId } })).body.data).toEqual({ id: row.id, state: 3 })
  expect((await admin.post(`${calls}/decide`, { json: { id: row.id, outcome: 1, extraMinutes: 30 } })).body).toMatchObject({
    reason: 'ticket/accommodation-decided',
  })
  expect((await one.person.post(`${calls}/ask`, body('room,time', []))).body.data).toEqual({ id: row.id, state: 0 })
  expect((await admin.post(`${calls}/decide`, { json: { id: row.id, outcome: 1, extraMinutes: 30, version: 0 } })).status).toBe(409)
  expect((await admin.post(`${calls}/decide`, { json: { id: row.id, outcome: 1, extraMinutes: 30 } })).body.data).toEqual({
    id: row.id,
    state: 1,
  })
  expect(await mine()).toMatchObject({ mayAsk: false, asked: { state: 1, extraMinutes: 30, remark: null } })
  expect(
    await tenant.rows(
      sql`select user_id::text as "userId", title_zh as title, content_zh as content from notify where link = '/signup/ticket' order by id`,
    ),
  ).toEqual([
    {
      userId: one.person.userId,
      title: '合理便利申请未同意',
      content: '您的合理便利申请未获同意。说明：证明已过期。如有异议请联系考务。',
    },
    {
      userId: one.person.userId,
      title: '合理便利申请已同意',
      content: '您的合理便利申请已同意，编排考场时会予以安排。考试时间延长 30 分钟。',
    },
  ])
  expect(
    await tenant.rows(
      sql`select action, user_id::text as by from audit_log where entity = 'signup' and action like 'accommodation.%' and action <> 'accommodation.read' order by id`,
    ),
  ).toEqual([
    { action: 'accommodation.asked', by: one.person.userId },
    { action: 'accommodation.decided', by: admin.userId },
    { action: 'accommodation.asked', by: one.person.userId },
    { action: 'accommodation.withdrawn', by: one.person.userId },
    { action: 'accommodation.asked', by: one.person.userId },
    { action: 'accommodation.decided', by: admin.userId },
  ])

  // Seating reads it; afterwards nobody asks online.
  await admin.post('/blade-exam/examination/creTicketEnd', { json: { examId, itemIds: itemId } })
  expect(await tenant.rows(sql`select room_no from ticket where signup_id = ${one.signupId}`)).toEqual([{ room_no: '002' }])
  expect((await other.person.post(`${calls}/ask`, body('print'))).body).toMatchObject({ reason: 'ticket/accommodation-late' })
  expect(await mine(other)).toEqual({ mayAsk: false, asked: null })
})

test('[A19] what is granted stands on the ticket, in the room and on the phone at the door, and is printed anew when it is granted late', async () => {
  t.clock.set('2026-03-23T10:00:00+08:00')
  const tenant = await t.tenant()
  const { examId, papers } = await buildExam(tenant, { papers: [paper] })
  const itemId = papers['01'] ?? ''
  const admin = await tenant.staff('exam_admin')
  const one = await applicant(t, tenant, examId, { name: '甲人' })
  const late = await applicant(t, tenant, examId, { name: '乙人' })
  await applicant(t, tenant, examId, { name: '丙人' })
  const body = (kinds: string) => ({
    multipart: { fields: { examId, kinds, reason: '视力残疾二级' }, files: [{ part: 'proof', name: '证.jpg', bytes: image }] },
  })
  const asked = (await one.person.post(`${calls}/ask`, body('time,print'))).body.data
  const other = (await late.person.post(`${calls}/ask`, body('time'))).body.data
  // What is said about somebody's health is not readable in the database.
  expect(
    await tenant.rows(sql`
      select reason is null as "isSealed", position(convert_to('视力', 'UTF8') in reason_sealed) as found from accommodation where id = ${asked.id}`),
  ).toEqual([{ isSealed: true, found: 0 }])
  await admin.post(`${calls}/decide`, { json: { id: asked.id, outcome: 1, extraMinutes: 30 } })
  const exam = '/blade-exam/examination'
  expect((await admin.post(`${exam}/creTicketEnd`, { json: { examId, itemIds: itemId } })).body.code).toBe(200)
  const release = () => admin.post(`${exam}/releaseTickets`, { json: { examId, itemIds: itemId } })
  await release()
  await t.runTasks()
  expect((await release()).body.data).toMatchObject({ step: 'released' })
  await t.runTasks()
  t.clock.set('2026-03-27T09:00:00+08:00')
  const ticketOf = async (who: typeof one) => {
    const answer = await who.person.get('/blade-signup/signup/exportTicket', { query: { id: who.signupId, type: 1 } })
    return pdfText(answer.raw)[0] ?? []
  }
  const own = await ticketOf(one)
  expect(own).toEqual(expect.arrayContaining(['09:00–11:00', '含延长 30 分钟', '备注：合理便利：延长 30 分钟、大字试卷']))
  expect(own).not.toContain('09:00–10:30')
  expect((await ticketOf(late)).filter(text => /延长|合理便利/.test(text))).toEqual([])
  expect(await ticketOf(late)).toContain('09:00–10:30')

  // Granted after the release: a new version of the paper, which the holder has to confirm.
  await admin.post(`${calls}/decide`, { json: { id: other.id, outcome: 1, extraMinutes: 45 } })
  await t.runTasks()
  const renewed = await ticketOf(late)
  expect(renewed).toEqual(expect.arrayContaining(['09:00–11:15', '含延长 45 分钟', '备注：合理便利：延长 45 分钟']))
  expect(renewed.join('|')).toContain('版本 v1.2')
  expect(
    await tenant.rows(sql`
      select title_zh as title, need_sure as "needSure" from notify where user_id = ${late.person.userId} and title_zh like '准考证%' order by id desc limit 1`),
  ).toEqual([{ title: '准考证有变更', needSure: true }])

  const print = async (layout: string) => {
    const answer = await admin.post(`${exam}/exportPDFView`, { json: { examId, layout } })
    keepPage(`${layout}-help`, answer.raw)
    return pdfText(answer.raw).flat()
  }
  const words = (texts: readonly string[]) => texts.filter(text => /延长|合理便利|大字/.test(text))
  expect(words(await print('desk')).sort()).toEqual(['延长 30 分钟、大字试卷', '延长 45 分钟'])
  expect(words(await print('photo')).sort()).toEqual(['延长 30 分钟、大字试卷', '延长 45 分钟'])
  // Other candidates read this one.
  expect(words(await print('sign'))).toEqual(['本场 2 人享有合理便利，最多延长 45 分钟，名单见照片对照表'])
  expect(words(await print('door'))).toEqual([])
  const [{ roomNo = '', siteCode = '' } = {}] = await tenant.rows(
    sql<{
      roomNo: string
      siteCode: string
    }>`select room_no as "roomNo", site_code as "siteCode" from ticket where signup_id = ${one.signupId}`,
  )
  const pack = JSON.parse((await admin.get('/blade-ticket/day/pack', { query: { itemId, siteCode, roomNo } })).body.data.pack)
  expect(
    pack.people
      .map((person: { name: string; help: string[]; extraMinutes: number }) => [person.name, person.help, person.extraMinutes])
      .sort(),
  ).toEqual([
    ['丙人', [], 0],
    ['乙人', ['time'], 45],
    ['甲人', ['time', 'print'], 30],
  ])

  // A granted request that is taken back leaves the sheets, too.
  expect((await late.person.post(`${calls}/withdraw`, { json: { examId } })).body.data).toMatchObject({ state: 3 })
  await t.runTasks()
  expect(await ticketOf(late)).toContain('09:00–10:30')
})

test('[A19] reasons and proofs go thirty days after the last paper; what an earlier version wrote plainly is sealed', async () => {
  t.clock.set('2026-03-23T10:00:00+08:00')
  const tenant = await t.tenant()
  const { examId } = await buildExam(tenant, { papers: [paper] })
  const admin = await tenant.staff('exam_admin')
  const one = await applicant(t, tenant, examId, { name: '甲人' })
  const fields = { examId, kinds: 'print', reason: '视力残疾二级' }
  const { id } = (
    await one.person.post(`${calls}/ask`, { multipart: { fields, files: [{ part: 'proof', name: '证.jpg', bytes: image }] } })
  ).body.data
  await tenant.db(db => db.run(sql`update accommodation set reason = '从前写的理由', reason_sealed = null where id = ${id}`))
  const shown = async () => {
    const [row] = (await admin.get(`${calls}/list`, { query: { examId } })).body.data.records
    return [row.reason, row.proof !== null, row.kinds]
  }
  const kept = () =>
    tenant.rows(sql`
      select (select count(*)::int from stored_file where owner_kind = 'accommodation') as files, count(*) filter (where reason is not null)::int as plain,
        count(*) filter (where reason_sealed is not null)::int as sealed from accommodation`)
  expect(await shown()).toEqual(['从前写的理由', true, ['print']])
  const work = async (at: string) => {
    t.clock.set(at)
    await doWork(t, 'ticket.erase-health', tenant.tenantId)
  }
  await work('2026-04-27T10:29:59+08:00')
  expect(await kept()).toEqual([{ files: 1, plain: 0, sealed: 1 }])
  expect(await shown()).toEqual(['从前写的理由', true, ['print']])
  await work('2026-04-27T10:30:00+08:00')
  expect(await kept()).toEqual([{ files: 0, plain: 0, sealed: 0 }])
  expect(await shown()).toEqual(['', false, ['print']])
  expect(
    await tenant.rows(
      sql`select entity, entity_id as id, after_value - 'sha256' as after from audit_log where action = 'accommodation.erased'`,
    ),
  ).toEqual([{ entity: 'accommodation', id, after: { count: 1, files: 1 } }])
})
