import { randomBytes } from '#kernel/random.ts'
import { derivedOnce, type KeyRing, ringOf } from './key-ring.ts'
import { deriveKey, hmacSm3, sm3 } from './sm3.ts'
import { openSm4, SM4_KEY_BYTES, SM4_NONCE_BYTES, SM4_TAG_BYTES, sealSm4 } from './sm4.ts'

export interface FieldPlace {
  readonly table: string
  readonly column: string
  readonly rowId: string
}

export interface FieldKeys {
  /** At least 32 bytes each; the present one seals new values, the others open what they sealed. */
  readonly rootKey: Uint8Array | KeyRing
  /** At least 32 bytes each, used for blind indexes only. */
  readonly indexKey: Uint8Array | KeyRing
}

export interface FieldCipher {
  /** Version byte, key tag byte, 12 byte nonce, SM4-GCM ciphertext, 16 byte tag. Bound to tenant, table, column and row. */
  readonly seal: (tenantId: string, place: FieldPlace, plain: string) => Buffer
  /** @throws FieldCipherError when the bytes were altered, moved to another tenant, table, column or row, or sealed by an unknown key. */
  readonly open: (tenantId: string, place: FieldPlace, sealed: Uint8Array) => string
  /** Whether the present root key sealed it. */
  readonly isCurrent: (sealed: Uint8Array) => boolean
  /** HMAC-SM3 in hex with a key of this tenant and purpose, for equality search; the caller normalises the value first. To be stored. */
  readonly blindIndex: (tenantId: string, purpose: string, normalisedValue: string) => string
  /** The same under every accepted key, the present one first: to look up what is stored, also while a key is being replaced. */
  readonly blindIndexes: (tenantId: string, purpose: string, normalisedValue: string) => readonly string[]
}

export class FieldCipherError extends Error {
  override readonly name = 'FieldCipherError'
}

const VERSION = 1
const HEAD_BYTES = 2 + SM4_NONCE_BYTES
const MIN_KEY_BYTES = 32
const INDEX_KEY_BYTES = 32

/** The byte by which a sealed field tells which root key sealed it. */
export const fieldKeyTag = (rootKey: Uint8Array): number => sm3('kaopu field key tag', rootKey)[0] ?? 0

/** Field encryption at rest: SM4-GCM under a key derived per tenant, table and column (decision 2.11). */
export function createFieldCipher(keys: FieldKeys): FieldCipher {
  const [roots, indexes] = [ringOf(keys.rootKey), ringOf(keys.indexKey)]
  for (const key of [...roots.accepted(), ...indexes.accepted()])
    if (key.length < MIN_KEY_BYTES) throw new Error('a field key needs at least 32 bytes')
  if (roots.accepted().some(key => indexes.accepted().some(other => Buffer.compare(key, other) === 0)))
    throw new Error('root key and index key must differ')

  const perScope = (key: Uint8Array, purpose: string, bytes: number): ((scope: string) => Buffer) => {
    const derived = new Map<string, Buffer>()
    return scope => {
      const known = derived.get(scope)
      if (known) return known
      const made = deriveKey(key, purpose, scope, bytes)
      derived.set(scope, made)
      return made
    }
  }
  const rootOf = derivedOnce(rootKey => ({
    tag: fieldKeyTag(rootKey),
    key: perScope(rootKey, 'kaopu field v1', SM4_KEY_BYTES),
  }))
  const indexOf = derivedOnce(key => perScope(key, 'kaopu index v1', INDEX_KEY_BYTES))

  return {
    seal(tenantId, place, plain) {
      const scope = scopeOf(tenantId, place)
      const nonce = randomBytes(SM4_NONCE_BYTES)
      const current = rootOf(roots.current())
      const body = sealSm4(current.key(scope), nonce, Buffer.from(plain), associatedData(scope, place))
      return Buffer.concat([Buffer.of(VERSION, current.tag), nonce, body])
    },

    open(tenantId, place, sealed) {
      if (sealed.length < HEAD_BYTES + SM4_TAG_BYTES || sealed[0] !== VERSION) throw new FieldCipherError('not a sealed field')
      const scope = scopeOf(tenantId, place)
      for (const entry of roots.accepted().map(rootOf)) {
        // The key tag has one byte, so two keys may share it: each that fits is tried.
        if (entry.tag !== sealed[1]) continue
        const plain = openSm4(entry.key(scope), sealed.subarray(2, HEAD_BYTES), sealed.subarray(HEAD_BYTES), associatedData(scope, place))
        if (plain) return plain.toString('utf8')
      }
      throw new FieldCipherError('a sealed field did not open in its place')
    },

    isCurrent: sealed => sealed[0] === VERSION && sealed[1] === rootOf(roots.current()).tag,

    blindIndex: (tenantId, purpose, normalisedValue) =>
      hmacSm3(indexOf(indexes.current())(indexScope(tenantId, purpose)), normalisedValue).toString('hex'),

    blindIndexes: (tenantId, purpose, normalisedValue) =>
      indexes.accepted().map(key => hmacSm3(indexOf(key)(indexScope(tenantId, purpose)), normalisedValue).toString('hex')),
  }
}

function indexScope(tenantId: string, purpose: string): string {
  return `${checked(tenantId)}|${checked(purpose)}`
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
