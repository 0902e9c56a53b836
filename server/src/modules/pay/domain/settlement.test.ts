import { describe, expect, test } from 'vitest'
import { decideLateAcceptance, decideSettlement, type SettlementRows, type VerifiedPayment } from './settlement.ts'

const PAY_END = new Date('2026-03-22T17:00:00+08:00')
const payment: VerifiedPayment = {
  orderNo: 'E26031710000003A1B2C3D4E5',
  transactionId: '4200001',
  successTime: new Date('2026-03-22T16:29:50+08:00'),
  amountFen: 10000,
  currency: 'CNY',
  mchid: '1600000001',
  isRefunded: false,
  appid: 'wx1',
}
type Change = { readonly order?: Partial<SettlementRows['order']>; readonly due?: Partial<SettlementRows['due']> } & Partial<
  Omit<SettlementRows, 'order' | 'due'>
>
const rows = ({ order, due, ...more }: Change = {}): SettlementRows => ({
  order: { state: 'pending', amountFen: 10000, mchid: '1600000001', appid: 'wx1', ...order },
  due: { state: 'due', deadline: PAY_END, ...due },
  signup: 'live',
  autoRefund: { duplicate: true, late: true },
  ...more,
})
const after = new Date(PAY_END.getTime() + 1000)
const posted = {
  due: { to: 'paid', paidFen: 10000 },
  payState: 'paid',
  ledger: { kind: 'pay', amountFen: 10000 },
  notify: 'payReceived',
}
const suspense = { kind: 'suspense', amountFen: 10000 }

describe('every row of domain 8.4', () => {
  test('normal: order pending, due open', () => {
    expect(decideSettlement(payment, rows())).toEqual({ kind: 'posted', order: { to: 'paid' }, ...posted })
  })
  test('normal too when our own order call got no answer', () => {
    expect(decideSettlement(payment, rows({ order: { state: 'created' } }))).toEqual({ kind: 'posted', order: { to: 'paid' }, ...posted })
  })
  test.each(['paid', 'refunding', 'refunded', 'partlyRefunded', 'abnormal'] as const)('the same notice again, order %s: no-op', state => {
    expect(decideSettlement(payment, rows({ order: { state, transactionId: '4200001' }, due: { state: 'paid' } }))).toEqual({
      kind: 'repeat',
    })
  })
  test.each(['due', 'overdue'] as const)('order closed, due %s, paid in time: accepted', state => {
    expect(decideSettlement(payment, rows({ order: { state: 'closed' }, due: { state } }))).toEqual({
      kind: 'postedAfterClose',
      order: { to: 'paid', exception: 'paidAfterClose' },
      ...posted,
    })
  })
  test('the last second of the window is in time', () => {
    expect(decideSettlement({ ...payment, successTime: PAY_END }, rows({ order: { state: 'closed' } })).kind).toBe('postedAfterClose')
  })
  test('a late appeal has its own deadline', () => {
    const change = { order: { state: 'closed' }, due: { deadline: new Date('2026-03-23T12:00:00+08:00') } } as const
    expect(decideSettlement({ ...payment, successTime: after }, rows(change)).kind).toBe('postedAfterClose')
  })
  test.each([
    ['closed', 'due'],
    ['closed', 'overdue'],
    ['pending', 'overdue'],
  ] as const)('order %s, due %s, paid after the end: refunded by itself', (order, due) => {
    expect(decideSettlement({ ...payment, successTime: after }, rows({ order: { state: order }, due: { state: due } }))).toEqual({
      kind: 'late',
      order: { to: 'abnormal', exception: 'paidAfterClose' },
      ledger: suspense,
      refund: { reason: 'late', amountFen: 10000 },
      notify: 'payLateRefund',
    })
  })
  test('order pending, due lapsed, paid in time: accepted', () => {
    expect(decideSettlement(payment, rows({ due: { state: 'overdue' } }))).toEqual({ kind: 'posted', order: { to: 'paid' }, ...posted })
  })
  test.each(['paid', 'refunding', 'refunded'] as const)(
    'due already %s by another order or by hand: the later payment goes back',
    state => {
      expect(decideSettlement(payment, rows({ due: { state } }))).toEqual({
        kind: 'duplicate',
        order: { to: 'abnormal', exception: 'duplicate' },
        ledger: suspense,
        refund: { reason: 'duplicate', amountFen: 10000 },
        notify: 'payDuplicateRefund',
      })
    },
  )
  test.each([
    ['due void', { due: { state: 'void' } }],
    ['due exempt', { due: { state: 'exempt' } }],
    ['sign-up withdrawn', { signup: 'withdrawn' }],
    ['candidate disqualified', { signup: 'disqualified' }],
  ] as const)('%s: refunded by itself', (_, change) => {
    expect(decideSettlement(payment, rows(change))).toEqual({
      kind: 'notOwed',
      order: { to: 'abnormal', exception: 'paidAfterClose' },
      ledger: suspense,
      refund: { reason: 'other', amountFen: 10000 },
      notify: 'payNotOwedRefund',
    })
  })
  test.each(['pending', 'closed'] as const)('another amount on an order %s: nothing posted, nothing refunded, alarm', state => {
    expect(decideSettlement({ ...payment, amountFen: 1000 }, rows({ order: { state } }))).toEqual({
      kind: 'amountMismatch',
      order: { to: 'abnormal', exception: 'amountMismatch' },
      ledger: { kind: 'suspense', amountFen: 1000 },
      alarm: 'amountMismatch',
    })
  })
  test('another currency counts as another amount, and cannot be added up', () => {
    expect(decideSettlement({ ...payment, currency: 'USD' }, rows())).toEqual({
      kind: 'amountMismatch',
      order: { to: 'abnormal', exception: 'amountMismatch' },
      alarm: 'amountMismatch',
    })
  })
  test.each([{ mchid: '1600000002' }, { appid: 'wx2' }])('another account (%j): nothing posted, alarm', change => {
    expect(decideSettlement({ ...payment, ...change }, rows({ due: { state: 'paid' } }))).toEqual({
      kind: 'merchantMismatch',
      order: { to: 'abnormal', exception: 'merchantMismatch' },
      alarm: 'merchantMismatch',
    })
  })
  test.each(['due', 'overdue', 'paid', 'void'] as const)(
    '[21.6] given back before we knew of it, with a due that is %s: never a payment',
    state => {
      const base = rows()
      expect(decideSettlement({ ...payment, isRefunded: true }, { ...base, due: { ...base.due, state } })).toEqual({
        kind: 'refundedOutside',
        order: { to: 'abnormal', exception: 'refundedOutside' },
        ledger: { kind: 'suspense', amountFen: payment.amountFen },
        alarm: 'refundedOutside',
        notify: 'payRefundedOutside',
      })
    },
  )
  test('unknown order: alarm, reconciliation will show it', () => {
    expect(decideSettlement(payment, undefined)).toEqual({ kind: 'unknownOrder', alarm: 'unknownOrder' })
  })
})

test('a second transaction on a paid order touches neither order nor due', () => {
  expect(decideSettlement(payment, rows({ order: { state: 'paid', transactionId: '4200999' }, due: { state: 'paid' } }))).toEqual({
    kind: 'conflict',
    alarm: 'conflict',
    ledger: suspense,
  })
})

test('with automatic refunds switched off the money waits for finance', () => {
  const autoRefund = { duplicate: false, late: false }
  expect(decideSettlement(payment, rows({ due: { state: 'paid' }, autoRefund }))).toEqual({
    kind: 'duplicate',
    order: { to: 'abnormal', exception: 'duplicate' },
    ledger: suspense,
    alarm: 'duplicate',
    notify: 'payUnderReview',
  })
  expect(decideSettlement({ ...payment, successTime: after }, rows({ order: { state: 'closed' }, autoRefund }))).toMatchObject({
    alarm: 'late',
  })
})

test('every state of order and due gives an outcome, and only an open due is ever posted', () => {
  const orders = ['created', 'pending', 'paid', 'closed', 'refunding', 'refunded', 'partlyRefunded', 'abnormal'] as const
  const dues = ['exempt', 'due', 'paid', 'refunding', 'refunded', 'overdue', 'void'] as const
  const pairs = orders.flatMap(order => dues.map(due => ({ order, due })))
  const isPosted = ({ order, due }: (typeof pairs)[number]): boolean =>
    decideSettlement(payment, rows({ order: { state: order }, due: { state: due } })).due !== undefined
  expect(pairs.filter(isPosted).map(({ order, due }) => `${order}/${due}`)).toEqual([
    'created/due',
    'created/overdue',
    'pending/due',
    'pending/overdue',
    'closed/due',
    'closed/overdue',
  ])
})

describe('finance accepts a late payment', () => {
  const facts = {
    order: { state: 'abnormal', exception: 'paidAfterClose', amountFen: 10000, successTime: after },
    due: { state: 'overdue' },
    hasOpenRefund: false,
    isPayOpen: true,
    now: new Date(after.getTime() + 24 * 3_600_000),
  } as const
  test('within 24 hours, moving it out of suspense', () => {
    expect(decideLateAcceptance(facts)).toEqual({
      ok: true,
      order: { to: 'paid' },
      due: { to: 'paid', paidFen: 10000 },
      payState: 'paid',
      ledger: [
        { kind: 'suspenseRelease', amountFen: -10000 },
        { kind: 'pay', amountFen: 10000 },
      ],
    })
  })
  test.each([
    ['tooLate', { now: new Date(facts.now.getTime() + 1) }],
    ['tooLate', { isPayOpen: false }],
    ['refundUnderway', { hasOpenRefund: true }],
    ['notPayable', { due: { state: 'paid' } }],
    ['notSuspended', { order: { ...facts.order, exception: 'duplicate' } }],
  ] as const)('not: %s', (problem, change) => expect(decideLateAcceptance({ ...facts, ...change })).toEqual({ ok: false, problem }))
})
