import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFailed, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { testIdCard } from '../server/test/support/id-card.ts'
import { pdfQr } from '../server/test/support/pdf-qr.ts'
import { pdfText } from '../server/test/support/pdf-text.ts'
import { checkAccess } from './support/axe.ts'
import { chineseTexts, comeIn, launchBrowser, logIn, type Visitor, visit } from './support/browser.ts'
import { draftExam, examName, fillScores, seedData, writePosts } from './support/exam.ts'
import { type Backdoor, openBackdoor, staffPassword } from './support/people.ts'
import { freePort, newDataDir, type RunningServer, removeData, startServer, testSms } from './support/server.ts'
import { tell } from './support/tour.ts'

let server: RunningServer
let browser: Browser
let backdoor: Backdoor
const everybody: Visitor[] = []
const come = async (name: string, screen: 'desktop' | 'phone', language: 'zh' | 'en' = 'zh'): Promise<Visitor> => {
  const visitor = await visit(browser, server.url, { name, screen, language })
  everybody.push(visitor)
  return visitor
}

beforeAll(async () => {
  const dataDir = await newDataDir()
  server = await startServer({ dataDir, port: await freePort() })
  backdoor = await openBackdoor(dataDir)
  await backdoor.addStaff([
    { account: 'kaowu1', realName: '周考务', roles: ['exam_admin', 'admin'] },
    { account: 'kaowu2', realName: '吴考务', roles: ['exam_admin'] },
    { account: 'chushen', realName: '郑初审', roles: ['reviewer1'] },
    { account: 'fuhe', realName: '王复核', roles: ['reviewer2'] },
    { account: 'caiwu', realName: '冯财务', roles: ['finance'] },
  ])
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser?.close()
  await backdoor?.close()
  await server?.stop()
  if (server) await removeData(server.dataDir)
})
let broken = false
beforeEach(() => {
  onTestFailed(async () => {
    if (broken) return
    broken = true
    for (const visitor of everybody) console.log(await visitor.fail())
    console.log(`--- server\n${server.output()}`)
  })
  if (broken) throw new Error('an earlier step of the journey failed')
})
afterEach(() => {
  expect(everybody.flatMap(visitor => visitor.troubles().map(trouble => `${visitor.name}: ${trouble}`))).toEqual([])
})

const candidate = { account: 'linxiaoyu', password: 'Sunny-river-27', name: '林小雨', idCard: '330199199505051028', phone: '16012345678' }

/** A phone gets one code a minute, which the tab knows too. */
const aMinuteLater = async ({ page }: Visitor) => {
  await backdoor.db(db => db.run(sql`update login_challenge set created_at = created_at - interval '1 minute'`))
  await page.evaluate(`sessionStorage.removeItem('kaopu-sms')`)
}

/** Chosen after the first one was forgotten. */
const newPassword = 'Quiet-meadow-31'

describe('one examination from first to last', () => {
  let office: Visitor
  let person: Visitor
  let first: Visitor
  let examId: string
  let signupId: string
  let ticketNo: string

  test('[S2.01][S2.03][S2.04][S2.06] staff logs in and finds the menu, a plain list, and a page for addresses that are none', async () => {
    office = await come('周考务', 'desktop')
    await office.open('/login')
    await office.page.getByRole('heading', { name: '登录' }).waitFor()
    await office.look('login')
    await logIn(office, 'kaowu1')
    await office.page.getByRole('navigation').first().waitFor()
    await office.look('console-home')
    await office.open('/system/param')
    await office.page.getByRole('row').nth(1).waitFor()
    await office.look('param-list')
    const page = await office.ask('/blade-system/param/page', { current: 1, size: 10 })
    expect(page.records.length).toBeGreaterThan(0)
    await office.open('/nowhere/at-all')
    await office.page.waitForURL('**/404')
    await office.look('not-found')
    await office.open('/')
    await office.page.waitForURL('**/wel/**')
  })

  test('[S3.10][19.8] a candidate registers on a phone, and nobody under 14 does', async () => {
    person = await come('林小雨', 'phone')
    const { page } = person
    await person.open('/register')
    await page.locator('[name=username]').fill(candidate.account)
    await page.locator('[name=realName]').fill(candidate.name)
    await page.locator('[name=idCard]').fill(testIdCard(1, `${new Date().getFullYear() - 12}0105`))
    await page.locator('[name=phone]').fill(candidate.phone)
    await page.getByText('未满 14 周岁不能注册和报名').waitFor()
    await page.locator('[name=idCard]').fill(candidate.idCard)
    await page.getByText('居民身份证').first().waitFor()
    await page.getByRole('button', { name: '获取验证码' }).click()
    await page.getByText('验证码已发送').waitFor()
    await page.locator('[name=smsCode]').fill(testSms)
    await page.locator('[name=password]').fill(candidate.password)
    await page.locator('[name=password2]').fill(candidate.password)
    await page.locator('[name=consent]').check()
    await person.look('register')
    await page.getByRole('button', { name: '注册', exact: true }).click()
    await page.getByRole('status').filter({ hasText: '注册成功' }).waitFor()
    await page.waitForURL(target => target.pathname === '/')
    await person.look('registered')
    // Nobody logs in again after registering: what follows begins without a session.
    await person.context.clearCookies()
  })

  test('[19.7] a forgotten password is set anew by the code of the phone and the id number', async () => {
    const { page } = person
    await aMinuteLater(person)
    await person.open('/login')
    await page.getByRole('link', { name: '忘记密码' }).click()
    await page.getByRole('heading', { name: '找回密码' }).waitFor()
    await page.locator('[name=idCard]').fill(testIdCard(3))
    await page.locator('[name=phone]').fill(candidate.phone)
    await page.getByRole('button', { name: '获取验证码' }).click()
    await page.getByText('验证码已发送').waitFor()
    await page.locator('[name=smsCode]').fill(testSms)
    await page.locator('[name=password]').fill(newPassword)
    await page.locator('[name=password2]').fill(newPassword)
    await person.look('password-forgotten')
    person.expectRefusal(400)
    await page.getByRole('button', { name: '重设密码' }).click()
    await page.getByText('手机号与证件号码不匹配').waitFor()
    // A code is good for one try.
    await aMinuteLater(person)
    await person.open('/register/forgot')
    await page.locator('[name=idCard]').fill(candidate.idCard)
    await page.locator('[name=phone]').fill(candidate.phone)
    await page.getByRole('button', { name: '获取验证码' }).click()
    await page.getByText('验证码已发送').waitFor()
    await page.locator('[name=smsCode]').fill(testSms)
    await page.locator('[name=password]').fill(newPassword)
    await page.locator('[name=password2]').fill(newPassword)
    await page.getByRole('button', { name: '重设密码' }).click()
    await page.getByText('密码已重设').waitFor()
    await logIn(person, candidate.account, newPassword)
    await page.getByText(`${candidate.name}，您好`).waitFor()
    await person.look('portal-home-empty')
    const me = await person.ask('/blade-system/user/info')
    expect(me).toMatchObject({ account: candidate.account, realName: candidate.name })
  })

  test('[S7.38] the examination is released with its imported posts', async () => {
    const { page } = office
    examId = (await draftExam(backdoor, 'E2E2026')).examId
    // What is on the paper anyway, what is sealed, and one that is neither.
    await backdoor.db(db =>
      db.run(
        sql`update sign_item set use_in_ticket = 1 where exam_id = ${examId} and item_key in ('name', 'sex', 'idCard', 'phone', 'nation')`,
      ),
    )
    const posts = await writePosts(server.dataDir)
    await office.open('/exam/examination')
    await page
      .getByRole('row', { name: new RegExp(examName) })
      .getByText('草稿')
      .waitFor()
    await office.look('exam-list')
    await office.open(`/exam/edit/${examId}?step=8`)
    await page.locator('.exam-section').getByRole('button', { name: '检查并发布' }).click()
    await page.getByText(/还有 \d+ 处需要处理/).waitFor()
    await office.look('exam-release-problems')

    await page.getByRole('button', { name: '岗位导入' }).click()
    await page.getByText('还没有岗位').waitFor()
    await page.getByRole('button', { name: '导入岗位表' }).click()
    const dialog = page.getByRole('dialog', { name: '导入岗位表' })
    await office.look('posts-import')
    await dialog.locator('input[type=file]').setInputFiles(posts.path)
    await dialog.getByText(`共 ${posts.count} 行，可导入 ${posts.count} 行，有误 0 行`).waitFor()
    await office.look('posts-import-checked')
    await dialog.getByRole('button', { name: `导入 ${posts.count} 行` }).click()
    await dialog.getByText(`新增 ${posts.count} 行`).waitFor()
    await dialog.getByRole('button', { name: '关闭' }).last().click()
    await page.getByText(`已有 ${posts.count} 个岗位`).waitFor()
    await office.look('exam-posts')

    await page.getByRole('button', { name: '检查并发布' }).first().click()
    await page.locator('.exam-section').getByRole('button', { name: '检查并发布' }).click()
    const asked = page.getByRole('dialog', { name: '发布考试' })
    await asked.getByText(`${posts.count} 个岗位`).waitFor()
    await office.look('exam-release-asked')
    await asked.getByRole('button', { name: '发布' }).click()
    await page
      .locator('.exam-section')
      .getByText(/^考试已发布/)
      .waitFor()
    await office.look('exam-released')
    const detail = await office.ask('/blade-exam/examination/detail', { id: examId })
    expect(detail).toMatchObject({ state: 1, examName })
    const stored = await office.ask('/blade-exam/examination/getTypeCodeList', { examId, current: 1, size: 200 })
    expect(stored.total).toBe(posts.count)
  })

  test('[S3.12][S7.47] the candidate fills in four steps on the phone and submits', async () => {
    const { page } = person
    await person.open(`/signup/exam/${examId}`)
    await page.getByRole('heading', { name: examName }).waitFor()
    await person.look('exam-detail')
    await page.getByRole('link', { name: '开始报名' }).click()

    await page.getByRole('button', { name: '选择岗位' }).first().click()
    const finder = page.getByRole('dialog', { name: '选择岗位' })
    await finder.getByRole('searchbox').fill('B001')
    await finder.getByText('共 1 个岗位').waitFor()
    await person.look('form-post-finder')
    await finder.getByRole('button', { name: '选这个岗位' }).click()
    await page.getByText('护士').first().waitFor()
    await person.look('form-1-post')
    await page.getByRole('button', { name: '下一步' }).click()

    await page.getByRole('heading', { name: /第 2 步/ }).waitFor({ state: 'attached' })
    // Who signs up is who the account belongs to: shown, not typed, with the way to a change.
    for (const key of ['name', 'idCard', 'phone']) expect([key, await field(page, key).locator('input').count()]).toEqual([key, 0])
    await field(page, 'name').getByText(candidate.name).waitFor()
    await field(page, 'idCard').getByRole('link', { name: '申请变更' }).waitFor()
    await choose(page, 'nation', '汉族')
    await choose(page, 'political', '群众')
    await page.getByRole('button', { name: '下一步' }).click()
    await choose(page, 'education', '20')
    await choose(page, 'degree', '学士')
    await fill(page, 'school', '浙江中医药大学')
    await page.getByRole('list', { name: '匹配的院校' }).getByRole('button').first().click()
    await fill(page, 'major', '护理')
    await fill(page, 'majorCode', '101101')
    await fill(page, 'graduateDate', '2017-06-30')
    await person.look('form-2-education')
    await page.getByRole('button', { name: '下一步' }).click()
    await tick(page, 'certName', '护士')
    await tick(page, 'adjust', '1')
    await tick(page, 'hasRelative', '0')
    await person.look('form-2-info')
    await page.getByRole('button', { name: '下一步' }).click()

    await page.getByRole('heading', { name: /第 3 步/ }).waitFor({ state: 'attached' })
    await person.look('form-3-files-empty')
    await uploadPhoto(page, 'p01-white.jpg')
    await upload(page, 'idFront', 'id-front-1.jpg')
    await upload(page, 'idBack', 'id-back.jpg')
    await upload(page, 'diploma', 'diploma.jpg')
    await person.look('form-3-files')
    await page.getByRole('button', { name: '下一步' }).click()

    await page.getByRole('heading', { name: '报名登记表' }).waitFor()
    await page.locator('[name=promise]').check()
    await person.look('form-4-submit')
    await page.getByRole('button', { name: '提交报名' }).click()
    await page.getByRole('heading', { name: '报名已提交' }).waitFor()
    const signNo = (await page.locator('.p-big').innerText()).trim()
    await person.look('form-submitted')
    const mine = await person.ask('/blade-signup/signup/myExamList', { current: 1, size: 10 })
    expect(mine.records).toMatchObject([{ examId, signNo, examine: 1, code: 'B001', nextAction: { code: 'wait' } }])
    signupId = mine.records[0].signupId
    await page.getByRole('link', { name: '查看我的报名' }).click()
    await page.getByText(signNo).waitFor()
    await person.look('my-signups')
    // Until somebody has it open, it can be mended and sent again.
    await page.getByRole('link', { name: '还想改？打开报名表' }).click()
    await page.getByRole('heading', { name: /第 1 步/ }).waitFor({ state: 'attached' })
    await page.goBack()
    await page.getByText(signNo).waitFor()
  })

  test('[S4.10] the first reviewer returns it with two advisements', async () => {
    first = await come('郑初审', 'desktop')
    const { page } = first
    await comeIn(first, 'chushen', staffPassword, '/examine/list')
    await page.getByRole('row', { name: new RegExp(candidate.name) }).waitFor()
    await first.look('review-list')
    await page
      .getByRole('row', { name: new RegExp(candidate.name) })
      .getByRole('link')
      .click()
    await page.getByRole('region', { name: '审核决定' }).waitFor()
    await page.getByRole('button', { name: '对“所学专业”加修改意见' }).click()
    await page.getByRole('button', { name: advice.item }).click()
    await page.getByRole('button', { name: '证件照' }).click()
    await page.getByRole('button', { name: '对材料提意见' }).click()
    await page.getByRole('button', { name: advice.photo }).click()
    await first.look('review-work')
    await page.getByRole('button', { name: /^退回/ }).click()
    await first.look('review-return')
    await page.getByRole('button', { name: '确认退回' }).click()
    await page.getByText(`${candidate.name}：已退回`).waitFor()
    const info = await first.ask('/blade-signup/signup/detail', { id: signupId })
    expect(info).toMatchObject({
      examine: 3,
      advisementList: [
        { kind: 'item', key: 'major' },
        { kind: 'file', key: 'photo' },
      ],
    })
  })

  test('[S4.10] the candidate mends just these two and hands in again', async () => {
    const { page } = person
    await person.open('/')
    await page.getByText('修改 2 处后重新提交').first().waitFor()
    await person.look('portal-home-returned')
    await page.getByRole('link', { name: '去修改' }).first().click()
    await page.getByRole('heading', { name: '请改这 2 处' }).waitFor()
    await page.getByRole('button', { name: '去修改' }).first().click()
    await fill(page, 'major', '护理学')
    const open = await page.locator('main [data-field] input').evaluateAll(inputs => inputs.map(input => input.getAttribute('name')))
    expect(open, 'only the major may be typed').toEqual(['major', 'majorCode'])
    await person.look('mend-2-info')
    await page.getByRole('button', { name: '下一步' }).click()
    await uploadPhoto(page, 'p03-white.jpg', () => person.look('photo-crop'))
    expect(await page.locator('main input[type=file]').count(), 'only the photo may be replaced').toBe(1)
    await person.look('mend-3-files')
    await page.getByRole('button', { name: '下一步' }).click()
    await page.locator('[name=promise]').check()
    await person.look('mend-4-submit')
    await page.getByRole('button', { name: '重新提交' }).click()
    await page.getByRole('heading', { name: '修改已提交' }).waitFor()
    const signup = await person.ask('/blade-signup/signup/detail', { id: signupId })
    expect(signup).toMatchObject({ examine: 1, signVersion: 2, content: { major: '护理学' } })
  })

  test('[S4.10][S7.49] two different reviewers pass it', async () => {
    await pass(first, 'review-second-look')
    expect(await first.ask('/blade-signup/signup/detail', { id: signupId })).toMatchObject({ examine: 2 })
    const second = await come('王复核', 'desktop')
    await comeIn(second, 'fuhe')
    await pass(second, 'review-level-2')
    expect(await second.ask('/blade-signup/signup/detail', { id: signupId })).toMatchObject({ examine: 5, payState: 1 })
  })

  test('[S2.13][S4.15][S6.06] the candidate is told to pay after login and pays by QR code', async () => {
    const { page } = person
    await person.open('/info/index')
    await page.getByRole('button', { name: '退出登录' }).click()
    await page.getByRole('dialog').getByRole('button', { name: '退出登录' }).click()
    await page.waitForURL('**/login**')
    await logIn(person, candidate.account, newPassword)
    const notice = page.getByRole('region', { name: '待缴费提醒' }).getByRole('link')
    await notice.waitFor()
    await person.look('portal-home-due')
    expect(await notice.innerText()).toContain('报名费 100.00 元待缴')
    await page.getByRole('button', { name: 'EN', exact: true }).click()
    const inEnglish = page.getByRole('region', { name: 'Payment due' }).getByRole('link')
    await expect.poll(() => inEnglish.innerText()).toContain('Sign-up fee: 100.00 yuan due by')
    await page.getByRole('button', { name: '中文', exact: true }).click()
    await notice.click()
    await page.waitForURL('**/signup/examPay')
    await page.getByText('100.00 元').waitFor()
    await person.look('dues')
    await page.getByRole('button', { name: '去缴费' }).click()
    const sheet = page.getByRole('dialog', { name: '微信扫码支付' })
    await sheet.getByRole('img', { name: '支付二维码' }).waitFor()
    // The provider refuses such a code from the album and by a long press.
    await sheet.getByText('请用手机微信“扫一扫”扫描二维码付款').waitFor()
    expect(await sheet.innerText()).not.toMatch(/相册|长按/)
    await person.look('pay-qr')
    const [phone] = await Promise.all([person.context.waitForEvent('page'), sheet.getByRole('link', { name: '打开演示支付页' }).click()])
    await phone.getByText('¥ 100.00').waitFor()
    expect(await checkAccess(phone)).toEqual([])
    await phone.getByRole('button', { name: '支付' }).click()
    await phone.getByText('支付成功').waitFor()
    await phone.close()
    await page.bringToFront()
    await sheet.getByText('支付成功', { exact: true }).waitFor()
    await person.look('pay-done')
    await sheet.waitFor({ state: 'detached' })
    await page.getByRole('heading', { name: '缴费凭证' }).waitFor()
    await page.getByText('缴费成功', { exact: true }).waitFor()
    await person.look('paid')
    await person.open('/signup/examPay')
    await page.getByText('缴费记录').waitFor()
    await person.look('dues-paid')
    const mine = await person.ask('/blade-signup/signup/myExamList', { current: 1, size: 10 })
    expect(mine.records).toMatchObject([{ signupId, examine: 5, payState: 2 }])
  })
  test('[S7.41] finance sees the due and the order as paid', async () => {
    const finance = await come('冯财务', 'desktop')
    const { page } = finance
    await comeIn(finance, 'caiwu', staffPassword, '/pay/examPay')
    const due = page.getByRole('row', { name: new RegExp(candidate.name) })
    await due.getByText('已缴', { exact: true }).waitFor()
    await finance.look('finance-dues')
    await finance.open('/pay/payOrder')
    await page
      .getByRole('row', { name: /100\.00/ })
      .getByText('已支付')
      .waitFor()
    await finance.look('finance-orders')
    const orders = await finance.ask('/blade-payOrder/payorder/list', { current: 1, size: 10 })
    expect(orders).toMatchObject({ total: 1, records: [{ state: 2 }] })
  })

  test('[S7.39] seats are drawn and tickets released with their progress', async () => {
    const { page } = office
    await moveClock(office, '准考证')
    await office.open(`/ticket/ticket?examId=${examId}`)
    for (const paper of ['综合基础知识', '护理学专业知识']) await page.getByRole('checkbox', { name: `选择 ${paper}` }).check()
    // Nothing that is shown from the start lies under the actions, in the language with the longer words either.
    for (const language of ['en', 'zh'] as const) {
      await tell(office.page, { lang: language })
      await office.page.locator(`html[lang^=${language}]`).waitFor()
      await office.page.locator('.table-scroll[data-more="false"]').waitFor()
    }
    await office.look('ticket-papers')
    await page.getByRole('button', { name: '试算编排' }).first().click()
    const trial = page.getByRole('dialog', { name: '试算编排' })
    await trial
      .getByRole('button', { name: '确认编排 2 人' })
      .or(trial.getByRole('button', { name: '确认编排 1 人' }))
      .waitFor()
    await office.look('ticket-trial')
    await trial.getByRole('button', { name: /^确认编排/ }).click()
    await page.getByText(/已编排 \d+ 张准考证/).waitFor()
    for (const paper of ['综合基础知识', '护理学专业知识']) await page.getByRole('checkbox', { name: `选择 ${paper}` }).check()
    await page.getByRole('button', { name: '发布', exact: true }).first().click()
    const release = page.getByRole('dialog', { name: '发布准考证' })
    await office.look('ticket-release')
    await release.getByRole('button', { name: '生成并发布' }).click()
    await page.getByText(/已发布 \d+ 张准考证/).waitFor()
    await office.look('ticket-released')
    const tickets = await office.ask('/blade-exam/examination/getExamTicketList', { examId, current: 1, size: 10 })
    expect(tickets.records).toMatchObject([
      { name: '林小雨', ticketState: 1 },
      { name: '林小雨', ticketState: 1 },
    ])
    ticketNo = tickets.records[0].ticketNo
    expect(ticketNo).toMatch(/^\d{12}$/)
    await page
      .getByRole('row', { name: /护理学专业知识/ })
      .getByRole('button', { name: '座位图' })
      .click()
    await page
      .getByRole('row', { name: /林小雨/ })
      .first()
      .waitFor()
    await office.look('ticket-seats')
  })

  test('[S7.53] the candidate downloads the ticket: name, number and a code that opens', async () => {
    const { page } = person
    await person.open('/')
    await page.getByRole('link', { name: '打印准考证' }).first().click()
    await page.getByText(ticketNo).first().waitFor()
    await person.look('ticket-page')
    await page.getByRole('button', { name: '生成准考证 PDF' }).click()
    await page.getByText('准考证已就绪').waitFor()
    await person.look('ticket-ready')
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: '保存 PDF' }).click()])
    const pdf = await readFile(await download.path())
    const text = pdfText(pdf)
      .map(one => one.join(''))
      .join('')
    expect(text.replaceAll(' ', '')).toContain(ticketNo)
    const times = (what: string) => text.split(what).length - 1
    expect({
      object: times('[object'),
      name: times(candidate.name),
      nation: times('汉族'),
      phone: times(candidate.phone),
    }).toEqual({
      object: 0,
      name: 1,
      nation: 1,
      phone: 0,
    })
    const code = pdfQr(pdf)
    expect(code).toMatch(new RegExp(`^${server.url}/t/000000-`))
    const check = await person.context.newPage()
    await check.goto(code ?? '')
    await check.getByText(ticketNo.slice(-4)).first().waitFor()
    expect(await checkAccess(check)).toEqual([])
    await check.close()
    const tickets = await office.ask('/blade-exam/examination/getExamTicketList', { examId, current: 1, size: 10 })
    expect(tickets.records).toMatchObject([{ downCount: 1 }, { downCount: 1 }])
  })

  test('[S4.11][S7.40] one administrator imports the results, another releases them', async () => {
    const { page } = office
    const other = await come('吴考务', 'desktop')
    await moveClock(office, '成绩')
    await comeIn(other, 'kaowu2')
    for (const [paper, score] of Object.entries(scores)) {
      await office.open(`/result/result?examId=${examId}`)
      const card = page.getByRole('list', { name: '各科目状态' }).getByRole('listitem').filter({ hasText: paper })
      await card.getByRole('button', { name: '导入成绩' }).click()
      const dialog = page.getByRole('dialog', { name: new RegExp(`导入成绩：.*${paper}`) })
      const [template] = await Promise.all([page.waitForEvent('download'), dialog.getByRole('button', { name: '下载模板' }).click()])
      await dialog.locator('input[type=file]').setInputFiles(await fillScores(await template.path(), server.dataDir, paper, score))
      await dialog.getByText('共 1 行，可导入 1 行，有误 0 行').waitFor()
      await dialog.getByRole('button', { name: '导入 1 行' }).click()
      await dialog.getByText('新增 1 行').waitFor()
      await office.look(`results-imported-${score}`)
      await dialog.getByRole('button', { name: '关闭' }).last().click()
      // Who imported may not release, and reads so where the button would be.
      await card.getByText('成绩由您本人导入，须由另一位考务管理员发布').waitFor()
      expect(await card.getByRole('button', { name: '发布' }).count()).toBe(0)
    }
    for (const paper of Object.keys(scores)) {
      await other.open(`/result/result?examId=${examId}`)
      const card = other.page.getByRole('list', { name: '各科目状态' }).getByRole('listitem').filter({ hasText: paper })
      await card.getByRole('button', { name: '发布' }).click()
      await confirmRelease(other.page, 'E2E2026')
      await other.page.getByText('成绩已发布，共 1 人').waitFor()
      await card.getByText('已发布').waitFor()
    }
    await other.look('results-released')
    const results = await other.ask('/blade-result/result/list', { examId, current: 1, size: 10 })
    expect(results.records).toMatchObject([
      { name: candidate.name, released: 1 },
      { name: candidate.name, released: 1 },
    ])
  })

  test('[S7.50] the candidate sees the score', async () => {
    const { page } = person
    await person.open(`/signup/score?examId=${examId}`)
    for (const [paper, score] of Object.entries(scores))
      await page.getByRole('listitem').filter({ hasText: paper }).getByText(score).waitFor()
    await person.look('score')
    // 81.50 and 76.00 with equal weights, first of one.
    await page.getByText('第 1 名，共 1 人').waitFor()
    const score = await person.ask('/blade-signup/score/getExamScore', { examId })
    expect(score).toMatchObject({ written: '78.75', rank: 1, postCount: 1 })
    expect(score.items.map((item: { score: string }) => item.score).toSorted()).toEqual(Object.values(scores).toSorted())
  })

  test('[S2.08][S7.51] the dashboard counts this examination', async () => {
    const { page } = office
    await office.open(`/wel/dashboard?examId=${examId}`)
    for (const [stage, count] of Object.entries({ 报名人数: 1, 待审核: 0, 审核通过: 1, 已缴清人数: 1 }))
      await page.locator('.stat-card').filter({ hasText: stage }).getByText(String(count), { exact: true }).waitFor()
    await office.look('dashboard')
    const chart = page.getByRole('region', { name: '缴费状态' })
    await chart.getByRole('button', { name: '查看数据表' }).click()
    await chart.getByRole('row', { name: /^已缴 1/ }).waitFor()
    await office.look('dashboard-table')
    const paid = await office.ask('/blade-signup/statistics/getPayByState', { examId })
    expect(paid).toMatchObject(expect.arrayContaining([expect.objectContaining({ num: 1, amount: 10_000 })]))
  })

  test('[S9.05] in English neither the console nor the portal falls back to Chinese', async () => {
    const staff = await come('Console in English', 'desktop', 'en')
    await inEnglish(staff)
    expect(await chineseTexts(staff.page)).toEqual([])
    await comeIn(staff, 'kaowu1')
    await staff.page.getByRole('link', { name: 'Examinations' }).first().waitFor()
    await staff.look('en-console-home')
    expect(await chineseTexts(staff.page, [examName, '周考务', '周'])).toEqual([])
    await staff.open('/system/param')
    await staff.page.getByRole('row').nth(1).waitFor()
    await staff.look('en-param-list')
    expect(await chineseTexts(staff.page, ['周考务', '周'])).toEqual([])

    const guest = await come('Portal in English', 'phone', 'en')
    await moveClock(office, '真实时间')
    await inEnglish(guest)
    await comeIn(guest, candidate.account, newPassword)
    await guest.page.getByText(candidate.name).first().waitFor()
    await guest.look('en-portal-home')
    expect(await chineseTexts(guest.page, [examName, candidate.name])).toEqual([])
    await guest.open(`/signup/form/${examId}`)
    await guest.page.getByRole('button', { name: 'Next' }).waitFor()
    await guest.look('en-form')
    expect(await chineseTexts(guest.page, [examName, ...postTexts])).toEqual([])
  })
})

/** What the post table calls post B001, in its own language. */
const postTexts = ['护士', '某区人民医院', '护理', '户籍所在地']

const scores: Readonly<Record<string, string>> = { 综合基础知识: '81.50', 护理学专业知识: '76.00' }

/** The choice stays with the browser. */
const inEnglish = async (visitor: Visitor) => {
  await visitor.open('/login')
  await visitor.page.getByRole('button', { name: 'English' }).click()
  await visitor.page.getByRole('heading', { name: 'Log in' }).waitFor()
}
const confirmRelease = async (page: Page, examCode: string) => {
  const dialog = page.getByRole('dialog', { name: '发布成绩' })
  await dialog.getByText('持准考证 1 人，有成绩 1 人').waitFor()
  await dialog.getByLabel(/输入考试编码/).fill(examCode)
  await dialog.getByRole('button', { name: '发布' }).click()
}

/** Moves the demo clock with the page that administrators have for it. */
const moveClock = async (admin: Visitor, phase: string) => {
  const page = await admin.context.newPage()
  await page.goto('/demo/clock')
  await page.getByRole('button', { name: phase }).click()
  await page.getByRole('status').waitFor()
  expect(await checkAccess(page)).toEqual([])
  await page.close()
}

const advice = { item: '与证件或证书不一致，请按证书填写', photo: '背景应为白色或蓝色，请重新上传' }
const pass = async (reviewer: Visitor, look: string) => {
  const { page } = reviewer
  await reviewer.open('/examine/list')
  await page
    .getByRole('row', { name: new RegExp(candidate.name) })
    .getByRole('link')
    .click()
  await page.getByRole('region', { name: '审核决定' }).waitFor()
  await page.getByRole('button', { name: '证件照' }).waitFor()
  await reviewer.look(look)
  await page.getByRole('button', { name: /^通过并下一个/ }).click()
  await page.getByText(new RegExp(`${candidate.name}：(初审已通过，转入复核|已通过)`)).waitFor()
}

const field = (page: Page, key: string) => page.locator(`[data-field="${key}"]`).first()
const choose = async (page: Page, key: string, option: string) => void (await field(page, key).locator('select').selectOption(option))
const fill = (page: Page, key: string, text: string) => field(page, key).locator('input').first().fill(text)
const tick = (page: Page, key: string, value: string) => field(page, key).locator(`input[value="${value}"]`).check()
const portrait = (name: string): string => fileURLToPath(seedData(`portraits/${name}`))
const box = (page: Page, fileKey: string) => page.locator(`[data-field="file:${fileKey}"]`)
const upload = async (page: Page, fileKey: string, name: string) => {
  await box(page, fileKey).locator('input[type=file]').setInputFiles(portrait(name))
  await box(page, fileKey).getByText('已上传').first().waitFor()
}
/** The certified photo passes through the cropping sheet. */
const uploadPhoto = async (page: Page, name: string, look?: () => Promise<void>) => {
  await box(page, 'photo').locator('input[type=file]').setInputFiles(portrait(name))
  const sheet = page.getByRole('dialog', { name: '裁剪证件照' })
  await sheet.getByText('像素尺寸：合格').waitFor()
  await look?.()
  await sheet.getByRole('button', { name: '使用这张照片' }).click()
  await sheet.waitFor({ state: 'detached' })
  await box(page, 'photo').getByText('已上传').first().waitFor()
}
