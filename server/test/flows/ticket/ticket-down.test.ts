import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { buildExam } from '../../support/factories.ts'
import { doWork } from '../../support/own-work.ts'
import { sheetRows } from '../../support/sheet-text.ts'
import { applicant, rooms } from '../../support/ticket-people.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp({ start: '2026-03-23T10:00:00+08:00' })
})
afterAll(() => t.close())

const exam = '/blade-exam/examination'
const notice = '/blade-ticketNotice/ticketnotice'
const paper = {
  itemCode: '01',
  itemName: '综合基础知识',
  startTime: '2026-03-28 09:00:00',
  endTime: '2026-03-28 10:30:00',
  rooms: rooms(1),
}
const image = readFileSync(new URL('../../../seed/data/portraits/p01-white.jpg', import.meta.url))

test('[S3.14][S7.56][S7.57][S7.59] scenario 18: without documents 2309, with them the ticket; the office sees, checks and exports; the images go after 30 days', async () => {
  const [tenant, second] = [await t.tenant(), await t.tenant()]
  const built = await buildExam(tenant, { papers: [paper] })
  const beside = await buildExam(second, { papers: [paper] })
  await applicant(t, second, beside.examId, { name: '外人' })
  const admin = await tenant.staff('exam_admin')
  const one = await applicant(t, tenant, built.examId, { name: '甲人' })
  await applicant(t, tenant, built.examId, { name: '乙人' })
  const { examId } = built
  const itemId = built.papers['01'] ?? ''
  // Off by default: nobody is asked.
  expect((await one.person.get(`${notice}/getTicketNoticeIsUpload`, { query: { examId } })).body.data).toMatchObject({
    isUpload: false,
    kinds: [],
    done: true,
  })
  await admin.post(`${exam}/saveTicketNotice`, {
    json: { examId, title: '考生须知', content: '<p>带证件</p>', isUpload: 1, uploadKinds: ['jkm', 'hsjcbg'] },
  })
  await admin.post(`${exam}/creTicketEnd`, { json: { examId, itemIds: itemId } })
  await admin.post(`${exam}/releaseTickets`, { json: { examId, itemIds: itemId, force: 1 } })
  await t.runTasks()
  t.clock.set('2026-03-25T10:00:00+08:00')

  const fetchPdf = (who: typeof one) => who.person.get('/blade-signup/signup/exportTicket', { query: { id: who.signupId, type: 1 } })
  expect((await fetchPdf(one)).body).toMatchObject({ code: 2309 })
  const files = (...parts: string[]) => ({
    fields: { examId, itemId, type: '1' },
    files: parts.map(part => ({ part, name: `${part}.jpg`, bytes: image })),
  })
  // What is older than the 48 hours of the notice, or of tomorrow, is not taken.
  const issued = (reportTime: string) => ({ ...files('jkm'), fields: { ...files().fields, reportTime } })
  expect((await one.person.post(`${notice}/savePicAndDownInfo`, { multipart: issued('2026-03-23 09:59:59') })).body).toMatchObject({
    code: 2309,
    reason: 'ticket/report-old',
    msg: '材料须在 48 小时内出具，请上传新的材料',
  })
  expect((await one.person.post(`${notice}/savePicAndDownInfo`, { multipart: issued('2026-03-26 10:00:00') })).body).toMatchObject({
    reason: 'ticket/report-ahead',
  })
  expect(await tenant.rows(sql`select id from ticket_health`)).toEqual([])
  // One of the two is no success: nothing is kept, and the other is named.
  expect((await one.person.post(`${notice}/savePicAndDownInfo`, { multipart: issued('2026-03-23 10:00:00') })).body).toMatchObject({
    code: 2309,
    reason: 'ticket/health-missing',
    msg: '还缺材料：核酸检测报告。本次没有保存，请一并上传',
  })
  expect(
    await tenant.rows(sql`select id from ticket_health union all select id from stored_file where owner_kind = 'ticket_health'`),
  ).toEqual([])
  const both = { ...files('jkm', 'hsjcbg'), fields: { ...files().fields, reportTime: '2026-03-23 10:00:00' } }
  expect((await one.person.post(`${notice}/savePicAndDownInfo`, { multipart: both })).body.data).toEqual({ recorded: true, done: true })
  // One that is sent anew stands beside the other.
  expect((await one.person.post(`${notice}/savePicAndDownInfo`, { multipart: files('hsjcbg') })).body.data).toMatchObject({ done: true })
  expect((await fetchPdf(one)).headers['content-type']).toBe('application/pdf')
  expect(await tenant.rows(sql`select ip, state, created_at is not null as dated from ticket_health order by id desc limit 1`)).toEqual([
    { ip: '127.0.0.1', state: 0, dated: true },
  ])

  const list = async (query: object = {}) => (await admin.get(`${notice}/ticketDownList`, { query: { examId, ...query } })).body.data
  const all = await list()
  expect(
    all.records.map((row: Record<string, unknown>) => [row['name'], row['downCount'], row['healthState'], typeof row['jkm'], row['xcm']]),
  ).toEqual(
    expect.arrayContaining([
      ['甲人', 1, 0, 'string', null],
      ['乙人', 0, null, 'object', null],
    ]),
  )
  expect(all.total).toBe(2)
  expect((await list({ downloaded: 1 })).records).toMatchObject([{ downCount: 1, client: 1, ip: '127.0.0.1' }])
  expect((await list({ downloaded: 0 })).total).toBe(1)
  expect((await list({ state: 1 })).total).toBe(0)
  const [mine] = (await list({ downloaded: 1 })).records
  expect((await admin.get(mine.jkm)).headers['content-type']).toBe('image/jpeg')
  const reviewer = await tenant.staff('reviewer1')
  expect((await reviewer.get(`${notice}/ticketDownList`, { query: { examId } })).status).toBe(403)
  const foreign = await second.staff('exam_admin')
  expect((await foreign.get(`${notice}/ticketDownList`, { query: { examId } })).status).toBe(404)
  expect((await foreign.post(`${notice}/checkHealth`, { json: { ids: mine.healthId, state: 1 } })).status).toBe(404)
  // Another site's people do not exist for whoever is at this one.
  const elsewhere = await tenant.staff('site', { userCode: '02' })
  expect((await elsewhere.get(`${notice}/ticketDownList`, { query: { examId } })).body.data.total).toBe(0)
  expect((await elsewhere.post(`${notice}/checkHealth`, { json: { ids: mine.healthId, state: 1 } })).status).toBe(404)

  expect((await admin.post(`${notice}/checkHealth`, { json: { ids: mine.healthId, state: 2 } })).body).toMatchObject({
    reason: 'ticket/reason',
  })
  expect(
    (await admin.post(`${notice}/checkHealth`, { json: { ids: mine.healthId, state: 2, remark: '报告超过 48 小时' } })).body.data,
  ).toEqual({ checked: 1 })
  expect((await list({ state: 2 })).records).toMatchObject([{ healthState: 2, checkRemark: '报告超过 48 小时' }])
  expect(await tenant.rows(sql`select user_id::text as "userId", title_zh as title from notify where title_zh = '防疫材料异常'`)).toEqual([
    { userId: one.person.userId, title: '防疫材料异常' },
  ])

  const book = await admin.post(`${notice}/exportTicketDownExcel`, { json: { examId } })
  const cells = await sheetRows(book.raw)
  const ticketNo = all.records.find((row: { downCount: number }) => row.downCount === 1).ticketNo
  expect(cells.find(row => row.includes('准考证号'))).toEqual([
    '准考证号',
    '姓名',
    '科目',
    '考点',
    '考场',
    '座位',
    '下载时间',
    '次数',
    '健康码',
    '行程码',
    '核酸报告',
    '核验状态',
  ])
  expect(cells.find(row => row[0] === ticketNo)).toEqual([
    ticketNo,
    '甲人',
    '综合基础知识',
    '区第一中学',
    '001',
    mine.seatNo,
    '2026-03-25 10:00:00',
    '1',
    '已上传',
    '',
    '已上传',
    '异常',
  ])
  expect(cells.flat()).not.toContain('外人')

  const erase = async (at: string) => {
    t.clock.set(at)
    await doWork(t, 'ticket.erase-health', tenant.tenantId)
    return tenant.rows(
      sql`select count(*) filter (where health_code_file_id is not null)::int as images, count(*) filter (where erased_at is not null)::int as erased from ticket_health`,
    )
  }
  const kept = () => tenant.rows(sql`select count(*)::int as files from stored_file where owner_kind = 'ticket_health'`)
  expect(await erase('2026-04-27T10:29:59+08:00')).toEqual([{ images: 2, erased: 0 }])
  expect(await kept()).toEqual([{ files: 3 }])
  expect(await erase('2026-04-27T10:30:00+08:00')).toEqual([{ images: 0, erased: 2 }])
  expect(await kept()).toEqual([{ files: 0 }])
  expect(await tenant.rows(sql`select state, check_remark from ticket_health order by id desc limit 1`)).toEqual([
    { state: 2, check_remark: '报告超过 48 小时' },
  ])
  expect((await list({ downloaded: 1 })).records).toMatchObject([{ erased: true, jkm: null, hsjcbg: null }])
  expect(
    await tenant.rows(sql`select action, after_value - 'sha256' as after from audit_log where action = 'ticket-health.erased'`),
  ).toEqual([{ action: 'ticket-health.erased', after: { count: 2, files: 3 } }])
})
