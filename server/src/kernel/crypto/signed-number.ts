import { createHmac, timingSafeEqual } from 'node:crypto'
import { randomBytes } from '../random.ts'

const randomLength = 16
const headLength = randomLength + 4 + 1
const macLength = 11

/** What the key is good for, in words: another tenant's or purpose's is another key. */
export interface SignedFor {
  readonly secret: Uint8Array
  readonly purpose: string
}

const macOf = ({ secret, purpose }: SignedFor, head: Buffer): Buffer =>
  createHmac('sha256', secret).update(`${purpose}|`).update(head).digest().subarray(0, macLength)

/**
 * 43 characters that hold a number from 0 to 255 and an end, and that every process of the installation knows again: nothing has to be written down for
 * them. They prove nothing but that they were given out here.
 */
export const signNumber = (of: SignedFor, value: number, until: Date): string => {
  const head = Buffer.alloc(headLength)
  head.set(randomBytes(randomLength))
  head.writeUInt32BE(Math.floor(until.getTime() / 1_000), randomLength)
  head.writeUInt8(value, randomLength + 4)
  return Buffer.concat([head, macOf(of, head)]).toString('base64url')
}

/** Number and end of a key that was given out for this purpose and is not over; undefined for any other. */
export const openSignedNumber = (of: SignedFor, key: string, now: Date): { readonly value: number; readonly until: Date } | undefined => {
  const bytes = Buffer.from(key, 'base64url')
  if (bytes.length !== headLength + macLength || bytes.toString('base64url') !== key) return undefined
  const head = bytes.subarray(0, headLength)
  if (!timingSafeEqual(bytes.subarray(headLength), macOf(of, head))) return undefined
  const until = new Date(head.readUInt32BE(randomLength) * 1_000)
  return until > now ? { value: head.readUInt8(randomLength + 4), until } : undefined
}
