/** Characters by their ranges, each as hex of the first and the last. */
const classOf = (...ranges: readonly string[]): RegExp =>
  new RegExp(`[${ranges.map(range => range.replace(/[0-9A-F]+/g, hex => `\\u{${hex}}`)).join('')}]`, 'u')

/** Everything that may be unseen; most texts hold none of it and are not looked at further. */
const suspect = classOf(
  ...'AD 34F 61C 115F-1160 17B4-17B5 180B-180F 200B-200F 202A-202E 2060-206F 2800 3164 FE00-FE0F FEFF FFA0 FFF9-FFFB'.split(' '),
  ...'1BCA0-1BCA3 1D173-1D17A E0000-E0FFF'.split(' '),
)
/** Selectors of one shape of an ideograph: Unicode's ideographic variation sequences, and the three of its compatibility forms. */
const shapes = classOf('FE00-FE02', 'E0100-E01EF')
const mongolianShapes = classOf('180B-180F')
/** A black flag is a region's by the letters that follow it as tags. */
const tags = classOf('E0020-E007F')
const flagOrTag = classOf('1F3F4', 'E0020-E007E')
const lookOrSkin = classOf('FE0F', '1F3FB-1F3FF')

/** Ideographs and 〇. */
const ideograph = /[\p{Unified_Ideograph}\u3007]/u
const mongolian = /[\u1820-\u18AA]/
/** Selectors choose the look of these; a digit has a look of its own only as a keycap. */
const emoji = /\p{Emoji}/u
const keycap = /[\d#*]/
const picture = /\p{Extended_Pictographic}/u
/** Letters of scripts whose letters join: Arabic and those of India have words that are written with joiners. */
const joining =
  /(?![\p{Script=Latin}\p{Script=Han}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\p{Script=Common}\p{Script=Inherited}])[\p{L}\p{M}]/u

interface Place {
  /** What stands before it and is kept. */
  readonly before: string
  /** The same without marks upon it. */
  readonly letter: string
  /** What follows. */
  readonly after: string
}

/** Whether a character that may be unseen changes how its neighbours look, so that it belongs to what is seen. */
const belongs = (char: string, { before, letter, after }: Place): boolean => {
  if (char === '\u200D') return ((picture.test(before) || lookOrSkin.test(before)) && picture.test(after)) || joining.test(letter)
  if (char === '\u200C') return joining.test(letter) && joining.test(after)
  if (char === '\uFE0E' || char === '\uFE0F') return emoji.test(before) && (!keycap.test(before) || after === '\u20E3')
  if (shapes.test(char)) return ideograph.test(before)
  if (mongolianShapes.test(char)) return mongolian.test(before)
  if (tags.test(char)) return flagOrTag.test(before)
  return false
}

/**
 * Text without what cannot be seen: marks of direction, zero width, soft hyphens, selectors that select nothing, the byte order mark. They come along
 * with copied text, and two names that look the same would differ. What emoji, joining scripts and variants of ideographs need stays.
 */
export const withoutUnseen = (text: string): string => {
  if (!suspect.test(text)) return text
  const chars = Array.from(text)
  let kept = ''
  let before = ''
  let letter = ''
  for (const [at, char] of chars.entries()) {
    const next = chars[at + 1] ?? ''
    // What may itself be left out joins nothing to what stands before it.
    if (suspect.test(char) && !belongs(char, { before, letter, after: suspect.test(next) ? '' : next })) continue
    kept += char
    before = char
    if (!/\p{M}/u.test(char)) letter = char
  }
  return kept
}
