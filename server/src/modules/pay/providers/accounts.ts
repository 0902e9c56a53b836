import type { PayChannel } from '#contract/pay/channel.ts'
import { systemOf, type TenantDb } from '#kernel/db/scope.ts'
import type { Services } from '#server/services.ts'
import {
  type AccountRow,
  type AlipayRow,
  findAccount,
  findAlipay,
  findNontax,
  isTenant,
  type NontaxRow,
  writeAccount,
  writeAlipay,
  writeNontax,
} from '../data/account.repo.ts'
import { type AlipaySettings, createAlipay } from './alipay.ts'
import type { PayGateway } from './gateway.ts'
import { createNontax, type NontaxSettings } from './nontax.ts'
import type { PayProvider } from './provider.ts'
import { createWechatPay } from './wechat.ts'
import type { WechatPaySettings } from './wechat-channel.ts'
import { askOpenid, type OpenidAnswer, WECHAT_API_ORIGIN } from './wechat-openid.ts'

/** A tenant's merchant, ready to be called. */
export interface Merchant {
  readonly channel: PayChannel
  /** Asks WeChat who pays; absent where the account has no secret for it. */
  readonly askOpenid?: (code: string) => Promise<OpenidAnswer>
  readonly provider: PayProvider
  readonly mchid: string
  readonly appid: string
}

export interface Providers {
  /** Undefined while the tenant has no merchant account. */
  readonly of: (tenantId: string, channel?: PayChannel) => Promise<Merchant | undefined>
  /** Stores the account of the transaction's tenant; the private key and the API key are sealed. */
  readonly save: (db: TenantDb, settings: WechatPaySettings) => Promise<void>
  /** The account with its keys opened, for changing a part of it; undefined while there is none. */
  readonly stored: (db: TenantDb) => Promise<WechatPaySettings | undefined>
  /** The same two of the application at Alipay. */
  readonly saveAlipay: (db: TenantDb, settings: AlipaySettings) => Promise<void>
  readonly storedAlipay: (db: TenantDb) => Promise<AlipaySettings | undefined>
  /** The same two of the office at the non-tax platform. */
  readonly saveNontax: (db: TenantDb, settings: NontaxSettings) => Promise<void>
  readonly storedNontax: (db: TenantDb) => Promise<NontaxSettings | undefined>
}

/** An account changes rarely; another process sees the change after this. */
const cacheMs = 30_000

/** The merchants of all tenants. A client lives as long as its account, because it keeps the provider's certificates. */
export const createProviders = (services: Services, gateway: PayGateway): Providers => {
  const { cipher, clock, scopes } = services
  const known = new Map<string, { readonly merchant: Merchant; readonly version: string; readAt: number }>()
  const keyOf = (tenantId: string, channel: PayChannel): string => `${channel} ${tenantId}`
  const place = (tenantId: string, column: string) => ({ table: 'pay_account', column, rowId: tenantId })
  const alipayPlace = (tenantId: string) => ({ table: 'pay_alipay', column: 'private_key_sealed', rowId: tenantId })
  const nontaxPlace = (tenantId: string) => ({ table: 'pay_nontax', column: 'private_key_sealed', rowId: tenantId })

  const save: Providers['save'] = async (db, settings) => {
    const { tenantId } = db.actor
    await writeAccount(db, {
      mchid: settings.mchid,
      appid: settings.appid,
      serial: settings.merchantSerial,
      privateKey: cipher.seal(tenantId, place(tenantId, 'private_key_sealed'), settings.merchantPrivateKeyPem),
      apiKey: cipher.seal(tenantId, place(tenantId, 'api_key_sealed'), settings.apiV3Key),
      trust: settings.trust,
      appSecret: settings.appSecret === undefined ? null : cipher.seal(tenantId, place(tenantId, 'app_secret_sealed'), settings.appSecret),
      h5: settings.h5 === true,
    })
    known.delete(keyOf(tenantId, 'wechat'))
  }
  const saveAlipay: Providers['saveAlipay'] = async (db, settings) => {
    const { tenantId } = db.actor
    const { appId, sellerId, publicKeyPem } = settings
    await writeAlipay(db, {
      appId,
      sellerId,
      publicKeyPem,
      privateKey: cipher.seal(tenantId, alipayPlace(tenantId), settings.privateKeyPem),
    })
    known.delete(keyOf(tenantId, 'alipay'))
  }

  const saveNontax: Providers['saveNontax'] = async (db, { privateKeyPem, ...settings }) => {
    const { tenantId } = db.actor
    await writeNontax(db, { ...settings, privateKey: cipher.seal(tenantId, nontaxPlace(tenantId), privateKeyPem) })
    known.delete(keyOf(tenantId, 'nontax'))
  }

  const readRow = (tenantId: string): Promise<AccountRow | undefined> => scopes.tx(systemOf(tenantId), clock.now(), findAccount)

  /** The emulator's merchant is the account of a demo; a data folder that was emptied makes a new one. */
  const readOrMake = async (tenantId: string): Promise<AccountRow | undefined> => {
    const row = await readRow(tenantId)
    if (!gateway.makeAccount) return row
    const settings = await gateway.makeAccount(tenantId)
    if (row?.serial === settings.merchantSerial && (row.appSecret !== null) === (settings.appSecret !== undefined)) return row
    const exists = await scopes.tx(systemOf(tenantId), clock.now(), async db => {
      if (!(await isTenant(db))) return false
      await save(db, settings)
      return true
    })
    return exists ? readRow(tenantId) : undefined
  }

  const settingsOf = (tenantId: string, row: AccountRow): WechatPaySettings => ({
    mchid: row.mchid,
    appid: row.appid,
    merchantSerial: row.serial,
    merchantPrivateKeyPem: cipher.open(tenantId, place(tenantId, 'private_key_sealed'), row.privateKey),
    apiV3Key: cipher.open(tenantId, place(tenantId, 'api_key_sealed'), row.apiKey),
    trust: row.trust,
    appSecret: row.appSecret === null ? undefined : cipher.open(tenantId, place(tenantId, 'app_secret_sealed'), row.appSecret),
    h5: row.h5,
  })

  const alipayOf = (tenantId: string, { appId, sellerId, publicKeyPem, privateKey }: AlipayRow): AlipaySettings => ({
    appId,
    sellerId,
    publicKeyPem,
    privateKeyPem: cipher.open(tenantId, alipayPlace(tenantId), privateKey),
  })
  const readAlipay = (tenantId: string): Promise<AlipayRow | undefined> => scopes.tx(systemOf(tenantId), clock.now(), findAlipay)
  const readOrMakeAlipay = async (tenantId: string): Promise<AlipayRow | undefined> => {
    const row = await readAlipay(tenantId)
    if (!gateway.makeAlipay) return row
    const settings = await gateway.makeAlipay(tenantId)
    if (row?.appId === settings.appId && row.publicKeyPem === settings.publicKeyPem) return row
    const exists = await scopes.tx(systemOf(tenantId), clock.now(), async db => {
      if (!(await isTenant(db))) return false
      await saveAlipay(db, settings)
      return true
    })
    return exists ? readAlipay(tenantId) : undefined
  }
  const alipayMerchant = async (tenantId: string, row: AlipayRow): Promise<Merchant> => {
    const settings = alipayOf(tenantId, row)
    const provider = createAlipay({ settings, origin: await gateway.alipayOrigin(), outbound: gateway.outbound, clock })
    return { channel: 'alipay', mchid: settings.sellerId, appid: settings.appId, provider }
  }

  const nontaxOf = (tenantId: string, { privateKey, version: _, ...row }: NontaxRow): NontaxSettings => ({
    ...row,
    privateKeyPem: cipher.open(tenantId, nontaxPlace(tenantId), privateKey),
  })
  const readNontax = (tenantId: string): Promise<NontaxRow | undefined> => scopes.tx(systemOf(tenantId), clock.now(), findNontax)
  const readOrMakeNontax = async (tenantId: string): Promise<NontaxRow | undefined> => {
    const row = await readNontax(tenantId)
    if (!gateway.makeNontax) return row
    const settings = await gateway.makeNontax(tenantId)
    if (row?.appId === settings.appId && row.publicKeyPem === settings.publicKeyPem && row.origin === settings.origin) return row
    const exists = await scopes.tx(systemOf(tenantId), clock.now(), async db => {
      if (!(await isTenant(db))) return false
      await saveNontax(db, settings)
      return true
    })
    return exists ? readNontax(tenantId) : undefined
  }
  const nontaxMerchant = async (tenantId: string, row: NontaxRow): Promise<Merchant> => {
    const settings = nontaxOf(tenantId, row)
    const provider = createNontax({ settings, outbound: gateway.nontax.outbound, clock })
    return { channel: 'nontax', mchid: settings.unitCode, appid: settings.appId, provider }
  }

  const merchantOf = async (tenantId: string, row: AccountRow): Promise<Merchant> => {
    const settings = settingsOf(tenantId, row)
    const { appid, appSecret } = settings
    const origin = row.origin ?? (await gateway.origin())
    const api = gateway.makeAccount ? origin : WECHAT_API_ORIGIN
    return {
      channel: 'wechat',
      mchid: row.mchid,
      appid,
      provider: createWechatPay({ settings, origin, outbound: gateway.outbound, clock }),
      ...(appSecret === undefined ? {} : { askOpenid: (code: string) => askOpenid(gateway.outbound, api, { appid, appSecret, code }) }),
    }
  }

  const openWechat = async (tenantId: string) => {
    const row = await readOrMake(tenantId)
    return row && { version: row.version, merchant: () => merchantOf(tenantId, row) }
  }
  const openAlipay = async (tenantId: string) => {
    const row = await readOrMakeAlipay(tenantId)
    return row && { version: row.version, merchant: () => alipayMerchant(tenantId, row) }
  }
  const openNontax = async (tenantId: string) => {
    const row = await readOrMakeNontax(tenantId)
    return row && { version: row.version, merchant: () => nontaxMerchant(tenantId, row) }
  }
  const open = { wechat: openWechat, alipay: openAlipay, nontax: openNontax } as const

  return {
    save,
    stored: async db => {
      const row = await findAccount(db)
      return row && settingsOf(db.actor.tenantId, row)
    },
    saveAlipay,
    storedAlipay: async db => {
      const row = await findAlipay(db)
      return row && alipayOf(db.actor.tenantId, row)
    },
    saveNontax,
    storedNontax: async db => {
      const row = await findNontax(db)
      return row && nontaxOf(db.actor.tenantId, row)
    },
    async of(tenantId, channel = 'wechat') {
      const key = keyOf(tenantId, channel)
      const now = clock.now().getTime()
      const cached = known.get(key)
      if (cached && Math.abs(now - cached.readAt) < cacheMs) return cached.merchant
      const made = await open[channel](tenantId)
      if (!made) {
        known.delete(key)
        return undefined
      }
      if (cached && cached.version === made.version) {
        cached.readAt = now
        return cached.merchant
      }
      const merchant = await made.merchant()
      known.set(key, { merchant, version: made.version, readAt: now })
      return merchant
    },
  }
}
