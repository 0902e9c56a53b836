import { type CipherGCMTypes, createCipheriv, createDecipheriv } from 'node:crypto'

/** OpenSSL knows it; the type list of node:crypto does not. */
const SM4_GCM = 'sm4-gcm' as string as CipherGCMTypes

export const SM4_KEY_BYTES = 16
export const SM4_NONCE_BYTES = 12
export const SM4_TAG_BYTES = 16

/** SM4-GCM (GB/T 32907 in the mode of RFC 8998). A nonce must never be used twice with one key. @returns ciphertext, then tag */
export function sealSm4(key: Uint8Array, nonce: Uint8Array, plain: Uint8Array, associated: Uint8Array): Buffer {
  const cipher = createCipheriv(SM4_GCM, key, nonce, { authTagLength: SM4_TAG_BYTES })
  cipher.setAAD(associated)
  return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

/** @returns undefined when key, nonce, associated data or any byte differs from what was sealed */
export function openSm4(key: Uint8Array, nonce: Uint8Array, sealed: Uint8Array, associated: Uint8Array): Buffer | undefined {
  if (sealed.length < SM4_TAG_BYTES) return undefined
  const decipher = createDecipheriv(SM4_GCM, key, nonce, { authTagLength: SM4_TAG_BYTES })
  decipher.setAAD(associated)
  decipher.setAuthTag(sealed.subarray(sealed.length - SM4_TAG_BYTES))
  const head = decipher.update(sealed.subarray(0, sealed.length - SM4_TAG_BYTES))
  try {
    return Buffer.concat([head, decipher.final()])
  } catch {
    return undefined
  }
}
