import { readFileSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toWireTime } from '#contract/kernel/when.ts'
import { sql } from '#kernel/db/sql.ts'
import { buildExam } from '../server/test/support/factories.ts'
import { insertSignups, insertTickets } from '../server/test/support/sign-up-rows.ts'
import { type BadLine, badLine } from './support/bad-line.ts'
import { launchBrowser, launchWithCamera, type Visitor, visit } from './support/browser.ts'
import { filmOf } from './support/film.ts'
import { type Backdoor, openBackdoor, staffPassword } from './support/people.ts'
import { openSession } from './support/session.ts'
import { sharedServer } from './support/shared-server.ts'
import { ownTenant } from './support/tenant.ts'

let browser: Browser
let backdoor: Backdoor
/** What the first phone reaches the server by. */
let line: BadLine
let first: Visitor
let second: Visitor
let tickets: readonly { readonly id: string; readonly no: string; readonly name: string }[]
let examId = ''
let serverUrl = ''

beforeAll(async () => {
  const server = await sharedServer()
  backdoor = await openBackdoor(server.dataDir)
  const runner = { tenantId: ownTenant(), db: backdoor.db, cipher: backdoor.cipher }
  // Today's paper has begun, whenever the test runs.
  const now = Date.now()
  const dawn = new Date(`${toWireTime(new Date(now)).slice(0, 10)}T00:00:00+08:00`)
  const exam = await buildExam(runner, {
    exam: { exam_name: '现场登记测试', exam_code: 'DAY2026' },
    papers: [
      {
        itemCode: '01',
        itemName: '综合基础知识',
        startTime: toWireTime(dawn),
        endTime: toWireTime(new Date(dawn.getTime() + 86_340_000)),
      },
    ],
  })
  examId = exam.examId
  const names = ['张测', '李测', '王测', '赵测']
  const people = await insertSignups(
    runner,
    examId,
    names.map(name => ({ name, code: 'B001', type: 'B', unit: 'H01' })),
  )
  await insertTickets(runner, examId, exam.papers['01'] ?? '', people)
  tickets = await backdoor.db(async db => {
    await db.run(sql`update ticket set released_at = app_now(), qr_token = lpad(ticket_no, 43, 'q') where exam_id = ${examId}`)
    return db.all(sql<{ id: string; no: string; name: string }>`
      select t.id::text as id, t.ticket_no as no, s.name from ticket t join signup s on s.id = t.signup_id where t.exam_id = ${examId} order by t.ticket_no`)
  })
  // Two papers in one room at one time: neighbours write different ones.
  const span = { startTime: toWireTime(dawn), endTime: toWireTime(new Date(dawn.getTime() + 86_340_000)) }
  const beside = await buildExam(runner, {
    exam: { exam_name: '同场多科测试', exam_code: 'DAY2026B', exam_no: 2 },
    papers: [
      { itemCode: '01', itemName: '临床医学', ...span },
      { itemCode: '02', itemName: '护理学', ...span },
    ],
  })
  const neighbours = await insertSignups(
    runner,
    beside.examId,
    ['钱测一', '孙测二', '周测三'].map(name => ({ name, code: 'B001', type: 'B', unit: 'H01' })),
  )
  await insertTickets(runner, beside.examId, beside.papers['01'] ?? '', neighbours.slice(0, 2), 10)
  await insertTickets(runner, beside.examId, beside.papers['02'] ?? '', neighbours.slice(2), 20)
  await backdoor.db(db =>
    db.run(sql`
      update ticket set released_at = app_now(), room_no = '002', qr_token = lpad(ticket_no || item_id, 43, 'r'),
        seat_no = case signup_id when ${neighbours[2]?.id} then '09' else seat_no end
      where exam_id = ${beside.examId}`),
  )
  await backdoor.addStaff([{ account: 'door1', realName: '监考甲', roles: ['site'] }])
  await backdoor.db(db => db.run(sql`update account set user_code = '01' where account = 'door1'`))
  browser = await launchBrowser()
  line = await badLine(new URL(server.url))
  serverUrl = server.url
  const phone = async (name: string, url: string): Promise<Visitor> => {
    const one = await visit(browser, url, { name, screen: 'phone' })
    await openSession(one.context, 'door1', staffPassword)
    return one
  }
  first = await phone('phone1', line.url)
  second = await phone('phone2', server.url)
})
afterAll(async () => {
  await browser?.close()
  await line?.close()
  await backdoor?.close()
})

const statesIn = async () =>
  backdoor.db(db =>
    db.all(sql<{ name: string; state: number }>`
      select s.name, d.state from exam_day_state d join ticket t on t.id = d.ticket_id join signup s on s.id = t.signup_id
      where d.exam_id = ${examId} order by t.ticket_no`),
  )
const seatOf = (who: Visitor, name: string) => who.page.getByRole('button', { name: new RegExp(name) })
const mark = async (who: Visitor, name: string, state: string) => {
  await seatOf(who, name).click()
  await who.page.getByRole('dialog').getByRole('button', { name: state, exact: true }).click()
  await who.page.getByRole('dialog').waitFor({ state: 'detached' })
}
/** A phone asks every ten seconds, and at once when its network comes back. */
const askNow = (who: Visitor) => who.page.evaluate("dispatchEvent(new Event('online'))")
const openRoom = async (who: Visitor) => {
  await who.open('/site')
  const card = who.page.getByRole('listitem').filter({ has: who.page.getByRole('heading', { name: /第 001 考场/ }) })
  await card.getByRole('button', { name: '打开并保存到本机' }).click()
  await who.page.getByRole('heading', { name: /第 001 考场/, level: 1 }).waitFor()
}

describe('the day of the examination on two phones', () => {
  test('[12.2.11] the network goes in the middle: the room opens again without it, and what was marked arrives when it is back', async () => {
    await openRoom(first)
    await openRoom(second)
    await first.look('exam-day-room')
    await mark(first, '张测', '到考')
    await expect.poll(statesIn).toEqual([{ name: '张测', state: 1 }])
    // The server has it before the phone hears so; cut in between, it would be sent once more.
    await first.page.getByText('条待上传').waitFor({ state: 'hidden' })

    await first.page.evaluate('navigator.serviceWorker.ready.then(() => {})')
    line.cut()
    // A note that was typed goes with the mark, though its own button was not tapped.
    await seatOf(first, '李测').click()
    await first.page.getByRole('dialog').getByLabel('备注').fill('未带身份证，已核验户口本')
    await first.page.getByRole('dialog').getByRole('button', { name: '迟到', exact: true }).click()
    await first.page.getByRole('dialog').waitFor({ state: 'detached' })
    await first.page.getByText('离线，登记保存在本机').waitFor()
    await first.page.getByText('2 条待上传').waitFor()
    // Without a network the page itself comes from this device.
    await first.page.reload()
    await first.page.getByRole('heading', { name: /第 001 考场/, level: 1 }).waitFor()
    await first.page.getByText('2 条待上传').waitFor()
    expect(await seatOf(first, '李测').textContent()).toContain('迟到')
    // By the number, as it stands on paper.
    await first.page.getByLabel('姓名、座位号或准考证号').fill((tickets[2]?.no ?? '').replace(/(.{4})/g, '$1 '))
    await first.page.getByRole('button', { name: '查找' }).click()
    const sheet = first.page.getByRole('dialog', { name: '王测' })
    await sheet.getByLabel('备注').fill('身份证过期，已核对户口本')
    await sheet.getByRole('button', { name: '保存备注' }).click()
    await sheet.getByText('身份证过期，已核对户口本').waitFor()
    await first.look('exam-day-person')
    await sheet.getByRole('button', { name: '到考', exact: true }).click()

    // The other phone at the same door has the network, and sees none of this: it marks the rest absent.
    await expect
      .poll(
        async () => {
          await askNow(second)
          return seatOf(second, '张测').textContent()
        },
        { timeout: 40_000 },
      )
      .toContain('到考')
    await second.page.getByRole('button', { name: /未登记的 3 人全部记缺考/ }).click()
    await second.page.getByRole('dialog').getByRole('button', { name: '确定' }).click()
    await expect.poll(statesIn).toEqual([
      { name: '张测', state: 1 },
      { name: '李测', state: 3 },
      { name: '王测', state: 3 },
      { name: '赵测', state: 3 },
    ])

    line.mend()
    await askNow(first)
    const both = [
      { name: '张测', state: 1 },
      { name: '李测', state: 2 },
      { name: '王测', state: 1 },
      { name: '赵测', state: 3 },
    ]
    await expect.poll(statesIn).toEqual(both)
    await first.page.getByText('已联网').waitFor()
    await askNow(second)
    for (const who of [first, second])
      await expect
        .poll(async () => [await seatOf(who, '李测').textContent(), await seatOf(who, '赵测').textContent()], { timeout: 25_000 })
        .toEqual([expect.stringContaining('迟到'), expect.stringContaining('缺考')])
    const marks = await backdoor.db(db =>
      db.all(sql<{ kinds: number[]; devices: number }>`
        select array_agg(kind order by kind) as kinds, count(distinct device)::int as devices from exam_day_mark where ticket_id = ${tickets[1]?.id ?? '0'}`),
    )
    expect(marks).toEqual([{ kinds: [2, 3, 4], devices: 2 }])
  })

  test('[A20] a violation is written down without a network, signed by two, and arrives with its pictures', async () => {
    line.cut()
    await seatOf(first, '王测').click()
    await first.page.getByRole('dialog').getByRole('button', { name: '登记违纪' }).click()
    const form = first.page.getByRole('dialog', { name: '违纪登记：王测' })
    await form.getByRole('button', { name: '保存违纪登记' }).click()
    await form.getByText('请选择违纪条款').waitFor()
    await form.getByLabel('违纪条款').selectOption('7-4')
    await form.getByLabel('违纪事实').fill('开考后在桌下使用手机查看信息')
    const picture = readFileSync(new URL('../server/seed/data/portraits/p01-white.jpg', import.meta.url))
    await form.getByLabel('证据照片（最多 3 张）').setInputFiles([{ name: 'e.jpg', mimeType: 'image/jpeg', buffer: picture }])
    await form.getByRole('textbox', { name: '监考员一姓名' }).fill('监考甲')
    await form.getByRole('textbox', { name: '监考员二姓名' }).fill('监考乙')
    for (const pad of await form.locator('canvas').all()) {
      await pad.scrollIntoViewIfNeeded()
      const box = await pad.boundingBox()
      if (box === null) throw new Error('no box to sign in')
      await first.page.mouse.move(box.x + 20, box.y + 20)
      await first.page.mouse.down()
      await first.page.mouse.move(box.x + 120, box.y + 50, { steps: 5 })
      await first.page.mouse.up()
    }
    await first.look('exam-day-violation')
    await form.getByRole('button', { name: '保存违纪登记' }).click()
    await first.page.getByText(/开考后在桌下使用手机查看信息 · 待上传/).waitFor()
    line.mend()
    await askNow(first)
    await first.page.getByText(/开考后在桌下使用手机查看信息 · 已上传/).waitFor({ timeout: 25_000 })
    const filed = await backdoor.db(db =>
      db.all(sql`
        select s.name, v.clause, v.first_signer as first, v.second_signer as second, cardinality(v.evidence_file_ids) as pictures, v.state
        from exam_violation v join ticket t on t.id = v.ticket_id join signup s on s.id = t.signup_id where v.exam_id = ${examId}`),
    )
    expect(filed).toEqual([{ name: '王测', clause: '7-4', first: '监考甲', second: '监考乙', pictures: 1, state: 'filed' }])
  })
})

test('[12.2.11] one room at one time is one list, whatever papers are written in it; people are found by name, seat and a part of the number', async () => {
  const { page } = second
  await second.open('/site')
  await page.getByRole('button', { name: '全部保存到本机（1 个考场）' }).click()
  const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: /第 002 考场/ }) })
  await card.getByText('临床医学、护理学').waitFor()
  await card.getByText('3 人').waitFor()
  await second.look('exam-day-rooms')
  await card.getByRole('button', { name: '打开', exact: true }).click()
  await page.getByText('未登记 3', { exact: true }).waitFor()
  const names = () => page.locator('.d-list li').allTextContents()
  const field = page.getByLabel('姓名、座位号或准考证号')
  await field.fill('周测')
  expect(await names()).toEqual([expect.stringMatching(/9 号周测三.*护理学/)])
  await page.getByRole('button', { name: '查找' }).click()
  await page.getByRole('dialog', { name: '周测三' }).getByRole('button', { name: '关闭' }).click()
  await field.fill('9')
  expect(await names()).toEqual([expect.stringContaining('周测三')])
  await field.fill('袁')
  await page.getByRole('button', { name: '查找' }).click()
  const said = page.getByRole('alert')
  await said.getByText('本考场没有：袁').waitFor()
  await field.fill('测')
  await said.waitFor({ state: 'hidden' })
  expect(await names()).toHaveLength(3)
  await page.getByRole('button', { name: '查找' }).click()
  await said.getByText('有 3 人符合').waitFor()
  await field.fill('')
  // Whoever is marked together is marked in each paper.
  await page.getByRole('button', { name: /未登记的 3 人全部记缺考/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: '确定' }).click()
  const marked = () =>
    backdoor.db(db =>
      db.all(sql`
        select i.item_name as paper, count(*)::int as people from exam_day_mark m join exam_item i on i.id = m.item_id
        where i.exam_id <> ${examId} and m.kind = 3 group by i.item_code, i.item_name order by i.item_code`),
    )
  await expect.poll(marked).toEqual([
    { paper: '临床医学', people: 2 },
    { paper: '护理学', people: 1 },
  ])
  // Somebody of another room is told apart from nobody, with a way there.
  await field.fill('张测')
  await page.getByRole('button', { name: '查找' }).click()
  await said.getByText('“张测”不在本考场').waitFor()
  await second.look('exam-day-other-room')
  await page.getByRole('button', { name: '前往该考场' }).click()
  await page.getByRole('dialog', { name: '张测' }).waitFor()
  await page.getByRole('heading', { name: /第 001 考场/, level: 1, includeHidden: true }).waitFor()
})

test('[12.2.11] the next day stands beside today on the phone and at home; its room is taken along the day before, and marks wait for the day', async () => {
  const dawn = Date.parse(`${toWireTime(new Date()).slice(0, 10)}T00:00:00+08:00`)
  const at = (hour: number) => toWireTime(new Date(dawn + 86_400_000 + hour * 3_600_000))
  const day = at(9).slice(0, 10)
  const runner = { tenantId: ownTenant(), db: backdoor.db, cipher: backdoor.cipher }
  const next = await buildExam(runner, {
    exam: { exam_name: '次日测试', exam_code: 'DAY2026C', exam_no: 17 },
    papers: [{ itemCode: '01', itemName: '药学', startTime: at(9), endTime: at(11) }],
  })
  const people = await insertSignups(runner, next.examId, [{ name: '吴测', code: 'B001', type: 'B', unit: 'H01' }])
  await insertTickets(runner, next.examId, next.papers['01'] ?? '', people)
  await backdoor.db(db =>
    db.run(
      sql`update ticket set released_at = app_now(), room_no = '003', qr_token = lpad(ticket_no, 43, 's') where exam_id = ${next.examId}`,
    ),
  )
  const { page } = second
  await second.open('/')
  const home = page
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: `下一场 ${day}` }) })
    .last()
  await home.getByText('第 003 考场').waitFor()
  expect(await home.getByRole('listitem').allTextContents()).toEqual([expect.stringMatching(/第 003 考场.*药学 · 1 人.*09:00–11:00/s)])
  await second.look('exam-day-home')

  await second.open('/site')
  await page.getByRole('heading', { name: '第 001 考场' }).waitFor()
  await page.getByRole('heading', { name: `下一场：${day}` }).waitFor()
  const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: /第 003 考场/ }) })
  await card.getByText('药学').waitFor()
  await second.look('exam-day-next')
  await card.getByRole('button', { name: '打开并保存到本机' }).click()
  await seatOf(second, '吴测').click()
  const sheet = page.getByRole('dialog', { name: '吴测' })
  await sheet.getByText(`考试当天（${day}）才能登记。`).waitFor()
  expect(await sheet.getByRole('button', { name: '到考', exact: true }).isDisabled()).toBe(true)
  await sheet.getByRole('button', { name: '关闭' }).click()
})

test('[12.2.11] the registration can be practised: such marks stay on the device, say so, and never reach the server', async () => {
  const { page } = second
  const sent: string[] = []
  page.on('request', request => void (request.method() === 'POST' && request.url().includes('/day/') && sent.push(request.url())))
  const countMarks = async () => (await backdoor.db(db => db.one(sql<{ n: number }>`select count(*)::int as n from exam_day_mark`))).n
  const before = await countMarks()
  await second.open('/site')
  await page.getByRole('link', { name: '进入练习考场' }).click()
  await page.getByText('登记只保存在本机，不会上传').waitFor()
  // Its words are on the screen, though it was opened from the end of the list.
  expect(await page.evaluate('scrollY')).toBe(0)
  await second.look('exam-day-practice')
  await mark(second, '练习考生03', '迟到')
  await page.getByText('迟到 1', { exact: true }).waitFor()
  // It is on the device, through a reload and a round with the server, which is asked for nothing.
  await page.reload()
  await page.getByText('迟到 1', { exact: true }).waitFor()
  const asked = page.waitForResponse(answer => answer.url().includes('/day/rooms'))
  await askNow(second)
  await asked
  await page.getByText('已联网').waitFor()
  expect([await page.getByText(/待上传/).count(), sent, await countMarks()]).toEqual([0, [], before])
  await page.getByRole('button', { name: '清空练习记录' }).click()
  await page.getByText('迟到 0', { exact: true }).waitFor()
})

test('[12.2.11] the camera reads the code of a ticket and opens the person it belongs to', async () => {
  const film = filmOf(`${serverUrl}/t/${ownTenant()}-${(tickets[3]?.no ?? '').padStart(43, 'q')}`)
  const seeing = await launchWithCamera(film)
  try {
    const third = await visit(seeing, serverUrl, { name: 'phone3', screen: 'phone' })
    await openSession(third.context, 'door1', staffPassword)
    await openRoom(third)
    await third.page.getByRole('button', { name: '扫准考证' }).click()
    await third.page.getByRole('dialog', { name: '赵测' }).waitFor()
    await third.look('exam-day-scanned')
    expect(third.troubles()).toEqual([])
  } finally {
    await seeing.close()
    rmSync(dirname(film), { recursive: true })
  }
})
