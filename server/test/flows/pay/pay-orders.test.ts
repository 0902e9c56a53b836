import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { startTestApp, type TestApp, testStart } from '../../support/app.ts'
import { doWork } from '../../support/own-work.ts'
import { beginPayments, emulatorOf, exam, moneyOf, noticesAbout, noticesOf, openCode, payScene, runTask } from '../../support/pay.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())
beforeEach(() => beginPayments(t))
const minutes = (count: number): number => count * 60_000

describe('dues', () => {
  test.each([
    ['one per person', { exam: { fee_mode: 1, fee_fen: 10_000 } }, [['报名费', 10_000]]],
    ['nothing when free', { exam: { fee_mode: 0 } }, []],
    [
      'one per paper',
      {
        exam: { fee_mode: 2 },
        papers: [
          { itemCode: '01', itemName: '基础', startTime: '2026-03-28 09:00:00', endTime: '2026-03-28 10:00:00', feeFen: 5_000 },
          { itemCode: '02', itemName: '专业', startTime: '2026-03-28 11:00:00', endTime: '2026-03-28 12:00:00', feeFen: 6_000 },
        ],
      },
      [
        ['报名费（基础）', 5_000],
        ['报名费（专业）', 6_000],
      ],
    ],
    [
      'one per paper that the post names, and none of the others',
      {
        exam: { fee_mode: 2 },
        posts: [
          {
            ...{ code: 'B001', codeName: '护士', unit: 'H01', unitName: '区人民医院', type: 'B', typeName: '护理', planNum: 4 },
            itemCodes: ['02'],
          },
        ],
        papers: [
          { itemCode: '01', itemName: '基础', startTime: '2026-03-28 09:00:00', endTime: '2026-03-28 10:00:00', feeFen: 5_000 },
          { itemCode: '02', itemName: '专业', startTime: '2026-03-28 11:00:00', endTime: '2026-03-28 12:00:00', feeFen: 6_000 },
        ],
      },
      [['报名费（专业）', 6_000]],
    ],
    [
      'the fee of the post',
      {
        exam: { fee_mode: 3 },
        posts: [
          { code: 'B001', codeName: '护士', unit: 'H01', unitName: '区人民医院', type: 'B', typeName: '护理', planNum: 4, feeFen: 8_000 },
        ],
      },
      [['报名费', 8_000]],
    ],
  ] as const)('arise by the fee mode: %s', async (_name, overrides, expected) => {
    const scene = await payScene(t, overrides)
    const { signupId } = await scene.payer()
    const rows = await scene.tenant.rows(
      sql<{
        name: string
        fen: number
      }>`select pay_name as name, amount_fen as fen from exam_pay where signup_id = ${signupId} order by id`,
    )
    expect(rows.map(row => [row.name, row.fen])).toEqual(expected)
    const [signup] = await scene.tenant.rows(sql<{ payState: string }>`select pay_state as "payState" from signup where id = ${signupId}`)
    expect(signup?.payState).toBe(expected.length === 0 ? 'none' : 'due')
  })

  test('are made once and voided with the sign-up; the open code is closed', async () => {
    const scene = await payScene(t)
    const { person, signupId, payId } = await scene.payer()
    expect(await scene.tenant.db(db => t.app.modules.pay.openDues(db, signupId))).toBe('due')
    expect(await scene.tenant.rows(sql`select count(*)::int as n from exam_pay`)).toEqual([{ n: 1 }])
    // The review's own notice names sum and end.
    expect(await noticesOf(scene.tenant, person.userId)).toEqual([])
    const { codeUrl } = await openCode(person, payId)
    await scene.tenant.db(db => t.app.modules.pay.voidDues(db, signupId))
    expect((await moneyOf(scene.tenant, payId)).due).toEqual({ state: 'void', paid: 0, refunded: 0, payState: 'none' })
    await t.runTasks()
    const { emulator } = await emulatorOf(t)
    expect(emulator.orderByCodeUrl(codeUrl)?.state).toBe('closed')
    expect((await moneyOf(scene.tenant, payId)).orders).toMatchObject([{ state: 'closed' }])
  })

  test('owed on submit are told by a notice of their own', async () => {
    const scene = await payScene(t, { exam: { pay_when: 2 } })
    const { person } = await scene.payer()
    expect(await noticesOf(scene.tenant, person.userId)).toEqual(['请缴费'])
  })

  test('whoever passes after the end has 24 hours and is told so', async () => {
    t.clock.set('2026-03-23T10:00:00+08:00')
    const scene = await payScene(t)
    const { person, payId } = await scene.payer()
    const { body } = await person.get(`${exam}/getMyPay`, { query: { examId: scene.built.examId } })
    expect(body.data).toMatchObject({
      dueAmount: 10_000,
      payEnd: '2026-03-22 17:00:00',
      rows: [{ id: payId, deadline: '2026-03-24 10:00:00', canPay: true }],
    })
    expect(await noticesOf(scene.tenant, person.userId)).toEqual(['请缴费'])
    expect((await openCode(person, payId)).orderNo).toMatch(/^E26032310000003/)
  })
})

describe('the code', () => {
  test('is shown again while it has more than two minutes, then closed at the provider and replaced', async () => {
    const scene = await payScene(t)
    const { person, payId } = await scene.payer()
    const { body } = await person.get(`${exam}/getPayQrcode`, { query: { payId } })
    expect(body.data).toMatchObject({
      amount: 10_000,
      expireTime: '2026-03-17 10:30:00',
      serverTime: '2026-03-17 10:00:00',
      demoPayUrl: `/demo/wxpay?code_url=${encodeURIComponent(body.data.codeUrl)}&lang=zh`,
    })
    expect(Buffer.from(body.data.qr, 'base64').toString('utf8')).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg"/)
    t.clock.advance(minutes(27))
    expect((await openCode(person, payId)).orderNo).toBe(body.data.orderNo)
    t.clock.advance(minutes(1))
    const second = await openCode(person, payId)
    expect(second.orderNo).not.toBe(body.data.orderNo)
    const { emulator } = await emulatorOf(t)
    expect(emulator.orderByCodeUrl(body.data.codeUrl)?.state).toBe('closed')
    expect((await moneyOf(scene.tenant, payId)).orders.map(order => order.state)).toEqual(['closed', 'pending'])
  })

  test('two windows at once get one order', async () => {
    const scene = await payScene(t)
    const { person, payId } = await scene.payer()
    const codes = await Promise.all([openCode(person, payId), openCode(person, payId), openCode(person, payId)])
    expect(new Set(codes.map(code => code.orderNo)).size).toBe(1)
    expect(new Set(codes.map(code => code.codeUrl)).size).toBe(1)
    expect((await moneyOf(scene.tenant, payId)).orders).toHaveLength(1)
  })

  test('a payment found while the stale code is replaced is posted (2601)', async () => {
    const scene = await payScene(t)
    const { person, payId } = await scene.payer()
    const { codeUrl } = await openCode(person, payId)
    const { emulator } = await emulatorOf(t)
    await emulator.payAsPerson(codeUrl)
    t.clock.advance(minutes(29))
    const again = await person.get(`${exam}/getPayQrcode`, { query: { payId } })
    expect(again.body).toMatchObject({ code: 2601 })
    expect((await moneyOf(scene.tenant, payId)).due).toMatchObject({ state: 'paid', paid: 10_000 })
  })

  test('a provider that does not answer is 2603 with Retry-After; the next try repeats the same number', async () => {
    const scene = await payScene(t)
    const { person, payId } = await scene.payer()
    const { emulator } = await emulatorOf(t)
    emulator.faults.calls.push('busy', 'busy')
    const refused = await person.get(`${exam}/getPayQrcode`, { query: { payId } })
    expect(refused.status).toBe(429)
    expect(refused.body.code).toBe(2603)
    expect(refused.headers['retry-after']).toBe('5')
    const [created] = (await moneyOf(scene.tenant, payId)).orders
    expect(created?.state).toBe('created')
    emulator.faults.calls.push('lostAnswer')
    expect((await openCode(person, payId)).orderNo).toBe(created?.orderNo)
    expect((await moneyOf(scene.tenant, payId)).orders).toMatchObject([{ state: 'pending' }])
  })

  test('outside the window 2602, after payment 2601, before the examine passed 2601', async () => {
    const scene = await payScene(t)
    const { person, payId, signupId } = await scene.payer()
    const ask = async () => (await person.get(`${exam}/getPayQrcode`, { query: { payId } })).body.code
    t.clock.set('2026-03-22T17:00:00+08:00')
    expect(await ask()).toBe(2602)
    t.clock.set('2026-03-16T08:59:59+08:00')
    expect(await ask()).toBe(2602)
    t.clock.set(testStart)
    await scene.tenant.rows(sql`update signup set examine = 'returned' where id = ${signupId}`)
    expect(await ask()).toBe(2601)
    await scene.tenant.rows(sql`update signup set examine = 'passed', reduction_state = 1 where id = ${signupId}`)
    expect(await ask()).toBe(2601)
  })

  test('ends with the window and is shown to its last second', async () => {
    t.clock.set('2026-03-22T16:55:00+08:00')
    const scene = await payScene(t)
    const { person, payId } = await scene.payer()
    const { body } = await person.get(`${exam}/getPayQrcode`, { query: { payId } })
    expect(body.data.expireTime).toBe('2026-03-22 17:00:00')
    t.clock.set('2026-03-22T16:59:30+08:00')
    expect((await openCode(person, payId)).orderNo).toBe(body.data.orderNo)
  })

  test("another candidate's due and another tenant's finance get 404 everywhere", async () => {
    const scene = await payScene(t)
    const other = await payScene(t)
    const { person, payId } = await scene.payer()
    const { orderNo } = await openCode(person, payId)
    const { person: neighbour } = await scene.payer()
    for (const stranger of [neighbour, other.finance]) {
      const answers = await Promise.all([
        stranger.get(`${exam}/getPayQrcode`, { query: { payId } }),
        stranger.get(`${exam}/checkOrder`, { query: { orderNo } }),
        stranger.post('/pay/wxpay/queryOrder', { json: { orderNo } }),
        stranger.post(`${exam}/closePayOrder`, { form: { orderNo } }),
        stranger.post(`${exam}/backPay`, { json: { payId, reason: '误缴' } }),
      ])
      expect(answers.map(answer => answer.status)).toEqual([404, 404, 404, 404, 404])
    }
    expect((await other.finance.post(`${exam}/delExamPay`, { query: { ids: payId } })).status).toBe(404)
    const list = await neighbour.get(`${exam}/getMyPayList`)
    expect(list.body.data.map((row: { id: string }) => row.id)).not.toContain(payId)
    expect((await moneyOf(scene.tenant, payId)).orders).toMatchObject([{ state: 'pending' }])
  })
})

describe('asking and closing', () => {
  test('checkOrder asks the provider from the fifth second on, at most once in three', async () => {
    const scene = await payScene(t)
    const { person, payId } = await scene.payer()
    const { orderNo, codeUrl } = await openCode(person, payId)
    const { emulator } = await emulatorOf(t)
    await emulator.payAsPerson(codeUrl)
    const check = async () => (await person.get(`${exam}/checkOrder`, { query: { orderNo } })).body.data.state
    t.clock.advance(4_999)
    expect(await check()).toBe(1)
    t.clock.advance(1)
    emulator.faults.calls.push('busy')
    expect(await check()).toBe(1)
    expect(emulator.faults.calls).toEqual([])
    t.clock.advance(2_999)
    expect(await check()).toBe(1)
    t.clock.advance(1)
    expect(await check()).toBe(2)
  })

  test('closePayOrder closes at the provider, is repeatable, and posts a payment it finds (2604)', async () => {
    const scene = await payScene(t)
    const { person, payId } = await scene.payer()
    const first = await openCode(person, payId)
    const close = (orderNo: string) => person.post(`${exam}/closePayOrder`, { json: { orderNo } })
    expect((await close(first.orderNo)).body.data).toEqual({ orderNo: first.orderNo, state: 3 })
    expect((await close(first.orderNo)).body.data).toEqual({ orderNo: first.orderNo, state: 3 })
    const { emulator } = await emulatorOf(t)
    expect(emulator.orderByCodeUrl(first.codeUrl)?.state).toBe('closed')

    const second = await openCode(person, payId)
    await emulator.payAsPerson(second.codeUrl)
    const late = await close(second.orderNo)
    expect([late.status, late.body.code]).toEqual([409, 2604])
    expect((await moneyOf(scene.tenant, payId)).due.state).toBe('paid')
  })

  test('an unpaid order is asked about at +1 +3 +5 +10 +30 minutes and closed a minute after its end; never only here', async () => {
    const scene = await payScene(t)
    const { person, payId } = await scene.payer()
    const { orderNo } = await openCode(person, payId)
    const start = t.clock.now().getTime()
    const planned = new Set<number>()
    for (let minute = 0; minute < 40; minute += 1) {
      const orders = await scene.tenant.rows(
        sql<{ at: Date }>`select run_at as at from outbox where task = 'pay.watch-order' and payload ->> 'orderNo' = ${orderNo}`,
      )
      for (const { at } of orders) planned.add((at.getTime() - start) / minutes(1))
      t.clock.advance(minutes(1))
      await t.runTasks()
    }
    expect([...planned]).toEqual([1, 3, 5, 10, 30, 31])
    expect((await moneyOf(scene.tenant, payId)).orders).toEqual([{ orderNo, state: 'closed', exception: null, notices: 0 }])

    const next = await openCode(person, payId)
    const { emulator } = await emulatorOf(t)
    t.clock.advance(minutes(31))
    emulator.faults.calls.push('busy')
    await runTask(t, 'pay.watch-order', { tenantId: scene.tenant.tenantId, orderNo: next.orderNo, step: 5 })
    expect((await moneyOf(scene.tenant, payId)).orders[1]).toMatchObject({ state: 'pending' })
  })

  test('a due lapses at its end, or later when the examination is extended; the sweep finds what a job has missed', async () => {
    const scene = await payScene(t)
    const { payId } = await scene.payer()
    await scene.tenant.rows(sql`update examination set pay_end = pay_end + interval '1 day'`)
    t.clock.set('2026-03-22T17:00:00+08:00')
    await t.runTasks()
    expect((await moneyOf(scene.tenant, payId)).due.state).toBe('due')
    t.clock.set('2026-03-23T17:00:00+08:00')
    await doWork(t, 'pay.sweep')
    await t.runTasks()
    expect((await moneyOf(scene.tenant, payId)).due).toMatchObject({ state: 'overdue', payState: 'overdue' })
  })

  test('extending the payments of an examination opens what has lapsed, and its owner is told; what was withdrawn stays', async () => {
    const scene = await payScene(t)
    const { person, payId } = await scene.payer()
    const gone = await scene.payer()
    t.clock.set('2026-03-22T17:00:00+08:00')
    await t.runTasks()
    expect((await moneyOf(scene.tenant, payId)).due).toMatchObject({ state: 'overdue', payState: 'overdue' })
    await scene.tenant.rows(sql`update signup set examine = 'withdrawn' where id = ${gone.signupId}`)
    expect(await noticesOf(scene.tenant, person.userId)).toEqual([])
    const { examId } = scene.built
    const office = await scene.tenant.staff('exam_admin')
    const detail = (await office.get('/blade-exam/examination/detail', { query: { id: examId } })).body.data
    const saved = await office.post('/blade-exam/examination/submit', {
      json: { id: examId, version: detail.version, payEnd: '2026-03-25 17:00:00' },
    })
    expect(saved.body).toMatchObject({ code: 200 })
    await t.runTasks()
    expect((await moneyOf(scene.tenant, payId)).due).toMatchObject({ state: 'due', payState: 'due' })
    expect((await moneyOf(scene.tenant, gone.payId)).due.state).toBe('overdue')
    expect(await noticesOf(scene.tenant, person.userId)).toEqual(['可以继续缴费'])
    await openCode(person, payId)
    t.clock.set('2026-03-25T17:00:00+08:00')
    await t.runTasks()
    expect((await moneyOf(scene.tenant, payId)).due.state).toBe('overdue')
  })

  test('[19.9] dues follow the end of payments in both directions, those with an end of their own never; home, payments and finance agree', async () => {
    const scene = await payScene(t)
    const { examId } = scene.built
    const [follows, own, ownLapsed] = [await scene.payer(), await scene.payer(), await scene.payer()]
    const set = (payId: string, end: string) =>
      scene.tenant.rows(sql`update exam_pay set own_deadline = true, deadline = ${`${end}+08`} where id = ${payId}`)
    await set(own.payId, '2026-03-23 09:00:00')
    await set(ownLapsed.payId, '2026-03-18 12:00:00')
    t.clock.set('2026-03-18T13:00:00+08:00')
    await doWork(t, 'pay.sweep')
    await t.runTasks()
    const office = await scene.tenant.staff('exam_admin')
    const finance = await scene.tenant.staff('finance')
    const move = async (payEnd: string) => {
      const answer = await office.post('/blade-exam/examination/submit', { json: { id: examId, payEnd } })
      expect(answer.body).toMatchObject({ code: 200 })
      await t.runTasks()
    }
    const seen = async ({ person, payId }: { person: typeof follows.person; payId: string }) => {
      const pay = (await person.get(`${exam}/getMyPay`, { query: { examId } })).body.data.rows[0]
      const card = (await person.get('/blade-signup/signup/myExamList')).body.data.records[0]
      const due = (await finance.get('/blade-examPay/exampay/detail', { query: { id: payId } })).body.data
      return [pay.deadline, due.deadline, card.nextAction.deadline, (await moneyOf(scene.tenant, payId)).due.state]
    }
    const three = (end: string) => [end, end, end, 'due']
    const lapsedOwn = ['2026-03-18 12:00:00', '2026-03-18 12:00:00', null, 'overdue']
    expect(await Promise.all([follows, own, ownLapsed].map(seen))).toEqual([
      three('2026-03-22 17:00:00'),
      three('2026-03-23 09:00:00'),
      lapsedOwn,
    ])
    // Whom an earlier end concerns is told before it is saved: those who follow it, not those with a day of their own.
    const reach = { drafts: 0, returned: 0, waiting: 0, unpaid: 1 }
    expect((await office.get('/blade-signup/examine/getWindowReach', { query: { examId } })).body.data).toEqual(reach)
    expect((await finance.get('/blade-signup/examine/getWindowReach', { query: { examId } })).status).toBe(403)
    for (const end of ['2026-03-25 17:00:00', '2026-03-21 17:00:00']) {
      await move(end)
      expect(await Promise.all([follows, own, ownLapsed].map(seen))).toEqual([three(end), three('2026-03-23 09:00:00'), lapsedOwn])
    }
    const told = await scene.tenant.rows(sql<{ content: string }>`
      select content_zh as content from notify where user_id = ${follows.person.userId} and title_zh = '缴费截止时间有调整' order by id`)
    expect(told.map(({ content }) => content.slice(content.indexOf('：') + 1))).toEqual([
      '缴费截止时间调整为 2026-03-25 17:00，请在此之前缴费 100.00 元',
      '缴费截止时间调整为 2026-03-21 17:00，请在此之前缴费 100.00 元',
    ])
    expect(await noticesOf(scene.tenant, own.person.userId)).toEqual([])
    expect(await noticesOf(scene.tenant, ownLapsed.person.userId)).toEqual([])
    // The earlier end counts: the one who follows lapses with it, the one with a day of their own does not.
    t.clock.set('2026-03-21T17:00:00+08:00')
    await t.runTasks()
    expect([(await moneyOf(scene.tenant, follows.payId)).due.state, (await moneyOf(scene.tenant, own.payId)).due.state]).toEqual([
      'overdue',
      'due',
    ])
    await move('2026-03-24 17:00:00')
    expect(await seen(follows)).toEqual(three('2026-03-24 17:00:00'))
    const audits = await scene.tenant.rows(sql`
      select action, before_value as before, after_value as after from audit_log where action in ('exampay.extended', 'examination.dues-moved') order by id`)
    expect(audits).toEqual([
      { action: 'examination.dues-moved', before: null, after: { payEnd: '2026-03-25 17:00:00', dues: 1 } },
      { action: 'examination.dues-moved', before: null, after: { payEnd: '2026-03-21 17:00:00', dues: 1 } },
      {
        action: 'exampay.extended',
        before: { state: 'overdue', deadline: '2026-03-21 17:00:00' },
        after: { state: 'due', deadline: '2026-03-24 17:00:00' },
      },
    ])
  })

  test('scenario 20: of 12 open orders two were paid and are posted, ten are closed at the provider', async () => {
    const scene = await payScene(t)
    const { emulator } = await emulatorOf(t)
    const codes = []
    for (let n = 0; n < 12; n += 1) {
      const { person, payId } = await scene.payer()
      codes.push({ payId, ...(await openCode(person, payId)) })
    }
    for (const code of codes.slice(0, 2)) await emulator.payAsPerson(code.codeUrl)
    const counts = await t.app.modules.pay.closeOpenOrders(scene.tenant.tenantId, scene.built.examId, { userId: scene.finance.userId })
    expect(counts).toEqual({ paid: 2, closed: 10, unknown: 0 })
    expect(codes.map(code => emulator.orderByCodeUrl(code.codeUrl)?.state)).toEqual(['paid', 'paid', ...Array(10).fill('closed')])
    expect(await noticesAbout(t, codes[0]?.orderNo ?? '')).toHaveLength(1)
  })
})

describe('the lists of finance', () => {
  test('[S7.61] show name and last four digits, masked for the auditor; submit and remove are declined with 2001', async () => {
    const scene = await payScene(t)
    const { person, payId } = await scene.payer()
    const { orderNo } = await openCode(person, payId)
    const dues = await scene.finance.get('/blade-examPay/exampay/list', { query: { state: 1, name: '王' } })
    expect(dues.body.data).toMatchObject({
      total: 1,
      records: [
        {
          id: payId,
          name: '王测',
          idCardTail: '301X',
          amount: 10_000,
          state: 1,
          payName: '报名费',
          code: 'B001',
          deadline: '2026-03-22 17:00:00',
        },
      ],
    })
    const english = await scene.finance.get('/blade-examPay/exampay/detail', { query: { id: payId }, language: 'en' })
    expect(english.body.data.payName).toBe('Sign-up fee')
    const auditor = await scene.tenant.staff('auditor')
    const masked = await auditor.get('/blade-examPay/exampay/detail', { query: { id: payId } })
    expect(masked.body.data).toMatchObject({ name: '王*', idCardTail: '301X' })
    const orders = await scene.finance.get('/blade-payOrder/payorder/list', { query: { orderNo } })
    expect(orders.body.data.records).toMatchObject([{ orderNo, payId, state: 1, amount: 10_000, expireTime: '2026-03-17 10:30:00' }])
    for (const path of ['/blade-payOrder/payorder/submit', '/blade-payOrder/payorder/remove']) {
      const declined = await scene.finance.post(path, { json: { id: payId } })
      expect([declined.status, declined.body.code]).toEqual([409, 2001])
    }
    expect((await person.get('/blade-examPay/exampay/list')).status).toBe(403)
  })

  test('delExamPay voids unpaid dues after closing their codes; one that was paid is named (2606) and holds up no other', async () => {
    const scene = await payScene(t)
    const { emulator } = await emulatorOf(t)
    const [first, second] = [await scene.payer(), await scene.payer()]
    const { codeUrl } = await openCode(first.person, first.payId)
    await scene.tenant.rows(sql`update exam_pay set state = 'paid', paid_fen = amount_fen where id = ${second.payId}`)
    const both = await scene.finance.post(`${exam}/delExamPay`, { query: { ids: `${first.payId},${second.payId}` } })
    const named = { id: second.payId, code: 2606, reason: 'pay/paid-in-batch', msg: '批次内有已缴记录，不能作废' }
    expect(both.body.data).toEqual({ removed: 1, failed: [named] })
    expect((await moneyOf(scene.tenant, second.payId)).due.state).toBe('paid')
    const alone = await scene.finance.post(`${exam}/delExamPay`, { query: { ids: second.payId } })
    expect([alone.status, alone.body.code]).toEqual([409, 2606])
    expect((await moneyOf(scene.tenant, first.payId)).due).toMatchObject({ state: 'void', payState: 'none' })
    expect(emulator.orderByCodeUrl(codeUrl)?.state).toBe('closed')
  })

  test('sureInvoice: the candidate applies with a title, finance issues; only for what is paid', async () => {
    const scene = await payScene(t)
    const { person, payId } = await scene.payer()
    const apply = () => person.post(`${exam}/sureInvoice`, { json: { ids: payId, isInvoice: 2, invoiceTitle: '王测' } })
    expect((await apply()).body.code).toBe(2201)
    await scene.tenant.rows(sql`update exam_pay set state = 'paid', paid_fen = amount_fen where id = ${payId}`)
    expect((await apply()).body.data).toEqual({ changed: 1 })
    expect((await person.post(`${exam}/sureInvoice`, { json: { ids: payId, isInvoice: 1 } })).status).toBe(403)
    const bare = await scene.finance.post(`${exam}/sureInvoice`, { json: { ids: payId, isInvoice: 1, invoiceNo: ' ' } })
    expect([bare.status, bare.body.data]).toEqual([400, { fields: [{ field: 'invoiceNo', msg: '请输入票据号' }] }])
    const issued = await scene.finance.post(`${exam}/sureInvoice`, {
      json: { ids: payId, isInvoice: 1, invoiceNo: 'F-1', invoiceUrl: 'https://czpj.example/F-1' },
    })
    expect(issued.body.data).toEqual({ changed: 1 })
    const { body } = await person.get(`${exam}/getMyPayList`)
    expect(body.data).toMatchObject([{ isInvoice: 1, invoiceNo: 'F-1', invoiceUrl: 'https://czpj.example/F-1' }])
  })
})
