import type { PaperTicketState } from '../exam/exam.state.ts'
import { defineMachine } from '../kernel/machine.ts'

export type TicketState = 'made' | 'released' | 'downloaded' | 'void'
export type TicketEvent = 'release' | 'withdraw' | 'download' | 'void'

/** The ticket of one person for one paper (domain 4.6). A downloaded ticket is never withdrawn: the paper exists, so it becomes void. */
export const ticketMachine = defineMachine<TicketState, TicketEvent>({
  name: 'ticket',
  initial: 'made',
  on: {
    made: { release: 'released', void: 'void' },
    released: { withdraw: 'made', download: 'downloaded', void: 'void' },
    downloaded: { void: 'void' },
    void: {},
  },
  wire: { made: 0, released: 1, downloaded: 2, void: 3 },
  label: {
    made: { zh: '已生成', en: 'Made' },
    released: { zh: '已发布', en: 'Released' },
    downloaded: { zh: '已下载', en: 'Downloaded' },
    void: { zh: '作废', en: 'Void' },
  },
  tone: { made: 'waiting', released: 'passed', downloaded: 'passed', void: 'closed' },
})

export type SeatingEvent = 'allocate' | 'clear' | 'release' | 'withdraw' | 'end'

/** The seating of one paper (domain 3.2 `ticketState`). */
export const seatingMachine = defineMachine<PaperTicketState, SeatingEvent>({
  name: 'seating',
  initial: 'none',
  on: {
    none: { allocate: 'made' },
    made: { clear: 'none', release: 'released' },
    released: { withdraw: 'made', end: 'ended' },
    ended: {},
  },
  wire: { none: 0, made: 1, released: 2, ended: 3 },
  label: {
    none: { zh: '未编排', en: 'Not allocated' },
    made: { zh: '已编排', en: 'Allocated' },
    released: { zh: '已发布', en: 'Released' },
    ended: { zh: '已结束', en: 'Ended' },
  },
  tone: { none: 'draft', made: 'waiting', released: 'passed', ended: 'closed' },
})
