import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createManualClock } from '#kernel/clock.ts'
import { createWechatPay } from '#modules/pay/providers/wechat.ts'
import { emulatedAccount, outboundTo } from './connect.ts'
import { createWxpayEmulator, type EmulatorScheduler, type WxpayEmulator } from './emulator.ts'
import { loadOrMakeEmulatorKeys, makeEmulatorKeys } from './keys.ts'
import { type NoticeRequest, RETRY_PAUSES_MS } from './notices.ts'
import { createFileStorage, createMemoryStorage, type EmulatorStorage } from './storage.ts'

const START = '2026-03-17T10:00:00+08:00'
const ORDER_NO = 'E26031710000003A1B2C3D4E5'
const keys = makeEmulatorKeys(['000000'], new Date(START))
const account = emulatedAccount(keys, '000000')

const open = async (storage: EmulatorStorage = createMemoryStorage(), clock = createManualClock(START)) => {
  const arrived: NoticeRequest[] = []
  const soon: (() => Promise<unknown>)[] = []
  const answers = { status: 204 }
  const scheduler: EmulatorScheduler = { soon: work => void soon.push(work), every: () => () => {} }
  const send = async (request: NoticeRequest) => {
    arrived.push(request)
    return answers
  }
  const emulator = await createWxpayEmulator({ clock, keys, storage, scheduler, send })
  const client = createWechatPay({ settings: account, origin: 'http://127.0.0.1:7301', outbound: outboundTo(emulator), clock })
  const create = async (amountFen = 10000, minutes = 30): Promise<string> => {
    const answer = await client.createNative({
      orderNo: ORDER_NO,
      amountFen,
      description: '公开招聘-报名费',
      expiresAt: new Date(clock.now().getTime() + minutes * 60_000),
      notifyUrl: 'http://127.0.0.1:7300/api/pay/wxpay/notify/000000',
      attach: '1',
    })
    if (!answer.ok) throw new Error(answer.problem.detail)
    return answer.value.codeUrl
  }
  return { clock, emulator, client, create, arrived, soon, answers }
}

const idOf = (request: NoticeRequest | undefined): string => JSON.parse(request?.body ?? '{}').id

describe('the person with the phone', () => {
  test('sees what is to be paid, pays once, and sees it paid', async () => {
    const { emulator, create, clock, soon } = await open()
    const codeUrl = await create()
    expect(emulator.orderByCodeUrl(codeUrl)).toEqual({
      orderNo: ORDER_NO,
      mchid: account.mchid,
      description: '公开招聘-报名费',
      amountFen: 10000,
      state: 'waiting',
      expiresAt: new Date('2026-03-17T10:30:00+08:00'),
    })

    const [first, second] = await Promise.all([emulator.payAsPerson(codeUrl), emulator.payAsPerson(codeUrl)])

    expect(first).toMatchObject({
      ok: true,
      order: { state: 'paid', paidAt: clock.now(), transactionId: expect.stringMatching(/^4200\d{24}$/) },
    })
    expect(second).toEqual({ ok: false, problem: 'paid' })
    expect(soon).toHaveLength(1)
  })
  test('cannot pay at or after the end, after the close, or an unknown code', async () => {
    const { emulator, create, clock, client } = await open()
    const codeUrl = await create()
    clock.advance(30 * 60_000)
    expect(await emulator.payAsPerson(codeUrl)).toEqual({ ok: false, problem: 'expired' })
    expect(await client.query(ORDER_NO)).toMatchObject({ value: { tradeState: 'NOTPAY' } })
    await client.close(ORDER_NO)
    expect(await emulator.payAsPerson(codeUrl)).toEqual({ ok: false, problem: 'closed' })
    expect(await emulator.payAsPerson('weixin://wxpay/bizpayurl?pr=nobody')).toEqual({ ok: false, problem: 'unknown' })
  })
  test('cannot pay with a code older than two hours', async () => {
    const { emulator, create, clock } = await open()
    const codeUrl = await create(10000, 600)
    clock.advance(2 * 3_600_000 - 1)
    expect(emulator.orderByCodeUrl(codeUrl)?.state).toBe('waiting')
    clock.advance(1)
    expect(emulator.orderByCodeUrl(codeUrl)?.state).toBe('expired')
  })
  test('may still be charged when close and payment cross', async () => {
    const { emulator, create, client, clock } = await open()
    await create()
    await client.close(ORDER_NO)
    const successTime = new Date(clock.now().getTime() - 10_000)
    await emulator.forcePayment(account.mchid, ORDER_NO, successTime)
    expect(await client.query(ORDER_NO)).toMatchObject({ value: { tradeState: 'SUCCESS', successTime } })
  })
})

describe('notices', () => {
  test('are repeated by the documented schedule until they are given up', async () => {
    const { emulator, create, clock, arrived, answers } = await open()
    answers.status = 500
    await emulator.payAsPerson(await create())
    await emulator.runDue()
    for (const [index, pauseMs] of RETRY_PAUSES_MS.entries()) {
      clock.advance(pauseMs - 1)
      await emulator.runDue()
      expect(arrived).toHaveLength(index + 1)
      clock.advance(1)
      await emulator.runDue()
      expect(arrived).toHaveLength(index + 2)
    }
    clock.advance(86_400_000)
    await emulator.runDue()

    expect(RETRY_PAUSES_MS.reduce((sum, pauseMs) => sum + pauseMs, 0)).toBe((24 * 60 + 4) * 60_000)
    expect(new Set(arrived.map(idOf)).size).toBe(1)
    expect(emulator.noticesAbout(ORDER_NO)).toMatchObject([{ outcome: 'givenUp', attempts: 16, lastStatus: 500 }])
  })
  test('stop with the first 200 or 204', async () => {
    const { emulator, create, clock, arrived, answers } = await open()
    answers.status = 401
    await emulator.payAsPerson(await create())
    await emulator.runDue()
    answers.status = 200
    clock.advance(15_000)
    await emulator.runDue()
    clock.advance(86_400_000)
    await emulator.runDue()

    expect(arrived).toHaveLength(2)
    expect(emulator.noticesAbout(ORDER_NO)).toMatchObject([{ outcome: 'delivered', attempts: 2 }])
  })
  test('come several times at once, late, or never, as a test asks', async () => {
    const { emulator, create, clock, arrived } = await open()
    emulator.faults.notice = { copies: 3, delayMs: 900_000 }
    await emulator.payAsPerson(await create())
    await emulator.runDue()
    expect(arrived).toEqual([])
    clock.advance(900_000)
    await emulator.runDue()
    expect(arrived.map(idOf)).toEqual(Array.from({ length: 3 }, () => emulator.noticesAbout(ORDER_NO)[0]?.id))

    const dropping = await open()
    dropping.emulator.faults.notice = { drop: true }
    await dropping.emulator.payAsPerson(await dropping.create())
    dropping.clock.advance(86_400_000)
    await dropping.emulator.runDue()
    expect(dropping.arrived).toEqual([])
  })
  test('carry another amount or merchant when told to, rightly signed', async () => {
    const { emulator, create, client, arrived } = await open()
    emulator.faults.notice = { totalFen: 1000, mchid: '1600000009' }
    await emulator.payAsPerson(await create())
    await emulator.runDue()
    const [request] = arrived
    const result = await client.verifyNotification({ headers: request?.headers ?? {}, rawBody: Buffer.from(request?.body ?? '') })
    expect(result).toMatchObject({ ok: true, notification: { resource: { trade: { amountFen: 1000, mchid: '1600000009' } } } })
    expect(await client.query(ORDER_NO)).toMatchObject({ value: { amountFen: 10000, mchid: account.mchid } })
  })
})

describe('requests it does not take', () => {
  const refusal = async (change: Record<string, unknown>) => {
    const { client, clock } = await open()
    const facts = {
      orderNo: ORDER_NO,
      amountFen: 1,
      description: 'x',
      expiresAt: new Date(clock.now().getTime() + 1000),
      notifyUrl: 'https://a/b',
      attach: 'x',
    }
    const answer = await client.createNative({ ...facts, ...change })
    return answer.ok ? 'taken' : answer.problem.providerCode
  }
  test.each([
    { orderNo: 'short' },
    { orderNo: 'E'.repeat(33) },
    { orderNo: '有汉字的订单号' },
    { amountFen: 0 },
    { amountFen: 1.5 },
    { description: '' },
    { description: '长'.repeat(128) },
    ...['招聘🎉', '⭐招聘', '𬭎县', '招聘\n考试', '招聘\u0007', '招\ud83d聘'].map(description => ({ description })),
    { notifyUrl: 'https://a/b?c=d' },
    { expiresAt: new Date(START) },
    { attach: 'x'.repeat(129) },
  ])('%j', async change => expect(await refusal(change)).toBe('PARAM_ERROR'))
  test('but takes the same without the fault', async () => expect(await refusal({})).toBe('taken'))

  test('another merchant sees nothing of an order', async () => {
    const two = makeEmulatorKeys(['000000', '000001'], new Date(START))
    const clock = createManualClock(START)
    const scheduler: EmulatorScheduler = { soon: () => {}, every: () => () => {} }
    const emulator: WxpayEmulator = await createWxpayEmulator({
      clock,
      keys: two,
      storage: createMemoryStorage(),
      scheduler,
      send: async () => ({ status: 204 }),
    })
    const [mine, other] = ['000000', '000001'].map(tenant =>
      createWechatPay({ settings: emulatedAccount(two, tenant), origin: 'http://127.0.0.1:1', outbound: outboundTo(emulator), clock }),
    )
    const facts = {
      orderNo: ORDER_NO,
      amountFen: 1,
      description: 'x',
      notifyUrl: 'https://a/b',
      attach: 'x',
      expiresAt: new Date(clock.now().getTime() + 1000),
    }
    expect(await mine?.createNative(facts)).toMatchObject({ ok: true })
    expect(await other?.query(ORDER_NO)).toMatchObject({ ok: false, problem: { kind: 'not-found' } })
  })
})

describe('what it keeps', () => {
  const folder = async (): Promise<string> => {
    const path = await mkdtemp(join(tmpdir(), 'wxpay 测试 '))
    onTestFinished(() => rm(path, { recursive: true }))
    return path
  }

  test('survives a restart: orders, refunds, and the notice that had not arrived', async () => {
    const file = join(await folder(), 'emulator', 'rows.jsonl')
    const first = await open(createFileStorage(file))
    first.answers.status = 500
    await first.emulator.payAsPerson(await first.create())
    await first.emulator.runDue()
    await first.client.refund({
      orderNo: ORDER_NO,
      refundNo: 'R1',
      refundFen: 100,
      totalFen: 10000,
      reason: '',
      notifyUrl: 'http://127.0.0.1:7300/r',
    })
    await writeFile(file, `${await readFile(file, 'utf8')}{"kind":"order","value":{"mchid":"cut sho`)

    const clock = createManualClock('2026-03-17T10:00:15+08:00')
    const second = await open(createFileStorage(file), clock)
    await second.emulator.runDue()

    expect(await second.client.query(ORDER_NO)).toMatchObject({ ok: true, value: { tradeState: 'REFUND' } })
    expect(second.emulator.noticesAbout(ORDER_NO)).toMatchObject([{ outcome: 'delivered', attempts: 2 }])
    expect(second.emulator.noticesAbout('R1')).toMatchObject([{ eventType: 'REFUND.SUCCESS', outcome: 'delivered' }])
    expect((await readFile(file, 'utf8')).includes('cut sho')).toBe(false)
  })
  test('a payment whose notice a crash swallowed is told after the restart', async () => {
    const kept = createMemoryStorage()
    const first = await open({ ...kept, save: async row => (row.kind === 'notice' ? undefined : kept.save(row)) })
    await first.emulator.payAsPerson(await first.create())
    const second = await open(kept)
    await second.emulator.runDue()
    expect(second.arrived).toHaveLength(1)
  })
  test('keys are made once, readable by their owner only, and a new tenant gets a merchant', async () => {
    const file = join(await folder(), 'keys.json')
    const now = new Date(START)
    const made = await loadOrMakeEmulatorKeys(file, ['000000'], now)
    const again = await loadOrMakeEmulatorKeys(file, ['000000'], now)
    const more = await loadOrMakeEmulatorKeys(file, ['000000', '000001'], now)

    expect(again).toEqual(made)
    expect(more.merchants.map(merchant => merchant.tenantId)).toEqual(['000000', '000001'])
    expect(more.merchants[0]).toEqual(made.merchants[0])
    expect((await stat(file)).mode & 0o777).toBe(0o600)
  })
})
