import { createHmac, hash as digest, hkdfSync } from 'node:crypto'

/** SM3 digest (GB/T 32905-2016), 32 bytes. */
export function sm3(...parts: readonly (Uint8Array | string)[]): Buffer {
  const [only, ...more] = parts
  // At once, because a hash that is fed takes three times as long as copying the few bytes that parts are.
  const whole =
    only !== undefined && more.length === 0 ? only : Buffer.concat(parts.map(part => (typeof part === 'string' ? Buffer.from(part) : part)))
  return digest('sm3', whole, 'buffer')
}

/** HMAC over SM3, 32 bytes. */
export function hmacSm3(key: Uint8Array, ...parts: readonly (Uint8Array | string)[]): Buffer {
  const mac = createHmac('sm3', key)
  for (const part of parts) mac.update(part)
  return mac.digest()
}

/** HKDF (RFC 5869) over SM3. `purpose` separates uses of one root key, `info` separates subjects within a use. */
export function deriveKey(rootKey: Uint8Array, purpose: string, info: string, length: number): Buffer {
  return Buffer.from(hkdfSync('sm3', rootKey, purpose, info, length))
}
