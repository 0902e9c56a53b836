import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { type Person, startTestApp, type TestApp } from '../../support/app.ts'
import { buildExam } from '../../support/factories.ts'
import { insertSignups } from '../../support/sign-up-rows.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())

const homeOf = async (person: Person) => (await person.get('/me/home')).body.data

test('[26.8] the first page of finance says what came in and went back since midnight', async () => {
  const tenant = await t.tenant()
  const { examId } = await buildExam(tenant)
  const people = await insertSignups(
    tenant,
    examId,
    ['张一', '张二', '张三', '张四'].map(name => ({ code: 'A001', type: 'A', unit: 'H01', name })),
  )
  const paidAt = ['2026-03-17T00:00:00+08:00', '2026-03-17T09:59:59+08:00', '2026-03-16T23:59:59+08:00', null]
  await tenant.db(async db => {
    for (const [at, { id, userId }] of people.entries()) {
      const paid = paidAt[at] ?? null
      const due = await db.one(sql<{ id: string }>`
        insert into exam_pay (tenant_id, exam_id, signup_id, user_id, pay_name, amount_fen, paid_fen, paid_time, state, deadline)
        values (${tenant.tenantId}, ${examId}, ${id}, ${userId}, '报名费', 4500, ${paid === null ? 0 : 4500}, ${paid}, ${paid === null ? 'due' : 'paid'}, '2026-03-22T17:00:00+08:00')
        returning id::text as id`)
      if (paid === null) continue
      const order = await db.one(sql<{ id: string }>`
        insert into pay_order (tenant_id, order_no, pay_id, user_id, amount_fen, paid_fen, description, state, expire_time, transaction_id, success_time, mchid, appid)
        values (${tenant.tenantId}, ${`E${at}`}, ${due.id}, ${userId}, 4500, 4500, '报名费', 'paid', now(), ${`T${at}`}, ${paid}, '1', '1') returning id::text as id`)
      // One went back today, one yesterday, one is asked for.
      const back = ['2026-03-16T18:00:00+08:00', null, '2026-03-17T08:00:00+08:00'][at] ?? null
      await db.run(sql`
        insert into pay_refund (tenant_id, refund_no, order_id, pay_id, user_id, amount_fen, reason, apply_by, state, success_time)
        values (${tenant.tenantId}, ${`R${at}`}, ${order.id}, ${due.id}, ${userId}, 2000, 'mistake', 1, ${back === null ? 'requested' : 'succeeded'}, ${back})`)
    }
  })
  const other = await (await t.tenant()).staff('finance')
  const [finance, office] = [await tenant.staff('finance'), await tenant.staff('exam_admin')]
  expect((await homeOf(finance)).today).toEqual({
    since: '2026-03-17 00:00:00',
    received: { count: 2, fen: 9000 },
    refunded: { count: 1, fen: 2000 },
  })
  // Its lists show the same rows.
  const rows = async (path: string, query: Record<string, string>) => (await finance.get(path, { query })).body.data.total
  expect(await rows('/blade-examPay/exampay/list', { paidTime_ge: '2026-03-17 00:00:00' })).toBe(2)
  expect(await rows('/blade-payRefund/payrefund/list', { successTime_ge: '2026-03-17 00:00:00' })).toBe(1)
  expect((await homeOf(other)).today).toMatchObject({ received: { count: 0, fen: 0 }, refunded: { count: 0, fen: 0 } })
  expect((await homeOf(office)).today).toBeNull()
})

test('[26.8] of many papers that begin together two are named, and how many there are', async () => {
  const tenant = await t.tenant()
  const papers = ['甲', '乙', '丙'].map((itemName, at) => ({
    itemCode: `0${at + 1}`,
    itemName,
    startTime: '2026-03-28 09:00:00',
    endTime: '2026-03-28 10:30:00',
  }))
  await buildExam(tenant, { papers })
  const { deadlines } = await homeOf(await tenant.staff('exam_admin'))
  expect(deadlines.find((one: { kind: string }) => one.kind === 'paper')).toMatchObject({ paper: '甲、乙', papers: 3 })
})
