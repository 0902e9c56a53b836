import type { Label } from '../kernel/label.ts'
import { defineMachine, stateOfWire } from '../kernel/machine.ts'

export type IntegrityState = 'proposed' | 'recorded' | 'dismissed' | 'lifted'
export type IntegrityEvent = 'record' | 'dismiss' | 'lift'

/** What a violation becomes in the archive of integrity: proposed where it was found, recorded by the administrator (domain 4.11, amendment A8). */
export const integrityMachine = defineMachine<IntegrityState, IntegrityEvent>({
  name: 'integrity',
  initial: 'proposed',
  on: { proposed: { record: 'recorded', dismiss: 'dismissed' }, recorded: { lift: 'lifted' }, dismissed: {}, lifted: {} },
  wire: { proposed: 0, recorded: 1, dismissed: 2, lifted: 3 },
  label: {
    proposed: { zh: '待决定', en: 'Waiting' },
    recorded: { zh: '已记入', en: 'Recorded' },
    dismissed: { zh: '不予记入', en: 'Not recorded' },
    lifted: { zh: '已解除', en: 'Lifted' },
  },
  tone: { proposed: 'waiting', recorded: 'refused', dismissed: 'closed', lifted: 'closed' },
})
/** The state behind a number of the wire. */
export const stateOfIntegrity = (wire: number): IntegrityState | undefined => stateOfWire(integrityMachine, wire)

/** How long a record holds; no number of years is for good (amendments A8, A9). */
export const integrityLevels = {
  y1: { label: { zh: '一年', en: 'One year' }, years: 1 },
  y2: { label: { zh: '二年', en: 'Two years' }, years: 2 },
  y5: { label: { zh: '五年', en: 'Five years' }, years: 5 },
  life: { label: { zh: '长期', en: 'For good' }, years: undefined },
} as const satisfies Readonly<Record<string, { readonly label: Label; readonly years: number | undefined }>>
export type IntegrityLevel = keyof typeof integrityLevels
