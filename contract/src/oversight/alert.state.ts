import { defineMachine } from '../kernel/machine.ts'

export type AlertState = 'new' | 'looking' | 'finding' | 'falseAlarm'
export type AlertEvent = 'take' | 'find' | 'dismiss'

/** An alert on unusual volume: somebody looks at it and says what it was. What is closed stays as it was said. */
export const alertMachine = defineMachine<AlertState, AlertEvent>({
  name: 'alert',
  initial: 'new',
  on: {
    new: { take: 'looking', find: 'finding', dismiss: 'falseAlarm' },
    looking: { find: 'finding', dismiss: 'falseAlarm' },
    finding: {},
    falseAlarm: {},
  },
  wire: { new: 0, looking: 1, finding: 2, falseAlarm: 3 },
  label: {
    new: { zh: '待处理', en: 'New' },
    looking: { zh: '核查中', en: 'Being looked at' },
    finding: { zh: '已确认', en: 'Finding' },
    falseAlarm: { zh: '误报', en: 'False alarm' },
  },
  tone: { new: 'waiting', looking: 'active', finding: 'refused', falseAlarm: 'closed' },
})
