import { foldGroups, foldWidth } from '#contract/kernel/fold-width.ts'
import { searchWords } from '#contract/kernel/search-fold.ts'
import { allOf, likeText, type RawBuilder, sql } from './sql.ts'

/** Nothing of what was typed could be compared: no row is found, instead of all of them. */
const all = (conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> =>
  conditions.length === 0 ? sql`false` : sql`(${allOf(conditions)})`

/** Rows whose key, which the row keeps folded (migration 0680), holds every word. */
export const keyHolds = (key: RawBuilder<unknown>, typed: string): RawBuilder<unknown> =>
  all(searchWords(typed).map(word => sql`strpos(${key}, ${word}) > 0`))

/** The same of a text that is folded when it is searched: some microseconds a row, for lists of some ten thousand. */
export const textHolds = (text: RawBuilder<unknown>, typed: string): RawBuilder<unknown> => keyHolds(sql`search_fold(${text})`, typed)

/** The same, and initials of its pinyin: a tenth of a millisecond a row, for some hundred rows. */
export const initialsHold = (text: RawBuilder<unknown>, typed: string): RawBuilder<unknown> => keyHolds(sql`search_key(${text})`, typed)

/**
 * The same of names of persons, which are stored folded: nothing is computed for a row, so an index that has the name answers by itself. Whichever dot
 * stands between two parts of a name, each is taken for each.
 * @param words - in the form in which names are stored
 */
export const wordsLike = (text: RawBuilder<unknown>, words: readonly string[]): RawBuilder<unknown> =>
  all(
    words.map(word => {
      const pattern = likeText(word).replaceAll('·', '_')
      return word.toLowerCase() === word.toUpperCase() ? sql`${text} like ${pattern}` : sql`${text} ilike ${pattern}`
    }),
  )

/** Of a code or number: as it was typed in half width, or without the groups in which it is printed. */
export const codeHolds = (code: RawBuilder<unknown>, typed: string): RawBuilder<unknown> => {
  const ways = [...new Set([foldWidth(typed), foldGroups(typed)])].filter(way => way !== '')
  return ways.length === 0
    ? sql`false`
    : sql`(${sql.join(
        ways.map(way => sql`${code} ilike ${likeText(way)}`),
        sql` or `,
      )})`
}
