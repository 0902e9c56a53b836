import { createCipheriv, createDecipheriv, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { refuse } from '#contract/kernel/errors.ts'
import type { Refusal } from '#contract/kernel/refusal.ts'
import { answerProof, callProof, type Hmac, sealedForm, sealedHeader, sealedKey, sealedSignHeader } from '#contract/kernel/sealed-call.ts'
import { hmacSm3 } from '../crypto/sm3.ts'
import { hashToken } from '../crypto/token.ts'

/** The key that a session has agreed on. */
export interface SessionKey {
  readonly tenantId: string
  readonly sessionId: string
  /** 64 hex digits. */
  readonly key: string
}
export interface SealedCalls {
  /** The key of this name, while its session lives. */
  readonly keyOf: (handle: string) => Promise<SessionKey | undefined>
  /** True the first time. */
  readonly spend: (tenantId: string, digest: string, handle: string) => Promise<boolean>
}

/** What an encrypted call says. */
export interface OpenedCall {
  readonly sessionId: string
  readonly token: string | undefined
  readonly query: Readonly<Record<string, string>>
  readonly json: unknown
}

export const hmac: Hmac = (keyHex, text) => hmacSm3(Buffer.from(keyHex, 'hex'), text).toString('hex')

const vectorOf = (key: Buffer): Buffer => key.subarray(0, 16)
const aesSeal = (plain: string, keyText: string): string => {
  const key = Buffer.from(keyText)
  const cipher = createCipheriv('aes-256-cbc', key, vectorOf(key))
  return Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]).toString('base64')
}
/** undefined for what this key did not make. */
const aesOpen = (base64: string, keyText: string): string | undefined => {
  const key = Buffer.from(keyText)
  const bytes = Buffer.from(base64, 'base64')
  if (bytes.length === 0 || bytes.toString('base64') !== base64) return undefined
  try {
    const decipher = createDecipheriv('aes-256-cbc', key, vectorOf(key))
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat([decipher.update(bytes), decipher.final()]))
  } catch {
    return undefined
  }
}

const cryptoToken = /^crypto\s+(\S+)$/i
const unreadable = (): Refusal => refuse('kernel/crypto-call', {})

const headerOf = (request: FastifyRequest, name: string): string => {
  const value = request.headers[name.toLowerCase()]
  return (Array.isArray(value) ? value[0] : value) ?? ''
}

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
/** Parameters as a query would carry them. */
const queryOf = (text: string): Readonly<Record<string, string>> | undefined => {
  const json = jsonOf(text)
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return undefined
  return Object.fromEntries(
    Object.entries(json)
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([name, value]) => [name, typeof value === 'object' ? JSON.stringify(value) : String(value)]),
  )
}

/** How the answers of calls that are on their way have to be encrypted. */
const answers = new WeakMap<FastifyRequest, { readonly key: string; readonly number: string }>()

/**
 * Decrypts a call before anybody looks at it, so that every gate, the strict input and the idempotency see what it says. What is neither whole nor
 * encrypted as a whole is refused: a plain query beside an encrypted body, a form, a proof that does not fit, a number that was used.
 *
 * @returns undefined for a call that is not encrypted
 */
export const openSealedCall = async (request: FastifyRequest, calls: SealedCalls): Promise<OpenedCall | Refusal | undefined> => {
  const header = headerOf(request, sealedHeader)
  const authorization = headerOf(request, 'blade-auth')
  const sealedToken = cryptoToken.exec(authorization.trim())?.[1]
  const isText = headerOf(request, 'content-type').startsWith('text/plain')
  if (header === '') {
    if (sealedToken !== undefined) return refuse('kernel/crypto-key', {})
    return isText ? refuse('kernel/media-type', {}) : undefined
  }
  const [, handle, number, proof] = sealedForm.exec(header) ?? []
  if (handle === undefined || number === undefined || proof === undefined) return unreadable()
  const found = await calls.keyOf(handle)
  if (!found) return refuse('kernel/crypto-key', {})
  const plainQuery = request.query as Readonly<Record<string, unknown>>
  const data = typeof plainQuery['data'] === 'string' ? plainQuery['data'] : ''
  const body = typeof request.body === 'string' ? request.body : ''
  const hasOther =
    Object.keys(plainQuery).some(name => name !== 'data') || (body === '' && request.body !== undefined && request.body !== null)
  if (hasOther || request.isMultipart()) return unreadable()
  const path = request.url.split('?')[0] ?? ''
  const wire = {
    method: request.method,
    path,
    number,
    token: authorization,
    data,
    body,
    idempotencyKey: headerOf(request, 'idempotency-key'),
  }
  const right = Buffer.from(callProof(hmac, found.key, wire))
  if (!timingSafeEqual(right, Buffer.from(proof))) return unreadable()
  if (!(await calls.spend(found.tenantId, hashToken(`${handle}.${number}`), handle))) return unreadable()
  const key = sealedKey(hmac, found.key, 'call', number)
  const open = (text: string): string | undefined => (text === '' ? '' : aesOpen(text, key))
  const [token, query, json] = [open(sealedToken ?? ''), open(data), open(body)]
  if (token === undefined || query === undefined || json === undefined) return unreadable()
  const [params, content] = [query === '' ? {} : queryOf(query), json === '' ? null : jsonOf(json)]
  if (params === undefined || content === undefined) return unreadable()
  answers.set(request, { key: found.key, number })
  return { sessionId: found.sessionId, token: token === '' ? undefined : token, query: params, json: content ?? undefined }
}

/** The answers of encrypted calls are encrypted too, refusals among them; files go as they are. Add it before the routes. */
export const sealAnswers = (app: FastifyInstance): void => {
  app.addHook('onSend', async (request, reply, payload) => {
    const how = answers.get(request)
    const plain = Buffer.isBuffer(payload) ? payload.toString() : payload
    if (how === undefined || typeof plain !== 'string' || !String(reply.getHeader('content-type')).includes('json')) return payload
    const text = aesSeal(plain, sealedKey(hmac, how.key, 'answer', how.number))
    reply
      .header('Content-Type', 'text/plain; charset=utf-8')
      .header(sealedSignHeader, answerProof(hmac, how.key, { number: how.number, status: reply.statusCode, text }))
      .removeHeader('content-length')
    return text
  })
}
