import type { Clock } from '#kernel/clock.ts'
import type { Notification, NotificationProblem, NotificationResult } from './provider.ts'
import type { WechatPayKeys } from './wechat-keys.ts'
import { type JsonObject, readInstant, readJsonObject, readObject, readRefund, readText, readTrade } from './wechat-read.ts'
import { isFresh, isProbe, isSignedBy, openResource, readSignatureHeaders } from './wechat-wire.ts'

const refused = (problem: NotificationProblem): NotificationResult => ({ ok: false, problem })

const readResource = (eventType: string, resource: JsonObject): Notification['resource'] => {
  if (eventType.startsWith('TRANSACTION.')) return { kind: 'trade', trade: readTrade(resource) }
  if (eventType.startsWith('REFUND.')) return { kind: 'refund', refund: readRefund(resource) }
  return { kind: 'other' }
}

/**
 * Order of the checks: headers, age, key, signature over the raw bytes, shape, seal. Nothing of the body is parsed before
 * its signature is right, and nothing of the resource is read before its tag is.
 *
 * @see https://pay.weixin.qq.com/doc/v3/merchant/4012791882
 */
export const verifyWechatPayNotification = async (
  notice: { readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>; readonly rawBody: Uint8Array },
  own: { readonly keys: WechatPayKeys; readonly clock: Clock; readonly apiV3Key: string },
): Promise<NotificationResult> => {
  const signed = readSignatureHeaders(notice.headers)
  if (signed === undefined) return refused('missing-header')
  if (isProbe(signed)) return refused('probe')
  if (!isFresh(signed.timestamp, own.clock.now())) return refused('stale')
  const key = await own.keys.find(signed.serial)
  if (key === undefined) return refused('unknown-serial')
  if (!isSignedBy(key, signed, notice.rawBody)) return refused('bad-signature')

  let envelope: { readonly head: Omit<Notification, 'resource'>; readonly sealed: Parameters<typeof openResource>[0] }
  try {
    const body = readJsonObject(Buffer.from(notice.rawBody).toString('utf8'))
    const resource = readObject(body.resource, 'resource')
    if (resource.algorithm !== 'AEAD_AES_256_GCM') return refused('malformed')
    const associatedData = typeof resource.associated_data === 'string' ? resource.associated_data : ''
    envelope = {
      head: { id: readText(body, 'id'), eventType: readText(body, 'event_type'), createdAt: readInstant(body, 'create_time') },
      sealed: { ciphertext: readText(resource, 'ciphertext'), nonce: readText(resource, 'nonce'), associatedData },
    }
  } catch {
    return refused('malformed')
  }

  let opened: string
  try {
    opened = openResource(envelope.sealed, own.apiV3Key)
  } catch {
    return refused('undecipherable')
  }
  try {
    return { ok: true, notification: { ...envelope.head, resource: readResource(envelope.head.eventType, readJsonObject(opened)) } }
  } catch {
    return refused('malformed')
  }
}
