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
import { audit } from '#kernel/audit.ts'
import { type CrudSeams, crud } from '#kernel/crud/crud.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import { type Ctx, type Handler, handle, handleExport, handlePlain } from '#kernel/http/context.ts'
import { inputDigest, once, recall } from '#kernel/http/idempotency.ts'
import { isNarrowed, rowScopeOf } from '#kernel/http/row-scope.ts'
import { qrSvg } from '#kernel/qr.ts'
import { findExam, type RunImport } from '#modules/exam/index.ts'
import { acceptLate } from './commands/accept-late.ts'
import { saveAccount, viewAccount } from './commands/account.ts'
import { type BackPayAnswer, backPay } from './commands/back-pay.ts'
import { closeOrder, lookAtOrder } from './commands/close-order.ts'
import { planPayList } from './commands/export-dues.ts'
import { openPayCode } from './commands/pay-qrcode.ts'
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
const onceBy = <T>(ctx: Ctx, path: string, input: unknown, run: (work: (db: TenantDb) => Promise<T>) => Promise<T>) => {
  const key = ctx.header('idempotency-key')
  const digest = inputDigest(path, input, ctx.files)
  const isKeyed = key !== undefined && /^[\w-]{8,80}$/.test(key)
  return {
    recalled: async (): Promise<{ readonly value: T } | undefined> =>
      isKeyed ? ctx.tx(db => recall<T>(db, key, path, digest)) : undefined,
    finish: (work: (db: TenantDb) => Promise<T>): Promise<T> =>
      run(db => (isKeyed ? once(db, key, path, digest, () => work(db)) : work(db))),
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

/** Whether the caller's data scopes leave all of these dues or orders; what they do not is answered like what does not exist. */
const reaches = async (
  ctx: Ctx,
  db: TenantDb,
  noun: typeof examPay | typeof payOrder | typeof payAlarm,
  column: 'id' | 'order_no',
  values: readonly string[],
): Promise<boolean> => {
  const scope = rowScopeOf(ctx.session, noun)
  if (!scope) return true
  const wanted = [...new Set(values)]
  const { n } = await db.one(sql<{ n: number }>`
    select count(*)::int as n from ${sql.table(noun.table)} where ${sql.ref(column)}::text = any(${wanted}::text[]) and ${scope}`)
  return n === wanted.length
}
const hasOrder = (ctx: Ctx, db: TenantDb, orderNo: string): Promise<boolean> => reaches(ctx, db, payOrder, 'order_no', [orderNo])
const hasDues = (ctx: Ctx, ids: readonly string[]): Promise<boolean> => ctx.tx(db => reaches(ctx, db, examPay, 'id', ids))

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

  const declined = (route: (typeof routes)['submitExamPay' | 'removeExamPay' | 'submitPayOrder' | 'removePayOrder']): Handler =>
    handle(route, async () => refuse('kernel/not-supported', {}))

  return [
    ...crud(examPay, seams),
    ...crud(payOrder, seams),
    ...crud(payAlarm, { present: (ctx, row) => ({ ...row, kind: ctx.say(alarmLabel(String(row['kind']))) }) }),
    declined(routes.submitExamPay),
    declined(routes.removeExamPay),
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
        demoPayUrl: kit.deps.gateway.demoPayUrl?.(codeUrl) ?? null,
      }
    }),
    handle(routes.checkOrder, async ({ ctx, input }) => {
      const order = await ctx.tx(async db => ((await hasOrder(ctx, db, input.orderNo)) ? findOrder(db, input.orderNo) : undefined))
      if (!order) return refuse('kernel/not-found', {})
      const isAsked = isLive(order.state) && ctx.arrivedAt.getTime() - order.createdAt.getTime() >= youngMs
      const after = isAsked ? await refreshed(ctx, order) : order
      return { state: orderMachine.wire[after.state], paidTime: paidTimeOf(after) }
    }),
    handle(routes.queryOrder, async ({ ctx, input }) => {
      const order = await ctx.tx(async db => ((await hasOrder(ctx, db, input.orderNo)) ? findOrder(db, input.orderNo) : undefined))
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
      if (!(await ctx.tx(async db => (await hasOrder(ctx, db, input.orderNo)) && (await findOrder(db, input.orderNo)))))
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
      const { recalled, finish } = onceBy<PostingAnswer>(ctx, routes.handleUp.path, input, work => ctx.tx(work))
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
        ...(input.voucherNo === undefined ? {} : { voucherNo: input.voucherNo }),
      }
      const { finish } = onceBy<BackPayAnswer>(ctx, routes.backPay.path, input, work =>
        ctx.asSystem('a candidate may ask for a refund but not write one', work),
      )
      return finish(db => backPay(kit, db, ctx, wish, by))
    }),
    handle(routes.delExamPay, async ({ ctx, input }) => {
      if (!(await hasDues(ctx, input.ids.split(',')))) return refuse('kernel/not-found', {})
      const removed = await voidByHand(kit, ctx, input.ids.split(','))
      return isRefusal(removed) ? removed : { removed }
    }),
    handle(routes.sureInvoice, async ({ ctx, input }) => {
      const by = userOf(ctx)
      const ids = [...new Set(input.ids.split(','))]
      if (by.isCandidate !== (input.isInvoice === 2)) return refuse('kernel/forbidden', {})
      if (!(await hasDues(ctx, ids))) return refuse('kernel/not-found', {})
      if (input.isInvoice === 2 && !input.invoiceTitle) return refusePay('pay/title-needed', {})
      return ctx.asSystem('a candidate may apply for a receipt but not write dues', async db => {
        const mine = by.isCandidate ? sql`and user_id = ${by.userId}` : sql``
        const rows = await db.all(sql<{ id: string; state: string; isInvoice: number }>`
          select id::text as id, state, is_invoice as "isInvoice" from exam_pay where id = any(${ids}::bigint[]) and not is_deleted ${mine} for update`)
        if (rows.length !== ids.length) return refuse('kernel/not-found', {})
        const isFit = rows.every(row => row.state === 'paid' && (input.isInvoice !== 2 || row.isInvoice !== 1))
        if (!isFit) return refusePay('pay/changed-meanwhile', {})
        await db.run(
          input.isInvoice === 2
            ? sql`update exam_pay set is_invoice = 2, invoice_title = ${input.invoiceTitle}, invoice_tax_no = ${input.invoiceTaxNo ?? null}, updated_at = app_now() where id = any(${ids}::bigint[])`
            : sql`update exam_pay set is_invoice = ${input.isInvoice}, invoice_no = ${input.invoiceNo ?? null}, invoice_url = ${input.invoiceUrl || null},
                invoice_time = ${input.isInvoice === 1 ? db.now : null}, updated_at = app_now(), updated_by = ${by.userId} where id = any(${ids}::bigint[])`,
        )
        for (const row of rows)
          await audit(db, ctx, {
            action: 'exampay.invoice-changed',
            entity: 'exampay',
            entityId: row.id,
            before: { isInvoice: row.isInvoice },
            after: { isInvoice: input.isInvoice, invoiceNo: input.invoiceNo ?? null },
          })
        return { changed: rows.length }
      })
    }),
    // A workbook names people by their id numbers, wherever they stand.
    handle(routes.importExamPay, async ({ ctx, input }) =>
      isNarrowed(ctx.session, examPay.permission) ? refuse('kernel/whole-needed', {}) : imports.dues(ctx, routes.importExamPay.path, input),
    ),
    handle(routes.importPay, async ({ ctx, input }) =>
      isNarrowed(ctx.session, examPay.permission) ? refuse('kernel/whole-needed', {}) : imports.payments(ctx, routes.importPay.path, input),
    ),
    handleExport(routes.getPayExcel, ({ ctx, input }) => planPayList(kit, ctx, input)),
    handle(routes.closePayAlarm, async ({ ctx, input, db }) => {
      const alarm = await db.maybe(sql<{ kind: string; handled: boolean }>`
        select kind, handled_at is not null as handled from pay_alarm where id = ${input.id} for update`)
      if (!alarm || !(await reaches(ctx, db, payAlarm, 'id', [input.id]))) return refuse('kernel/not-found', {})
      if (alarm.handled) return refusePay('pay/alarm-closed', {})
      await db.run(sql`
        update pay_alarm set handled_by = ${userOf(ctx).userId}, handled_at = ${db.now}, handle_remark = ${input.remark} where id = ${input.id}`)
      await audit(db, ctx, {
        action: 'payalarm.closed',
        entity: 'payalarm',
        entityId: input.id,
        before: { kind: alarm.kind },
        after: { closed: true },
        reason: input.remark,
      })
      return { id: input.id }
    }),
    handle(routes.getPayAccount, ({ db }) => viewAccount(kit, db)),
    handle(routes.savePayAccount, ({ ctx, input, db }) => saveAccount(kit, db, ctx, input)),
    handlePlain(routes.payNotice, ({ ctx, input }) => receiveNotice(kit, ctx, input.tenantId)),
    handlePlain(routes.refundNotice, ({ ctx, input }) => receiveNotice(kit, ctx, input.tenantId)),
  ]
}
