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

/** `%` and `_` of a search word are data, not wildcards. */
export const likeText = (word: string): string => `%${word.replace(/[\\%_]/g, character => `\\${character}`)}%`
