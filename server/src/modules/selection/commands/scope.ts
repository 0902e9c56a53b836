import { stateOfWire } from '#contract/kernel/machine.ts'
import { type CallState, callMachine } from '#contract/selection/selection.state.ts'
import type { Session } from '#kernel/http/context.ts'
import { valuesInScope } from '#kernel/http/row-scope.ts'
import { unitScopeOf } from '#modules/result/index.ts'

/** The state of a call that a list is narrowed to. */
export const callOf = (wire: number | undefined): CallState | undefined => (wire === undefined ? undefined : stateOfWire(callMachine, wire))

/** Units that narrow what somebody sees of the people on the list; null: nothing does (domain 2.1). */
export const unitsFor = (session: Session): readonly string[] | null => valuesInScope(session, 'signup', 'unit', unitScopeOf(session))

export const mayReach = (session: Session, person: { readonly unit: string | null }): boolean => {
  const units = unitsFor(session)
  return units === null || (person.unit !== null && units.includes(person.unit))
}
