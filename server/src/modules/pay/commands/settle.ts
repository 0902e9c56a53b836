import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { transition } from '#kernel/db/transition.ts'
import { readParameters } from '#modules/tenancy/index.ts'
import { addLedger, type DueRow, lockDue } from '../data/due.repo.ts'
import { findOrder, lockOrder, type OrderRow } from '../data/order.repo.ts'
import type { PayKit } from '../deps.ts'
import { isSignupLive } from '../domain/payable.ts'
import { decideSettlement, type Settlement, type SettlementRows, type VerifiedPayment } from '../domain/settlement.ts'
import type { TradeFact } from '../providers/provider.ts'
import { payTexts } from '../templates/notices.ts'
import { requestRefund } from './ask-refund.ts'
import { mirror, raiseAlarm, tellOwner } from './news.ts'
import { noteRefundedOutside } from './refund.ts'

/** What the provider says beside the payment itself; kept as evidence. */
export type Evidence = Partial<Pick<TradeFact, 'tradeType' | 'tradeState' | 'payerOpenid'>>

const factsOf = async (db: TenantDb, due: DueRow, order: OrderRow): Promise<SettlementRows> => {
  const parameters = await readParameters(db, ['pay.autoRefundDuplicate', 'pay.autoRefundLate'])
  return {
    order: {
      state: order.state,
      amountFen: order.amountFen,
      mchid: order.mchid,
      appid: order.appid,
      ...(order.transactionId === null ? {} : { transactionId: order.transactionId }),
    },
    due: { state: due.state, deadline: due.deadline },
    signup: isSignupLive(due.examine) ? 'live' : due.examine === 'withdrawn' ? 'withdrawn' : 'disqualified',
    autoRefund: {
      duplicate: parameters['pay.autoRefundDuplicate'] !== '0',
      late: parameters['pay.autoRefundLate'] !== '0',
    },
  }
}

const writeOrder = async (
  kit: PayKit,
  db: TenantDb,
  order: OrderRow,
  payment: VerifiedPayment,
  evidence: Evidence,
  change: NonNullable<Settlement['order']>,
): Promise<void> => {
  const payer =
    evidence.payerOpenid === undefined
      ? null
      : kit.services.cipher.seal(db.actor.tenantId, { table: 'pay_order', column: 'payer_sealed', rowId: order.id }, evidence.payerOpenid)
  const moved = await transition(
    db,
    'pay_order',
    order.id,
    { from: order.state, to: change.to },
    {
      exception: change.exception ?? null,
      transaction_id: payment.transactionId,
      success_time: payment.successTime,
      paid_fen: payment.amountFen,
      payer_sealed: payer,
      trade_type: evidence.tradeType ?? null,
      trade_state: evidence.tradeState ?? null,
    },
  )
  if (!moved) throw new Error(`order ${order.orderNo} moved under its lock`)
}

/**
 * Applies a payment the provider has signed for, in the caller's transaction: locks the due, then the order, decides by the table
 * of domain 8.4 and writes everything that follows. Applying the same payment again changes nothing.
 */
export const settlePayment = async (kit: PayKit, db: TenantDb, payment: VerifiedPayment, evidence: Evidence): Promise<Settlement> => {
  const found = await findOrder(db, payment.orderNo)
  const due = found && (await lockDue(db, found.payId))
  if (!found || !due) {
    const settlement = decideSettlement(payment, undefined)
    await raiseAlarm(kit, db, { orderId: null, kind: 'unknownOrder', detail: `${payment.orderNo} ${payment.transactionId}` })
    return settlement
  }
  const order = await lockOrder(db, found.id)
  const settlement = decideSettlement(payment, await factsOf(db, due, order))
  if (settlement.kind === 'repeat') {
    if (payment.isRefunded) await noteRefundedOutside(kit, db, order)
    return settlement
  }

  if (settlement.order) await writeOrder(kit, db, order, payment, evidence, settlement.order)
  if (settlement.due) {
    const paid = await transition(
      db,
      'exam_pay',
      due.id,
      { from: due.state, to: settlement.due.to },
      { paid_fen: settlement.due.paidFen, paid_time: payment.successTime, pay_way: order.channel, order_id: order.id },
    )
    if (!paid) throw new Error(`due ${due.id} moved under its lock`)
  }
  if (settlement.ledger) {
    const written = await addLedger(db, { payId: due.id, orderId: order.id, ...settlement.ledger, evidence: payment.transactionId })
    // A conflicting transaction may be told several times; anything else is written once or the locks have failed.
    if (written === 0 && settlement.kind !== 'conflict') throw new Error(`transaction ${payment.transactionId} is in the ledger already`)
  }
  if (settlement.payState) await mirror(kit, db, due.signupId)
  if (settlement.refund) await requestRefund(kit, db, { due, orderId: order.id, by: 'rule', ...settlement.refund, applicantId: '0' })
  if (settlement.alarm)
    await raiseAlarm(kit, db, {
      orderId: order.id,
      kind: settlement.alarm,
      detail: `${order.orderNo} ${payment.amountFen}/${order.amountFen}`,
    })
  if (settlement.notify)
    await tellOwner(kit, db, due, payTexts[settlement.notify](due.examName, payment.amountFen), `${settlement.notify}:${order.id}`)
  await audit(db, undefined, {
    action: `payorder.${settlement.kind}`,
    entity: 'payorder',
    entityId: order.id,
    before: { state: order.state, dueState: due.state },
    after: { state: settlement.order?.to ?? order.state, dueState: settlement.due?.to ?? due.state, amountFen: payment.amountFen },
  })
  return settlement
}
