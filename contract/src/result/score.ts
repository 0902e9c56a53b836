/** Scores, bonuses and weights have two decimals and are counted in hundredths, so that no sum ever depends on binary fractions. */
export type DecimalProblem = 'empty' | 'not-a-number' | 'decimals' | 'negative' | 'too-large'

/** dec(6,2) of the domain: 9999.99. */
const MAX_SCORE_HUNDREDTHS = 999_999

/**
 * Reads a decimal with at most two places as hundredths: `78.5` → 7850. No thousands commas, no exponent, no bare point.
 * @param maxHundredths largest value that is accepted, itself included
 */
export function parseHundredths(
  text: string,
  maxHundredths: number = MAX_SCORE_HUNDREDTHS,
): { readonly ok: true; readonly hundredths: number } | { readonly ok: false; readonly problem: DecimalProblem } {
  const plain = text.trim()
  const no = (problem: DecimalProblem) => ({ ok: false, problem }) as const
  if (plain === '') return no('empty')
  const match = /^(-?)(\d{1,9})(?:\.(\d+))?$/.exec(plain)
  if (!match) return no('not-a-number')
  const decimals = match[3] ?? ''
  // 78.500 is 78.50: zeros behind the second place say nothing.
  if (/[1-9]/.test(decimals.slice(2))) return no('decimals')
  const hundredths = Number(match[2]) * 100 + Number(decimals.slice(0, 2).padEnd(2, '0'))
  if (match[1] === '-' && hundredths > 0) return no('negative')
  return hundredths > maxHundredths ? no('too-large') : { ok: true, hundredths }
}

/** 7850 → `78.50`; the text of decimals on the wire (domain 0). */
export function formatHundredths(hundredths: number): string {
  const digits = String(Math.abs(hundredths)).padStart(3, '0')
  return `${hundredths < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}
