import { timingSafeEqual } from 'node:crypto'
import { derivedOnce, type KeyRing, ringOf } from '#kernel/crypto/key-ring.ts'
import { deriveKey, hmacSm3 } from '#kernel/crypto/sm3.ts'

/** What a link is bound to; none of it stands in the link. */
export interface LinkSubject {
  readonly tenantId: string
  readonly userId: string
  readonly fileId: string
  /** Of a ticket for a program: the session that it was made in, while which it opens by itself. */
  readonly sessionId?: string
}

export interface LinkSigner {
  /** `<expiry in base 36>.<HMAC-SM3, base64url>`, 50 characters. */
  readonly sign: (subject: LinkSubject, expiresAt: Date) => string
  /** `expired` only for a link that was ours: answered as 403/2803, `invalid` as 404 (decision 3.4). */
  readonly verify: (subject: LinkSubject, signature: string, now: Date) => 'valid' | 'expired' | 'invalid'
}

/** Short-lived download links bound to tenant, user and file. @param rootKey at least 32 bytes */
export function createLinkSigner(rootKey: Uint8Array | KeyRing): LinkSigner {
  const ring = ringOf(rootKey)
  if (ring.current().length < 32) throw new Error('the link key needs at least 32 bytes')
  const keyOf = derivedOnce(root => deriveKey(root, 'kaopu file link v1', '', 32))
  const mac = (root: Uint8Array, subject: LinkSubject, expiry: string): Buffer =>
    hmacSm3(
      keyOf(root),
      JSON.stringify([
        subject.tenantId,
        subject.userId,
        subject.fileId,
        expiry,
        ...(subject.sessionId === undefined ? [] : [subject.sessionId]),
      ]),
    )

  return {
    sign(subject, expiresAt) {
      const expiry = Math.floor(expiresAt.getTime() / 1_000).toString(36)
      return `${expiry}.${mac(ring.current(), subject, expiry).toString('base64url')}`
    },
    verify(subject, signature, now) {
      const [, expiry, given] = /^([0-9a-z]{1,9})\.([A-Za-z0-9_-]{43})$/.exec(signature) ?? []
      if (!expiry || !given) return 'invalid'
      const sent = Buffer.from(given, 'base64url')
      if (!ring.accepted().some(root => timingSafeEqual(mac(root, subject, expiry), sent))) return 'invalid'
      return now.getTime() < Number.parseInt(expiry, 36) * 1_000 ? 'valid' : 'expired'
    },
  }
}
