/**
 * The picture's alternative for people who cannot see or read it: the browser looks for a number whose SHA-256 with the key begins with enough
 * zero bits. Nobody has to see, hear, remember or type anything (WCAG 2.2, 1.1.1 and 3.3.8).
 */
export const workText = (key: string, answer: string): string => `${key}.${answer}`

/** Key and answer, a point between them: what a call brings that was answered with work to do (`auth/address-busy`). */
export const workHeader = 'Kaopu-Work'

/** Digits of an answer: with the key it stays within one block of SHA-256. */
export const workAnswer = /^\d{1,11}$/

/** Zero bits before the first one. @param words - the hash as 32-bit words, first one first */
export const zeroBits = (words: ArrayLike<number>): number => {
  let bits = 0
  for (let i = 0; i < words.length; i += 1) {
    const zeros = Math.clz32(words[i] ?? 0)
    bits += zeros
    if (zeros < 32) break
  }
  return bits
}
