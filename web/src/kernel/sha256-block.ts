/** SHA-256 (FIPS 180-4) of a text of at most 55 ASCII characters, which is one block: WebCrypto is not there without https. */

const isPrime = (n: number): boolean => {
  for (let d = 2; d * d <= n; d += 1) if (n % d === 0) return false
  return true
}
const primes = (count: number): readonly number[] => {
  const found: number[] = []
  for (let n = 2; found.length < count; n += 1) if (isPrime(n)) found.push(n)
  return found
}
/** The first 32 bits of the fraction. */
const fraction = (root: number): number => ((root - Math.floor(root)) * 2 ** 32) | 0
const start = Int32Array.from(primes(8), n => fraction(Math.sqrt(n)))
const constants = Int32Array.from(primes(64), n => fraction(Math.cbrt(n)))

const words = new Int32Array(64)
/** The padded block, in a place that the next call uses again. @throws for a text that needs a second block */
export const firstBlock = (text: string): Int32Array => {
  if (text.length > 55) throw new RangeError('one block holds 55 characters')
  words.fill(0, 0, 16)
  const put = (at: number, byte: number): void => {
    words[at >> 2] = (words[at >> 2] ?? 0) | (byte << (24 - 8 * (at & 3)))
  }
  for (let i = 0; i < text.length; i += 1) put(i, text.charCodeAt(i))
  put(text.length, 0x80)
  words[15] = text.length * 8
  return words
}

const turn = (x: number, by: number): number => (x >>> by) | (x << (32 - by))
const out = new Int32Array(8)
/** The hash as eight words, in a place that the next call uses again. */
export const sha256Block = (w: Int32Array): Int32Array => {
  for (let i = 16; i < 64; i += 1) {
    const [x, y] = [w[i - 15] ?? 0, w[i - 2] ?? 0]
    w[i] = ((w[i - 16] ?? 0) + (turn(x, 7) ^ turn(x, 18) ^ (x >>> 3)) + (w[i - 7] ?? 0) + (turn(y, 17) ^ turn(y, 19) ^ (y >>> 10))) | 0
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = start
  for (let i = 0; i < 64; i += 1) {
    const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + (constants[i] ?? 0) + (w[i] ?? 0)) | 0
    const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0
    h = g
    g = f
    f = e
    e = (d + one) | 0
    d = c
    c = b
    b = a
    a = (one + two) | 0
  }
  const last = [a, b, c, d, e, f, g, h]
  for (let i = 0; i < 8; i += 1) out[i] = ((start[i] ?? 0) + (last[i] ?? 0)) | 0
  return out
}
