import { createCipheriv, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { randomBytes, randomText } from '#kernel/random.ts'
import type { EmulatorKeys, EmulatorMerchant } from './keys.ts'

/**
 * The provider's side of the wire. Written apart from the client's side on purpose: a mistake in one of the two shows as a
 * signature that does not fit.
 */

export type SignWith = 'publicKey' | 'certificate'

/** Faults of a signature: `probe` is the provider's own check whether a merchant verifies at all. */
export type SignatureFault = 'wrong' | 'probe' | 'unknownSerial' | 'stale'

const privateKeys = new Map<string, KeyObject>()
const privateKeyOf = (pem: string): KeyObject => {
  const key = privateKeys.get(pem) ?? createPrivateKey(pem)
  privateKeys.set(pem, key)
  return key
}
const publicKeys = new Map<string, KeyObject>()
const publicKeyOf = (pem: string): KeyObject => {
  const key = publicKeys.get(pem) ?? createPublicKey(pem)
  publicKeys.set(pem, key)
  return key
}

const STALE_SECONDS = 301
const NONCE_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** The headers that sign one body. */
export const signHeaders = (
  keys: EmulatorKeys,
  facts: {
    readonly body: string | Uint8Array
    readonly at: Date
    readonly signWith: SignWith
    readonly fault?: SignatureFault | undefined
  },
): Record<string, string> => {
  const { platform } = keys
  const byKey = facts.signWith === 'publicKey'
  const timestamp = String(Math.floor(facts.at.getTime() / 1000) - (facts.fault === 'stale' ? STALE_SECONDS : 0))
  const nonce = randomText(32, NONCE_ALPHABET)
  const message = Buffer.concat([Buffer.from(`${timestamp}\n${nonce}\n`), Buffer.from(facts.body), Buffer.from('\n')])
  const right = sign('RSA-SHA256', message, privateKeyOf(byKey ? platform.publicKeyPrivatePem : platform.certificatePrivatePem))
  const signature = facts.fault === 'wrong' ? randomBytes(256) : right
  const serial = byKey ? platform.publicKeyId : platform.certificateSerial
  return {
    'wechatpay-timestamp': timestamp,
    'wechatpay-nonce': nonce,
    'wechatpay-signature': `${facts.fault === 'probe' ? 'WECHATPAY/SIGNTEST/' : ''}${signature.toString('base64')}`,
    'wechatpay-signature-type': 'WECHATPAY2-SHA256-RSA2048',
    'wechatpay-serial': facts.fault === 'unknownSerial' ? 'PUB_KEY_ID_0000000000000000000000000000000000' : serial,
  }
}

export type Sealed = {
  readonly algorithm: 'AEAD_AES_256_GCM'
  readonly ciphertext: string
  readonly nonce: string
  readonly associated_data: string
}

export const seal = (plain: string, associatedData: string, apiV3Key: string): Sealed => {
  const nonce = randomText(12, NONCE_ALPHABET)
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(apiV3Key), Buffer.from(nonce))
  cipher.setAAD(Buffer.from(associatedData))
  const ciphertext = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64')
  return { algorithm: 'AEAD_AES_256_GCM', ciphertext, nonce, associated_data: associatedData }
}

const MAX_SKEW_SECONDS = 300

/** The merchant who signed a request; undefined when the signature is missing, wrong, old or nobody's. */
export const authenticate = (
  keys: EmulatorKeys,
  request: {
    readonly method: string
    readonly url: string
    readonly authorization: string | undefined
    readonly body: string
    readonly at: Date
  },
): EmulatorMerchant | undefined => {
  const scheme = 'WECHATPAY2-SHA256-RSA2048 '
  if (!request.authorization?.startsWith(scheme)) return undefined
  const fields = new Map(
    [...request.authorization.slice(scheme.length).matchAll(/(\w+)="([^"]*)"/g)].map(match => [match[1], match[2] ?? '']),
  )
  const merchant = keys.merchants.find(candidate => candidate.mchid === fields.get('mchid') && candidate.serial === fields.get('serial_no'))
  const timestamp = fields.get('timestamp') ?? ''
  const ageSeconds = Math.floor(request.at.getTime() / 1000) - Number(timestamp)
  if (merchant === undefined || !/^\d+$/.test(timestamp) || Math.abs(ageSeconds) > MAX_SKEW_SECONDS) return undefined
  const message = [request.method, request.url, timestamp, fields.get('nonce_str') ?? '', request.body, ''].join('\n')
  const signature = Buffer.from(fields.get('signature') ?? '', 'base64')
  return verify('RSA-SHA256', Buffer.from(message), publicKeyOf(merchant.publicKeyPem), signature) ? merchant : undefined
}
