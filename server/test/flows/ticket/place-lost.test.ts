import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { lostPlace, standingOf } from '#modules/ticket/index.ts'
import { type Person, startTestApp, type TestApp } from '../../support/app.ts'
import { beginPayments, emulatorOf, exam, noticesOf, openCode, type Payer, payScene } from '../../support/pay.ts'
import { pdfText } from '../../support/pdf-text.ts'
import { sheetCells } from '../../support/sheet-text.ts'
import { insertSignups } from '../../support/sign-up-rows.ts'
import { rooms } from '../../support/ticket-people.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())

const title = '2026年区卫生健康系统事业单位公开招聘'

/** Three people who paid, sit and hold a released ticket. */
const seated = async () => {
  await beginPayments(t)
  const scene = await payScene(t, {
    exam: { ticket_begin: '2026-03-17 09:00:00' },
    papers: [
      { itemCode: '01', itemName: '综合基础知识', startTime: '2026-03-28 09:00:00', endTime: '2026-03-28 10:30:00', rooms: rooms(1) },
    ],
  })
  const { examId, papers } = scene.built
  const itemId = papers['01'] ?? ''
  const admin = await scene.tenant.staff('exam_admin')
  const second = await scene.tenant.staff('finance')
  const { emulator } = await emulatorOf(t)
  const payers: Payer[] = []
  for (const _ of [1, 2, 3]) {
    const payer = await scene.payer()
    await emulator.payAsPerson((await openCode(payer.person, payer.payId)).codeUrl)
    await emulator.runDue()
    payers.push(payer)
  }
  const [gone, stays, other] = payers
  if (!gone || !stays || !other) throw new Error('three payers')
  expect((await admin.post(`${exam}/creTicketEnd`, { json: { examId, itemIds: itemId } })).body.data.made).toBe(3)
  expect((await admin.post(`${exam}/releaseTickets`, { json: { examId, itemIds: itemId, force: 1 } })).body.data.step).toBe('released')
  await t.runTasks()
  const counts = async () => {
    const [item] = (await admin.get(`${exam}/findTicketItems`, { query: { examId } })).body.data
    return [item.eligible, item.generated, item.released]
  }
  const ask = (who: Person, json: object) => who.post(`${exam}/backPay`, { json })
  const giveBack = async ({ payId }: Payer) => {
    expect((await ask(scene.finance, { payId, reason: '误缴' })).body.code).toBe(200)
    expect((await ask(second, { payId, approve: 1 })).body.code).toBe(200)
  }
  const settle = async () => {
    await t.runTasks()
    t.clock.advance(3_000)
    await emulator.runDue()
    await t.runTasks()
  }
  const ticketsOf = ({ signupId }: Payer) =>
    scene.tenant.rows(sql`select ticket_state as state, void_by_rule as "byRule" from ticket where signup_id = ${signupId} order by id`)
  return { ...scene, examId, itemId, admin, second, gone, stays, other, counts, ask, giveBack, settle, ticketsOf }
}

test('[19.10] a refund that is approved takes the place along: seat, counts, lists and ticket, told once; a request alone does not', async () => {
  const s = await seated()
  expect(await s.counts()).toEqual([3, 3, 3])
  // Only asked for: barred, the seat is kept.
  await s.ask(s.finance, { payId: s.gone.payId, reason: '误缴' })
  expect(await s.ticketsOf(s.gone)).toEqual([{ state: 'released', byRule: false }])
  expect((await s.counts())[1]).toBe(3)
  expect((await s.ask(s.second, { payId: s.gone.payId, approve: 1 })).body.data.state).toBe(1)
  expect(await s.ticketsOf(s.gone)).toEqual([{ state: 'void', byRule: true }])
  expect(await s.counts()).toEqual([2, 2, 2])
  expect(
    await s.tenant.rows(
      sql`select before_value ->> 'ticketState' as before, after_value as after, reason from audit_log where action = 'ticket.voided'`,
    ),
  ).toEqual([{ before: 'released', after: { ticketState: 'void', byRule: true }, reason: '正在退费，不再参加本次考试' }])
  await s.settle()
  expect((await noticesOf(s.tenant, s.gone.person.userId)).filter(one => one === '准考证已作废')).toHaveLength(1)
  expect(
    await s.tenant.rows(
      sql`select content_zh as zh, content_en as en from notify where title_zh = '准考证已作废' and user_id = ${s.gone.person.userId}`,
    ),
  ).toEqual([
    {
      zh: `因报名费退费，您不再参加 ${title}，准考证已作废，座位不再保留。`,
      en: `The fee is refunded, so you do not take ${title} any more: your ticket is void and the seat is given up.`,
    },
  ])
  expect((await noticesOf(s.tenant, s.stays.person.userId)).includes('准考证已作废')).toBe(false)
  const [item] = (await s.gone.person.get(`${exam}/findTicketItems`, { query: { examId: s.examId } })).body.data
  expect([item.canDownload, item.reason]).toEqual([false, '已退费，不再参加本次考试'])
  // The sheet that asks for results and the plan of their release have two people.
  t.clock.set('2026-03-28T18:00:00+08:00')
  const importer = s.admin
  const template = await importer.get('/blade-exam/examination/importTemplate', {
    query: { kind: 'T6', examId: s.examId, itemId: s.itemId },
  })
  const rows = await sheetCells(template.raw)
  const numbers = await s.tenant.rows(
    sql<{ no: string }>`select ticket_no as no from ticket where ticket_state = 'released' and exam_id = ${s.examId} order by ticket_no`,
  )
  expect(numbers).toHaveLength(2)
  expect(rows.slice(1).map(row => row[0])).toEqual(numbers.map(one => one.no))
  const plan = await importer.post(`${exam}/releaseResults`, { json: { examId: s.examId, itemIds: s.itemId, state: 1, dryRun: 1 } })
  expect(plan.body.data.plan.papers[0]).toMatchObject({ holders: 2, missing: 2, results: 0 })
})

test('[19.10] the room: neither its seats nor its printed sheets have whoever is paid back, nor a sheet of theirs alone', async () => {
  const s = await seated()
  interface Seat {
    readonly id: string
    readonly signUpId: string
    readonly ticketNo: string
    readonly seatNo: string
    readonly ticketState: number
  }
  const room = { examId: s.examId, itemId: s.itemId, siteCode: '01', roomNo: '001' }
  const seatsOf = async (): Promise<Seat[]> => (await s.admin.get(`${exam}/getExamTicketList`, { query: room })).body.data.records
  const print = async (json: object = room) => s.admin.post(`${exam}/exportPDFView`, { json: { examId: s.examId, ...json } })
  /** Ticket numbers that stand on the sheets of a file. */
  const printedIn = (raw: Buffer, seats: readonly Seat[]): string[] => {
    const text = pdfText(raw).flat().join('|')
    return seats.map(seat => seat.ticketNo).filter(no => text.includes(no.replace(/(\d{4})(?=\d)/g, '$1 ')))
  }
  const before = await seatsOf()
  const all = before.map(seat => seat.ticketNo)
  expect(before.map(seat => seat.ticketState)).toEqual([1, 1, 1])
  expect(printedIn((await print()).raw, before)).toEqual(all)
  const gone = before.find(seat => seat.signUpId === s.gone.signupId)
  await s.giveBack(s.gone)
  // The row stays as void: the map draws no void seat.
  const after = await seatsOf()
  expect(after.filter(seat => seat.ticketState !== 3).map(seat => seat.ticketNo)).toEqual(all.filter(no => no !== gone?.ticketNo))
  expect(after.filter(seat => seat.ticketState === 3).map(seat => seat.ticketNo)).toEqual([gone?.ticketNo])
  expect(printedIn((await print()).raw, before)).toEqual(all.filter(no => no !== gone?.ticketNo))
  await s.settle()
  expect(printedIn((await print()).raw, before)).toEqual(all.filter(no => no !== gone?.ticketNo))
  expect((await print({ ids: gone?.id })).status).toBe(404)
})

test('[19.10] a refund that fails gives no seat back by itself, and seating the late does', async () => {
  const s = await seated()
  await s.giveBack(s.gone)
  const late = (dryRun: 0 | 1) => s.admin.post(`${exam}/seatLate`, { json: { examId: s.examId, itemId: s.itemId, dryRun } })
  expect((await late(1)).body.data).toMatchObject({ late: 0 })
  // As a refund that the provider closed leaves it.
  await s.tenant.db(async db => {
    await db.run(sql`update pay_refund set state = 'closed' where pay_id = ${s.gone.payId}`)
    await db.run(sql`update exam_pay set state = 'paid' where id = ${s.gone.payId}`)
    await db.run(sql`update signup set pay_state = 'paid' where id = ${s.gone.signupId}`)
  })
  expect(await s.ticketsOf(s.gone)).toEqual([{ state: 'void', byRule: true }])
  expect((await late(1)).body.data).toEqual({ late: 1, seated: 1, shortage: 0 })
  expect((await late(0)).body.data).toEqual({ late: 1, seated: 1, shortage: 0 })
  expect(await s.ticketsOf(s.gone)).toEqual([
    { state: 'void', byRule: true },
    { state: 'released', byRule: false },
  ])
  // Whom the office took out stays out.
  const [ticket] = await s.tenant.rows(sql<{ id: string }>`select id::text as id from ticket where signup_id = ${s.stays.signupId}`)
  expect((await s.admin.post(`${exam}/delTicket`, { json: { id: ticket?.id, reason: '冒名' } })).body.code).toBe(200)
  expect((await late(1)).body.data).toMatchObject({ late: 0 })
})

test('[19.10] after the release of results: no rank, no shortlist, no “您已入围”; the next moves up and is told', async () => {
  const s = await seated()
  await s.tenant.rows(sql`update type_code set cur_num = 1 where exam_id = ${s.examId}`)
  await s.tenant.rows(sql`update examination set shortlist_ratio = 1 where id = ${s.examId}`)
  t.clock.set('2026-03-28T18:00:00+08:00')
  const write = async ({ signupId, person }: Payer, score: string) =>
    s.tenant.db(db =>
      db.run(sql`
        insert into result (tenant_id, exam_id, item_id, signup_id, user_id, ticket_no, name, score, result_state, bonus, final_score)
        select ${s.tenant.tenantId}, ${s.examId}, ${s.itemId}, ${signupId}, ${person.userId}, ticket_no, '王测', ${score}, 1, 0, ${score} from ticket where signup_id = ${signupId}`),
    )
  await write(s.gone, '90')
  await write(s.stays, '80')
  await write(s.other, '70')
  await s.tenant.rows(sql`update exam_item set score_state = 'imported' where id = ${s.itemId}`)
  const released = await s.admin.post(`${exam}/releaseResults`, {
    json: { examId: s.examId, itemIds: s.itemId, state: 1, confirmCode: 'HZ2026A' },
  })
  expect(released.body.data.people).toBe(3)
  await t.runTasks()
  const view = async ({ person }: Payer) => {
    await t.app.catchUp()
    const { data } = (await person.get('/blade-signup/score/getExamScore', { query: { examId: s.examId } })).body
    return [data.rank, data.postCount, data.shortlist, data.out, data.nextStep]
  }
  expect(await view(s.gone)).toEqual([1, 3, 1, null, '您已入围，请留意资格复审和面试通知'])
  expect(await view(s.stays)).toEqual([2, 3, 0, null, '您未入围，感谢参加'])
  await s.giveBack(s.gone)
  const out = '正在退费，不再参加本次考试'
  expect(await view(s.gone)).toEqual([undefined, undefined, 0, out, out])
  await s.settle()
  const refunded = '已退费，不再参加本次考试'
  expect(await view(s.gone)).toEqual([undefined, undefined, 0, refunded, refunded])
  expect(await view(s.stays)).toEqual([1, 2, 1, null, '您已入围，请留意资格复审和面试通知'])
  expect((await noticesOf(s.tenant, s.stays.person.userId)).filter(one => one === '排名有变化')).toHaveLength(1)
  expect((await noticesOf(s.tenant, s.gone.person.userId)).includes('排名有变化')).toBe(false)
  const list = (await s.admin.get('/blade-result/result/list', { query: { examId: s.examId } })).body.data.records
  expect(list.map((row: { signupId: string; rank: number | null; shortlist: number }) => [row.signupId, row.rank, row.shortlist])).toEqual([
    [s.stays.signupId, 1, 1],
    [s.other.signupId, 2, 0],
    [s.gone.signupId, null, 0],
  ])
})

test('[19.10] who takes part is one decision, in the program and in the database', async () => {
  const s = await seated()
  const states = ['draft', 'waiting', 'second', 'returned', 'passed', 'refused', 'withdrawn', 'disqualified']
  const pays = ['none', 'due', 'paid', 'overdue', 'refunding', 'refunded']
  const specs = states.flatMap(examine => pays.map(payState => ({ code: 'B001', type: 'B', unit: 'H01', examine, payState })))
  const rows = await insertSignups(s.tenant, s.examId, specs)
  const told = await s.tenant.db(async db => {
    const inSql = new Set(
      (
        await db.all(
          sql<{
            id: string
          }>`select s.id::text as id from signup s where s.id = any(${rows.map(one => one.id)}::bigint[]) and takes_part(s.examine, s.pay_state, s.reduction_state)`,
        )
      ).map(one => one.id),
    )
    const both: [boolean, boolean][] = []
    for (const { id } of rows) {
      const standing = await standingOf(db, id)
      both.push([inSql.has(id), standing !== undefined && lostPlace(standing) === undefined])
    }
    return both
  })
  expect(told.filter(([inDb]) => inDb)).toHaveLength(4)
  for (const [inDb, inProgram] of told) expect(inDb).toBe(inProgram)
})
