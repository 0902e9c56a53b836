import { createHash } from 'node:crypto'
import { token } from '#kernel/random.ts'
import { sm3 } from './sm3.ts'

/** A 256-bit secret in base64url (43 characters): access and refresh tokens, reset links, ticket codes. */
export function newToken(): string {
  return token(32)
}

/** What is stored of a token: SM3 in hex. No salt or stretching, because the token has 256 bits of its own. */
export function hashToken(value: string): string {
  return sm3(value).toString('hex')
}

/** What a secret is shown as before it is shown itself: PKCE's S256 (RFC 7636 4.2). */
export function pkceChallenge(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url')
}
