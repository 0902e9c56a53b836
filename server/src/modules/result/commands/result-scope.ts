import type { Session } from '#kernel/http/context.ts'
import { valuesInScope } from '#kernel/http/row-scope.ts'
import type { ResultScope } from '../domain/result-scope.ts'
import { unitScopeOf } from '../domain/unit-scope.ts'

/** Hiring units see released results of their own sign-ups, re-review officers those on the shortlist; the office and auditors see all. */
export const resultScopeOf = (session: Session): ResultScope => {
  const units = unitScopeOf(session)
  const isNarrow = units !== null
  return {
    units: valuesInScope(session, 'result', 'unit', units),
    releasedOnly: isNarrow,
    shortlistedOnly: isNarrow && !session.roleAliases.has('unit_hr'),
  }
}

const wholeScope: ResultScope = { units: null, releasedOnly: false, shortlistedOnly: false }

/** What the office corrects: every result that its data scopes leave. */
export const correctionScopeOf = (session: Session): ResultScope => ({
  ...wholeScope,
  units: valuesInScope(session, 'result', 'unit', null),
})
