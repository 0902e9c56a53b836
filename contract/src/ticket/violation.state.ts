import { defineMachine, stateOfWire } from '../kernel/machine.ts'

export type ViolationState = 'filed' | 'confirmed' | 'dismissed'
export type ViolationEvent = 'confirm' | 'dismiss'

/** A form that was filled in and signed in the room. Whoever decides it is not who filed it. */
export const violationMachine = defineMachine<ViolationState, ViolationEvent>({
  name: 'violation',
  initial: 'filed',
  on: { filed: { confirm: 'confirmed', dismiss: 'dismissed' }, confirmed: {}, dismissed: {} },
  wire: { filed: 0, confirmed: 1, dismissed: 2 },
  label: {
    filed: { zh: '待认定', en: 'Waiting' },
    confirmed: { zh: '已认定', en: 'Confirmed' },
    dismissed: { zh: '不认定', en: 'Dismissed' },
  },
  tone: { filed: 'waiting', confirmed: 'refused', dismissed: 'closed' },
})
/** The state behind a number of the wire. */
export const stateOfViolation = (wire: number): ViolationState | undefined => stateOfWire(violationMachine, wire)
