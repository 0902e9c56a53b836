import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { beginPayments, emulatorOf, exam, openCode, payScene } from '../../support/pay.ts'
import { rooms } from '../../support/ticket-people.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())
beforeEach(() => beginPayments(t))

test('[S7.43] who has passed and gets no seat is named with the reason, before and after: owes, asked back, fee deleted', async () => {
  const scene = await payScene(t, {
    exam: { refund_policy: 1 },
    papers: [
      { itemCode: '01', itemName: '综合基础知识', startTime: '2026-03-28 09:00:00', endTime: '2026-03-28 10:30:00', rooms: rooms(1) },
    ],
  })
  const { emulator } = await emulatorOf(t)
  const paid = async () => {
    const payer = await scene.payer()
    await emulator.payAsPerson((await openCode(payer.person, payer.payId)).codeUrl)
    await emulator.runDue()
    return payer
  }
  const [, owes, asked, deleted] = [await paid(), await scene.payer(), await paid(), await scene.payer()]
  await asked.person.post(`${exam}/backPay`, { json: { payId: asked.payId, reason: '误缴' } })
  expect((await scene.finance.post(`${exam}/delExamPay`, { query: { ids: deleted.payId } })).body.data).toEqual({ removed: 1 })
  t.clock.set('2026-03-24T10:00:00+08:00')
  const admin = await scene.tenant.staff('exam_admin')
  const [paper] = await scene.tenant.rows(
    sql<{ id: string }>`select id::text as id from exam_item where exam_id = ${scene.built.examId} order by id limit 1`,
  )
  const json = { examId: scene.built.examId, itemIds: paper?.id }
  const expected = [
    [owes.signupId, false, expect.stringMatching(/缴费|缴纳/)],
    [asked.signupId, false, expect.stringContaining('退费')],
    [deleted.signupId, false, '应缴费用已被删除且未缴纳，请联系考务重新生成应缴'],
  ]
  const named = (people: readonly { signUpId: string; hasSeat: boolean; reason: string }[]) =>
    people.map(({ signUpId, hasSeat, reason }) => [signUpId, hasSeat, reason])
  const trial = await admin.post(`${exam}/creTicketEnd`, { json: { ...json, dryRun: 1 } })
  expect([trial.body.code, trial.body.data?.eligible]).toEqual([200, 1])
  expect(named(trial.body.data.leftOut)).toEqual(expected)
  const made = await admin.post(`${exam}/creTicketEnd`, { json })
  expect([made.body.code, made.body.data.made]).toEqual([200, 1])
  expect(named(made.body.data.leftOut)).toEqual(expected)
  const check = await admin.post(`${exam}/releaseTickets`, { json: { ...json, dryRun: 1 } })
  expect(named(check.body.data.facts.leftOut)).toEqual(expected)
  expect(
    await scene.tenant.rows(sql`select count(*)::int as n from ticket where exam_id = ${scene.built.examId} and not is_deleted`),
  ).toEqual([{ n: 1 }])
})
