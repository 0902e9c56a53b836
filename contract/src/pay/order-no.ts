/** Digits and capitals only: people read these numbers aloud and copy them from a phone's bill. */
const BASE36 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'

const SHANGHAI_OFFSET_MS = 8 * 60 * 60 * 1000

/** `260317100000` for 2026-03-17 10:00:00 in Asia/Shanghai (no daylight saving since 1991). */
const compactSecond = (at: Date): string =>
  new Date(at.getTime() + SHANGHAI_OFFSET_MS)
    .toISOString()
    .replace(/\.\d+Z$/, '')
    .replace(/[-T:]/g, '')
    .slice(2)

const twoDigits = (value: number, name: string): string => {
  if (!Number.isInteger(value) || value < 1 || value > 99) throw new RangeError(`${name} must be 1 to 99, got ${value}`)
  return String(value).padStart(2, '0')
}

/**
 * The merchant order number: prefix, second of creation, exam number, ten random base-36 digits (25 characters;
 * the provider takes 6 to 32 of letters, digits and `_-|*`).
 *
 * @param kind - `E` an examination fee, `S` a recharge of the SMS balance
 * @param examNo - two-digit number of the examination within its year, 1 to 99
 * @param randomBelow - a uniformly random integer in `[0, bound)`, from a cryptographic source: a guessable number
 *   would let a stranger ask about somebody else's order
 */
export const makeOrderNo = (facts: {
  readonly kind: 'E' | 'S'
  readonly at: Date
  readonly examNo: number
  readonly randomBelow: (bound: number) => number
}): string => {
  const random = Array.from({ length: 10 }, () => BASE36.charAt(facts.randomBelow(36))).join('')
  return `${facts.kind}${compactSecond(facts.at)}${twoDigits(facts.examNo, 'examNo')}${random}`
}

/** Matches `E26031710000003A1B2C3D4E5`, not `E26031710000003a1b2c3d4e5`. */
const ORDER_NO = /^[ES]\d{14}[0-9A-Z]{10}$/

export const isOrderNo = (text: string): boolean => ORDER_NO.test(text)

/**
 * The refund number: `R`, the order number, and the count of refunds of that order. The same number is sent again when a
 * try got no answer, so a refund can never be paid out twice.
 *
 * @param sequence - 1 for the first refund of the order; the provider allows 50
 */
export const makeRefundNo = (orderNo: string, sequence: number): string => `R${orderNo}${twoDigits(sequence, 'sequence')}`

/** Matches `RE26031710000003A1B2C3D4E501`. */
const REFUND_NO = /^R[ES]\d{14}[0-9A-Z]{10}\d{2}$/

export const isRefundNo = (text: string): boolean => REFUND_NO.test(text)

/** The order that a refund number belongs to. */
export const orderNoOfRefund = (refundNo: string): string => refundNo.slice(1, -2)
