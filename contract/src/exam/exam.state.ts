import { defineMachine, defineStates, stateOfWire } from '../kernel/machine.ts'

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
  tone: { draft: 'draft', released: 'passed', closed: 'closed', archived: 'closed' },
})

export type PaperTicketState = 'none' | 'made' | 'released' | 'ended'
/** `examitem.ticketState` on the wire (domain 3.2). */
export const paperTicketWire: Readonly<Record<PaperTicketState, number>> = { none: 0, made: 1, released: 2, ended: 3 }

export type PaperScoreState = 'none' | 'imported' | 'released'
/** `examitem.scoreState` on the wire (domain 3.2). */
export const paperScoreStates = defineStates<PaperScoreState>({
  wire: { none: 0, imported: 1, released: 2 },
  label: {
    none: { zh: '未导入', en: 'Not imported' },
    imported: { zh: '已导入', en: 'Imported' },
    released: { zh: '已发布', en: 'Released' },
  },
  tone: { none: 'draft', imported: 'waiting', released: 'passed' },
})
export const paperScoreWire = paperScoreStates.wire

/** A post while its examination runs (domain 3.5 `postState`). */
export type PostState = 'open' | 'reduced' | 'cancelled' | 'receiving' | 'paused'
export const postStates = defineStates<PostState>({
  wire: { open: 0, reduced: 1, cancelled: 2, receiving: 3, paused: 4 },
  label: {
    open: { zh: '正常', en: 'Open' },
    reduced: { zh: '核减', en: 'Reduced' },
    cancelled: { zh: '取消', en: 'Cancelled' },
    receiving: { zh: '转入', en: 'Receiving' },
    paused: { zh: '暂停', en: 'Paused' },
  },
  tone: { open: 'passed', reduced: 'waiting', cancelled: 'refused', receiving: 'active', paused: 'closed' },
})

/** The state of a wire number; undefined for a number that names none. */
export const stateOf = (wire: number): ExamState | undefined => stateOfWire(examMachine, wire)
