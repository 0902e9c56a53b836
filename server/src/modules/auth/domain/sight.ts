import { type FieldRule, type FieldRules, ruledPlaces } from '#contract/kernel/field-rule.ts'
import { ruledNouns } from '#contract/registry.ts'

/** What one role sees of fields: its rules, about facts or single fields of nouns, and the codes of the menus it holds. */
export interface Sight {
  readonly rules: readonly { readonly noun: string; readonly field: string; readonly level: FieldRule }[]
  readonly codes: readonly string[]
}

const places = ruledPlaces(ruledNouns)
const fields = ruledNouns.flatMap(({ code, views, fields: declared }) =>
  Object.keys(declared).map(name => ({ at: `${code}.${name}`, place: places.get(`${code}.${name}`) ?? '', views })),
)

/** The levels of a role by the place a rule is about; a rule about one copy of a fact is about the fact, and the strictest of several counts. */
const levelsOf = ({ rules }: Sight): ReadonlyMap<string, FieldRule> => {
  const levels = new Map<string, FieldRule>()
  for (const { noun, field, level } of rules) {
    const place = places.get(`${noun}.${field}`)
    if (place !== undefined && levels.get(place) !== 'hidden') levels.set(place, level)
  }
  return levels
}

/**
 * What somebody with these roles sees in part or not at all, field by field, so that each copy of a fact has its rule. The role that lets more be
 * seen of a noun wins; one without a rule counts where it holds a code that leads to the noun.
 *
 * @returns `noun.field` with its level; what is not named is seen in full
 */
export const rulesFrom = (sights: readonly Sight[]): FieldRules => {
  if (sights.length === 0) return {}
  const roles = sights.map(sight => ({ levels: levelsOf(sight), codes: new Set(sight.codes) }))
  const found: Record<string, FieldRule> = {}
  for (const { at, place, views } of fields) {
    const ruled = roles.flatMap(({ levels }) => levels.get(place) ?? [])
    const seesAll = roles.some(({ levels, codes }) => !levels.has(place) && views.some(code => codes.has(code)))
    if (ruled.length > 0 && !seesAll) found[at] = ruled.includes('masked') ? 'masked' : 'hidden'
  }
  return found
}
