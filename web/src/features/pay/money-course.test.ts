import { expect, it } from 'vitest'
import { courseOf } from './money-course.ts'

const due = {
  id: '1',
  createTime: '2026-03-16 09:00:00',
  amount: 10_000,
  payName: '报名费',
  paidTime: '2026-03-17 10:00:00',
  paidAmount: 10_000,
}
const order = {
  id: '2',
  orderNo: 'E1',
  createTime: '2026-03-17 09:59:00',
  successTime: '2026-03-17 10:00:00',
  amount: 10_000,
  paidAmount: 10_000,
}
const refund = {
  id: '3',
  state: 2,
  amount: 10_000,
  applyTime: '2026-03-18 08:00:00',
  applyName: '王财务',
  remark: '误缴',
  approveTime: '2026-03-18 09:00:00',
  approveName: '李财务',
  submitTime: '2026-03-18 09:00:00',
  refundNo: 'R1',
  successTime: '2026-03-18 09:05:00',
}
const said = (lines: ReturnType<typeof courseOf>) => lines.map(({ event, time, who }) => `${time.slice(5, 16)} ${event} ${who}`.trim())

it('tells what happened to a due, its orders and its refunds, the newest first and in the order of their steps', () => {
  expect(said(courseOf(due, [order], [refund]))).toEqual([
    '03-18 09:05 returned',
    '03-18 09:00 sent',
    '03-18 09:00 approved 李财务',
    '03-18 08:00 asked 王财务',
    '03-17 10:00 paid',
    '03-17 09:59 ordered',
    '03-16 09:00 made',
  ])
})

it('says a payment by hand once, and a refusal as one', () => {
  const byHand = { ...due, voucherNo: 'V1', enteredName: '韩财务', enteredTime: '2026-03-17 11:00:00' }
  expect(said(courseOf(byHand, [], [{ ...refund, state: 5, submitTime: null, successTime: null }]))).toEqual([
    '03-18 09:00 refused 李财务',
    '03-18 08:00 asked 王财务',
    // As it was entered: what somebody has typed as its time may lie before the due.
    '03-17 11:00 paidByHand 韩财务',
    '03-16 09:00 made',
  ])
})
