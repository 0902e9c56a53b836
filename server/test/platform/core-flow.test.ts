import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSealer } from '#kernel/audit-chain/seal.ts'
import { sql } from '#kernel/db/sql.ts'
import { type Answer, startTestApp, type TestApp } from '../support/app.ts'
import { buildExam } from '../support/factories.ts'
import { testIdCard } from '../support/id-card.ts'
import { doWork } from '../support/own-work.ts'
import { deliver, emulatorOf, noticesAbout, openCode } from '../support/pay.ts'
import { pdfText } from '../support/pdf-text.ts'
import { sheetCells } from '../support/sheet-text.ts'
import { answersOf, submit, uploadAll } from '../support/signing.ts'
import { rooms } from '../support/ticket-people.ts'
import { workbook } from '../support/workbook.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(async () => {
  await t.close()
})
const exam = '/blade-exam/examination'
const ok = (answer: Answer) => {
  expect(answer.body).toMatchObject({ code: 200, success: true })
  return answer.body.data
}
const rowsOf = async (answer: Answer) => {
  expect(answer.status).toBe(200)
  return sheetCells(answer.raw)
}

test('[S1.01] menus, top menus, role label, nick name and the link to common problems of the console come from the server', async () => {
  const tenant = await t.tenant()
  const admin = await tenant.staff('admin', { realName: '林主任' })
  const me = ok(await admin.get('/blade-auth/oauth/user-info'))
  expect(me).toMatchObject({
    userType: 1,
    tenant_id: tenant.tenantId,
    real_name: '林主任',
    nick_name: expect.any(String),
    roles: ['admin'],
  })
  expect(ok(await admin.get('/blade-system/role/role-list'))).toMatchObject([{ roleName: '租户管理员', roleAlias: 'admin' }])
  const routes: { path: string; children: unknown[] }[] = ok(await admin.get('/blade-system/menu/routes'))
  expect(routes.length).toBeGreaterThan(1)
  expect(routes.some(menu => Array.isArray(menu.children) && menu.children.length > 0)).toBe(true)
  expect(ok(await admin.get('/blade-system/menu/top-menu')).length).toBeGreaterThan(0)
  const candidate = await tenant.candidate()
  const portal = JSON.stringify(ok(await candidate.get('/blade-system/menu/routes')))
  expect(portal).not.toContain('/exam/examination')
})

test('[S1.02][S1.05][S1.06] one candidate from sign-up with files over review, payment and ticket to result, statistics and export', async () => {
  t.clock.set('2026-03-17T10:00:00+08:00')
  const tenant = await t.tenant()
  const built = await buildExam(tenant, {
    papers: [
      { itemCode: '01', itemName: '综合基础知识', startTime: '2026-03-28 09:00:00', endTime: '2026-03-28 10:30:00', rooms: rooms(1) },
    ],
  })
  const { examId } = built
  const itemId = built.papers['01'] ?? ''
  const reviewer1 = await tenant.staff('reviewer1')
  const reviewer2 = await tenant.staff('reviewer2')
  const [officer, second] = [await tenant.staff('exam_admin'), await tenant.staff('exam_admin')]
  const idCard = testIdCard(777, '19980630')
  const candidate = await tenant.candidate({ realName: '王·测', idCard, phone: '16000000777' })
  expect(ok(await candidate.get('/blade-auth/oauth/user-info'))).toMatchObject({ userType: 2, roles: ['candidate'] })
  // Candidates administer nothing and reviewers neither; administrators do not sign up.
  for (const path of ['/blade-system/param/list', '/blade-system/user/page'])
    for (const person of [candidate, reviewer1]) expect((await person.get(path)).status).toBe(403)

  // Sign-up with files.
  const { id: signUpId, signNo } = ok(
    await submit(candidate, examId, { content: answersOf(idCard, '16000000777'), fileIds: await uploadAll(candidate) }),
  )
  expect(signNo).toMatch(/^202603\d{8}$/)
  // Review on two levels by two people.
  for (const reviewer of [reviewer1, reviewer2]) {
    ok(await reviewer.post('/blade-signup/examine/open', { json: { signUpId } }))
    ok(await reviewer.post('/blade-signup/examine/examine', { json: { signUpId, examineResult: 1, signVersion: 1 } }))
  }
  // The pending payment is shown and paid by QR code.
  const [due] = ok(await candidate.get(`${exam}/getMyPayList`, { query: { state: 1 } }))
  expect(due).toMatchObject({ amount: 10_000, state: 1, canPay: true })
  const { orderNo, codeUrl } = await openCode(candidate, due.id)
  const { emulator } = await emulatorOf(t)
  await emulator.payAsPerson(codeUrl)
  for (const notice of await noticesAbout(t, orderNo)) expect((await deliver(t, notice)).status).toBe(204)
  expect(ok(await candidate.get(`${exam}/getMyPayList`, { query: { state: 1 } }))).toEqual([])

  // Ticket.
  t.clock.set('2026-03-23T10:00:00+08:00')
  ok(await officer.post(`${exam}/creTicketEnd`, { json: { examId, itemIds: itemId } }))
  const release = () => officer.post(`${exam}/releaseTickets`, { json: { examId, itemIds: itemId } })
  expect(ok(await release()).step).toBe('rendering')
  await t.runTasks()
  expect(ok(await release()).step).toBe('released')
  await t.runTasks()
  t.clock.set('2026-03-25T10:00:00+08:00')
  const ticket = await candidate.get('/blade-signup/signup/exportTicket', { query: { id: signUpId, type: 1 } })
  expect(ticket.headers['content-type']).toBe('application/pdf')
  expect(pdfText(ticket.raw).flat().join('|')).toContain('王·测')
  const [{ ticketNo }] = ok(await candidate.get(`${exam}/getExamTicketList`, { query: { examId } })).records

  // Results, imported by one person and released by another.
  t.clock.set('2026-03-30T10:00:00+08:00')
  const book = await workbook([
    ['准考证号*', '姓名*', '科目代码*', '成绩', '考试状态(正常/缺考/违纪/零分/免试)*', '加分', '备注'],
    [ticketNo, '王·测', '01', '78.50', '正常', '', ''],
  ])
  const imported = await officer.post(`${exam}/importResult`, {
    multipart: { fields: { examId, itemId, mode: 'commit' }, files: [{ part: 'file', name: '成绩.xlsx', bytes: book }] },
  })
  expect(ok(imported)).toMatchObject({ state: 4, inserted: 1 })
  const score = async () => {
    await t.app.catchUp()
    return candidate.get('/blade-signup/score/getExamScore', { query: { examId } })
  }
  expect((await score()).body.code).toBe(2403)
  expect(
    (await officer.post(`${exam}/releaseResults`, { json: { examId, itemIds: itemId, state: 1, confirmCode: 'HZ2026A' } })).body.code,
  ).toBe(2402)
  ok(await second.post(`${exam}/releaseResults`, { json: { examId, itemIds: itemId, state: 1, showRank: 1, confirmCode: 'HZ2026A' } }))
  await t.runTasks()
  expect(ok(await score())).toMatchObject({ items: [{ score: '78.50' }], rank: 1 })

  // Statistics and exports.
  const funnel = ok(await officer.post('/blade-signup/statistics/getStatisticsInfo', { json: { examId, dims: 'stage' } }))
  expect(Object.fromEntries(funnel.map((row: { stage: string; num: number }) => [row.stage, row.num]))).toMatchObject({
    submitted: 1,
    passed: 1,
    paid: 1,
    downloaded: 1,
    attended: 1,
  })
  expect((await rowsOf(await officer.post('/blade-signup/signup/exportSignUp', { json: { examId } })))[2]?.slice(1, 4)).toEqual([
    signNo,
    expect.stringMatching(/^K/),
    '王·测',
  ])
  expect((await rowsOf(await officer.post(`${exam}/exportResult`, { json: { examId } })))[2]?.slice(1, 3)).toEqual([ticketNo, '王·测'])
  // Every step left a notice for the candidate and a line in the audit log.
  const notices = await tenant.rows(
    sql<{ title: string }>`select title_zh as title from notify where user_id = ${candidate.userId} order by id`,
  )
  expect(notices.map(row => row.title)).toEqual([
    '报名已提交',
    '资格审核通过',
    '缴费成功',
    '准考证可以打印了',
    expect.stringContaining('成绩'),
  ])
  const actions = await tenant.rows(sql<{ action: string }>`select distinct action from audit_log`)
  expect(actions.map(row => row.action)).toEqual(
    expect.arrayContaining([
      'signup.submitted',
      'signup.examined',
      'payorder.posted',
      'ticket.downloaded',
      'import.T6',
      'signup.exported',
      'result.exported',
    ]),
  )
})

test('after the core flow everything is true of the data', async () => {
  const { secrets, pools, clock, log } = t.app.services
  const sealer = createSealer({ pool: pools.kaopu_platform, key: secrets.auditKey, clock, log, heads: null, isTicking: false })
  await sealer.sealNow()
  await sealer.stop()
  const { result } = await doWork(t, 'installation.check-invariants')
  const found = await t.app.services.scopes.asPlatform('a test reads what was found', t.clock.now(), db =>
    db.all(sql`select name, row_name as row, found, expected from invariant_finding order by 1, 2`),
  )
  expect(found).toEqual([])
  expect(result).toMatchObject({ en: expect.stringContaining('all agree') })
})
