import { refuse } from '#contract/kernel/errors.ts'
import { stateOfWire } from '#contract/kernel/machine.ts'
import { maskName } from '#contract/kernel/mask.ts'
import { isRefusal } from '#contract/kernel/refusal.ts'
import { fromWireTime, toWireTime } from '#contract/kernel/when.ts'
import { alarmLabel } from '#contract/pay/alarm.ts'
import { feeNameIn } from '#contract/pay/fee.ts'
import { dueMachine, orderMachine, payWayWire } from '#contract/pay/order.state.ts'
import { refusePay } from '#contract/pay/pay.errors.ts'
import { examPay, payAlarm, payOrder } from '#contract/pay/pay.resources.ts'
import * as routes from '#contract/pay/pay.routes.ts'
import { type CrudSeams, crud } from '#kernel/crud/crud.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, type Handler, handle, handleExport, handlePlain } from '#kernel/http/context.ts'
import { answerSealOf, inputDigest, once, recall } from '#kernel/http/idempotency.ts'
import { isNarrowed } from '#kernel/http/row-scope.ts'
import { qrSvg } from '#kernel/qr.ts'
import { findExam } from '#modules/exam/index.ts'
import type { RunImport } from '#modules/transfer/index.ts'
import { acceptLate } from './commands/accept-late.ts'
import { saveAccount, viewAccount } from './commands/account.ts'
import { addDue } from './commands/add-due.ts'
import { type BackPayAnswer, backPay } from './commands/back-pay.ts'
import { changeInvoices } from './commands/change-invoices.ts'
import { closeAlarm } from './commands/close-alarm.ts'
import { closeOrder, lookAtOrder } from './commands/close-order.ts'
import { planPayList } from './commands/export-dues.ts'
import { openPayCode } from './commands/pay-qrcode.ts'
import { reachesDues, reachesOrder } from './commands/pay-scope.ts'
import { offlineWayOf, type PostingAnswer, postOffline } from './commands/post-offline.ts'
import { receiveNotice } from './commands/receive-notice.ts'
import { voidByHand } from './commands/void-dues.ts'
import { findDue, listOwnDues } from './data/due.repo.ts'
import { findOrder, isLive, type OrderRow, takeQueryTurn } from './data/order.repo.ts'
import type { PayKit } from './deps.ts'
import { presentDue } from './present.ts'

/** A code that was just made needs no question about it (domain 5.4 checkOrder). */
const youngMs = 5_000

const userOf = (ctx: Ctx): { readonly userId: string; readonly isCandidate: boolean } => ({
  userId: ctx.session?.userId ?? '0',
  isCandidate: ctx.session?.userType === 2,
})

/** Runs a last transaction once per idempotency key, for routes that must not hold one while they talk to the provider. */
const onceBy = <T>(kit: PayKit, ctx: Ctx, path: string, input: unknown, run: (work: (db: TenantDb) => Promise<T>) => Promise<T>) => {
  const key = ctx.header('idempotency-key')
  const digest = inputDigest(path, input, ctx.files)
  const seal = answerSealOf(kit.services.cipher)
  return {
    recalled: async (): Promise<{ readonly value: T } | undefined> =>
      key ? ctx.tx(db => recall<T>(db, key, path, digest, seal)) : undefined,
    finish: (work: (db: TenantDb) => Promise<T>): Promise<T> =>
      run(db => (key ? once(db, key, path, digest, () => work(db), seal) : work(db))),
  }
}

/** Finance reads names in full, everybody else masked (domain 2.1, 2.2). */
const seams: CrudSeams = {
  present: (ctx, row) => {
    const isFinance = ['finance', 'admin', 'exam_admin'].some(alias => ctx.session?.roleAliases.has(alias))
    const named = typeof row['payName'] === 'string' ? { ...row, payName: feeNameIn(row['payName'], ctx.language) } : row
    return isFinance || typeof row['name'] !== 'string' ? named : { ...named, name: maskName(row['name']) }
  },
}

/** The last word about an order: what the provider said, or what follows from our state. */
const tradeStateOf = (order: OrderRow): string =>
  order.tradeState ?? (order.state === 'closed' ? 'CLOSED' : order.successTime ? 'SUCCESS' : 'NOTPAY')

const hasDues = (ctx: Ctx, ids: readonly string[]): Promise<boolean> => ctx.tx(db => reachesDues(ctx, db, ids))

/** The two kinds of import this module adds to the framework. */
export interface PayImports {
  readonly dues: RunImport
  readonly payments: RunImport
}

export const payHandlers = (kit: PayKit, imports: PayImports): readonly Handler[] => {
  /** Asks the provider when it is this caller's turn; the order as it is otherwise. */
  const refreshed = async (ctx: Ctx, order: OrderRow): Promise<OrderRow> => {
    const isTurn = await ctx.asSystem('the turn to ask the provider belongs to all readers of an order', db =>
      takeQueryTurn(db, order.orderNo),
    )
    const merchant = isTurn ? await kit.providers.of(ctx.tenantId) : undefined
    const look = merchant && (await lookAtOrder(kit, ctx.tenantId, merchant.provider, order))
    return look?.ok ? look.order : order
  }
  const paidTimeOf = (order: OrderRow): string | null =>
    order.state === 'paid' && order.successTime ? toWireTime(order.successTime) : null

  const declined = (route: (typeof routes)['submitPayOrder' | 'removePayOrder']): Handler =>
    handle(route, async () => refuse('kernel/not-supported', {}))

  const voidDues = async (ctx: Ctx, ids: string) => {
    if (!(await hasDues(ctx, ids.split(',')))) return refuse('kernel/not-found', {})
    const removed = await voidByHand(kit, ctx, ids.split(','))
    return isRefusal(removed) ? removed : { removed }
  }

  return [
    ...crud(examPay, seams),
    ...crud(payOrder, seams),
    ...crud(payAlarm, { present: (ctx, row) => ({ ...row, kind: ctx.say(alarmLabel(String(row['kind']))) }) }),
    handle(routes.submitExamPay, ({ ctx, db, input }) => addDue(kit, ctx, db, input)),
    handle(routes.removeExamPay, ({ ctx, input }) => voidDues(ctx, input.ids)),
    declined(routes.submitPayOrder),
    declined(routes.removePayOrder),

    handle(routes.getMyPayList, async ({ ctx, input, db }) => {
      const state = input.state === undefined ? undefined : stateOfWire(dueMachine, input.state)
      const rows = await listOwnDues(db, { userId: userOf(ctx).userId, examId: input.examId, state })
      return rows.map(row => presentDue(ctx, row))
    }),
    handle(routes.getMyPay, async ({ ctx, input, db }) => {
      const exam = await findExam(db, input.examId)
      if (!exam) return refuse('kernel/not-found', {})
      const rows = await listOwnDues(db, { userId: userOf(ctx).userId, examId: input.examId })
      return {
        examId: exam.id,
        examName: exam.examName,
        payBegin: exam.payBegin && toWireTime(exam.payBegin),
        payEnd: exam.payEnd && toWireTime(exam.payEnd),
        dueAmount: rows.filter(row => row.state === 'due').reduce((sum, row) => sum + row.amountFen, 0),
        rows: rows.map(row => presentDue(ctx, row)),
      }
    }),
    handle(routes.getPayQrcode, async ({ ctx, input }) => {
      if (!(await hasDues(ctx, [input.payId])) || !(await ctx.tx(db => findDue(db, input.payId)))) return refuse('kernel/not-found', {})
      const order = await openPayCode(kit, ctx, input.payId)
      if (isRefusal(order)) return order
      const codeUrl = order.codeUrl ?? ''
      return {
        orderNo: order.orderNo,
        amount: order.amountFen,
        codeUrl,
        qr: Buffer.from(qrSvg(codeUrl)).toString('base64'),
        expireTime: toWireTime(order.expireTime),
        serverTime: toWireTime(kit.services.clock.now()),
        demoPayUrl: kit.deps.gateway.demoPayUrl?.(codeUrl, ctx.language) ?? null,
      }
    }),
    handle(routes.checkOrder, async ({ ctx, input }) => {
      const order = await ctx.tx(async db => ((await reachesOrder(ctx, db, input.orderNo)) ? findOrder(db, input.orderNo) : undefined))
      if (!order) return refuse('kernel/not-found', {})
      const isAsked = isLive(order.state) && ctx.arrivedAt.getTime() - order.createdAt.getTime() >= youngMs
      const after = isAsked ? await refreshed(ctx, order) : order
      return { state: orderMachine.wire[after.state], paidTime: paidTimeOf(after) }
    }),
    handle(routes.queryOrder, async ({ ctx, input }) => {
      const order = await ctx.tx(async db => ((await reachesOrder(ctx, db, input.orderNo)) ? findOrder(db, input.orderNo) : undefined))
      if (!order) return refuse('kernel/not-found', {})
      const after = await refreshed(ctx, order)
      return {
        tradeState: tradeStateOf(after),
        state: orderMachine.wire[after.state],
        transactionId: after.transactionId,
        successTime: after.successTime && toWireTime(after.successTime),
      }
    }),
    handle(routes.closePayOrder, async ({ ctx, input }) => {
      if (!(await ctx.tx(async db => (await reachesOrder(ctx, db, input.orderNo)) && (await findOrder(db, input.orderNo)))))
        return refuse('kernel/not-found', {})
      const outcome = await closeOrder(kit, ctx.tenantId, input.orderNo, { userId: userOf(ctx).userId, reason: 'closePayOrder', ctx })
      if (!outcome) return refuse('kernel/not-found', {})
      if (outcome.kind === 'paid') return refusePay('pay/order-paid', {})
      if (outcome.kind === 'unknown') return refusePay('pay/gateway-busy', {}, { retryAfterSeconds: 5 })
      return { orderNo: outcome.order.orderNo, state: orderMachine.wire[outcome.order.state] }
    }),
    handle(routes.handleUp, async ({ ctx, input }) => {
      const isLate = input.payWay === payWayWire.wechat
      const payWay = offlineWayOf(input.payWay)
      const paidTime = fromWireTime(input.paidTime)
      if ((!payWay && !isLate) || !paidTime) return refuse('kernel/invalid-input', {})
      if (!(await hasDues(ctx, [input.payId]))) return refuse('kernel/not-found', {})
      const { recalled, finish } = onceBy<PostingAnswer>(kit, ctx, routes.handleUp.path, input, work => ctx.tx(work))
      const known = await recalled()
      if (known) return known.value
      const { payId, amount: amountFen, voucherNo } = input
      if (!payWay) return finish(db => acceptLate(kit, db, ctx, { payId, orderNo: voucherNo, amountFen }))
      return postOffline(kit, ctx, { payId, payWay, amountFen, paidTime, voucherNo, remark: input.remark ?? null }, finish)
    }),
    handle(routes.backPay, async ({ ctx, input }) => {
      const by = userOf(ctx)
      const may = (code: string): boolean => ctx.session?.permissions.has(code) === true
      if (input.approve !== undefined && (by.isCandidate || !may('exampay_approve'))) return refuse('kernel/forbidden', {})
      if (input.approve === undefined && !by.isCandidate && !may('exampay_refund')) return refuse('kernel/forbidden', {})
      if (!(await hasDues(ctx, [input.payId]))) return refuse('kernel/not-found', {})
      const wish = {
        payId: input.payId,
        reason: input.reason ?? '',
        invoiceReversed: input.invoiceReversed === 1,
        ...(input.orderNo === undefined ? {} : { orderNo: input.orderNo }),
        ...(input.amount === undefined ? {} : { amountFen: input.amount }),
        ...(input.approve === undefined ? {} : { approve: input.approve === 1 ? (1 as const) : (2 as const) }),
        ...(input.takeBack === 1 ? { takeBack: true } : {}),
        ...(input.voucherNo === undefined ? {} : { voucherNo: input.voucherNo }),
      }
      const { finish } = onceBy<BackPayAnswer>(kit, ctx, routes.backPay.path, input, work =>
        ctx.asSystem('a candidate may ask for a refund but not write one', work),
      )
      return finish(db => backPay(kit, db, ctx, wish, by))
    }),
    handle(routes.delExamPay, ({ ctx, input }) => voidDues(ctx, input.ids)),
    handle(routes.sureInvoice, ({ ctx, input }) => changeInvoices(ctx, input)),
    // A workbook names people by their id numbers, wherever they stand.
    handle(routes.importExamPay, async ({ ctx, input }) =>
      isNarrowed(ctx.session, examPay.permission) ? refuse('kernel/whole-needed', {}) : imports.dues(ctx, routes.importExamPay.path, input),
    ),
    handle(routes.importPay, async ({ ctx, input }) =>
      isNarrowed(ctx.session, examPay.permission) ? refuse('kernel/whole-needed', {}) : imports.payments(ctx, routes.importPay.path, input),
    ),
    handleExport(routes.getPayExcel, ({ ctx, input }) => planPayList(ctx, input)),
    handle(routes.closePayAlarm, ({ ctx, input, db }) => closeAlarm(ctx, db, input)),
    handle(routes.getPayAccount, ({ db }) => viewAccount(kit, db)),
    handle(routes.savePayAccount, ({ ctx, input, db }) => saveAccount(kit, db, ctx, input)),
    handlePlain(routes.payNotice, ({ ctx, input }) => receiveNotice(kit, ctx, input.tenantId)),
    handlePlain(routes.refundNotice, ({ ctx, input }) => receiveNotice(kit, ctx, input.tenantId)),
  ]
}
