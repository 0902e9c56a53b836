import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { endText } from '#contract/kernel/end-text.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { systemClock } from '#kernel/clock.ts'
import { sql } from '#kernel/db/sql.ts'
import { buildExam } from '../server/test/support/factories.ts'
import { insertSignups, insertTickets } from '../server/test/support/sign-up-rows.ts'
import { comeIn, launchBrowser, type Visitor, visit } from './support/browser.ts'
import { type Backdoor, openBackdoor } from './support/people.ts'
import { keepSession } from './support/session.ts'
import { sharedServer } from './support/shared-server.ts'
import { ownTenant } from './support/tenant.ts'

// Examinations that are released: their ends of days, their fee by person, what cannot be taken out of them, their lines and their results.

let server: Awaited<ReturnType<typeof sharedServer>>
let browser: Browser
let backdoor: Backdoor
let office: Visitor
/** Days from now at a time of day, as on the wire. */
const day = (days: number, time: string): string =>
  `${toWireTime(new Date(systemClock.now().getTime() + days * 24 * 3_600_000)).slice(0, 10)} ${time}`
/** As people read it. */
const read = (end: string): string => endText(end).slice(0, 16)
const year = Number(day(0, '').slice(0, 4))
const whole = '24:00:00'
/** Sign-up is open and ends with a day, as everything else does. */
const open = {
  ...{ sign_begin: day(-1, '09:00:00'), sign_end: day(3, whole), modify_end: day(4, whole), examine_begin: day(-1, '09:00:00') },
  ...{ examine_end: day(4, whole), appeal_end: day(4, whole), pay_begin: day(-1, '00:00:00'), pay_end: day(5, whole) },
  ...{ ticket_begin: day(7, '00:00:00'), ticket_end: day(9, whole) },
}
/** All of it is over, by the end of the day before yesterday. */
const over = {
  ...{ sign_begin: day(-20, '09:00:00'), sign_end: day(-2, whole), modify_end: day(-2, whole), examine_begin: day(-20, '09:00:00') },
  ...{ examine_end: day(-2, whole), appeal_end: day(-2, whole), pay_begin: day(-20, '09:00:00'), pay_end: day(-2, whole) },
  ...{ ticket_begin: null, ticket_end: null },
}
let openExam = ''
let satExam = ''
/** Released, and nobody has signed up. */
let freshExam = ''
const tokens: string[] = []

/** The language a person has chosen. */
const speak = (visitor: Visitor, language: 'zh' | 'en'): Promise<unknown> =>
  visitor.context.addInitScript(`localStorage.setItem('kaopu-lang', JSON.stringify('${language}'))`)
const candidate = async (index: number, language: 'zh' | 'en' = 'zh', screen: 'phone' | 'desktop' = 'phone'): Promise<Visitor> => {
  const account = `crowd${index}`
  const visitor = await visit(browser, server.url, { name: account, screen, language })
  await keepSession(visitor.context, server.url, tokens[index - 1] ?? '', {
    ...{ userId: '1', account, realName: '王·测', nickName: '王·测', roleIds: [], roles: [], deptId: '', avatar: '' },
    ...{ tenantId: ownTenant(), oauthId: '', userType: 2, userCode: '' },
  })
  await speak(visitor, language)
  return visitor
}

beforeAll(async () => {
  server = await sharedServer()
  const { dataDir } = server
  backdoor = await openBackdoor(dataDir)
  await backdoor.addStaff([
    { account: 'kaowu1', realName: '周考务', roles: ['exam_admin'] },
    { account: 'kaowu2', realName: '李考务', roles: ['exam_admin'] },
    { account: 'guanli1', realName: '陈管理', roles: ['admin'] },
  ])
  tokens.push(...(await backdoor.addCandidates(4)).map(member => member.token))
  const userOf = (account: string) =>
    backdoor.db(db => db.one(sql<{ id: string }>`select id::text as id from account where account = ${account}`)).then(({ id }) => id)
  const [drafter = '', late = '', refunded = '', payer = ''] = await Promise.all(['crowd1', 'crowd2', 'crowd3', 'crowd4'].map(userOf))
  const post = { type: 'B', unit: 'H01', code: 'B001' }

  const opened = await buildExam(backdoor, {
    exam: { ...open, exam_name: '按人收费的考试', exam_code: 'BYPERSON', exam_no: 31, year },
    papers: [{ itemCode: '01', itemName: '综合基础知识', startTime: day(12, '22:00:00'), endTime: day(12, whole) }],
  })
  openExam = opened.examId
  const [debtor] = await insertSignups(backdoor, openExam, [{ ...post, userId: payer, name: '王·测', payState: 'due' }])
  await backdoor.db(db =>
    db.run(sql`
      insert into exam_pay (tenant_id, exam_id, item_id, signup_id, user_id, pay_kind, pay_name, amount_fen, state, own_deadline, deadline)
      select ${ownTenant()}, ${openExam}, 0, ${debtor?.id}, ${payer}, 1, '报名费', 10000, 'due', false, pay_end from examination where id = ${openExam}`),
  )

  freshExam = (await buildExam(backdoor, { exam: { ...open, exam_name: '无人报名的考试', exam_code: 'FRESH', exam_no: 34, year } })).examId
  const missed = await buildExam(backdoor, { exam: { ...over, exam_name: '已截止的考试', exam_code: 'OVER', exam_no: 32, year } })
  await insertSignups(backdoor, missed.examId, [
    { ...post, userId: drafter, name: '王·测', examine: 'draft' },
    { ...post, userId: late, name: '王·测', payState: 'overdue' },
    { ...post, userId: refunded, name: '王·测', payState: 'refunding' },
  ])

  const sat = await buildExam(backdoor, {
    exam: { ...over, exam_name: '考过的考试', exam_code: 'SAT', exam_no: 33, year, fee_mode: 0, fee_fen: 0, pass_score: '60' },
    papers: [{ itemCode: '01', itemName: '综合基础知识', startTime: day(-1, '00:00:00'), endTime: day(-1, '02:00:00') }],
  })
  satExam = sat.examId
  const paper = sat.papers['01'] ?? ''
  const people = await insertSignups(
    backdoor,
    satExam,
    ['甲一', '乙二', '丙三'].map(name => ({ ...post, name })),
  )
  await insertTickets(backdoor, satExam, paper, people)
  const importer = await userOf('kaowu1')
  await backdoor.db(async db => {
    for (const [at, { id, userId, name }] of people.entries())
      await db.run(sql`
        insert into result (tenant_id, exam_id, item_id, signup_id, user_id, ticket_no, name, score, result_state, bonus, final_score, created_by, updated_by)
        values (${ownTenant()}, ${satExam}, ${paper}, ${id}, ${userId}, ${`2603${at}`}, ${name}, ${60 + 5 * at}, 1, 0, ${60 + 5 * at}, ${importer}, ${importer})`)
    await db.run(sql`
      update exam_item set score_state = 'imported', score_import_by = ${importer}, score_import_at = ${db.now},
        score_lines = jsonb_build_object('exam', 60.00, 'paper', null) where id = ${paper}`)
  })
  browser = await launchBrowser()
  office = await visit(browser, server.url, { name: '周考务', screen: 'desktop' })
  await comeIn(office, 'kaowu1')
})
afterAll(async () => {
  await browser?.close()
  await backdoor?.close()
})

const box = (page: Page, field: string) => page.locator(`[data-field="${field}"]`).locator('input, textarea, select').first()
const step = (page: Page, title: string | RegExp): Promise<void> => page.locator('.step-nav').getByRole('button', { name: title }).click()
const main = (page: Page) => page.locator('main').innerText()
/** An amount of nothing, as it would stand in a list. */
const zeroFee = /(?<![\d.])0\.00/

test('[19.9] the wizard shows ends of days as 24:00, keeps one that is typed, and tells beginnings never so', async () => {
  const { page } = office
  await office.open(`/exam/edit/${openExam}?step=2`)
  const value = (field: string) => box(page, field).inputValue()
  await box(page, 'signEnd').waitFor()
  expect({
    ...{ signEnd: await value('signEnd'), modifyEnd: await value('modifyEnd'), appealEnd: await value('appealEnd') },
    ...{ payBegin: await value('payBegin'), ticketBegin: await value('ticketBegin'), ticketEnd: await value('ticketEnd') },
  }).toEqual({
    ...{ signEnd: open.sign_end, modifyEnd: open.modify_end, appealEnd: open.appeal_end },
    ...{ payBegin: open.pay_begin, ticketBegin: open.ticket_begin, ticketEnd: open.ticket_end },
  })
  await office.look('ends-wizard')
  const type = async (field: string, text: string) => {
    await box(page, field).fill(text)
    await box(page, field).press('Tab')
  }
  // Typed to the minute, it stays the same end of the same day; a last second stays as it was typed until it is stored.
  await type('payEnd', `${day(6, '')}24:00`)
  expect(await value('payEnd')).toBe(day(6, whole))
  await type('ticketEnd', day(10, '23:59:59'))
  expect(await value('ticketEnd')).toBe(day(10, '23:59:59'))
  await page
    .getByText(`${open.sign_begin.slice(0, 16)} – ${read(open.sign_end)}`)
    .first()
    .waitFor({ state: 'attached' })
  await page.getByRole('button', { name: '保存修改' }).click()
  await page.getByText('所有修改已保存').waitFor()
  expect([await value('payEnd'), await value('ticketEnd')]).toEqual([day(6, whole), day(10, whole)])
  await page.reload()
  await box(page, 'payEnd').waitFor()
  expect([await value('payEnd'), await value('ticketEnd')]).toEqual([day(6, whole), day(10, whole)])
  const { changes } = await office.ask('/blade-exam/examination/detail', { id: openExam })
  expect(changes.map((change: { text: string }) => change.text)).toContain(`缴费结束时间由 ${open.pay_end} 调整为 ${day(6, whole)}`)
  await step(page, '考试项目与费用')
  await page.getByText(`${day(12, '22:00')} – 24:00`).waitFor()
  await office.open(`/exam/examitem?examId=${openExam}`)
  await page.getByText(read(day(12, whole))).waitFor()
  await office.look('ends-papers')
  expect(office.troubles()).toEqual([])
})

test('[19.9] a candidate reads the same ends on every page, in both languages', async () => {
  for (const language of ['zh', 'en'] as const) {
    const person = await candidate(4, language)
    const { page } = person
    for (const [path, ends] of [
      ['/', [read(day(6, whole))]],
      ['/signup/examList', [read(open.sign_end)]],
      [`/signup/exam/${openExam}`, [read(open.sign_end), read(open.modify_end), read(day(6, whole)), read(day(10, whole)), '24:00']],
      ['/signup/examPay', [read(day(6, whole))]],
      ['/signup/myExam', [read(day(6, whole))]],
    ] as const) {
      await person.open(path)
      for (const end of ends) await page.getByText(end).first().waitFor()
      // The first instant of the day after an end is nowhere.
      for (const later of [4, 5, 11]) expect([path, await main(page)]).not.toEqual([path, expect.stringContaining(day(later, '00:00'))])
      await person.look(`ends-portal-${language}`)
    }
    expect(person.troubles()).toEqual([])
    await person.context.close()
  }
})

test('[19.9] a missed deadline, an overdue fee and a refund under way are the headline of home, in both languages', async () => {
  const ended = read(over.sign_end)
  for (const [index, language, headline, hint] of [
    [1, 'zh', '报名已截止，草稿未提交', `报名已于 ${ended} 截止，没有提交的草稿不算报名`],
    [1, 'en', 'Sign-up has closed; the draft was not submitted', `Sign-up ended at ${ended}; a draft that was not submitted is no sign-up`],
    [2, 'zh', '逾期未缴费', `缴费已于 ${ended} 截止，视为放弃本次考试`],
    [2, 'en', 'The fee was not paid in time', `Payment ended at ${ended}; this counts as giving up the examination`],
    [3, 'zh', '退费处理中', '考试名额已取消，费用将原路退回'],
    [3, 'en', 'Your refund is under way', 'The place in the examination is gone'],
  ] as const) {
    const person = await candidate(index, language)
    const { page } = person
    await person.open('/')
    const hero = page.locator('.p-hero')
    await hero.getByRole('heading', { name: headline }).waitFor()
    await hero.getByText(hint).waitFor()
    await person.look(`headline-${index}-${language}`)
    await hero.getByRole('link').click()
    await page.waitForURL(url => url.pathname !== '/')
    await page.locator('h1').waitFor()
    expect(person.troubles()).toEqual([])
    await person.context.close()
  }
})

test('[19.16] where everybody pays the same, no post or paper has an amount of its own', async () => {
  const { page } = office
  for (const [path, name] of [
    [`/exam/typeCode?examId=${openExam}`, 'B001'],
    [`/exam/examitem?examId=${openExam}`, '综合基础知识'],
    [`/exam/edit/${openExam}?step=4`, 'B001'],
    [`/exam/edit/${openExam}?step=3`, '综合基础知识'],
    [`/exam/edit/${openExam}?step=8`, '按人收费'],
  ] as const) {
    await office.open(path)
    // The examinations to change to are no part of the page.
    await page.locator('main').getByText(name).locator('visible=true').first().waitFor()
    expect([path, await main(page)]).not.toEqual([path, expect.stringMatching(zeroFee)])
    await office.look('by-person-office')
  }
  for (const [path, row] of [
    ['typeCode', /B001/],
    ['examitem', /综合基础知识/],
  ] as const) {
    await office.open(`/exam/${path}?examId=${openExam}`)
    await page.getByRole('row', { name: row }).getByRole('button', { name: '编辑' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: '保存' }).waitFor()
    await dialog.locator('input').first().waitFor()
    expect(await dialog.getByLabel(/费/).count()).toBe(0)
    await office.look('by-person-form')
  }
  const person = await candidate(4)
  await person.open(`/signup/exam/${openExam}`)
  await person.page
    .getByText(/100\.00/)
    .first()
    .waitFor()
  for (const path of [`/signup/exam/${openExam}`, `/signup/form/${openExam}`, '/signup/examPay', '/signup/myExam', '/']) {
    await person.open(path)
    await person.page.locator('h1').waitFor()
    await person.page
      .locator('main')
      .getByText(/按人收费的考试|B001|100\.00/)
      .first()
      .waitFor()
    expect([path, await main(person.page)]).not.toEqual([path, expect.stringMatching(zeroFee)])
    await person.look('by-person-portal')
  }
  expect([...office.troubles(), ...person.troubles()]).toEqual([])
  await person.context.close()
})

test('[19.13] what release demands is greyed out in the wizard and refused in the lists, with why and how to mend it', async () => {
  const { page } = office
  await office.open(`/exam/edit/${freshExam}?step=5`)
  const chosen = page.getByRole('region', { name: /^本次考试的报名项/ })
  const entry = (name: string) =>
    chosen.getByRole('listitem').filter({ has: page.locator('.chosen-name', { hasText: new RegExp(`^${name}$`) }) })
  for (const name of ['姓名', '证件号码', '手机号']) {
    await entry(name).getByText('考试已发布：此项须必填且总是显示，不能移除').waitFor()
    expect(await entry(name).getByRole('button', { name: /移除/ }).isDisabled()).toBe(true)
    expect(await entry(name).getByRole('checkbox', { name: '必填' }).isDisabled()).toBe(true)
  }
  expect(await entry('民族').getByRole('button', { name: /移除/ }).isDisabled()).toBe(false)
  await office.look('frozen-fields')
  await step(page, '材料')
  const files = page.getByRole('region', { name: /^本次考试的材料/ })
  const portrait = files.getByRole('listitem').first()
  await portrait.getByText('须有一张报名时必交的证件照').waitFor()
  expect(await portrait.getByRole('button', { name: /移除/ }).isDisabled()).toBe(true)
  expect(await portrait.getByRole('checkbox', { name: '必填' }).isDisabled()).toBe(true)
  expect(await portrait.getByRole('combobox').first().isDisabled()).toBe(true)
  await office.look('frozen-files')
  await step(page, '时间轴')
  expect(await box(page, 'signBegin').isDisabled()).toBe(true)
  // The lists of the same rows say it when somebody tries.
  for (const [path, row, refusal] of [
    ['signitems', /姓名/, '考试已发布，此修改会使发布条件不再满足：报名表缺少“姓名”'],
    ['signfiles', /photo/, '考试已发布，此修改会使发布条件不再满足：报名材料缺少证件照'],
  ] as const) {
    await office.open(`/exam/${path}?examId=${freshExam}&size=50`)
    const line = page.getByRole('row', { name: row }).first()
    await line.getByRole('button', { name: '删除' }).click()
    office.expectRefusal(422)
    await page.getByRole('dialog').locator('.button-danger').click()
    await page.getByText(refusal).waitFor()
    await office.look(`frozen-${path}`)
  }
  expect(office.troubles()).toEqual([])
})

test('a window that ends earlier is asked about before it is saved, with whom that concerns', async () => {
  const { page } = office
  const asked = page.getByRole('dialog', { name: '提前结束时间' })
  const stored = async () => (await office.ask('/blade-exam/examination/detail', { id: openExam })).payEnd
  const before = await stored()
  const earlier = day(5, whole)
  await office.open(`/exam/edit/${openExam}?step=2`)
  await box(page, 'payEnd').fill(earlier)
  await box(page, 'payEnd').press('Tab')
  await page.getByRole('button', { name: '保存修改' }).click()
  await asked.getByText('缴费结束时间').waitFor()
  await asked.getByText(`${read(before)} → ${read(earlier)}`).waitFor()
  await asked.getByText('待缴费 1 人').waitFor()
  await office.look('window-asked')
  await asked.getByRole('button', { name: '取消' }).click()
  await asked.waitFor({ state: 'detached' })
  expect([await stored(), await box(page, 'payEnd').inputValue()]).toEqual([before, earlier])
  await page.getByRole('button', { name: '保存修改' }).click()
  await asked.getByRole('button', { name: '确认提前' }).click()
  await page.getByText('所有修改已保存').waitFor()
  expect(endText(await stored())).toBe(earlier)
  expect(office.troubles()).toEqual([])
})

test('[19.14] a line that moves under imported results is weighed before it is saved, in the wizard and in the list of papers', async () => {
  const { page } = office
  const asked = page.getByRole('dialog', { name: '修改合格线' })
  const stored = async () => (await office.ask('/blade-exam/examination/detail', { id: satExam })).passScore
  await office.open(`/exam/edit/${satExam}?step=7`)
  await box(page, 'passScore').fill('65')
  await box(page, 'passScore').press('Tab')
  await page.getByRole('button', { name: '保存修改' }).click()
  await asked.getByText('已导入 3 人的成绩，尚未发布').waitFor()
  await asked.getByText('60.00 → 65').waitFor()
  await asked.getByText('1 人的结果会改变').waitFor()
  await asked.getByText('由合格变为不合格 1 人').waitFor()
  await office.look('line-asked')
  await asked.getByRole('button', { name: '取消' }).click()
  await asked.waitFor({ state: 'detached' })
  expect([await stored(), await box(page, 'passScore').inputValue()]).toEqual(['60.00', '65'])
  await page.getByRole('button', { name: '保存修改' }).click()
  await asked.getByRole('button', { name: '确认修改' }).click()
  await page.getByText('所有修改已保存').waitFor()
  expect(await stored()).toBe('65.00')

  await office.open(`/exam/examitem?examId=${satExam}`)
  await page
    .getByRole('row', { name: /综合基础知识/ })
    .getByRole('button', { name: '编辑' })
    .click()
  const form = page.getByRole('dialog').filter({ hasText: '合格线' }).first()
  await form.locator('#passScore').fill('70')
  await form.getByRole('button', { name: '保存' }).click()
  await asked.getByText('综合基础知识 合格线').waitFor()
  await asked.getByText('不设置 → 70').waitFor()
  await asked.getByText('由合格变为不合格 1 人').waitFor()
  await office.look('line-of-paper-asked')
  await asked.getByRole('button', { name: '取消' }).click()
  await asked.waitFor({ state: 'detached' })
  expect(await form.locator('#passScore').inputValue()).toBe('70')
  const { examitems } = await office.ask('/blade-exam/examination/detail', { id: satExam })
  expect(examitems[0].passScore).toBeNull()
  expect(office.troubles()).toEqual([])
})

test('[19.14] whoever releases reads that the line was changed after the import, in both languages', async () => {
  const english = await visit(browser, server.url, { name: 'kaowu2 en', screen: 'desktop', language: 'en' })
  await speak(english, 'en')
  await comeIn(english, 'kaowu2')
  await english.open(`/result/result?examId=${satExam}`)
  await english.page.locator('.result-papers').getByRole('button', { name: 'Release' }).click()
  await english.page.getByText('A pass line was changed after the results were imported').waitFor()
  await english.page.getByText('the outcome of 1 person is another one').waitFor()
  await english.look('release-line-en')
  expect(english.troubles()).toEqual([])
  await english.context.close()

  const second = await visit(browser, server.url, { name: '李考务', screen: 'desktop' })
  const { page } = second
  await comeIn(second, 'kaowu2')
  await second.open(`/result/result?examId=${satExam}`)
  // What comes next stands beside the button and is its description.
  const button = page.locator('.result-papers').getByRole('button', { name: '发布' })
  await page.locator('.result-next').getByText('下一步：核对下方列表，然后发布。').waitFor()
  expect(await button.getAttribute('aria-describedby')).toBe(await page.locator('.result-next').getAttribute('id'))
  await button.click()
  const dialog = page.getByRole('dialog', { name: '发布成绩' })
  await dialog.getByText('合格线在成绩导入之后改过').waitFor()
  await dialog.getByText('笔试合格线：60.00 → 65.00').waitFor()
  await dialog.getByText('1 人的结果因此改变').waitFor()
  await second.look('release-line-zh')
  await dialog.getByLabel(/输入考试编码/).fill('SAT')
  await dialog.getByRole('button', { name: '发布' }).click()
  await page.getByText('成绩已发布，共 3 人').waitFor()
  // Taking it back is the administrator's.
  expect(await page.getByRole('button', { name: '撤回发布' }).count()).toBe(0)
  expect(second.troubles()).toEqual([])
  await second.context.close()
})

test('[19.12] the administrator takes the release back: with the code of the examination and a reason, not without', async () => {
  const state = async () =>
    (await backdoor.db(db => db.one(sql<{ state: string }>`select score_state as state from exam_item where exam_id = ${satExam}`))).state
  const english = await visit(browser, server.url, { name: 'guanli1 en', screen: 'phone', language: 'en' })
  await speak(english, 'en')
  await comeIn(english, 'guanli1')
  await english.open(`/result/result?examId=${satExam}`)
  await english.page.getByRole('button', { name: 'Withdraw release' }).click()
  const shown = english.page.getByRole('dialog', { name: 'Withdraw release' })
  await shown.getByText('Type the examination code SAT to confirm').waitFor()
  await english.look('withdraw-en')
  expect(english.troubles()).toEqual([])
  await english.context.close()

  const admin = await visit(browser, server.url, { name: '陈管理', screen: 'desktop' })
  const { page } = admin
  await comeIn(admin, 'guanli1')
  // The workspace of the examination leads there.
  await admin.open(`/exam/examination/${satExam}`)
  await page.getByRole('navigation', { name: '本次考试' }).getByRole('link', { name: '成绩', exact: true }).click()
  await page.getByRole('button', { name: '撤回发布' }).click()
  const dialog = page.getByRole('dialog', { name: '撤回发布' })
  const send = dialog.getByRole('button', { name: '撤回发布' })
  await dialog.getByText('3 人').waitFor()
  await send.click()
  await dialog.getByText('请填写原因').waitFor()
  await dialog.getByText('考试编码不一致').waitFor()
  await dialog.getByLabel('原因').fill('阅卷复核')
  await dialog.getByLabel(/输入考试编码/).fill('SAT2')
  await send.click()
  await dialog.getByText('考试编码不一致').waitFor()
  expect(await dialog.getByText('请填写原因').count()).toBe(0)
  await admin.look('withdraw-wrong-code')
  expect(await state()).toBe('released')
  await dialog.getByLabel(/输入考试编码/).fill('SAT')
  await send.click()
  await page.getByText('已撤回').first().waitFor()
  await dialog.waitFor({ state: 'detached' })
  await admin.look('withdrawn')
  expect(await state()).toBe('imported')
  expect(admin.troubles()).toEqual([])
  await admin.context.close()
})
