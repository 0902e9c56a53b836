import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { doWork } from '../../support/own-work.ts'
import { beginPayments, noticesOf, payScene } from '../../support/pay.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())
beforeEach(() => beginPayments(t))

test('who has not paid hears of the end at 72, 24 and 3 hours, at 24 by text message too; who has paid does not', async () => {
  const scene = await payScene(t)
  const [owes, paid, own] = [await scene.payer(), await scene.payer(), await scene.payer()]
  await scene.tenant.rows(sql`update exam_pay set state = 'paid' where id = ${paid.payId}`)
  await scene.tenant.rows(sql`update exam_pay set own_deadline = true, deadline = '2026-03-18 01:00:00+08' where id = ${own.payId}`)
  const remind = async (at: string) => {
    t.clock.set(`2026-03-${at}+08:00`)
    return (await doWork(t, 'pay.remind', scene.tenant.tenantId)).result
  }
  const texts = () =>
    scene.tenant.rows(
      sql<{
        userId: string
        content: string
      }>`select user_id::text as "userId", content from sms_message where template = 'pay-ends' order by id`,
    )
  // The examination takes payments until the 22nd at 17:00.
  expect(await remind('17T01:00:00')).toEqual({ zh: '提醒缴费 1 人次', en: '1 reminded to pay' })
  expect(await noticesOf(scene.tenant, own.person.userId)).toEqual(['缴费即将截止'])
  expect(await texts()).toEqual([
    {
      userId: own.person.userId,
      content: '【考谱】2026年区卫生健康系统事业单位公开招聘 缴费将于 2026-03-18 01:00 截止，逾期未缴费视为自动放弃。',
    },
  ])
  // At night it waits for the morning.
  expect(
    await scene.tenant.rows(
      sql`select to_char(run_at at time zone 'Asia/Shanghai', 'DD HH24:MI') as at from outbox where task = 'message.send-sms'`,
    ),
  ).toEqual([{ at: '17 08:00' }])
  await scene.tenant.rows(sql`update exam_pay set state = 'overdue' where id = ${own.payId}`)
  expect(await remind('19T16:59:00')).toMatchObject({ en: '0 reminded to pay' })
  expect(await remind('19T17:00:00')).toMatchObject({ en: '1 reminded to pay' })
  expect(await remind('21T17:00:00')).toMatchObject({ en: '1 reminded to pay' })
  expect(await remind('21T18:00:00')).toMatchObject({ en: '0 reminded to pay' })
  expect((await texts()).map(row => row.userId)).toEqual([own.person.userId, owes.person.userId])
  expect(await remind('22T15:00:00')).toMatchObject({ en: '1 reminded to pay' })
  expect(await remind('22T17:00:00')).toMatchObject({ en: '0 reminded to pay' })
  expect(
    await scene.tenant.rows(
      sql`select title_zh as title, content_zh as content from notify where user_id = ${owes.person.userId} order by id limit 1`,
    ),
  ).toEqual([
    {
      title: '缴费即将截止',
      content: '2026年区卫生健康系统事业单位公开招聘：缴费将于 2026-03-22 17:00 截止，应缴 100.00 元；逾期未缴费视为自动放弃',
    },
  ])
  expect(await noticesOf(scene.tenant, owes.person.userId)).toHaveLength(3)
  expect(await noticesOf(scene.tenant, paid.person.userId)).toEqual([])
})
