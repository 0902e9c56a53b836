import { expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { buildExam } from '../server/test/support/factories.ts'
import { pdfText } from '../server/test/support/pdf-text.ts'
import { rooms } from '../server/test/support/ticket-people.ts'
import { comeIn } from './support/browser.ts'
import { type Caller, callAs, logInAs } from './support/caller.ts'
import { windows } from './support/exam.ts'
import { staffPassword } from './support/people.ts'
import { keepSession } from './support/session.ts'
import { openConsole } from './support/shell.ts'
import { ownTenant } from './support/tenant.ts'

const office = openConsole([
  { account: 'kaowu1', realName: '何考务', roles: ['exam_admin'] },
  { account: 'caiwu1', realName: '冯财务', roles: ['finance'] },
  { account: 'caiwu2', realName: '褚财务', roles: ['finance'] },
])
const exam = '/blade-exam/examination'
const names = ['赵一', '钱二', '孙三'] as const
const [goneName, firstName, secondName] = names

/** Three people who paid at the counter for a paper in ten days; the tickets can be printed now. */
const prepare = async () => {
  const { backdoor } = office
  const day = (days: number, time: string) =>
    `${new Date(Date.parse(windows.sign_begin) + days * 86_400_000).toISOString().slice(0, 10)} ${time}`
  const { examId, papers } = await buildExam(backdoor, {
    exam: {
      ...windows,
      ticket_begin: windows.sign_begin,
      refund_policy: 1,
      exam_name: '座位测试',
      exam_code: 'SEAT2026',
      year: Number(windows.sign_begin.slice(0, 4)),
    },
    papers: [{ itemCode: '01', itemName: '笔试', startTime: day(12, '09:00:00'), endTime: day(12, '10:30:00'), rooms: rooms(1) }],
  })
  const members = await backdoor.addCandidates(names.length)
  const payIds: string[] = []
  for (const [at, name] of names.entries())
    await backdoor.db(async db => {
      const { id: userId } = await db.one(sql<{ id: string }>`select id::text as id from account where account = ${`crowd${at + 1}`}`)
      const { id: signupId } = await db.one(sql<{ id: string }>`
        insert into signup (tenant_id, exam_id, user_id, code, type, unit, examine, pay_state, name, id_card_mask, sign_no, sign_version)
        values (${ownTenant()}, ${examId}, ${userId}, 'B001', 'B', 'H01', 'passed', 'paid', ${name}, '3301**********302X', ${`202607000000000${at + 1}`}, 1) returning id::text as id`)
      const { id } = await db.one(sql<{ id: string }>`
        insert into exam_pay (tenant_id, exam_id, item_id, signup_id, user_id, pay_kind, pay_name, amount_fen, paid_fen, state, own_deadline, deadline, pay_way)
        values (${ownTenant()}, ${examId}, 0, ${signupId}, ${userId}, 1, '报名费', 10000, 10000, 'paid', true, ${db.now}::timestamptz + interval '5 days', 'cash') returning id::text as id`)
      payIds.push(id)
    })
  return { examId, itemId: papers['01'] ?? '', token: members[0]?.token ?? '', payId: payIds[0] ?? '' }
}

const did = async (by: Caller, path: string, body: object): Promise<Record<string, unknown>> => {
  const answer = await by.post(`${exam}/${path}`, body)
  expect(answer, path).toMatchObject({ status: 200 })
  return answer.body.data
}

test('[19.10] after an approved refund neither the seats, nor the sheets of the room, nor the candidate’s ticket and result have the person', async () => {
  const { examId, itemId, token, payId } = await prepare()
  const enter = async (account: string) => callAs(office.server.url, await logInAs(office.server.url, account, staffPassword))
  const [desk, asking, approving] = [await enter('kaowu1'), await enter('caiwu1'), await enter('caiwu2')]
  await did(desk, 'creTicketEnd', { examId, itemIds: itemId })
  expect(await did(desk, 'releaseTickets', { examId, itemIds: itemId, force: 1 })).toMatchObject({ step: 'released', changed: 3 })

  const visitor = await office.come('何考务')
  await comeIn(visitor, 'kaowu1', staffPassword, `/ticket/seats/${examId}/${itemId}`)
  const { page } = visitor
  const grid = page.locator('.seats-room')
  /** Whose seats are drawn. */
  const seated = async () => {
    const text = await grid.innerText()
    return names.filter(name => text.includes(name))
  }
  /** Names on the sheets that the button of the room gives. */
  const printed = async () => {
    const { promise, resolve } = Promise.withResolvers<Buffer>()
    await page.route(/exportPDFView/, async route => {
      const response = await route.fetch()
      resolve(await response.body())
      await route.fulfill({ response })
    })
    await page.locator('.seats-head').getByRole('button', { name: '打印预览' }).click()
    const dialog = page.getByRole('dialog')
    const [opened] = await Promise.all([page.context().waitForEvent('page'), dialog.getByRole('button', { name: '打印预览' }).click()])
    const text = pdfText(await promise)
      .flat()
      .join('|')
    await page.unroute(/exportPDFView/)
    await opened.close()
    return names.filter(name => text.includes(name))
  }
  const saved: string[] = []
  page.on('download', file => saved.push(file.suggestedFilename()))
  await expect.poll(seated).toEqual([...names])
  await visitor.look('seats-before')
  expect(await printed()).toEqual([...names])

  await did(asking, 'backPay', { payId, reason: '误缴' })
  await did(approving, 'backPay', { payId, approve: 1, voucherNo: 'ZZ-1' })
  await page.reload()
  await expect.poll(seated).toEqual([firstName, secondName])
  await page.locator('tbody tr').filter({ hasText: goneName }).getByText('作废', { exact: true }).waitFor()
  await visitor.look('seats-after')
  expect(await printed()).toEqual([firstName, secondName])
  // They were shown, and no copy with everybody's id number was saved beside. A browser that shows no PDF saves what it should show, by its number.
  expect(saved.filter(name => !/^[0-9a-f-]{36}\.pdf$/.test(name))).toEqual([])

  const person = await office.come('crowd1', { screen: 'phone' })
  await keepSession(person.context, office.server.url, token, {
    ...{ userId: '1', account: 'crowd1', realName: '赵一', nickName: '赵一', roleIds: [], roles: [], deptId: '', avatar: '' },
    ...{ tenantId: ownTenant(), oauthId: '', userType: 2, userCode: '' },
  })
  await person.open('/signup/ticket')
  await person.page.getByText('已退费，不再参加本次考试').first().waitFor()
  expect(await person.page.locator('main').innerText()).not.toContain('A栋301')
  await person.look('ticket-refunded')

  // The paper lies behind, with a mark of all three, also of who was there although nobody expected them.
  await office.backdoor.db(async db => {
    await db.run(sql`update exam_item set start_time = ${db.now}::timestamptz - interval '3 hours', end_time = ${db.now}::timestamptz - interval '2 hours',
      score_state = 'imported' where id = ${itemId}`)
    await db.run(sql`
      insert into result (tenant_id, exam_id, item_id, signup_id, user_id, ticket_no, name, score, result_state, bonus, final_score)
      select tenant_id, exam_id, item_id, signup_id, user_id, ticket_no, '考生', 90 - seat_no::int, 1, 0, 90 - seat_no::int from ticket where exam_id = ${examId}`)
  })
  expect(await did(desk, 'releaseResults', { examId, itemIds: itemId, state: 1, confirmCode: 'SEAT2026' })).toMatchObject({ people: 3 })
  await person.open('/signup/score')
  await person.page.getByText('不参加排名').waitFor()
  const score = await person.page.locator('main').innerText()
  expect(score).toContain('已退费，不再参加本次考试')
  for (const word of ['岗位排名', '已入围', '未入围']) expect(score).not.toContain(word)
  await person.look('score-refunded')
})
