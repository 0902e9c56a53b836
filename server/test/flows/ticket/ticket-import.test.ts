import { spawnSync } from 'node:child_process'
import { createHash, createHmac } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { maskIdCard } from '#contract/kernel/mask.ts'
import { sql } from '#kernel/db/sql.ts'
import { drawStream, shuffle } from '#modules/ticket/domain/draw.ts'
import { type Person, startTestApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { buildExam } from '../../support/factories.ts'
import { keepPage } from '../../support/keep-page.ts'
import { pdfText } from '../../support/pdf-text.ts'
import { sheetRows } from '../../support/sheet-text.ts'
import { applicant, rooms } from '../../support/ticket-people.ts'
import { workbook } from '../../support/workbook.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp({ start: '2026-03-23T10:00:00+08:00' })
})
afterAll(() => t.close())

const exam = '/blade-exam/examination'
const program = fileURLToPath(new URL('../../../../docs/verify/verify-draw.mjs', import.meta.url))
/** The ticket of whoever is heard first. */
const firstOf = async (tenant: TestTenant): Promise<string> =>
  (await tenant.rows<{ id: string }>(sql`select id::text as id from ticket where group_no = '第1组' and draw_no = '1'`))[0]?.id ?? ''
const planHeader = [
  '证件号码*',
  '姓名*',
  '岗位代码',
  '科目代码*',
  '准考证号(空=自动)',
  '考点代码*',
  '考点名称*',
  '考点地址*',
  '考场号*',
  '考场名称',
  '楼层',
  '座位号*',
  '备注',
]
const groupHeader = [
  '证件号码*',
  '姓名*',
  '岗位代码*',
  '面试准考证号(空=自动)',
  '面试日期*',
  '报到时间*',
  '面试开始时间',
  '考点名称*',
  '考点地址*',
  '面试组*',
  '候考室*',
  '抽签序号',
  '备注',
]
const written = {
  itemCode: '01',
  itemName: '综合基础知识',
  startTime: '2026-03-28 09:00:00',
  endTime: '2026-03-28 10:30:00',
  rooms: rooms(1),
}
const interview = {
  itemCode: '21',
  itemName: '结构化面试',
  itemType: 2 as const,
  startTime: '2026-03-29 08:30:00',
  endTime: '2026-03-29 08:50:00',
  rooms: [],
}
/** A template shows by colour what has to be there. */
const bare = (header: string) => header.replace('*', '')
const site = ['01', '区第一中学', '青山路188号']

const send = async (who: Person, call: string, rows: readonly (readonly string[])[], fields: Record<string, string>) =>
  (
    await who.post(`${exam}/${call}`, {
      multipart: { fields: { mode: 'commit', ...fields }, files: [{ part: 'file', name: '导入.xlsx', bytes: await workbook(rows) }] },
    })
  ).body
const errorsOf = (body: { data: { errors: { row: number; column: string; reason: string }[] } }) =>
  body.data.errors.map(({ row, column, reason }) => `${row}${column} ${reason}`)
const stored = (tenant: TestTenant) =>
  tenant.rows(sql`
    select s.name, i.item_code as item, t.type, t.ticket_no as "ticketNo", t.site_code || '-' || t.room_no || '-' || t.seat_no as seat, t.source, t.allot_version as version,
      t.ticket_state as state, t.remark
    from ticket t join signup s on s.id = t.signup_id join exam_item i on i.id = t.item_id where not t.is_deleted order by s.name, i.item_code`)

describe('a plan made outside', () => {
  test('[S7.39] T4 seats whom it names, papers of one seat group together, and a second file replaces the first; the other tenant is untouched', async () => {
    const [tenant, second] = [await t.tenant(), await t.tenant()]
    const built = await buildExam(tenant, {
      papers: [
        { ...written, seatGroup: 'G' },
        {
          ...written,
          itemCode: '02',
          itemName: '写作',
          seatGroup: 'G',
          startTime: '2026-03-28 11:00:00',
          endTime: '2026-03-28 12:00:00',
          rooms: [],
        },
      ],
    })
    const beside = await buildExam(second, { papers: [written] })
    await applicant(t, second, beside.examId, { name: '甲人' })
    const admin = await tenant.staff('exam_admin')
    const [one, two] = [
      await applicant(t, tenant, built.examId, { name: '甲人' }),
      await applicant(t, tenant, built.examId, { name: '乙人' }),
    ]
    const row = (who: typeof one, seat: string, more: { no?: string; item?: string; remark?: string } = {}) => [
      ...[who.idCard, who.name, 'B001', more.item ?? '01', more.no ?? '', ...site, '1', 'A栋301', '3', seat, more.remark ?? ''],
    ]
    const of = { examId: built.examId, itemId: built.papers['01'] ?? '' }

    const missing = await send(admin, 'importTicket', [planHeader, row(one, '5')], { ...of, mode: 'check' })
    expect(missing.data).toMatchObject({ state: 2, ok: 1, failed: 0, errors: [] })
    expect(missing.data.warnings).toEqual([
      { row: 0, reason: expect.stringMatching(/^还有 1 名符合条件的考生不在文件中，报名序号：\d{14}$/) },
    ])
    expect(await stored(tenant)).toEqual([])

    const first = await send(
      admin,
      'importTicket',
      [planHeader, row(one, '5', { remark: '靠门' }), row(one, '5', { item: '02' }), row(two, '6', { no: 'KS-1' })],
      of,
    )
    expect(errorsOf(first)).toEqual(['4E 准考证号须为 6–20 位数字或字母'])
    expect(await stored(tenant)).toEqual([])
    const made = await send(
      admin,
      'importTicket',
      [planHeader, row(one, '5', { remark: '靠门' }), row(one, '5', { item: '02' }), row(two, '6', { no: 'KS2026001' })],
      of,
    )
    expect(made.data).toMatchObject({ state: 4, total: 3, ok: 3, failed: 0, inserted: 2, updated: 0 })
    const seatOf = (name: string, item: string, ticketNo: string, seat: string, remark: string | null) => ({
      ...{ name, item, type: 1, ticketNo, seat, source: 2, version: 1, state: 'made', remark },
    })
    const number = (seat: string) => expect.stringMatching(new RegExp(`^26030100100?${seat}\\d$`))
    expect(await stored(tenant)).toEqual([
      seatOf('乙人', '01', 'KS2026001', '01-001-06', null),
      seatOf('乙人', '02', 'KS2026001', '01-001-06', null),
      seatOf('甲人', '01', number('5'), '01-001-05', '靠门'),
      seatOf('甲人', '02', number('5'), '01-001-05', '靠门'),
    ])
    expect(await tenant.rows(sql`select item_code, ticket_state, allot_version from exam_item order by 1`)).toEqual([
      { item_code: '01', ticket_state: 'made', allot_version: 1 },
      { item_code: '02', ticket_state: 'made', allot_version: 1 },
    ])

    // Both change places: the rows that were there give way.
    const again = await send(admin, 'importTicket', [planHeader, row(one, '6'), row(two, '5')], of)
    expect(again.data).toMatchObject({ state: 4, inserted: 0, updated: 2 })
    expect(await stored(tenant)).toEqual([
      seatOf('乙人', '01', number('5'), '01-001-05', null),
      seatOf('乙人', '02', number('5'), '01-001-05', null),
      seatOf('甲人', '01', number('6'), '01-001-06', null),
      seatOf('甲人', '02', number('6'), '01-001-06', null),
    ])
    expect(await tenant.rows(sql`select count(*)::int as count from audit_log where action = 'import.T4'`)).toEqual([{ count: 2 }])
    expect(await stored(second)).toEqual([])

    // A room that the papers do not list, only the plan: somebody can be moved into it as well.
    const listed = (await admin.get(`${exam}/getExamTicketList`, { query: { examId: built.examId, keyword: '乙人' } })).body.data.records
    const move = (json: object) => admin.post(`${exam}/saveTicket`, { json: { id: listed[0].id, ...json } })
    await tenant.db(db => db.run(sql`update ticket set room_no = '007', room_name = '阶梯教室' where signup_id = ${one.signupId}`))
    expect((await move({ roomNo: '008', seatNo: '1' })).body).toMatchObject({ reason: 'ticket/no-such-seat' })
    expect((await move({ roomNo: '007', seatNo: '0' })).body).toMatchObject({ reason: 'ticket/no-such-seat' })
    expect((await move({ roomNo: '007', seatNo: '6' })).body).toMatchObject({ reason: 'ticket/seat-taken' })
    expect((await move({ roomNo: '007', seatNo: '12' })).body.data).toMatchObject({ roomNo: '007', roomName: '阶梯教室', seatNo: '12' })

    await admin.post(`${exam}/releaseTickets`, { json: { examId: built.examId, itemIds: of.itemId, force: 1 } })
    expect(await send(admin, 'importTicket', [planHeader, row(one, '7')], of)).toMatchObject({ code: 2302, reason: 'ticket/released' })
    const reviewer = await tenant.staff('reviewer1')
    expect((await send(reviewer, 'importTicket', [planHeader], of)).code).toBe(403)
  })

  test('[S7.39] every fault of T4 is named with row, column and reason, and nothing is written', async () => {
    const tenant = await t.tenant()
    const built = await buildExam(tenant, {
      papers: [written, { ...written, itemCode: '12', itemName: '专业知识', rooms: rooms(1) }, interview],
    })
    const other = await buildExam(await t.tenant())
    const admin = await tenant.staff('exam_admin')
    const names = ['甲', '乙', '丙', '丁', '戊', '己', '庚']
    const people = []
    for (const name of names) people.push(await applicant(t, tenant, built.examId, { name: `${name}人` }))
    const [a, b, c, d, e, f, g] = people as Required<typeof people>
    if (!a || !b || !c || !d || !e || !f || !g) throw new Error('people')
    await tenant.db(db => db.run(sql`update signup set pay_state = 'due' where id = ${d.signupId}`))
    const row = (who: { idCard: string; name: string }, more: Partial<Record<number, string>> = {}) => {
      const cells: string[] = [who.idCard, who.name, 'B001', '01', '', ...site, '1', '', '', '1', '']
      for (const [at, text] of Object.entries(more)) cells[Number(at)] = text ?? ''
      return cells
    }
    const bad = await send(
      admin,
      'importTicket',
      [
        planHeader,
        row(a),
        row(b),
        row({ idCard: '330106198811205058', name: '生人' }, { 11: '2' }),
        row({ idCard: '33010619881120505X', name: '错号' }, { 11: '3' }),
        row({ ...c, name: '丙二' }, { 11: '4', 2: 'A001' }),
        row(d, { 11: '5' }),
        row(e, { 3: '99', 11: '6' }),
        row(e, { 3: '21', 11: '6' }),
        row(f, { 11: '31', 4: '260301001012' }),
        row(g, { 5: '90', 8: '0', 11: '' }),
        row(g, { 3: '12', 6: '另一中学', 11: '7', 4: 'KS00000075' }),
        row(a, { 11: '9' }),
        row(f, { 3: '12', 11: '8', 4: 'KS00000075', 10: '三楼' }),
      ],
      { examId: built.examId },
    )
    expect(bad).toMatchObject({ data: { state: 5, total: 13, inserted: 0 } })
    expect(errorsOf(bad)).toEqual([
      '3L 与第 2 行重复',
      '4A 此人没有报名本次考试',
      '5A 证件号码不正确，请核对 18 位号码；也可填报名序号',
      '6B 姓名与报名不一致: 应为 丙人',
      '6C 岗位代码与报名不一致: 应为 B001',
      '7A 不能参加考试：还有未缴费用，缴清后才能打印准考证',
      '8D 科目代码不在本次导入的范围内: 99',
      '9D 科目代码不在本次导入的范围内: 21',
      '10E 准考证号校验位不正确',
      '10L 考场 001 只有 30 个座位',
      '11F 考点代码须为 1–89 的整数',
      '11I 考场号须为 1–999 的整数',
      '11L 必填项为空: 座位号',
      '12G 考点 01 的名称与第 2 行不一致',
      '13A 与第 2 行重复',
      '14K 楼层须为 -5–99 的整数',
      '14E 与第 12 行重复',
      '14E 同一人的准考证号与第 10 行不一致',
    ])
    expect(await stored(tenant)).toEqual([])
    expect((await send(admin, 'importTicket', [planHeader], { examId: other.examId })).code).toBe(404)
    expect(await send(admin, 'importTicket', [planHeader, row(a)], { examId: built.examId, policy: 'partial' })).toMatchObject({
      reason: 'import/policy',
    })

    const template = await admin.get(`${exam}/importTemplate`, { query: { kind: 'T4', examId: built.examId, itemId: built.papers['01'] } })
    const sheet = await sheetRows(template.raw)
    expect(sheet[0]).toEqual(planHeader.map(bare))
    expect(sheet.slice(1).map(cells => cells.slice(0, 4))).toEqual(
      people.filter(one => one !== d).map(one => [one.idCard, one.name, 'B001', '01']),
    )
  })
})

describe('interviews', () => {
  test('[S7.39] T5 gives groups, waiting rooms, times and interview numbers to those who passed the re-review', async () => {
    const tenant = await t.tenant()
    const built = await buildExam(tenant, { papers: [written, interview] })
    const admin = await tenant.staff('exam_admin')
    const review = (state: number) => ({ set: sql`review_state = ${state}` })
    const one = await applicant(t, tenant, built.examId, { name: '甲人', ...review(2) })
    const two = await applicant(t, tenant, built.examId, { name: '乙人', ...review(2) })
    const waits = await applicant(t, tenant, built.examId, { name: '丙人', ...review(1) })
    const out = await applicant(t, tenant, built.examId, { name: '丁人' })
    const row = (who: typeof one, more: Partial<Record<number, string>> = {}) => {
      const cells: string[] = [
        who.idCard,
        who.name,
        'B001',
        '',
        '2026-03-29',
        '07:30',
        '',
        '区卫生学校',
        '文昌路66号',
        '第3组',
        '1号楼201',
        '',
        '',
      ]
      for (const [at, text] of Object.entries(more)) cells[Number(at)] = text ?? ''
      return cells
    }
    const of = { examId: built.examId, itemId: built.papers['21'] ?? '' }
    const bad = await send(
      admin,
      'importMsTicket',
      [
        groupHeader,
        row(one, { 11: '2' }),
        row(two, { 11: '2' }),
        row(waits),
        row(out, { 2: '' }),
        row(one, { 5: '早上', 9: 'A组' }),
        row(two, { 4: '2026-03-30', 6: '07:00' }),
      ],
      of,
    )
    expect(errorsOf(bad)).toEqual([
      '3L 与第 2 行重复',
      '4A 资格复审尚未完成',
      '5C 必填项为空: 岗位代码',
      '5A 未入围，不能参加面试',
      '6F 报到时间须为面试当天的时间，如 08:30',
      '7F 报到时间须早于面试开始时间',
      '7A 与第 3 行重复',
      '7J 同一面试组须同一天同一考点，与第 2 行不一致',
    ])
    expect(await stored(tenant)).toEqual([])

    const made = await send(
      admin,
      'importMsTicket',
      [groupHeader, row(one), row(two, { 9: 'A组', 11: '7', 6: '09:15', 12: '带学历原件' })],
      of,
    )
    expect(made.data).toMatchObject({ state: 4, inserted: 2, updated: 0, errors: [] })
    expect(made.data.warnings).toEqual([{ row: 3, reason: '岗位 B001 的考生分在不同的面试组或日期' }])
    const rows = await tenant.rows(sql`
      select s.name, t.type, t.ticket_no as "ticketNo", t.group_no as "groupNo", t.wait_room as "waitRoom", t.draw_no as "drawNo", t.seat_no as "seatNo", t.site_name as site,
        to_char(t.report_time at time zone 'Asia/Shanghai', 'MM-DD HH24:MI') as report, to_char(t.start_time at time zone 'Asia/Shanghai', 'HH24:MI') as starts,
        to_char(t.end_time at time zone 'Asia/Shanghai', 'HH24:MI') as ends, t.remark
      from ticket t join signup s on s.id = t.signup_id where not t.is_deleted order by s.name`)
    const common = { type: 2, waitRoom: '1号楼201', site: '区卫生学校', report: '03-29 07:30' }
    expect(rows).toEqual([
      {
        ...common,
        name: '乙人',
        ticketNo: expect.stringMatching(/^26039001007\d$/),
        groupNo: 'A组',
        drawNo: '7',
        seatNo: '07',
        starts: '09:15',
        ends: '09:35',
        remark: '带学历原件',
      },
      {
        ...common,
        name: '甲人',
        ticketNo: '260390030010',
        groupNo: '第3组',
        drawNo: null,
        seatNo: '01',
        starts: '08:30',
        ends: '08:50',
        remark: null,
      },
    ])
    expect(await send(admin, 'importMsTicket', [groupHeader, row(one)], { ...of, itemId: built.papers['01'] ?? '' })).toMatchObject({
      reason: 'ticket/no-interview',
    })
    const template = await admin.get(`${exam}/importTemplate`, { query: { kind: 'T5', ...of } })
    const sheet = await sheetRows(template.raw)
    expect(sheet[0]).toEqual(groupHeader.map(bare))
    expect(sheet.slice(1).map(cells => cells.slice(0, 3))).toEqual([
      [maskIdCard(one.idCard), '甲人', 'B001'],
      [maskIdCard(two.idCard), '乙人', 'B001'],
    ])
    expect(decodeURIComponent(String(template.headers['content-disposition']))).toContain(
      `${built.examCode}_21结构化面试_面试分组导入.xlsx`,
    )
    // What the template says of people is enough to find them; where it is not, the whole number is asked for.
    const filled = await send(
      admin,
      'importMsTicket',
      [groupHeader, row({ ...one, idCard: maskIdCard(one.idCard) }), row({ ...two, idCard: maskIdCard(one.idCard), name: '没有人' })],
      of,
    )
    expect(errorsOf(filled)).toEqual(['3A 没有证件号码首尾与姓名都相符的报名，请填写完整证件号码'])
    const again = await send(
      admin,
      'importMsTicket',
      [groupHeader, ...[one, two].map(who => row({ ...who, idCard: maskIdCard(who.idCard) }))],
      of,
    )
    expect(again.data).toMatchObject({ state: 4, inserted: 0, updated: 2, errors: [] })
  })

  test('[S7.39] the order of a group is drawn once, on its day, by a seed whose digest was public; the last group reveals it', async () => {
    t.clock.set('2026-03-23T10:00:00+08:00')
    const [tenant, second] = [await t.tenant(), await t.tenant()]
    const built = await buildExam(tenant, { papers: [interview] })
    const beside = await buildExam(second, { papers: [interview] })
    const admin = await tenant.staff('exam_admin')
    const people = []
    for (const name of ['甲人', '乙人', '丙人', '丁人'])
      people.push(await applicant(t, tenant, built.examId, { name, set: sql`review_state = 2` }))
    const of = { examId: built.examId, itemId: built.papers['21'] ?? '' }
    const day = ['2026-03-29', '07:30', '', '区卫生学校', '文昌路66号']
    const rows = people.map((who, i) => [who.idCard, who.name, 'B001', '', ...day, i < 3 ? '第1组' : '第2组', '1号楼201', '', ''])
    expect((await send(admin, 'importMsTicket', [groupHeader, ...rows], of)).data).toMatchObject({ inserted: 4 })
    const draw = (groupNo: string, who = admin) => who.post('/blade-ticket/interview/draw', { json: { ...of, groupNo } })
    const groups = async () => (await admin.get('/blade-ticket/interview/groups', { query: of })).body.data
    expect((await draw('第1组')).body).toMatchObject({ reason: 'ticket/not-released' })
    await admin.post(`${exam}/releaseTickets`, { json: { examId: of.examId, itemIds: of.itemId, force: 1 } })
    expect((await draw('第1组')).body).toMatchObject({
      reason: 'ticket/draw-day',
      msg: '第1组 于 2026-03-29 面试，当天才能抽签',
    })
    expect((await draw('第9组')).status).toBe(404)
    t.clock.set('2026-03-29T07:40:00+08:00')
    expect((await draw('第1组', await second.staff('exam_admin'))).status).toBe(404)
    expect((await draw('第1组', await tenant.staff('reviewer1'))).status).toBe(403)
    const ofBeside = { examId: beside.examId, itemId: beside.papers['21'] ?? '', groupNo: '第1组' }
    expect((await admin.post('/blade-ticket/interview/draw', { json: ofBeside })).status).toBe(404)

    const first = (await draw('第1组')).body.data
    expect(first).toMatchObject({ seedCommit: expect.stringMatching(/^[0-9a-f]{64}$/), seedReveal: null })
    expect(first.people.map((one: { drawNo: number }) => one.drawNo)).toEqual([1, 2, 3])
    expect((await draw('第1组')).body).toMatchObject({ reason: 'ticket/drawn' })
    expect(await groups()).toMatchObject([
      { groupNo: '第1组', people: 3, drawn: 3, startTime: '2026-03-29 08:30:00' },
      { groupNo: '第2组', people: 1, drawn: 0 },
    ])
    const last = (await draw('第2组')).body.data
    expect(createHash('sha256').update(Buffer.from(last.seedReveal, 'hex')).digest('hex')).toBe(first.seedCommit)

    // Whoever has the seed and the numbers of the group draws the same order again.
    const numbers = await tenant.rows<{ no: string; draw: string }>(sql`
      select ticket_no as no, draw_no as draw from ticket where group_no = '第1组' order by ticket_no`)
    const again = shuffle(
      numbers.map(row => row.no),
      drawStream((key, data) => createHmac('sha256', key).update(data).digest(), {
        ...{ seed: Buffer.from(last.seedReveal, 'hex'), examId: of.examId, itemGroup: '21|第1组', version: 1 },
      }),
    )
    expect([...numbers].sort((a, b) => Number(a.draw) - Number(b.draw)).map(row => row.no)).toEqual(again)
    // So does the public program, by itself.
    const folder = mkdtempSync(join(tmpdir(), 'kaopu-draw-'))
    writeFileSync(join(folder, 'numbers.txt'), numbers.map(row => row.no).join('\n'))
    const check = (seed: string) =>
      spawnSync(process.execPath, [program, first.seedCommit, seed, `${of.examId}|21|第1组|1`, join(folder, 'numbers.txt')], {
        encoding: 'utf8',
      })
    const checked = check(last.seedReveal)
    expect([checked.status, checked.stdout.trim().split('\n').slice(1)]).toEqual([0, again.map((no, i) => `${i + 1} ${no}`)])
    expect(check('00'.repeat(32)).status).toBe(1)
    rmSync(folder, { recursive: true })
    expect(
      await tenant.rows(
        sql`select after_value -> 'order' as numbers from audit_log where action = 'ticket.interview-drawn' order by id limit 1`,
      ),
    ).toEqual([{ numbers: again }])
    expect(await tenant.rows(sql`select seed_reveal as seed from exam_item`)).toEqual([{ seed: last.seedReveal }])

    // What is printed from now on names the place in the order.
    const printed = await admin.post(`${exam}/exportPDFView`, { json: { ...of, type: 2, ids: await firstOf(tenant) } })
    keepPage('interview', printed.raw)
    const page = pdfText(printed.raw)[0] ?? []
    for (const part of ['第1组', '抽签序号', '1号楼201', '区卫生学校']) expect(page.join('|')).toContain(part)
    expect(page).toContain('1')
    expect(page.join('|')).not.toContain('现场抽签')
  })
})
