/**
 * Patterns of form fields are typed by staff and run on what candidates type, in one thread with everybody else, so only patterns
 * that cannot explode are taken: no look-around, no back-reference, no repeated group, at most two variable quantifiers and six
 * alternatives, and no text longer than 500 code points is tried.
 *
 * Allowed: `^[A-Z]{2}\d{6,10}$`. Refused: `(a+)+`.
 */
export function isSafePattern(pattern: string): boolean {
  if (pattern.length > 200) return false
  const plain = pattern.replace(/\\[^1-9k]/g, 'x').replace(/\[(?:[^\]\\]|\\.)*\]/g, 'x')
  if (/\\|\(\?(?!:)/.test(plain)) return false
  if (/\)(?:[*+?]|\{)/.test(plain)) return false
  // What stays of `(?:` after this is no quantifier.
  const bare = plain.replaceAll('(?:', '(')
  const variable = bare.match(/[*+?]|\{\d*,\d*\}/g)?.length ?? 0
  const fixed = [...bare.matchAll(/\{(\d+)\}/g)].every(match => Number(match[1]) <= 200)
  const alternatives = bare.match(/\|/g)?.length ?? 0
  if (variable > 2 || alternatives > 6 || !fixed) return false
  return compile(pattern) !== undefined
}

function compile(pattern: string): RegExp | undefined {
  try {
    return new RegExp(`^(?:${pattern})$`, 'u')
  } catch {
    // The only way to learn that a pattern does not parse is to let it be parsed.
    return undefined
  }
}

/** Whether a text matches a pattern as a whole. A pattern that is not safe matches nothing. */
export const matchesPattern = (pattern: string, text: string): boolean =>
  text.length <= 500 && isSafePattern(pattern) && compile(pattern)?.test(text) === true
