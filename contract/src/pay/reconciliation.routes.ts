import { Type } from 'typebox'
import { rowSchema } from '../kernel/crud-routes.ts'
import { defineRoute, type Route } from '../kernel/route.ts'
import { day, id, idPattern, ids, int, named, optional, strict, text } from '../kernel/schema.ts'
import { payChannel } from './channel.ts'
import { payDifference, reconciliation } from './reconciliation.resource.ts'

const channel = () => named({ zh: '渠道', en: 'Channel' }, payChannel())

/** The id of a day as the list has it: below zero for one whose bill nobody has read, which is no row yet. */
const dayId = () => Type.String({ pattern: `^-?${idPattern}$` })

/** A day with its differences, the open ones first; the first thousand of them. */
export const reconciliationDetail = defineRoute({
  method: 'GET',
  path: '/blade-reconciliation/reconciliation/detail',
  access: { staff: 'reconciliation_view' },
  input: strict({ id: dayId() }),
  output: Type.Object({
    day: rowSchema(reconciliation),
    differences: Type.Array(rowSchema(payDifference, payDifference.derived)),
  }),
  tx: 'read',
})

/** With a day it is read and compared again, with a difference this is settled. */
export const submitReconciliation = defineRoute({
  method: 'POST',
  path: '/blade-reconciliation/reconciliation/submit',
  access: { staff: 'reconciliation_handle' },
  input: strict({
    billDate: optional(day({ 'x-label': { zh: '账单日期', en: 'Day' } })),
    channel: optional(channel()),
    /** A difference. */
    id: optional(id()),
    /** What was done about it; a day only closes when each is dealt with. */
    handleWay: optional(
      named(
        { zh: '处理方式', en: 'How it was settled' },
        Type.Union([Type.Literal('corrected'), Type.Literal('accepted'), Type.Literal('returned')]),
      ),
    ),
    handleRemark: optional(text(200, { 'x-label': { zh: '处理说明', en: 'What was done' } })),
    /** 0 opens a difference again that a person has settled. */
    handle: optional(named({ zh: '处理状态', en: 'Settled' }, int(0, 1))),
  }),
  output: Type.Object({
    /** Of the day. */
    id: Type.String(),
    state: Type.Integer(),
    diffCount: Type.Integer(),
    openCount: Type.Integer(),
  }),
  tx: 'own',
  means: 'Reads and compares the bill of a day again, or settles one difference of it',
})

/** Days are evidence: none is removed (2001). */
export const removeReconciliation = defineRoute({
  method: 'POST',
  path: '/blade-reconciliation/reconciliation/remove',
  access: { staff: 'reconciliation_handle' },
  input: strict({ ids: ids() }),
  several: { because: 'it declines them all' },
  output: Type.Null(),
  tx: 'own',
})

const sums = {
  days: Type.Integer(),
  openDays: Type.Integer(),
  ourCount: Type.Integer(),
  ourAmount: Type.Integer(),
  billCount: Type.Integer(),
  billAmount: Type.Integer(),
  ourRefund: Type.Integer(),
  billRefund: Type.Integer(),
  fundFee: Type.Integer(),
  diffCount: Type.Integer(),
  openCount: Type.Integer(),
} as const

/** What the days of a month come to, by provider. */
export const reconciliationMonth = defineRoute({
  method: 'GET',
  path: '/blade-reconciliation/reconciliation/month',
  access: { staff: 'reconciliation_view' },
  input: strict({ month: text(7, { pattern: '^\\d{4}-(0[1-9]|1[0-2])$', 'x-label': { zh: '月份', en: 'Month' } }) }),
  output: Type.Object({
    month: Type.String(),
    /** Days of the month that are over and of which no bill was read, though there were payments. */
    missing: Type.Array(Type.String()),
    /** The same by provider. */
    unread: Type.Array(Type.Object({ billDate: Type.String(), channel: channel() })),
    channels: Type.Array(Type.Object({ channel: channel(), mchid: Type.String(), ...sums })),
  }),
  tx: 'read',
  means: 'The statement of a month: the sum of its days',
})

/** Compares every due with its lines in the ledger now, as each night. */
export const checkLedgerNow = defineRoute({
  method: 'POST',
  path: '/blade-reconciliation/reconciliation/checkLedger',
  access: { staff: 'reconciliation_handle' },
  input: strict({}),
  output: Type.Object({
    /** Dues that were compared. */
    dues: Type.Integer(),
    /** What does not agree, each in a sentence; the first hundred. */
    broken: Type.Array(Type.String()),
  }),
  means: 'Compares what each due counts as paid and given back with the sums of its lines in the ledger',
})

export const reconciliationRoutes = [
  checkLedgerNow,
  reconciliationDetail,
  submitReconciliation,
  removeReconciliation,
  reconciliationMonth,
] as const satisfies readonly Route[]
