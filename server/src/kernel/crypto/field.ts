import { createCipheriv, createDecipheriv } from 'node:crypto'
import { randomBytes } from '#kernel/random.ts'
import { deriveKey, hmacSm3, sm3 } from './sm3.ts'

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
const NONCE_BYTES = 12
const TAG_BYTES = 16
const HEAD_BYTES = 2 + NONCE_BYTES
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
    key: (scope: string) => cached(`${i}|${scope}`, () => deriveKey(rootKey, 'kaopu field v1', scope, 16)),
  }))
  const [current] = ring
  if (!current) throw new Error('no root key')

  return {
    seal(tenantId, place, plain) {
      const scope = scopeOf(tenantId, place)
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('sm4-gcm', current.key(scope), nonce)
      cipher.setAAD(Buffer.from(`${VERSION}|${scope}|${checked(place.rowId)}`))
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return Buffer.concat([Buffer.of(VERSION, current.tag), nonce, body, cipher.getAuthTag()])
    },

    open(tenantId, place, sealed) {
      if (sealed.length < HEAD_BYTES + TAG_BYTES || sealed[0] !== VERSION) throw new FieldCipherError('not a sealed field')
      const scope = scopeOf(tenantId, place)
      const nonce = sealed.subarray(2, HEAD_BYTES)
      const body = sealed.subarray(HEAD_BYTES, sealed.length - TAG_BYTES)
      for (const entry of ring) {
        if (entry.tag !== sealed[1]) continue
        try {
          const decipher = createDecipheriv('sm4-gcm', entry.key(scope), nonce, { authTagLength: TAG_BYTES })
          decipher.setAAD(Buffer.from(`${VERSION}|${scope}|${checked(place.rowId)}`))
          decipher.setAuthTag(sealed.subarray(sealed.length - TAG_BYTES))
          return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8')
        } catch {
          // The key tag has one byte, so two keys may share it: the next one is tried.
        }
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

function checked(part: string): string {
  if (part === '' || part.includes('|')) throw new Error('a part of a field place is empty or holds the separator')
  return part
}
