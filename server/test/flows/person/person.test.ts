import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fromBufferPromise } from 'yauzl'
import { toWireTime } from '#contract/kernel/when.ts'
import { countStatements } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import { type Answer, type Person, startTestApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { type BuiltExam, buildExam } from '../../support/factories.ts'
import { sealFor } from '../../support/login.ts'
import { doWork } from '../../support/own-work.ts'
import { answersOf, submit, uploadAll } from '../../support/signing.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())

const password = 'old river stone'
const seal = (plain: string): string => sealFor(t, plain)
const withPassword = async (tenant: TestTenant, person: Person): Promise<Person> => {
  const hash = await t.app.services.passwords.hash(password)
  await tenant.db(db => db.run(sql`update account set password_hash = ${hash} where id = ${person.userId}`))
  return person
}

interface Scene {
  readonly tenant: TestTenant
  readonly exam: BuiltExam
  readonly candidate: Person
  readonly signupId: string
}
let serial = 1
const scene = async (): Promise<Scene> => {
  const tenant = await t.tenant()
  const exam = await buildExam(tenant)
  serial += 1
  const phone = `1601111${String(serial).padStart(4, '0')}`
  const idCard = '330106199806301023'
  const candidate = await withPassword(tenant, await tenant.candidate({ realName: '王测', idCard, phone }))
  const { body } = await submit(candidate, exam.examId, {
    content: answersOf(idCard, phone, { name: '王测' }),
    fileIds: await uploadAll(candidate),
  })
  return { tenant, exam, candidate, signupId: body.data.id }
}
const waitingSignup = (s: Scene, unit: string, state = 'waiting', reviewer1: string | null = null) =>
  s.tenant.db(async db => {
    const person = await s.tenant.candidate()
    await db.run(sql`
      insert into signup (tenant_id, exam_id, user_id, code, type, unit, examine, name, submit_time, reviewer1_id)
      values (${s.tenant.tenantId}, ${s.exam.examId}, ${person.userId}, 'B001', 'B', ${unit}, ${state}, '某', ${new Date(t.clock.now().getTime() - 3_600_000)}, ${reviewer1})`)
  })
const home = async (person: Person) => (await person.get('/me/home')).body.data
const todos = async (person: Person): Promise<Record<string, [number, string | null]>> =>
  Object.fromEntries(
    // Tasks of processes may wait for anybody; the flows of processes look at those.
    (await home(person)).todos
      .filter(({ key }: { key: string }) => key !== 'tasks' && key !== 'claims')
      .map((one: { key: string; count: number; path: string | null }) => [one.key, [one.count, one.path]]),
  )

describe('[S2.07] what waits on the first page', () => {
  test('each sees the work of their own roles, counted within their own units, with the menu that has it', async () => {
    const s = await scene()
    const [first, second] = [await s.tenant.staff('reviewer1'), await s.tenant.staff('reviewer2')]
    await waitingSignup(s, 'H02')
    await waitingSignup(s, 'H02', 'second', second.userId)
    await waitingSignup(s, 'H02', 'second', first.userId)
    await waitingSignup(s, 'H02', 'returned')
    await waitingSignup(s, 'H02', 'draft')
    expect(await todos(first)).toEqual({ reviewFirst: [2, '/examine/list'], returned: [1, '/examine/list'] })
    // One of the two was decided by the same person on the first level.
    expect(await todos(second)).toEqual({ reviewSecond: [1, '/examine/list'], returned: [1, '/examine/list'] })
    const [unit] = await s.tenant.rows(sql<{ unit: string }>`select unit from signup where id = ${s.signupId}`)
    const hr = await s.tenant.staff('unit_hr', { userCode: 'H02' })
    expect(await todos(hr)).toEqual({ returned: [1, '/examine/list'], rechecks: [0, '/examine/review'], calls: [0, '/examine/review'] })
    expect(await todos(await s.tenant.staff('unit_hr', { userCode: unit?.unit ?? '' }))).toEqual({
      returned: [0, '/examine/list'],
      rechecks: [0, '/examine/review'],
      calls: [0, '/examine/review'],
    })
    expect(await todos(await s.tenant.staff('site', { userCode: '01' }))).toEqual({ rooms: [0, '/ticket/day'] })
    expect((await home(first)).todos[0]).toEqual({
      key: 'reviewFirst',
      count: 2,
      oldestTime: '2026-03-17 09:00:00',
      path: '/examine/list',
      examId: s.exam.examId,
      examName: '2026年区卫生健康系统事业单位公开招聘',
    })
  })

  test('where an examination hands out, a reviewer counts what was given to them; where reviewers are listed, their units and posts', async () => {
    const s = await scene()
    const [given, none, head] = [await s.tenant.staff('reviewer1'), await s.tenant.staff('reviewer1'), await s.tenant.staff('exam_admin')]
    await waitingSignup(s, 'H02')
    await waitingSignup(s, 'H02', 'returned')
    const count = async (person: Person) => {
      const { reviewFirst, returned } = await todos(person)
      return [reviewFirst?.[0], returned?.[0]]
    }
    await s.tenant.db(db => db.run(sql`update examination set allot_mode = 1 where id = ${s.exam.examId}`))
    await s.tenant.db(db =>
      db.run(sql`
        insert into examine_allot (tenant_id, exam_id, signup_id, level, reviewer_id, reviewer_name, allotted)
        select tenant_id, exam_id, id, 1, ${given.userId}, 'x', true from signup where unit = 'H02' and examine in ('waiting', 'returned')`),
    )
    expect([await count(given), await count(none), await count(head)]).toEqual([
      [1, 1],
      [0, 0],
      [2, 1],
    ])
    await s.tenant.db(db => db.run(sql`update examination set allot_mode = 0 where id = ${s.exam.examId}`))
    expect(await count(none)).toEqual([2, 1])
    await s.tenant.db(db =>
      db.run(sql`
        insert into exam_user (tenant_id, exam_id, user_id, level, units) values (${s.tenant.tenantId}, ${s.exam.examId}, ${given.userId}, 1, '["H02"]')`),
    )
    expect([await count(given), await count(none)]).toEqual([
      [1, 1],
      [0, 0],
    ])
  })

  test('four eyes: what one has asked for oneself is not one’s own work', async () => {
    const s = await scene()
    const [asker, approver] = [await s.tenant.staff('finance'), await s.tenant.staff('finance')]
    const paper = s.exam.papers['01']
    await s.tenant.db(async db => {
      const { id: payId } = await db.one(sql<{ id: string }>`
        insert into exam_pay (tenant_id, exam_id, item_id, signup_id, user_id, pay_kind, pay_name, amount_fen, state, deadline)
        select ${s.tenant.tenantId}, ${s.exam.examId}, ${paper}, ${s.signupId}, ${s.candidate.userId}, pay_kind, '报名费', 10000, 'paid', now() from (select 1 as pay_kind) k returning id::text as id`)
      const { id: orderId } = await db.one(sql<{ id: string }>`
        insert into pay_order (tenant_id, order_no, pay_id, user_id, amount_fen, description, state, expire_time, mchid, appid)
        values (${s.tenant.tenantId}, 'E1', ${payId}, ${s.candidate.userId}, 10000, 'x', 'paid', now(), 'm', 'a') returning id::text as id`)
      await db.run(sql`
        insert into pay_refund (tenant_id, refund_no, order_id, pay_id, user_id, amount_fen, reason, apply_by) values (${s.tenant.tenantId}, 'R1', ${orderId}, ${payId}, ${s.candidate.userId}, 100, 'other', ${asker.userId})`)
      await db.run(sql`
        insert into pay_posting (tenant_id, pay_id, pay_way, amount_fen, paid_time, voucher_no, posted_by) values (${s.tenant.tenantId}, ${payId}, 'cash', 100, now(), 'V0', ${asker.userId})`)
      // What was paid meanwhile by its code waits for nobody.
      await db.run(sql`
        with due as (insert into exam_pay (tenant_id, exam_id, item_id, signup_id, user_id, pay_kind, pay_name, amount_fen, state, deadline)
          values (${s.tenant.tenantId}, ${s.exam.examId}, 0, ${s.signupId}, ${s.candidate.userId}, 3, '补差', 10000, 'due', now()) returning tenant_id, id)
        insert into pay_posting (tenant_id, pay_id, pay_way, amount_fen, paid_time, voucher_no, posted_by)
        select tenant_id, id, 'cash', 10000, now(), 'V1', ${asker.userId} from due`)
      await db.run(
        sql`update exam_item set score_state = 'imported', score_import_by = ${approver.userId}, ticket_state = 'made' where id = ${paper}`,
      )
    })
    const nothing = { payAlarms: [0, '/pay/payAlarm'], unreconciled: [0, '/pay/reconciliation'], invoices: [0, '/pay/invoice'] }
    expect(await todos(asker)).toEqual({
      refunds: [0, '/pay/payRefund'],
      waivers: [0, '/pay/feeWaiver'],
      postings: [0, '/pay/examPay'],
      ...nothing,
    })
    expect(await todos(approver)).toEqual({
      refunds: [1, '/pay/payRefund'],
      waivers: [0, '/pay/feeWaiver'],
      postings: [1, '/pay/examPay'],
      ...nothing,
    })
    await s.tenant.db(db => db.run(sql`update exam_pay set is_invoice = 2 where pay_name = '报名费'`))
    await s.tenant.db(db => db.run(sql`insert into pay_alarm (tenant_id, kind, detail) values (${s.tenant.tenantId}, 'test', 'x')`))
    expect(await todos(approver)).toMatchObject({ payAlarms: [1, '/pay/payAlarm'], invoices: [1, '/pay/invoice'] })
    const [office, other] = [await s.tenant.staff('exam_admin'), await s.tenant.staff('exam_admin')]
    await s.tenant.db(db => db.run(sql`update exam_item set score_import_by = ${office.userId} where id = ${paper}`))
    await buildExam(s.tenant, { exam: { exam_name: '草稿', exam_code: 'D1', exam_no: 2, state: 'draft' } })
    expect(await todos(office)).toMatchObject({ drafts: [1, '/exam/examination'] })
    expect(await todos(office)).toMatchObject({ ticketsToRelease: [1, '/ticket/ticket'], resultsToRelease: [0, '/result/result'] })
    expect(await todos(other)).toMatchObject({ resultsToRelease: [1, '/result/result'] })
  })

  test('registrations wait for the administrator; a candidate and another tenant see nothing; the next ends come in order', async () => {
    const s = await scene()
    const admin = await s.tenant.staff('admin')
    await s.tenant.db(db =>
      db.run(
        sql`insert into account (tenant_id, account, account_key, user_type, nick_name, real_name, status) values (${s.tenant.tenantId}, 'w', 'w', 1, 'w', 'w', 0)`,
      ),
    )
    const seen = await home(admin)
    expect(seen.todos.find((one: { key: string }) => one.key === 'registrations')).toEqual({
      key: 'registrations',
      count: 1,
      oldestTime: '2026-03-17 10:00:00',
      path: '/system/user',
      examId: null,
      examName: null,
    })
    expect(seen.deadlines[0]).toEqual({
      examId: s.exam.examId,
      examName: '2026年区卫生健康系统事业单位公开招聘',
      kind: 'signEnd',
      paper: '',
      papers: 0,
      time: '2026-03-20 17:00:00',
      path: '/examine/signup',
    })
    const times = seen.deadlines.map((one: { time: string }) => one.time)
    expect(times).toEqual([...times].sort())
    expect(await home(s.candidate)).toMatchObject({ todos: [], deadlines: [] })
    const elsewhere = await home(await (await t.tenant()).staff('admin'))
    expect([elsewhere.deadlines, elsewhere.todos.every((one: { count: number }) => one.count === 0)]).toEqual([[], true])
  })

  test('a site sees its rooms, a school its own, the re-review who waits, the auditor exports; each the ends that they work towards', async () => {
    const s = await scene()
    const paper = s.exam.papers['01']
    const [site, other, school, reviewer, auditor] = [
      await s.tenant.staff('site', { userCode: '01' }),
      await s.tenant.staff('site', { userCode: '02' }),
      await s.tenant.staff('school', { userCode: 'S1' }),
      await s.tenant.staff('recheck', { userCode: 'H09' }),
      await s.tenant.staff('auditor'),
    ]
    await s.tenant.db(async db => {
      await db.run(sql`
        insert into ticket (tenant_id, exam_id, item_id, signup_id, user_id, ticket_no, site_code, site_name, room_no, room_name, seat_no, start_time, end_time, ticket_state, released_at, qr_token, pdf_sha256)
        select tenant_id, ${s.exam.examId}, id, ${s.signupId}, ${s.candidate.userId}, '26010101001', '01', '一中', '001', '101', '01', start_time, end_time, 'released', now(), repeat('q', 43), repeat('0', 64)
        from exam_item where id = ${paper}`)
      await db.run(sql`insert into group_signup (tenant_id, signup_id, exam_id, user_id, group_code, import_id)
        values (${s.tenant.tenantId}, ${s.signupId}, ${s.exam.examId}, ${s.candidate.userId}, 'S1', 1)`)
      await db.run(sql`update signup set examine = 'returned', review_state = 1, unit = 'H09' where id = ${s.signupId}`)
      await db.run(sql`insert into selection_person (tenant_id, signup_id, exam_id, user_id, code, kind)
        values (${s.tenant.tenantId}, ${s.signupId}, ${s.exam.examId}, ${s.candidate.userId}, 'B001', 1)`)
      await db.run(sql`insert into watch_tally (tenant_id, measure, user_id, hour, amount) values
        (${s.tenant.tenantId}, 'exports', 1, app_now() - interval '1 day', 3), (${s.tenant.tenantId}, 'exports', 1, app_now() - interval '8 days', 5)`)
    })
    // A second paper in the room at the same time is no other session; one at another time is, in the same room.
    await s.tenant.db(async db => {
      await db.run(sql`
        insert into exam_item (tenant_id, exam_id, item_code, item_name, item_type, start_time, end_time, full_score, weight, sort)
        select tenant_id, exam_id, c.code, c.code, item_type, start_time + c.later, end_time + c.later, full_score, weight, 9 from exam_item,
          (values ('91', interval '0'), ('92', interval '5 hours')) as c(code, later) where id = ${paper}`)
      await db.run(sql`
        insert into ticket (tenant_id, exam_id, item_id, signup_id, user_id, ticket_no, site_code, site_name, room_no, room_name, seat_no, start_time, end_time, ticket_state, released_at, qr_token, pdf_sha256)
        select tenant_id, exam_id, id, ${s.signupId}, ${s.candidate.userId}, '26010101001', '01', '一中', '001', '101', '02', start_time, end_time, 'released', now(), repeat('q', 43), repeat('0', 64)
        from exam_item where exam_id = ${s.exam.examId} and item_code in ('91', '92')`)
    })
    expect((await home(site)).todos[0]).toMatchObject({ key: 'rooms', count: 2, rooms: 1 })
    expect(await todos(site)).toEqual({ rooms: [2, '/ticket/day'] })
    expect(await todos(other)).toEqual({ rooms: [0, '/ticket/day'] })
    expect(await todos(school)).toEqual({ groupOpen: [1, '/examine/group'] })
    expect(await todos(await s.tenant.staff('school', { userCode: 'S2' }))).toEqual({ groupOpen: [0, '/examine/group'] })
    expect(await todos(reviewer)).toEqual({ rechecks: [1, '/examine/review'], calls: [0, '/examine/review'] })
    expect(await todos(auditor)).toMatchObject({ exports: [3, '/monitor/audit'] })
    const ends = async (person: Person) => [
      ...new Set((await home(person)).deadlines.map((one: { kind: string; path: string | null }) => `${one.kind} ${one.path}`)),
    ]
    expect(await ends(site)).toEqual(['paper /ticket/day', 'ticketEnd /ticket/ticket'])
    expect(await ends(school)).toEqual(expect.arrayContaining(['signEnd /examine/group', 'payEnd /examine/group']))
    expect(await ends(reviewer)).toEqual(['paper /examine/review'])
    expect(await ends(auditor)).toEqual([])
  })

  test('the number of statements does not grow with the examinations', async () => {
    const s = await scene()
    const admin = await s.tenant.staff('admin')
    await home(admin)
    const before = await countStatements(() => home(admin))
    for (let i = 0; i < 4; i += 1) await buildExam(s.tenant, { exam: { exam_name: `考试${i}`, exam_code: `X${i}`, exam_no: 10 + i } })
    for (let i = 0; i < 5; i += 1) await waitingSignup(s, 'H02')
    expect([before, await countStatements(() => home(admin))]).toEqual([4, 4])
  })
})

describe('who saw my data (P6)', () => {
  const log = async (person: Person, language: 'zh' | 'en' = 'zh') =>
    (await person.get('/me/accessLog', { query: { size: 50 }, language })).body.data
  test('reads, reviews, decisions, files and exports by the staff: time, role, unit, action, and nothing else', async () => {
    const s = await scene()
    const admin = await s.tenant.staff('exam_admin', { realName: '不可见' })
    const hr = await s.tenant.staff('unit_hr', { realName: '不可见', userCode: 'H01' })
    expect(await log(s.candidate)).toMatchObject({ total: 0, records: [] })
    await s.candidate.get('/blade-signup/signup/detail', { query: { id: s.signupId } })
    const detail = await admin.get('/blade-signup/signup/detail', { query: { id: s.signupId } })
    expect(detail.status).toBe(200)
    await admin.get('/blade-signup/signup/detail', { query: { id: s.signupId } })
    t.clock.advance(3_600_000)
    await admin.post('/blade-signup/examine/open', { json: { signUpId: s.signupId } })
    await admin.post('/blade-signup/examine/examine', { json: { signUpId: s.signupId, examineResult: 1, signVersion: 1 } })
    t.clock.advance(3_600_000)
    const link =
      /\/api\/file\/[^"]+/.exec(JSON.stringify((await hr.get('/blade-signup/signup/detail', { query: { id: s.signupId } })).body))?.[0] ??
      ''
    expect((await hr.get(link)).status).toBe(200)
    const office = await s.tenant.staff('admin')
    t.clock.advance(3_600_000)
    await office.get('/blade-system/user/detail', { query: { id: s.candidate.userId } })
    t.clock.advance(3_600_000)
    expect((await admin.post('/blade-signup/signup/reveal', { json: { id: s.signupId, field: 'idCard', purpose: 3 } })).status).toBe(200)
    const seen = await log(s.candidate)
    expect(seen.records[0]).toMatchObject({ role: '考务管理员', action: 'idCard', purpose: 3 })
    expect(seen.records.map((row: { role: string; action: string }) => [row.role, row.action])).toEqual([
      ['考务管理员', 'idCard'],
      ['租户管理员', 'profile'],
      ['用人单位人事', 'file'],
      ['用人单位人事', 'read'],
      ['考务管理员', 'decide'],
      ['考务管理员', 'review'],
      ['考务管理员', 'read'],
    ])
    expect(seen.total).toBe(7)
    for (const row of seen.records) expect(Object.keys(row).sort()).toEqual(['action', 'purpose', 'role', 'time', 'unit'])
    expect(JSON.stringify(seen)).not.toContain('不可见')
    expect((await log(s.candidate, 'en')).records[1].role).toBe('Tenant administrator')
    expect(await log(await s.tenant.candidate())).toMatchObject({ total: 0 })
    expect((await admin.get('/me/accessLog')).status).toBe(403)
  })

  test('the exam day: who opened the room with its photos, marked attendance and printed the sheets of the room, and nobody of another room', async () => {
    const s = await scene()
    const stranger = await s.tenant.candidate()
    const paper = s.exam.papers['01']
    const seat = (room: string, seatNo: string, userId: string, signupId: string, item = paper) => sql`
      insert into ticket (tenant_id, exam_id, item_id, signup_id, user_id, ticket_no, site_code, site_name, room_no, room_name, seat_no, start_time, end_time, ticket_state, released_at, qr_token)
      select tenant_id, ${s.exam.examId}, id, ${signupId}, ${userId}, ${`2601010${room}${seatNo}`}, '01', '一中', ${room}, '', ${seatNo}, start_time, end_time, 'released', app_now(), repeat(${room.slice(-1)}, 43)
      from exam_item where id = ${item} returning id::text as id`
    const own = await s.tenant.db(async db => {
      await db.run(
        sql`update exam_item set start_time = app_now(), end_time = app_now() + interval '2 hours', ticket_state = 'released' where id = ${paper}`,
      )
      const other = await db.one(sql<{ id: string }>`
        insert into signup (tenant_id, exam_id, user_id, code, type, unit, examine, name, submit_time)
        values (${s.tenant.tenantId}, ${s.exam.examId}, ${stranger.userId}, 'B001', 'B', 'H01', 'passed', '旁人', app_now()) returning id::text as id`)
      await db.run(sql`update signup set examine = 'passed' where id = ${s.signupId}`)
      await db.run(seat('002', '01', stranger.userId, other.id))
      return db.one(sql<{ id: string }>`${seat('001', '01', s.candidate.userId, s.signupId)}`)
    })
    const steward = await s.tenant.staff('site', { userCode: '01' })
    const room = (roomNo: string) => ({ itemId: paper ?? '', siteCode: '01', roomNo })
    const print = (json: object) =>
      steward.post('/blade-exam/examination/exportPDFView', { json: { examId: s.exam.examId, layout: 'photo', ...json } })
    const seen = async (person: Person) =>
      (await log(person)).records.map((row: { role: string; action: string }) => `${row.role} ${row.action}`).sort()
    expect((await print({ roomNo: '002', siteCode: '01' })).status).toBe(200)
    expect((await steward.get('/blade-ticket/day/pack', { query: room('002') })).status).toBe(200)
    expect([await seen(s.candidate), await seen(stranger)]).toEqual([[], ['考点管理员 room', '考点管理员 roomSheet']])
    expect((await steward.get('/blade-ticket/day/pack', { query: room('001') })).status).toBe(200)
    const mark = { markId: '01890f5e-0000-4000-8000-000000000001', ticketId: own.id, kind: 1, at: t.clock.now().getTime() }
    expect((await steward.post('/blade-ticket/day/marks', { json: { device: 'd1', marks: [mark] } })).body.data.refused).toEqual([])
    expect((await print({ ids: own.id })).status).toBe(200)
    expect([await seen(s.candidate), await seen(stranger)]).toEqual([
      ['考点管理员 attendance', '考点管理员 room', '考点管理员 roomSheet'],
      ['考点管理员 room', '考点管理员 roomSheet'],
    ])
    // A paper that is asked for brings the others of its room along: whoever sits there writing another one was seen too.
    const [beside, elsewhere] = [await s.tenant.candidate(), await s.tenant.candidate()]
    const second = await s.tenant.db(async db => {
      const signupOf = async (userId: string) =>
        (
          await db.one(sql<{ id: string }>`
            insert into signup (tenant_id, exam_id, user_id, code, type, unit, examine, name, submit_time)
            values (${s.tenant.tenantId}, ${s.exam.examId}, ${userId}, 'B001', 'B', 'H01', 'passed', '旁人', app_now()) returning id::text as id`)
        ).id
      const { id } = await db.one(sql<{ id: string }>`
        insert into exam_item select (jsonb_populate_record(i, jsonb_build_object('id', next_id(), 'item_code', '09', 'item_name', '外语'))).*
        from exam_item i where i.id = ${paper} returning id::text as id`)
      await db.run(seat('003', '01', beside.userId, await signupOf(beside.userId)))
      await db.run(seat('004', '01', elsewhere.userId, await signupOf(elsewhere.userId)))
      const other = await db.one(sql<{ id: string }>`select id::text as id from signup where user_id = ${stranger.userId}`)
      await db.run(seat('003', '02', stranger.userId, other.id, id))
      return id
    })
    expect((await print({ itemId: second })).status).toBe(200)
    expect([await seen(beside), await seen(elsewhere)]).toEqual([['考点管理员 roomSheet'], []])
  })
})

describe('my data to take along (P10)', () => {
  const take = (person: Person, word = password): Promise<Answer> => person.post('/me/export', { json: { password: seal(word) } })
  const unpack = async (bytes: Buffer): Promise<Record<string, Buffer>> => {
    const zip = await fromBufferPromise(bytes, {})
    const files: Record<string, Buffer> = {}
    for await (const entry of zip.eachEntry()) {
      const stream = await zip.openReadStreamPromise(entry)
      const chunks: Buffer[] = []
      for await (const chunk of stream) chunks.push(chunk as Buffer)
      files[entry.fileName] = Buffer.concat(chunks)
    }
    return files
  }

  test('a zip of everything of one’s own in plain, nothing of others, and nothing that is not released', async () => {
    const s = await scene()
    const stranger = await s.tenant.candidate({ realName: '别人' })
    const paper = s.exam.papers['01']
    await s.tenant.db(async db => {
      await db.run(sql`
        insert into result (tenant_id, exam_id, item_id, signup_id, user_id, ticket_no, name, score, result_state, released)
        values (${s.tenant.tenantId}, ${s.exam.examId}, ${paper}, ${s.signupId}, ${s.candidate.userId}, '1', '王测', 78.5, 1, false)`)
      for (const person of [s.candidate, stranger])
        await t.app.modules.message.notify(db, {
          userId: person.userId,
          examId: null,
          kind: 7,
          title: { zh: `给${person.userId}`, en: 'x' },
          content: { zh: '', en: '' },
          link: '',
          eventKey: 'x',
        })
    })
    const answer = await take(s.candidate)
    expect([answer.status, answer.headers['content-type'], answer.headers['content-disposition']]).toEqual([
      200,
      'application/zip',
      "attachment; filename*=UTF-8''kaopu-2026-03-17.zip",
    ])
    const files = await unpack(answer.raw)
    const read = (name: string) => JSON.parse(files[name]?.toString('utf8') ?? 'null')
    expect(read('account.json')).toMatchObject({
      name: '王测',
      idCard: '330106199806301023',
      phone: expect.stringMatching(/^1601111\d{4}$/),
    })
    expect(read('signups.json')).toMatchObject([
      {
        exam: '2026年区卫生健康系统事业单位公开招聘',
        state: 'waiting',
        answers: expect.arrayContaining([{ key: 'idCard', name: expect.any(String), value: '330106199806301023' }]),
      },
    ])
    expect([read('results.json'), read('tickets.json'), read('notices.json').length]).toEqual([[], [], read('notices.json').length])
    expect(JSON.stringify(read('notices.json'))).not.toContain(stranger.userId)
    expect(files['README.txt']?.toString()).toContain('This is your personal data')
    expect(Object.keys(files).filter(name => name.startsWith('files/')).length).toBeGreaterThan(0)
    expect(
      await s.tenant.rows(sql<object>`select action from audit_log where user_id = ${s.candidate.userId} and action like 'person.%'`),
    ).toEqual([{ action: 'person.exported' }])
  })

  test('asks for the password, counts wrong ones, and answers three times a day', async () => {
    const s = await scene()
    expect((await take(s.candidate, 'wrong')).body.reason).toBe('auth/wrong-password')
    const statuses: number[] = []
    for (let i = 0; i < 4; i += 1) statuses.push((await take(s.candidate)).status)
    expect(statuses).toEqual([200, 200, 200, 429])
    expect((await take(s.candidate)).body).toMatchObject({ code: 2801, msg: '每天最多导出 3 次个人数据，请明天再试' })
    t.clock.advance(24 * 3_600_000 + 1_000)
    expect((await take(s.candidate)).status).toBe(200)
    expect((await take(await s.tenant.staff('admin'))).status).toBe(403)
  })
})

describe('closing the account (domain 4.9)', () => {
  const close = (person: Person, word = password) => person.post('/me/closing/request', { json: { password: seal(word) } })
  const account = async (s: Scene) =>
    (
      await s.tenant.rows(sql<Record<string, unknown>>`
      select status, real_name, phone_sealed, id_card_sealed, id_card_index, phone_mask, password_hash, email from account where id = ${s.candidate.userId}`)
    )[0]

  test('nothing open: closed at once, everything personal forgotten, sessions ended, and the same person may register again', async () => {
    const tenant = await t.tenant()
    const person = await withPassword(tenant, await tenant.candidate({ idCard: '330106199806301023', phone: '16022220001' }))
    expect((await close(person, 'wrong')).body.reason).toBe('auth/wrong-password')
    expect((await close(person)).body.data).toEqual({ state: 'done', requestTime: toWireTime(t.clock.now()), obstacles: [] })
    const row = await account({ tenant, candidate: person } as Scene)
    expect(row).toEqual({
      status: 5,
      real_name: '已注销',
      phone_sealed: null,
      id_card_sealed: null,
      id_card_index: null,
      phone_mask: null,
      password_hash: null,
      email: null,
    })
    t.clock.advance(5_000)
    expect((await person.get('/blade-system/user/info')).status).toBe(401)
    expect((await t.runTasks()).includes('message.send-sms')).toBe(true)
    const again = await tenant.candidate({ idCard: '330106199806301023', phone: '16022220001' })
    expect((await again.get('/blade-system/user/info')).status).toBe(200)
  })

  test('an open sign-up: it waits, says why, can be taken back, and ends by itself when nothing is open', async () => {
    const s = await scene()
    expect((await close(s.candidate)).body.data).toMatchObject({
      state: 'waiting',
      obstacles: [{ kind: 'signup', examName: '2026年区卫生健康系统事业单位公开招聘' }],
    })
    expect((await s.candidate.get('/me/closing')).body.data.state).toBe('waiting')
    expect((await s.candidate.post('/me/closing/cancel')).body.data.state).toBe('none')
    expect((await s.candidate.post('/me/closing/cancel')).body.code).toBe(2201)
    await close(s.candidate)
    const run = () => doWork(t, 'person.close-accounts')
    await run()
    expect(await account(s)).toMatchObject({ status: 1 })
    await s.tenant.db(db => db.run(sql`update examination set state = 'closed' where id = ${s.exam.examId}`))
    await run()
    expect(await account(s)).toMatchObject({ status: 5, id_card_sealed: null })
    expect(await s.tenant.rows(sql<object>`select name from signup where id = ${s.signupId}`)).toEqual([{ name: '王测' }])
    expect(
      await s.tenant.rows(
        sql<object>`select action from audit_log where entity = 'account' and entity_id = ${s.candidate.userId} order by id`,
      ),
    ).toEqual([
      { action: 'account.closing-requested' },
      { action: 'account.closing-cancelled' },
      { action: 'account.closing-requested' },
      { action: 'account.closed' },
    ])
  })
})

describe('reminders of new examinations (domain 6.3)', () => {
  test('whoever asked for them hears once of an examination that opens, nobody else', async () => {
    const s = await scene()
    const [other, admin] = [await s.tenant.candidate(), await s.tenant.staff('admin')]
    expect((await s.candidate.get('/me/reminders')).body.data).toEqual({ on: false })
    expect((await s.candidate.post('/me/reminders', { json: { on: 1 } })).body.data).toEqual({ on: true })
    expect((await s.candidate.post('/me/reminders', { json: { on: 1 } })).status).toBe(200)
    const order = () => s.tenant.db(db => t.app.modules.person.orderReminders(db, s.exam.examId))
    await order()
    await order()
    await t.runTasks()
    const titles = async (person: Person) =>
      (await person.get('/me/notices')).body.data.tabs[0].records.map((row: { title: string }) => row.title)
    expect(await titles(s.candidate)).toEqual(['新考试开放：2026年区卫生健康系统事业单位公开招聘'])
    expect(await titles(other)).toEqual([])
    expect((await s.candidate.post('/me/reminders', { json: { on: 0 } })).body.data).toEqual({ on: false })
    expect((await admin.get('/me/reminders')).status).toBe(403)
  })
})
