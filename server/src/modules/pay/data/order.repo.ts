import type { OrderException, OrderState, RefundReason, RefundState } from '#contract/pay/order.state.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'

export interface OrderRow {
  readonly id: string
  readonly orderNo: string
  readonly payId: string
  readonly userId: string
  readonly amountFen: number
  readonly description: string
  readonly codeUrl: string | null
  readonly state: OrderState
  readonly exception: OrderException | null
  readonly expireTime: Date
  readonly transactionId: string | null
  readonly tradeState: string | null
  readonly successTime: Date | null
  readonly paidFen: number | null
  readonly queriedAt: Date | null
  readonly createdAt: Date
  readonly mchid: string
  readonly appid: string
}

const orderColumns = sql`
  o.id::text as id, o.order_no as "orderNo", o.pay_id::text as "payId", o.user_id::text as "userId", o.amount_fen as "amountFen", o.description,
  o.code_url as "codeUrl", o.state, o.exception, o.expire_time as "expireTime", o.transaction_id as "transactionId", o.trade_state as "tradeState",
  o.success_time as "successTime", o.paid_fen as "paidFen", o.queried_at as "queriedAt", o.created_at as "createdAt", o.mchid, o.appid`

export const liveStates: readonly OrderState[] = ['created', 'pending']
export const isLive = (state: OrderState): boolean => liveStates.includes(state)

export const findOrder = (db: TenantDb, orderNo: string): Promise<OrderRow | undefined> =>
  db.maybe(sql<OrderRow>`select ${orderColumns} from pay_order o where o.order_no = ${orderNo}`)

export const findOrderById = (db: TenantDb, id: string): Promise<OrderRow | undefined> =>
  db.maybe(sql<OrderRow>`select ${orderColumns} from pay_order o where o.id = ${id}`)

/** Call with the due locked. */
export const lockOrder = (db: TenantDb, id: string): Promise<OrderRow> =>
  db.one(sql<OrderRow>`select ${orderColumns} from pay_order o where o.id = ${id} for update of o`)

export const findLiveOrder = (db: TenantDb, payId: string): Promise<OrderRow | undefined> =>
  db.maybe(sql<OrderRow>`select ${orderColumns} from pay_order o where o.pay_id = ${payId} and o.state = any(${[...liveStates]})`)

export const insertOrder = (
  db: TenantDb,
  order: Pick<OrderRow, 'orderNo' | 'payId' | 'userId' | 'amountFen' | 'description' | 'expireTime' | 'mchid' | 'appid'>,
): Promise<OrderRow> =>
  db.one(sql<OrderRow>`
    insert into pay_order as o (tenant_id, order_no, pay_id, user_id, amount_fen, description, expire_time, mchid, appid, created_by, updated_by)
    values (${db.actor.tenantId}, ${order.orderNo}, ${order.payId}, ${order.userId}, ${order.amountFen}, ${order.description}, ${order.expireTime},
      ${order.mchid}, ${order.appid}, ${db.actor.userId}, ${db.actor.userId})
    returning ${orderColumns}`)

/** Takes the turn to ask the provider about an order: at most one process every 3 s gets it (domain 5.4 checkOrder). */
export const takeQueryTurn = async (db: TenantDb, orderNo: string): Promise<boolean> =>
  (await db.run(sql`
    update pay_order set queried_at = app_now(), query_count = query_count + 1
    where order_no = ${orderNo} and (queried_at is null or queried_at <= app_now() - interval '3 seconds')`)) === 1

/** Counts one more notice about an order. */
export const countNotice = async (db: TenantDb, orderNo: string): Promise<void> => {
  await db.run(sql`update pay_order set notify_count = notify_count + 1 where order_no = ${orderNo}`)
}

/** What the provider says about an order that nobody has paid. */
export const writeTradeState = async (db: TenantDb, orderNo: string, tradeState: string): Promise<void> => {
  await db.run(sql`update pay_order set trade_state = ${tradeState} where order_no = ${orderNo} and transaction_id is null`)
}

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

/** Call with due and order locked: nobody else then adds or moves a refund of the order. */
export const listRefunds = (db: TenantDb, orderId: string): Promise<readonly RefundRow[]> =>
  db.all(sql<RefundRow>`select ${refundColumns} from pay_refund r where r.order_id = ${orderId} order by r.id`)

/** Refunds of what came by hand. Call with the due locked. */
export const listHandRefunds = (db: TenantDb, payId: string): Promise<readonly RefundRow[]> =>
  db.all(sql<RefundRow>`select ${refundColumns} from pay_refund r where r.pay_id = ${payId} and r.order_id is null order by r.id`)
