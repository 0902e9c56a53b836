import { defineMachine, stateOfWire } from '../kernel/machine.ts'

export type RecheckState = 'asked' | 'unchanged' | 'changed'
export type RecheckEvent = 'keep' | 'change'

/** A candidate asks to have a released score looked at again. The answer ends it: a paper is asked about once. */
export const recheckMachine = defineMachine<RecheckState, RecheckEvent>({
  name: 'recheck',
  initial: 'asked',
  on: { asked: { keep: 'unchanged', change: 'changed' }, unchanged: {}, changed: {} },
  wire: { asked: 0, unchanged: 1, changed: 2 },
  label: {
    asked: { zh: '待复查', en: 'Waiting' },
    unchanged: { zh: '无误', en: 'Score stands' },
    changed: { zh: '已更正', en: 'Score corrected' },
  },
  tone: { asked: 'waiting', unchanged: 'closed', changed: 'passed' },
})

/** The state behind a number of the wire. */
export const stateOfRecheck = (wire: number): RecheckState | undefined => stateOfWire(recheckMachine, wire)
