import { refuse } from '#contract/kernel/errors.ts'
import type { Label } from '#contract/kernel/label.ts'
import { platformTenant } from '#contract/kernel/platform.ts'
import type { Refusal } from '#contract/kernel/refusal.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { refuseSend } from '#contract/message/send.errors.ts'
import { makeOrderNo } from '#contract/pay/order-no.ts'
import { audit } from '#kernel/audit.ts'
import { duplicateValue } from '#kernel/crud/duplicate.ts'
import { newId } from '#kernel/db/new-id.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, Refused } from '#kernel/http/context.ts'
import { qrSvg } from '#kernel/qr.ts'
import { enqueue } from '#kernel/queue/outbox.ts'
import { randomInt } from '#kernel/random.ts'
import { creditParts, listRunningOut, readBalance } from '../data/balance.repo.ts'
import { insertNotice } from '../data/notify.repo.ts'
import {
  countSendNotice,
  endSendOrder,
  findOpenOrder,
  findPackage,
  findSendOrder,
  insertPurchase,
  insertSendOrder,
  isVoucherUsed,
  listPackages,
  listWaitingOrders,
  lockPurchase,
  lockSendOrder,
  removePurchase,
  type SendOrderRow,
  setPurchase,
  showSendOrder,
  takeSendTurn,
} from '../data/recharge.repo.ts'
import { listRoleHolders } from '../data/send.repo.ts'
import { inTenant, type MessageKit, type RechargePayment } from '../deps.ts'

/** A code can be paid for so long. */
const validMs = 30 * 60_000
const minuteMs = 60_000
/** Minutes after its creation at which an order is asked about when no notice came. */
export const rechargeWatch = [1, 3, 5, 10, 31] as const

/** Packages belong to the platform. */
const onPlatform = <T>(kit: MessageKit, work: (db: TenantDb) => Promise<T>): Promise<T> => inTenant(kit, platformTenant, work)

/** Where transfers go, as the platform has written it; `0` stands for not said. */
const payeeParameter = 'sms.payee'

export const readPackages = async (kit: MessageKit, ctx: Ctx) => {
  const { packages, payee } = await onPlatform(kit, async db => ({
    packages: await listPackages(db),
    payee: (await kit.deps.parametersOf(db, [payeeParameter]))[payeeParameter] ?? '0',
  }))
  return ctx.tx(async db => ({
    ...(await readBalance(db)),
    packages,
    payee: payee === '0' ? '' : payee,
    runningOut: (await listRunningOut(db)).map(({ parts, expireTime }) => ({ parts, expireTime: toWireTime(expireTime) })),
    waiting: (await listWaitingOrders(db)).map(({ expireTime, ...row }) => ({ ...row, expireTime: toWireTime(expireTime) })),
  }))
}

export const tellOfMoney = async (
  db: TenantDb,
  key: string,
  zh: string,
  en: string,
  { title = { zh: '短信充值', en: 'Messages bought' }, roles = ['finance', 'admin'] }: { title?: Label; roles?: readonly string[] } = {},
): Promise<void> => {
  for (const userId of await listRoleHolders(db, roles))
    await insertNotice(db, {
      userId,
      examId: null,
      kind: 7,
      title,
      content: { zh, en },
      link: '/send/balance',
      eventKey: key,
    })
}

/**
 * Applies a payment that the provider has signed for, in the caller's transaction. The order is locked, so that notices and questions that race credit once;
 * an amount, currency or merchant that differs credits nothing and is told to finance.
 */
const settle = async (db: TenantDb, payment: RechargePayment): Promise<string> => {
  const order = await lockSendOrder(db, payment.orderNo)
  if (!order) return 'unknownOrder'
  if (order.transactionId === payment.transactionId) return 'repeat'
  if (order.transactionId !== null) return 'conflict'
  const fits =
    payment.amountFen === order.amount && payment.currency === 'CNY' && payment.mchid === order.mchid && payment.appid === order.appid
  const facts = { transactionId: payment.transactionId, paidAmount: payment.amountFen, successTime: payment.successTime }
  if (!fits) {
    await endSendOrder(db, order.id, { ...facts, state: 7, exception: 'mismatch' })
    await audit(db, undefined, {
      action: 'sendorder.abnormal',
      entity: 'sendorder',
      entityId: order.id,
      after: { amount: payment.amountFen },
    })
    await tellOfMoney(
      db,
      `recharge-odd:${order.id}`,
      `充值订单 ${order.orderNo} 的金额或商户与订单不符，未到账，请联系平台核对。`,
      `The amount or merchant of order ${order.orderNo} differs: nothing was credited, ask the platform.`,
    )
    return 'mismatch'
  }
  const purchase = await lockPurchase(db, order.sendPayId)
  if (!purchase) return 'unknownOrder'
  await endSendOrder(db, order.id, { ...facts, state: 2 })
  if (purchase.state === 1) return 'repeat'
  // A payment that came after its order was closed is a payment: nothing is lost by crediting it.
  await creditParts(db, purchase)
  await setPurchase(db, purchase.id, { state: 1, isCredited: true })
  await audit(db, undefined, {
    action: 'sendpay.credited',
    entity: 'sendpay',
    entityId: purchase.id,
    before: { state: purchase.state },
    after: { state: 1, count: purchase.count, orderNo: order.orderNo },
  })
  await tellOfMoney(
    db,
    `recharge:${purchase.id}`,
    `“${purchase.packageName}”已到账 ${purchase.count} 条。`,
    `“${purchase.packageName}”: ${purchase.count} parts were credited.`,
  )
  return 'credited'
}

const tenantIn = (attach: string): string | undefined => /^send:([A-Za-z0-9]{1,12})$/.exec(attach)?.[1]

/** A notice, or a line of the bill, about an order of a purchase; whose it is stands in what we gave along. @returns what became of it */
export const receiveRecharge = async (kit: MessageKit, payment: RechargePayment, isNotice: boolean): Promise<string> => {
  const tenantId = tenantIn(payment.attach)
  if (tenantId === undefined) return 'unknownOrder'
  return inTenant(kit, tenantId, async db => {
    const outcome = await settle(db, payment)
    if (isNotice) await countSendNotice(db, payment.orderNo)
    return outcome
  })
}

/** Asks the provider about an order and applies what it says. @returns the order afterwards */
const look = async (kit: MessageKit, tenantId: string, order: SendOrderRow): Promise<SendOrderRow> => {
  const said = await kit.deps.recharge.ask(order.orderNo)
  return inTenant(kit, tenantId, async db => {
    if (said.kind === 'paid') await settle(db, said.payment)
    if (said.kind === 'closed') await closeHere(db, order.orderNo)
    return (await findSendOrder(db, order.orderNo)) ?? order
  })
}

const closeHere = async (db: TenantDb, orderNo: string): Promise<void> => {
  const order = await lockSendOrder(db, orderNo)
  if (!order || order.state > 1) return
  await endSendOrder(db, order.id, { state: 3 })
  const purchase = await lockPurchase(db, order.sendPayId)
  if (purchase?.state === 0) await setPurchase(db, purchase.id, { state: 2 })
}

/** Asks about an order until it is paid or over; one that is over is closed at the provider first and here only then. */
export const watchRecharge = async (kit: MessageKit, tenantId: string, orderNo: string, step: number): Promise<void> => {
  const order = await inTenant(kit, tenantId, db => findSendOrder(db, orderNo))
  if (!order || order.state > 1) return
  const after = await look(kit, tenantId, order)
  if (after.state > 1) return
  const { clock } = kit.services
  if (clock.now().getTime() >= order.expireTime.getTime() + minuteMs) {
    const outcome = await kit.deps.recharge.close(orderNo)
    if (outcome === 'closed') return inTenant(kit, tenantId, db => closeHere(db, orderNo))
    if (outcome === 'paid') return void (await look(kit, tenantId, order))
  }
  const minutes = rechargeWatch[step + 1]
  const runAt = new Date(
    minutes === undefined
      ? clock.now().getTime() + 10 * minuteMs
      : Math.max(order.createdAt.getTime() + minutes * minuteMs, clock.now().getTime() + minuteMs),
  )
  await inTenant(kit, tenantId, db =>
    enqueue(db, 'message.watch-recharge', { orderNo, step: step + 1 }, { runAt, jobKey: `watch-${orderNo}` }),
  )
}

const codeOf = (kit: MessageKit, ctx: Ctx, order: SendOrderRow, codeUrl: string) => ({
  orderNo: order.orderNo,
  amount: order.amount,
  codeUrl,
  qr: Buffer.from(qrSvg(codeUrl)).toString('base64'),
  expireTime: toWireTime(order.expireTime),
  serverTime: toWireTime(kit.services.clock.now()),
  demoPayUrl: kit.deps.recharge.demoPayUrl(codeUrl, ctx.language),
})

/** A code that is shown again has to be good for so long. */
const reopenMs = 2 * minuteMs

/** The code to buy a package with: the one that waits to be paid, where there is one. A purchase that nobody pays closes by itself. */
export const askRecharge = async (kit: MessageKit, ctx: Ctx, packagesId: string) => {
  const { recharge } = kit.deps
  const pack = await onPlatform(kit, db => findPackage(db, packagesId))
  if (!pack) return refuseSend('send/package', {})
  const open = await ctx.tx(db => findOpenOrder(db, pack, new Date(db.now.getTime() + reopenMs)))
  if (open?.codeUrl && (await look(kit, ctx.tenantId, open)).state === 1) return codeOf(kit, ctx, open, open.codeUrl)
  const merchant = await recharge.merchant()
  if (!merchant) {
    kit.services.log.error({}, 'the platform has no merchant account')
    return refuseSend('send/pay-busy', {}, { retryAfterSeconds: 60 })
  }
  const order = await ctx.tx(async db => {
    const id = await newId(db)
    await insertPurchase(db, pack, { id, state: 0, payWay: 1, voucher: null, remark: null })
    const made = await insertSendOrder(db, {
      sendPayId: id,
      orderNo: makeOrderNo({ kind: 'S', at: db.now, examNo: 1, randomBelow: bound => randomInt(0, bound) }),
      amount: pack.price,
      // The provider counts whole seconds.
      expireTime: new Date(Math.floor((db.now.getTime() + validMs) / 1000) * 1000),
      ...merchant,
    })
    const runAt = new Date(db.now.getTime() + rechargeWatch[0] * minuteMs)
    await enqueue(db, 'message.watch-recharge', { orderNo: made.orderNo, step: 0 }, { runAt, jobKey: `watch-${made.orderNo}` })
    await audit(db, ctx, {
      action: 'sendorder.created',
      entity: 'sendorder',
      entityId: made.id,
      after: { orderNo: made.orderNo, amount: pack.price, package: pack.packageName },
    })
    return made
  })
  const codeUrl = await recharge.open({
    orderNo: order.orderNo,
    amountFen: order.amount,
    description: `短信套餐-${pack.packageName}`.slice(0, 127),
    expiresAt: order.expireTime,
    attach: `send:${ctx.tenantId}`,
  })
  // Not told, or not heard: the watch asks and closes it.
  if (codeUrl === undefined) return refuseSend('send/pay-busy', {}, { retryAfterSeconds: 5 })
  await ctx.tx(db => showSendOrder(db, order.id, codeUrl))
  return codeOf(kit, ctx, order, codeUrl)
}

/** Whether the money has come, for the page that shows the code. */
export const rechargeState = async (kit: MessageKit, ctx: Ctx, orderNo: string) => {
  const order = await ctx.tx(db => findSendOrder(db, orderNo))
  if (!order) return refuse('kernel/not-found', {})
  const isTurn =
    order.state <= 1 && (await ctx.asSystem('the turn to ask belongs to all readers of an order', db => takeSendTurn(db, orderNo)))
  const { state, successTime } = isTurn ? await look(kit, ctx.tenantId, order) : order
  const { balance } = await ctx.tx(readBalance)
  return { state, paidTime: state === 2 && successTime ? toWireTime(successTime) : null, balance }
}

/** Gives up a code that waits to be paid: at the provider first. One that was paid meanwhile is credited instead. */
export const cancelRecharge = async (kit: MessageKit, ctx: Ctx, orderNo: string) => {
  const order = await ctx.tx(db => findSendOrder(db, orderNo))
  if (!order) return refuse('kernel/not-found', {})
  if (order.state <= 1) {
    const outcome = await kit.deps.recharge.close(orderNo)
    if (outcome === 'unknown') return refuseSend('send/pay-busy', {}, { retryAfterSeconds: 5 })
    if (outcome === 'paid') await look(kit, ctx.tenantId, order)
    else {
      await inTenant(kit, ctx.tenantId, db => closeHere(db, orderNo))
      await ctx.tx(db => audit(db, ctx, { action: 'sendorder.cancelled', entity: 'sendorder', entityId: order.id, after: { orderNo } }))
    }
  }
  return rechargeState(kit, ctx, orderNo)
}

/** Asks for a package that was paid by transfer. */
export const requestRecharge = async (
  kit: MessageKit,
  ctx: Ctx,
  input: { readonly packagesId: string; readonly voucher: string; readonly remark?: string | undefined },
): Promise<{ id: string } | Refusal> => {
  const pack = await onPlatform(kit, db => findPackage(db, input.packagesId))
  if (!pack) return refuseSend('send/package', {})
  const voucher = input.voucher.trim()
  const made = await ctx.tx(async db => {
    if (await isVoucherUsed(db, voucher)) throw new Refused(duplicateValue('voucher', { zh: '凭证号', en: 'Voucher' }, voucher))
    const id = await newId(db)
    await insertPurchase(db, pack, { id, state: 3, payWay: 2, voucher, remark: input.remark?.trim() || null })
    await audit(db, ctx, {
      action: 'sendpay.requested',
      entity: 'sendpay',
      entityId: id,
      after: { package: pack.packageName, count: pack.count, price: pack.price, voucher },
    })
    return { id }
  })
  await onPlatform(kit, db =>
    tellOfMoney(
      db,
      `recharge-asked:${made.id}`,
      `有租户提交了“${pack.packageName}”的转账充值（凭证号 ${voucher}），请核对到账后确认。`,
      `A tenant asks for “${pack.packageName}”, paid by transfer (voucher ${voucher}). Confirm it once the money has come.`,
      { roles: ['administrator'] },
    ),
  )
  return made
}

/** Takes back what nobody has confirmed. */
export const removeRequests = async (ctx: Ctx, db: TenantDb, ids: readonly string[]): Promise<{ removed: number } | Refusal> => {
  for (const id of ids) {
    const purchase = await lockPurchase(db, id)
    if (!purchase) return refuse('kernel/not-found', {})
    if (purchase.state !== 3) throw new Refused(refuseSend('send/pay-state', {}))
    await removePurchase(db, id)
    await audit(db, ctx, {
      action: 'sendpay.removed',
      entity: 'sendpay',
      entityId: id,
      before: { state: purchase.state, voucher: purchase.voucher },
    })
  }
  return { removed: ids.length }
}
