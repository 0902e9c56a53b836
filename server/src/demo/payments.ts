import { join } from 'node:path'
import type { Clock } from '#kernel/clock.ts'
import type { Log } from '#kernel/log.ts'
import { createOutbound } from '#kernel/outbound.ts'
import type { PayGateway, WechatPaySettings } from '#modules/pay/index.ts'
import { emulatedAccount } from './wxpay-emulator/connect.ts'
import { createTimerScheduler, createWxpayEmulator, type EmulatorScheduler, type WxpayEmulator } from './wxpay-emulator/emulator.ts'
import { type EmulatorKeys, type EmulatorMerchant, loadOrMakeEmulatorKeys } from './wxpay-emulator/keys.ts'
import type { NoticeRequest } from './wxpay-emulator/notices.ts'
import { createFileStorage, createMemoryStorage } from './wxpay-emulator/storage.ts'

/** The payment provider of a demo or test: the emulator on a port of this machine, with a merchant for each tenant that pays. */
export interface DemoPayments {
  readonly gateway: PayGateway
  readonly emulator: () => Promise<WxpayEmulator>
  /** Number of the tenant's merchant at the emulator. */
  readonly merchantOf: (tenantId: string) => Promise<EmulatorMerchant>
  close(): Promise<void>
}

/** Path of the page that stands for the payer's phone. */
export const payPagePath = '/demo/wxpay'

/** Nothing happens by itself: a test lets the emulator work when it wants to see the outcome. */
const manualScheduler: EmulatorScheduler = { soon: () => {}, every: () => () => {} }

interface Running {
  readonly emulator: WxpayEmulator
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
  readonly dataDir: string
  readonly clock: Clock
  readonly log: Log
  readonly isManual: boolean
  readonly deliver: (request: NoticeRequest) => Promise<{ readonly status: number }>
}): DemoPayments => {
  const { clock, log, isManual } = parts
  const folder = join(parts.dataDir, 'wxpay')
  const keysFile = join(folder, 'keys.json')

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
    const { url, close } = await emulator.listen(0)
    const account = async (tenantId: string): Promise<WechatPaySettings> => {
      await merchant(tenantId)
      return emulatedAccount(keys, tenantId)
    }
    return { emulator, url, close, account, merchant }
  }

  let running: Promise<Running> | undefined
  let origin: string | undefined
  const start = (): Promise<Running> => {
    running ??= open().then(opened => {
      origin = opened.url
      return opened
    })
    return running
  }
  return {
    gateway: {
      outbound: createOutbound({ allowedOrigins: [], localOrigins: () => (origin === undefined ? [] : [origin]) }),
      origin: async () => (await start()).url,
      makeAccount: async tenantId => (await start()).account(tenantId),
      demoPayUrl: codeUrl => `${payPagePath}?code_url=${encodeURIComponent(codeUrl)}`,
    },
    emulator: async () => (await start()).emulator,
    merchantOf: async tenantId => (await start()).merchant(tenantId),
    close: async () => {
      await (await running)?.close()
    },
  }
}
