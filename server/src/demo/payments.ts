import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '#kernel/clock.ts'
import type { Hold } from '#kernel/hold.ts'
import type { Log } from '#kernel/log.ts'
import { createOutbound } from '#kernel/outbound.ts'
import type { AlipaySettings, NontaxSettings, PayGateway, WechatPaySettings } from '#modules/pay/index.ts'
import { type AlipayEmulator, createAlipayEmulator, isAlipayCode } from './alipay-emulator/emulator.ts'
import { createNontaxEmulator, isNontaxCode, type NontaxEmulator } from './nontax-emulator/emulator.ts'
import { emulatedAccount } from './wxpay-emulator/connect.ts'
import {
  createTimerScheduler,
  createWxpayEmulator,
  type EmulatorScheduler,
  type PersonPayment,
  type PersonView,
  type WxpayEmulator,
} from './wxpay-emulator/emulator.ts'
import { type EmulatorKeys, type EmulatorMerchant, loadOrMakeEmulatorKeys } from './wxpay-emulator/keys.ts'
import type { NoticeRequest } from './wxpay-emulator/notices.ts'
import { createFileStorage, createMemoryStorage } from './wxpay-emulator/storage.ts'

/** The payment provider of a demo or test: the emulator on a port of this machine, with a merchant for each tenant that pays. */
export interface DemoPayments {
  readonly gateway: PayGateway
  /** The emulator of this process; a defect where another process keeps the book. */
  readonly emulator: () => Promise<WxpayEmulator>
  /** The same of Alipay. */
  readonly alipay: () => Promise<AlipayEmulator>
  /** The same of the non-tax platform. */
  readonly nontax: () => Promise<NontaxEmulator>
  /** Starts it, or finds the process that keeps the book. */
  readonly begin: () => Promise<void>
  /** What the page that stands for the payer's phone does, whichever process keeps the book. */
  readonly person: {
    readonly order: (codeUrl: string) => Promise<PersonView | undefined>
    readonly pay: (codeUrl: string) => Promise<PersonPayment>
    /** WeChat's question who its user is. */
    readonly authorize: (request: AuthorizeWish) => Promise<string | undefined>
  }
  /** Number of the tenant's merchant at the emulator. */
  readonly merchantOf: (tenantId: string) => Promise<EmulatorMerchant>
  close(): Promise<void>
}

type AuthorizeWish = Parameters<WxpayEmulator['authorize']>[0]
/** Path of the page that stands for WeChat's question who its user is. */
export const openidPagePath = '/demo/wxpay/authorize'
/** Path of the page that stands for the payer's phone. */
export const payPagePath = '/demo/wxpay'

const addressTries = 50
const addressPauseMs = 100

/** Instants that travelled as JSON. */
const revive = (order: PersonView): PersonView => ({
  ...order,
  expiresAt: new Date(order.expiresAt),
  ...(order.paidAt === undefined ? {} : { paidAt: new Date(order.paidAt) }),
})
const isKeeper = async (url: string): Promise<boolean> =>
  (await fetch(`${url}/kaopu/order`, { method: 'POST', body: '' }).catch(() => undefined))?.status === 200

/** Nothing happens by itself: a test lets the emulator work when it wants to see the outcome. */
const manualScheduler: EmulatorScheduler = { soon: () => {}, every: () => () => {} }

/**
 * One process of a demo keeps the book of the emulator, because two that write one file would lose each other's lines: whoever holds the
 * lock of the database. The others ask it by its address.
 */
export interface BookKeeping {
  /** True when this process keeps the book from now on, until it ends. */
  readonly claim: () => Promise<boolean>
  readonly readAddress: () => Promise<string | undefined>
  readonly writeAddress: (url: string) => Promise<void>
  readonly letGo: () => void
}

interface Running {
  /** Absent where another process keeps the book. */
  readonly emulator: WxpayEmulator | undefined
  readonly alipay: AlipayEmulator | undefined
  readonly nontax: NontaxEmulator | undefined
  readonly alipayAccount: (tenantId: string) => Promise<AlipaySettings>
  readonly nontaxAccount: (tenantId: string) => Promise<NontaxSettings>
  readonly person: DemoPayments['person']
  readonly url: string
  readonly close: () => Promise<void>
  readonly account: (tenantId: string) => Promise<WechatPaySettings>
  readonly merchant: (tenantId: string) => Promise<EmulatorMerchant>
}

/**
 * Started on first use, so that a process without payments makes no keys. Orders, refunds and notices survive a restart in
 * `<data>/wxpay`; a test keeps them in memory.
 *
 * @param deliver - hands a notice to the product
 */
export const createDemoPayments = (parts: {
  readonly hold: Hold
  readonly dataDir: string
  readonly clock: Clock
  readonly log: Log
  readonly isManual: boolean
  readonly deliver: (request: NoticeRequest) => Promise<{ readonly status: number; readonly body: string }>
  /** Absent in tests, whose book lives in memory. */
  readonly keeping?: BookKeeping
}): DemoPayments => {
  const { clock, log, isManual } = parts
  const folder = join(parts.dataDir, 'wxpay')
  const keysFile = join(folder, 'keys.json')

  let running: Promise<Running> | undefined
  let origin: string | undefined
  const open = async (): Promise<Running> => {
    let keys: EmulatorKeys = await loadOrMakeEmulatorKeys(keysFile, [], clock.now())
    // One key file: two tenants that pay for the first time at once are added one after the other.
    let adding: Promise<unknown> = Promise.resolve()
    const merchant = async (tenantId: string): Promise<EmulatorMerchant> => {
      const found = (): EmulatorMerchant | undefined => keys.merchants.find(one => one.tenantId === tenantId)
      if (!found()) {
        const added = adding.then(async () => {
          if (!found()) keys = await loadOrMakeEmulatorKeys(keysFile, [tenantId], clock.now())
        })
        adding = added.catch(() => undefined)
        await added
      }
      const made = found()
      if (!made) throw new Error(`no merchant was made for tenant ${tenantId}`)
      return made
    }
    const emulator = await createWxpayEmulator({
      clock,
      keys: {
        platform: keys.platform,
        get merchants() {
          return keys.merchants
        },
      },
      storage: isManual ? createMemoryStorage() : createFileStorage(join(folder, 'book.jsonl')),
      scheduler: isManual ? manualScheduler : createTimerScheduler(error => log.error({ err: error }, 'the payment emulator failed')),
      send: parts.deliver,
    })
    const account = async (tenantId: string): Promise<WechatPaySettings> => {
      await merchant(tenantId)
      return emulatedAccount(keys, tenantId)
    }
    const scheduler = isManual ? manualScheduler : createTimerScheduler(error => log.error({ err: error }, 'the emulator of Alipay failed'))
    const alipay = await createAlipayEmulator({
      clock,
      ...(isManual ? {} : { file: join(parts.dataDir, 'alipay', 'book.json') }),
      scheduler,
      send: parts.deliver,
    })
    const alipayAccount = async (tenantId: string): Promise<AlipaySettings> => alipay.accountOf(tenantId)
    const nontax = createNontaxEmulator({
      clock,
      ...(isManual ? {} : { file: join(parts.dataDir, 'nontax', 'book.json') }),
      scheduler: isManual
        ? manualScheduler
        : createTimerScheduler(error => log.error({ err: error }, 'the emulator of the non-tax platform failed')),
      send: parts.deliver,
    })
    const person: Running['person'] = {
      order: async codeUrl =>
        isNontaxCode(codeUrl)
          ? nontax.orderByCode(codeUrl)
          : isAlipayCode(codeUrl)
            ? alipay.orderByCode(codeUrl)
            : emulator.orderByCodeUrl(codeUrl),
      pay: codeUrl =>
        isNontaxCode(codeUrl)
          ? nontax.payAsPerson(codeUrl)
          : isAlipayCode(codeUrl)
            ? alipay.payAsPerson(codeUrl)
            : emulator.payAsPerson(codeUrl),
      authorize: async request => emulator.authorize(request),
    }
    const { url, close } = await emulator.listen(
      0,
      async (path, argument) => {
        if (path === 'order') return person.order(argument)
        if (path === 'pay') return person.pay(argument)
        if (path === 'authorize') return person.authorize(JSON.parse(argument) as AuthorizeWish)
        if (path === 'alipay') return alipayAccount(argument)
        if (path === 'nontax') return nontaxAccount(argument)
        return path === 'merchant' ? { merchant: await merchant(argument), account: await account(argument) } : undefined
      },
      request => alipay.handle(request) ?? nontax.handle(request),
    )
    const nontaxAccount = async (tenantId: string): Promise<NontaxSettings> => nontax.accountOf(tenantId, url)
    await parts.keeping?.writeAddress(url)
    const closeBoth = (): Promise<void> => {
      alipay.close()
      nontax.close()
      return close()
    }
    return { emulator, alipay, nontax, alipayAccount, nontaxAccount, person, url, close: closeBoth, account, merchant }
  }

  /** Asks the process that keeps the book. When it is gone, this one takes over: the question is put once more. */
  const ask = async <T>(url: string, path: string, argument: string, again: (next: Running) => Promise<T>): Promise<T> => {
    try {
      const answer = await fetch(`${url}/kaopu/${path}`, { method: 'POST', body: argument })
      return ((await answer.json()) as { value: T }).value
    } catch (error) {
      log.warn({ err: error }, 'the process that keeps the book of the emulator does not answer')
      running = undefined
      return again(await start())
    }
  }
  const elsewhere = (url: string): Running => {
    const merchantOf = (tenantId: string) =>
      ask<{ merchant: EmulatorMerchant; account: WechatPaySettings }>(url, 'merchant', tenantId, async next => ({
        merchant: await next.merchant(tenantId),
        account: await next.account(tenantId),
      }))
    return {
      emulator: undefined,
      alipay: undefined,
      nontax: undefined,
      nontaxAccount: tenantId => ask<NontaxSettings>(url, 'nontax', tenantId, next => next.nontaxAccount(tenantId)),
      alipayAccount: tenantId => ask<AlipaySettings>(url, 'alipay', tenantId, next => next.alipayAccount(tenantId)),
      url,
      close: async () => undefined,
      account: async tenantId => (await merchantOf(tenantId)).account,
      merchant: async tenantId => (await merchantOf(tenantId)).merchant,
      person: {
        order: async codeUrl => {
          const order = await ask<PersonView | null | undefined>(url, 'order', codeUrl, next => next.person.order(codeUrl))
          return order ? revive(order) : undefined
        },
        pay: async codeUrl => {
          const paid = await ask(url, 'pay', codeUrl, next => next.person.pay(codeUrl))
          return paid.ok ? { ok: true, order: revive(paid.order) } : paid
        },
        authorize: async request =>
          (await ask<string | null | undefined>(url, 'authorize', JSON.stringify(request), next => next.person.authorize(request))) ??
          undefined,
      },
    }
  }
  /** The keeper says its address right after it has taken the lock; between the two a moment passes. */
  const find = async (): Promise<Running> => {
    if (!parts.keeping || (await parts.keeping.claim())) return open()
    for (let tries = 0; tries < addressTries; tries += 1) {
      const url = await parts.keeping.readAddress()
      if (url !== undefined && (await isKeeper(url))) return elsewhere(url)
      await pause(addressPauseMs)
      if (await parts.keeping.claim()) return open()
    }
    throw new Error('the process that keeps the book of the payment emulator does not answer')
  }

  const start = (): Promise<Running> => {
    running ??= find().then(opened => {
      origin = opened.url
      return opened
    })
    return running
  }
  const outbound = createOutbound({
    hold: parts.hold,
    purpose: 'pay',
    allowedOrigins: [],
    localOrigins: () => (origin === undefined ? [] : [origin]),
  })
  return {
    gateway: {
      outbound,
      nontax: { outbound, find: () => origin },
      origin: async () => (await start()).url,
      makeAccount: async tenantId => (await start()).account(tenantId),
      alipayOrigin: async () => (await start()).url,
      makeAlipay: async tenantId => (await start()).alipayAccount(tenantId),
      makeNontax: async tenantId => (await start()).nontaxAccount(tenantId),
      demoAuthorizePage: openidPagePath,
      demoPayUrl: (codeUrl, language) => `${payPagePath}?code_url=${encodeURIComponent(codeUrl)}&lang=${language}`,
    },
    begin: async () => void (await start()),
    person: {
      order: async codeUrl => (await start()).person.order(codeUrl),
      pay: async codeUrl => (await start()).person.pay(codeUrl),
      authorize: async request => (await start()).person.authorize(request),
    },
    emulator: async () => {
      const { emulator } = await start()
      if (!emulator) throw new Error('another process keeps the book of the payment emulator')
      return emulator
    },
    alipay: async () => {
      const { alipay } = await start()
      if (!alipay) throw new Error('another process keeps the book of the emulator of Alipay')
      return alipay
    },
    nontax: async () => {
      const { nontax } = await start()
      if (!nontax) throw new Error('another process keeps the book of the emulator of the non-tax platform')
      return nontax
    },
    merchantOf: async tenantId => (await start()).merchant(tenantId),
    close: async () => {
      await (await running)?.close()
      parts.keeping?.letGo()
    },
  }
}
