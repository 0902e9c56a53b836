import { describe, expect, it } from 'vitest'
import type { RefundReason, RefundState } from '#contract/pay/order.state.ts'
import { type CountedRefund, sumUp } from './refund-sum.ts'

const refund = (id: string, amountFen: number, state: RefundState, reason: RefundReason = 'other', isByRule = false): CountedRefund => ({
  ...{ id, amountFen, state, reason },
  isByRule,
})

describe('the sum of a payment', () => {
  it('gives what is let off before what is only asked for, and says what is left of that', () => {
    const asked = refund('1', 8_000, 'requested')
    expect(sumUp({ paidFen: 10_000, waivedFen: 5_000, refunds: [asked] })).toEqual({
      leftFen: 0,
      giveFen: 5_000,
      fitted: [{ id: '1', toFen: 5_000 }],
    })
    expect(sumUp({ paidFen: 10_000, waivedFen: 10_000, refunds: [asked] })).toEqual({
      leftFen: 0,
      giveFen: 10_000,
      fitted: [{ id: '1', toFen: 0 }],
    })
  })
  it('takes nothing from what is decided, and gives the rest once that has failed', () => {
    expect(sumUp({ paidFen: 10_000, waivedFen: 5_000, refunds: [refund('1', 8_000, 'submitted')] })).toEqual({
      leftFen: 0,
      giveFen: 2_000,
      fitted: [],
    })
    const failed = [refund('1', 8_000, 'closed'), refund('2', 2_000, 'succeeded', 'waived', true)]
    expect(sumUp({ paidFen: 10_000, waivedFen: 5_000, refunds: failed })).toEqual({ leftFen: 5_000, giveFen: 3_000, fitted: [] })
  })
  it('counts what the provider has given back by itself', () => {
    const outside = refund('1', 4_000, 'succeeded', 'outside', true)
    expect(sumUp({ paidFen: 10_000, waivedFen: 0, refunds: [outside, refund('2', 10_000, 'requested')] })).toEqual({
      leftFen: 0,
      giveFen: 0,
      fitted: [{ id: '2', toFen: 6_000 }],
    })
  })
})

/** What happens to one request, in its order. */
const stories = {
  'taken back': ['ask', 'close'],
  rejected: ['ask', 'reject'],
  approved: ['ask', 'approve', 'succeed'],
  failed: ['ask', 'approve', 'close'],
} as const
type Step = 'grant' | 'ask' | 'close' | 'reject' | 'approve' | 'succeed'

/** All ways of putting one thing among others that keep their order. */
const placed = <T>(others: readonly T[], one: T): T[][] => others.map((_, at) => others.toSpliced(at, 0, one)).concat([[...others, one]])

const play = (steps: readonly Step[], paidFen: number, percent: number, askedFen: number) => {
  let refunds: CountedRefund[] = []
  let waivedFen = 0
  const settle = (): void => {
    const { giveFen, fitted } = sumUp({ paidFen, waivedFen, refunds })
    refunds = refunds.map(one => {
      const to = fitted.find(({ id }) => id === one.id)?.toFen
      return to === undefined ? one : to === 0 ? { ...one, state: 'closed' as const } : { ...one, amountFen: to }
    })
    if (giveFen > 0) refunds.push(refund(`w${refunds.length}`, giveFen, 'succeeded', 'waived', true))
  }
  const move = (from: RefundState, state: RefundState): void => {
    refunds = refunds.map(one => (one.id === 'asked' && one.state === from ? { ...one, state } : one))
  }
  const run: Readonly<Record<Step, () => void>> = {
    grant: () => {
      waivedFen = (paidFen * percent) / 100
    },
    ask: () => {
      const { leftFen } = sumUp({ paidFen, waivedFen, refunds })
      if (leftFen > 0) refunds.push(refund('asked', Math.min(askedFen, leftFen), 'requested'))
    },
    reject: () => move('requested', 'rejected'),
    approve: () => move('requested', 'submitted'),
    succeed: () => move('submitted', 'succeeded'),
    close: () => {
      move('requested', 'closed')
      move('submitted', 'closed')
    },
  }
  for (const step of steps) {
    run[step]()
    settle()
    const held = refunds.filter(one => one.state !== 'closed' && one.state !== 'rejected')
    expect(held.reduce((sum, one) => sum + one.amountFen, 0)).toBeLessThanOrEqual(paidFen)
  }
  return refunds.filter(one => one.state === 'succeeded').reduce((sum, one) => sum + one.amountFen, 0)
}

describe('grant, ask, take back, reject, approve, fail', () => {
  for (const [name, story] of Object.entries(stories))
    it(`come to the same in every order, and never to more than was paid: ${name}`, () => {
      for (const percent of [10, 50, 80, 100])
        for (const askedFen of [2_000, 6_000, 8_000, 10_000]) {
          const ends = placed<Step>(story, 'grant').map(steps => play(steps, 10_000, percent, askedFen))
          const waived = 100 * percent
          const expected = name === 'approved' ? Math.min(10_000, waived + askedFen) : waived
          expect([percent, askedFen, ...ends]).toEqual([percent, askedFen, ...ends.map(() => expected)])
        }
    })
})
