import { type Outbound, OutboundError } from '#kernel/outbound.ts'
import type { WxpayEmulator } from './emulator.ts'
import { type EmulatorKeys, findMerchant } from './keys.ts'
import { appSecretOf } from './people.ts'

/** The emulator behind the shape of the outbound function, without a socket. */
export const outboundTo =
  (emulator: Pick<WxpayEmulator, 'handle'>): Outbound =>
  async request => {
    const url = new URL(request.url)
    const headers = Object.fromEntries(Object.entries(request.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]))
    const answer = await emulator.handle({
      method: request.method,
      url: `${url.pathname}${url.search}`,
      headers: { ...headers, host: url.host },
      body: request.body === undefined ? '' : Buffer.from(request.body).toString('utf8'),
    })
    if (answer === undefined) throw new OutboundError('timeout', 'the answer was lost')
    return answer
  }

/** The account of a tenant's merchant, in the shape of the client's settings. */
export const emulatedAccount = (keys: EmulatorKeys, tenantId: string, trust: 'publicKey' | 'certificate' = 'publicKey') => {
  const merchant = findMerchant(keys, tenantId)
  return {
    mchid: merchant.mchid,
    appid: merchant.appid,
    merchantSerial: merchant.serial,
    merchantPrivateKeyPem: merchant.privateKeyPem,
    apiV3Key: merchant.apiV3Key,
    appSecret: appSecretOf(merchant),
    h5: true,
    trust:
      trust === 'publicKey'
        ? { mode: trust, keyId: keys.platform.publicKeyId, publicKeyPem: keys.platform.publicKeyPem }
        : ({ mode: trust } as const),
  }
}
