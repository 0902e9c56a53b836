import type { RefundReason } from '#contract/pay/order.state.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'

/** A request for money to go back; whoever pays out says so later. */
export interface NewRefund {
  readonly refundNo: string
  /** Null: the money came by hand and goes back by hand. */
  readonly orderId: string | null
  readonly payId: string
  readonly userId: string
  readonly amountFen: number
  readonly reason: RefundReason
  readonly remark: string | null
  readonly applyBy: string
  readonly approvedByRule: boolean
}
/** Call with the due locked. @returns its id */
export const insertRefund = async (db: TenantDb, refund: NewRefund): Promise<string> => {
  const { id } = await db.one(sql<{ id: string }>`
    insert into pay_refund (tenant_id, refund_no, order_id, pay_id, user_id, amount_fen, reason, remark, apply_by, approved_by_rule)
    values (${db.actor.tenantId}, ${refund.refundNo}, ${refund.orderId}, ${refund.payId}, ${refund.userId}, ${refund.amountFen}, ${refund.reason},
      ${refund.remark}, ${refund.applyBy}, ${refund.approvedByRule})
    returning id::text as id`)
  return id
}

/** The number the provider knows a refund by. */
export const writeProviderId = async (db: TenantDb, id: string, providerRefundId: string): Promise<void> => {
  await db.run(sql`update pay_refund set provider_refund_id = ${providerRefundId} where id = ${id}`)
}

/** The first refund of a due that waits for a person in this state: for a second person's word, or for a transfer after the bank failed. */
export const findOpenRefund = (
  db: TenantDb,
  of: { readonly payId: string; readonly orderNo?: string | undefined },
  state: 'requested' | 'abnormal',
): Promise<{ id: string } | undefined> =>
  db.maybe(sql<{ id: string }>`
    select id::text as id from pay_refund where pay_id = ${of.payId} and state = ${state} and not (state = 'requested' and approved_by_rule)
      and (${of.orderNo ?? null}::text is null or order_id = (select o.id from pay_order o where o.order_no = ${of.orderNo ?? null})) order by id limit 1`)
