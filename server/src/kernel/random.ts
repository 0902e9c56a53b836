import { randomBytes as nodeRandomBytes, randomInt as nodeRandomInt } from 'node:crypto'

/** The only source of randomness in the server: the operating system's CSPRNG through node:crypto. */
export function randomBytes(length: number): Buffer {
  return nodeRandomBytes(length)
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
  return nodeRandomBytes(byteLength).toString('base64url')
}
