import type { PlatformDb, TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'

export interface PackageRow {
  readonly id: string
  readonly packageName: string
  readonly count: number
  readonly price: number
  readonly validDays: number | null
}
const packageColumns = sql`id::text as id, package_name as "packageName", count, price, valid_days as "validDays"`
/** What the platform sells; to be read as the platform's own tenant. */
export const listPackages = (db: TenantDb): Promise<PackageRow[]> =>
  db.all(sql<PackageRow>`select ${packageColumns} from send_packages where status and price > 0 and not is_deleted order by sort, id`)
export const findPackage = (db: TenantDb, id: string): Promise<PackageRow | undefined> =>
  db.maybe(sql<PackageRow>`select ${packageColumns} from send_packages where id = ${id} and status and price > 0 and not is_deleted`)

export interface PurchaseRow {
  readonly id: string
  readonly packageName: string
  readonly count: number
  readonly price: number
  readonly state: number
  readonly payWay: number
  readonly voucher: string | null
  readonly validDays: number | null
}
const purchaseColumns = sql`
  id::text as id, package_name as "packageName", count, price, state, pay_way as "payWay", voucher, valid_days as "validDays"`
export const insertPurchase = async (
  db: TenantDb,
  pack: PackageRow,
  of: {
    readonly id: string
    readonly state: number
    readonly payWay: number
    readonly voucher: string | null
    readonly remark: string | null
  },
): Promise<void> => {
  await db.run(sql`
    insert into send_pay (tenant_id, id, packages_id, package_name, count, price, valid_days, state, pay_way, voucher, remark, created_by, updated_by)
    values (${db.actor.tenantId}, ${of.id}, ${pack.id}, ${pack.packageName}, ${pack.count}, ${pack.price}, ${pack.validDays}, ${of.state}, ${of.payWay}, ${of.voucher}, ${of.remark},
      ${db.actor.userId}, ${db.actor.userId})`)
}
export const lockPurchase = (db: TenantDb, id: string): Promise<PurchaseRow | undefined> =>
  db.maybe(sql<PurchaseRow>`select ${purchaseColumns} from send_pay where id = ${id} and not is_deleted for update`)
export const setPurchase = async (
  db: TenantDb,
  id: string,
  set: {
    readonly state: number
    /** What confirms the money; the proof that the buyer sent stays beside it. */
    readonly sureVoucher?: string
    readonly sureUser?: string
    readonly sureName?: string
    readonly isCredited?: boolean
  },
): Promise<void> => {
  await db.run(sql`
    update send_pay set state = ${set.state}, sure_voucher = coalesce(${set.sureVoucher ?? null}, sure_voucher), sure_user = coalesce(${set.sureUser ?? null}::bigint, sure_user),
      sure_name = coalesce(${set.sureName ?? null}, sure_name), sure_time = ${set.isCredited === true ? sql`app_now()` : sql`sure_time`}, updated_at = app_now(),
      updated_by = ${db.actor.userId}, version = version + 1
    where id = ${id}`)
}
/** A voucher pays for one purchase of the tenant. */
export const isVoucherUsed = async (db: TenantDb, voucher: string): Promise<boolean> =>
  (await db.maybe(
    sql`select 1 from send_pay where number_key(voucher) = number_key(${voucher}) and pay_way = 2 and state in (1, 3) and not is_deleted limit 1`,
  )) !== undefined
export const removePurchase = async (db: TenantDb, id: string): Promise<void> => {
  await db.run(
    sql`update send_pay set is_deleted = true, state = 2, updated_at = app_now(), updated_by = ${db.actor.userId}, version = version + 1 where id = ${id}`,
  )
}

export interface SendOrderRow {
  readonly id: string
  readonly sendPayId: string
  readonly orderNo: string
  readonly amount: number
  /** 0 made, 1 can be paid, 2 paid, 3 closed, 7 abnormal. */
  readonly state: number
  readonly codeUrl: string | null
  readonly expireTime: Date
  readonly transactionId: string | null
  readonly successTime: Date | null
  readonly mchid: string
  readonly appid: string
  readonly createdAt: Date
}
const orderColumns = sql`
  id::text as id, send_pay_id::text as "sendPayId", order_no as "orderNo", amount, state, code_url as "codeUrl", expire_time as "expireTime",
  transaction_id as "transactionId", success_time as "successTime", mchid, appid, created_at as "createdAt"`
export const insertSendOrder = (
  db: TenantDb,
  order: Pick<SendOrderRow, 'sendPayId' | 'orderNo' | 'amount' | 'expireTime' | 'mchid' | 'appid'>,
): Promise<SendOrderRow> =>
  db.one(sql<SendOrderRow>`
    insert into send_order (tenant_id, send_pay_id, order_no, amount, expire_time, mchid, appid, created_by, updated_by)
    values (${db.actor.tenantId}, ${order.sendPayId}, ${order.orderNo}, ${order.amount}, ${order.expireTime}, ${order.mchid}, ${order.appid}, ${db.actor.userId},
      ${db.actor.userId}) returning ${orderColumns}`)
export const findSendOrder = (db: TenantDb, orderNo: string): Promise<SendOrderRow | undefined> =>
  db.maybe(sql<SendOrderRow>`select ${orderColumns} from send_order where order_no = ${orderNo}`)
export const lockSendOrder = (db: TenantDb, orderNo: string): Promise<SendOrderRow | undefined> =>
  db.maybe(sql<SendOrderRow>`select ${orderColumns} from send_order where order_no = ${orderNo} for update`)
export const showSendOrder = async (db: TenantDb, id: string, codeUrl: string): Promise<void> => {
  await db.run(
    sql`update send_order set state = 1, code_url = ${codeUrl}, updated_at = app_now(), version = version + 1 where id = ${id} and state = 0`,
  )
}
export const endSendOrder = async (
  db: TenantDb,
  id: string,
  set: {
    readonly state: number
    readonly transactionId?: string
    readonly paidAmount?: number
    readonly successTime?: Date
    readonly exception?: string
  },
): Promise<void> => {
  await db.run(sql`
    update send_order set state = ${set.state}, transaction_id = coalesce(${set.transactionId ?? null}, transaction_id),
      paid_amount = coalesce(${set.paidAmount ?? null}::int, paid_amount), success_time = coalesce(${set.successTime ?? null}, success_time),
      exception = ${set.exception ?? null}, updated_at = app_now(), version = version + 1
    where id = ${id}`)
}
export const countSendNotice = async (db: TenantDb, orderNo: string): Promise<void> => {
  await db.run(sql`update send_order set notify_count = notify_count + 1 where order_no = ${orderNo}`)
}
/** At most one question every three seconds, whoever asks. */
export const takeSendTurn = async (db: TenantDb, orderNo: string): Promise<boolean> =>
  (await db.run(sql`
    update send_order set queried_at = app_now() where order_no = ${orderNo} and (queried_at is null or queried_at <= app_now() - interval '3 seconds')`)) ===
  1
export interface WaitingOrder {
  readonly orderNo: string
  readonly packagesId: string
  readonly packageName: string
  readonly amount: number
  readonly expireTime: Date
}
/** Orders whose code can still be paid, the newest first. */
export const listWaitingOrders = (db: TenantDb): Promise<WaitingOrder[]> =>
  db.all(sql<WaitingOrder>`
    select o.order_no as "orderNo", p.packages_id::text as "packagesId", p.package_name as "packageName", o.amount, o.expire_time as "expireTime"
    from send_order o join send_pay p on p.tenant_id = o.tenant_id and p.id = o.send_pay_id
    where o.tenant_id = ${db.actor.tenantId} and o.state = 1 and o.expire_time > app_now() order by o.id desc limit 20`)
/** An order of the same package on the same terms whose code can be paid for some minutes yet. */
export const findOpenOrder = (db: TenantDb, pack: PackageRow, until: Date): Promise<SendOrderRow | undefined> =>
  db.maybe(sql<SendOrderRow>`
    select ${orderColumns} from send_order
    where tenant_id = ${db.actor.tenantId} and state = 1 and code_url is not null and expire_time >= ${until} and send_pay_id in (
      select id from send_pay where tenant_id = ${db.actor.tenantId} and packages_id = ${pack.id} and state = 0 and not is_deleted
        and count = ${pack.count} and price = ${pack.price} and valid_days is not distinct from ${pack.validDays}::int)
    order by id desc limit 1`)
/** Orders of purchases in all tenants that should have been paid or closed by now. */
export const listOverdueOrders = (db: PlatformDb): Promise<{ tenantId: string; orderNo: string }[]> =>
  db.all(sql<{ tenantId: string; orderNo: string }>`
    select tenant_id as "tenantId", order_no as "orderNo" from send_order where state in (0, 1) and expire_time + interval '1 minute' <= app_now() order by id limit 500`)

/** An order of a purchase, as the provider's bill is compared with it. */
export interface BilledOrder {
  readonly orderNo: string
  readonly state: number
  readonly transactionId: string | null
  readonly paidFen: number | null
  readonly successTime: Date | null
  readonly closedAt: Date | null
  readonly inDay: boolean
}
/** Orders of all tenants that were paid to this merchant in a time, or that are named. */
export const listBilledOrders = (
  db: PlatformDb,
  of: { readonly mchid: string; readonly from: Date; readonly to: Date; readonly orderNos: readonly string[] },
): Promise<BilledOrder[]> => {
  const inDay = sql`(mchid = ${of.mchid} and success_time >= ${of.from} and success_time < ${of.to})`
  return db.all(sql<BilledOrder>`
    select order_no as "orderNo", state, transaction_id as "transactionId", paid_amount as "paidFen", success_time as "successTime",
      case when state = 3 then updated_at end as "closedAt", coalesce(${inDay}, false) as "inDay"
    from send_order where ${inDay} or order_no = any(${[...of.orderNos]}) order by id`)
}
/** Whether a merchant was paid for any purchase before this instant. */
export const hasBilledOrders = async (db: PlatformDb, mchid: string, before: Date): Promise<boolean> =>
  (await db.maybe(
    sql`select 1 from send_order where mchid = ${mchid} and success_time < ${before} and success_time > ${before}::timestamptz - interval '1 year' limit 1`,
  )) !== undefined

export const listPending = (db: PlatformDb) =>
  db.all(sql<{
    id: string
    tenantId: string
    tenantName: string
    packageName: string
    count: number
    price: number
    voucher: string
    remark: string
    createdAt: Date
  }>`
    select p.id::text as id, p.tenant_id as "tenantId", t.tenant_name as "tenantName", p.package_name as "packageName", p.count, p.price,
      coalesce(p.voucher, '') as voucher, coalesce(p.remark, '') as remark, p.created_at as "createdAt"
    from send_pay p join tenant t on t.tenant_id = p.tenant_id where p.state = 3 and not p.is_deleted order by p.id limit 500`)
export const tenantOfPurchase = (db: PlatformDb, id: string): Promise<{ tenantId: string } | undefined> =>
  db.maybe(sql<{ tenantId: string }>`select tenant_id as "tenantId" from send_pay where id = ${id} and not is_deleted`)
