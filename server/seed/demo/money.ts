import type { Label } from '#contract/kernel/label.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { formatFen } from '#contract/pay/fee.ts'
import type { DueState, OrderState, PayState } from '#contract/pay/order.state.ts'
import { makeOrderNo, makeRefundNo } from '#contract/pay/order-no.ts'
import { randomDigits, randomInt, randomText } from '#kernel/random.ts'
import { mirrorOf } from '#modules/pay/domain/payable.ts'
import { payTexts } from '#modules/pay/templates/notices.ts'
import { addPurseRows, type Due, type EmulatorFacts, expiryOf, type Order, type Refund } from './money-rows.ts'
import { type Owner, type Stage, staff, tellAudit, tellNotice, tellSms, theSystem } from './stage.ts'

/** The due of one sign-up with its order and refund, told step by step. */
export interface Purse {
  /** The due arises. */
  open(at: Date): void
  /** A code was shown and nobody scanned it. */
  abandonOrder(at: Date): void
  payByCode(at: Date): void
  payByTransfer(at: Date): void
  /** The due had an end of its own, which has passed. */
  lapse(at: Date): void
  void(at: Date, reason: string): void
  askRefund(at: Date): void
  approveRefund(at: Date): void
  finishRefund(at: Date): void
  readonly payState: () => PayState
  /** Adds the rows as they stand at the end. */
  close(): void
}

const payPage = '/signup/examPay'
const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789'
const minutes = (at: Date, count: number): Date => new Date(at.getTime() + count * 60_000)
export const createPurse = (
  stage: Stage,
  signupId: string,
  owner: Owner,
  amountFen: number,
  emulator: EmulatorFacts,
  notifyUrl: (kind: 'notify' | 'refundNotify') => string,
): Purse => {
  const { book, nextId, exam, cast } = stage
  const payer = { kind: 'candidate', id: owner.userId } as const
  const [clerk, second] = [cast.finance[0], cast.finance[1] ?? cast.examAdmins[0]]
  if (!clerk || !second) throw new Error('money needs two people of the staff')
  const due: Due = {
    id: '',
    state: 'due',
    deadline: exam.payEnd,
    paidFen: 0,
    refundedFen: 0,
    paidTime: null,
    payWay: null,
    voucherNo: null,
    source: 1,
    remark: null,
    createdAt: exam.payEnd,
    updatedAt: exam.payEnd,
    version: 0,
  }
  const orders: Order[] = []
  let winner: Order | undefined
  let refund: Refund | undefined

  const tell = (at: Date, text: { readonly title: Label; readonly content: Label }, eventKey: string): void =>
    tellNotice(
      stage,
      at,
      { userId: owner.userId, examId: exam.id, keepsUnread: owner.isDemo },
      { ...text, kind: 2, link: payPage, eventKey },
    )
  const move = (at: Date, to: DueState): void => {
    due.state = to
    due.updatedAt = at
    due.version += 1
  }
  const moveOrder = (order: Order, at: Date, to: OrderState): void => {
    order.state = to
    order.updatedAt = at
    order.version += 1
  }
  const addOrder = (at: Date): Order => {
    const order: Order = {
      id: nextId(),
      orderNo: makeOrderNo({ kind: 'E', at, examNo: exam.examNo, randomBelow: bound => randomInt(0, bound) }),
      codeUrl: `weixin://wxpay/bizpayurl?pr=${randomText(9, letters)}`,
      createdAt: at,
      state: 'pending',
      transactionId: null,
      openid: null,
      paidAt: null,
      updatedAt: at,
      version: 1,
    }
    orders.push(order)
    tellAudit(stage, at, payer, {
      action: 'payorder.created',
      entity: 'payorder',
      entityId: order.id,
      after: { orderNo: order.orderNo, amountFen, payId: due.id },
    })
    return order
  }

  return {
    open: at => {
      Object.assign(due, { id: nextId(), createdAt: at, updatedAt: at })
      tellAudit(stage, at, theSystem, {
        action: 'exampay.added',
        entity: 'exampay',
        entityId: due.id,
        after: { amountFen, payName: '报名费' },
      })
      const until = toWireTime(due.deadline).slice(0, 16)
      tell(at, payTexts.due(exam.name, amountFen, until), `due:${due.id}:${until}`)
      tellSms(stage, at, { userId: owner.userId, phone: owner.person.phone }, 'signup-passed', {
        exam: exam.name,
        deadline: until,
        amount: formatFen(amountFen),
      })
    },
    abandonOrder: at => {
      const order = addOrder(at)
      moveOrder(order, minutes(expiryOf(stage, order), 1), 'closed')
    },
    payByCode: at => {
      const order = addOrder(new Date(at.getTime() - 70_000))
      winner = order
      Object.assign(order, { transactionId: `4200${randomDigits(24)}`, openid: `o${randomText(27, letters)}`, paidAt: at })
      moveOrder(order, at, 'paid')
      Object.assign(due, { paidFen: amountFen, paidTime: at, payWay: 'wechat' })
      book.add('pay_ledger', {
        id: nextId(),
        pay_id: due.id,
        order_id: order.id,
        refund_id: null,
        kind: 'pay',
        amount_fen: amountFen,
        evidence: order.transactionId,
        created_by: '0',
        created_at: at,
      })
      tell(at, payTexts.payReceived(exam.name, amountFen), `payReceived:${order.id}`)
      tellAudit(stage, at, theSystem, {
        action: 'payorder.posted',
        entity: 'payorder',
        entityId: order.id,
        before: { state: 'pending', dueState: due.state },
        after: { state: 'paid', dueState: 'paid', amountFen },
      })
      move(at, 'paid')
    },
    payByTransfer: at => {
      const voucherNo = `YH${randomDigits(12)}`
      tellAudit(stage, at, staff(clerk), {
        action: 'exampay.posted',
        entity: 'exampay',
        entityId: due.id,
        before: { state: due.state },
        after: { state: 'paid', amountFen, payWay: 'bankTransfer', voucherNo, postedBy: clerk.id },
      })
      Object.assign(due, { paidFen: amountFen, paidTime: minutes(at, -90), payWay: 'bankTransfer', voucherNo })
      book.add('pay_ledger', {
        id: nextId(),
        pay_id: due.id,
        order_id: null,
        refund_id: null,
        kind: 'pay',
        amount_fen: amountFen,
        evidence: `bankTransfer:${voucherNo}`,
        created_by: clerk.id,
        created_at: at,
      })
      tell(at, payTexts.payReceived(exam.name, amountFen), `payReceived:manual:${due.id}`)
      move(at, 'paid')
    },
    lapse: at => {
      Object.assign(due, { deadline: at, source: 3, remark: '限期缴费' })
      move(at, 'overdue')
      tellAudit(stage, at, theSystem, {
        action: 'exampay.lapsed',
        entity: 'exampay',
        entityId: due.id,
        before: { state: 'due' },
        after: { state: 'overdue' },
      })
    },
    void: (at, reason) => {
      due.remark = reason
      move(at, 'void')
      tellAudit(stage, at, theSystem, { action: 'exampay.voided', entity: 'exampay', entityId: due.id, after: { state: 'void' }, reason })
    },
    askRefund: at => {
      if (!winner) throw new Error('a refund needs an order')
      refund = {
        id: nextId(),
        refundNo: makeRefundNo(winner.orderNo, 1),
        createdAt: at,
        state: 'requested',
        approvedAt: null,
        providerId: null,
        successAt: null,
        updatedAt: at,
        version: 0,
      }
      tellAudit(stage, at, payer, {
        action: 'refund.requested',
        entity: 'refund',
        entityId: refund.id,
        after: { refundNo: refund.refundNo, amountFen, reason: 'other', by: 'candidate' },
      })
      tell(at, payTexts.refundRequested(exam.name, amountFen, true), `refundRequested:${refund.id}`)
    },
    approveRefund: at => {
      if (!winner || !refund) throw new Error('nobody asked for the refund')
      Object.assign(refund, { state: 'submitted', approvedAt: at, providerId: `503${randomDigits(25)}`, updatedAt: at, version: 1 })
      moveOrder(winner, at, 'refunding')
      move(at, 'refunding')
      tellAudit(stage, at, staff(second), {
        action: 'refund.approved',
        entity: 'refund',
        entityId: refund.id,
        before: { state: 'requested' },
        after: { state: 'submitted', amountFen },
      })
    },
    finishRefund: at => {
      if (!winner || !refund) throw new Error('nobody asked for the refund')
      Object.assign(refund, { state: 'succeeded', successAt: at, updatedAt: at, version: 2 })
      moveOrder(winner, at, 'refunded')
      due.refundedFen = amountFen
      move(at, 'refunded')
      book.add('pay_ledger', {
        id: nextId(),
        pay_id: due.id,
        order_id: winner.id,
        refund_id: refund.id,
        kind: 'refund',
        amount_fen: -amountFen,
        evidence: refund.refundNo,
        created_by: '0',
        created_at: at,
      })
      tell(at, payTexts.refundDone(exam.name, amountFen), `refundDone:${refund.id}`)
      tellSms(stage, at, { userId: owner.userId, phone: owner.person.phone }, 'refund-done', { amount: formatFen(amountFen) })
      tellAudit(stage, at, theSystem, {
        action: 'refund.succeeded',
        entity: 'refund',
        entityId: refund.id,
        before: { state: 'submitted' },
        after: { state: 'succeeded', amountFen },
      })
    },
    payState: () => (due.id === '' ? 'none' : mirrorOf([due.state])),
    close: () => {
      if (due.id !== '')
        addPurseRows(
          stage,
          { signupId, userId: owner.userId, amountFen, clerkId: clerk.id, approverId: second.id },
          { due, orders, winner, refund },
          emulator,
          notifyUrl,
        )
    },
  }
}
