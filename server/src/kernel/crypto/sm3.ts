import { createHash, createHmac, hash as digest, hkdfSync } from 'node:crypto'

/** SM3 digest (GB/T 32905-2016), 32 bytes. */
export function sm3(...parts: readonly (Uint8Array | string)[]): Buffer {
  const [only, ...more] = parts
  if (only !== undefined && more.length === 0) return digest('sm3', only, 'buffer')
  const hash = createHash('sm3')
  for (const part of parts) hash.update(part)
  return hash.digest()
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
