import type { TSchema } from 'typebox'
import { type Fact, factNames, factOf, facts, type SaidFact } from './fact.ts'
import type { Label } from './label.ts'
import type { MaskKind } from './mask.ts'
import type { Fields } from './resource.ts'

/**
 * Rules by role say how much of a field is seen (ADR 0064): all of it, as much as its mask leaves, or nothing. What they may be about is
 * declared: nouns with their fields here, and marks on the schemas of routes, by which the kernel masks answers and refuses input.
 */
export const fieldLevels = ['full', 'masked', 'hidden'] as const
export type FieldLevel = (typeof fieldLevels)[number]
/** What a rule can say; a field without a rule is seen in full. */
export type FieldRule = Exclude<FieldLevel, 'full'>
/** Fields that somebody sees in part or not at all, as `noun.field`; what is not named is seen in full (ADR 0064). */
export type FieldRules = Readonly<Record<string, FieldRule>>

export interface RuledField {
  readonly label: Label
  readonly mask: MaskKind
  /** As of a declared field. */
  readonly fact?: SaidFact
  /** As of a declared field. */
  readonly quotes?: readonly string[]
  /** Other names under which records of changes keep it. */
  readonly also?: readonly string[]
}

/** A noun whose fields can be ruled. */
export interface RuledNoun<F extends Readonly<Record<string, RuledField>> = Readonly<Record<string, RuledField>>> {
  /** Prefix of its permission codes. */
  readonly code: string
  readonly label: Label
  /** Codes by which a role gets to see the noun: such a role without a rule sees its fields in full. */
  readonly views: readonly string[]
  /** What records of changes call it. */
  readonly entities: readonly string[]
  readonly fields: F
}

/** One field of one noun, as schemas carry it. */
export interface FieldMark {
  /** `noun.field` */
  readonly at: string
  readonly label: Label
  readonly mask: MaskKind
}
/** Marks by the keys under which values stand; `*` for every other key. */
export type MarksByKey = Readonly<Record<string, FieldMark>>

type FieldOf<N extends RuledNoun> = keyof N['fields'] & string

/** How a schema or a workbook column says which ruled field it carries. */
export const markOf = <N extends RuledNoun>(noun: N, field: FieldOf<N>): FieldMark => {
  const { label, mask } = noun.fields[field] as RuledField
  return { at: `${noun.code}.${field}`, label, mask }
}

/** The same schema with a mark; what TypeBox keeps beside the JSON stays. */
const marked = <T extends TSchema>(schema: T, marks: object): T =>
  Object.defineProperties({}, { ...Object.getOwnPropertyDescriptors(schema), ...Object.getOwnPropertyDescriptors(marks) }) as T

/** A value of an answer that is this field. */
export const shows = <N extends RuledNoun, T extends TSchema>(noun: N, field: FieldOf<N>, schema: T): T =>
  marked(schema, { 'x-field': markOf(noun, field) })
/** The same where nothing of the value can be left: a link to a picture, a number. */
export const showsWhole = <N extends RuledNoun, T extends TSchema>(noun: N, field: FieldOf<N>, schema: T): T =>
  marked(schema, { 'x-field': { ...markOf(noun, field), mask: 'none' } })
/** A text of a row in which values of other fields of it may stand: of what a reader does not see there nothing is read here either. */
export const showsQuoting = <N extends RuledNoun, T extends TSchema>(noun: N, field: FieldOf<N>, schema: T): T =>
  marked(shows(noun, field, schema), { 'x-quotes': noun.fields[field]?.quotes ?? [] })
/** What a condition on a field is compared with: its value, and what may stand in it. */
export const comparedWith = (noun: RuledNoun, field: string): readonly FieldMark[] => {
  const declared = Object.hasOwn(noun.fields, field) ? noun.fields[field] : undefined
  return declared === undefined ? [] : [field, ...(declared.quotes ?? [])].map(name => markOf(noun, name))
}
/** Properties of a row, each marked that has the name of a field, or one that `names` gives it. */
export const showsAll = <N extends RuledNoun, const P extends Readonly<Record<string, TSchema>>>(
  noun: N,
  properties: P,
  names: { readonly [K in keyof P]?: FieldOf<N> } = {},
): P =>
  Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => {
      const field = names[name] ?? (Object.hasOwn(noun.fields, name) ? (name as FieldOf<N>) : undefined)
      return [name, field === undefined ? schema : shows(noun, field, schema)]
    }),
  ) as P
/** An object of an answer whose keys tell which fields its values are. */
export const showsByKey = <T extends TSchema>(marks: MarksByKey, schema: T): T => marked(schema, { 'x-fields': marks })
/** An object of an answer, one of whose values (`key`) names the field that others of its values (`values`) are about. */
export const showsAbout = <T extends TSchema>(key: string, values: readonly string[], marks: MarksByKey, schema: T): T =>
  marked(schema, { 'x-about': { key, values, marks } })

/** A condition of a search that is compared with these fields. */
export const searches = <T extends TSchema>(marks: readonly FieldMark[], schema: T): T => marked(schema, { 'x-searches': marks })
/** What a person typed into one box for several fields: it is a search of those that it could be a value of. */
export const keywordOf = <T extends TSchema>(marks: readonly FieldMark[], schema: T): T => marked(schema, { 'x-keyword': marks })
/** A list of names to sort by. */
export const sorts = <T extends TSchema>(marks: MarksByKey, schema: T): T => marked(schema, { 'x-sorts': marks })
/** A value of a form that changes this field of the row that the form's `id` names. */
export const writes = <N extends RuledNoun, T extends TSchema>(noun: N, field: FieldOf<N>, schema: T): T =>
  marked(schema, { 'x-writes': markOf(noun, field) })

/** All fields of a noun by their names. */
export const marksOf = (noun: RuledNoun): MarksByKey =>
  Object.fromEntries(Object.keys(noun.fields).map(field => [field, markOf(noun, field)]))

/** Ids and structures are for programs: nobody is told what hides in one, so nobody rules one. */
const unruledKinds: ReadonlySet<string> = new Set(['ref', 'json'])

/** A plain noun: its declaration is all there is to say. */
export const nounOf = (resource: {
  readonly name: string
  readonly permission: string
  readonly label: Label
  readonly fields: Fields
}): RuledNoun => ({
  code: resource.permission,
  label: resource.label,
  views: [`${resource.permission}_view`],
  entities: [resource.name],
  fields: Object.fromEntries(
    Object.entries(resource.fields)
      .filter(([, field]) => !unruledKinds.has(field.kind))
      .map(([name, field]) => [
        name,
        {
          label: field.label,
          mask: field.kind === 'text' ? (field.mask ?? 'text') : 'none',
          ...(field.fact === undefined ? {} : { fact: field.fact }),
          ...(field.quotes === undefined ? {} : { quotes: field.quotes }),
        },
      ]),
  ),
})

/** What rules about facts say they are about: `fact.name` as `signup.name`. */
export const factCode = 'fact'
/** Every field of every noun by the place that a rule about it is written at: a fact is one place for all its copies. */
export const ruledPlaces = (nouns: readonly RuledNoun[]): ReadonlyMap<string, string> => {
  const places = new Map<string, string>(factNames.map(fact => [`${factCode}.${fact}`, `${factCode}.${fact}`]))
  for (const { code, fields } of nouns)
    for (const [name, field] of Object.entries(fields)) {
      const fact = factOf(field)
      places.set(`${code}.${name}`, fact === undefined ? `${code}.${name}` : `${factCode}.${fact}`)
    }
  return places
}
/** Facts as rules and screens know them, each with the nouns that hold a copy. */
export const ruledFacts = (
  nouns: readonly RuledNoun[],
): readonly { readonly fact: Fact; readonly label: Label; readonly mask: MaskKind; readonly copies: readonly RuledNoun[] }[] =>
  factNames.map(fact => ({
    fact,
    ...facts[fact],
    copies: nouns.filter(({ fields }) => Object.values(fields).some(field => factOf(field) === fact)),
  }))
