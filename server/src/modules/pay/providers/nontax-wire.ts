import { sign, verify } from 'node:crypto'
import { randomText } from '#kernel/random.ts'
import { type JsonObject, readJsonObject, readText } from './wechat-read.ts'

/** One message of either side: what is said travels as base64 of JSON, so that both sign the same bytes. */
interface Envelope {
  readonly appid: string
  readonly data: string
  readonly noise: string
  /** Milliseconds since 1970; part of what is signed, so that an old message cannot be sent again. */
  readonly timestamp: string
  readonly version: string
  readonly sign: string
}

const textToSign = (of: Omit<Envelope, 'sign'>): string =>
  `appid=${of.appid}&data=${of.data}&noise=${of.noise}&timestamp=${of.timestamp}&version=${of.version}`

/** A message signed with RSA2 (SHA-256 with RSA), as the text of a body. */
export const sealMessage = (appid: string, said: object, at: Date, privateKeyPem: string): string => {
  const head = {
    appid,
    data: Buffer.from(JSON.stringify(said)).toString('base64'),
    noise: randomText(32, 'abcdefghijklmnopqrstuvwxyz0123456789'),
    timestamp: String(at.getTime()),
    version: '1.0',
  }
  const signature = sign('sha256', Buffer.from(textToSign(head)), privateKeyPem).toString('base64')
  return JSON.stringify({ ...head, sign: signature } satisfies Envelope)
}

export type OpenedMessage =
  | { readonly ok: true; readonly appid: string; readonly said: JsonObject; readonly sentAt: Date }
  | { readonly ok: false; readonly problem: 'malformed' | 'bad-signature' }

/** Who has sent a message that nobody has checked yet; undefined when it names nobody. */
export const senderOf = (body: string): string | undefined => {
  try {
    return readText(readJsonObject(body), 'appid')
  } catch {
    return undefined
  }
}

/** What the other side says, once its signature is right. */
export const openMessage = (body: string, publicKeyPem: string): OpenedMessage => {
  try {
    const read = readJsonObject(body)
    const names = ['appid', 'data', 'noise', 'timestamp', 'version', 'sign'] as const
    const envelope = Object.fromEntries(names.map(name => [name, readText(read, name)])) as unknown as Envelope
    if (!/^\d{13}$/.test(envelope.timestamp)) return { ok: false, problem: 'malformed' }
    if (!verify('sha256', Buffer.from(textToSign(envelope)), publicKeyPem, Buffer.from(envelope.sign, 'base64')))
      return { ok: false, problem: 'bad-signature' }
    const said = readJsonObject(Buffer.from(envelope.data, 'base64').toString('utf8'))
    return { ok: true, appid: envelope.appid, said, sentAt: new Date(Number(envelope.timestamp)) }
  } catch {
    return { ok: false, problem: 'malformed' }
  }
}
