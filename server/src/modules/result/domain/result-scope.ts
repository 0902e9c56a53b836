import type { UnitScope } from './unit-scope.ts'

/** What somebody sees of the results (domain 2.2). */
export interface ResultScope {
  readonly units: UnitScope
  readonly releasedOnly: boolean
  readonly shortlistedOnly: boolean
}
