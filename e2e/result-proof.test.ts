import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toWireTime } from '#contract/kernel/when.ts'
import { sql } from '#kernel/db/sql.ts'
import { buildExam } from '../server/test/support/factories.ts'
import { insertSignups, insertTickets } from '../server/test/support/sign-up-rows.ts'
import { rooms } from '../server/test/support/ticket-people.ts'
import { launchBrowser, type Visitor, visit } from './support/browser.ts'
import { type Backdoor, openBackdoor, staffPassword } from './support/people.ts'
import { keepSession, openSession } from './support/session.ts'
import { sharedServer } from './support/shared-server.ts'
import { ownTenant } from './support/tenant.ts'

let browser: Browser
let backdoor: Backdoor
let person: Visitor
let office: Visitor
let examId = ''
const page = fileURLToPath(new URL('../web/public/verify.html', import.meta.url))

beforeAll(async () => {
  const server = await sharedServer()
  backdoor = await openBackdoor(server.dataDir)
  const runner = { tenantId: ownTenant(), db: backdoor.db, cipher: backdoor.cipher }
  const [member] = await backdoor.addCandidates(1)
  if (member === undefined) throw new Error('no candidate')
  const { id: userId } = await backdoor.db(db => db.one(sql<{ id: string }>`select id::text as id from account where account = 'crowd1'`))
  const ago = (hours: number) => toWireTime(new Date(Date.now() - hours * 3_600_000))
  const exam = await buildExam(runner, {
    exam: { exam_name: '成绩核验测试', exam_code: 'PROOF2026' },
    papers: [{ itemCode: '01', itemName: '综合基础知识', startTime: ago(30), endTime: ago(28) }],
  })
  examId = exam.examId
  const itemId = exam.papers['01'] ?? ''
  const people = await insertSignups(runner, examId, [
    { name: '王测', code: 'B001', type: 'B', unit: 'H01', userId },
    { name: '李测', code: 'B001', type: 'B', unit: 'H01' },
    { name: '张测', code: 'B001', type: 'B', unit: 'H01' },
  ])
  const numbers = await insertTickets(runner, examId, itemId, people)
  const seed = '5e'.repeat(32)
  const commit = createHash('sha256').update(Buffer.from(seed, 'hex')).digest('hex')
  await backdoor.db(async db => {
    for (const [i, one] of people.entries())
      await db.run(sql`
        insert into result (tenant_id, exam_id, item_id, signup_id, user_id, ticket_no, name, score, result_state, final_score)
        values (${ownTenant()}, ${examId}, ${itemId}, ${one.id}, ${one.userId}, ${numbers[i] ?? ''}, ${one.name}, ${70 + i}, 1, ${70 + i})`)
    await db.run(sql`
      update exam_item set score_state = 'imported', score_import_at = app_now(), seed_commit = ${commit}, seed_reveal = ${seed} where id = ${itemId}`)
    await db.run(sql`update ticket set released_at = app_now() where exam_id = ${examId}`)
  })
  await backdoor.addStaff([{ account: 'office1', realName: '考务', roles: ['exam_admin'] }])
  browser = await launchBrowser()
  office = await visit(browser, server.url, { name: 'office1', screen: 'desktop' })
  await openSession(office.context, 'office1', staffPassword)
  await office.tell('/blade-exam/examination/releaseResults', { examId, itemIds: itemId, state: 1, confirmCode: 'PROOF2026' })
  person = await visit(browser, server.url, { name: 'crowd1', screen: 'phone' })
  await keepSession(person.context, server.url, member.token, {
    ...{ userId, account: 'crowd1', realName: '王测', nickName: '王测', roleIds: [], roles: [], deptId: '', avatar: '' },
    ...{ tenantId: ownTenant(), oauthId: '', userType: 2, userCode: '' },
  })
})
afterAll(async () => {
  await browser?.close()
  await backdoor?.close()
})

describe('the score page', () => {
  test('[12.2.4] checks the own scores, and the page that needs no network finds the same with the file', async () => {
    await person.open('/signup/score')
    await person.page.getByRole('button', { name: '核验我的成绩' }).click()
    await person.page.getByText('核验通过：您看到的成绩包含在第 1 次公布的核验值中。').waitFor()
    await person.look('score-proof')
    const root = (await person.page.locator('code').first().textContent()) ?? ''
    const [download] = await Promise.all([
      person.page.waitForEvent('download'),
      person.page.getByRole('button', { name: '下载核验文件' }).click(),
    ])
    const file = await download.path()

    const alone = await browser.newContext({ offline: true })
    const offline = await alone.newPage()
    await offline.goto(pathToFileURL(page).href)
    const check = async () => {
      await offline.locator('#score button').click()
      return offline.locator('#score-answer .yes, #score-answer .no').textContent()
    }
    await offline.locator('#file').setInputFiles(file)
    expect(await check()).toContain('请填写公布的 64 位核验值')
    await offline.locator('#root').fill(root)
    expect(await check()).toContain('下列成绩包含在所公布的核验值中')
    expect(await offline.locator('#score table').innerText()).toContain('70.00')
    const forged = `${file}.forged.json`
    writeFileSync(forged, readFileSync(file, 'utf8').replace('70.00', '99.00'))
    await offline.locator('#file').setInputFiles(forged)
    expect(await check()).toContain('下列成绩不在所公布的成绩之中')

    const codes = await person.page.locator('code').allTextContents()
    await offline.locator('#commit').fill(codes.at(-2) ?? '')
    await offline.locator('#seed').fill(codes.at(-1) ?? '')
    await offline.locator('#draw button').click()
    expect(await offline.locator('#draw-answer').textContent()).toContain('种子与抽签前公布的摘要一致')
    await offline.locator('#seed').fill('5f'.repeat(32))
    await offline.locator('#draw button').click()
    expect(await offline.locator('#draw-answer').textContent()).toContain('种子与抽签前公布的摘要不一致')
    await alone.close()
  })

  test('[12.2.4] the ticket page checks the own seat, and the page that needs no network finds the same with the file', async () => {
    const runner = { tenantId: ownTenant(), db: backdoor.db, cipher: backdoor.cipher }
    const ahead = (hours: number) => toWireTime(new Date(Date.now() + hours * 3_600_000))
    const drawn = await buildExam(runner, {
      exam: { exam_name: '座位核验测试', exam_code: 'SEAT2026', exam_no: 2 },
      papers: [{ itemCode: '01', itemName: '综合基础知识', startTime: ahead(300), endTime: ahead(302), rooms: rooms(1) }],
    })
    const itemIds = drawn.papers['01'] ?? ''
    const { id: userId } = await backdoor.db(db => db.one(sql<{ id: string }>`select id::text as id from account where account = 'crowd1'`))
    await insertSignups(runner, drawn.examId, [
      { name: '王测', code: 'B001', type: 'B', unit: 'H01', userId },
      { name: '李测', code: 'B001', type: 'B', unit: 'H01' },
    ])
    await office.tell('/blade-exam/examination/creTicketEnd', { examId: drawn.examId, itemIds })
    await office.tell('/blade-exam/examination/releaseTickets', { examId: drawn.examId, itemIds, force: 1 })
    await person.open(`/signup/ticket?examId=${drawn.examId}`)
    await person.page.getByRole('button', { name: '核验我的座位' }).click()
    await person.page.getByText(/核验通过：抽签给您的座位是考点 01 考场 001 座位 [12]，包含在公布的核验值中。/).waitFor()
    await person.look('seat-proof')
    const root = (await person.page.locator('code').first().textContent()) ?? ''
    const [download] = await Promise.all([
      person.page.waitForEvent('download'),
      person.page.getByRole('button', { name: '下载核验文件' }).click(),
    ])
    const alone = await browser.newContext({ offline: true })
    const offline = await alone.newPage()
    await offline.goto(pathToFileURL(page).href)
    await offline.locator('#file').setInputFiles(await download.path())
    await offline.locator('#root').fill(root)
    await offline.locator('#score button').click()
    await offline.getByText('下列座位包含在所公布的抽签结果中').waitFor()
    await offline.locator('#root').fill('5f'.repeat(32))
    await offline.locator('#score button').click()
    await offline.getByText('这个座位不在所公布的抽签结果之中').waitFor()
    await alone.close()
  })

  test('[A17] the office opens re-checks, the candidate asks once, the answer stands beside the score', async () => {
    await office.open(`/result/recheck?examId=${examId}`)
    await office.page.getByText('尚未设置申请时间，考生不能申请').waitFor()
    const hours = (count: number) => toWireTime(new Date(Date.now() + count * 3_600_000))
    await office.tell('/blade-result/recheck/saveWindow', { examId, begin: hours(-1), end: hours(24) })
    await person.open('/signup/score')
    await person.page.getByRole('button', { name: '申请复查' }).click()
    await person.page.getByRole('button', { name: '提交申请' }).click()
    await person.page.getByText('请写明理由，至少 5 个字').waitFor()
    await person.page.getByLabel(/复查理由/).fill('估分与成绩相差很大')
    await person.page.getByRole('button', { name: '提交申请' }).click()
    await person.page.getByText('复查中').waitFor()
    await person.look('score-recheck')
    await office.open(`/result/recheck?examId=${examId}`)
    await office.look('recheck-list')
    await office.page.getByRole('button', { name: '答复', exact: true }).first().click()
    const dialog = office.page.getByRole('dialog')
    await dialog.getByRole('button', { name: '成绩无误' }).click()
    await dialog.getByText('请填写答复').waitFor()
    await dialog.getByLabel('答复').fill('已由两人重新核对答题卡，成绩无误')
    await dialog.getByRole('button', { name: '成绩无误' }).click()
    await dialog.waitFor({ state: 'detached' })
    await person.open('/signup/score')
    await person.page.getByText(/答复：已由两人重新核对答题卡，成绩无误/).waitFor()
    await office.open(`/ticket/day?examId=${examId}`)
    await office.page.getByRole('heading', { name: '各考场到考情况' }).waitFor()
    await office.look('exam-day-office')
  })
})
