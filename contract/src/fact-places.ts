import { factByName, factByWord, facts } from './kernel/fact.ts'
import type { FieldMark } from './kernel/field-rule.ts'
import type { Route } from './kernel/route.ts'
import { noFacts } from './no-facts.ts'
import { type DataSet, dataSets } from './report/data-sets.ts'

type Schema = { readonly [key: string]: unknown }
/** A value of an answer, or a condition of a search, that has the name of a fact. */
export interface FactPlace {
  /** `GET /blade-… .records[].name`; a condition is `?name`. */
  readonly place: string
  readonly mark: FieldMark | undefined
}

const propertiesOf = (schema: Schema): [string, Schema][] => Object.entries((schema['properties'] ?? {}) as Record<string, Schema>)

/** Other names under which personal data travels: parts of a record of changes, and texts about somebody. */
const alsoPersonal = /^(old(Mask|Value)|new(Mask|Value)|content|contentLabels|bankAccount)$/
const seemsFact = (name: string): boolean => factByName(name) !== undefined || alsoPersonal.test(name)

const walk = (schema: Schema | undefined, path: string): { path: string; mark: FieldMark | undefined }[] => {
  if (!schema) return []
  const about = schema['x-about'] as { values: readonly string[]; marks: Readonly<Record<string, FieldMark>> } | undefined
  return [
    ...propertiesOf(schema).flatMap(([name, property]) => {
      const under = `${path}.${name}`
      const [any] = about?.values.includes(name) ? Object.values(about.marks) : []
      const [keyed] = Object.values((property['x-fields'] ?? {}) as Record<string, FieldMark>)
      const isLeaf = property['type'] !== 'array' && property['properties'] === undefined
      const mark = (property['x-field'] as FieldMark | undefined) ?? any ?? keyed
      return [...(isLeaf && seemsFact(name) ? [{ path: under, mark }] : []), ...walk(property, under)]
    }),
    ...walk(schema['items'] as Schema | undefined, `${path}[]`),
    ...((schema['anyOf'] as Schema[] | undefined) ?? []).flatMap(variant => walk(variant, path)),
  ]
}

const isStaffs = ({ access }: Route): boolean => 'staff' in access || 'signedIn' in access
const searches = ({ method, answer, tx }: Route): boolean => method === 'GET' || answer === 'file' || tx === 'read'

/** Every place at which a route tells staff a fact, or lets them search by one. */
export const factPlaces = (routes: readonly Route[]): readonly FactPlace[] =>
  routes.filter(isStaffs).flatMap(route => {
    const at = `${route.method} ${route.path}`
    const conditions = searches(route)
      ? propertiesOf(route.input as unknown as Schema)
          .filter(([name]) => name === 'keyword' || factByName(name) !== undefined)
          .map(([name, schema]) => {
            const [mark] = [schema['x-searches'], schema['x-keyword'], [schema['x-writes']]].flatMap(
              marks => (marks ?? []) as (FieldMark | undefined)[],
            )
            return { place: `${at} ?${name}`, mark }
          })
      : []
    return [...walk(route.output as unknown as Schema, '').map(({ path, mark }) => ({ place: `${at} ${path}`, mark })), ...conditions]
  })

/** Calls of the platform's own nouns and of what candidates read stand outside: no role of a tenant rules them. */
const reasonOf = (place: string): string | undefined => noFacts.find(([pattern]) => pattern.test(place))?.[1]

const ofDataSet = ([name, set]: [string, DataSet]): readonly string[] =>
  [...Object.entries(set.dimensions), ...Object.entries(set.measures)].flatMap(([key, { label, field }]) => {
    const seems = factByName(key) ?? factByWord(label.zh)
    return field !== undefined || seems === undefined
      ? []
      : [`data set ${name}: ${key} seems to tell the ${facts[seems].label.en.toLowerCase()} of a person: say its \`field\``]
  })

/** What tells a fact without saying which field it is, one line each. The program does not start with any (ADR 0320). */
export const factProblems = (routes: readonly Route[], sets: Readonly<Record<string, DataSet>> = dataSets): readonly string[] => [
  ...factPlaces(routes)
    .filter(({ mark, place }) => mark === undefined && reasonOf(place) === undefined)
    .map(
      ({ place }) =>
        `${place} seems to tell a fact about a person: mark it (\`shows\`, \`searches\`, \`writes\`), or say in contract/src/no-facts.ts why it is none`,
    ),
  ...Object.entries(sets).flatMap(ofDataSet),
]
