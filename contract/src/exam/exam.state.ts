import { defineMachine, stateOfWire } from '../kernel/machine.ts'

export type ExamState = 'draft' | 'released' | 'closed' | 'archived'
export type ExamEvent = 'release' | 'withdraw' | 'close' | 'reopen' | 'archive'

/** An examination (domain 4.1). `withdraw` only while nobody has signed up, `reopen` only by the tenant's administrator. */
export const examMachine = defineMachine<ExamState, ExamEvent>({
  name: 'examination',
  initial: 'draft',
  on: {
    draft: { release: 'released' },
    released: { withdraw: 'draft', close: 'closed' },
    closed: { reopen: 'released', archive: 'archived' },
    archived: {},
  },
  wire: { draft: 0, released: 1, closed: 2, archived: 3 },
  label: {
    draft: { zh: '草稿', en: 'Draft' },
    released: { zh: '已发布', en: 'Released' },
    closed: { zh: '已关闭', en: 'Closed' },
    archived: { zh: '已归档', en: 'Archived' },
  },
})

export type PaperTicketState = 'none' | 'made' | 'released' | 'ended'
/** `examitem.ticketState` on the wire (domain 3.2). */
export const paperTicketWire: Readonly<Record<PaperTicketState, number>> = { none: 0, made: 1, released: 2, ended: 3 }

export type PaperScoreState = 'none' | 'imported' | 'released'
/** `examitem.scoreState` on the wire (domain 3.2). */
export const paperScoreWire: Readonly<Record<PaperScoreState, number>> = { none: 0, imported: 1, released: 2 }

/** The state of a wire number; undefined for a number that names none. */
export const stateOf = (wire: number): ExamState | undefined => stateOfWire(examMachine, wire)
