/**
 * How a call is encrypted (framework-contract 1.9): AES-CBC with PKCS #7 in base64, the vector is the first 16 bytes of the key. The query becomes the
 * one parameter `data`, the body a text, the token `crypto <text>`, the answer one text with the JSON in it. The key is never the same twice: each
 * call and each answer has one of its own, made from the key of the session and a number that is good once.
 */

/** Names the session's key, the number of the call, and the proof that nothing was changed. */
export const sealedHeader = 'Blade-Crypto'
/** The proof of the answer. */
export const sealedSignHeader = 'Blade-Crypto-Sign'

/** 64 hex digits. */
export const sessionKeyForm = /^[0-9a-f]{64}$/
export const sealedForm = /^([\w-]{43})\.([\w-]{22})\.([0-9a-f]{64})$/

/** HMAC-SM3 in hex of a text under a hex key: both sides bring their own. */
export type Hmac = (keyHex: string, text: string) => string

/** The AES key of a call or of its answer: 32 bytes of text. */
export const sealedKey = (hmac: Hmac, sessionKey: string, part: 'call' | 'answer', number: string): string =>
  hmac(sessionKey, `${part}|${number}`).slice(0, 32)

/** Everything of a call that decides what it does, as it stands on the wire. */
export interface SealedWire {
  readonly method: string
  /** From `/api` on, without the query. */
  readonly path: string
  readonly number: string
  /** The whole header. */
  readonly token: string
  readonly data: string
  readonly body: string
  readonly idempotencyKey: string
}
export const callProof = (hmac: Hmac, sessionKey: string, wire: SealedWire): string =>
  hmac(sessionKey, ['sign', wire.method, wire.path, wire.number, wire.token, wire.idempotencyKey, wire.data, wire.body].join('\n'))
export const answerProof = (
  hmac: Hmac,
  sessionKey: string,
  of: { readonly number: string; readonly status: number; readonly text: string },
): string => hmac(sessionKey, ['answer', of.number, of.status, of.text].join('\n'))
