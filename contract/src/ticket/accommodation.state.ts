import { defineMachine, stateOfWire } from '../kernel/machine.ts'

export type AccommodationState = 'asked' | 'granted' | 'refused' | 'withdrawn'
export type AccommodationEvent = 'ask' | 'grant' | 'refuse' | 'withdraw'

/** What somebody asks for because of a disability or illness; the office may change its decision until the day. */
export const accommodationMachine = defineMachine<AccommodationState, AccommodationEvent>({
  name: 'accommodation',
  initial: 'asked',
  on: {
    asked: { grant: 'granted', refuse: 'refused', withdraw: 'withdrawn' },
    granted: { refuse: 'refused', withdraw: 'withdrawn' },
    refused: { grant: 'granted', ask: 'asked' },
    withdrawn: { ask: 'asked' },
  },
  wire: { asked: 0, granted: 1, refused: 2, withdrawn: 3 },
  label: {
    asked: { zh: '待审核', en: 'Waiting' },
    granted: { zh: '已同意', en: 'Granted' },
    refused: { zh: '未同意', en: 'Refused' },
    withdrawn: { zh: '已撤回', en: 'Withdrawn' },
  },
  tone: { asked: 'waiting', granted: 'passed', refused: 'refused', withdrawn: 'closed' },
})
/** The state behind a number of the wire. */
export const stateOfAccommodation = (wire: number): AccommodationState | undefined => stateOfWire(accommodationMachine, wire)

/** What can be asked for. */
export const accommodationKinds = {
  room: { zh: '无障碍考场', en: 'A room without steps' },
  time: { zh: '延长考试时间', en: 'Extra time' },
  print: { zh: '大字试卷', en: 'Large print' },
  helper: { zh: '陪护或辅助器具', en: 'A helper or aids' },
} as const
export type AccommodationKind = keyof typeof accommodationKinds
