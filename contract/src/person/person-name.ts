import type { Label } from '../kernel/label.ts'
import { withoutRadicals } from '../kernel/radicals.ts'
import { tidyLine } from '../kernel/tidy-text.ts'

export type NameProblem = 'required' | 'too-short' | 'too-long' | 'dot-position' | 'characters'

export const nameMessages: Readonly<Record<NameProblem, Label>> = {
  required: { zh: '请输入姓名', en: 'Please enter the name' },
  'too-short': { zh: '姓名至少 2 个字', en: 'The name must have at least 2 characters' },
  'too-long': { zh: '姓名最多 50 个字', en: 'The name must have at most 50 characters' },
  'dot-position': {
    zh: '间隔号“·”不能在姓名开头、结尾或连续出现',
    en: 'The separator “·” must stand between two parts of the name',
  },
  characters: {
    zh: '姓名含有不允许的字符，只能填写汉字、字母和间隔号“·”',
    en: 'The name contains characters that are not allowed; use Han characters, letters and the separator “·”',
  },
}

/** Ideographs of all planes, 〇, and the private-use areas that older systems put rare characters in. */
const HAN = '\\p{Unified_Ideograph}\\u3007\\u{20000}-\\u{2FFFD}\\u{30000}-\\u{3FFFD}\\p{Co}'
const HAN_CHAR = new RegExp(`[${HAN}]`, 'u')
/** Look-alikes of U+00B7 that keyboards produce: • ‧ ． ・ ･ ⋅ */
const DOTS = /[\u2022\u2027\uFF0E\u30FB\uFF65\u22C5]/g
/** Selectors of one shape of an ideograph: id cards and their register know the ideograph alone (ADR 0144). */
const SHAPES = /[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]/gu
const ALLOWED = new RegExp(`^(?:[${HAN}]|\\p{Script=Latin}\\p{M}*|[· .'’-])+$`, 'u')
// No look-behind: in-app browsers of older phones do not parse it.
const DOT_BETWEEN_HAN = new RegExp(`([${HAN}])\\.(?=[${HAN}])`, 'gu')
const SPACE_AFTER_HAN_OR_DOT = new RegExp(`([${HAN}·]) +`, 'gu')
const SPACE_BEFORE_HAN_OR_DOT = new RegExp(` +(?=[${HAN}·])`, 'gu')

/**
 * The form of a name that is stored: NFC, one kind of separator, half-width letters, no spaces but those inside Latin names.
 * Variants such as 黃 and 黄 stay apart; they are different names.
 */
export const foldName = (text: string): string =>
  // Radicals look like the characters and come from copied PDF text: ⼦ U+2F26 becomes 子 U+5B50.
  withoutRadicals(tidyLine(text))
    .replace(SHAPES, '')
    .replace(/[\uFF21-\uFF3A\uFF41-\uFF5A]/g, letter => String.fromCharCode(letter.charCodeAt(0) - 0xfee0))
    .replace(DOTS, '·')
    .replace(/[\u3000\u00A0]/g, ' ')
    .replace(/ {2,}/g, ' ')
    .replace(SPACE_AFTER_HAN_OR_DOT, '$1')
    .replace(SPACE_BEFORE_HAN_OR_DOT, '')
    .replace(/^ +| +$/g, '')
    // Last, so that folding twice changes nothing: the spaces round a dot are gone by now, and half-width letters take their accents.
    .replace(DOT_BETWEEN_HAN, '$1·')
    .normalize('NFC')

/** The words of a search for a name, each in the form in which names are stored; who searches may write a space for the dot. */
export const nameWords = (typed: string): readonly string[] =>
  tidyLine(typed)
    .split(/\s+/)
    .map(foldName)
    .filter(word => word !== '')

/** The form in which two names are compared: folded, and without the separators and cases people write differently. */
export const nameKey = (text: string): string => foldName(text).replaceAll('’', "'").toUpperCase()

export interface NameFacts {
  readonly ok: true
  readonly name: string
  /** The stored form differs from what was typed; imports say so. */
  readonly folded: boolean
  /** Holds a private-use code point: nobody can know how it looks, so a person compares the name with the id card. */
  readonly nameRare: boolean
  /** Written in a way the rule is silent about (hyphen, apostrophe, Han mixed with Latin): accepted, but a person looks at it. */
  readonly needsReview: boolean
}

/** Checks a person's name (domain 0 "Names"): 2–50 code points after folding, Han or Latin letters, `·` as the separator. */
export function checkName(text: string): NameFacts | { readonly ok: false; readonly problem: NameProblem } {
  const name = foldName(text)
  const length = [...name].length
  const no = (problem: NameProblem) => ({ ok: false, problem }) as const
  if (length === 0) return no('required')
  if (!ALLOWED.test(name)) return no('characters')
  if (length < 2) return no('too-short')
  if (length > 50) return no('too-long')
  if (/^·|·$|·{2}/.test(name)) return no('dot-position')
  const hasHan = HAN_CHAR.test(name)
  const hasLatin = /\p{Script=Latin}/u.test(name)
  // Punctuation belongs to Latin names only, and only after a letter: a name may not begin like a spreadsheet formula.
  if (/[.'’-]/.test(name) && (!hasLatin || /(?:^|[^\p{Script=Latin}\p{M}])[.'’-]/u.test(name))) return no('characters')
  return {
    ok: true,
    name,
    folded: name !== text,
    nameRare: /\p{Co}/u.test(name),
    needsReview: (hasHan && hasLatin) || /[.'’-]/.test(name),
  }
}
