import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rootOfProof } from '#contract/kernel/inclusion-proof.ts'
import { sql } from '#kernel/db/sql.ts'
import { sealContent } from '#modules/signup/content-vault.ts'
import { isTicketNo } from '#modules/ticket/domain/numbering.ts'
import { type Person, startTestApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { type BuiltExam, buildExam } from '../../support/factories.ts'
import { pdfQr } from '../../support/pdf-qr.ts'
import { pdfText } from '../../support/pdf-text.ts'
import { type Applicant, applicant, rooms } from '../../support/ticket-people.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp({ start: '2026-03-23T10:00:00+08:00' })
})
afterAll(() => t.close())

const exam = '/blade-exam/examination'
const exportTicket = '/blade-signup/signup/exportTicket'
const downInfo = '/blade-ticketNotice/ticketnotice/saveTicketDownInfo'
const paper = (more: object = {}) => ({
  itemCode: '01',
  itemName: '综合基础知识',
  startTime: '2026-03-28 09:00:00',
  endTime: '2026-03-28 10:30:00',
  rooms: rooms(1),
  ...more,
})

const image = readFileSync(new URL('../../../seed/data/portraits/p01-white.jpg', import.meta.url))

interface Scene {
  tenant: TestTenant
  admin: Person
  built: BuiltExam
  itemId: string
}
const scene = async (
  papers: readonly ReturnType<typeof paper>[] = [paper()],
  overrides: Readonly<Record<string, unknown>> = {},
): Promise<Scene> => {
  const tenant = await t.tenant()
  const built = await buildExam(tenant, { papers, exam: overrides })
  return { tenant, admin: await tenant.staff('exam_admin'), built, itemId: built.papers['01'] ?? '' }
}
const allocate = async ({ admin, built }: Scene, itemIds: string) =>
  expect((await admin.post(`${exam}/creTicketEnd`, { json: { examId: built.examId, itemIds } })).body.code).toBe(200)
const release = (of: Scene, itemIds: string, more: object = {}) =>
  of.admin.post(`${exam}/releaseTickets`, { json: { examId: of.built.examId, itemIds, ...more } })
const releaseAll = async (of: Scene, itemIds = of.itemId) => {
  await allocate(of, itemIds)
  expect((await release(of, itemIds)).body.data.step).toBe('rendering')
  await t.runTasks()
  expect((await release(of, itemIds)).body.data.step).toBe('released')
  await t.runTasks()
}
const inWindow = () => t.clock.set('2026-03-25T10:00:00+08:00')
const earlyDay = () => t.clock.set('2026-03-23T10:00:00+08:00')
const ownTicket = async (someone: Applicant, of: Scene) =>
  (await someone.person.get(`${exam}/getExamTicketList`, { query: { examId: of.built.examId } })).body.data.records[0]

describe('release', () => {
  test('[S7.39][S7.53] the queue renders, the release publishes, and the paper carries the person, the seat, a number and a QR that checks', async () => {
    earlyDay()
    const of = await scene([
      paper(),
      paper({ itemCode: '02', itemName: '写作', startTime: '2026-03-28 14:00:00', endTime: '2026-03-28 15:30:00' }),
    ])
    const rare = await applicant(t, of.tenant, of.built.examId, { name: '张䶮', withPhoto: true })
    const dotted = await applicant(t, of.tenant, of.built.examId, { name: '阿卜杜拉·买买提·艾合买提' })
    const third = await applicant(t, of.tenant, of.built.examId, { name: '李𬭎' })
    const items = `${of.itemId},${of.built.papers['02']}`
    await allocate(of, items)

    const first = await release(of, items)
    expect(first.body.data).toMatchObject({ step: 'rendering', changed: 0, progress: { total: 3, done: 0, failed: 0, state: 0 } })
    expect(await release(of, items)).toMatchObject({ status: 409, body: { code: 2304, msg: '准考证生成未完成（0/3）' } })
    expect(await ownTicket(rare, of)).toBeUndefined()
    expect(await t.runTasks()).toEqual(['ticket.render'])
    const progress = await of.admin.get(`${exam}/releaseProgress`, { query: { examId: of.built.examId } })
    expect(progress.body.data).toMatchObject({ total: 3, done: 3, failed: 0, state: 1 })
    expect((await release(of, items, { sms: 1 })).body.data).toMatchObject({ step: 'released', changed: 6 })
    expect(new Set(await t.runTasks())).toEqual(new Set(['ticket.notify', 'message.send-sms']))
    expect(await of.tenant.rows(sql`select kind, title_zh, count(*)::int as count from notify group by 1, 2`)).toEqual([
      { kind: 3, title_zh: '准考证可以打印了', count: 3 },
    ])
    expect(await of.tenant.rows(sql`select count(*)::int as count from sms_message where template = 'ticket-released'`)).toEqual([
      { count: 3 },
    ])

    inWindow()
    const ticket = await ownTicket(rare, of)
    expect(isTicketNo(ticket.ticketNo)).toBe(true)
    const pdf = await rare.person.get(exportTicket, { query: { id: rare.signupId, type: 1 } })
    expect(pdf).toMatchObject({ status: 200, headers: { 'content-type': 'application/pdf' } })
    expect(pdf.raw.length).toBeLessThan(200 * 1024)
    const [pageOne = [], pageTwo = []] = pdfText(pdf.raw)
    const text = pageOne.join('|')
    for (const part of [
      '准　考　证',
      '张䶮',
      '女',
      rare.idCard,
      ticket.ticketNo.replace(/(\d{4})(?=\d)/g, '$1 '),
      '区人民医院',
      '护士（B001）',
      '综合基础知识',
      '写作',
      '2026-03-28',
      '周六',
      '09:00–10:30',
      '区第一中学',
      'A栋301',
      ticket.seatNo,
      '版本 v1',
      '第 1 页 共 2 页',
    ])
      expect(text).toContain(part)
    expect(pageTwo.join('')).toContain('考生须知')
    const code = pdfQr(pdf.raw) ?? ''
    expect(code).toMatch(new RegExp(`^http://localhost:7300/t/${of.tenant.tenantId}-[\\w-]{43}$`))

    const page = await t.app.server.inject({ method: 'GET', url: new URL(code).pathname })
    expect(page.statusCode).toBe(200)
    expect(page.body).toContain('有效')
    expect(page.body).toContain('张*')
    for (const secret of [rare.name, rare.idCard, ticket.ticketNo, 'A栋301']) expect(page.body).not.toContain(secret)
    const site = await of.admin.get(`/t/${new URL(code).pathname.slice(3)}`)
    expect(site.body.data).toMatchObject({
      valid: true,
      name: '张䶮',
      ticketNo: ticket.ticketNo,
      items: [{ itemName: '综合基础知识' }, { itemName: '写作' }],
    })
    expect(site.body.data.photoUrl).toMatch(/^\/api\/file\//)
    await of.tenant.db(db => db.run(sql`update signup set examine = 'disqualified' where id = ${rare.signupId}`))
    expect((await t.app.server.inject({ method: 'GET', url: new URL(code).pathname })).body).toContain('持证人已不具备考试资格')
    const unknown = await t.app.server.inject({ method: 'GET', url: `/t/${of.tenant.tenantId}-${'x'.repeat(43)}` })
    expect([unknown.statusCode, unknown.body.includes('未找到该准考证')]).toEqual([404, true])

    for (const one of [dotted, third]) {
      const other = await one.person.get(exportTicket, { query: { id: one.signupId, type: 1 } })
      expect(pdfText(other.raw)[0]?.join('')).toContain(one.name)
    }
  })

  test('[S7.39] what is ordered to be released when it is ready is released by itself; where it cannot be, whoever ordered it is told why', async () => {
    earlyDay()
    const of = await scene([paper()])
    const one = await applicant(t, of.tenant, of.built.examId, { name: '王明' })
    await allocate(of, of.itemId)
    expect((await release(of, of.itemId, { whenReady: 1, sms: 1 })).body.data).toMatchObject({ step: 'rendering', changed: 0 })
    expect(await t.runTasks()).toEqual(['ticket.render', 'ticket.release-ready', 'ticket.notify', 'message.send-sms'])
    inWindow()
    expect(await ownTicket(one, of)).toMatchObject({ ticketNo: expect.any(String) })
    expect((await release(of, of.itemId)).body.data).toMatchObject({ step: 'released', changed: 0 })
    expect(
      await of.tenant.rows(sql`select action, after_value->>'tickets' as tickets from audit_log where action like 'ticket.released'`),
    ).toEqual([{ action: 'ticket.released', tickets: '1' }])

    earlyDay()
    const other = await scene([paper()])
    await applicant(t, other.tenant, other.built.examId, { name: '王明' })
    await allocate(other, other.itemId)
    const { renderId } = (await release(other, other.itemId, { whenReady: 1 })).body.data.progress
    await other.tenant.rows(
      sql`update ticket_render set problems = '[{"signUpId":"1","name":"甲","reason":"缺字"}]', failed = 1, total = 2 where id = ${renderId} returning 1`,
    )
    expect(await t.runTasks()).toEqual(['ticket.render', 'ticket.release-ready'])
    const outcome = (one: Scene) =>
      one.tenant.rows(sql`
        select i.ticket_state as state, n.user_id::text as told, n.content_zh as content, n.link, (select after_value ->> 'refused' from audit_log where action = 'ticket.release-skipped') as why
        from exam_item i left join notify n on n.event_key like 'ticket-not-released:%' where i.id = ${one.itemId}`)
    const toldOf = (one: Scene, reason: string) => ({
      told: one.admin.userId,
      content: expect.stringContaining(`（综合基础知识）的准考证生成后未发布：${reason}。`),
      link: `/ticket/ticket?examId=${one.built.examId}`,
    })
    expect(await outcome(other)).toEqual([
      { state: 'made', ...toldOf(other, '有 1 人的准考证没有生成（甲 等）'), why: 'ticket/pages-failed' },
    ])

    // The examination was closed while the pages were made.
    const cleared = await scene([paper()])
    await applicant(t, cleared.tenant, cleared.built.examId, { name: '王明' })
    await allocate(cleared, cleared.itemId)
    await release(cleared, cleared.itemId, { whenReady: 1 })
    await cleared.tenant.rows(sql`update examination set state = 'closed' where id = ${cleared.built.examId} returning 1`)
    await t.runTasks()
    expect(await outcome(cleared)).toEqual([
      { state: 'made', ...toldOf(cleared, ''), content: expect.stringContaining('的准考证生成后未发布：'), why: 'ticket/exam-state' },
    ])
  })

  test('[12.2.4] a candidate checks the own seat: the proof leads to the root published with the draw, by the public program too', async () => {
    earlyDay()
    const of = await scene([paper()])
    const [one, two, three] = [
      await applicant(t, of.tenant, of.built.examId, { name: '王明' }),
      await applicant(t, of.tenant, of.built.examId, { name: '李明' }),
      await applicant(t, of.tenant, of.built.examId, { name: '赵明' }),
    ]
    const proofOf = (who: Applicant) => who.person.get('/blade-signup/ticket/getSeatProof', { query: { examId: of.built.examId } })
    await allocate(of, of.itemId)
    // The draw says where people sit before the office does: nobody reads it there.
    expect((await proofOf(one)).body).toMatchObject({ code: 2306, reason: 'ticket/not-released' })
    await release(of, of.itemId)
    await t.runTasks()
    await release(of, of.itemId)
    await t.runTasks()
    inWindow()
    const [draw] = (await one.person.get(`${exam}/scoreRoots`, { query: { examId: of.built.examId } })).body.data.draws
    const [{ seatRoot }] = draw.plans
    const seats = new Set<string>()
    for (const who of [one, two, three]) {
      const ticket = await ownTicket(who, of)
      const [proof, ...rest] = (await proofOf(who)).body.data
      expect(rest).toEqual([])
      expect(proof).toEqual({
        ...{ itemNames: ['综合基础知识'], version: 1, signNo: expect.any(String), siteCode: ticket.siteCode, roomNo: ticket.roomNo },
        ...{ seatNo: Number(ticket.seatNo), isMoved: false, place: expect.any(Number), leaves: 3, path: expect.any(Array), root: seatRoot },
        leaf: expect.stringContaining(`${proof.signNo}|${ticket.siteCode}|${ticket.roomNo}|${Number(ticket.seatNo)}`),
      })
      const digest = async (bytes: Uint8Array) => new Uint8Array(createHash('sha256').update(bytes).digest())
      expect(await rootOfProof(proof, digest)).toBe(seatRoot)
      seats.add(proof.leaf)
      for (const secret of ['王明', '李明', '赵明', who.idCard]) expect(JSON.stringify(proof)).not.toContain(secret)
    }
    expect(seats.size).toBe(3)
    const folder = mkdtempSync(join(tmpdir(), 'kaopu-seat-'))
    const [proof] = (await proofOf(one)).body.data
    const run = (of: object) => {
      writeFileSync(join(folder, 'proof.json'), JSON.stringify(of))
      const program = fileURLToPath(new URL('../../../../docs/verify/verify-score.mjs', import.meta.url))
      const { status, stdout } = spawnSync(process.execPath, [program, join(folder, 'proof.json'), seatRoot], { encoding: 'utf8' })
      return [status, stdout.trim().split('\n').at(-1)]
    }
    expect(run(proof)).toEqual([0, `This seat is part of root ${seatRoot}.`])
    expect(run({ ...proof, leaf: proof.leaf.replace(/\|(\d+)\n(?=[0-9a-f]{32}$)/, '|29\n') })).toEqual([
      1,
      `This seat is NOT part of root ${seatRoot}.`,
    ])
    rmSync(folder, { recursive: true })

    // A seat that the office changed says so; whoever is seated after the draw has no proof of it, nor has somebody else.
    const ticket = await ownTicket(one, of)
    const moved = await of.admin.post(`${exam}/saveTicket`, { json: { id: ticket.id, siteCode: '01', roomNo: '001', seatNo: '09' } })
    expect(moved.status).toBe(200)
    await t.runTasks()
    expect((await proofOf(one)).body.data).toMatchObject([{ seatNo: Number(ticket.seatNo), isMoved: true, root: seatRoot }])
    const late = await applicant(t, of.tenant, of.built.examId, { name: '孙明' })
    await of.admin.post(`${exam}/seatLate`, { json: { examId: of.built.examId, itemId: of.itemId } })
    await t.runTasks()
    expect((await proofOf(late)).body).toMatchObject({ code: 2001, reason: 'ticket/no-seat-proof' })
    expect(
      (await (await of.tenant.candidate()).get('/blade-signup/ticket/getSeatProof', { query: { examId: of.built.examId } })).status,
    ).toBe(404)
  })

  test('[S7.39] a name with a character that no font has is listed before the release, and the others can go ahead', async () => {
    earlyDay()
    const of = await scene()
    const good = await applicant(t, of.tenant, of.built.examId, { name: '王测' })
    const bad = await applicant(t, of.tenant, of.built.examId, { name: '王\u{E123}' })
    await allocate(of, of.itemId)
    const refused = await release(of, of.itemId)
    expect(refused).toMatchObject({
      status: 409,
      body: { code: 2311, data: { problems: [{ signUpId: bad.signupId, name: '王\u{E123}', characters: ['\u{E123}'] }] } },
    })
    expect((await release(of, of.itemId, { force: 1 })).body.data).toMatchObject({ step: 'released', changed: 1 })
    await t.runTasks()
    inWindow()
    expect((await good.person.get(exportTicket, { query: { id: good.signupId, type: 1 } })).status).toBe(200)
    expect((await bad.person.get(exportTicket, { query: { id: bad.signupId, type: 1 } })).body).toMatchObject({ code: 2306 })
  })

  test('[S7.53] a paper released later joins the same document, and before that its seat is nowhere on it', async () => {
    earlyDay()
    const of = await scene([
      paper(),
      paper({ itemCode: '02', itemName: '专业知识', startTime: '2026-03-28 14:00:00', endTime: '2026-03-28 15:30:00' }),
    ])
    const later = of.built.papers['02'] ?? ''
    const someone = await applicant(t, of.tenant, of.built.examId, { name: '王测' })
    await allocate(of, `${of.itemId},${later}`)
    const publish = async (itemId: string) => {
      expect((await release(of, itemId)).body.data.step).toBe('rendering')
      await t.runTasks()
    }
    const read = async () => {
      const pdf = await someone.person.get(exportTicket, { query: { id: someone.signupId, type: 1 } })
      return pdfText(pdf.raw)[0]?.join('|') ?? ''
    }
    await publish(of.itemId)
    await release(of, of.itemId)
    inWindow()
    expect([(await read()).includes('综合基础知识'), (await read()).includes('专业知识')]).toEqual([true, false])
    // Rendered with both papers already, but the second is not public yet.
    await publish(later)
    expect((await read()).includes('专业知识')).toBe(false)
    expect((await someone.person.get(`${exam}/getExamTicketList`, { query: { examId: of.built.examId } })).body.data.total).toBe(1)
    expect((await release(of, later)).body.data).toMatchObject({ step: 'released', changed: 1 })
    expect([(await read()).includes('综合基础知识'), (await read()).includes('专业知识')]).toEqual([true, true])
    // Taken back, it disappears from the document again.
    t.clock.set('2026-03-23T11:00:00+08:00')
    expect((await release(of, later, { state: 0, confirm: of.built.examCode })).body.data.step).toBe('withdrawn')
    inWindow()
    expect((await read()).includes('专业知识')).toBe(false)
    await t.runTasks()
    expect((await read()).includes('专业知识')).toBe(false)
  })

  test('[S7.39] who passes after the release gets a spare seat, is told and has a paper; nobody else is moved', async () => {
    earlyDay()
    const of = await scene([paper({ rooms: rooms(1, { rows: 2, cols: 2, spare: 1 }) })])
    const first = await applicant(t, of.tenant, of.built.examId, { name: '王测' })
    const gone = await applicant(t, of.tenant, of.built.examId, { name: '李测' })
    const call = (json: object = {}, who = of.admin) =>
      who.post(`${exam}/seatLate`, { json: { examId: of.built.examId, itemId: of.itemId, ...json } })
    expect((await call()).body).toMatchObject({ code: 2304, reason: 'ticket/not-made' })
    await releaseAll(of)
    const seatsOf = () =>
      of.tenant.rows(
        sql<object>`select signup_id::text as id, room_no as room, seat_no as seat, ticket_state as state, version from ticket order by seat_no, id`,
      )
    // Turned away on purpose: not seated again, but the seat is free.
    const own = await ownTicket(gone, of)
    expect((await of.admin.post(`${exam}/delTicket`, { json: { id: own.id, reason: '作弊' } })).status).toBe(200)
    await t.runTasks()
    const before = await seatsOf()
    const late = await applicant(t, of.tenant, of.built.examId, { name: '赵测' })
    const unpaid = await applicant(t, of.tenant, of.built.examId, { name: '钱测', set: sql`pay_state = 'due'` })

    expect((await call({ dryRun: 1 })).body.data).toEqual({ late: 1, seated: 1, shortage: 0 })
    expect(await seatsOf()).toEqual(before)
    const stranger = await (await t.tenant()).staff('exam_admin')
    expect([(await call({}, late.person)).status, (await call({}, stranger)).status]).toEqual([403, 404])
    expect((await call()).body.data).toEqual({ late: 1, seated: 1, shortage: 0 })
    await t.runTasks()
    expect(await seatsOf()).toEqual([...before, { id: late.signupId, room: '001', seat: '04', state: 'released', version: 1 }])
    expect((await call()).body.data).toEqual({ late: 0, seated: 0, shortage: 0 })
    inWindow()
    const pdf = await late.person.get(exportTicket, { query: { id: late.signupId, type: 1 } })
    expect(pdfText(pdf.raw)[0]?.join('|')).toMatch(/赵测.*座位号\|04/)
    expect((await unpaid.person.get(exportTicket, { query: { id: unpaid.signupId, type: 1 } })).status).not.toBe(200)
    const told = await of.tenant.rows(sql<{ user: string }>`select user_id::text as user from notify where event_key like 'ticket-late:%'`)
    expect(told).toEqual([{ user: late.person.userId }])
    expect(
      await of.tenant.rows(
        sql<object>`select after_value->'signups' as signups, after_value->>'released' as released from audit_log where action = 'ticket.seated-late'`,
      ),
    ).toEqual([{ signups: [late.signupId], released: 'true' }])

    // The other two seats, and then nobody is seated rather than some.
    for (const name of ['孙测', '周测', '吴测']) await applicant(t, of.tenant, of.built.examId, { name })
    expect((await call({ dryRun: 1 })).body.data).toEqual({ late: 3, seated: 2, shortage: 1 })
    expect((await call()).body).toMatchObject({ code: 2301, reason: 'ticket/shortage' })
    expect(await ownTicket(first, of)).toMatchObject({ roomNo: '001', ticketState: 1 })
  })

  test('a cancelled rendering renders nothing more, and a repeated order renders nothing twice', async () => {
    earlyDay()
    const of = await scene()
    await applicant(t, of.tenant, of.built.examId, { name: '王测' })
    await allocate(of, of.itemId)
    const { progress } = (await release(of, of.itemId)).body.data
    expect((await of.admin.post(`${exam}/cancelTicketRender`, { json: { renderId: progress.renderId } })).body.data).toEqual({ state: 2 })
    await t.runTasks()
    expect(await of.tenant.rows(sql`select count(*)::int as files from stored_file where owner_kind = 'ticket'`)).toEqual([{ files: 0 }])
    expect((await release(of, of.itemId)).body.data.step).toBe('rendering')
    const [order] = await of.tenant.rows(sql<{ task: string; payload: never }>`select task, payload from outbox`)
    await t.runTasks()
    const task = t.app.modules.tasks.find(one => one.name === order?.task)
    await task?.run(order?.payload as never, { attempt: 2, now: t.clock.now() })
    expect(await of.tenant.rows(sql`select count(*)::int as files from stored_file where owner_kind = 'ticket'`)).toEqual([{ files: 1 }])
    expect(await of.tenant.rows(sql`select done, failed, state from ticket_render order by id desc limit 1`)).toEqual([
      { done: 1, failed: 0, state: 1 },
    ])
  })
})

describe('download', () => {
  const refusal = async (someone: Applicant, of: Scene) => {
    const answer = await someone.person.get(exportTicket, { query: { id: someone.signupId, type: 1 } })
    const [item] = (await someone.person.get(`${exam}/findTicketItems`, { query: { examId: of.built.examId } })).body.data
    const second = await someone.person.post(downInfo, { json: { eid: of.built.examId, itemId: of.itemId, type: 1 } })
    if (answer.status === 200) return { code: 200, item: item.canDownload }
    expect([item.canDownload, item.reason, second.body.code]).toEqual([false, answer.body.msg, answer.body.code])
    expect(
      await of.tenant.rows(sql`select 1 from ticket_down where exam_id = ${of.built.examId} and signup_id = ${someone.signupId}`),
    ).toEqual([])
    return { code: answer.body.code }
  }

  test('[S7.53][S7.58] each guard alone keeps a ticket back that is there to be had', async () => {
    earlyDay()
    const of = await scene()
    const someone = await applicant(t, of.tenant, of.built.examId, { name: '王测' })
    await allocate(of, of.itemId)
    inWindow()
    // Made, even rendered, and not released.
    expect(await refusal(someone, of)).toEqual({ code: 2306 })
    expect((await someone.person.get(`${exam}/getExamTicketList`, { query: { examId: of.built.examId } })).body.data).toMatchObject({
      records: [],
      total: 0,
    })
    await release(of, of.itemId)
    await t.runTasks()
    expect(await refusal(someone, of)).toEqual({ code: 2306 })
    await release(of, of.itemId)
    await t.runTasks()

    t.clock.set('2026-03-24T08:59:59.999+08:00')
    expect(await refusal(someone, of)).toEqual({ code: 2307 })
    t.clock.set('2026-03-28T09:00:00+08:00')
    expect(await refusal(someone, of)).toEqual({ code: 2307 })
    inWindow()

    const set = (assignment: ReturnType<typeof sql>) =>
      of.tenant.db(db => db.run(sql`update signup set ${assignment} where id = ${someone.signupId}`))
    await set(sql`pay_state = 'refunding'`)
    expect(await refusal(someone, of)).toEqual({ code: 2312 })
    await set(sql`pay_state = 'paid', examine = 'disqualified'`)
    expect(await refusal(someone, of)).toEqual({ code: 2312 })
    await set(sql`examine = 'passed', reduction_state = 1`)
    expect(await refusal(someone, of)).toEqual({ code: 2312 })
    await set(sql`reduction_state = 0`)

    const notice = { examId: of.built.examId, title: '考生须知', content: '请提前到达。\n<手机>须关机。', needRead: 1, readSeconds: 5 }
    expect((await of.admin.post(`${exam}/saveTicketNotice`, { json: notice })).body.data).toMatchObject({
      content: '<p>请提前到达。</p><p>&lt;手机&gt;须关机。</p>',
      needRead: true,
      version: 0,
    })
    expect(await refusal(someone, of)).toEqual({ code: 2308 })
    const read = '/blade-ticketNotice/ticketnotice/readTicketNotice'
    expect((await someone.person.post(read, { json: { examId: of.built.examId } })).body.data).toEqual({ read: true })
    expect((await someone.person.get(`${exam}/getTicketNotice`, { query: { examId: of.built.examId } })).body.data).toMatchObject({
      read: true,
    })

    await of.admin.post(`${exam}/saveTicketNotice`, { json: { ...notice, version: 0, isUpload: 1, uploadKinds: ['jkm'] } })
    expect(await refusal(someone, of)).toEqual({ code: 2309 })
    const isUpload = await someone.person.get('/blade-ticketNotice/ticketnotice/getTicketNoticeIsUpload', {
      query: { examId: of.built.examId },
    })
    expect(isUpload.body.data).toMatchObject({ isUpload: true, kinds: ['jkm'], done: false, needRead: true, read: true })
    const upload = '/blade-ticketNotice/ticketnotice/savePicAndDownInfo'
    const fields = { examId: of.built.examId, itemId: of.itemId, type: '1' }
    const none = await someone.person.post(upload, { multipart: { fields, files: [{ part: 'xcm', name: 'x.jpg', bytes: image }] } })
    expect(none.body).toMatchObject({ code: 400, reason: 'ticket/no-upload' })
    const stored = await someone.person.post(upload, { multipart: { fields, files: [{ part: 'jkm', name: 'x.jpg', bytes: image }] } })
    expect(stored.body.data).toEqual({ recorded: true, done: true })
    expect(await refusal(someone, of)).toEqual({ code: 200, item: true })

    const [{ id } = { id: '' }] = await of.tenant.rows(sql<{ id: string }>`select id::text as id from ticket`)
    expect((await of.admin.post(`${exam}/delTicket`, { json: { id } })).body).toMatchObject({ code: 400, reason: 'ticket/reason' })
    expect((await of.admin.post(`${exam}/delTicket`, { json: { id, reason: '取消资格' } })).status).toBe(200)
    const answer = await someone.person.get(exportTicket, { query: { id: someone.signupId, type: 1 } })
    expect(answer.body).toMatchObject({ code: 2310 })
  })

  test('[S7.53][S7.55] a download is recorded once, by the server itself, however often the client tells it', async () => {
    earlyDay()
    const of = await scene()
    const someone = await applicant(t, of.tenant, of.built.examId, { name: '王测' })
    await releaseAll(of)
    inWindow()
    const ticket = await ownTicket(someone, of)
    expect((await someone.person.get(exportTicket, { query: { id: ticket.id, type: 1 } })).status).toBe(200)
    const told = await Promise.all(
      [1, 2].map(() => someone.person.post(downInfo, { json: { eid: of.built.examId, itemId: of.itemId, type: 1 } })),
    )
    expect(told.map(answer => answer.body.data)).toEqual([{ recorded: false }, { recorded: false }])
    const state = () => of.tenant.rows(sql`select ticket_state, down_count, (select count(*)::int from ticket_down) as records from ticket`)
    expect(await state()).toEqual([{ ticket_state: 'downloaded', down_count: 1, records: 1 }])
    t.clock.advance(10_001)
    expect((await someone.person.post(downInfo, { json: { eid: of.built.examId, itemId: of.itemId, type: 1 } })).body.data).toEqual({
      recorded: true,
    })
    expect(await state()).toEqual([{ ticket_state: 'downloaded', down_count: 2, records: 2 }])
    // Staff print without a record.
    expect((await of.admin.get(exportTicket, { query: { id: someone.signupId, type: 1 } })).status).toBe(200)
    expect(
      (await of.admin.post(`${exam}/exportPDFView`, { json: { examId: of.built.examId, roomNo: '001' } })).headers['content-type'],
    ).toBe('application/pdf')
    expect(await state()).toEqual([{ ticket_state: 'downloaded', down_count: 2, records: 2 }])
  })

  test('[S7.39] a notice changed after the release: the pages are made anew by the queue, the former text cannot be downloaded any more', async () => {
    earlyDay()
    const of = await scene()
    const [one, other] = [
      await applicant(t, of.tenant, of.built.examId, { name: '王测' }),
      await applicant(t, of.tenant, of.built.examId, { name: '李测' }),
    ]
    const notice = { examId: of.built.examId, title: '考生须知', content: '请提前三十分钟到达。', needRead: 1, readSeconds: 5 }
    const first = (await of.admin.post(`${exam}/saveTicketNotice`, { json: notice })).body.data
    await releaseAll(of)
    inWindow()
    const read = async () => {
      for (const { person } of [one, other])
        await person.post('/blade-ticketNotice/ticketnotice/readTicketNotice', { json: { examId: of.built.examId } })
    }
    const pages = async (who: typeof one) =>
      pdfText((await who.person.get(exportTicket, { query: { id: who.signupId, type: 1 } })).raw).join('\n')
    await read()
    expect(await pages(one)).toContain('请提前三十分钟到达')
    const before = await of.tenant.rows(
      sql<{ file: string; qr: string }>`select pdf_file_id::text as file, qr_token as qr from ticket order by id`,
    )

    // What is not printed changes no page.
    const unprinted = await of.admin.post(`${exam}/saveTicketNotice`, { json: { ...notice, readSeconds: 8, version: first.version } })
    expect(await of.tenant.rows(sql`select count(pdf_file_id)::int as n from ticket`)).toEqual([{ n: 2 }])
    const changed = { ...notice, readSeconds: 8, content: '请提前六十分钟到达。', version: unprinted.body.data.version }
    expect((await of.admin.post(`${exam}/saveTicketNotice`, { json: changed })).status).toBe(200)
    expect(await of.tenant.rows(sql`select count(pdf_file_id)::int as n, min(pdf_version) as v from ticket`)).toEqual([{ n: 0, v: 2 }])
    // Nobody has read the new rules yet.
    expect((await one.person.get(exportTicket, { query: { id: one.signupId, type: 1 } })).body.code).toBe(2308)
    await read()
    // Before the queue has come to it the file is made on the spot, never the former one.
    const fresh = await pages(one)
    expect(fresh).toContain('请提前六十分钟到达')
    expect(fresh).not.toContain('请提前三十分钟到达')
    expect(await t.runTasks()).toEqual(expect.arrayContaining(['ticket.render', 'ticket.notify']))
    const after = await of.tenant.rows(
      sql<{ file: string; qr: string }>`select pdf_file_id::text as file, qr_token as qr from ticket order by id`,
    )
    expect(after.every(row => row.file !== null && !before.some(old => old.file === row.file))).toBe(true)
    expect(after.map(row => row.qr)).toEqual(before.map(row => row.qr))
    expect(await pages(other)).toContain('请提前六十分钟到达')
    expect(
      await of.tenant.rows(
        sql`select title_zh as title, need_sure as sure, count(*)::int as people from notify where title_zh = '考生须知有变更' group by 1, 2`,
      ),
    ).toEqual([{ title: '考生须知有变更', sure: true, people: 2 }])
    expect(
      await of.tenant.rows(sql`select after_value->>'renewed' as renewed from audit_log where action = 'ticket-notice.saved' order by id`),
    ).toEqual([{ renewed: '0' }, { renewed: '0' }, { renewed: '2' }])
  })

  test('[S7.53] answers that the examination wants on the paper stand there in words, and each person’s own', async () => {
    earlyDay()
    const of = await scene()
    const { signItems, examId } = of.built
    const setOnTicket = (key: string, useInTicket = 1) =>
      of.admin.post('/blade-signitems/signitems/submit', { json: { id: signItems[key], useInTicket } })
    for (const key of ['nation', 'education', 'certName']) expect((await setOnTicket(key)).status, key).toBe(200)
    const refusedText = async (key: string) => {
      const { status, body } = await setOnTicket(key)
      return [status, body.data?.fields?.[0]]
    }
    expect(await refusedText('school')).toEqual([400, { field: 'useInTicket', msg: '准考证上最多印 3 项' }])
    expect(await refusedText('idCard')).toEqual([
      400,
      { field: 'useInTicket', msg: '此项不能印在准考证上：已印在上面，或是敏感信息，或一行放不下' },
    ])
    const one = await applicant(t, of.tenant, examId, { name: '王测' })
    const two = await applicant(t, of.tenant, examId, { name: '李测' })
    const answers: readonly [string, object][] = [
      [one.signupId, { nation: '05', education: '20', certName: ['护士', '助产士'], school: '不印的学校' }],
      [two.signupId, { nation: '01', education: '10', school: '不印的学校' }],
    ]
    await of.tenant.db(async db => {
      for (const [id, content] of answers) await db.run(sql`update signup set content = ${JSON.stringify(content)} where id = ${id}`)
    })
    await releaseAll(of)
    inWindow()
    const paperOf = async (who: Applicant) =>
      pdfText((await who.person.get(exportTicket, { query: { id: who.signupId, type: 1 } })).raw)[0]?.join('|') ?? ''
    const [first, second] = [await paperOf(one), await paperOf(two)]
    for (const text of ['民族|维吾尔族', '学历|', '护士、助产士']) expect(first).toContain(text)
    for (const text of ['民族|汉族', '执业资格|—']) expect(second).toContain(text)
    for (const text of ['维吾尔族', '助产士']) expect(second).not.toContain(text)
    for (const page of [first, second]) expect(page).not.toContain('不印的学校')
  })

  test('[19.1][S7.53] what the ticket says anyway is not said twice, and sealed answers are opened and masked', async () => {
    earlyDay()
    const of = await scene()
    const { examId } = of.built
    const one = await applicant(t, of.tenant, examId, { name: '王测' })
    const { cipher } = t.app.services
    const content = sealContent(
      cipher,
      { tenantId: of.tenant.tenantId, table: 'signup', rowId: one.signupId },
      ['idCard', 'phone', 'address', 'nation', 'disability'].map(itemKey => ({ itemKey, sensitive: 2 })),
      {
        ...{ name: '王测', sex: '2', idCard: one.idCard, phone: '13812345678', address: '浙江省杭州市西湖区文三路1号', nation: '05' },
        ...{ hukouAddress: '330106', resume: [{ unit: '某县医院' }] },
      },
    )
    const wanted = [
      ...[
        { key: 'name' },
        { key: 'idCard', type: 'idcard' },
        { key: 'sex' },
        { key: 'photo', type: 'image' },
        { key: 'resume', type: 'table' },
      ],
      ...[
        { key: 'phone', type: 'phone', sensitive: 2 },
        { key: 'address', sensitive: 2 },
        { key: 'hukouAddress', type: 'region' },
      ],
      { key: 'nation', type: 'select', sensitive: 2 },
    ]
    // As an office has set it up before a rule kept it from doing so, or as a field became sensitive afterwards.
    await of.tenant.db(async db => {
      await db.run(sql`update signup set content = ${JSON.stringify(content)} where id = ${one.signupId}`)
      await db.run(sql`delete from sign_item where exam_id = ${examId}`)
      for (const [sort, { key, type = 'text', sensitive = 0 }] of wanted.entries())
        await db.run(sql`
          insert into sign_item (tenant_id, exam_id, item_key, item_label, field_type, group_name, sensitive, use_in_ticket, sort)
          values (${of.tenant.tenantId}, ${examId}, ${key}, ${`栏·${key}`}, ${type}, '基本信息', ${sensitive}, 1, ${sort})`)
    })
    await releaseAll(of)
    inWindow()
    const [page = []] = pdfText((await one.person.get(exportTicket, { query: { id: one.signupId, type: 1 } })).raw)
    const text = page.join('|')
    expect(page.filter(part => part.startsWith('栏·'))).toEqual(['栏·phone', '栏·address', '栏·hukouAddress'])
    for (const line of ['栏·phone|138****5678', '栏·address|浙江省杭州市西湖区****', '栏·hukouAddress|西湖区']) expect(text).toContain(line)
    for (const once of ['王测', one.idCard]) expect(text.split(once).length - 1, once).toBe(1)
    for (const never of ['[object', '13812345678', '文三路', '某县医院']) expect(text).not.toContain(never)
  })

  test('[S7.39][S7.54] exportPDFView prints tickets for staff under both paths, audited, and no candidate or stranger gets it', async () => {
    earlyDay()
    const of = await scene()
    const [one, other] = [
      await applicant(t, of.tenant, of.built.examId, { name: '王测' }),
      await applicant(t, of.tenant, of.built.examId, { name: '李测' }),
    ]
    await releaseAll(of)
    for (const path of [`${exam}/exportPDFView`, '/blade-signup/signup/exportPDFView']) {
      const both = await of.admin.post(path, { json: { examId: of.built.examId } })
      expect([both.status, both.headers['content-type']]).toEqual([200, 'application/pdf'])
      expect(String(both.headers['content-disposition'])).toMatch(/^inline; filename\*=UTF-8''/)
      const pages = pdfText(both.raw)
      for (const name of ['王测', '李测']) expect(pages.some(page => page.includes(name))).toBe(true)
      expect(pages.flat().join('|')).not.toContain('预览稿')
      const [ticket] = await of.tenant.rows(sql<{ id: string }>`select id::text as id from ticket where signup_id = ${one.signupId}`)
      const single = await of.admin.post(path, { json: { examId: of.built.examId, ids: ticket?.id, order: 'number' } })
      expect(pdfText(single.raw).some(page => page.includes('李测'))).toBe(false)
      expect((await other.person.post(path, { json: { examId: of.built.examId } })).status).toBe(403)
      const stranger = await (await t.tenant()).staff('exam_admin')
      expect((await stranger.post(path, { json: { examId: of.built.examId } })).status).toBe(404)
      expect((await of.admin.post(path, { json: { examId: of.built.examId, roomNo: '999' } })).status).toBe(404)
      expect((await of.admin.post(path, { json: { examId: of.built.examId, layout: 'poster' } })).body.reason).toBe('ticket/layout')
    }
    expect(
      await of.tenant.rows(sql`select after_value->>'people' as people from audit_log where action = 'ticket.printed' order by id`),
    ).toEqual(['2', '1', '2', '1'].map(people => ({ people })))
  })

  test("[S7.38][S7.53] somebody else's ticket does not exist, in the same tenant or from another", async () => {
    earlyDay()
    const of = await scene()
    const owner = await applicant(t, of.tenant, of.built.examId, { name: '王测' })
    const thief = await applicant(t, of.tenant, of.built.examId, { name: '李测' })
    await releaseAll(of)
    inWindow()
    const ticket = await ownTicket(owner, of)
    const stranger = await (await t.tenant()).staff('exam_admin')
    for (const person of [thief.person, stranger]) {
      expect((await person.get(exportTicket, { query: { id: owner.signupId, type: 1 } })).status).toBe(404)
      expect((await person.get(exportTicket, { query: { id: ticket.id, type: 1 } })).status).toBe(404)
      expect((await person.get(`${exam}/getTicketInfo`, { query: { id: ticket.id } })).status).toBe(404)
    }
    expect((await ownTicket(thief, of)).id).not.toBe(ticket.id)
    expect((await owner.person.get(`${exam}/getTicketInfo`, { query: { id: ticket.id } })).body.data).toMatchObject({
      ticket: { name: '王测', ticketState: 1 },
      items: [{ id: ticket.id }],
      canDownload: true,
      reason: null,
    })
    const staffRows = (await of.admin.get(`${exam}/getExamTicketList`, { query: { examId: of.built.examId, keyword: '王' } })).body.data
      .records
    // As in the list of sign-ups: staff read the name, whoever audits sees masked data; the number is masked for all.
    expect(staffRows).toMatchObject([{ name: '王测', idCardMask: expect.stringMatching(/^\d{4}\*{10}/) }])
    const auditor = await of.tenant.staff('auditor')
    const audited = await auditor.get(`${exam}/getExamTicketList`, { query: { examId: of.built.examId, keyword: '王' } })
    expect(audited.body.data.records).toMatchObject([{ name: '王*', idCardMask: expect.stringMatching(/^\d{4}\*{10}/) }])
    expect(await of.tenant.rows(sql`select 1 from ticket_down`)).toEqual([])
  })
})

describe('changes', () => {
  test('[S7.39] a seat is moved to a free one only; after the release the paper becomes version v1.2 and the holder has to confirm', async () => {
    earlyDay()
    const of = await scene()
    const one = await applicant(t, of.tenant, of.built.examId, { name: '王测' })
    await applicant(t, of.tenant, of.built.examId, { name: '李测' })
    await allocate(of, of.itemId)
    const rows = (await of.admin.get(`${exam}/getExamTicketList`, { query: { examId: of.built.examId } })).body.data.records
    const mine = rows.find((row: { signUpId: string }) => row.signUpId === one.signupId)
    const other = rows.find((row: { signUpId: string }) => row.signUpId !== one.signupId)
    const save = (json: object) => of.admin.post(`${exam}/saveTicket`, { json: { id: mine.id, ...json } })
    expect((await save({ seatNo: other.seatNo })).body).toMatchObject({ code: 2305, reason: 'ticket/seat-taken' })
    expect((await save({ seatNo: '31' })).body).toMatchObject({ code: 2305, reason: 'ticket/no-such-seat' })
    const moved = (await save({ seatNo: '30', version: mine.version })).body.data
    expect(moved).toMatchObject({ seatNo: '30', ticketNo: expect.stringMatching(/^26030100130\d$/) })
    expect((await save({ seatNo: '29', version: mine.version })).body.code).toBe(2002)

    expect((await release(of, of.itemId)).body.data.step).toBe('rendering')
    await t.runTasks()
    await release(of, of.itemId)
    await t.runTasks()
    const changed = (await save({ seatNo: '28', remark: '座位调整' })).body.data
    expect(changed).toMatchObject({ seatNo: '28', ticketNo: moved.ticketNo, isRendered: false })
    await t.runTasks()
    expect(
      await of.tenant.rows(sql`select title_zh, need_sure from notify where user_id = ${one.person.userId} order by id desc limit 1`),
    ).toEqual([{ title_zh: '准考证有变更', need_sure: true }])
    inWindow()
    const pdf = await one.person.get(exportTicket, { query: { id: one.signupId, type: 1 } })
    const text = pdfText(pdf.raw)[0]?.join('|') ?? ''
    for (const part of ['版本 v1.2', '备注：座位调整', '28']) expect(text).toContain(part)
  })

  test('[S7.39] a void ticket is given out again on its seat with a new code, while the seat is free and the person may sit', async () => {
    earlyDay()
    const of = await scene()
    const someone = await applicant(t, of.tenant, of.built.examId, { name: '王测' })
    await applicant(t, of.tenant, of.built.examId, { name: '李测' })
    await releaseAll(of)
    inWindow()
    const own = { query: { id: someone.signupId, type: 1 } }
    const old = await someone.person.get(exportTicket, own)
    const [before] = await of.tenant.rows<{ id: string; no: string; seat: string }>(sql`
      select id::text as id, ticket_no as no, seat_no as seat from ticket where signup_id = ${someone.signupId}`)
    const id = before?.id ?? ''
    const again = (who = of.admin, json: object = { reason: '误作废' }) => who.post(`${exam}/reissueTicket`, { json: { id, ...json } })
    expect((await again()).body).toMatchObject({ reason: 'ticket/not-void' })
    await of.admin.post(`${exam}/delTicket`, { json: { id, reason: '弃考' } })
    expect((await someone.person.get(exportTicket, own)).body.code).toBe(2310)
    expect((await again(of.admin, {})).status).toBe(400)
    const foreign = await (await t.tenant()).staff('exam_admin')
    expect((await again(foreign)).status).toBe(404)
    // Whoever withdrew has no place, and a seat that somebody else took meanwhile is not taken from them.
    await of.tenant.db(db => db.run(sql`update signup set pay_state = 'due' where id = ${someone.signupId}`))
    expect((await again()).body.code).toBe(2312)
    await of.tenant.db(db => db.run(sql`update signup set pay_state = 'paid' where id = ${someone.signupId}`))
    const seatOfOther = (seat: string) =>
      of.tenant.db(db => db.run(sql`update ticket set seat_no = ${seat} where signup_id <> ${someone.signupId}`))
    await seatOfOther(before?.seat ?? '')
    expect((await again()).body).toMatchObject({ code: 2305, reason: 'ticket/seat-taken' })
    await seatOfOther('30')

    const fresh = (await again()).body.data
    expect(fresh).toMatchObject({ ticketNo: before?.no, seatNo: before?.seat, ticketState: 1 })
    expect(fresh.id).not.toBe(id)
    expect((await again()).body).toMatchObject({ reason: 'ticket/not-void' })
    await t.runTasks()
    const paper = await someone.person.get(exportTicket, own)
    expect(paper.headers['content-type']).toBe('application/pdf')
    expect(pdfQr(paper.raw)).not.toBe(pdfQr(old.raw))
    expect(
      await of.tenant.rows(
        sql`select action, reason, after_value ->> 'released' as released from audit_log where action = 'ticket.reissued'`,
      ),
    ).toEqual([{ action: 'ticket.reissued', reason: '误作废', released: 'true' }])
  })

  test('[S7.39] a withdrawn release voids what was downloaded, tells the holder, and the code on the old paper no longer counts', async () => {
    earlyDay()
    const of = await scene()
    const someone = await applicant(t, of.tenant, of.built.examId, { name: '王测' })
    const waiting = await applicant(t, of.tenant, of.built.examId, { name: '李测' })
    await releaseAll(of)
    inWindow()
    const old = await someone.person.get(exportTicket, { query: { id: someone.signupId, type: 1 } })
    expect((await release(of, of.itemId, { state: 0 })).body).toMatchObject({ code: 400, reason: 'ticket/confirm' })
    const answer = await release(of, of.itemId, { state: 0, confirm: of.built.examCode })
    expect(answer.body.data).toMatchObject({ step: 'withdrawn', changed: 2 })
    await t.runTasks()
    expect((await someone.person.get(exportTicket, { query: { id: someone.signupId, type: 1 } })).body.code).toBe(2310)
    expect((await waiting.person.get(exportTicket, { query: { id: waiting.signupId, type: 1 } })).body.code).toBe(2306)
    expect(await of.tenant.rows(sql`select user_id::text as user_id, need_sure from notify where title_zh = '准考证已撤回'`)).toEqual([
      { user_id: someone.person.userId, need_sure: true },
    ])
    const page = await t.app.server.inject({
      method: 'GET',
      url: new URL(pdfQr(old.raw) ?? '').pathname,
      headers: { 'accept-language': 'en' },
    })
    expect([page.statusCode, page.body.includes('Not valid'), page.body.includes('This ticket is void')]).toEqual([200, true, true])
    expect((await release(of, of.itemId)).body.data.step).toBe('rendering')
    await t.runTasks()
    expect((await release(of, of.itemId)).body.data).toMatchObject({ step: 'released', changed: 2 })
    const fresh = await someone.person.get(exportTicket, { query: { id: someone.signupId, type: 1 } })
    expect(fresh.status).toBe(200)
    expect(pdfQr(fresh.raw)).not.toBe(pdfQr(old.raw))
  })
})

test('[S7.39] a dry run of the release says who gets a ticket, when they can have it and what is still open, and changes nothing', async () => {
  const of = await scene([paper()], { pay_end: '2026-03-25 17:00:00' })
  for (const [at, name] of ['张一', '李二', '王三'].entries())
    await applicant(t, of.tenant, of.built.examId, { name, ...(at === 2 ? { set: sql`examine = 'waiting'` } : {}) })
  expect((await of.admin.post(`${exam}/creTicketEnd`, { json: { examId: of.built.examId, itemIds: of.itemId, force: 1 } })).body.code).toBe(
    200,
  )
  await of.tenant.db(db => db.run(sql`update signup set reduction_state = 2 where exam_id = ${of.built.examId} and name = '李二'`))
  const answer = await release(of, of.itemId, { dryRun: 1 })
  expect(answer.body.data).toEqual({
    step: 'checked',
    changed: 0,
    progress: null,
    facts: {
      people: 2,
      tickets: 2,
      downloadBegin: '2026-03-24 09:00:00',
      downloadEnd: '2026-03-28 09:00:00',
      openWindows: [{ window: 'pay', end: '2026-03-25 17:00:00' }],
      pending: 1,
      reductions: 1,
      leftOut: [{ signUpId: expect.any(String), signNo: expect.any(String), name: '李二', reason: '不具备考试资格', hasSeat: true }],
    },
  })
  expect(await of.tenant.rows(sql`select distinct ticket_state as state from ticket where exam_id = ${of.built.examId}`)).toEqual([
    { state: 'made' },
  ])
  expect(await of.tenant.rows(sql`select 1 from ticket_render`)).toEqual([])
})
