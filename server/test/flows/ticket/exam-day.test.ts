import { createPublicKey, randomUUID, verify } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { markKinds, type RoomPack } from '#contract/ticket/exam-day.ts'
import { sql } from '#kernel/db/sql.ts'
import { type Person, startTestApp, type TestApp } from '../../support/app.ts'
import { buildExam } from '../../support/factories.ts'
import { sheetCells } from '../../support/sheet-text.ts'
import { insertSignups, insertTickets } from '../../support/sign-up-rows.ts'
import { workbook } from '../../support/workbook.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())

const { none, present, late, absent, note } = markKinds
const picture = readFileSync(new URL('../../../seed/data/portraits/p01-white.jpg', import.meta.url))
/** The clock of the tests stands at 2026-03-17 10:00. */
const arrivedAt = Date.parse('2026-03-17T10:00:00+08:00')

/** A paper that begins today, forty people in two rooms of one site. */
const setUp = async (startTime = '2026-03-17 09:00:00') => {
  const tenant = await t.tenant()
  const endTime = startTime.replace('09:00', '11:00')
  const exam = await buildExam(tenant, { papers: [{ itemCode: '01', itemName: '综合基础知识', startTime, endTime }] })
  const itemId = exam.papers['01'] ?? ''
  const signups = await insertSignups(
    tenant,
    exam.examId,
    Array.from({ length: 40 }, (_, i) => ({ name: `考${'甲乙丙丁戊己庚辛壬癸'[i % 10]}`, code: 'B001', type: 'B', unit: 'H01' })),
  )
  const numbers = await insertTickets(tenant, exam.examId, itemId, signups)
  await tenant.db(db => db.run(sql`update ticket set released_at = app_now()`))
  const tickets = (await tenant.rows<{ id: string }>(sql`select id::text as id from ticket order by ticket_no`)).map(row => row.id)
  const office = await tenant.staff('exam_admin', { realName: '考务' })
  const door = await tenant.staff('site', { userCode: '01', realName: '监考甲' })
  const other = await tenant.staff('site', { userCode: '02', realName: '别处' })
  const room = { itemId, siteCode: '01', roomNo: '001' }
  const send = (who: Person, device: string, marks: readonly object[]) => who.post('/blade-ticket/day/marks', { json: { device, marks } })
  return {
    ...{ tenant, exam, itemId, signups, numbers, tickets, office, door, other, room, send },
    rooms: async (who: Person, query: Record<string, string> = {}) => (await who.get('/blade-ticket/day/rooms', { query })).body.data,
    pack: (who: Person, of: Record<string, string> = room) => who.get('/blade-ticket/day/pack', { query: of }),
    trail: async (ticketId: string) => (await office.get('/blade-ticket/day/trail', { query: { ticketId } })).body.data,
  }
}
const mark = (ticketId: string | undefined, kind: number, minute: number, more: object = {}) => ({
  ...{ markId: randomUUID(), ticketId, kind },
  at: arrivedAt - (60 - minute) * 60_000,
  ...more,
})

describe('rooms and their packs', () => {
  test('[12.2.11] a site has its own rooms of today, and a pack that the server signed and that ends with the day', async () => {
    const s = await setUp()
    const second = await setUp()
    const rooms = await s.rooms(s.door)
    expect(rooms).toEqual(
      ['001', '002'].map(roomNo => ({
        examId: s.exam.examId,
        examName: '2026年区卫生健康系统事业单位公开招聘',
        itemId: s.itemId,
        itemName: '综合基础知识',
        startTime: '2026-03-17 09:00:00',
        endTime: '2026-03-17 11:00:00',
        siteCode: '01',
        siteName: '考点',
        roomNo,
        roomName: '',
        seated: roomNo === '001' ? 30 : 10,
        ...{ present: 0, late: 0, absent: 0, violations: 0, byResult: 0, notes: 0, closed: false },
      })),
    )
    expect(await s.rooms(s.other)).toEqual([])
    expect(await s.rooms(s.door, { day: '2026-03-18' })).toEqual([])
    expect(await s.rooms(second.door, { examId: s.exam.examId })).toEqual([])

    const { pack, signature, key } = (await s.pack(s.door)).body.data
    const isSigned = (text: string) =>
      verify(
        'sha256',
        Buffer.from(text),
        { key: createPublicKey({ key, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
        Buffer.from(signature, 'base64'),
      )
    expect([isSigned(pack), isSigned(pack.replace('考甲', '考乙'))]).toEqual([true, false])
    const { people, clauses, ...rest } = JSON.parse(pack) as RoomPack
    expect(rest).toEqual({
      examId: s.exam.examId,
      examName: '2026年区卫生健康系统事业单位公开招聘',
      itemId: s.itemId,
      itemName: '综合基础知识',
      startTime: '2026-03-17 09:00:00',
      endTime: '2026-03-17 11:00:00',
      lateMinutes: 0,
      siteCode: '01',
      siteName: '考点',
      roomNo: '001',
      roomName: '',
      userId: s.door.userId,
      issuedAt: arrivedAt,
      expiresAt: Date.parse('2026-03-18T00:00:00+08:00'),
      voidCodes: [],
    })
    expect(people).toHaveLength(30)
    expect(people[0]).toEqual({
      ticketId: s.tickets[0],
      ticketNo: s.numbers[0],
      name: '考甲',
      idCardMask: '3301**********1023',
      seatNo: '01',
      code: s.numbers[0]?.padStart(43, 'q'),
      help: [],
      extraMinutes: 0,
      photo: '',
    })
    expect(clauses.map(one => one.code)).toContain('7-4')
    expect((await s.pack(s.other)).body.code).toBe(404)
    expect((await s.pack(second.door)).body.code).toBe(404)
    const unit = await s.tenant.staff('unit_hr', { userCode: 'H01' })
    expect((await s.pack(unit)).status).toBe(403)
  })

  test('a pack is given out the day before and not earlier; marks are taken on the day', async () => {
    const tomorrow = await setUp('2026-03-18 09:00:00')
    expect((await tomorrow.pack(tomorrow.door)).status).toBe(200)
    const early = await tomorrow.send(tomorrow.door, 'A', [mark(tomorrow.tickets[0], present, 1)])
    expect(early.body.data).toEqual({
      taken: [],
      refused: [{ markId: expect.any(String), msg: '综合基础知识 于 2026-03-18 开考，当天才能登记' }],
    })
    const later = await setUp('2026-03-20 09:00:00')
    // Whoever looks before the day is told when it is, for their own rooms.
    expect(await later.rooms(later.door)).toEqual([])
    expect(
      (await later.rooms(later.door, { next: '1' })).map((room: { roomNo: string; startTime: string }) => [room.roomNo, room.startTime]),
    ).toEqual([
      ['001', '2026-03-20 09:00:00'],
      ['002', '2026-03-20 09:00:00'],
    ])
    expect(await later.rooms(later.other, { next: '1' })).toEqual([])
    expect((await later.pack(later.door)).body).toMatchObject({ code: 2001, msg: '综合基础知识 于 2026-03-20 开考，当天才能登记' })
  })
})

describe('marks', () => {
  test('two devices at one door agree in whatever order they send; both marks stay in the trail', async () => {
    const s = await setUp()
    const [first, second, third, fourth] = s.tickets
    const seen = mark(first, present, 5)
    const missed = mark(first, absent, 40)
    const wrong = mark(second, absent, 10)
    const [one, two] = await Promise.all([
      s.send(s.door, '手机一', [seen, wrong, mark(fourth, note, 12, { note: '身份证过期，已核对户口本' })]),
      s.send(s.door, '手机二', [missed, mark(third, late, 20)]),
    ])
    expect([one.body.data.taken.length, two.body.data.taken.length]).toEqual([3, 2])
    // Sent again, because its answer was lost.
    expect((await s.send(s.door, '手机一', [seen])).body.data).toEqual({ taken: [seen.markId], refused: [] })
    // Knows of the mark that it takes back.
    await s.send(s.door, '手机二', [mark(second, late, 25, { replaces: [wrong.markId] })])
    expect((await s.rooms(s.door))[0]).toMatchObject({ seated: 30, present: 1, late: 2, absent: 0, notes: 1, closed: false })
    // The office finds what was written down at the door, with who wrote it; another site and another tenant find nothing.
    const notesOf = async (who: Person) => (await who.get('/blade-ticket/day/notes', { query: { examId: s.exam.examId } })).body.data
    expect(await notesOf(s.office)).toMatchObject({
      total: 1,
      records: [
        {
          ...{ id: expect.any(String), itemName: '综合基础知识', siteName: '考点', roomNo: '001', seatNo: '04' },
          ...{ ticketNo: s.numbers[3], name: '考丁', note: '身份证过期，已核对户口本', state: 0 },
          ...{ by: '监考甲', madeTime: '2026-03-17 09:12:00' },
        },
      ],
    })
    const stranger = await setUp()
    expect([(await notesOf(s.other)).total, (await notesOf(stranger.office)).total]).toEqual([0, 0])
    expect((await s.trail(first ?? '')).sort((a: { at: number }, b: { at: number }) => a.at - b.at)).toEqual([
      {
        ...{ markId: seen.markId, ticketId: first, kind: present, note: '', at: seen.at, replaces: [] },
        ...{
          counts: true,
          device: '手机一',
          by: '监考甲',
          madeTime: '2026-03-17 09:05:00',
          receivedTime: '2026-03-17 10:00:00',
          saidTime: '',
        },
      },
      {
        ...{ markId: missed.markId, ticketId: first, kind: absent, note: '', at: missed.at, replaces: [] },
        ...{
          counts: false,
          device: '手机二',
          by: '监考甲',
          madeTime: '2026-03-17 09:40:00',
          receivedTime: '2026-03-17 10:00:00',
          saidTime: '',
        },
      },
    ])
    const marks = (await s.door.get('/blade-ticket/day/marks', { query: s.room })).body.data
    expect(marks).toHaveLength(6)
    const ahead = mark(third, none, 60 + 600)
    await s.send(s.door, '手机一', [ahead])
    const [row] = await s.tenant.rows(sql`select made_at = app_now() as clamped from exam_day_mark where mark_id = ${ahead.markId}`)
    expect(row).toEqual({ clamped: true })
  })

  test('a number that was used says so unless person, kind and time agree; the trail has both', async () => {
    const s = await setUp()
    const [first, second] = s.tickets
    const seen = mark(first, present, 5)
    expect((await s.send(s.door, 'A', [seen])).body.data.taken).toEqual([seen.markId])
    const conflict = { markId: seen.markId, msg: expect.stringContaining('已用于另一条登记') }
    for (const other of [
      { ...seen, ticketId: second },
      { ...seen, kind: absent },
      { ...seen, at: seen.at + 60_000 },
    ])
      expect((await s.send(s.door, 'A', [other])).body.data).toEqual({ taken: [], refused: [conflict] })
    expect((await s.send(s.door, 'A', [seen])).body.data).toEqual({ taken: [seen.markId], refused: [] })
    // Two of one number in one call are the same fault.
    const both = mark(second, present, 6)
    expect((await s.send(s.door, 'A', [both, { ...both, kind: late }])).body.data).toEqual({
      taken: [both.markId],
      refused: [{ markId: both.markId, msg: expect.stringContaining('已用于另一条登记') }],
    })
    expect(await s.tenant.rows(sql`select count(*)::int as n from audit_log where action = 'exam-day.mark-conflict'`)).toEqual([{ n: 4 }])
  })

  test('a clock of 1970 or of another day is kept and flagged, and makes nobody seen first', async () => {
    const s = await setUp()
    const [first] = s.tickets
    const right = mark(first, present, 5)
    await s.send(s.door, 'A', [right])
    for (const at of [0, right.at - 3 * 86_400_000, right.at + 3 * 86_400_000]) {
      const odd = { ...mark(first, late, 1), at }
      expect((await s.send(s.door, 'B', [odd])).body.data.taken).toEqual([odd.markId])
      expect((await s.send(s.door, 'B', [odd])).body.data).toEqual({ taken: [odd.markId], refused: [] })
    }
    const trail = (await s.trail(first ?? '')) as { counts: boolean; saidTime: string; madeTime: string }[]
    expect(trail.map(one => one.saidTime).sort()).toEqual(['', '1970-01-01 08:00:00', '2026-03-14 09:05:00', '2026-03-20 09:05:00'])
    expect(trail.find(one => one.counts)).toMatchObject({ markId: right.markId, saidTime: '' })
    expect(new Set(trail.filter(one => one.saidTime !== '').map(one => one.madeTime))).toEqual(new Set(['2026-03-17 10:00:00']))
  })

  test('a mark for a void ticket says so', async () => {
    const s = await setUp()
    const [first] = s.tickets
    await s.tenant.db(db => db.run(sql`update ticket set ticket_state = 'void' where id = ${first}`))
    const one = mark(first, present, 1)
    expect((await s.send(s.door, 'A', [one])).body.data).toEqual({
      taken: [],
      refused: [{ markId: one.markId, msg: expect.stringContaining('已作废') }],
    })
  })

  test('one that may not be taken keeps no other from being taken; strangers and other sites take none', async () => {
    const s = await setUp()
    const second = await setUp()
    const good = mark(s.tickets[0], present, 1)
    const strange = mark(second.tickets[0], present, 1)
    expect((await s.send(s.door, 'A', [good, strange])).body.data).toEqual({
      taken: [good.markId],
      refused: [{ markId: strange.markId, msg: '记录不存在' }],
    })
    expect((await s.send(s.other, 'A', [mark(s.tickets[1], present, 1)])).body.data.taken).toEqual([])
    expect(await second.rooms(second.door)).toMatchObject([{ present: 0 }, { present: 0 }])
    const auditor = await s.tenant.staff('auditor')
    expect((await s.send(auditor, 'A', [mark(s.tickets[1], present, 1)])).status).toBe(403)
  })
})

describe('[A20] violations', () => {
  const form = (ticketId: string | undefined, more: object = {}) => ({
    violationId: randomUUID(),
    ticketId: ticketId ?? '',
    clause: '7-4',
    facts: '开考后在桌下使用手机查看信息',
    at: String(arrivedAt - 60_000),
    firstSigner: '监考甲',
    secondSigner: '监考乙',
    device: '手机一',
    ...more,
  })
  const signed = ['firstSignature', 'secondSignature', 'evidence'].map(part => ({ part, name: `${part}.jpg`, bytes: picture }))

  test('a form needs its clause and two signatures, is filed once, and decided by somebody else with reasons', async () => {
    const s = await setUp()
    const second = await setUp()
    const post = (who: Person, fields: Record<string, string>, files = signed) =>
      who.post('/blade-ticket/day/violation', { multipart: { fields, files } })
    const fields = form(s.tickets[0])
    expect((await post(s.door, fields, signed.slice(0, 1))).body).toMatchObject({ code: 400, msg: '需要两名监考员签名' })
    expect((await post(s.door, form(s.tickets[0], { clause: '99' }))).body.data.fields).toEqual([
      { field: 'clause', msg: '没有这个违纪条款' },
    ])
    expect((await post(s.door, form(s.tickets[0], { secondSigner: '监考甲' }))).body.data.fields[0].field).toBe('secondSigner')
    expect((await post(s.other, fields)).body.code).toBe(404)
    expect((await post(second.door, fields)).body.code).toBe(404)
    const [a, b] = await Promise.all([post(s.door, fields), post(s.door, fields)])
    expect([a.body.code, a.body.data]).toEqual([200, b.body.data])
    const { id } = a.body.data

    const list = (who: Person) => who.get('/blade-ticket/day/violations', { query: { examId: s.exam.examId } })
    expect((await list(s.office)).body.data.records).toEqual([
      {
        id,
        itemName: '综合基础知识',
        siteName: '考点',
        roomNo: '001',
        seatNo: '01',
        ticketNo: s.numbers[0],
        name: '考甲',
        clause: '7-4',
        facts: '开考后在桌下使用手机查看信息',
        happenedTime: '2026-03-17 09:59:00',
        firstSigner: '监考甲',
        secondSigner: '监考乙',
        filedBy: '监考甲',
        filedTime: '2026-03-17 10:00:00',
        state: 0,
        decision: null,
        decidedBy: null,
        decidedTime: null,
        version: 0,
      },
    ])
    expect((await list(s.other)).body.data.total).toBe(0)
    expect((await list(second.office)).body.data.total).toBe(0)
    const one = (await s.office.get('/blade-ticket/day/violation', { query: { id } })).body.data
    expect([one.evidence.length, one.signatures.length]).toEqual([1, 2])

    const decide = (who: Person, more: object = {}) =>
      who.post('/blade-ticket/day/decideViolation', { json: { id, outcome: 1, decision: '监控录像证实', ...more } })
    expect((await decide(s.door)).status).toBe(403)
    expect((await decide(second.office)).body.code).toBe(404)
    expect((await decide(s.office, { version: 5 })).body.code).toBe(2002)
    expect((await decide(s.office, { version: 0 })).body.data).toEqual({ id, state: 1 })
    expect((await decide(s.office)).body.msg).toBe('该违纪记录已认定')

    const own = (await post(s.office, form(s.tickets[1]))).body.data
    expect(
      (await s.office.post('/blade-ticket/day/decideViolation', { json: { id: own.id, outcome: 2, decision: '误报' } })).body.msg,
    ).toBe('登记人不能认定自己登记的违纪记录')
    const trail = await s.tenant.rows<{ action: string }>(sql`select action from audit_log where action like 'violation.%' order by id`)
    expect(trail.map(row => row.action)).toEqual(['violation.filed', 'violation.read', 'violation.decided', 'violation.filed'])
  })
})

test('[12.2.11] the empty workbook of results has 缺考 and 违纪 from the room, and a file that says otherwise is told of it', async () => {
  const s = await setUp()
  await s.send(s.door, 'A', [mark(s.tickets[0], absent, 50), mark(s.tickets[1], present, 1), mark(s.tickets[2], late, 10)])
  const signatures = ['firstSignature', 'secondSignature'].map(part => ({ part, name: 'x.jpg', bytes: picture }))
  const filed = await s.door.post('/blade-ticket/day/violation', {
    multipart: {
      fields: {
        ...{ violationId: randomUUID(), ticketId: s.tickets[3] ?? '', clause: '7-1', facts: '抄袭邻座答题卡' },
        ...{ at: String(arrivedAt), firstSigner: '监考甲', secondSigner: '监考乙', device: 'A' },
      },
      files: signatures,
    },
  })
  await s.office.post('/blade-ticket/day/decideViolation', { json: { id: filed.body.data.id, outcome: 1, decision: '两人答案雷同' } })
  t.clock.set(new Date('2026-03-17T18:00:00+08:00'))
  try {
    const importer = await s.tenant.staff('exam_admin', { realName: '导入人' })
    const template = await importer.get('/blade-exam/examination/importTemplate', {
      query: { kind: 'T6', examId: s.exam.examId, itemId: s.itemId },
    })
    // Nine of them lie in one folder.
    expect(decodeURIComponent(String(template.headers['content-disposition']))).toContain(`${s.exam.examCode}_01综合基础知识_成绩导入.xlsx`)
    const rows = await sheetCells(template.raw)
    expect(rows.slice(1, 6).map(row => [row[0], row[4]])).toEqual([
      [s.numbers[0], '缺考'],
      [s.numbers[1], undefined],
      [s.numbers[2], undefined],
      [s.numbers[3], '违纪'],
      [s.numbers[4], undefined],
    ])
    const states = ['正常', '缺考', '正常', '正常']
    const sheet = s.numbers.map((no, i) => {
      const state = states[i] ?? '正常'
      return [no, s.signups[i]?.name ?? '', '01', state === '正常' ? '60' : '', state, '', '']
    })
    const bytes = await workbook([
      ['准考证号*', '姓名*', '科目代码*', '成绩', '考试状态(正常/缺考/违纪/零分/免试)*', '加分', '备注'],
      ...sheet,
    ])
    const sent = await importer.post('/blade-exam/examination/importResult', {
      multipart: {
        fields: { examId: s.exam.examId, itemId: s.itemId, mode: 'commit' },
        files: [{ part: 'file', name: '成绩.xlsx', bytes }],
      },
    })
    expect(sent.body.data).toMatchObject({ ok: 40, failed: 0, inserted: 40 })
    expect(sent.body.data.warnings).toEqual([
      { row: 2, reason: '考场登记为缺考' },
      { row: 3, reason: '考场登记为到考' },
      { row: 5, reason: '考场违纪已认定' },
    ])
    // The day is over when its results are in.
    expect((await s.send(s.door, 'A', [mark(s.tickets[4], present, 1)])).body.data.refused[0].msg).toBe(
      '综合基础知识 已导入成绩，不能再登记到考情况',
    )
    // Whoever was not marked is known by the result; marks stand as they were made.
    expect(await s.rooms(s.office, { examId: s.exam.examId })).toMatchObject([
      { roomNo: '001', seated: 30, present: 28, late: 1, absent: 1, violations: 1, byResult: 27, closed: true },
      { roomNo: '002', seated: 10, present: 10, late: 0, absent: 0, violations: 0, byResult: 10 },
    ])
    // Whoever releases reads where the results say something else than the room, and which papers do not come with them.
    await s.tenant.db(db =>
      db.run(sql`
        insert into exam_item (tenant_id, exam_id, item_code, item_name, item_type, start_time, end_time, full_score, sort)
        select tenant_id, exam_id, '02', '结构化面试', 2, start_time + interval '5 days', end_time + interval '5 days', 100, 9 from exam_item where id = ${s.itemId}`),
    )
    const releaser = await s.tenant.staff('exam_admin', { realName: '发布人' })
    const { plan } = (
      await releaser.post('/blade-exam/examination/releaseResults', {
        json: { examId: s.exam.examId, itemIds: s.itemId, state: 1, dryRun: 1 },
      })
    ).body.data
    const row = (i: number, resultState: number, score: string | null, room: string) => ({
      ...{ itemName: '综合基础知识', ticketNo: s.numbers[i], name: s.signups[i]?.name, resultState, score, room },
    })
    expect([plan.refused, plan.against, plan.rest]).toEqual([
      null,
      {
        total: 3,
        people: [row(0, 1, '60.00', '考场登记为缺考'), row(1, 2, null, '考场登记为到考'), row(3, 1, '60.00', '考场违纪已认定')],
      },
      [{ itemName: '结构化面试', itemType: 2, scoreState: 0 }],
    ])
  } finally {
    t.clock.set(new Date(arrivedAt))
  }
})
