import { derivedOnce, type KeyRing, ringOf } from '#kernel/crypto/key-ring.ts'
import { deriveKey } from '#kernel/crypto/sm3.ts'
import { openSm4, SM4_KEY_BYTES, SM4_NONCE_BYTES, SM4_TAG_BYTES, sealSm4 } from '#kernel/crypto/sm4.ts'
import { randomBytes } from '#kernel/random.ts'

// Stored form: header (magic, nonce, wrapped file key), then chunks of 64 KB plain text, each SM4-GCM under the file key with its number
// and whether it is the last one, so that chunks can be neither swapped nor cut off, and any range can be read alone.

export const CHUNK_BYTES = 64 * 1024
export const SEALED_CHUNK_BYTES = CHUNK_BYTES + SM4_TAG_BYTES
const MAGIC = Buffer.from('KPF1')
export const HEADER_BYTES = MAGIC.length + SM4_NONCE_BYTES + SM4_KEY_BYTES + SM4_TAG_BYTES

export interface ChunkCipher {
  readonly header: Buffer
  readonly seal: (index: number, isLast: boolean, plain: Uint8Array) => Buffer
  /** @returns undefined for altered bytes */
  readonly open: (index: number, isLast: boolean, sealed: Uint8Array) => Buffer | undefined
}

export interface ChunkKeys {
  readonly create: (fileKey: string) => ChunkCipher
  /** @returns undefined when the header is not ours or belongs to another file */
  readonly read: (fileKey: string, header: Buffer) => ChunkCipher | undefined
  /**
   * The header of the same file under the present root key: the key of the file stays, so the chunks do too.
   * @returns `same` where it has that already, undefined when the header is not ours or belongs to another file
   */
  readonly rewrap: (fileKey: string, header: Buffer) => Buffer | 'same' | undefined
}

/** A random key for each file, wrapped by a key derived from the root key and bound to the file's name in the store. */
export function createChunkKeys(rootKey: Uint8Array | KeyRing): ChunkKeys {
  const ring = ringOf(rootKey)
  if (ring.current().length < 32) throw new Error('the file root key needs at least 32 bytes')
  const wrapKeyOf = derivedOnce(root => deriveKey(root, 'kaopu file key v1', '', SM4_KEY_BYTES))
  const wrap = (fileKey: string, key: Buffer): Buffer => {
    const nonce = randomBytes(SM4_NONCE_BYTES)
    return Buffer.concat([MAGIC, nonce, sealSm4(wrapKeyOf(ring.current()), nonce, key, Buffer.from(fileKey))])
  }
  const unwrap = (root: Uint8Array, fileKey: string, header: Buffer): Buffer | undefined => {
    if (header.length !== HEADER_BYTES || !header.subarray(0, MAGIC.length).equals(MAGIC)) return undefined
    const nonce = header.subarray(MAGIC.length, MAGIC.length + SM4_NONCE_BYTES)
    return openSm4(wrapKeyOf(root), nonce, header.subarray(MAGIC.length + SM4_NONCE_BYTES), Buffer.from(fileKey))
  }
  const keyOf = (fileKey: string, header: Buffer): Buffer | undefined => {
    for (const root of ring.accepted()) {
      const key = unwrap(root, fileKey, header)
      if (key) return key
    }
    return undefined
  }
  return {
    create(fileKey) {
      const key = randomBytes(SM4_KEY_BYTES)
      return cipherWith(key, wrap(fileKey, key))
    },
    read(fileKey, header) {
      const key = keyOf(fileKey, header)
      return key && cipherWith(key, header)
    },
    rewrap(fileKey, header) {
      if (unwrap(ring.current(), fileKey, header)) return 'same'
      const key = keyOf(fileKey, header)
      return key && wrap(fileKey, key)
    },
  }
}

function cipherWith(key: Buffer, header: Buffer): ChunkCipher {
  const nonceOf = (index: number): Buffer => {
    const nonce = Buffer.alloc(SM4_NONCE_BYTES)
    nonce.writeUInt32BE(index, SM4_NONCE_BYTES - 4)
    return nonce
  }
  const mark = (isLast: boolean): Buffer => Buffer.of(isLast ? 1 : 0)
  return {
    header,
    seal: (index, isLast, plain) => sealSm4(key, nonceOf(index), plain, mark(isLast)),
    open: (index, isLast, sealed) => openSm4(key, nonceOf(index), sealed, mark(isLast)),
  }
}
