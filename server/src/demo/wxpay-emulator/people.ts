import { createHash, verify } from 'node:crypto'
import type { Clock } from '#kernel/clock.ts'
import { randomText } from '#kernel/random.ts'
import type { EmulatorKeys, EmulatorMerchant } from './keys.ts'

/** What a page hands to WeChat's browser (`getBrandWCPayRequest`). */
export type BridgeCall = {
  readonly appId: string
  readonly timeStamp: string
  readonly nonceStr: string
  readonly package: string
  readonly signType: string
  readonly paySign: string
}

/** One person has another openid at every account; here the account shows in how it begins. */
export const openidStart = (appid: string): string => `o${createHash('sha256').update(appid).digest('hex').slice(0, 8)}`

/** Of the public account that belongs to a merchant; made from what the merchant has already. */
export const appSecretOf = (merchant: EmulatorMerchant): string =>
  createHash('sha256').update(`app secret ${merchant.apiV3Key}`).digest('hex').slice(0, 32)

const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789'
const CODE_LIFE_MS = 5 * 60_000

/** The people of WeChat: who they are to an account, and whether a page may ask them to pay. */
export const createPeople = (parts: { readonly clock: Clock; readonly keys: EmulatorKeys }) => {
  const { clock, keys } = parts
  const codes = new Map<string, { readonly appid: string; readonly openid: string; readonly until: number }>()
  const merchantOf = (appid: string): EmulatorMerchant | undefined => keys.merchants.find(one => one.appid === appid)
  return {
    authorize: (of: { readonly appid: string; readonly redirect: string; readonly state: string }): string | undefined => {
      const place = URL.parse(of.redirect)
      if (merchantOf(of.appid) === undefined || place === null || !/^https?:$/.test(place.protocol)) return undefined
      const code = randomText(32, LETTERS)
      codes.set(code, {
        appid: of.appid,
        openid: `${openidStart(of.appid)}${randomText(19, LETTERS)}`,
        until: clock.now().getTime() + CODE_LIFE_MS,
      })
      place.searchParams.set('code', code)
      place.searchParams.set('state', of.state)
      return place.href
    },
    /** Answers 200 also when it refuses, as the real one. A code is good once. */
    exchange: (query: URLSearchParams): Record<string, unknown> => {
      const merchant = merchantOf(query.get('appid') ?? '')
      if (merchant === undefined) return { errcode: 40013, errmsg: 'invalid appid' }
      if (query.get('secret') !== appSecretOf(merchant)) return { errcode: 40125, errmsg: 'invalid appsecret' }
      const code = query.get('code') ?? ''
      const found = codes.get(code)
      codes.delete(code)
      if (found === undefined || found.appid !== merchant.appid) return { errcode: 40029, errmsg: 'invalid code' }
      if (found.until <= clock.now().getTime()) return { errcode: 42003, errmsg: 'code expired' }
      return { access_token: randomText(64, LETTERS), expires_in: 7200, openid: found.openid, scope: 'snsapi_base' }
    },
    isSigned: (of: BridgeCall): boolean => {
      const merchant = merchantOf(of.appId)
      if (merchant === undefined || of.signType !== 'RSA' || !/^prepay_id=wx\d+$/.test(of.package)) return false
      const message = `${of.appId}\n${of.timeStamp}\n${of.nonceStr}\n${of.package}\n`
      return verify('RSA-SHA256', Buffer.from(message), merchant.publicKeyPem, Buffer.from(of.paySign, 'base64'))
    },
  }
}
