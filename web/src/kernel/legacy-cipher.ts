import { cbc } from '@noble/ciphers/aes'
import { desDecryptBlocks } from './des.ts'

/**
 * The ciphers of the framework's older clients (S9.19, framework-contract 1.9). Import it when it is needed: it is not part of the
 * first load. No key is in the program: AES takes one that was agreed for the session, DES the one that came with the old data.
 */

const utf8 = new TextEncoder()
const toBase64 = (bytes: Uint8Array): string => btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join(''))
const fromBase64 = (text: string): Uint8Array => Uint8Array.from(atob(text), letter => letter.charCodeAt(0))
const textOf = (bytes: Uint8Array): string => new TextDecoder('utf-8', { fatal: true }).decode(bytes)

/** The framework takes the first 16 bytes of the key as the vector: the same text under one key looks the same each time. */
const cipherOf = (key: string) => {
  const bytes = utf8.encode(key)
  if (![16, 24, 32].includes(bytes.length)) throw new RangeError('an AES key has 16, 24 or 32 bytes')
  return cbc(bytes, bytes.slice(0, 16))
}

/** AES-CBC with PKCS #7; the answer is base64. @param key - text of 16, 24 or 32 bytes */
export const aesEncrypt = (plain: string, key: string): string => toBase64(cipherOf(key).encrypt(utf8.encode(plain)))

/** @throws when the text is no base64, was made with another key, or was changed so that its padding is wrong */
export const aesDecrypt = (base64: string, key: string): string => textOf(cipherOf(key).decrypt(fromBase64(base64)))

/** DES-ECB with PKCS #7 out of base64, to read what an older system stored. There is no way to write it. */
export const desDecrypt = (base64: string, key: string): string => {
  const keyBytes = utf8.encode(key).slice(0, 8)
  if (keyBytes.length !== 8) throw new RangeError('a DES key has 8 bytes')
  const bytes = fromBase64(base64)
  if (bytes.length === 0 || bytes.length % 8 !== 0) throw new RangeError('the text is no whole number of DES blocks')
  const plain = desDecryptBlocks(bytes, keyBytes)
  const padding = plain.at(-1) ?? 0
  if (padding < 1 || padding > 8 || plain.slice(-padding).some(byte => byte !== padding)) throw new RangeError('the DES padding is wrong')
  return textOf(plain.slice(0, -padding))
}
