import { factByName, factOf } from '#contract/kernel/fact.ts'
import { type FieldMark, markOf, type RuledNoun } from '#contract/kernel/field-rule.ts'

/** Which fields a key of a record could be. */
export type MarksOfKey = (key: string) => readonly FieldMark[]

const marksByName = (nouns: readonly RuledNoun[]): ReadonlyMap<string, readonly FieldMark[]> => {
  const marks = new Map<string, readonly FieldMark[]>()
  for (const noun of nouns)
    for (const [name, field] of Object.entries(noun.fields))
      for (const key of [name, ...(field.also ?? [])]) marks.set(key, [...(marks.get(key) ?? []), markOf(noun, name)])
  return marks
}

/** What has names of its own and nobody's: a role's name is not a person's. */
const impersonal: ReadonlySet<string> = new Set([
  'role',
  'menu',
  'topmenu',
  'dept',
  'region',
  'tenant',
  'examination',
  'client',
  'datasource',
])

/**
 * Which fields the keys of a recorded change are, by what it calls the thing that changed. A key that this thing does not declare and that has the
 * name of a fact is any copy of the fact: a change of a ticket may keep the phone of its person. Of an unknown thing keys may be those of any noun.
 */
export const recordFields = (nouns: readonly RuledNoun[]): ((entity: string) => MarksOfKey) => {
  const all = marksByName(nouns)
  const copies = new Map(
    Map.groupBy(
      nouns.flatMap(noun => Object.entries(noun.fields).map(([name, field]) => ({ fact: factOf(field), mark: markOf(noun, name) }))),
      ({ fact }) => fact,
    ),
  )
  const ofFact: MarksOfKey = key => {
    const fact = factByName(key)
    return fact === undefined ? [] : (copies.get(fact) ?? []).map(({ mark }) => mark)
  }
  const known = new Map<string, MarksOfKey>()
  return entity => {
    if (impersonal.has(entity)) return () => []
    const found = known.get(entity)
    if (found) return found
    const own = nouns.filter(noun => noun.code === entity || noun.entities.includes(entity))
    const marks = own.length === 0 ? all : marksByName(own)
    const marksOf: MarksOfKey = key => marks.get(key) ?? ofFact(key)
    known.set(entity, marksOf)
    return marksOf
  }
}
