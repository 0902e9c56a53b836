import { createDecipheriv, type KeyObject, sign, verify } from 'node:crypto'

/** The scheme of requests and answers; the SM2 variant is for merchants that asked for it and is not offered here. */
const SCHEME = 'WECHATPAY2-SHA256-RSA2048'

/** How far the clocks may lie apart, in seconds, either way. @see https://pay.weixin.qq.com/doc/v3/merchant/4012365336 */
const MAX_SKEW_SECONDS = 300

/** The value of `Authorization` for one request. The body takes part byte for byte; a GET signs an empty one. */
export const authorize = (facts: {
  readonly method: string
  readonly pathAndQuery: string
  readonly body: string
  readonly at: Date
  readonly nonce: string
  readonly mchid: string
  readonly serial: string
  readonly privateKey: KeyObject
}): string => {
  const timestamp = Math.floor(facts.at.getTime() / 1000)
  const message = `${facts.method}\n${facts.pathAndQuery}\n${timestamp}\n${facts.nonce}\n${facts.body}\n`
  const signature = sign('sha256', Buffer.from(message), facts.privateKey).toString('base64')
  return `${SCHEME} mchid="${facts.mchid}",nonce_str="${facts.nonce}",signature="${signature}",timestamp="${timestamp}",serial_no="${facts.serial}"`
}

/** The four headers that sign an answer or a notice; undefined when one is missing or came twice. */
export const readSignatureHeaders = (
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): { readonly timestamp: string; readonly nonce: string; readonly signature: string; readonly serial: string } | undefined => {
  const found = new Map<string, string>()
  for (const [name, value] of Object.entries(headers)) {
    const key = name.toLowerCase()
    if (!key.startsWith('wechatpay-')) continue
    if (typeof value !== 'string' || found.has(key)) return undefined
    found.set(key, value)
  }
  const [timestamp, nonce, signature, serial] = ['timestamp', 'nonce', 'signature', 'serial'].map(name => found.get(`wechatpay-${name}`))
  if (!timestamp || !nonce || !signature || !serial) return undefined
  return { timestamp, nonce, signature, serial }
}

/**
 * Whether the provider only tries out that signatures are checked. Nothing that is signed so may be believed.
 *
 * @see https://pay.weixin.qq.com/doc/v3/merchant/4013053249
 */
export const isProbe = (signed: { readonly signature: string }): boolean => signed.signature.startsWith('WECHATPAY/SIGNTEST/')

/** Whether a timestamp header (seconds) lies within the window around now. */
export const isFresh = (timestamp: string, now: Date): boolean =>
  /^\d{1,12}$/.test(timestamp) && Math.abs(Number(timestamp) - Math.floor(now.getTime() / 1000)) <= MAX_SKEW_SECONDS

/** Whether the provider has signed exactly these bytes. */
export const isSignedBy = (
  publicKey: KeyObject,
  signed: { readonly timestamp: string; readonly nonce: string; readonly signature: string },
  body: Uint8Array,
): boolean => {
  const message = Buffer.concat([Buffer.from(`${signed.timestamp}\n${signed.nonce}\n`), body, Buffer.from('\n')])
  return verify('sha256', message, publicKey, Buffer.from(signed.signature, 'base64'))
}

const TAG_BYTES = 16

/**
 * Opens an `AEAD_AES_256_GCM` resource. The tag is checked before a single byte is handed out.
 *
 * @throws when the key, the nonce, the associated data or any byte of the text is not the sealed one
 */
export const openResource = (
  sealed: { readonly ciphertext: string; readonly nonce: string; readonly associatedData: string },
  apiV3Key: string,
): string => {
  const bytes = Buffer.from(sealed.ciphertext, 'base64')
  if (bytes.length < TAG_BYTES) throw new Error('resource is shorter than its tag')
  const decipher = createDecipheriv('aes-256-gcm', apiV3Key, sealed.nonce, { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(sealed.associatedData))
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
  return Buffer.concat([decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()]).toString('utf8')
}

const SHANGHAI_OFFSET_MS = 8 * 60 * 60 * 1000

/** `2026-03-17T10:00:00+08:00`: the provider takes whole seconds in this offset. */
export const toRfc3339 = (at: Date): string => new Date(at.getTime() + SHANGHAI_OFFSET_MS).toISOString().replace(/\.\d+Z$/, '+08:00')
