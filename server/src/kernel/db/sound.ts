import { startsOf } from '#contract/kernel/pinyin.ts'
import { searchFold } from '#contract/kernel/search-fold.ts'
import { type RawBuilder, sql } from './sql.ts'

/** The part of what was typed that stands for one character. */
interface Part {
  readonly letters: string
  /** A syllable; otherwise as much of one as was typed. */
  readonly isWhole: boolean
}

/** Names are no longer than this, and more ways to part letters than this are not tried. */
const mostCharacters = 6
const mostWays = 4
const longestSyllable = 6

let typed: ReadonlyMap<string, readonly number[]> | undefined
/** Code points by what each may be typed as, a syllable or a letter; some 50 ms, once in a process. */
const byWay = (): ReadonlyMap<string, readonly number[]> => {
  if (typed !== undefined) return typed
  const found = new Map<string, number[]>()
  for (let code = 0x4e00; code < 0xa000; code += 1)
    for (const way of new Set(startsOf(String.fromCharCode(code)))) {
      const codes = found.get(way)
      if (codes === undefined) found.set(way, [code])
      else codes.push(code)
    }
  typed = found
  return found
}

const classes = new Map<string, string>()
/** The characters of a part, as ranges of a regular expression; empty where there are none. */
const charactersOf = ({ letters, isWhole }: Part): string => {
  const key = `${letters} ${isWhole}`
  const known = classes.get(key)
  if (known !== undefined) return known
  const codes = [...byWay()].flatMap(([way, of]) => ((isWhole ? way === letters : way.startsWith(letters)) ? of : []))
  const ranges: [number, number][] = []
  for (const code of [...new Set(codes)].sort((a, b) => a - b)) {
    const last = ranges.at(-1)
    if (last?.[1] === code - 1) last[1] = code
    else ranges.push([code, code])
  }
  const told = ranges
    .map(([from, to]) => (from === to ? String.fromCharCode(from) : `${String.fromCharCode(from)}-${String.fromCharCode(to)}`))
    .join('')
  // No more than there are syllables and their beginnings: what nobody is called is not kept.
  if (told !== '') classes.set(key, told)
  return told
}

/** How letters may be parted into characters, those with the fewest first: `xian` is one, or two. The last one need not be typed to its end. */
export const partsOf = (letters: string): readonly (readonly Part[])[] => {
  const ways: (readonly Part[])[] = []
  const walk = (left: string, before: readonly Part[]): void => {
    if (left === '') {
      ways.push(before)
      return
    }
    if (before.length === mostCharacters) return
    for (let length = Math.min(longestSyllable, left.length); length > 0; length -= 1) {
      const part = { letters: left.slice(0, length), isWhole: length > 1 && length < left.length }
      if (charactersOf(part) !== '') walk(left.slice(length), [...before, part])
    }
  }
  walk(letters, [])
  return ways.sort((a, b) => a.length - b.length).slice(0, mostWays)
}

/** Characters that are read as the letters that were typed, one behind the other; null for what is not typed in letters. */
export const soundPattern = (typed: string): string | null => {
  const letters = searchFold(typed)
  if (!/^[a-z]{2,30}$/.test(letters)) return null
  const ways = partsOf(letters).map(parts => parts.map(part => `[${charactersOf(part)}]`).join(''))
  return ways.length === 0 ? null : ways.join('|')
}

/**
 * Names in which what was typed is read, by pinyin or initials: half a microsecond a row, so names of persons need no key of their own for it
 * (120,000 names: 67 ms, `like` 15 ms).
 */
export const soundsLike = (name: RawBuilder<unknown>, typed: string): RawBuilder<unknown> => {
  const pattern = soundPattern(typed)
  return pattern === null ? sql`false` : sql`${name} ~ ${pattern}`
}
