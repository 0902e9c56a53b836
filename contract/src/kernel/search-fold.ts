import { pinyinInitials } from './pinyin-initials.ts'
import { withoutRadicals } from './radicals.ts'
import { tidyLine } from './tidy-text.ts'

/**
 * What no search compares: spaces, the hyphens and dots of names and numbers, apostrophes, and what cannot be seen. The database leaves out the same
 * (`search_fold`, migration 0680); both are compared by a test.
 */
const left = new RegExp(
  `[${
    String.raw`'\u0009-\u000D \-.\x60\u0085\u00AD\u00B7\u02BC\u1680\u180B-\u180F\u200B-\u200F\u2010-\u2015\u2018\u2019\u2022\u2027-\u202E` +
    String.raw`\u2060-\u2064\u2066-\u2069\u2212\u2219\u22C5\u30FB\uFE00-\uFE0F\uFEFF\u{E0100}-\u{E01EF}`
  }]`,
  'gu',
)

/** A text as searches compare it: full width, case, the kind of a dot, and how the groups of a number are parted make no difference. */
export const searchFold = (text: string): string =>
  withoutRadicals(text)
    .normalize('NFKC')
    // Character by character, as the database does: neither what stands beside a letter nor a language changes what its small one is.
    .replace(/\p{Changes_When_Lowercased}/gu, letter => (letter === '\u0130' ? 'i' : letter.toLowerCase()))
    .replace(left, '')

/** More words than this are not compared. */
const mostWords = 8

/**
 * The folded words of what somebody searches for; a row is found that holds them all, in whichever order. A number in the groups in which it is printed is one word.
 */
export const searchWords = (typed: string): readonly string[] => {
  const line = tidyLine(typed.normalize('NFKC'))
  const isNumber = /^[\d -]{8,}$/.test(line)
  const words = (isNumber ? [line] : line.split(/\s+/)).map(searchFold).filter(word => word !== '')
  return [...new Set(words)].slice(0, mostWords)
}

/** Whether a text, or the initials of its pinyin, hold every word of a search; nothing typed is held by everything. */
export const isFoundIn = (text: string, typed: string): boolean => {
  const words = searchWords(typed)
  if (words.length === 0) return true
  const folded = searchFold(text)
  if (words.every(word => folded.includes(word))) return true
  // Initials are asked for by letters alone.
  const key = [folded, ...pinyinInitials(text)].join('\n')
  return words.some(word => /[a-z]/.test(word)) && words.every(word => key.includes(word))
}
