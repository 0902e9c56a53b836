import { sm3 } from 'sm-crypto-v2'
import { answerProof, callProof, type Hmac, sealedForm, sealedHeader, sealedKey } from '#contract/kernel/sealed-call.ts'
import { aesDecrypt, aesEncrypt } from './legacy-cipher.ts'

const bytesOf = (hex: string): Uint8Array => Uint8Array.from(hex.match(/../g) ?? [], pair => Number.parseInt(pair, 16))
export const hmac: Hmac = (keyHex, text) => sm3(new TextEncoder().encode(text), { key: bytesOf(keyHex), mode: 'hmac' })

/** A key that a session has agreed on, and the name that calls give it. */
export interface SessionKey {
  readonly handle: string
  /** 64 hex digits. */
  readonly key: string
}
export interface PlainCall {
  readonly method: 'GET' | 'POST'
  /** From `/api` on. */
  readonly path: string
  readonly token: string
  readonly query: object | undefined
  readonly body: unknown
  readonly idempotencyKey: string
}
export interface SealedText {
  readonly headers: Readonly<Record<string, string>>
  /** Empty for none. */
  readonly data: string
  readonly body: string
  /** Opens the answer. @throws when it was changed, or answers another call */
  readonly open: (status: number, text: string, proof: string | null) => string
}

/** Encrypts a call as `#contract/kernel/sealed-call.ts` says. @param number - 22 characters, another one for each try */
export const sealCall = ({ handle, key }: SessionKey, call: PlainCall, number: string): SealedText => {
  const own = sealedKey(hmac, key, 'call', number)
  const token = `crypto ${aesEncrypt(call.token, own)}`
  const hasQuery = call.query !== undefined && Object.keys(call.query).length > 0
  const data = hasQuery ? aesEncrypt(JSON.stringify(call.query), own) : ''
  const body = call.body === undefined || call.body === null ? '' : aesEncrypt(JSON.stringify(call.body), own)
  const { method, path, idempotencyKey } = call
  const proof = callProof(hmac, key, { method, path, number, token, data, body, idempotencyKey })
  const header = `${handle}.${number}.${proof}`
  if (!sealedForm.test(header)) throw new RangeError('the name of the key or the number of the call has the wrong form')
  return {
    headers: { [sealedHeader]: header, 'Blade-Auth': token },
    data,
    body,
    open: (status, text, given) => {
      if (given !== answerProof(hmac, key, { number, status, text })) throw new RangeError('the answer was changed on its way')
      return aesDecrypt(text, sealedKey(hmac, key, 'answer', number))
    },
  }
}
