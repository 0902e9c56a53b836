/** Numbers of tickets, which people read and type (domain 7.5). */

/** Check digit of ISO 7064 MOD 11,10 over decimal digits; it finds every single wrong digit. */
export function checkDigit(digits: string): string {
  let product = 10
  for (const digit of digits) {
    const sum = (product + Number(digit)) % 10 || 10
    product = (sum * 2) % 11
  }
  return String((11 - product) % 10)
}

const part = (name: string, value: number, width: number, min: number, max: number): string => {
  if (!Number.isInteger(value) || value < min || value > max) throw new RangeError(`${name} ${value} is not in ${min}–${max}`)
  return String(value).padStart(width, '0')
}
const yearOf = (year: number): string => part('year', year, 4, 2000, 2099).slice(2)

/** Written ticket: `YY EE SS RRR NN C`, e.g. year 2026, exam 3, site 1, room 12, seat 17 → 260301012173. */
export function writtenTicketNo(place: {
  readonly year: number
  readonly examNo: number
  readonly siteNo: number
  readonly roomNo: number
  readonly seatNo: number
}): string {
  const digits =
    yearOf(place.year) +
    part('examNo', place.examNo, 2, 1, 99) +
    part('siteNo', place.siteNo, 2, 1, 89) +
    part('roomNo', place.roomNo, 3, 1, 999) +
    part('seatNo', place.seatNo, 2, 1, 99)
  return digits + checkDigit(digits)
}

/** Interview ticket: `YY EE 9 GGG SSS C`; the 9 tells it from a written one, whose site is at most 89. */
export function interviewTicketNo(place: {
  readonly year: number
  readonly examNo: number
  readonly groupNo: number
  readonly sequence: number
}): string {
  const digits =
    yearOf(place.year) +
    part('examNo', place.examNo, 2, 1, 99) +
    '9' +
    part('groupNo', place.groupNo, 3, 1, 999) +
    part('sequence', place.sequence, 3, 1, 999)
  return digits + checkDigit(digits)
}

/** Whether 12 digits carry the right check digit. Imported numbers of other lengths follow schemes of their own. */
export const isTicketNo = (text: string): boolean => /^\d{12}$/.test(text) && checkDigit(text.slice(0, 11)) === text[11]
