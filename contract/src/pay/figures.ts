import type { Label } from '../kernel/label.ts'
import type { DueState } from './order.state.ts'

/**
 * What a sum of money or a number of payers means, once, with its name: lists, dashboard, statistics, reports, workbooks and the home page say the
 * same number for the same name.
 */
export interface DueFigure {
  readonly label: Label
  /** What is summed or counted, as a hint beside the number says it. */
  readonly means: Label
  /** Of dues in these states; in `cameIn` and the like all of them, because money stays where it came to. */
  readonly states: readonly DueState[]
}

const counted = ['due', 'paid', 'refunding', 'refunded', 'overdue'] as const
const all = [...counted, 'exempt', 'void'] as const
export const dueFigures = {
  /** Fen, sum of the amounts. */
  owed: {
    label: { zh: '应缴金额', en: 'Amount due' },
    means: { zh: '不含免缴、作废', en: 'Without exempt and void dues' },
    states: counted,
  },
  open: {
    label: { zh: '待缴金额', en: 'Open amount' },
    means: { zh: '待缴，含逾期', en: 'Not paid yet, overdue too' },
    states: ['due', 'overdue'],
  },
  /** Fen paid and not given back. */
  cameIn: {
    label: { zh: '已收金额', en: 'Received' },
    means: { zh: '已缴，扣除已退', en: 'Paid less refunded' },
    states: all,
  },
  /** Fen paid, whatever went back later. */
  paid: { label: { zh: '已缴金额', en: 'Paid' }, means: { zh: '未扣除已退', en: 'Before refunds' }, states: all },
  refunded: { label: { zh: '已退金额', en: 'Refunded' }, means: { zh: '已退到账', en: 'Given back' }, states: all },
  /** People, not dues. */
  owing: {
    label: { zh: '应缴人数', en: 'People with dues' },
    means: { zh: '有应缴费用的人，不含免缴、作废', en: 'People with a due that is neither exempt nor void' },
    states: counted,
  },
} as const satisfies Readonly<Record<string, DueFigure>>
