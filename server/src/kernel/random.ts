import { randomBytes as nodeRandomBytes, randomInt as nodeRandomInt, randomFillSync } from 'node:crypto'

// Every call and every sealed value needs a few bytes: they are drawn from the generator in one piece, which costs it little more.
const store = Buffer.alloc(4_096)
let used = store.length
const largestStored = 64

/** The only source of randomness in the server: the operating system's CSPRNG through node:crypto. No byte is given out twice or kept. */
export function randomBytes(length: number): Buffer {
  if (length > largestStored) return nodeRandomBytes(length)
  if (used + length > store.length) {
    randomFillSync(store)
    used = 0
  }
  const bytes = Buffer.from(store.subarray(used, used + length))
  store.fill(0, used, used + length)
  used += length
  return bytes
}

/** Uniform integer in `[min, maxExclusive)`; the span must be below 2^48. */
export function randomInt(min: number, maxExclusive: number): number {
  return nodeRandomInt(min, maxExclusive)
}

/** `count` decimal digits, leading zeros kept; for SMS codes. */
export function randomDigits(count: number): string {
  return randomText(count, '0123456789')
}

/** `length` characters drawn uniformly from `alphabet` (BMP characters only). */
export function randomText(length: number, alphabet: string): string {
  let text = ''
  for (let i = 0; i < length; i++) text += alphabet.charAt(nodeRandomInt(0, alphabet.length))
  return text
}

/** URL-safe base64 of `byteLength` random bytes; 32 bytes give the 43 characters of tokens and ticket QR codes. */
export function token(byteLength = 32): string {
  return randomBytes(byteLength).toString('base64url')
}
