/**
 * What a voucher or a receipt number is told apart by, as `number_key` of the database has it: whatever the width, the case, and the spaces and hyphens that part
 * its groups. `ｖ 1` and `V-1` are the same number.
 */
export const numberKey = (number: string): string =>
  number
    .normalize('NFKC')
    .replace(/[\s\u2010-\u2015\u2212-]+/g, '')
    .toUpperCase()

const creditDigits = '0123456789ABCDEFGHJKLMNPQRTUWXY'
const isCreditCode = (code: string): boolean => {
  const values = [...code].map(char => creditDigits.indexOf(char))
  if (values.includes(-1)) return false
  const weighted = values.slice(0, 17).reduce((total, value, at) => (total + value * weightAt(at)) % 31, 0)
  return (31 - weighted) % 31 === values[17]
}
/** 3 to the power of the place, modulo 31 (GB 32100-2015). */
const weightAt = (at: number): number => {
  let weight = 1
  for (let step = 0; step < at; step += 1) weight = (weight * 3) % 31
  return weight
}

/** Organisation code with its check character (GB 11714-1997). */
const isOrganisationCode = (code: string): boolean => {
  const weights = [3, 7, 9, 10, 5, 8, 4, 2]
  const values = [...code].map(char => '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'.indexOf(char))
  if (values.includes(-1)) return false
  const check = 11 - (weights.reduce((sum, weight, at) => sum + weight * (values[at] ?? 0), 0) % 11)
  return code[8] === (check === 10 ? 'X' : check === 11 ? '0' : String(check))
}

/** Number of a resident's card with its check character (GB 11643-1999). */
const isCardNumber = (number: string): boolean => {
  if (!/^\d{17}[\dX]$/.test(number)) return false
  const weights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]
  const sum = weights.reduce((total, weight, at) => total + weight * Number(number[at]), 0)
  return number[17] === '10X98765432'[sum % 11]
}

/**
 * A taxpayer's number in its normal form: 18 characters as a unified social credit code or the number of a person's card, 15 as a region and an organisation code,
 * 20 as the number of a person's card and two more digits; each by its check character.
 * @returns undefined for what is none of these
 */
export const taxNumberOf = (typed: string): string | undefined => {
  const number = numberKey(typed)
  const isRight =
    number.length === 18
      ? isCreditCode(number) || isCardNumber(number)
      : number.length === 15
        ? /^\d{6}/.test(number) && isOrganisationCode(number.slice(6))
        : number.length === 20 && isCardNumber(number.slice(0, 18)) && /\d\d$/.test(number)
  return isRight ? number : undefined
}
