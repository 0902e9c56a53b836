import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, type RawBuilder, sql } from 'kysely'

export { type RawBuilder, sql }

/** Compiles only: statements run on the scoped connection of `scope.ts`, never on a pool of Kysely's own. */
export const builder = new Kysely<Record<string, Record<string, unknown>>>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: db => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

/** A fragment without parameters as finished text: built once, not walked through again for every statement it is part of. */
export const frozen = (fragment: RawBuilder<unknown>): RawBuilder<unknown> => {
  const { sql: text, parameters } = fragment.compile(builder)
  if (parameters.length > 0) throw new Error('a fragment with parameters cannot be finished beforehand')
  return sql.raw(text)
}

/** `and`-joined conditions; `true` when there is none. */
export const allOf = (conditions: readonly (RawBuilder<unknown> | undefined | false)[]): RawBuilder<unknown> => {
  const present = conditions.filter((c): c is RawBuilder<unknown> => c !== undefined && c !== false)
  return present.length === 0 ? sql`true` : sql.join(present, sql` and `)
}

/** Chinese words in the order of their pinyin, as people look for them; what sorts as the same is told apart by whatever follows in the order. */
export const byPinyin = (text: RawBuilder<unknown>): RawBuilder<unknown> => sql`${text} collate pinyin`

/**
 * The place of a key in its dictionary, as `sort` there says it, the tenant's own dictionary before the common one; null for what neither has.
 * Rows ordered by it follow the dictionary as people know it, and not the sound of its words.
 */
export const byDictionary = (code: string, key: RawBuilder<unknown>): RawBuilder<unknown> => sql`coalesce(
  (select d.sort from dict_biz d where d.code = ${code} and d.dict_key = (${key})::text and not d.is_deleted limit 1),
  (select d.sort from dict d where d.code = ${code} and d.dict_key = (${key})::text and not d.is_deleted limit 1))`

/** `%` and `_` of a search word are data, not wildcards. */
export const likeText = (word: string): string => `%${word.replace(/[\\%_]/g, character => `\\${character}`)}%`
