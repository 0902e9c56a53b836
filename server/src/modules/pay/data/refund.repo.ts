import type { RefundReason, RefundState } from '#contract/pay/order.state.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'

export interface RefundRow {
  readonly id: string
  readonly refundNo: string
  /** Null: the money came by hand and goes back by hand. */
  readonly orderId: string | null
  readonly payId: string
  readonly userId: string
  readonly amountFen: number
  readonly reason: RefundReason
  readonly state: RefundState
  readonly applyBy: string
  readonly approvedByRule: boolean
  readonly submittedAt: Date | null
  readonly providerRefundId: string | null
  readonly queryCount: number
}

const refundColumns = sql`
  r.id::text as id, r.refund_no as "refundNo", r.order_id::text as "orderId", r.pay_id::text as "payId", r.user_id::text as "userId",
  r.amount_fen as "amountFen", r.reason, r.state, r.apply_by::text as "applyBy", r.approved_by_rule as "approvedByRule",
  r.submitted_at as "submittedAt", r.provider_refund_id as "providerRefundId", r.query_count as "queryCount"`

export const findRefund = (db: TenantDb, id: string): Promise<RefundRow | undefined> =>
  db.maybe(sql<RefundRow>`select ${refundColumns} from pay_refund r where r.id = ${id}`)

export const findRefundByNo = (db: TenantDb, refundNo: string): Promise<RefundRow | undefined> =>
  db.maybe(sql<RefundRow>`select ${refundColumns} from pay_refund r where r.refund_no = ${refundNo}`)

/** The refunds of these numbers. */
export const listRefundsByNo = (db: TenantDb, refundNos: readonly string[]): Promise<readonly RefundRow[]> =>
  db.all(sql<RefundRow>`select ${refundColumns} from pay_refund r where r.refund_no = any(${[...refundNos]})`)

/** Call with due and order locked: nobody else then adds or moves a refund of the order. */
export const listRefunds = (db: TenantDb, orderId: string): Promise<readonly RefundRow[]> =>
  db.all(sql<RefundRow>`select ${refundColumns} from pay_refund r where r.order_id = ${orderId} order by r.id`)

/** Refunds of what came by hand. Call with the due locked. */
export const listHandRefunds = (db: TenantDb, payId: string): Promise<readonly RefundRow[]> =>
  db.all(sql<RefundRow>`select ${refundColumns} from pay_refund r where r.pay_id = ${payId} and r.order_id is null order by r.id`)

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

/** Call with due and order locked. */
export const writeRefundAmount = async (db: TenantDb, id: string, amountFen: number): Promise<void> => {
  await db.run(sql`update pay_refund set amount_fen = ${amountFen}, updated_at = app_now() where id = ${id}`)
}

/** A refund that was made elsewhere and is under way or done there. Call with due and order locked. @returns its id */
export const insertOutsideRefund = async (
  db: TenantDb,
  refund: Pick<NewRefund, 'refundNo' | 'payId' | 'userId' | 'amountFen'> & { readonly orderId: string; readonly providerRefundId: string },
): Promise<string> => {
  const { id } = await db.one(sql<{ id: string }>`
    insert into pay_refund (tenant_id, refund_no, order_id, pay_id, user_id, amount_fen, reason, state, apply_by, approved_by_rule, approve_time, submitted_at,
      provider_refund_id)
    values (${db.actor.tenantId}, ${refund.refundNo}, ${refund.orderId}, ${refund.payId}, ${refund.userId}, ${refund.amountFen}, 'outside', 'submitted', 0, true,
      ${db.now}, ${db.now}, ${refund.providerRefundId})
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

/** Counts one more question about a refund. */
export const countQuestion = async (db: TenantDb, id: string): Promise<void> => {
  await db.run(sql`update pay_refund set query_count = query_count + 1 where id = ${id}`)
}

/** Refunds by rule that the provider has not been asked for yet. */
export const countWaitingRefunds = async (db: TenantDb): Promise<number> =>
  (await db.one(sql<{ n: number }>`select count(*)::int as n from pay_refund where state = 'requested' and approved_by_rule`)).n

/** Refunds whose next step is late. */
export const listRefundsToAdvance = (db: TenantDb): Promise<{ id: string }[]> =>
  db.all(sql<{ id: string }>`
    select id::text as id from pay_refund
    where (state = 'submitted' or (state = 'requested' and approved_by_rule)) and updated_at <= app_now() - interval '10 minutes'
      and not exists (select 1 from pay_order o where o.tenant_id = pay_refund.tenant_id and o.id = pay_refund.order_id and o.channel = 'nontax'
        and pay_refund.provider_refund_id is not null and pay_refund.updated_at > app_now() - interval '12 hours')
    order by id limit 1000`)
