import { createPrivateKey, createPublicKey, diffieHellman, ECDH, type KeyObject } from 'node:crypto'

// Multiplying a point of the curve in JavaScript takes seven times as long as OpenSSL takes, and a log-in waits for it on the event loop. OpenSSL
// agrees on no key over the curve under its own name (its SM2 keys sign and encrypt only, and Node offers neither). Described by its equation, with
// twice the usual base point, it is a curve like any other; the result does not depend on the base point.

/** A value of DER (X.690): tag, length, content. */
const der = (tag: number, ...parts: readonly Uint8Array[]): Buffer => {
  const content = Buffer.concat(parts)
  const size = content.length
  const length = size < 0x80 ? [size] : size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 0xff]
  return Buffer.concat([Buffer.from([tag, ...length]), content])
}
const [integer, bits, octets, name, sequence] = [0x02, 0x03, 0x04, 0x06, 0x30]
const hex = (text: string): Buffer => Buffer.from(text, 'hex')
const small = (value: number): Buffer => der(integer, Buffer.from([value]))
/** A large number without a sign. */
const large = (text: string): Buffer => der(integer, hex(`00${text}`))

/** The curve of GB/T 32918.5 as RFC 3279, 2.3.5 describes one. */
const curve = der(
  sequence,
  der(name, hex('2a8648ce3d0201')),
  der(
    sequence,
    small(1),
    der(sequence, der(name, hex('2a8648ce3d0101')), large('fffffffeffffffffffffffffffffffffffffffff00000000ffffffffffffffff')),
    der(
      sequence,
      der(octets, hex('fffffffeffffffffffffffffffffffffffffffff00000000fffffffffffffffc')),
      der(octets, hex('28e9fa9e9d9f5e344d5a9e4bcf6509a7f39789f515ab8f92ddbcbd414d940e93')),
    ),
    der(
      octets,
      hex(
        '0456cefd60d7c87c000d58ef57fa73ba4d9c0dfa08c08a7331495c2e1da3f2bd5231b7e7e6cc8189f668535ce0f8eaf1bd6de84c182f6c8e716f780d3a970a23c3',
      ),
    ),
    large('fffffffeffffffffffffffffffffffff7203df6b21c6052b53bbf40939d54123'),
    small(1),
  ),
)
const prime = 0xfffffffeffffffffffffffffffffffffffffffff00000000ffffffffffffffffn
const privateKeyOf = (key: string): KeyObject =>
  createPrivateKey({
    key: der(sequence, small(0), curve, der(octets, der(sequence, small(1), der(octets, hex(key))))),
    format: 'der',
    type: 'pkcs8',
  })
const pointOf = (point: Uint8Array): KeyObject =>
  createPublicKey({ key: der(sequence, curve, der(bits, Buffer.from([0, 4]), point)), format: 'der', type: 'spki' })

const [a, b] = [prime - 3n, 0x28e9fa9e9d9f5e344d5a9e4bcf6509a7f39789f515ab8f92ddbcbd414d940e93n]
const order = 0xfffffffeffffffffffffffffffffffff7203df6b21c6052b53bbf40939d54123n
const asHex = (value: bigint): string => value.toString(16).padStart(64, '0')

interface ReadKey {
  readonly own: KeyObject
  /** The key that is greater by one. */
  readonly next: KeyObject
}
/** Keys that log-ins are sealed for: one, and for a day the one before it. */
const mostHeld = 4
const held = new Map<string, ReadKey>()
const readKey = (key: string): ReadKey => {
  const known = held.get(key)
  if (known) return known
  if (held.size >= mostHeld) held.clear()
  const read = { own: privateKeyOf(key), next: privateKeyOf(asHex((BigInt(`0x${key}`) + 1n) % order)) }
  held.set(key, read)
  return read
}
const numberOf = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).toString('hex')}`)

/**
 * The point multiplied by the private key, as x and y in 64 bytes. The agreement tells x alone; which of the two roots y is follows from x of the next
 * multiple (Okeya and Sakurai: 2·y·y₁ = 2b + (a + x·x₁)(x + x₁) − x₂(x − x₁)²), so that what was sealed opens with its own point and not with the
 * mirrored one.
 *
 * @param key - 64 hex digits
 * @param point - 64 bytes, on the curve
 * @returns undefined for a key or point that is none
 */
export const multiplied = (key: string, point: Uint8Array): Buffer | undefined => {
  try {
    const { own, next } = readKey(key)
    const publicKey = pointOf(point)
    const shared = diffieHellman({ privateKey: own, publicKey })
    const [x, y] = [numberOf(point.subarray(0, 32)), numberOf(point.subarray(32))]
    const [x1, x2] = [numberOf(shared), numberOf(diffieHellman({ privateKey: next, publicKey }))]
    const even = Buffer.from(
      ECDH.convertKey(Buffer.concat([Buffer.from([2]), shared]), 'SM2', undefined, undefined, 'uncompressed'),
    ).subarray(1)
    const root = numberOf(even.subarray(32))
    const isRoot = (2n * y * root - (2n * b + (a + x * x1) * (x + x1) - x2 * (x - x1) * (x - x1))) % prime === 0n
    return isRoot ? even : Buffer.concat([shared, hex(asHex(prime - root))])
  } catch {
    return undefined
  }
}
