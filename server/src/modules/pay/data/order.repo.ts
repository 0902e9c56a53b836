import type { PayChannel } from '#contract/pay/channel.ts'
import type { OrderException, OrderState } from '#contract/pay/order.state.ts'
import type { PlatformDb, TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'

export interface OrderRow {
  readonly id: string
  readonly orderNo: string
  readonly payId: string
  readonly userId: string
  readonly amountFen: number
  readonly description: string
  readonly codeUrl: string | null
  /** The number of the non-tax platform. */
  readonly payCode: string | null
  readonly state: OrderState
  readonly exception: OrderException | null
  readonly expireTime: Date
  readonly transactionId: string | null
  readonly tradeState: string | null
  readonly successTime: Date | null
  readonly paidFen: number | null
  readonly queriedAt: Date | null
  readonly createdAt: Date
  /** Of a live order: when the provider's answer came, and with it what its payer was handed. */
  readonly updatedAt: Date
  readonly mchid: string
  readonly appid: string
  readonly way: PayWire
  readonly channel: PayChannel
}
/** A code on a screen, inside WeChat, from the browser of a phone; `precreate` is Alipay's code, `nontax` the number of the non-tax platform. */
export type PayWire = 'native' | 'jsapi' | 'h5' | 'precreate' | 'nontax'

const orderColumns = sql`
  o.id::text as id, o.order_no as "orderNo", o.pay_id::text as "payId", o.user_id::text as "userId", o.amount_fen as "amountFen", o.description,
  o.code_url as "codeUrl", o.pay_code as "payCode", o.state, o.exception, o.expire_time as "expireTime", o.transaction_id as "transactionId", o.trade_state as "tradeState",
  o.success_time as "successTime", o.paid_fen as "paidFen", o.queried_at as "queriedAt", o.created_at as "createdAt", o.updated_at as "updatedAt", o.mchid, o.appid, o.way, o.channel`

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
  order: Pick<
    OrderRow,
    'orderNo' | 'payId' | 'userId' | 'amountFen' | 'description' | 'expireTime' | 'mchid' | 'appid' | 'way' | 'channel'
  >,
): Promise<OrderRow> =>
  db.one(sql<OrderRow>`
    insert into pay_order as o (tenant_id, order_no, pay_id, user_id, amount_fen, description, expire_time, mchid, appid, way, channel, created_by, updated_by)
    values (${db.actor.tenantId}, ${order.orderNo}, ${order.payId}, ${order.userId}, ${order.amountFen}, ${order.description}, ${order.expireTime},
      ${order.mchid}, ${order.appid}, ${order.way}, ${order.channel}, ${db.actor.userId}, ${db.actor.userId})
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

/** The provider has given the money of an order back without us. */
export const markRefundedOutside = async (db: TenantDb, id: string): Promise<void> => {
  await db.run(sql`
    update pay_order set exception = 'refundedOutside', trade_state = 'REFUND', updated_at = app_now(), updated_by = ${db.actor.userId}, version = version + 1
    where id = ${id}`)
}

/** The orders of these numbers. */
export const listOrdersByNo = (db: TenantDb, orderNos: readonly string[]): Promise<readonly OrderRow[]> =>
  db.all(sql<OrderRow>`select ${orderColumns} from pay_order o where o.order_no = any(${[...orderNos]})`)

/** Orders that can still be paid, of one examination. */
export const listLiveOrdersOf = (db: TenantDb, examId: string): Promise<{ orderNo: string }[]> =>
  db.all(sql<{ orderNo: string }>`
    select o.order_no as "orderNo" from pay_order o join exam_pay p on p.tenant_id = o.tenant_id and p.id = o.pay_id
    where p.exam_id = ${examId} and o.state = any(${[...liveStates]}) order by o.id`)

/**
 * Orders that should have been paid or closed by now, or that nobody has looked at for ten minutes. Numbers of the non-tax platform are good for days: each of them is asked
 * about once in six hours, whichever of the 36 looks of that time is its own.
 */
export const listOrdersToWatch = (db: TenantDb): Promise<{ orderNo: string }[]> =>
  db.all(sql<{ orderNo: string }>`
    select order_no as "orderNo" from pay_order
    where state = any(${[...liveStates]}) and (expire_time + interval '1 minute' <= app_now() or updated_at <= app_now() - interval '10 minutes')
      and (channel <> 'nontax' or expire_time <= app_now() or abs(hashtext(order_no)) % 36 = floor(extract(epoch from app_now()) / 600)::bigint % 36)
    order by id limit 1000`)

/** Tenants in which money is owed, on its way or on its way back, or was paid within the year in which it may still go back. */
export const tenantsWithOpenMoney = (db: PlatformDb): Promise<{ tenantId: string }[]> =>
  db.all(sql<{ tenantId: string }>`
    select tenant_id as "tenantId" from pay_order where state = any(${[...liveStates]})
    union select tenant_id from pay_order where success_time > app_now() - interval '1 year'
    union select tenant_id from exam_pay where state = 'due' union select tenant_id from pay_refund where state in ('requested', 'submitted')`)

/** Orders paid at the non-tax platform within the week whose receipt has not come, an hour after the payment. */
export const listOrdersWithoutReceipt = (db: TenantDb): Promise<{ orderNo: string }[]> =>
  db.all(sql<{ orderNo: string }>`
    select o.order_no as "orderNo" from pay_order o
    where o.channel = 'nontax' and o.state = 'paid' and o.success_time between app_now() - interval '7 days' and app_now() - interval '1 hour'
      and not exists (select 1 from pay_receipt r where r.tenant_id = o.tenant_id and r.order_id = o.id)
    order by o.id limit 1000`)
