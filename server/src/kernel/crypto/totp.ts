import { createHmac, timingSafeEqual } from 'node:crypto'

/** RFC 4648 without padding, as authenticator apps write and read it. */
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

export const toBase32 = (bytes: Uint8Array): string => {
  let text = ''
  let bits = 0
  let held = 0
  for (const byte of bytes) {
    held = (held << 8) | byte
    bits += 8
    while (bits >= 5) {
      bits -= 5
      text += alphabet.charAt((held >>> bits) & 31)
    }
    held &= (1 << bits) - 1
  }
  return bits === 0 ? text : text + alphabet.charAt((held << (5 - bits)) & 31)
}

/** @throws for anything but base32; bits that fill no byte are dropped */
export const fromBase32 = (text: string): Buffer => {
  const bytes: number[] = []
  let bits = 0
  let held = 0
  for (const letter of text) {
    const value = alphabet.indexOf(letter)
    if (value < 0) throw new RangeError('not base32')
    held = (held << 5) | value
    bits += 5
    if (bits >= 8) {
      bits -= 8
      bytes.push((held >>> bits) & 255)
    }
    held &= (1 << bits) - 1
  }
  return Buffer.from(bytes)
}

/** What every authenticator app knows without being told: SHA-1, 6 digits, 30 seconds. */
const stepSeconds = 30
const usualDigits = 6
/** Clocks of phones go wrong by this many steps each way. */
const stepsAside = 1

/** The code of a counter (RFC 4226 5.3 with the hashes of RFC 6238). */
export const hotp = (
  secret: Uint8Array,
  counter: number,
  digits: number = usualDigits,
  hash: 'sha1' | 'sha256' | 'sha512' = 'sha1',
): string => {
  const message = Buffer.alloc(8)
  message.writeBigUInt64BE(BigInt(counter))
  const mac = createHmac(hash, secret).update(message).digest()
  const offset = (mac.at(-1) ?? 0) & 15
  return String((mac.readUInt32BE(offset) & 0x7fff_ffff) % 10 ** digits).padStart(digits, '0')
}

/** The time step of RFC 6238 that an instant lies in. */
export const totpStep = (now: Date): number => Math.floor(now.getTime() / 1000 / stepSeconds)

/**
 * The step whose code this is, of the present one and those beside it; undefined when it is none of theirs.
 *
 * @param after - newest step that was used: a code is good once, so it and all before it count no more (RFC 6238 5.2)
 */
export const matchingStep = (secret: Uint8Array, code: string, now: Date, after: number): number | undefined => {
  if (!/^\d{6}$/.test(code)) return undefined
  const present = totpStep(now)
  const given = Buffer.from(code)
  let found: number | undefined
  // All of them are computed, so that the time tells nothing.
  for (let step = present - stepsAside; step <= present + stepsAside; step += 1)
    if (timingSafeEqual(Buffer.from(hotp(secret, step)), given) && step > after) found ??= step
  return found
}

/** The address that apps read from the picture (the key URI format of the common apps). */
export const otpauthUri = (of: { readonly issuer: string; readonly account: string; readonly secret: string }): string =>
  `otpauth://totp/${encodeURIComponent(of.issuer)}:${encodeURIComponent(of.account)}?secret=${of.secret}&issuer=${encodeURIComponent(of.issuer)}&algorithm=SHA1&digits=${usualDigits}&period=${stepSeconds}`
