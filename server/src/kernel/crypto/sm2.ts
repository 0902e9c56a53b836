import { timingSafeEqual } from 'node:crypto'
import { sm2 } from 'sm-crypto-v2'
import { multiplied } from './sm2-point.ts'
import { sm3 } from './sm3.ts'

export interface Sm2KeyPair {
  /** 64 hex digits. */
  readonly privateKey: string
  /** 130 hex digits, uncompressed point from `04`. */
  readonly publicKey: string
}

/** Longest ciphertext read, without the `04` prefix: passwords and phones need about 200 bytes. */
const SM2_MAX_CIPHER_BYTES = 512

const POINT_BYTES = 64
const DIGEST_BYTES = 32

export function createSm2KeyPair(): Sm2KeyPair {
  const pair = sm2.generateKeyPairHex()
  return { privateKey: pair.privateKey, publicKey: pair.publicKey }
}

export interface OpenedSm2 {
  readonly plain: string
  /**
   * Key of the single-use check, in hex: SM3 over all that decides what comes out, x of the ephemeral point C1, C3 and C2. Every spelling of one
   * ciphertext (prefix, order of C2 and C3, letter case) has the same.
   */
  readonly digest: string
  /** What releases before wrote down of it: SM3 over C1 alone. */
  readonly former: string
}

/**
 * Opens an SM2 ciphertext (GB/T 32918.4) in hex: C1C3C2 or C1C2C3, with or without the `04` in front of C1.
 * @returns undefined for anything else: not hex, too long, C1 not on the curve or mirrored, wrong key, tampered, empty text, broken UTF-8.
 */
export function openSm2(privateKey: string, cipherHex: string): OpenedSm2 | undefined {
  const cipher = parseCipher(cipherHex)
  if (!cipher) return undefined
  const { point, rest } = cipher
  const shared = multiplied(privateKey, point)
  if (!shared) return undefined
  const end = rest.length - DIGEST_BYTES
  const orders = [
    { c3: rest.subarray(0, DIGEST_BYTES), c2: rest.subarray(DIGEST_BYTES) },
    { c3: rest.subarray(end), c2: rest.subarray(0, end) },
  ]
  for (const { c3, c2 } of orders) {
    const plain = openBody(shared, c2, c3)
    if (!plain) continue
    try {
      const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(plain)
      return { plain: text, digest: sm3(point.subarray(0, POINT_BYTES / 2), c3, c2).toString('hex'), former: sm3(point).toString('hex') }
    } catch {
      return undefined
    }
  }
  return undefined
}

/** The text of a ciphertext alone, as `openSm2`. */
export const sm2Decrypt = (privateKey: string, cipherHex: string): string | undefined => openSm2(privateKey, cipherHex)?.plain

let lastKey: { readonly publicKey: string; readonly point: ReturnType<typeof sm2.precomputePublicKey> } | undefined

/**
 * Encrypts to C1C3C2 without the `04` prefix, the form the web client sends. Whoever encrypts much does so under one key: some multiples of the last
 * one are kept, which takes 7 ms once and saves nearly 5 of 6 each time.
 */
export function sm2Encrypt(publicKey: string, plain: string): string {
  if (lastKey?.publicKey !== publicKey) lastKey = { publicKey, point: sm2.precomputePublicKey(publicKey, 4) }
  return sm2.doEncrypt(plain, lastKey.point, 1)
}

interface Sm2Cipher {
  readonly point: Buffer
  readonly rest: Buffer
}

function parseCipher(cipherHex: string): Sm2Cipher | undefined {
  if (cipherHex.length > 2 * (SM2_MAX_CIPHER_BYTES + 1) || cipherHex.length % 2 !== 0 || !/^[0-9a-f]+$/i.test(cipherHex)) return undefined
  const bytes = Buffer.from(cipherHex, 'hex')
  // One in 256 points begins with the byte 04, so the byte alone cannot tell a prefix from a coordinate; the curve equation can.
  return (bytes[0] === 4 ? split(bytes.subarray(1)) : undefined) ?? split(bytes)
}

function split(bytes: Buffer): Sm2Cipher | undefined {
  if (bytes.length <= POINT_BYTES + DIGEST_BYTES || bytes.length > SM2_MAX_CIPHER_BYTES) return undefined
  const point = bytes.subarray(0, POINT_BYTES)
  return isOnCurve(point) ? { point, rest: bytes.subarray(POINT_BYTES) } : undefined
}

// Curve of GB/T 32918.5: y² = x³ + ax + b over p, with a = p − 3.
const P = 0xfffffffeffffffffffffffffffffffffffffffff00000000ffffffffffffffffn
const B = 0x28e9fa9e9d9f5e344d5a9e4bcf6509a7f39789f515ab8f92ddbcbd414d940e93n

function isOnCurve(point: Buffer): boolean {
  const x = BigInt(`0x${point.toString('hex', 0, 32)}`)
  const y = BigInt(`0x${point.toString('hex', 32, 64)}`)
  return x < P && y < P && (y * y - (x * x * x - 3n * x + B)) % P === 0n
}

function openBody(shared: Buffer, sealed: Buffer, digest: Buffer): Buffer | undefined {
  const stream = keyStream(shared, sealed.length)
  const plain = Buffer.from(sealed.map((byte, i) => byte ^ (stream[i] ?? 0)))
  return timingSafeEqual(sm3(shared.subarray(0, 32), plain, shared.subarray(32)), digest) ? plain : undefined
}

function keyStream(seed: Buffer, length: number): Buffer {
  const blocks: Buffer[] = []
  const counter = Buffer.alloc(4)
  for (let i = 1; blocks.length * DIGEST_BYTES < length; i++) {
    counter.writeUInt32BE(i)
    blocks.push(sm3(seed, counter))
  }
  return Buffer.concat(blocks).subarray(0, length)
}
