import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { buildExam } from '../../support/factories.ts'
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
  expect(row).toMatchObject({ name: '甲*', kinds: ['room', 'time'], reason: '下肢残疾，使用轮椅', state: 0, decidedTime: null })
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
