import type { Label } from '#contract/kernel/label.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { formatFen, orderDescription } from '#contract/pay/fee.ts'
import type { DueState, OrderState, PayState, RefundState } from '#contract/pay/order.state.ts'
import { makeOrderNo, makeRefundNo } from '#contract/pay/order-no.ts'
import { randomDigits, randomInt, randomText } from '#kernel/random.ts'
import { mirrorOf } from '#modules/pay/domain/payable.ts'
import { payTexts } from '#modules/pay/templates/notices.ts'
import type { EmulatorOrder, EmulatorRefund } from '#server/demo/wxpay-emulator/book.ts'
import { type Owner, type Stage, staff, tellAudit, tellNotice, tellSms, theSystem } from './stage.ts'

interface Order {
  readonly id: string
  readonly orderNo: string
  readonly codeUrl: string
  readonly createdAt: Date
  state: OrderState
  transactionId: string | null
  openid: string | null
  paidAt: Date | null
  updatedAt: Date
  version: number
}
interface Refund {
  readonly id: string
  readonly refundNo: string
  readonly createdAt: Date
  state: RefundState
  approvedAt: Date | null
  providerId: string | null
  successAt: Date | null
  updatedAt: Date
  version: number
}

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

/** What the payment emulator has to know, so that questions and refunds about these orders are answered. */
export interface EmulatorFacts {
  readonly orders: EmulatorOrder[]
  readonly refunds: EmulatorRefund[]
}

const payPage = '/signup/examPay'
const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789'
const minutes = (at: Date, count: number): Date => new Date(at.getTime() + count * 60_000)
/** Refunds to a bank card take some days; until then the emulator says PROCESSING. */
const bankDays = 2

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
  const due = {
    id: '',
    state: 'due' as DueState,
    deadline: exam.payEnd,
    paidFen: 0,
    refundedFen: 0,
    paidTime: null as Date | null,
    payWay: null as 'wechat' | 'bankTransfer' | null,
    voucherNo: null as string | null,
    source: 1,
    remark: null as string | null,
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
  const expiryOf = (order: Order): Date => minutes(order.createdAt, exam.payLimitMinutes)

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
      moveOrder(order, minutes(expiryOf(order), 1), 'closed')
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
      tell(at, payTexts.refundRequested(exam.name, amountFen), `refundRequested:${refund.id}`)
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
      if (due.id === '') return
      book.add('exam_pay', {
        id: due.id,
        exam_id: exam.id,
        signup_id: signupId,
        user_id: owner.userId,
        item_id: '0',
        pay_kind: 1,
        pay_name: '报名费',
        amount_fen: amountFen,
        paid_fen: due.paidFen,
        refunded_fen: due.refundedFen,
        state: due.state,
        deadline: due.deadline,
        paid_time: due.paidTime,
        pay_way: due.payWay,
        order_id: winner?.id ?? null,
        voucher_no: due.voucherNo,
        posted_by: due.voucherNo === null ? null : clerk.id,
        source: due.source,
        remark: due.remark,
        created_by: '0',
        created_at: due.createdAt,
        updated_by: '0',
        updated_at: due.updatedAt,
        version: due.version,
      })
      const description = orderDescription(exam.name, '报名费')
      for (const order of orders) {
        book.add('pay_order', {
          id: order.id,
          order_no: order.orderNo,
          pay_id: due.id,
          user_id: owner.userId,
          amount_fen: amountFen,
          description,
          code_url: order.codeUrl,
          state: order.state,
          expire_time: expiryOf(order),
          transaction_id: order.transactionId,
          payer_sealed:
            order.openid === null
              ? null
              : stage.cipher.seal(stage.tenantId, { table: 'pay_order', column: 'payer_sealed', rowId: order.id }, order.openid),
          trade_type: order.paidAt === null ? null : 'NATIVE',
          trade_state: order.paidAt === null ? null : 'SUCCESS',
          success_time: order.paidAt,
          paid_fen: order.paidAt === null ? null : amountFen,
          notify_count: order.paidAt === null ? 0 : 1,
          closed_at: order.state === 'closed' ? order.updatedAt : null,
          closed_by: order.state === 'closed' ? '0' : null,
          close_reason: order.state === 'closed' ? 'expired' : null,
          ...stage.merchant,
          created_by: owner.userId,
          created_at: order.createdAt,
          updated_by: owner.userId,
          updated_at: order.updatedAt,
          version: order.version,
        })
        emulator.orders.push({
          ...stage.merchant,
          orderNo: order.orderNo,
          description,
          attach: due.id,
          notifyUrl: notifyUrl('notify'),
          totalFen: amountFen,
          createdAt: order.createdAt.toISOString(),
          expiresAt: expiryOf(order).toISOString(),
          codeUrl: order.codeUrl,
          state: order.paidAt === null ? 'CLOSED' : 'SUCCESS',
          ...(order.transactionId === null || order.paidAt === null || order.openid === null
            ? {}
            : { transactionId: order.transactionId, successAt: order.paidAt.toISOString(), openid: order.openid }),
          signWith: 'publicKey',
        })
      }
      if (!refund || !winner) return
      book.add('pay_refund', {
        id: refund.id,
        refund_no: refund.refundNo,
        order_id: winner.id,
        pay_id: due.id,
        user_id: owner.userId,
        amount_fen: amountFen,
        reason: 'other',
        remark: '个人原因放弃考试',
        state: refund.state,
        apply_by: owner.userId,
        approve_by: refund.approvedAt === null ? null : second.id,
        approve_time: refund.approvedAt,
        approved_by_rule: false,
        submitted_at: refund.approvedAt,
        provider_refund_id: refund.providerId,
        success_time: refund.successAt,
        query_count: refund.approvedAt === null ? 0 : 1,
        created_at: refund.createdAt,
        updated_by: refund.approvedAt === null ? null : second.id,
        updated_at: refund.updatedAt,
        version: refund.version,
      })
      if (refund.approvedAt === null || refund.providerId === null) return
      const settlesAt = refund.successAt ?? new Date(refund.approvedAt.getTime() + bankDays * 24 * 3_600_000)
      emulator.refunds.push({
        mchid: stage.merchant.mchid,
        orderNo: winner.orderNo,
        refundNo: refund.refundNo,
        refundId: refund.providerId,
        refundFen: amountFen,
        reason: '其他',
        notifyUrl: notifyUrl('refundNotify'),
        createdAt: refund.approvedAt.toISOString(),
        status: refund.successAt === null ? 'PROCESSING' : 'SUCCESS',
        outcome: 'SUCCESS',
        settlesAt: settlesAt.toISOString(),
        ...(refund.successAt === null ? {} : { successAt: refund.successAt.toISOString() }),
      })
    },
  }
}
