import { searchFold } from '#contract/kernel/search-fold.ts'

/** What tells whether two people may know each other's answers. */
export interface RelatedFacts {
  readonly name: string
  readonly school: string
  readonly major: string
  /** `2026-06-30`; people of one school, subject and month of graduation are taken for one class. */
  readonly graduateDate: string
  /** Where the form asks for it. */
  readonly className: string
  readonly address: string
}

/** Texts that two people share who should not be neighbours (domain 7.4 rule 6): one school class, or one surname at one address. */
export const relatedKeysOf = (facts: RelatedFacts): string[] => {
  const [school, major, address] = [searchFold(facts.school), searchFold(facts.major), searchFold(facts.address)]
  const month = facts.graduateDate.slice(0, 7)
  const className = searchFold(facts.className)
  const keys: string[] = []
  if (school !== '' && className !== '') keys.push(`class|${school}|${className}`)
  else if (school !== '' && major !== '' && month !== '') keys.push(`class|${school}|${major}|${month}`)
  if (address !== '' && facts.name !== '') keys.push(`home|${[...facts.name][0]}|${address}`)
  return keys
}
