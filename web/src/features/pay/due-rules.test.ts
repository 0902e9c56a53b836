import { expect, it } from 'vitest'
import type { Row } from '#web/resource/fields.ts'
import { cameByHand, refundableFen, worksOf } from './due-rules.ts'

const paid: Row = { id: '1', state: 2, payWay: 1, amount: 10_000, paidAmount: 10_000, refundAmount: 0, leftAmount: 10_000, isInvoice: 0 }

it('[S7.41] a refund that was asked for waits for the second person on a due that is still paid', () => {
  expect(worksOf(paid)).toEqual(['refund', 'invoice', 'reveal'])
  const partly = { ...paid, askedAmount: 4_000, leftAmount: 6_000 }
  expect([worksOf(partly), refundableFen(partly)]).toEqual([['approve', 'refund', 'invoice', 'reveal'], 6_000])
  expect(worksOf({ ...paid, askedAmount: 10_000, leftAmount: 0 })).toEqual(['approve', 'invoice', 'reveal'])
})

it('[S7.41] a refund under way asks nobody; one that failed at the bank is settled by a transfer', () => {
  const under = { ...paid, state: 3 }
  expect(worksOf(under)).toEqual(['reveal'])
  expect(worksOf({ ...under, failedAmount: 10_000 })).toEqual(['settle', 'reveal'])
})

it('what was paid by hand goes back too, by hand', () => {
  expect(worksOf({ ...paid, payWay: 2, isInvoice: 1 })).toEqual(['refund', 'undo', 'reveal'])
  expect([1, 2, 3, 4, null].map(payWay => cameByHand({ ...paid, payWay }))).toEqual([false, true, true, true, false])
})

it('a posting that waits is confirmed, not entered', () => {
  expect(worksOf({ ...paid, state: 1, paidAmount: 0, payWay: null, postedAmount: 150_000 })).toEqual(['confirm', 'qr', 'reveal', 'void'])
})

it('what is owed is paid by hand or by code, or voided', () => {
  const owed = { ...paid, paidAmount: 0, payWay: null }
  expect([1, 5, 0, 6].map(state => worksOf({ ...owed, state }))).toEqual([
    ['handUp', 'qr', 'reveal', 'void'],
    ['handUp', 'reveal', 'void'],
    ['reveal', 'void'],
    ['reveal'],
  ])
})
