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

/** There is one key for log-ins: it is read once. */
let held: { readonly key: string; readonly read: KeyObject } | undefined

/**
 * The point multiplied by the private key, as x and y in 64 bytes. The agreement tells x alone, so both points that have it are named: what was sealed
 * opens with one of them.
 *
 * @param key - 64 hex digits
 * @param point - 64 bytes, on the curve
 * @returns nothing for a key or point that is none
 */
export const multiplied = (key: string, point: Uint8Array): readonly Buffer[] => {
  try {
    if (held?.key !== key) held = { key, read: privateKeyOf(key) }
    const x = diffieHellman({ privateKey: held.read, publicKey: pointOf(point) })
    const even = Buffer.from(ECDH.convertKey(Buffer.concat([Buffer.from([2]), x]), 'SM2', undefined, undefined, 'uncompressed')).subarray(1)
    // The other one is mirrored: its root is the field's prime less this one, and asking for it would take as long again.
    const odd = (prime - BigInt(`0x${even.toString('hex', 32)}`)).toString(16).padStart(64, '0')
    return [even, Buffer.concat([x, hex(odd)])]
  } catch {
    return []
  }
}
