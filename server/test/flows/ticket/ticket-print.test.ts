import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fromBufferPromise } from 'yauzl'
import { sql } from '#kernel/db/sql.ts'
import { type Person, startTestApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { buildExam } from '../../support/factories.ts'
import { keepPage } from '../../support/keep-page.ts'
import { pdfText } from '../../support/pdf-text.ts'
import { sheetRows } from '../../support/sheet-text.ts'
import { type Applicant, applicant, passedCrowd, rooms } from '../../support/ticket-people.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp({ start: '2026-03-23T10:00:00+08:00' })
})
afterAll(() => t.close())

const exam = '/blade-exam/examination'
const papers = (roomCount: number, spare = 0) => [
  {
    itemCode: '01',
    itemName: '综合基础知识',
    seatGroup: 'G',
    startTime: '2026-03-28 09:00:00',
    endTime: '2026-03-28 10:30:00',
    rooms: rooms(roomCount, { spare }),
  },
  { itemCode: '02', itemName: '写作', seatGroup: 'G', startTime: '2026-03-28 14:00:00', endTime: '2026-03-28 15:30:00', rooms: [] },
]
const names = ['张䶮', '李𬭎', '徐㼆', '阿卜杜拉·买买提·艾合买提', '欧阳娜', '司马相如', '王测', '颜妙涵', '赵一', '钱二', '孙三', '李四']
const seated = async (tenant: TestTenant, admin: Person, examId: string, itemId: string) => {
  expect((await admin.post(`${exam}/creTicketEnd`, { json: { examId, itemIds: itemId } })).body.code).toBe(200)
  return tenant.rows(sql<{
    signupId: string
    name: string
    ticketNo: string
    seatNo: string
    roomNo: string
    mask: string | null
    signNo: string
  }>`
    select t.signup_id::text as "signupId", s.name, t.ticket_no as "ticketNo", t.seat_no as "seatNo", t.room_no as "roomNo", s.id_card_mask as mask, s.sign_no as "signNo"
    from ticket t join signup s on s.id = t.signup_id where t.item_id = ${itemId} and not t.is_deleted order by t.room_no, t.seat_no`)
}
const grouped = (ticketNo: string): string => ticketNo.replace(/(\d{4})(?=\d)/g, '$1 ')
/** How often a text stands on a page, over the ends of its lines. */
const timesIn = (page: readonly string[], text: string): number => page.join('').split(text).length - 1
test('[S7.54] labels, door, signatures and photos of a room say what its tickets say, and nothing of another tenant', async () => {
  const [tenant, second] = [await t.tenant(), await t.tenant()]
  const built = await buildExam(tenant, { papers: papers(1, 2) })
  const beside = await buildExam(second, { papers: papers(1) })
  await applicant(t, second, beside.examId, { name: '外人' })
  const admin = await tenant.staff('exam_admin')
  const people: Applicant[] = []
  for (const name of names) people.push(await applicant(t, tenant, built.examId, { name, withPhoto: name !== '李四' }))
  const rows = await seated(tenant, admin, built.examId, built.papers['01'] ?? '')
  const print = async (layout: string, more: object = {}) => {
    const answer = await admin.post(`${exam}/exportPDFView`, { json: { examId: built.examId, layout, ...more } })
    expect(answer.headers['content-type']).toBe('application/pdf')
    keepPage(layout, answer.raw)
    return pdfText(answer.raw)
  }
  const idOf = new Map(people.map(person => [person.signupId, person.idCard]))

  // A label for each, ten on a page; each of number, name and seat stands once.
  const desks = await print('desk')
  expect(desks).toHaveLength(2)
  const labels = desks.flat()
  for (const row of rows) {
    expect([row.name, labels.filter(text => text === row.name).length]).toEqual([row.name, 1])
    expect(labels.filter(text => text === grouped(row.ticketNo))).toHaveLength(1)
    expect(labels.filter(text => text === row.seatNo)).toHaveLength(1)
  }
  expect(labels.filter(text => text === '综合基础知识、写作')).toHaveLength(12)

  const [door = []] = await print('door')
  expect(door).toEqual(
    expect.arrayContaining(['第 001 考场', '区第一中学　A栋301　3 层', '讲　台', '2026-03-28 周六', '09:00–10:30', '14:00–15:30']),
  )
  expect(door.join('|')).toContain(`应到 12 人　　准考证号 ${grouped(rows[0]?.ticketNo ?? '')} 至 ${grouped(rows.at(-1)?.ticketNo ?? '')}`)
  for (const row of rows) expect([row.name, timesIn(door, row.name)]).toEqual([row.name, 1])
  // All seats that stand in the room are drawn; the two kept free say so.
  expect([door.filter(text => text === '30').length, door.filter(text => text === '备用').length]).toEqual([1, 2])

  // Each paper is signed for by itself; candidates do not read each other's numbers.
  const signed = await print('sign')
  expect(signed).toHaveLength(2)
  for (const page of signed) {
    for (const row of rows) expect(page).toEqual(expect.arrayContaining([row.ticketNo, row.seatNo, row.mask]))
    for (const row of rows) expect([row.name, timesIn(page, row.name)]).toEqual([row.name, 1])
    for (const idCard of idOf.values()) expect(page.join('|')).not.toContain(idCard)
  }
  expect(signed.map(page => page.filter(text => text === '综合基础知识' || text === '写作'))).toEqual([['综合基础知识'], ['写作']])

  const [photos = []] = await print('photo', { itemId: built.papers['01'] })
  for (const row of rows) {
    expect(photos).toEqual(expect.arrayContaining([row.ticketNo, idOf.get(row.signupId)]))
    expect(timesIn(photos, `${row.seatNo}　${row.name}`)).toBe(1)
  }
  expect(photos.filter(text => text === '未采集')).toHaveLength(1)

  const all = [...desks, door, ...signed, photos].flat()
  expect(all.filter(text => /\[object|undefined|null|NaN|\uFFFD|外人/.test(text))).toEqual([])
  expect((await admin.post(`${exam}/exportPDFView`, { json: { examId: built.examId, layout: 'poster' } })).body).toMatchObject({
    reason: 'ticket/layout',
  })
  expect(
    await tenant.rows(sql`select after_value - 'large' as after from audit_log where action = 'ticket.printed' order by id limit 1`),
  ).toEqual([
    { after: { layout: 'desk', people: 12, paper: null, type: 1, roomNo: null, siteCode: null, itemId: null, ids: null, rows: 12 } },
  ])
})

test('[S7.54] more than 300 people are a zip with a document for each room, made by the queue', async () => {
  const tenant = await t.tenant()
  const built = await buildExam(tenant, { papers: papers(11) })
  const admin = await tenant.staff('exam_admin')
  await passedCrowd(tenant, built.examId, 310, ['B001'])
  const rows = await seated(tenant, admin, built.examId, built.papers['01'] ?? '')
  const ordered = await admin.post(`${exam}/exportPDFView`, { json: { examId: built.examId, itemId: built.papers['01'], layout: 'sign' } })
  expect(ordered.body.data).toMatchObject({ state: 0, total: 310, done: 0, fileName: expect.stringMatching(/^签到表_\d{14}\.zip$/) })
  await t.runTasks()
  const { data: job } = (await admin.get('/blade-exam/exportjob/detail', { query: { id: ordered.body.data.id } })).body
  expect(job).toMatchObject({ state: 4, total: 310, done: 310 })
  const file = await admin.get('/blade-exam/exportjob/download', { query: { id: job.id } })
  expect(file.headers['content-type']).toBe('application/zip')
  const archive = await fromBufferPromise(file.raw)
  const found = new Map<string, string[]>()
  for await (const entry of archive.eachEntry()) {
    const pages = pdfText(await buffer(await archive.openReadStreamPromise(entry)))
    found.set(entry.fileName, pages.flat())
  }
  const byRoom = Map.groupBy(rows, row => row.roomNo)
  expect([...found.keys()]).toEqual([...byRoom.keys()].map(roomNo => `签到表_01_01-${roomNo}.pdf`))
  for (const [roomNo, list] of byRoom) {
    const texts = found.get(`签到表_01_01-${roomNo}.pdf`) ?? []
    expect(texts.filter(text => /^\d{12}$/.test(text)).sort()).toEqual(list.map(row => row.ticketNo).sort())
  }
})

test.runIf(process.env['KAOPU_LONG'])('[S7.54] the tickets of 300 people say what is stored of each, once and without a gap', async () => {
  const tenant = await t.tenant()
  const built = await buildExam(tenant, { papers: papers(10) })
  const admin = await tenant.staff('exam_admin')
  const people: Applicant[] = []
  // Beside the rare names, 288 of two characters from all over the block of common ones.
  for (let i = 0; i < 300; i++)
    people.push(await applicant(t, tenant, built.examId, { name: names[i] ?? `王${String.fromCodePoint(0x4e00 + i * 69)}` }))
  const rows = await seated(tenant, admin, built.examId, built.papers['01'] ?? '')
  const answer = await admin.post(`${exam}/exportPDFView`, { json: { examId: built.examId } })
  const pages = pdfText(answer.raw)
  const firsts = pages.filter(page => page.includes('第 1 页 共 2 页'))
  expect([pages.length, firsts.length]).toEqual([600, 300])
  const idOf = new Map(people.map(person => [person.signupId, person.idCard]))
  const once = (page: readonly string[], text: string): boolean => page.filter(one => one === text).length === 1
  for (const [at, row] of rows.entries()) {
    const page = firsts[at] ?? []
    const expected = [
      row.name,
      idOf.get(row.signupId) ?? '',
      grouped(row.ticketNo),
      row.signNo,
      '区人民医院',
      '护士（B001）',
      '综合基础知识',
      '写作',
    ]
    expect([row.name, expected.filter(text => !once(page, text))]).toEqual([row.name, []])
    expect(page.filter(text => text === row.seatNo)).toHaveLength(2)
  }
  expect(pages.flat().filter(text => /\[object|undefined|null|NaN|\uFFFD/.test(text))).toEqual([])
})

test('[S7.54] a room of several papers has one sheet for its door, and everybody on it with the paper that is theirs', async () => {
  const tenant = await t.tenant()
  const times = { startTime: '2026-03-28 14:00:00', endTime: '2026-03-28 16:00:00', seatGroup: 'B' }
  const built = await buildExam(tenant, {
    papers: [
      { itemCode: '11', itemName: '护理学专业知识', ...times, rooms: rooms(1) },
      { itemCode: '12', itemName: '临床医学专业知识', ...times, rooms: [] },
      // Its own seats in the same room at the same time.
      { itemCode: '13', itemName: '药学专业知识', ...times, seatGroup: 'C', rooms: [] },
    ],
    posts: ['B001', 'B002', 'B003'].map((code, i) => ({
      ...{ code, codeName: `岗位${i + 1}`, unit: 'H01', unitName: '区人民医院', type: 'B', typeName: '卫生', planNum: 5 },
      itemCodes: [`1${i + 1}`],
    })),
  })
  const admin = await tenant.staff('exam_admin')
  for (const [at, name] of names.slice(0, 9).entries())
    await applicant(t, tenant, built.examId, { name, code: at < 4 ? 'B001' : at < 7 ? 'B002' : 'B003' })
  await seated(tenant, admin, built.examId, built.papers['11'] ?? '')
  // A plan made outside put the pharmacists on other seats of the room, with numbers of the morning's room.
  await tenant.db(db =>
    db.run(sql`
      insert into ticket (tenant_id, exam_id, type, item_id, signup_id, user_id, ticket_no, site_code, site_name, site_address, room_no, room_name, floor, seat_no,
        start_time, end_time, allot_version, qr_token, source)
      select s.tenant_id, s.exam_id, 1, i.id, s.id, s.user_id, '26030100210' || row_number() over (order by s.id), '01', '区第一中学', '青山路188号', '001', 'A栋301', 3,
        (20 + row_number() over (order by s.id))::text, i.start_time, i.end_time, 1, md5(s.id::text), 2
      from signup s join exam_item i on i.exam_id = s.exam_id and i.item_code = '13' where s.exam_id = ${built.examId} and s.code = 'B003'`),
  )
  const rows = await tenant.rows(sql<{ name: string; ticketNo: string; paper: string; seatNo: string }>`
    select s.name, t.ticket_no as "ticketNo", i.item_name as paper, t.seat_no as "seatNo" from ticket t join signup s on s.id = t.signup_id join exam_item i on i.id = t.item_id
    where t.exam_id = ${built.examId} order by t.seat_no`)
  expect(rows.map(row => row.paper).sort()).toEqual(
    [
      ...Array.from({ length: 2 }, () => '药学专业知识'),
      ...Array.from({ length: 3 }, () => '临床医学专业知识'),
      ...Array.from({ length: 4 }, () => '护理学专业知识'),
    ].sort(),
  )
  const print = async (layout: string, more: object = {}) => {
    const answer = await admin.post(`${exam}/exportPDFView`, { json: { examId: built.examId, layout, ...more } })
    keepPage(`mixed-${layout}`, answer.raw)
    return pdfText(answer.raw)
  }

  // The same one page for all papers and for any of them.
  const doors = await print('door')
  expect(doors).toHaveLength(1)
  const [door = []] = doors
  expect(door).toEqual(expect.arrayContaining(['应到 9 人', '应到人数', '护理学专业知识', '临床医学专业知识', '药学专业知识']))
  expect(['4', '3', '2'].map(count => door.filter(text => text === count).length)).toEqual([1, 1, 1])
  expect(door.filter(text => text.includes('准考证号'))).toEqual([])
  for (const row of rows) expect([row.name, timesIn(door, row.name)]).toEqual([row.name, 1])
  expect(await print('door', { itemId: built.papers['12'] })).toEqual(doors)

  const signed = await print('sign', { itemId: built.papers['13'] })
  expect(signed).toHaveLength(1)
  const [sheet = []] = signed
  const line = sheet.join('|')
  expect(line).toContain('护理学专业知识 4 人、临床医学专业知识 3 人、药学专业知识 2 人')
  expect(line).toContain('应到 9 人')
  expect(sheet).toContain('2026-03-28 周六 14:00–16:00')
  for (const row of rows) {
    const own = sheet.slice(sheet.indexOf(row.seatNo), sheet.indexOf(row.seatNo) + 9).join('')
    expect(own).toMatch(new RegExp(`^${row.seatNo}${row.name}女${row.ticketNo}\\d{4}\\*{10}[\\dX]{4}${row.paper}`))
  }

  // A label names what is written at this desk.
  const labels = (await print('desk')).flat()
  expect(['护理学专业知识', '临床医学专业知识', '药学专业知识'].map(name => labels.filter(text => text === name).length)).toEqual([4, 3, 2])
  const [photos = []] = await print('photo')
  for (const row of rows) expect(timesIn(photos, `女 ${row.paper}`)).toBeGreaterThan(0)

  // The trail tells the printings apart without opening a line, and so does its workbook.
  const auditor = await tenant.staff('auditor')
  const trail = await auditor.get('/blade-log/audit/list', { query: { action: 'ticket.printed' } })
  expect(trail.body.data.records.map((line: { printed: unknown }) => line.printed)).toEqual([
    { layout: 'photo', paper: null, roomNo: null, people: 9 },
    { layout: 'desk', paper: null, roomNo: null, people: 9 },
    { layout: 'sign', paper: '药学专业知识', roomNo: null, people: 9 },
    { layout: 'door', paper: '临床医学专业知识', roomNo: null, people: 9 },
    { layout: 'door', paper: null, roomNo: null, people: 9 },
  ])
  const sheetOf = await sheetRows((await auditor.get('/blade-log/audit/export', { query: { action: 'ticket.printed' } })).raw)
  expect(sheetOf.slice(2).map(line => line.slice(-2))).toEqual([
    ['照片对照表 · 9 人', '9'],
    ['桌贴 · 9 人', '9'],
    ['签到表 · 药学专业知识 · 9 人', '9'],
    ['门贴 · 临床医学专业知识 · 9 人', '9'],
    ['门贴 · 9 人', '9'],
  ])
})
