import { type FieldMark, markOf, type RuledNoun } from '#contract/kernel/field-rule.ts'

export type MarksByName = Readonly<Record<string, readonly FieldMark[]>>

const marksByName = (nouns: readonly RuledNoun[]): MarksByName => {
  const marks: Record<string, FieldMark[]> = Object.create(null)
  for (const noun of nouns)
    for (const [name, field] of Object.entries(noun.fields))
      for (const key of [name, ...(field.also ?? [])]) marks[key] = [...(marks[key] ?? []), markOf(noun, name)]
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

/** Which fields the keys of a recorded change are, by what it calls the thing that changed; of an unknown thing they may be those of any noun. */
export const recordFields = (nouns: readonly RuledNoun[]): ((entity: string) => MarksByName) => {
  const all = marksByName(nouns)
  const known = new Map<string, MarksByName>()
  return entity => {
    if (impersonal.has(entity)) return {}
    const found = known.get(entity)
    if (found) return found
    const own = nouns.filter(noun => noun.code === entity || noun.entities.includes(entity))
    const marks = own.length === 0 ? all : marksByName(own)
    known.set(entity, marks)
    return marks
  }
}
