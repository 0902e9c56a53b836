import type { Fact } from '#contract/kernel/fact.ts'
import { factOf } from '#contract/kernel/fact.ts'
import {
  type FieldLevel,
  type FieldRule,
  type FieldRules,
  factCode,
  fieldLevels,
  ruledFacts,
  ruledPlaces,
} from '#contract/kernel/field-rule.ts'
import type { Label } from '#contract/kernel/label.ts'
import type { MaskKind } from '#contract/kernel/mask.ts'
import { ruledNouns } from '#contract/registry.ts'

/** What a rule can be about: a fact with all its copies, or a field that is no copy of one. */
export interface RulePlace {
  /** `fact.name`, or `noun.field`. */
  readonly at: string
  readonly noun: string
  readonly field: string
  readonly label: Label
  readonly mask: MaskKind
  /** Codes that lead to a noun that holds it. */
  readonly views: readonly string[]
  /** Each `noun.field` at which a rule about it may have been written. */
  readonly written: readonly string[]
}

/** Facts as they are declared, each with the nouns that hold a copy. */
export const shownFacts = ruledFacts(ruledNouns)
const places = ruledPlaces(ruledNouns)

const writtenAt = (at: string): readonly string[] => [...places].filter(([, place]) => place === at).map(([written]) => written)
const ofFact = (fact: Fact): RulePlace => {
  const { label, mask, copies } = shownFacts.find(one => one.fact === fact) as (typeof shownFacts)[number]
  const at = `${factCode}.${fact}`
  return { at, noun: factCode, field: fact, label, mask, views: [...new Set(copies.flatMap(noun => noun.views))], written: writtenAt(at) }
}
const byAt: ReadonlyMap<string, RulePlace> = new Map(
  [
    ...shownFacts.map(({ fact }) => ofFact(fact)),
    ...ruledNouns.flatMap(({ code, label, views, fields }) =>
      Object.entries(fields).flatMap(([field, declared]): RulePlace[] => {
        if (factOf(declared) !== undefined) return []
        const name = { zh: `${label.zh} › ${declared.label.zh}`, en: `${label.en} › ${declared.label.en}` }
        return [{ at: `${code}.${field}`, noun: code, field, label: name, mask: declared.mask, views, written: [`${code}.${field}`] }]
      }),
    ),
  ].map(place => [place.at, place]),
)

/** Where a rule about this field is written; undefined for what nobody declared. */
export const placeOf = (noun: string, field: string): RulePlace | undefined => byAt.get(places.get(`${noun}.${field}`) ?? '')
export const placeAt = (at: string): RulePlace | undefined => byAt.get(at)
/** How the declared field itself can be masked; a copy may have less of a mask than its fact. */
export const maskAt = (noun: string, field: string): { readonly label: Label; readonly mask: MaskKind } | undefined => {
  if (noun === factCode) return placeOf(noun, field)
  const declared = ruledNouns.find(({ code }) => code === noun)
  return declared && Object.hasOwn(declared.fields, field) ? declared.fields[field] : undefined
}

const stricter = (one: FieldLevel, other: FieldLevel): FieldLevel => (fieldLevels.indexOf(one) > fieldLevels.indexOf(other) ? one : other)

/** Rules by the places they are about; of several about the copies of one fact the strictest counts. */
export const byPlace = <R extends { readonly noun: string; readonly field: string; readonly level: FieldRule }>(
  rules: readonly R[],
): Readonly<Record<string, FieldRule>> => {
  const found: Record<string, FieldRule> = {}
  for (const { noun, field, level } of rules) {
    const at = placeOf(noun, field)?.at ?? `${noun}.${field}`
    found[at] = stricter(found[at] ?? 'full', level) as FieldRule
  }
  return found
}

/** What somebody sees of each place: of a fact as little as of that copy of which they see least. */
export const sightByPlace = (own: FieldRules): Readonly<Record<string, FieldRule>> =>
  byPlace(
    Object.entries(own).map(([at, level]) => {
      const [noun = '', field = ''] = at.split('.')
      return { noun, field, level }
    }),
  )
