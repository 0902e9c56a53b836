import { spawnSync } from 'node:child_process'
import { createHash, createHmac } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { drawRecord } from '#modules/ticket/domain/draw-record.ts'
import { isTicketNo } from '#modules/ticket/domain/numbering.ts'
import { allocateSeats, type Sitter, seatingModes } from '#modules/ticket/domain/seating.ts'
import { startTestApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { buildExam } from '../../support/factories.ts'
import { pdfText } from '../../support/pdf-text.ts'
import { passedCrowd, rooms } from '../../support/ticket-people.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp({ start: '2026-03-23T10:00:00+08:00' })
})
afterAll(() => t.close())

const exam = '/blade-exam/examination'
const posts = Array.from({ length: 12 }, (_, i) => ({
  code: `P${String(i + 1).padStart(3, '0')}`,
  codeName: '医师',
  unit: 'H01',
  unitName: '区人民医院',
  type: 'A',
  typeName: '医疗',
  planNum: 9,
}))
const paper = (roomCount: number, more: object = {}) => ({
  itemCode: '01',
  itemName: '综合基础知识',
  startTime: '2026-03-28 09:00:00',
  endTime: '2026-03-28 10:30:00',
  rooms: rooms(roomCount),
  ...more,
})
const codes = posts.map(post => post.code)
interface Seat {
  signupId: string
  itemId: string
  ticketNo: string
  siteCode: string
  roomNo: string
  seatNo: string
}
const seats = (tenant: TestTenant, examId: string): Promise<Seat[]> =>
  tenant.rows(sql<Seat>`
    select signup_id::text as "signupId", item_id::text as "itemId", ticket_no as "ticketNo", site_code as "siteCode", room_no as "roomNo", seat_no as "seatNo"
    from ticket where exam_id = ${examId} and not is_deleted order by signup_id, item_id`)

/** What the public program says of a record: whether it is right, and its lines. */
const program = fileURLToPath(new URL('../../../../docs/verify/verify-seats.mjs', import.meta.url))
const redraw = (record: string, seed: string, digest = createHash('sha256').update(record).digest('hex'), ...root: string[]) => {
  const folder = mkdtempSync(join(tmpdir(), 'kaopu-seats-'))
  writeFileSync(join(folder, 'record.txt'), record)
  const { status, stdout } = spawnSync(process.execPath, [program, join(folder, 'record.txt'), seed, digest, ...root], { encoding: 'utf8' })
  rmSync(folder, { recursive: true })
  return { status, lines: stdout.trim().split('\n') }
}
const allRight = (people: number) => [
  'This is a record of a draw of seats.',
  'It is the record that was published with the draw.',
  'This is the seed that was promised before the draw.',
  `All ${people} people sit where the draw put them.`,
]

describe('seating', () => {
  test('[S7.39] scenario 17: 1,234 people in 42 rooms of 30, all placed once, and anybody can check the draw', async () => {
    const tenant = await t.tenant()
    const admin = await tenant.staff('exam_admin')
    const built = await buildExam(tenant, { posts, papers: [paper(42)] })
    await passedCrowd(tenant, built.examId, 1_234, codes)
    // Without statistics, as no database that has been in use is, the planner compares each ticket with each sign-up.
    await (await t.owner()).query('analyze signup')
    const itemId = built.papers['01'] ?? ''
    const order = { examId: built.examId, itemIds: itemId, mode: 'random' }

    const dry = await admin.post(`${exam}/creTicketEnd`, { json: { ...order, dryRun: 1 } })
    expect(dry.body.data).toMatchObject({ eligible: 1_234, seats: 1_260, free: 26, shortage: 0, pending: 0, made: 0 })
    expect(await seats(tenant, built.examId)).toEqual([])

    const made = await admin.post(`${exam}/creTicketEnd`, { json: order })
    expect(made.body).toMatchObject({ code: 200, data: { eligible: 1_234, free: 26, made: 1_234 } })
    const drawn = await seats(tenant, built.examId)
    expect(new Set(drawn.map(seat => seat.signupId)).size).toBe(1_234)
    expect(new Set(drawn.map(seat => `${seat.siteCode}-${seat.roomNo}-${seat.seatNo}`)).size).toBe(1_234)
    expect(new Set(drawn.map(seat => seat.ticketNo)).size).toBe(1_234)
    expect(
      drawn.filter(seat => !isTicketNo(seat.ticketNo) || seat.ticketNo.slice(0, 11) !== `2603${seat.siteCode}${seat.roomNo}${seat.seatNo}`),
    ).toEqual([])
    // 12 posts in rooms of 30: a post is far below 40 % of a room, so at most 1 % of the people sit beside their own post.
    expect(made.body.data.adjacency).toBeLessThanOrEqual(12)

    expect((await admin.post(`${exam}/creTicketEnd`, { json: order })).body).toMatchObject({ code: 2302, reason: 'ticket/made' })
    const [before] = (await admin.get(`${exam}/findTicketItems`, { query: { examId: built.examId } })).body.data
    expect(before).toMatchObject({ ticketState: 1, eligible: 1_234, generated: 1_234, released: 0, seedReveal: null })
    expect(before.seedCommit).toMatch(/^[0-9a-f]{64}$/)

    // The same seed and list give the same seats: clear, take the version back, draw again.
    const cleared = await admin.post(`${exam}/delTicketList`, { json: { examId: built.examId, itemId, confirm: built.examCode } })
    expect(cleared.body.data).toEqual({ removed: 1_234 })
    await tenant.db(db => db.run(sql`update exam_item set allot_version = 0 where id = ${itemId}`))
    await admin.post(`${exam}/creTicketEnd`, { json: order })
    expect(await seats(tenant, built.examId)).toEqual(drawn)

    const many = await admin.post(`${exam}/exportPDFView`, { json: { examId: built.examId } })
    expect(many.body).toMatchObject({
      code: 200,
      data: { state: 0, total: 1_234, fileName: expect.stringMatching(/^准考证_\d{14}\.zip$/) },
    })
    await admin.post('/blade-exam/exportjob/cancel', { json: { id: many.body.data.id } })
    const preview = await admin.post(`${exam}/exportPDFView`, { json: { examId: built.examId, siteCode: '01', roomNo: '007' } })
    expect(
      pdfText(preview.raw).filter(page => page.includes('第 1 页 共 2 页') && page.includes('预览稿，尚未发布，不能用于入场')),
    ).toHaveLength(30)

    const released = await admin.post(`${exam}/releaseTickets`, { json: { examId: built.examId, itemIds: itemId, force: 1 } })
    expect(released.body.data).toMatchObject({ step: 'released', changed: 1_234 })
    const [after] = (await admin.get(`${exam}/findTicketItems`, { query: { examId: built.examId } })).body.data
    expect(after).toMatchObject({ ticketState: 2, released: 1_234, seedCommit: before.seedCommit })
    expect(createHash('sha256').update(Buffer.from(after.seedReveal, 'hex')).digest('hex')).toBe(after.seedCommit)
    // Whoever has the record draws again, with the public program, and gets the seats of the tickets; its digest stood there with the draw.
    const kept = (await admin.get('/blade-ticket/draw/record', { query: { examId: built.examId, itemId } })).body.data
    const { draws } = (await admin.get(`${exam}/scoreRoots`, { query: { examId: built.examId } })).body.data
    expect(draws).toMatchObject([
      {
        itemCode: '01',
        seedReveal: after.seedReveal,
        plans: [
          { version: 1, people: 1_234, seedCommit: before.seedCommit },
          {
            version: 1,
            people: 1_234,
            seedCommit: before.seedCommit,
            digest: kept.digest,
            seatRoot: expect.stringMatching(/^[0-9a-f]{64}$/),
          },
        ],
      },
    ])
    const { seatRoot } = draws[0].plans[1]
    const [isRecord = '', isPublished = '', ...others] = allRight(1_234)
    expect(redraw(kept.record, after.seedReveal, kept.digest, seatRoot)).toEqual({
      status: 0,
      lines: [isRecord, isPublished, 'Its seats are those that candidates can check.', ...others],
    })
    const [, , ...people] = kept.record.trimEnd().split('\n')
    const places = (
      await tenant.rows<{ place: string }>(sql`
      select s.sign_no || '|' || t.site_code || '|' || t.room_no || '|' || t.seat_no::int as place from ticket t join signup s on s.id = t.signup_id
      where not t.is_deleted order by s.sign_no`)
    ).map(row => row.place)
    expect(people.map((line: string) => line.replace(/^([^|]*)(?:\|[^|]*){5}(.*)\|[0-9a-f]{32}$/, '$1$2'))).toEqual(places)
    // One seat that is changed afterwards, or another seed, and it says so.
    const forged = kept.record.replace(/\|(\d+)(\|[0-9a-f]+\n)$/, (_: string, seat: string, salt: string) => `|${Number(seat) + 1}${salt}`)
    expect(redraw(forged, after.seedReveal, kept.digest, seatRoot)).toMatchObject({
      status: 1,
      lines: [
        'This is a record of a draw of seats.',
        'It is NOT the record that was published with the draw.',
        'Its seats are NOT those that candidates can check.',
        'This is the seed that was promised before the draw.',
        '1 of 1234 people do NOT sit where the draw put them:',
        expect.stringContaining(', in the record '),
      ],
    })
    expect(redraw(kept.record, '00'.repeat(32), kept.digest).status).toBe(1)
    expect(await tenant.rows(sql`select after_value -> 'digest' as digest from audit_log where action = 'ticket.draw-read'`)).toEqual([
      { digest: kept.digest },
    ])
    const auditor = await tenant.staff('auditor')
    expect((await auditor.get('/blade-ticket/draw/record', { query: { examId: built.examId, itemId } })).status).toBe(403)

    expect((await admin.post(`${exam}/creTicketEnd`, { json: order })).body).toMatchObject({ code: 2302, reason: 'ticket/released' })
    expect((await admin.post(`${exam}/delTicketList`, { json: { examId: built.examId, itemId, confirm: built.examCode } })).body.code).toBe(
      2302,
    )
  })

  test('[S7.39] scenario 17: 41 rooms are 4 seats short, and nothing is written', async () => {
    const tenant = await t.tenant()
    const admin = await tenant.staff('exam_admin')
    const built = await buildExam(tenant, { posts, papers: [paper(41)] })
    await passedCrowd(tenant, built.examId, 1_234, codes)
    const order = { examId: built.examId, itemIds: built.papers['01'] }
    expect((await admin.post(`${exam}/creTicketEnd`, { json: { ...order, dryRun: 1 } })).body.data).toMatchObject({
      shortage: 4,
      seats: 1_230,
    })
    const refused = await admin.post(`${exam}/creTicketEnd`, { json: order })
    expect(refused).toMatchObject({ status: 409, body: { code: 2301, msg: '座位不足，还差 4 个', data: { shortage: 4 } } })
    expect(await seats(tenant, built.examId)).toEqual([])
    expect(await tenant.rows(sql`select ticket_state, allot_version from exam_item`)).toEqual([{ ticket_state: 'none', allot_version: 0 }])
  })

  test('[S7.39] only those who passed, owe nothing and sit the paper get a seat; undecided sign-ups stop the run unless the office insists', async () => {
    const tenant = await t.tenant()
    const admin = await tenant.staff('exam_admin')
    const built = await buildExam(tenant, { posts, papers: [paper(1)] })
    await passedCrowd(tenant, built.examId, 10, codes)
    const spoil = (serial: number, set: ReturnType<typeof sql>) =>
      tenant.db(db => db.run(sql`update signup set ${set} where sign_no = ${`20260300${String(serial).padStart(6, '0')}`}`))
    await spoil(1, sql`examine = 'returned'`)
    await spoil(2, sql`pay_state = 'due'`)
    await spoil(3, sql`reduction_state = 4`)
    await spoil(4, sql`examine = 'waiting'`)
    await tenant.db(db => db.run(sql`update type_code set item_codes = '["99"]' where code = ${codes[5]}`))
    const order = { examId: built.examId, itemIds: built.papers['01'] }
    expect((await admin.post(`${exam}/creTicketEnd`, { json: order })).body).toMatchObject({ code: 2303, data: { pending: 1 } })
    expect((await admin.post(`${exam}/creTicketEnd`, { json: { ...order, force: 1 } })).body.data).toMatchObject({ eligible: 5, made: 5 })
    const numbers = await tenant.rows(
      sql<{ sign_no: string }>`select s.sign_no from ticket t join signup s on s.id = t.signup_id order by s.sign_no`,
    )
    expect(numbers.map(row => Number(row.sign_no.slice(8)))).toEqual([6, 7, 8, 9, 10])
  })

  test('[S7.39] papers of one seat group share the seat, later papers keep the site, everybody has one number', async () => {
    const tenant = await t.tenant()
    const admin = await tenant.staff('exam_admin')
    const twoSites = [...rooms(1), ...rooms(1, { siteCode: '02', siteName: '区第二中学' })]
    const built = await buildExam(tenant, {
      posts,
      papers: [
        paper(0, { seatGroup: 'G', rooms: twoSites }),
        paper(0, {
          itemCode: '02',
          itemName: '写作',
          seatGroup: 'G',
          startTime: '2026-03-28 11:00:00',
          endTime: '2026-03-28 12:00:00',
          rooms: [],
        }),
        paper(0, {
          itemCode: '11',
          itemName: '专业知识',
          startTime: '2026-03-28 14:00:00',
          endTime: '2026-03-28 15:30:00',
          rooms: twoSites,
        }),
      ],
    })
    await passedCrowd(tenant, built.examId, 40, codes)
    // The rooms of one paper are the rooms of its group: the others do not lack seats.
    const listed = (await admin.get(`${exam}/findTicketItems`, { query: { examId: built.examId } })).body.data
    expect(listed.map(({ itemCode, rooms, seats }: Record<string, unknown>) => [itemCode, rooms, seats])).toEqual([
      ['01', 2, 60],
      ['02', 2, 60],
      ['11', 2, 60],
    ])
    const made = await admin.post(`${exam}/creTicketEnd`, {
      json: { examId: built.examId, itemIds: `${built.papers['01']},${built.papers['11']}` },
    })
    expect(made.body.data).toMatchObject({ eligible: 40, made: 120 })
    const bySignup = Map.groupBy(await seats(tenant, built.examId), seat => seat.signupId)
    for (const rows of bySignup.values()) {
      const of = (code: string) => rows.find(row => row.itemId === built.papers[code])
      const place = (row: Seat | undefined) => `${row?.siteCode}-${row?.roomNo}-${row?.seatNo}`
      expect([new Set(rows.map(row => row.ticketNo)).size, place(of('02')), of('11')?.siteCode]).toEqual([
        1,
        place(of('01')),
        of('01')?.siteCode,
      ])
    }
    // Both draws can be made again outside: that of the group, asked for by any paper of it, and that which keeps the sites.
    await admin.post(`${exam}/releaseTickets`, {
      json: { examId: built.examId, itemIds: Object.values(built.papers).join(','), force: 1 },
    })
    const listing = (await admin.get(`${exam}/findTicketItems`, { query: { examId: built.examId } })).body.data
    for (const [asked, leader] of [
      ['02', '01'],
      ['11', '11'],
    ]) {
      const query = { examId: built.examId, itemId: built.papers[asked ?? ''] }
      const { record } = (await admin.get('/blade-ticket/draw/record', { query })).body.data
      const { seedReveal } = listing.find((one: { itemCode: string }) => one.itemCode === leader)
      expect(redraw(record, seedReveal)).toEqual({ status: 0, lines: allRight(40) })
    }
    // What was released once has told its seed: another draw takes a new one, whose digest stands there before.
    const of = { examId: built.examId, itemIds: built.papers['11'] }
    expect((await admin.post(`${exam}/releaseTickets`, { json: { ...of, state: 0, confirm: built.examCode } })).body.code).toBe(200)
    await admin.post(`${exam}/delTicketList`, { json: { examId: built.examId, itemId: built.papers['11'], confirm: built.examCode } })
    const none = await admin.get('/blade-ticket/draw/record', { query: { examId: built.examId, itemId: built.papers['11'] } })
    expect([none.status, none.body.reason]).toEqual([409, 'ticket/no-draw'])
    expect((await admin.post(`${exam}/creTicketEnd`, { json: of })).body.data.made).toBe(40)
    const { draws } = (await admin.get(`${exam}/scoreRoots`, { query: { examId: built.examId } })).body.data
    const again = draws.find((one: { itemCode: string }) => one.itemCode === '11')
    expect([again.seedReveal, again.plans.map((plan: { version: number }) => plan.version)]).toEqual([null, [1, 2]])
    expect(again.plans[1].seedCommit).toBe(again.seedCommit)
    expect(again.plans[0].seedCommit).not.toBe(again.seedCommit)
  })

  test('[S7.39] the public program draws every mode again: rooms without steps, related people, spare and disabled seats, a balanced last room', () => {
    const seed = createHash('sha256').update('a seed of the tests').digest()
    const sitters: Sitter[] = Array.from({ length: 305 }, (_, i) => ({
      ...{ signupId: `s${i}`, signNo: String(20_260_000 + ((i * 7) % 305)), code: `P${i % 5}`, unit: `U${i % 3}` },
      ...{ needsAccess: i % 9 === 0, relatedKeys: i % 4 === 0 ? [`class|${i % 20}`, `home|${i}`] : [] },
    }))
    const rooms = Array.from({ length: 12 }, (_, i) => ({
      ...{ siteCode: i % 2 === 0 ? '01' : '02', roomNo: String(i + 1).padStart(3, '0'), rows: 6, cols: 5, floor: 1 + (i % 3) },
      ...(i % 4 === 0 ? { layout: 'Z' as const, accessible: true, disabled: ['r2c3'], spare: 2 } : {}),
    }))
    const hmac = (key: Uint8Array, data: string) => createHmac('sha256', key).update(data).digest()
    for (const mode of seatingModes) {
      const of = { examId: '7', itemGroup: '01', version: 3 }
      const plan = allocateSeats(sitters, rooms, { seed, ...of }, hmac, mode)
      if (!plan.ok) throw new Error('there are seats for all')
      const seedCommit = createHash('sha256').update(seed).digest('hex')
      const record = drawRecord({ ...of, mode, seedCommit, rooms, sitters, placements: plan.placements }, new Map())
      expect([mode, redraw(record, seed.toString('hex'))]).toEqual([mode, { status: 0, lines: allRight(305) }])
    }
  })

  test('two runs at the same moment give one allocation', async () => {
    const tenant = await t.tenant()
    const admins = [await tenant.staff('exam_admin'), await tenant.staff('exam_admin')]
    const built = await buildExam(tenant, { posts, papers: [paper(2)] })
    await passedCrowd(tenant, built.examId, 50, codes)
    const runs = await Promise.all(
      admins.map(admin => admin.post(`${exam}/creTicketEnd`, { json: { examId: built.examId, itemIds: built.papers['01'] } })),
    )
    expect(runs.map(run => run.body.code).sort()).toEqual([200, 2302])
    expect(await seats(tenant, built.examId)).toHaveLength(50)
  })

  test('other modes, interviews, foreign papers and bad rooms are refused in clear words', async () => {
    const tenant = await t.tenant()
    const admin = await tenant.staff('exam_admin')
    const other = await buildExam(await t.tenant())
    const built = await buildExam(tenant, {
      papers: [
        paper(1),
        paper(1, { itemCode: '21', itemName: '面试', itemType: 2 }),
        paper(1, { itemCode: '12', rooms: rooms(1, { siteCode: '99' }) }),
      ],
    })
    await passedCrowd(tenant, built.examId, 2, ['B001'])
    const run = async (itemIds: string | undefined, more: object = {}) =>
      (await admin.post(`${exam}/creTicketEnd`, { json: { examId: built.examId, itemIds, ...more } })).body
    expect(await run(built.papers['01'], { mode: 'alphabet' })).toMatchObject({ code: 2001, reason: 'ticket/mode' })
    expect(await run(built.papers['21'])).toMatchObject({ code: 2001, reason: 'ticket/interview-by-import' })
    expect(await run(built.papers['12'])).toMatchObject({ code: 422, reason: 'ticket/rooms' })
    expect(await run(other.papers['01'])).toMatchObject({ code: 404 })
    const reviewer = await tenant.staff('reviewer1')
    expect((await reviewer.post(`${exam}/creTicketEnd`, { json: { examId: built.examId, itemIds: built.papers['01'] } })).status).toBe(403)
    await tenant.db(db => db.run(sql`update examination set state = 'closed' where id = ${built.examId}`))
    expect(await run(built.papers['01'])).toMatchObject({ code: 2101 })
  })
})
