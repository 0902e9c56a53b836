import { type UnitScope, unitScopeOf } from './unit-scope.ts'

/** What somebody sees of the results (domain 2.2). */
export interface ResultScope {
  readonly units: UnitScope
  readonly releasedOnly: boolean
  readonly shortlistedOnly: boolean
}

/** Hiring units see released results of their own sign-ups, re-review officers those on the shortlist; the office and auditors see all. */
export const resultScopeOf = (session: {
  readonly roleAliases: ReadonlySet<string>
  readonly userCodes: readonly string[]
}): ResultScope => {
  const units = unitScopeOf(session)
  const isNarrow = units !== null
  return { units, releasedOnly: isNarrow, shortlistedOnly: isNarrow && !session.roleAliases.has('unit_hr') }
}

export const wholeScope: ResultScope = { units: null, releasedOnly: false, shortlistedOnly: false }
