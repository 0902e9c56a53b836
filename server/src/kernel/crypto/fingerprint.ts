import { hmacSm3 } from './sm3.ts'

const digits = 32

/** A keyed digest of a secret: says whether two are the same and nothing about either. `name` is that of the secret, so that equal values differ. */
export const fingerprintOf = (name: string, secret: string | Uint8Array): string =>
  hmacSm3(typeof secret === 'string' ? Buffer.from(secret) : secret, `kaopu fingerprint v1|${name}`)
    .toString('hex')
    .slice(0, digits)
