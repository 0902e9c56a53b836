/** 1 weak, 2 fair, 3 strong. */
export type Strength = 1 | 2 | 3

/**
 * How hard a password is to guess, roughly: its length counts most, repeated characters and runs (`aaaa`, `1234`) count once.
 * The server decides by length and its list of common passwords (decision 4.7); this is advice.
 */
export const strengthOf = (password: string, minLength: number): Strength => {
  const characters = Array.from(password)
  const codes = characters.map(character => character.codePointAt(0) ?? 0)
  const telling = codes.filter((code, index) => {
    const step = code - (codes[index - 1] ?? Number.NaN)
    return !(step === 0 || step === 1 || step === -1)
  }).length
  if (characters.length < minLength || telling < minLength * 0.6) return 1
  const kinds = [/\p{Lu}/u, /\p{Ll}/u, /\p{Nd}/u, /[^\p{L}\p{Nd}]/u, /\p{Script=Han}/u].filter(kind => kind.test(password)).length
  return telling >= 16 || (telling >= 12 && kinds >= 3) ? 3 : 2
}
