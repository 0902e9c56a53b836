import { expect, test } from 'vitest'
import { toWireTime } from '#contract/kernel/when.ts'
import { systemClock } from '#kernel/clock.ts'
import { sql } from '#kernel/db/sql.ts'
import { buildExam } from '../server/test/support/factories.ts'
import { comeIn } from './support/browser.ts'
import { staffPassword } from './support/people.ts'
import { keepSession } from './support/session.ts'
import { openConsole } from './support/shell.ts'
import { ownTenant } from './support/tenant.ts'

const office = openConsole([{ account: 'kaowu1', realName: '何考务', roles: ['exam_admin'] }])
const dayMs = 24 * 3_600_000
const day = (days: number, time: string): string =>
  `${toWireTime(new Date(systemClock.now().getTime() + days * dayMs)).slice(0, 10)} ${time}`
const names = ['赵一', '钱二', '孙三'] as const

/** Payments are over: three people have paid at the counter for a post of two places, another post has nobody. */
const prepare = async () => {
  const { backdoor } = office
  const past = {
    ...{
      sign_begin: day(-10, '09:00:00'),
      sign_end: day(-5, '17:00:00'),
      modify_end: day(-5, '17:00:00'),
      examine_begin: day(-10, '09:00:00'),
    },
    ...{ examine_end: day(-4, '17:00:00'), appeal_end: day(-4, '17:00:00'), pay_begin: day(-10, '09:00:00'), pay_end: day(-3, '17:00:00') },
    ...{
      adjust_begin: day(-1, '09:00:00'),
      adjust_end: day(2, '17:00:00'),
      ticket_begin: day(7, '09:00:00'),
      ticket_end: day(20, '09:00:00'),
    },
  }
  const { examId } = await buildExam(backdoor, {
    exam: { ...past, exam_name: '核减测试', exam_code: 'CUT2026', year: Number(past.sign_begin.slice(0, 4)) },
    papers: [{ itemCode: '01', itemName: '笔试', startTime: day(30, '09:00:00'), endTime: day(30, '10:30:00') }],
  })
  const members = await backdoor.addCandidates(names.length)
  for (const [at, name] of names.entries())
    await backdoor.db(async db => {
      const { id: userId } = await db.one(sql<{ id: string }>`select id::text as id from account where account = ${`crowd${at + 1}`}`)
      const { id: signupId } = await db.one(sql<{ id: string }>`
        insert into signup (tenant_id, exam_id, user_id, code, type, unit, examine, pay_state, name, id_card_mask, sign_no, sign_version)
        values (${ownTenant()}, ${examId}, ${userId}, 'A001', 'A', 'H01', 'passed', 'paid', ${name}, '3301**********302X', ${`202607000000000${at + 1}`}, 1) returning id::text as id`)
      await db.run(sql`
        insert into exam_pay (tenant_id, exam_id, item_id, signup_id, user_id, pay_kind, pay_name, amount_fen, paid_fen, state, own_deadline, deadline, pay_way)
        values (${ownTenant()}, ${examId}, 0, ${signupId}, ${userId}, 1, '报名费', 10000, 10000, 'paid', true, ${db.now}::timestamptz + interval '5 days', 'cash')`)
    })
  return { examId, tokens: members.map(member => member.token) }
}

const candidate = async (at: number, token: string, language: 'zh' | 'en' = 'zh') => {
  const account = `crowd${at + 1}`
  const person = await office.come(account, { screen: 'phone' })
  await keepSession(person.context, office.server.url, token, {
    ...{ userId: '1', account, realName: names[at] ?? '', nickName: names[at] ?? '', roleIds: [], roles: [], deptId: '', avatar: '' },
    ...{ tenantId: ownTenant(), oauthId: '', userType: 2, userCode: '' },
  })
  await person.page.evaluate(`localStorage.setItem('kaopu-lang', JSON.stringify('${language}'))`)
  await person.page.goto(`${office.server.url}/signup/adjust`)
  return person
}

test('[S7.46][S7.47] an officer cancels a post; on the phone one person moves, one takes the money, one has not chosen', async () => {
  const { examId, tokens } = await prepare()
  const visitor = await office.come('何考务')
  await comeIn(visitor, 'kaowu1', staffPassword, `/examine/reduction?examId=${examId}`)
  const { page } = visitor
  const row = page.locator('tbody tr').filter({ hasText: 'A001' })
  await row.getByText('核减为 1 人').waitFor()
  await visitor.look('reduction-posts')
  await row.getByRole('checkbox').check()
  await page.getByRole('button', { name: /决定所选/ }).click()
  await page.getByLabel('岗位 A001 的决定').selectOption('2')
  await page.getByLabel('岗位 A001 的推荐岗位').fill('B001')
  await visitor.look('reduction-decide')
  // What is wrong with the times is said before anybody is asked whether they are sure.
  const until = page.getByLabel('选择截止')
  const right = await until.inputValue()
  await until.fill('2020-01-01 10:00:00')
  await until.press('Tab')
  await page.getByRole('button', { name: '公布', exact: true }).click()
  await page.getByText('选择截止须晚于选择开始').waitFor()
  expect(await page.getByText('涉及 3 名有效考生').count()).toBe(0)
  await until.fill(right)
  await until.press('Tab')
  await page.getByRole('button', { name: '公布', exact: true }).click()
  await page.getByText('取消或合并 1 个岗位，涉及 3 名有效考生').waitFor()
  await page.getByRole('button', { name: '公布', exact: true }).last().click()
  await page.getByText('已公布 1 个岗位；3 人进入改报名单，通知 3 人').waitFor()

  const mover = await candidate(0, tokens[0] ?? '')
  await mover.page.getByRole('button', { name: '改报“护士”' }).waitFor()
  await mover.look('adjust-choose')
  await mover.page.getByRole('button', { name: '改报“护士”' }).click()
  const sure = mover.page.locator('dialog')
  await sure.getByLabel(/请输入岗位代码 B001/).fill('A001')
  await sure.getByRole('button', { name: '改报“护士”' }).click()
  await sure.getByText('与岗位代码 B001 不一致').waitFor()
  await sure.getByLabel(/请输入岗位代码 B001/).fill('b001')
  await mover.look('adjust-sure')
  await sure.getByRole('button', { name: '改报“护士”' }).click()
  await mover.page.getByText('您已选择改报“护士”，正在优先审核；截止前可以改选。').waitFor()

  const leaver = await candidate(1, tokens[1] ?? '', 'en')
  await leaver.page.getByRole('button', { name: 'Money back, and leave' }).click()
  const asked = leaver.page.locator('dialog')
  await asked.getByLabel(/Type the post code A001/).fill('A001')
  await leaver.look('adjust-refund-en')
  await asked.getByRole('button', { name: 'Money back, and leave' }).click()
  await leaver.page.getByText(/You have left; .* on their way back/).waitFor()

  await page.goto(`${office.server.url}/examine/reduction?examId=${examId}&view=names`)
  const choiceOf = async (name: string): Promise<string> => page.locator('tbody tr').filter({ hasText: name }).innerText()
  await page.locator('tbody tr').filter({ hasText: '钱二' }).waitFor()
  await visitor.look('reduction-names')
  expect(await choiceOf('赵一')).toMatch(/改报[\s\S]*B001 护士[\s\S]*改报待审/)
  expect(await choiceOf('钱二')).toMatch(/退费退出[\s\S]*退费中/)
  expect(await choiceOf('孙三')).toMatch(/未选择[\s\S]*待选择/)
})
