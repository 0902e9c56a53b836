import { randomBytes } from '#kernel/random.ts'
import { deriveKey, hmacSm3, sm3 } from './sm3.ts'
import { openSm4, SM4_KEY_BYTES, SM4_NONCE_BYTES, SM4_TAG_BYTES, sealSm4 } from './sm4.ts'

export interface FieldPlace {
  readonly table: string
  readonly column: string
  readonly rowId: string
}

export interface FieldKeys {
  /** At least 32 bytes; seals new values. */
  readonly rootKey: Uint8Array
  /** At least 32 bytes, used for blind indexes only. */
  readonly indexKey: Uint8Array
  /** Root keys of the past, still able to open what they sealed. */
  readonly formerRootKeys?: readonly Uint8Array[]
}

export interface FieldCipher {
  /** Version byte, key tag byte, 12 byte nonce, SM4-GCM ciphertext, 16 byte tag. Bound to tenant, table, column and row. */
  readonly seal: (tenantId: string, place: FieldPlace, plain: string) => Buffer
  /** @throws FieldCipherError when the bytes were altered, moved to another tenant, table, column or row, or sealed by an unknown key. */
  readonly open: (tenantId: string, place: FieldPlace, sealed: Uint8Array) => string
  /** HMAC-SM3 in hex with a key of this tenant and purpose, for equality search; the caller normalises the value first. */
  readonly blindIndex: (tenantId: string, purpose: string, normalisedValue: string) => string
}

export class FieldCipherError extends Error {
  override readonly name = 'FieldCipherError'
}

const VERSION = 1
const HEAD_BYTES = 2 + SM4_NONCE_BYTES
const MIN_KEY_BYTES = 32

/** Field encryption at rest: SM4-GCM under a key derived per tenant, table and column (decision 2.11). */
export function createFieldCipher(keys: FieldKeys): FieldCipher {
  const rootKeys = [keys.rootKey, ...(keys.formerRootKeys ?? [])]
  for (const key of [...rootKeys, keys.indexKey]) if (key.length < MIN_KEY_BYTES) throw new Error('a field key needs at least 32 bytes')
  if (rootKeys.some(key => Buffer.compare(key, keys.indexKey) === 0)) throw new Error('root key and index key must differ')

  const derived = new Map<string, Buffer>()
  const cached = (id: string, make: () => Buffer): Buffer => {
    const known = derived.get(id)
    if (known) return known
    const key = make()
    derived.set(id, key)
    return key
  }
  const ring = rootKeys.map((rootKey, i) => ({
    tag: sm3('kaopu field key tag', rootKey)[0] ?? 0,
    key: (scope: string) => cached(`${i}|${scope}`, () => deriveKey(rootKey, 'kaopu field v1', scope, SM4_KEY_BYTES)),
  }))
  const [current] = ring
  if (!current) throw new Error('no root key')

  return {
    seal(tenantId, place, plain) {
      const scope = scopeOf(tenantId, place)
      const nonce = randomBytes(SM4_NONCE_BYTES)
      const body = sealSm4(current.key(scope), nonce, Buffer.from(plain), associatedData(scope, place))
      return Buffer.concat([Buffer.of(VERSION, current.tag), nonce, body])
    },

    open(tenantId, place, sealed) {
      if (sealed.length < HEAD_BYTES + SM4_TAG_BYTES || sealed[0] !== VERSION) throw new FieldCipherError('not a sealed field')
      const scope = scopeOf(tenantId, place)
      for (const entry of ring) {
        // The key tag has one byte, so two keys may share it: each that fits is tried.
        if (entry.tag !== sealed[1]) continue
        const plain = openSm4(entry.key(scope), sealed.subarray(2, HEAD_BYTES), sealed.subarray(HEAD_BYTES), associatedData(scope, place))
        if (plain) return plain.toString('utf8')
      }
      throw new FieldCipherError('a sealed field did not open in its place')
    },

    blindIndex(tenantId, purpose, normalisedValue) {
      const scope = `${checked(tenantId)}|${checked(purpose)}`
      const key = cached(`index|${scope}`, () => deriveKey(keys.indexKey, 'kaopu index v1', scope, 32))
      return hmacSm3(key, normalisedValue).toString('hex')
    },
  }
}

function scopeOf(tenantId: string, place: FieldPlace): string {
  return `${checked(tenantId)}|${checked(place.table)}|${checked(place.column)}`
}

function associatedData(scope: string, place: FieldPlace): Buffer {
  return Buffer.from(`${VERSION}|${scope}|${checked(place.rowId)}`)
}

function checked(part: string): string {
  if (part === '' || part.includes('|')) throw new Error('a part of a field place is empty or holds the separator')
  return part
}
