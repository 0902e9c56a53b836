import { searchWords } from '#contract/kernel/search-fold.ts'
import { allOf, type RawBuilder, sql } from './sql.ts'

/** Texts whose parts are kept in `search_part`, folded: their mark there, the shortest part kept, and whether parts of their initials are (migrations 0280, 0680). */
const fields = {
  realName: { mark: 'an', shortest: 1 },
  account: { mark: 'aa', shortest: 3 },
  /** The same of staff alone. */
  staffName: { mark: 'sn', shortest: 1, initials: true },
  staffAccount: { mark: 'sa', shortest: 3 },
  menuCode: { mark: 'mc', shortest: 3 },
  menuName: { mark: 'mn', shortest: 1, initials: true },
  menuNameEn: { mark: 'me', shortest: 1 },
  menuAlias: { mark: 'ma', shortest: 3 },
  deptName: { mark: 'dn', shortest: 1, initials: true },
  deptFullName: { mark: 'df', shortest: 1, initials: true },
} as const satisfies Readonly<Record<string, { readonly mark: string; readonly shortest: number; readonly initials?: true }>>
export type SearchField = keyof typeof fields
const most = 3

export interface PartLookup {
  /** Condition on `search_part k`: rows that hold the word, or as much of it as is kept. */
  readonly where: RawBuilder<unknown>
  /** The word is no longer than what is kept: nothing needs to be compared any more. */
  readonly isWhole: boolean
}
/** How rows that hold a folded word are looked up; undefined for a word shorter than what is kept. */
export const partLookup = (field: SearchField, word: string): PartLookup | undefined => {
  const { mark, shortest } = fields[field]
  const letters = [...word]
  if (letters.length < shortest) return undefined
  // The end of a number or a code tells more than its beginning.
  return {
    where: sql`k.field = ${mark} and k.part = ${letters.slice(-most).join('')}`,
    isWhole: letters.length <= most,
  }
}

/** Whether a text holds a folded word, for rows that were looked up or are few. */
export const holdsPart = (field: SearchField, text: RawBuilder<unknown>, word: string): RawBuilder<unknown> => {
  const key = 'initials' in fields[field] ? sql`search_key(${text})` : sql`search_fold(${text})`
  return sql`strpos(${key}, ${word}) > 0`
}

interface Searched {
  readonly field: SearchField
  readonly column: RawBuilder<unknown>
}
const holdsOne = (
  texts: readonly Searched[],
  word: string,
  id: RawBuilder<unknown>,
  unkept?: (condition: RawBuilder<unknown>) => RawBuilder<unknown>,
): RawBuilder<unknown> => {
  const lookups = texts.flatMap(({ field }) => partLookup(field, word) ?? [])
  const same = sql`(${sql.join(
    texts.map(({ field, column }) => holdsPart(field, column, word)),
    sql` or `,
  )})`
  if (lookups.length < texts.length) return same
  const parts = sql.join(
    lookups.map(({ where }) => sql`(${where})`),
    sql` or `,
  )
  const others = unkept ? sql` union all ${unkept(same)}` : sql``
  // As an array: rows are then fetched by their key, whatever the planner thinks of how many there are.
  return sql`(${id} = any(array(select k.row_id from search_part k where ${parts}${others})) and ${same})`
}
/**
 * Rows of which these texts hold every word of a search; `id` and the columns are of the table that is searched.
 *
 * @param unkept - ids, for a condition, of rows whose parts are not kept
 */
export const holdsWord = (
  texts: readonly Searched[],
  typed: string,
  ...of: [id: RawBuilder<unknown>, unkept?: Parameters<typeof holdsOne>[3]]
) => {
  const words = searchWords(typed)
  return words.length === 0 ? sql`false` : allOf(words.map(word => holdsOne(texts, word, ...of)))
}
