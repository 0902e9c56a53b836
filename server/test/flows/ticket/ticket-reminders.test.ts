import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { type Person, startTestApp, type TestApp, testStart } from '../../support/app.ts'
import { buildExam } from '../../support/factories.ts'
import { doWork } from '../../support/own-work.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())
beforeEach(() => t.clock.set(testStart))

test('who has not printed their ticket hears of it at 72, 48, 24 and 3 hours, at 48 by text message too', async () => {
  const tenant = await t.tenant()
  const built = await buildExam(tenant)
  let number = 0
  const holder = async (ticketState: string, payState = 'paid'): Promise<Person> => {
    const person = await tenant.candidate()
    number += 1
    const [signup] = await tenant.rows(sql<{ id: string }>`
      insert into signup (tenant_id, exam_id, user_id, code, type, unit, examine, pay_state, name, id_card_mask, sign_no, sign_version)
      values (${tenant.tenantId}, ${built.examId}, ${person.userId}, 'B001', 'B', 'H01', 'passed', ${payState}, '王测', '3301**********301X', ${`S${number}`}, 1) returning id::text as id`)
    await tenant.rows(sql`
      insert into ticket (tenant_id, exam_id, item_id, signup_id, user_id, ticket_no, site_code, site_name, room_no, seat_no, start_time, end_time, ticket_state, qr_token)
      values (${tenant.tenantId}, ${built.examId}, ${built.papers['01']}, ${signup?.id}, ${person.userId}, ${`T${number}`}, '01', '一中', '001', ${`0${number}`},
        '2026-03-28 09:00:00+08', '2026-03-28 10:30:00+08', ${ticketState}, ${String(number).padStart(43, 'x')})`)
    return person
  }
  const [waits, printed, made, refunded] = [
    await holder('released'),
    await holder('downloaded'),
    await holder('made'),
    await holder('released', 'refunding'),
  ]
  const titles = async (person: Person) =>
    (await tenant.rows(sql<{ title: string }>`select title_zh as title from notify where user_id = ${person.userId} order by id`)).map(
      row => row.title,
    )
  const remind = async (at: string) => {
    t.clock.set(`2026-03-${at}+08:00`)
    return (await doWork(t, 'ticket.remind', tenant.tenantId)).result
  }
  // Tickets are printed until the 28th at 9:00.
  const counts: string[] = []
  for (const at of ['25T08:59:00', '25T09:00:00', '25T10:00:00', '26T09:00:00', '27T09:00:00', '28T06:00:00', '28T09:00:00'])
    counts.push(((await remind(at)) as { en: string }).en.split(' ')[0] ?? '')
  expect(counts).toEqual(['0', '1', '0', '1', '1', '1', '0'])
  expect(await titles(waits)).toEqual(Array(4).fill('您尚未打印准考证'))
  for (const person of [printed, made, refunded]) expect(await titles(person)).toEqual([])
  expect(await tenant.rows(sql`select user_id::text as "userId", content from sms_message`)).toEqual([
    { userId: waits.userId, content: '【考谱】您尚未打印 2026年区卫生健康系统事业单位公开招聘 准考证，请于 2026-03-28 09:00 前打印。' },
  ])
})
