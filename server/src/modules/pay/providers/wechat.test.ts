import { createPrivateKey } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { Aes, Formatter, Rsa, Wechatpay } from 'wechatpay-axios-plugin'
import { createManualClock, systemClock } from '#kernel/clock.ts'
import { neverHeld } from '#kernel/hold.ts'
import { createOutbound, type Outbound, OutboundError } from '#kernel/outbound.ts'
import { emulatedAccount, outboundTo } from '#server/demo/wxpay-emulator/connect.ts'
import { createWxpayEmulator, type EmulatorScheduler, type WxpayEmulator } from '#server/demo/wxpay-emulator/emulator.ts'
import { findMerchant, makeEmulatorKeys } from '#server/demo/wxpay-emulator/keys.ts'
import { createMemoryStorage } from '#server/demo/wxpay-emulator/storage.ts'
import { seal, signHeaders } from '#server/demo/wxpay-emulator/wire.ts'
import { describeProvider, type ProviderHarness } from './provider.contract.ts'
import type { Notification, NotificationResult, PayProvider } from './provider.ts'
import { createWechatPay } from './wechat.ts'
import { parseTradeBill } from './wechat-bill.ts'
import type { WechatPaySettings } from './wechat-channel.ts'
import { authorize, openResource } from './wechat-wire.ts'

const START = '2026-03-17T10:00:00+08:00'
const ORDER_NO = 'E26031710000003A1B2C3D4E5'
const keys = makeEmulatorKeys(['000000', '000001'], new Date(START))
const idle: EmulatorScheduler = { soon: () => {}, every: () => () => {} }

type Bench = {
  readonly clock: ReturnType<typeof createManualClock>
  readonly emulator: WxpayEmulator
  readonly provider: PayProvider
  readonly results: NotificationResult[]
  /** Requests as they left the client. */
  readonly sent: { readonly method: string; readonly url: string; readonly headers: Record<string, string>; readonly body: string }[]
}

const openBench = async (trust: 'publicKey' | 'certificate' = 'publicKey', change: Partial<WechatPaySettings> = {}): Promise<Bench> => {
  const clock = createManualClock(START)
  const results: NotificationResult[] = []
  const sent: Bench['sent'] = []
  const emulator = await createWxpayEmulator({
    clock,
    keys,
    storage: createMemoryStorage(),
    scheduler: idle,
    send: async request => {
      const result = await provider.verifyNotification({ headers: request.headers, rawBody: Buffer.from(request.body) })
      results.push(result)
      return { status: result.ok ? 204 : 401 }
    },
  })
  const outbound: Outbound = request => {
    sent.push({ method: request.method, url: request.url, headers: { ...request.headers }, body: String(request.body ?? '') })
    return outboundTo(emulator)(request)
  }
  const settings = { ...emulatedAccount(keys, '000000', trust), ...change }
  const provider = createWechatPay({ settings, origin: 'http://127.0.0.1:7301', outbound, clock })
  return { clock, emulator, provider, results, sent }
}

const pay = async (emulator: WxpayEmulator, codeUrl: string): Promise<void> => {
  const paid = await emulator.payAsPerson(codeUrl)
  if (!paid.ok) throw new Error(paid.problem)
}
const order = (clock: Bench['clock'], amountFen = 10000) => ({
  orderNo: ORDER_NO,
  amountFen,
  description: '2026年公开招聘-报名费',
  expiresAt: new Date(clock.now().getTime() + 30 * 60_000),
  notifyUrl: 'https://kaopu.example/api/pay/wxpay/notify/000000',
  attach: '1',
})
const createPaid = async (bench: Bench): Promise<void> => {
  const answer = await bench.provider.createNative(order(bench.clock))
  if (!answer.ok) throw new Error(answer.problem.detail)
  await pay(bench.emulator, answer.value.codeUrl)
}

const harnessOf = (bench: Bench, provider = bench.provider, close = async () => {}): ProviderHarness => ({
  provider,
  clock: bench.clock,
  mchid: emulatedAccount(keys, '000000').mchid,
  appid: emulatedAccount(keys, '000000').appid,
  pay: codeUrl => pay(bench.emulator, codeUrl),
  async deliver() {
    bench.results.length = 0
    await bench.emulator.runDue()
    return bench.results.map((result): Notification => {
      if (!result.ok) throw new Error(result.problem)
      return result.notification
    })
  },
  failNextRefund: () => {
    bench.emulator.faults.refund = 'ABNORMAL'
  },
  close,
})

describeProvider('WeChat Pay with its public key', async () => harnessOf(await openBench('publicKey')))
describeProvider('WeChat Pay with platform certificates', async () => harnessOf(await openBench('certificate')))
describeProvider('WeChat Pay over a loopback socket', async () => {
  const bench = await openBench()
  const { url, close } = await bench.emulator.listen(0)
  const outbound = createOutbound({ hold: neverHeld, allowedOrigins: [], localOrigins: () => [url] })
  const provider = createWechatPay({ settings: emulatedAccount(keys, '000000'), origin: url, outbound, clock: bench.clock })
  return harnessOf(bench, provider, close)
})

describe('the oracle: wechatpay-axios-plugin', () => {
  const account = emulatedAccount(keys, '000000')
  const merchant = findMerchant(keys, '000000')

  test('verifies the signature of our requests', async () => {
    const bench = await openBench()
    await bench.provider.createNative(order(bench.clock))
    const [request] = bench.sent
    const fields = Object.fromEntries(
      [...(request?.headers.authorization ?? '').matchAll(/(\w+)="([^"]+)"/g)].map(match => [match[1], match[2]]),
    )
    const message = Formatter.request('POST', '/v3/pay/transactions/native', fields.timestamp, fields.nonce_str, request?.body)

    expect(Rsa.verify(message, fields.signature, Rsa.from(merchant.publicKeyPem, 'public'))).toBe(true)
    expect(Rsa.verify(`${message} `, fields.signature, Rsa.from(merchant.publicKeyPem, 'public'))).toBe(false)
  })
  test('is itself a client that the emulator understands and that believes its answers', async () => {
    const emulator = await createWxpayEmulator({
      clock: systemClock,
      keys,
      storage: createMemoryStorage(),
      scheduler: idle,
      send: async () => ({ status: 204 }),
    })
    const { url, close } = await emulator.listen(0)
    const client = new Wechatpay({
      mchid: account.mchid,
      serial: account.merchantSerial,
      privateKey: account.merchantPrivateKeyPem,
      certs: { [keys.platform.publicKeyId]: keys.platform.publicKeyPem },
    })
    const options = { baseURL: url, headers: { 'Wechatpay-Serial': keys.platform.publicKeyId } }
    const { orderNo, amountFen, description, notifyUrl } = order(createManualClock(START))
    const made = await client.chain('v3/pay/transactions/native').post(
      {
        appid: account.appid,
        mchid: account.mchid,
        description,
        out_trade_no: orderNo,
        notify_url: notifyUrl,
        amount: { total: amountFen },
      },
      options,
    )
    await pay(emulator, (made.data as unknown as { code_url: string }).code_url)
    const found = await client
      .chain('v3/pay/transactions/out-trade-no/{no}')
      .get({ ...options, params: { mchid: account.mchid }, no: orderNo })
    await close()

    expect(found.data).toMatchObject({ trade_state: 'SUCCESS', out_trade_no: orderNo, amount: { total: 10000 } })
  })
  test('signs as we do', () => {
    const header = authorize({
      method: 'GET',
      pathAndQuery: '/v3/certificates',
      body: '',
      at: new Date(START),
      nonce: 'abc',
      mchid: account.mchid,
      serial: account.merchantSerial,
      privateKey: createPrivateKey(account.merchantPrivateKeyPem),
    })
    const message = Formatter.request('GET', '/v3/certificates', String(new Date(START).getTime() / 1000), 'abc', '')
    expect(header).toContain(`signature="${Rsa.sign(message, Rsa.from(account.merchantPrivateKeyPem, 'private'))}"`)
  })
  test('seals what we open, opens what the emulator seals', () => {
    const plain = JSON.stringify({ name: '李𬭎', total: 10000 })
    const sealed = Aes.AesGcm.encrypt(plain, account.apiV3Key, 'abcdefghijkl', 'transaction')
    expect(openResource({ ciphertext: sealed, nonce: 'abcdefghijkl', associatedData: 'transaction' }, account.apiV3Key)).toBe(plain)
    const ours = seal(plain, 'transaction', account.apiV3Key)
    expect(Aes.AesGcm.decrypt(ours.ciphertext, account.apiV3Key, ours.nonce, ours.associated_data)).toBe(plain)
  })
  test('verifies what the emulator signs', () => {
    const headers = signHeaders(keys, { body: '{"a":1}', at: new Date(START), signWith: 'publicKey' })
    const message = Formatter.response(headers['wechatpay-timestamp'] ?? '', headers['wechatpay-nonce'] ?? '', '{"a":1}')
    expect(Rsa.verify(message, headers['wechatpay-signature'] ?? '', Rsa.from(keys.platform.publicKeyPem, 'public'))).toBe(true)
  })
})

describe('a notice is refused', () => {
  const refusedBy = async (bend: (bench: Bench) => void): Promise<readonly unknown[]> => {
    const bench = await openBench()
    await createPaid(bench)
    bend(bench)
    await bench.emulator.runDue()
    return bench.results.map(result => (result.ok ? 'believed' : result.problem))
  }
  const notice = (fault: Bench['emulator']['faults']['notice']) => (bench: Bench) => {
    bench.emulator.faults.notice = fault
  }

  test('with a wrong signature', async () => expect(await refusedBy(notice({ signature: 'wrong' }))).toEqual(['bad-signature']))
  test('with the deliberate one of the provider', async () => expect(await refusedBy(notice({ signature: 'probe' }))).toEqual(['probe']))
  test('under an unknown serial', async () => expect(await refusedBy(notice({ signature: 'unknownSerial' }))).toEqual(['unknown-serial']))
  test('301 seconds old', async () => expect(await refusedBy(notice({ signature: 'stale' }))).toEqual(['stale']))
  test('with one sealed byte changed, though rightly signed', async () =>
    expect(await refusedBy(notice({ tamper: true }))).toEqual(['undecipherable']))
  test('sealed for another merchant', async () => {
    const bench = await openBench('publicKey', { apiV3Key: emulatedAccount(keys, '000001').apiV3Key })
    await createPaid(bench)
    await bench.emulator.runDue()
    expect(bench.results).toEqual([{ ok: false, problem: 'undecipherable' }])
  })

  const genuine = async (bench: Bench) => {
    await createPaid(bench)
    const [stored] = bench.emulator.noticesAbout(ORDER_NO)
    if (stored === undefined) throw new Error('no notice')
    return bench.emulator.composeNotice(stored)
  }
  const problemWith = (result: NotificationResult): string => (result.ok ? 'believed' : result.problem)

  test('when only a part of it has arrived, and believed when all has', async () => {
    const bench = await openBench()
    const { headers, body } = await genuine(bench)
    const bytes = Buffer.from(body)
    const whole = Buffer.concat([bytes.subarray(0, 100), bytes.subarray(100)])

    expect(problemWith(await bench.provider.verifyNotification({ headers, rawBody: bytes.subarray(0, 100) }))).toBe('bad-signature')
    expect(problemWith(await bench.provider.verifyNotification({ headers, rawBody: whole }))).toBe('believed')
  })
  test('when a proxy has rewritten its JSON', async () => {
    const bench = await openBench()
    const { headers, body } = await genuine(bench)
    const rewritten = Buffer.from(JSON.stringify(JSON.parse(body), null, 1))
    expect(problemWith(await bench.provider.verifyNotification({ headers, rawBody: rewritten }))).toBe('bad-signature')
  })
  test('without or with twice a signature header', async () => {
    const bench = await openBench()
    const { headers, body } = await genuine(bench)
    const { 'wechatpay-nonce': nonce, ...without } = headers
    const rawBody = Buffer.from(body)
    expect(problemWith(await bench.provider.verifyNotification({ headers: without, rawBody }))).toBe('missing-header')
    const twice = { ...without, 'wechatpay-nonce': [nonce ?? '', 'x'] }
    expect(problemWith(await bench.provider.verifyNotification({ headers: twice, rawBody }))).toBe('missing-header')
    const capitals = { ...without, 'Wechatpay-Nonce': nonce }
    expect(problemWith(await bench.provider.verifyNotification({ headers: capitals, rawBody }))).toBe('believed')
  })
  test('when it is replayed after five minutes; before, it shows the id it had', async () => {
    const bench = await openBench()
    const { headers, body } = await genuine(bench)
    const verify = () => bench.provider.verifyNotification({ headers, rawBody: Buffer.from(body) })
    const first = await verify()
    bench.clock.advance(300_000)
    const second = await verify()
    bench.clock.advance(1_000)

    expect(first.ok && second.ok && second.notification.id === first.notification.id).toBe(true)
    expect(problemWith(await verify())).toBe('stale')
  })
  test('when signed JSON is no notice', async () => {
    const bench = await openBench()
    for (const body of ['', '[]', '{"id":"EV-1"}', JSON.stringify({ id: 'EV-1', event_type: 'X', create_time: 'now', resource: {} })]) {
      const headers = signHeaders(keys, { body, at: bench.clock.now(), signWith: 'publicKey' })
      expect(problemWith(await bench.provider.verifyNotification({ headers, rawBody: Buffer.from(body) }))).toBe('malformed')
    }
  })
})

describe('an answer', () => {
  test('[21.6] with the deliberate signature of the provider is asked for once more, and never believed', async () => {
    const bench = await openBench()
    await createPaid(bench)
    bench.emulator.faults.calls.push('probe')
    expect(await bench.provider.query(ORDER_NO)).toMatchObject({ ok: true, value: { tradeState: 'SUCCESS' } })
    bench.emulator.faults.calls.push('probe', 'probe')
    expect(await bench.provider.query(ORDER_NO)).toMatchObject({ ok: false, problem: { kind: 'bad-signature' } })
  })
  test.each(['wrong', 'unknownSerial', 'stale'] as const)('with a %s signature is not believed', async fault => {
    const bench = await openBench()
    await createPaid(bench)
    bench.emulator.faults.calls.push(fault)
    expect(await bench.provider.query(ORDER_NO)).toMatchObject({ ok: false, problem: { kind: 'bad-signature' } })
  })
  test('that is lost makes the order be asked for again under its number', async () => {
    const bench = await openBench()
    bench.emulator.faults.calls.push('lostAnswer')
    const answer = await bench.provider.createNative(order(bench.clock))

    expect(answer.ok).toBe(true)
    expect(bench.sent.map(request => JSON.parse(request.body).out_trade_no)).toEqual([ORDER_NO, ORDER_NO])
  })
  test('that is lost twice, or busy twice, leaves the outcome open', async () => {
    const bench = await openBench()
    bench.emulator.faults.calls.push('lostAnswer', 'lostAnswer', 'busy', 'busy')
    expect(await bench.provider.createNative(order(bench.clock))).toMatchObject({ ok: false, problem: { kind: 'timeout' } })
    expect(await bench.provider.createNative(order(bench.clock))).toMatchObject({ ok: false, problem: { kind: 'busy' } })
  })
  test('of a provider that cannot be reached is busy', async () => {
    const settings = emulatedAccount(keys, '000000')
    const clock = createManualClock(START)
    const outbound: Outbound = async () => Promise.reject(new OutboundError('unreachable', 'ECONNREFUSED'))
    const provider = createWechatPay({ settings, outbound, clock })
    expect(await provider.query(ORDER_NO)).toMatchObject({ ok: false, problem: { kind: 'busy' } })
  })
  test('to a signature that is not the merchant’s is a rejection', async () => {
    const bench = await openBench('publicKey', { merchantPrivateKeyPem: emulatedAccount(keys, '000001').merchantPrivateKeyPem })
    expect(await bench.provider.query(ORDER_NO)).toMatchObject({ ok: false, problem: { kind: 'rejected', providerCode: 'SIGN_ERROR' } })
  })
  test('to a clock that is wrong by six minutes is a rejection', async () => {
    const bench = await openBench()
    const clock = createManualClock('2026-03-17T10:06:00+08:00')
    const provider = createWechatPay({ settings: emulatedAccount(keys, '000000'), outbound: outboundTo(bench.emulator), clock })
    expect(await provider.query(ORDER_NO)).toMatchObject({ ok: false, problem: { kind: 'rejected' } })
  })
})

describe('platform certificates', () => {
  test('are downloaded once, and not for every forged serial', async () => {
    const bench = await openBench('certificate')
    await bench.provider.query(ORDER_NO)
    await bench.provider.query(ORDER_NO)
    const forged = { 'wechatpay-timestamp': String(bench.clock.now().getTime() / 1000), 'wechatpay-nonce': 'a', 'wechatpay-signature': 'b' }
    const downloads = () => bench.sent.filter(request => request.url.endsWith('/v3/certificates')).length
    for (const serial of ['5157F09EFDC096DE15EBE81A47057A72', '6157F09EFDC096DE15EBE81A47057A72', 'PUB_KEY_ID_01'])
      await bench.provider.verifyNotification({ headers: { ...forged, 'wechatpay-serial': serial }, rawBody: Buffer.from('{}') })

    expect(downloads()).toBe(1)
  })
  test('in an answer that none of them has signed, or that is old, are not taken', async () => {
    for (const change of [{ 'wechatpay-nonce': 'other' }, { 'wechatpay-timestamp': '1' }, { 'wechatpay-signature': undefined }]) {
      const { emulator, clock } = await openBench('certificate')
      const outbound: Outbound = async request => {
        const answer = await outboundTo(emulator)(request)
        const headers = Object.fromEntries(Object.entries({ ...answer.headers, ...change }).filter(([, value]) => value !== undefined))
        return request.url.endsWith('/v3/certificates') ? { ...answer, headers: headers as Record<string, string> } : answer
      }
      const provider = createWechatPay({ settings: emulatedAccount(keys, '000000', 'certificate'), outbound, clock })
      expect(await provider.query(ORDER_NO)).toMatchObject({ ok: false, problem: { kind: 'bad-signature' } })
    }
  })
  test('sealed with another key are not taken', async () => {
    const bench = await openBench('certificate', { apiV3Key: emulatedAccount(keys, '000001').apiV3Key })
    expect(await bench.provider.query(ORDER_NO)).toMatchObject({ ok: false, problem: { kind: 'bad-signature' } })
  })
})

describe('a bill', () => {
  const billOf = (bend: (answer: Buffer) => Buffer) => async (): Promise<unknown> => {
    const bench = await openBench()
    await createPaid(bench)
    bench.clock.set('2026-03-18T10:30:00+08:00')
    const outbound: Outbound = async request => {
      const answer = await outboundTo(bench.emulator)(request)
      return request.url.includes('/v3/billdownload/') ? { ...answer, body: bend(answer.body) } : answer
    }
    const provider = createWechatPay({
      settings: emulatedAccount(keys, '000000'),
      origin: 'http://127.0.0.1:7301',
      outbound,
      clock: bench.clock,
    })
    return provider.tradeBill('2026-03-17')
  }

  test('whose text differs from its digest is not read', async () => {
    const change = (packed: Buffer): Buffer => gzipSync(gunzipSync(packed).toString().replaceAll('100.00', '100.01'))
    expect(await billOf(change)()).toMatchObject({ ok: false, problem: { kind: 'rejected', detail: 'trade bill: the digest differs' } })
  })
  test('that breaks off is not read', async () => {
    expect(await billOf(packed => packed.subarray(0, 200))()).toMatchObject({ ok: false, problem: { kind: 'rejected' } })
  })
  test('with a summary that its rows do not make up is refused', () => {
    const header =
      '交易时间,公众账号ID,商户号,微信订单号,商户订单号,交易状态,货币种类,微信退款单号,商户退款单号,退款状态,商户数据包,手续费,订单金额,申请退款金额'
    const row = '`2026-03-17 10:00:00,`wx1,`16,`42,`E1,`SUCCESS,`CNY,`0,`0,`,`1,`0.60000,`100.00,`0.00'
    const summary = (count: number): string => `总交易单数,订单总金额,申请退款总金额\r\n\`${count},\`100.00,\`0.00\r\n`
    expect(parseTradeBill('2026-03-17', `\uFEFF${header}\r\n${row}\r\n${summary(1)}`).rows).toMatchObject([
      { orderNo: 'E1', amountFen: 10000 },
    ])
    expect(() => parseTradeBill('2026-03-17', `${header}\r\n${row}\r\n${summary(2)}`)).toThrow('the summary says count 2, the rows say 1')
    expect(() => parseTradeBill('2026-03-17', `${header}\r\n${row}\r\n`)).toThrow('the summary is missing')
  })
})
