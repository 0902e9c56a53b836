import { expect, test } from 'vitest'
import { isOrderNo, isRefundNo, makeOrderNo, makeRefundNo } from './order-no.ts'

test('an order number tells the Shanghai second and the examination', () => {
  let next = 0
  const orderNo = makeOrderNo({ kind: 'E', at: new Date('2026-03-16T23:30:05.999Z'), examNo: 3, randomBelow: () => next++ % 36 })

  expect(orderNo).toBe('E260317073005030123456789')
  expect(isOrderNo(orderNo)).toBe(true)
  expect(isOrderNo(orderNo.toLowerCase())).toBe(false)
})

test('refund numbers count from one and stop at two digits', () => {
  const refundNo = makeRefundNo('E260317073005030123456789', 1)

  expect(refundNo).toBe('RE26031707300503012345678901')
  expect(isRefundNo(refundNo)).toBe(true)
  expect(() => makeRefundNo('E260317073005030123456789', 100)).toThrow(RangeError)
})

test('an examination number outside 1 to 99 is refused', () => {
  expect(() => makeOrderNo({ kind: 'E', at: new Date(0), examNo: 0, randomBelow: () => 0 })).toThrow(RangeError)
})
