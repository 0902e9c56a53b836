import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import {
  alarmsOf,
  beginPayments,
  deliver,
  emulatorOf,
  exam,
  moneyOf,
  noticesAbout,
  noticesOf,
  openCode,
  type Payer,
  type PayScene,
  payScene,
} from '../../support/pay.ts'
import { rooms } from '../../support/ticket-people.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())
beforeEach(() => beginPayments(t))

/** A due paid by its code. */
const paid = async (scene: PayScene): Promise<Payer & { orderNo: string }> => {
  const payer = await scene.payer()
  const { orderNo, codeUrl } = await openCode(payer.person, payer.payId)
  const { emulator } = await emulatorOf(t)
  await emulator.payAsPerson(codeUrl)
  await emulator.runDue()
  return { ...payer, orderNo }
}
/** Lets the provider settle what is due and tell us. */
const settle = async (): Promise<void> => {
  t.clock.advance(3_000)
  await (await emulatorOf(t)).emulator.runDue()
}
/** What the list of finance says about refunds that wait for people. */
const waiting = async (scene: PayScene) => {
  const { body } = await scene.finance.get('/blade-examPay/exampay/list')
  return body.data.records.map(({ state, askedAmount, askedReason, failedAmount, waitsFor }: Record<string, unknown>) => [
    state,
    askedAmount,
    askedReason,
    failedAmount,
    waitsFor,
  ])
}
const backPay = (person: { post: Payer['person']['post'] }, json: object) => person.post(`${exam}/backPay`, { json })

describe('refunds (domain 8.5)', () => {
  test('[19.9][19.10] who asks money back gets no seat and no ticket, is told so everywhere, and may take the request back until it is decided', async () => {
    const scene = await payScene(t, {
      exam: { refund_policy: 1, ticket_begin: '2026-03-17 09:00:00' },
      papers: [
        { itemCode: '01', itemName: '综合基础知识', startTime: '2026-03-28 09:00:00', endTime: '2026-03-28 10:30:00', rooms: rooms(1) },
      ],
    })
    const { examId, papers } = scene.built
    const admin = await scene.tenant.staff('exam_admin')
    const { person, payId, signupId } = await paid(scene)
    const other = await paid(scene)
    const told = await paid(scene)
    const unpaid = await scene.payer()
    const eligible = async () =>
      (await admin.post(`${exam}/creTicketEnd`, { json: { examId, itemIds: papers['01'], dryRun: 1 } })).body.data.eligible
    const nextOf = async (who: Payer['person']) => {
      const { nextAction } = (await who.get('/blade-signup/signup/myExamList')).body.data.records[0]
      return [nextAction.code, nextAction.text, nextAction.hint, nextAction.deadline, nextAction.link]
    }
    const whyNot = async (who: Payer['person']) => {
      const [item] = (await who.get(`${exam}/findTicketItems`, { query: { examId } })).body.data
      return [item.canDownload, item.reason, item.isEntitled]
    }
    expect(await eligible()).toBe(3)
    expect(await whyNot(unpaid.person)).toEqual([false, '还有未缴费用，缴清后才能打印准考证', false])
    expect(await whyNot(person)).toEqual([false, '准考证未发布', true])

    expect((await backPay(person, { payId, reason: '误缴' })).body.data).toMatchObject({ state: 0, amount: 10_000 })
    const refund = async () => (await person.get(`${exam}/getMyPayList`)).body.data[0].refund
    expect(await refund()).toMatchObject({ state: 0, canTakeBack: true })
    expect(await eligible()).toBe(2)
    expect(await nextOf(person)).toEqual([
      'refund',
      '退费申请待审批',
      '申请期间不能打印准考证，批准后考试名额不再保留；审批前可以撤回申请',
      null,
      '/signup/examPay',
    ])
    const bar = '退费申请处理中，不能打印准考证；审批前可在“我的缴费”撤回申请'
    expect(await whyNot(person)).toEqual([false, bar, false])
    expect((await person.get('/blade-signup/signup/exportTicket', { query: { id: signupId, type: 1 } })).body).toMatchObject({
      code: 2312,
      msg: bar,
    })
    // The seats are drawn without them, and late seating passes them over too.
    expect((await admin.post(`${exam}/creTicketEnd`, { json: { examId, itemIds: papers['01'] } })).body.data.made).toBe(2)
    const late = async () => (await admin.post(`${exam}/seatLate`, { json: { examId, itemId: papers['01'], dryRun: 1 } })).body.data.late
    expect(await late()).toBe(0)

    // Whoever has a seat and asks back then is not told that a ticket can be printed.
    await backPay(other.person, { payId: other.payId, reason: '误缴' })
    const out = await admin.post(`${exam}/releaseTickets`, { json: { examId, itemIds: papers['01'], force: 1 } })
    expect(out.body.data).toMatchObject({ step: 'released', changed: 2 })
    await t.runTasks()
    const ready = '准考证可以打印了'
    expect((await noticesOf(scene.tenant, told.person.userId)).includes(ready)).toBe(true)
    for (const one of [person, other.person]) expect((await noticesOf(scene.tenant, one.userId)).includes(ready)).toBe(false)
    expect((await nextOf(told.person))[0]).toBe('downloadTicket')
    expect((await nextOf(other.person)).slice(0, 2)).toEqual(['refund', '退费申请待审批'])
    expect((await whyNot(person))[1]).toBe(bar)

    // Nobody else takes it back: not another candidate, not finance, who did not ask.
    const gone = { code: 2201, reason: 'pay/refund-decided' }
    expect((await backPay(other.person, { payId, takeBack: 1 })).status).toBe(404)
    expect((await backPay(scene.finance, { payId, takeBack: 1 })).body).toMatchObject(gone)
    expect((await backPay(person, { payId, takeBack: 1 })).body.data).toMatchObject({ state: 3, amount: 10_000 })
    expect((await backPay(person, { payId, takeBack: 1 })).body).toMatchObject(gone)
    expect(await refund()).toMatchObject({ state: 3, canTakeBack: false, isTakenBack: true, rejection: '', reason: '误缴' })
    expect((await moneyOf(scene.tenant, payId)).due).toMatchObject({ state: 'paid', payState: 'paid', refunded: 0 })
    expect(await late()).toBe(1)
    expect((await nextOf(person))[0]).toBe('waitTicket')
    expect((await whyNot(person))[1]).toBe('准考证已发布，但您还没有编排座位，请联系考务')
    expect((await noticesOf(scene.tenant, person.userId)).slice(-2)).toEqual(['退费申请已提交', '退费申请已撤回'])
    expect(
      await scene.tenant.rows(
        sql`select action, before_value as before, after_value as after from audit_log where action = 'refund.taken-back'`,
      ),
    ).toEqual([{ action: 'refund.taken-back', before: { state: 'requested' }, after: { state: 'closed', amountFen: 10_000 } }])

    // What the office asks for is the office's to take back, and the candidate reads so.
    expect((await backPay(scene.finance, { payId, reason: '误缴' })).body.data.state).toBe(0)
    expect((await backPay(person, { payId, takeBack: 1 })).body).toMatchObject(gone)
    expect(await refund()).toMatchObject({ state: 0, canTakeBack: false })
    expect(await whyNot(person)).toEqual([false, '工作人员已为您申请退费，不能打印准考证；如有疑问请联系考务', false])
    expect((await nextOf(person)).slice(0, 3)).toEqual([
      'refund',
      '退费处理中',
      '退费期间不能打印准考证，退费后考试名额不再保留；如有疑问请联系考务',
    ])
    expect((await backPay(scene.finance, { payId, takeBack: 1 })).body.data.state).toBe(3)
    expect(await late()).toBe(1)

    // Asked again and approved: too late to take it back.
    await backPay(person, { payId, reason: '误缴' })
    expect((await backPay(scene.finance, { payId, approve: 1 })).body.data.state).toBe(1)
    expect((await backPay(person, { payId, takeBack: 1 })).body).toMatchObject(gone)
    expect(await nextOf(person)).toEqual(['refund', '退费处理中', '考试名额已取消，费用将原路退回', null, '/signup/examPay'])
    expect(await whyNot(person)).toEqual([false, '正在退费，不再参加本次考试', false])
    await t.runTasks()
    await settle()
    expect((await nextOf(person)).slice(0, 2)).toEqual(['none', '已退费，不再参加本次考试'])
    expect(await whyNot(person)).toEqual([false, '已退费，不再参加本次考试', false])
    // A fee that was not paid in time.
    t.clock.set('2026-03-24T10:00:00+08:00')
    await t.runTasks()
    expect((await nextOf(unpaid.person)).slice(0, 2)).toEqual(['missed', '逾期未缴费'])
    expect((await whyNot(unpaid.person))[1]).toBe('逾期未缴费，不能参加本次考试')
  })

  test('[two persons: refundAtDue] 8.5 one of finance applies, another approves; the money goes back and the due says so', async () => {
    const scene = await payScene(t)
    const second = await scene.tenant.staff('finance')
    const { payId, orderNo } = await paid(scene)
    const asked = await backPay(scene.finance, { payId, reason: '误缴' })
    expect(asked.body.data).toEqual({ refundNo: `R${orderNo}01`, state: 0, amount: 10_000 })
    // The due is paid until somebody agrees: only this tells the second person that there is something to decide.
    expect(await waiting(scene)).toEqual([[2, 10_000, 'mistake', null, 1]])
    const own = await backPay(scene.finance, { payId, approve: 1 })
    expect([own.status, own.body.code]).toEqual([409, 2608])
    expect((await moneyOf(scene.tenant, payId)).due).toMatchObject({ state: 'paid', payState: 'paid' })

    expect((await backPay(second, { payId, approve: 1 })).body.data.state).toBe(1)
    expect((await moneyOf(scene.tenant, payId)).due).toMatchObject({ state: 'refunding', payState: 'refunding' })
    expect(await waiting(scene)).toEqual([[3, null, null, null, null]])
    await t.runTasks()
    await settle()
    expect(await moneyOf(scene.tenant, payId)).toEqual({
      due: { state: 'refunded', paid: 10_000, refunded: 10_000, payState: 'refunded' },
      orders: [{ orderNo, state: 'refunded', exception: null, notices: 1 }],
      ledger: [
        { kind: 'pay', fen: 10_000 },
        { kind: 'refund', fen: -10_000 },
      ],
      refunds: [{ state: 'succeeded', reason: 'mistake', fen: 10_000 }],
    })
    const again = await backPay(scene.finance, { payId, reason: '误缴' })
    expect(again.body.code).toBe(2607)
  })

  test('8.5 limits: parts: at most what is left (2607), the due stays paid until all of it went back', async () => {
    const scene = await payScene(t)
    const second = await scene.tenant.staff('finance')
    const { payId } = await paid(scene)
    expect((await backPay(scene.finance, { payId, amount: 10_001, reason: '其他' })).body.code).toBe(2607)
    await backPay(scene.finance, { payId, amount: 4_000, reason: '其他' })
    await backPay(second, { payId, approve: 1 })
    await t.runTasks()
    await settle()
    expect((await moneyOf(scene.tenant, payId)).due).toEqual({ state: 'paid', paid: 10_000, refunded: 4_000, payState: 'paid' })
    expect((await backPay(scene.finance, { payId, amount: 6_001, reason: '其他' })).body.code).toBe(2607)
    await backPay(scene.finance, { payId, reason: '其他' })
    await backPay(second, { payId, approve: 1 })
    // The provider takes the second refund of an order a minute after the first.
    await t.runTasks()
    expect((await moneyOf(scene.tenant, payId)).refunds[1]).toEqual({ state: 'submitted', reason: 'other', fen: 6_000 })
    t.clock.advance(60_000)
    await t.runTasks()
    await settle()
    const money = await moneyOf(scene.tenant, payId)
    expect(money.due).toEqual({ state: 'refunded', paid: 10_000, refunded: 10_000, payState: 'refunded' })
    expect(money.ledger.map(line => line.fen)).toEqual([10_000, -4_000, -6_000])
  })

  test('[19.9] a candidate asks only where the examination gives back on their own wish; finance may reject, and both words are read', async () => {
    const strict = await payScene(t)
    const first = await paid(strict)
    expect((await backPay(first.person, { payId: first.payId, reason: '不考了' })).body.code).toBe(2607)

    const scene = await payScene(t, { exam: { refund_policy: 1 } })
    const { person, payId } = await paid(scene)
    const { body: before } = await person.get(`${exam}/getMyPayList`)
    expect(before.data).toMatchObject([{ state: 2, canRefund: true, refund: null }])
    // A seat for a fen: nobody keeps the place by asking for nearly all of the fee.
    expect((await backPay(person, { payId, reason: '不考了', amount: 9_999 })).body).toMatchObject({
      code: 2607,
      reason: 'pay/refund-whole',
    })
    expect((await backPay(person, { payId, reason: '不考了' })).body.data).toMatchObject({ state: 0, amount: 10_000 })
    expect((await backPay(person, { payId, approve: 1 })).status).toBe(403)
    const { body: after } = await person.get(`${exam}/getMyPayList`)
    expect(after.data).toMatchObject([
      { state: 2, canRefund: false, refund: { state: 0, amount: 10_000, reason: '不考了', rejection: '', isTakenBack: false } },
    ])
    expect(await scene.tenant.rows(sql`select reason, remark from pay_refund`)).toEqual([{ reason: 'other', remark: '不考了' }])
    expect(await waiting(scene)).toEqual([[2, 10_000, '不考了', null, 1]])
    // Whoever decides sees when it was asked for, and what came before.
    const asked = async () => {
      const { askedTime, askedBefore } = (await scene.finance.get('/blade-examPay/exampay/detail', { query: { id: payId } })).body.data
      return [askedTime, askedBefore]
    }
    expect(await asked()).toEqual([expect.stringMatching(/^2026-03-/), 0])
    expect((await backPay(scene.finance, { payId, approve: 2, reason: '准考证已下载' })).body.data.state).toBe(5)
    expect(await asked()).toEqual([null, 1])
    // Why is told to the person, and kept.
    expect((await person.get(`${exam}/getMyPayList`)).body.data[0].refund).toMatchObject({
      state: 5,
      reason: '不考了',
      rejection: '准考证已下载',
      isTakenBack: false,
    })
    const refusal = '2026年区卫生健康系统事业单位公开招聘：退费申请 100.00 元未通过审批：准考证已下载'
    expect(
      await scene.tenant.rows(sql`select content_zh as content from notify where user_id = ${person.userId} order by id desc limit 1`),
    ).toEqual([{ content: refusal }])
    expect(await scene.tenant.rows(sql`select after_value->>'remark' as remark from audit_log where action = 'refund.rejected'`)).toEqual([
      { remark: '准考证已下载' },
    ])
    expect(await waiting(scene)).toEqual([[2, null, null, null, null]])
    expect((await moneyOf(scene.tenant, payId)).due).toMatchObject({ state: 'paid' })
  })

  test('8.5 invoice: an issued receipt has to be reversed first', async () => {
    const scene = await payScene(t)
    const second = await scene.tenant.staff('finance')
    const { payId } = await paid(scene)
    await scene.tenant.rows(sql`update exam_pay set is_invoice = 1 where id = ${payId}`)
    await backPay(scene.finance, { payId, reason: '岗位取消' })
    const refused = await backPay(second, { payId, approve: 1 })
    expect([refused.status, refused.body.reason]).toEqual([409, 'pay/invoice-issued'])
    expect((await backPay(second, { payId, approve: 1, invoiceReversed: 1 })).body.data.state).toBe(1)
  })

  test('8.5 same out_refund_no on retry: without a refund notice the questions find the outcome; a lost answer never pays twice', async () => {
    const scene = await payScene(t)
    const second = await scene.tenant.staff('finance')
    const { payId, orderNo } = await paid(scene)
    await backPay(scene.finance, { payId, reason: '其他' })
    await backPay(second, { payId, approve: 1 })
    const { emulator } = await emulatorOf(t)
    emulator.faults.calls.push('lostAnswer', 'lostAnswer')
    await t.runTasks()
    expect((await moneyOf(scene.tenant, payId)).refunds).toEqual([{ state: 'submitted', reason: 'other', fen: 10_000 }])
    t.clock.advance(60_000)
    await t.runTasks()
    const money = await moneyOf(scene.tenant, payId)
    expect(money.refunds).toEqual([{ state: 'succeeded', reason: 'other', fen: 10_000 }])
    expect(money.ledger.map(line => line.fen)).toEqual([10_000, -10_000])
    // The notice comes after the answer and changes nothing.
    for (const notice of await noticesAbout(t, `R${orderNo}01`)) expect((await deliver(t, notice)).status).toBe(204)
    expect(await moneyOf(scene.tenant, payId)).toEqual(money)
  })

  test('8.5 abnormal (scenario 20): a dead card is a task for finance, who transfer the money and record the voucher', async () => {
    const scene = await payScene(t)
    const second = await scene.tenant.staff('finance')
    const { payId, orderNo } = await paid(scene)
    const { emulator } = await emulatorOf(t)
    emulator.faults.refund = 'ABNORMAL'
    await backPay(scene.finance, { payId, reason: '其他' })
    await backPay(second, { payId, approve: 1 })
    await t.runTasks()
    await settle()
    expect((await moneyOf(scene.tenant, payId)).refunds).toEqual([{ state: 'abnormal', reason: 'other', fen: 10_000 }])
    expect(await alarmsOf(scene.tenant)).toEqual(['refundAbnormal'])
    expect(await waiting(scene)).toEqual([[3, null, null, 10_000, 3]])
    const done = await backPay(second, { payId, approve: 1, voucherNo: 'T-77' })
    expect(done.body.data).toEqual({ refundNo: `R${orderNo}01`, state: 2, amount: 10_000 })
    expect(await scene.tenant.rows(sql`select voucher_no from pay_refund`)).toEqual([{ voucher_no: 'T-77' }])
    expect((await moneyOf(scene.tenant, payId)).due).toMatchObject({ state: 'refunded', refunded: 10_000 })
  })

  test('the same Idempotency-Key asks once', async () => {
    const scene = await payScene(t)
    const { payId } = await paid(scene)
    const ask = () =>
      scene.finance.post(`${exam}/backPay`, {
        json: { payId, amount: 100, reason: '其他' },
        headers: { 'idempotency-key': 'refund-once-1' },
      })
    const [first, second] = [await ask(), await ask()]
    expect(second.body).toEqual(first.body)
    expect((await moneyOf(scene.tenant, payId)).refunds).toHaveLength(1)
  })
})

describe('offline payments (handleUp, scenario 5)', () => {
  const posting = (payId: string, more: object = {}) => ({
    payId,
    payWay: 2,
    amount: 10_000,
    paidTime: '2026-03-17 09:30:00',
    voucherNo: `B-${payId}`,
    ...more,
  })
  const handleUp = (person: { post: Payer['person']['post'] }, json: object) => person.post(`${exam}/handleUp`, { json })

  test('8.4-5 due paid by handleUp (scenario 5): closes the open code at the provider first; a payment that slips through is a duplicate and goes back', async () => {
    const scene = await payScene(t)
    const { person, payId } = await scene.payer()
    const { orderNo, codeUrl } = await openCode(person, payId)
    const { emulator, payments } = await emulatorOf(t)
    const done = await handleUp(scene.finance, posting(payId))
    expect(done.body.data).toEqual({ payId, state: 2, waitsForSecondPerson: false })
    expect(emulator.orderByCodeUrl(codeUrl)?.state).toBe('closed')
    const { mchid } = await payments.merchantOf(scene.tenant.tenantId)
    await emulator.forcePayment(mchid, orderNo)
    for (const notice of await noticesAbout(t, orderNo)) await deliver(t, notice)
    expect(await moneyOf(scene.tenant, payId)).toEqual({
      due: { state: 'paid', paid: 10_000, refunded: 0, payState: 'paid' },
      orders: [{ orderNo, state: 'abnormal', exception: 'duplicate', notices: 1 }],
      ledger: [
        { kind: 'pay', fen: 10_000 },
        { kind: 'suspense', fen: 10_000 },
      ],
      refunds: [{ state: 'requested', reason: 'duplicate', fen: 10_000 }],
    })
    await t.runTasks()
    await settle()
    const money = await moneyOf(scene.tenant, payId)
    expect(money.due).toMatchObject({ state: 'paid', paid: 10_000, refunded: 0 })
    expect(money.refunds).toEqual([{ state: 'succeeded', reason: 'duplicate', fen: 10_000 }])
  })

  test('is refused with 2604 when the provider says paid, and that payment is posted', async () => {
    const scene = await payScene(t)
    const { person, payId } = await scene.payer()
    const { orderNo, codeUrl } = await openCode(person, payId)
    const { emulator } = await emulatorOf(t)
    await emulator.payAsPerson(codeUrl)
    const refused = await handleUp(scene.finance, posting(payId))
    expect([refused.status, refused.body.code]).toEqual([409, 2604])
    const money = await moneyOf(scene.tenant, payId)
    expect(money.due).toMatchObject({ state: 'paid', paid: 10_000 })
    expect(money.orders).toMatchObject([{ orderNo, state: 'paid' }])
    expect(money.ledger).toEqual([{ kind: 'pay', fen: 10_000 }])
  })

  test('posts nothing while the provider does not answer (2603)', async () => {
    const scene = await payScene(t)
    const { person, payId } = await scene.payer()
    await openCode(person, payId)
    const { emulator } = await emulatorOf(t)
    emulator.faults.calls.push('busy')
    expect((await handleUp(scene.finance, posting(payId))).body.code).toBe(2603)
    expect((await moneyOf(scene.tenant, payId)).due.state).toBe('due')
  })

  test('another amount 2605, a used voucher 400, paid already 2601, no permission 403', async () => {
    const scene = await payScene(t)
    const [first, second] = [await scene.payer(), await scene.payer()]
    const short = await handleUp(scene.finance, posting(first.payId, { amount: 9_999 }))
    expect([short.status, short.body.code]).toEqual([422, 2605])
    await handleUp(scene.finance, posting(first.payId, { voucherNo: 'B-1' }))
    expect((await handleUp(scene.finance, posting(second.payId, { voucherNo: 'B-1' }))).status).toBe(400)
    expect((await handleUp(scene.finance, posting(first.payId))).body.code).toBe(2601)
    const exams = await scene.tenant.staff('exam_admin')
    expect((await handleUp(exams, posting(second.payId))).status).toBe(403)
  })

  test('8.1 what came by hand goes back by hand: one asks, another has transferred it and writes down the voucher', async () => {
    const scene = await payScene(t)
    const second = await scene.tenant.staff('finance')
    const { person, payId } = await scene.payer()
    await handleUp(scene.finance, posting(payId))
    expect((await backPay(person, { payId, reason: '不考了' })).body.reason).toBe('pay/refund-not-allowed')
    expect((await backPay(scene.finance, { payId, amount: 10_001, reason: '误缴' })).body.reason).toBe('pay/exceeds-refundable')
    const asked = await backPay(scene.finance, { payId, amount: 4_000, reason: '误缴' })
    expect(asked.body.data).toEqual({ refundNo: `RH${payId}01`, state: 0, amount: 4_000 })
    // What has been asked for is not asked for again.
    expect((await backPay(scene.finance, { payId, amount: 6_001, reason: '误缴' })).body.reason).toBe('pay/exceeds-refundable')
    expect(await waiting(scene)).toEqual([[2, 4_000, 'mistake', null, 1]])

    const own = await backPay(scene.finance, { payId, approve: 1, voucherNo: 'T-1' })
    expect([own.status, own.body.reason]).toEqual([409, 'pay/approver-is-applicant'])
    const silent = await backPay(second, { payId, approve: 1, voucherNo: ' ' })
    expect([silent.status, silent.body.data]).toEqual([
      400,
      { fields: [{ field: 'voucherNo', msg: '线下缴费须先转账退回，请输入转账凭证号' }] },
    ])
    await scene.tenant.rows(sql`update exam_pay set is_invoice = 1 where id = ${payId}`)
    expect((await backPay(second, { payId, approve: 1, voucherNo: 'T-1' })).body.reason).toBe('pay/invoice-issued')
    const part = await backPay(second, { payId, approve: 1, voucherNo: ' T-1 ', invoiceReversed: 1 })
    expect(part.body.data).toEqual({ refundNo: `RH${payId}01`, state: 2, amount: 4_000 })
    expect((await moneyOf(scene.tenant, payId)).due).toEqual({ state: 'paid', paid: 10_000, refunded: 4_000, payState: 'paid' })

    await backPay(scene.finance, { payId, reason: '其他' })
    expect((await backPay(second, { payId, approve: 2, reason: '材料不全' })).body.data.state).toBe(5)
    expect(await scene.tenant.rows(sql`select content_zh as content from notify where title_zh = '退费申请未通过'`)).toEqual([
      { content: '2026年区卫生健康系统事业单位公开招聘：退费申请 60.00 元未通过审批：材料不全' },
    ])
    await backPay(scene.finance, { payId, reason: '其他' })
    await backPay(second, { payId, approve: 1, voucherNo: 'T-2', invoiceReversed: 1 })
    expect(await moneyOf(scene.tenant, payId)).toEqual({
      due: { state: 'refunded', paid: 10_000, refunded: 10_000, payState: 'refunded' },
      orders: [],
      ledger: [
        { kind: 'pay', fen: 10_000 },
        { kind: 'refund', fen: -4_000 },
        { kind: 'refund', fen: -6_000 },
      ],
      refunds: [
        { state: 'succeeded', reason: 'mistake', fen: 4_000 },
        { state: 'rejected', reason: 'other', fen: 6_000 },
        { state: 'succeeded', reason: 'other', fen: 6_000 },
      ],
    })
    expect(await scene.tenant.rows(sql`select voucher_no from pay_refund order by id`)).toEqual([
      { voucher_no: 'T-1' },
      { voucher_no: null },
      { voucher_no: 'T-2' },
    ])
    expect(await noticesOf(scene.tenant, person.userId)).toEqual([
      '缴费成功',
      '退费申请已提交',
      '退费完成',
      '退费申请已提交',
      '退费申请未通过',
      '退费申请已提交',
      '退费完成',
    ])
    expect((await backPay(scene.finance, { payId, reason: '误缴' })).body.reason).toBe('pay/not-refundable')
    await t.runTasks()
    expect(await alarmsOf(scene.tenant)).toEqual([])
  })

  test('a candidate asks for what came by hand where the examination gives back on their own wish', async () => {
    const scene = await payScene(t, { exam: { refund_policy: 1 } })
    const { person, payId } = await scene.payer()
    await handleUp(scene.finance, posting(payId))
    expect((await person.get(`${exam}/getMyPayList`)).body.data).toMatchObject([{ state: 2, canRefund: true }])
    expect((await backPay(person, { payId, reason: '不考了' })).body.data).toMatchObject({ state: 0, amount: 10_000 })
    expect((await person.get(`${exam}/getMyPayList`)).body.data).toMatchObject([{ state: 2, canRefund: false }])
  })

  test('a posting waits where finance looks for it, until somebody pays another way', async () => {
    const scene = await payScene(t, { exam: { fee_fen: 150_000 } })
    const { person, payId } = await scene.payer()
    const cashier = await scene.tenant.staff('finance', { realName: '钱会计' })
    await handleUp(cashier, posting(payId, { amount: 150_000, voucherNo: 'B-9' }))
    const found = async (waitsFor: number) => {
      const { body } = await scene.finance.get('/blade-examPay/exampay/list', { query: { waitsFor: String(waitsFor) } })
      return body.data.records.map((row: Record<string, unknown>) => row.id)
    }
    expect([await found(1), await found(2), await found(3)]).toEqual([[], [payId], []])
    const { body } = await scene.finance.get('/blade-examPay/exampay/detail', { query: { id: payId } })
    expect(body.data).toMatchObject({
      waitsFor: 2,
      postedAmount: 150_000,
      postedTime: '2026-03-17 10:00:00',
      postedName: '钱会计',
    })
    const { codeUrl } = await openCode(person, payId)
    const { emulator } = await emulatorOf(t)
    await emulator.payAsPerson(codeUrl)
    await emulator.runDue()
    expect(await found(2)).toEqual([])
    const other = await scene.payer()
    expect((await handleUp(scene.finance, posting(other.payId, { amount: 150_000, voucherNo: 'B-9' }))).body.code).toBe(200)
  })

  test('an order says which refund of its own waits for a second person', async () => {
    const scene = await payScene(t)
    const { payId, orderNo } = await paid(scene)
    await backPay(scene.finance, { payId, amount: 100, reason: '其他' })
    const { body } = await scene.finance.get('/blade-payOrder/payorder/list')
    expect(body.data.records.map((row: Record<string, unknown>) => [row.orderNo, row.askedAmount])).toEqual([[orderNo, 100]])
  })

  test('[two persons: manualPayment] above the limit a second person sends the same; other facts are refused', async () => {
    const scene = await payScene(t, { exam: { fee_fen: 150_000 } })
    const second = await scene.tenant.staff('finance')
    const { payId } = await scene.payer()
    const facts = posting(payId, { amount: 150_000 })
    expect((await handleUp(scene.finance, facts)).body.data).toEqual({ payId, state: 1, waitsForSecondPerson: true })
    expect((await handleUp(scene.finance, facts)).body.data.waitsForSecondPerson).toBe(true)
    const other = await handleUp(second, { ...facts, voucherNo: 'B-other' })
    expect([other.status, other.body.code]).toEqual([422, 2605])
    expect((await moneyOf(scene.tenant, payId)).due.state).toBe('due')
    expect((await handleUp(second, facts)).body.data).toEqual({ payId, state: 2, waitsForSecondPerson: false })
    expect(await scene.tenant.rows(sql`select posted_by::text as a, confirmed_by::text as b from exam_pay where id = ${payId}`)).toEqual([
      { a: scene.finance.userId, b: second.userId },
    ])
    const [{ realName = '' } = {}] = await scene.tenant.rows(
      sql<{ realName: string }>`select real_name as "realName" from account where id = ${second.userId}`,
    )
    expect((await scene.finance.get('/blade-examPay/exampay/detail', { query: { id: payId } })).body.data).toMatchObject({
      enteredName: realName,
      enteredTime: '2026-03-17 10:00:00',
    })
  })

  test('the same Idempotency-Key posts once and answers the same', async () => {
    const scene = await payScene(t)
    const { payId } = await scene.payer()
    const send = () => scene.finance.post(`${exam}/handleUp`, { json: posting(payId), headers: { 'idempotency-key': 'posting-once-1' } })
    const [first, second] = [await send(), await send()]
    expect(first.body.data).toEqual({ payId, state: 2, waitsForSecondPerson: false })
    expect(second.body).toEqual(first.body)
  })
})

describe('[29.5] many refunds', () => {
  const path = '/blade-payRefund/payrefund'
  const paidOne = async (scene: PayScene) => {
    const payer = await scene.payer()
    const { orderNo, codeUrl } = await openCode(payer.person, payer.payId)
    const { emulator } = await emulatorOf(t)
    await emulator.payAsPerson(codeUrl)
    await emulator.runDue()
    return { ...payer, orderNo }
  }
  test('[two persons: refund] a second person approves several at once; their own, one by hand and a decided one are named and hold up nobody', async () => {
    const scene = await payScene(t)
    const other = await payScene(t)
    const second = await scene.tenant.staff('finance')
    const [a, b, own, hand] = [await paidOne(scene), await paidOne(scene), await paidOne(scene), await scene.payer()]
    await scene.finance.post(`${exam}/handleUp`, {
      multipart: { fields: { payId: hand.payId, payWay: '2', amount: '10000', paidTime: '2026-03-17 09:00:00', voucherNo: 'HB1' } },
    })
    for (const one of [a, b, hand]) await scene.finance.post(`${exam}/backPay`, { json: { payId: one.payId, reason: '误缴' } })
    await second.post(`${exam}/backPay`, { json: { payId: own.payId, reason: '误缴' } })
    const list = async () => (await second.get(`${path}/list`, { query: { ascs: 'id' } })).body.data.records
    const waiting = await list()
    expect(waiting).toMatchObject([
      {
        payId: a.payId,
        amount: 10_000,
        state: 0,
        waitsFor: 1,
        reason: 'mistake',
        remark: '',
        applyTime: '2026-03-17 10:00:00',
        approveTime: null,
      },
      { payId: b.payId, waitsFor: 1 },
      { payId: hand.payId, waitsFor: 2, orderNo: null },
      { payId: own.payId, waitsFor: 1 },
    ])
    const ids = waiting.map((row: { id: string }) => row.id).join(',')
    const say = (who: typeof second, json: object) => who.post(`${path}/approve`, { json: { ids, ...json } })
    expect((await say(other.finance, { approve: 1 })).body.code).toBe(404)
    expect((await say(second, { approve: 2 })).body).toMatchObject({ code: 400, data: { fields: [{ field: 'reason' }] } })
    const answer = (await say(second, { approve: 1 })).body.data
    expect(answer).toEqual({
      done: 2,
      failed: [
        { refundNo: `RH${hand.payId}01`, reason: '线下缴费须先转账退回，请输入转账凭证号' },
        { refundNo: `R${own.orderNo}01`, reason: '退费审批人不能是申请人' },
      ],
    })
    expect((await say(second, { approve: 1 })).body.data).toMatchObject({ done: 0, failed: { length: 4 } })
    await t.runTasks()
    t.clock.advance(3_000)
    await (await emulatorOf(t)).emulator.runDue()
    for (const one of [a, b])
      expect(await moneyOf(scene.tenant, one.payId)).toMatchObject({
        due: { state: 'refunded', refunded: 10_000 },
        refunds: [{ state: 'succeeded' }],
      })
    expect((await list())[0]).toMatchObject({
      state: 2,
      waitsFor: null,
      submitTime: '2026-03-17 10:00:00',
      successTime: '2026-03-17 10:00:03',
    })
    // The candidate sees each step with its time.
    const { refund } = (await a.person.get(`${exam}/getMyPayList`)).body.data[0]
    expect(refund).toMatchObject({
      state: 2,
      applyTime: '2026-03-17 10:00:00',
      approveTime: '2026-03-17 10:00:00',
      submitTime: '2026-03-17 10:00:00',
      successTime: '2026-03-17 10:00:03',
    })
  })

  test('[S11] a cancelled post gives back what was paid by the queue at the provider’s pace, once, and voids what was not', async () => {
    const scene = await payScene(t)
    const paid = [await paidOne(scene), await paidOne(scene), await paidOne(scene)]
    const owing = await scene.payer()
    const hand = await scene.payer()
    await scene.finance.post(`${exam}/handleUp`, {
      multipart: { fields: { payId: hand.payId, payWay: '2', amount: '10000', paidTime: '2026-03-17 09:00:00', voucherNo: 'HC1' } },
    })
    const waits = await paidOne(scene)
    // Ninety-eight wait: two more go with those of the next second, the third with those after it.
    await scene.tenant.rows(sql`
      insert into pay_refund (tenant_id, refund_no, order_id, pay_id, user_id, amount_fen, reason, apply_by, approved_by_rule)
      select o.tenant_id, 'W' || n, o.id, o.pay_id, o.user_id, 1, 'postCancelled', 0, true from pay_order o, generate_series(1, 98) n
      where o.pay_id = ${waits.payId} and o.state = 'paid'`)
    for (const one of [...paid, owing, hand]) {
      const [first, again] = await scene.tenant.db(async db => {
        const { giveAllBack } = t.app.modules.pay
        return [await giveAllBack(db, one.signupId, 'B001'), await giveAllBack(db, one.signupId, 'B001')]
      })
      expect([first, again]).toEqual([one !== owing, false])
    }
    expect(
      await scene.tenant.rows(sql`
        select extract(epoch from o.run_at - ${t.clock.now()}::timestamptz)::int as second, r.pay_id::text as "payId" from outbox o
        join pay_refund r on r.id = (o.payload->>'refundId')::bigint where o.task = 'pay.refund' order by o.id`),
    ).toEqual(paid.map(({ payId }, place) => ({ second: place < 2 ? 1 : 2, payId })))
    t.clock.advance(2_000)
    await t.runTasks()
    t.clock.advance(3_000)
    await (await emulatorOf(t)).emulator.runDue()
    for (const one of paid)
      expect(await moneyOf(scene.tenant, one.payId)).toMatchObject({
        due: { state: 'refunded', payState: 'refunded' },
        ledger: [
          { kind: 'pay', fen: 10_000 },
          { kind: 'refund', fen: -10_000 },
        ],
        refunds: [{ state: 'succeeded', reason: 'postCancelled', fen: 10_000 }],
      })
    expect((await moneyOf(scene.tenant, owing.payId)).due.state).toBe('void')
    expect(await moneyOf(scene.tenant, hand.payId)).toMatchObject({
      due: { state: 'paid' },
      refunds: [{ state: 'requested', reason: 'postCancelled' }],
    })
  })
})
