import { describe, expect, test } from 'vitest'
import {
  decideHandRefund,
  decideRefundApproval,
  decideRefundOutcome,
  decideRefundRequest,
  earliestSubmission,
  handOrder,
  type OrderOfRefund,
  type RefundOfOrder,
  type RefundRequest,
  type RefundResult,
} from './refund.ts'

const paidAt = new Date('2026-03-17T10:00:00+08:00')
const payEnd = new Date('2026-03-22T17:00:00+08:00')
const now = new Date('2026-03-20T10:00:00+08:00')
const order: OrderOfRefund = { state: 'paid', amountFen: 10000, isPosted: true, successTime: paidAt }
const suspendedOrder: OrderOfRefund = { ...order, state: 'abnormal', isPosted: false }
const due = { state: 'paid', paidFen: 10000, refundedFen: 0 } as const
const done = (amountFen: number): RefundOfOrder => ({ amountFen, state: 'succeeded' })

describe('a request', () => {
  const decide = (request: Partial<RefundRequest>, more: Partial<Parameters<typeof decideRefundRequest>[0]> = {}) =>
    decideRefundRequest({
      request: { by: 'staff', reason: 'mistake', ...request },
      order,
      refunds: [],
      givesOwnWish: false,
      payEnd,
      now,
      ...more,
    })

  test('asks for all that is left when it names no amount', () => {
    expect(decide({}, { refunds: [done(3000), { amountFen: 500, state: 'rejected' }, { amountFen: 700, state: 'closed' }] })).toEqual({
      ok: true,
      refund: { sequence: 4, amountFen: 7000, reason: 'mistake', isApprovedByRule: false },
    })
  })
  test.each([7001, 0, -1, 0.5, Number.NaN])('of %d fen beside 3000 already asked for is refused', amountFen => {
    expect(decide({ amountFen }, { refunds: [{ amountFen: 3000, state: 'requested' }] })).toEqual({
      ok: false,
      problem: 'exceedsRefundable',
    })
  })
  test('has one year and fifty tries', () => {
    expect(decide({}, { now: new Date(paidAt.getTime() + 365 * 86_400_000) }).ok).toBe(true)
    expect(decide({}, { now: new Date(paidAt.getTime() + 365 * 86_400_000 + 1) })).toEqual({ ok: false, problem: 'tooOld' })
    expect(decide({}, { refunds: Array.from({ length: 50 }, () => done(1)) })).toEqual({ ok: false, problem: 'tooMany' })
  })
  test.each(['created', 'pending', 'closed', 'refunded'] as const)('on an order %s finds no money', state => {
    expect(decide({}, { order: { ...order, state } })).toEqual({ ok: false, problem: 'notRefundable' })
  })
  test('on the candidate’s own wish needs the examination’s policy and the pay window', () => {
    const wish = { by: 'candidate', reason: 'other' } as const
    expect(decide(wish)).toEqual({ ok: false, problem: 'notAllowed' })
    expect(decide(wish, { givesOwnWish: true }).ok).toBe(true)
    expect(decide(wish, { givesOwnWish: true, now: payEnd })).toEqual({ ok: false, problem: 'notAllowed' })
    expect(decide({ by: 'candidate', reason: 'postCancelled' }).ok).toBe(true)
  })
  test.each([1, 4_000, 9_999])(
    'on the candidate’s own wish is for the whole, not for %d fen of it: a due of which anything is left counts as paid',
    amountFen => {
      const wish = { by: 'candidate', reason: 'other', amountFen } as const
      expect(decide(wish, { givesOwnWish: true })).toEqual({ ok: false, problem: 'wholeOnly' })
      expect(decide({ ...wish, amountFen: 7_000 }, { givesOwnWish: true, refunds: [done(3_000)] }).ok).toBe(true)
      expect(decide({ ...wish, by: 'staff' }).ok).toBe(true)
    },
  )
  test('is approved by rule only when a rule has made it', () => {
    const approved = (by: RefundRequest['by']) => {
      const decision = decide({ by, reason: 'duplicate' })
      return decision.ok && decision.refund.isApprovedByRule
    }
    expect([approved('rule'), approved('staff'), approved('candidate')]).toEqual([true, false, false])
  })
})

describe('an approval', () => {
  const refund = { state: 'requested', amountFen: 10000, applicantId: '7', isApprovedByRule: false } as const
  const decide = (more: Partial<Parameters<typeof decideRefundApproval>[0]> = {}) =>
    decideRefundApproval({
      verdict: 'approve',
      refund,
      approverId: '8',
      order,
      due,
      refunds: [{ amountFen: 10000, state: 'requested' }],
      invoice: 'none',
      now,
      ...more,
    })

  test('of the whole takes order and due to refunding', () => {
    expect(decide()).toEqual({
      ok: true,
      refund: { to: 'submitted' },
      order: { to: 'refunding' },
      due: { to: 'refunding' },
      payState: 'refunding',
      submitAt: now,
    })
  })
  test('of a part leaves the due paid', () => {
    const part = { refund: { ...refund, amountFen: 4000 }, refunds: [{ amountFen: 4000, state: 'requested' }] } as const
    expect(decide(part)).toEqual({ ok: true, refund: { to: 'submitted' }, order: { to: 'refunding' }, submitAt: now })
  })
  test('of money in suspense leaves the due alone, and needs no person when a rule asked', () => {
    const facts = {
      verdict: 'approve',
      refund: { ...refund, isApprovedByRule: true },
      order: suspendedOrder,
      due,
      refunds: [{ amountFen: 10000, state: 'requested' }],
      invoice: 'issued',
      now,
    } as const
    expect(decideRefundApproval(facts)).toEqual({ ok: true, refund: { to: 'submitted' }, order: { to: 'refunding' }, submitAt: now })
  })
  test('needs another person than the applicant', () => {
    expect(decide({ approverId: '7' })).toEqual({ ok: false, problem: 'approverIsApplicant' })
    expect(decide({ approverId: '7', verdict: 'reject' })).toEqual({ ok: false, problem: 'approverIsApplicant' })
  })
  test('waits for the reversal of an issued receipt', () => {
    expect(decide({ invoice: 'issued' })).toEqual({ ok: false, problem: 'invoiceIssued' })
    expect(decide({ invoice: 'reversed' }).ok).toBe(true)
  })
  test('comes too late for a refund that is decided', () => {
    expect(decide({ refund: { ...refund, state: 'submitted' } })).toEqual({ ok: false, problem: 'changedMeanwhile' })
    expect(decide({ refund: { ...refund, state: 'rejected' } })).toEqual({ ok: false, problem: 'changedMeanwhile' })
  })
  test('rejected changes the refund only', () => expect(decide({ verdict: 'reject' })).toEqual({ ok: true, refund: { to: 'rejected' } }))
  test('is submitted a minute after the one before', () => {
    const last = new Date(now.getTime() - 20_000)
    expect(earliestSubmission([{ amountFen: 1, state: 'submitted', submittedAt: last }], now)).toEqual(new Date(now.getTime() + 40_000))
    expect(earliestSubmission([], now)).toEqual(now)
  })
})

describe('a result of the provider', () => {
  const submitted = { state: 'submitted', amountFen: 10000 } as const
  const refunding = { ...order, state: 'refunding' } as const
  const decide = (status: RefundResult['status'], more: Partial<Parameters<typeof decideRefundOutcome>[0]> = {}) =>
    decideRefundOutcome({
      result: { status, refundFen: more.refund?.amountFen ?? 10000 },
      refund: submitted,
      order: refunding,
      due: { state: 'refunding', paidFen: 10000, refundedFen: 0 },
      others: [],
      ...more,
    })

  test('SUCCESS gives the money back and says so', () => {
    expect(decide('SUCCESS')).toEqual({
      kind: 'succeeded',
      refund: { to: 'succeeded' },
      order: { to: 'refunded' },
      due: { to: 'refunded', refundedFen: 10000 },
      payState: 'refunded',
      ledger: { kind: 'refund', amountFen: -10000 },
      notify: 'refundDone',
    })
  })
  test('SUCCESS of a part keeps the due paid', () => {
    expect(decide('SUCCESS', { refund: { ...submitted, amountFen: 4000 }, due })).toEqual({
      kind: 'succeeded',
      refund: { to: 'succeeded' },
      order: { to: 'partlyRefunded' },
      due: { to: 'paid', refundedFen: 4000 },
      ledger: { kind: 'refund', amountFen: -4000 },
      notify: 'refundDone',
    })
  })
  test('SUCCESS of the last part ends order and due', () => {
    const more = {
      refund: { ...submitted, amountFen: 6000 },
      due: { state: 'refunding', paidFen: 10000, refundedFen: 4000 },
      others: [done(4000)],
    } as const
    expect(decide('SUCCESS', more)).toMatchObject({ order: { to: 'refunded' }, due: { to: 'refunded', refundedFen: 10000 } })
  })
  test('SUCCESS of money in suspense leaves the due alone', () => {
    expect(decide('SUCCESS', { order: { ...suspendedOrder, state: 'refunding' }, due })).toEqual({
      kind: 'succeeded',
      refund: { to: 'succeeded' },
      order: { to: 'refunded' },
      ledger: { kind: 'suspenseRefund', amountFen: -10000 },
      notify: 'refundDone',
    })
  })
  test('ABNORMAL makes a task for finance, who then settle it by hand', () => {
    expect(decide('ABNORMAL')).toEqual({ kind: 'abnormal', refund: { to: 'abnormal' }, alarm: 'refundAbnormal', notify: 'refundDelayed' })
    expect(decide('byHand', { refund: { ...submitted, state: 'abnormal' } })).toMatchObject({
      kind: 'succeeded',
      refund: { to: 'succeeded' },
      ledger: { kind: 'refund', amountFen: -10000 },
    })
    expect(decide('byHand')).toEqual({ kind: 'conflict', alarm: 'refundConflict' })
  })
  test('CLOSED puts order and due back', () => {
    expect(decide('CLOSED')).toEqual({
      kind: 'closed',
      refund: { to: 'closed' },
      order: { to: 'paid' },
      due: { to: 'paid', refundedFen: 0 },
      payState: 'paid',
      alarm: 'refundClosed',
    })
    expect(decide('CLOSED', { others: [done(100)] })).toMatchObject({ order: { to: 'partlyRefunded' } })
    expect(decide('CLOSED', { order: { ...suspendedOrder, state: 'refunding' }, due })).toEqual({
      kind: 'closed',
      refund: { to: 'closed' },
      order: { to: 'abnormal' },
      alarm: 'refundClosed',
    })
  })
  test('again, or while it works on it, changes nothing', () => {
    expect(decide('PROCESSING')).toEqual({ kind: 'none' })
    expect(decide('SUCCESS', { refund: { ...submitted, state: 'succeeded' } })).toEqual({ kind: 'repeat' })
    expect(decide('ABNORMAL', { refund: { ...submitted, state: 'abnormal' } })).toEqual({ kind: 'repeat' })
  })
  test('about another amount, or against a settled refund, raises an alarm only', () => {
    expect(decide('SUCCESS', { result: { status: 'SUCCESS', refundFen: 1 } })).toEqual({
      kind: 'amountMismatch',
      alarm: 'refundAmountMismatch',
    })
    expect(decide('CLOSED', { refund: { ...submitted, state: 'succeeded' } })).toEqual({ kind: 'conflict', alarm: 'refundConflict' })
  })
})

describe('[S7.41] money that came by hand', () => {
  const decide = (more: Partial<Parameters<typeof decideHandRefund>[0]> = {}) =>
    decideHandRefund({
      verdict: 'approve',
      refund: { state: 'requested', amountFen: 4000, applicantId: '1' },
      approverId: '2',
      due,
      invoice: 'none',
      ...more,
    })
  test('goes back in one step when somebody else has transferred it; the due is refunded when nothing is left', () => {
    expect(decide()).toEqual({ ok: true, refund: { to: 'succeeded' }, due: { to: 'paid', refundedFen: 4000 } })
    expect(decide({ due: { ...due, refundedFen: 6000 } })).toEqual({
      ok: true,
      refund: { to: 'succeeded' },
      due: { to: 'refunded', refundedFen: 10000 },
    })
    expect(decide({ verdict: 'reject', due: { ...due, state: 'refunded' } })).toEqual({ ok: true, refund: { to: 'rejected' } })
  })
  test('needs a second person, a reversed receipt, a paid due and money that is left', () => {
    const problems = [
      decide({ approverId: '1' }),
      decide({ approverId: '1', verdict: 'reject' }),
      decide({ invoice: 'issued' }),
      decide({ due: { ...due, state: 'refunded' } }),
      decide({ due: { ...due, refundedFen: 6001 } }),
      decide({ refund: { state: 'rejected', amountFen: 4000, applicantId: '1' } }),
    ].map(decision => (decision.ok ? 'ok' : decision.problem))
    expect(problems).toEqual([
      'approverIsApplicant',
      'approverIsApplicant',
      'invoiceIssued',
      'changedMeanwhile',
      'exceedsRefundable',
      'changedMeanwhile',
    ])
    expect(decide({ invoice: 'reversed' }).ok).toBe(true)
  })
  test('is asked for like any other, of a due that is paid', () => {
    const ask = (state: 'paid' | 'refunded') =>
      decideRefundRequest({
        request: { by: 'staff', reason: 'mistake' },
        order: handOrder({ ...due, state }, now),
        refunds: [],
        givesOwnWish: false,
        payEnd,
        now,
      })
    expect([ask('paid').ok, ask('refunded')]).toEqual([true, { ok: false, problem: 'notRefundable' }])
  })
})
