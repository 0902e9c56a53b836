import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createManualClock } from '#kernel/clock.ts'
import { neverHeld } from '#kernel/hold.ts'
import { createLog } from '#kernel/log.ts'
import { createWechatPay } from '#modules/pay/providers/wechat.ts'
import { type BookKeeping, createDemoPayments, type DemoPayments } from './payments.ts'

let dataDir: string
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'kaopu-book-'))
})
afterAll(() => rm(dataDir, { recursive: true, force: true }))

const clock = createManualClock('2026-03-17T10:00:00+08:00')

/** The lock and the address that the database keeps for the processes of an installation. */
const installation = () => {
  let keeper: object | undefined
  let address: string | undefined
  return (): BookKeeping => {
    const me = {}
    return {
      claim: async () => {
        keeper ??= me
        return keeper === me
      },
      readAddress: async () => address,
      writeAddress: async url => {
        address = url
      },
      letGo: () => {
        if (keeper === me) keeper = undefined
      },
    }
  }
}
const process = (keeping: BookKeeping): DemoPayments =>
  createDemoPayments({
    hold: neverHeld,
    dataDir,
    clock,
    log: createLog('silent'),
    isManual: false,
    deliver: async () => ({ status: 204, body: '' }),
    keeping,
  })
const clientOf = async (payments: DemoPayments, tenantId: string) => {
  const { gateway } = payments
  const settings = await gateway.makeAccount?.(tenantId)
  if (!settings) throw new Error('no account')
  return createWechatPay({ settings, origin: await gateway.origin(), outbound: gateway.outbound, clock })
}
const order = async (payments: DemoPayments, tenantId: string, orderNo: string): Promise<string> => {
  const answer = await (await clientOf(payments, tenantId)).createNative({
    orderNo,
    amountFen: 10_000,
    description: '公开招聘-报名费',
    expiresAt: new Date(clock.now().getTime() + 30 * 60_000),
    notifyUrl: 'http://127.0.0.1:7300/api/pay/wxpay/notify/000000',
    attach: '1',
  })
  if (!answer.ok) throw new Error(answer.problem.detail)
  return answer.value.codeUrl
}

test('two processes of a demo write one book: either one orders and pays, no line is lost, and the second goes on when the first ends', async () => {
  const keepingOf = installation()
  const [a, b] = [process(keepingOf()), process(keepingOf())]
  await a.begin()
  // New merchants and orders from both at once; each is known to both.
  const codes = await Promise.all(
    Array.from({ length: 20 }, (_, i) => order(i % 2 === 0 ? a : b, `00000${i % 4}`, `E2603171000000${String(i).padStart(11, 'A')}`)),
  )
  for (const code of codes) {
    expect(await a.person.order(code)).toMatchObject({ state: 'waiting', amountFen: 10_000 })
    expect(await b.person.order(code)).toMatchObject({ state: 'waiting', expiresAt: new Date(clock.now().getTime() + 30 * 60_000) })
  }
  // Both pay the same code at once: it is paid once.
  const paid = await Promise.all([a.person.pay(codes[0] ?? ''), b.person.pay(codes[0] ?? '')])
  expect(paid.map(one => one.ok).sort()).toEqual([false, true])
  expect(await b.person.order('weixin://nothing')).toBeUndefined()
  await expect(b.emulator()).rejects.toThrow('another process')

  await a.close()
  expect(await b.person.order(codes[0] ?? '')).toMatchObject({ state: 'paid' })
  for (const code of codes.slice(1)) expect(await b.person.order(code)).toMatchObject({ state: 'waiting' })
  expect((await b.person.pay(codes[1] ?? '')).ok).toBe(true)
  const lines = (await readFile(join(dataDir, 'wxpay', 'book.jsonl'), 'utf8')).trimEnd().split('\n')
  const orders = new Set(lines.map(line => JSON.parse(line)).flatMap(row => (row.kind === 'order' ? [row.value.orderNo] : [])))
  expect(orders.size).toBe(20)
  await b.close()
})
