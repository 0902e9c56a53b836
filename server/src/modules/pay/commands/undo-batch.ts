import { refuse } from '#contract/kernel/errors.ts'
import { idsOf } from '#contract/kernel/ids.ts'
import type { Refusal } from '#contract/kernel/refusal.ts'
import { isRefusal } from '#contract/kernel/refusal.ts'
import { refusePay } from '#contract/pay/pay.errors.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { transition } from '#kernel/db/transition.ts'
import { type Ctx, Refused } from '#kernel/http/context.ts'
import { enqueue } from '#kernel/queue/outbox.ts'
import { type BatchRow, listBatchRows, listRows, lockBatches, markUndone } from '../data/batch.repo.ts'
import { addLedger, lockDue } from '../data/due.repo.ts'
import type { PayKit } from '../deps.ts'
import { payTexts } from '../templates/notices.ts'
import { mirror, tellOwner } from './news.ts'
import { reachesDues } from './pay-scope.ts'
import { voidByHand } from './void-dues.ts'

const paidStates = ['paid', 'refunding', 'refunded']
/** What speaks against undoing a row: a due that was paid, a payment that is no longer as it was entered. */
const isStuck = (row: BatchRow): boolean =>
  row.kind === 1
    ? paidStates.includes(row.state)
    : !row.isUndone && !(row.state === 'paid' && row.isPaidByIt && row.refundedFen === 0 && !row.hasRefund && row.isInvoice !== 1)

const mostNamed = 100
const refuseStuck = (rows: readonly BatchRow[]): Refusal | undefined => {
  const stuck = rows.filter(isStuck)
  if (stuck.length === 0) return undefined
  const refusal = refusePay(rows[0]?.kind === 2 ? 'pay/payment-moved-on' : 'pay/paid-in-batch', {})
  return {
    ...refusal,
    data: { rows: stuck.slice(0, mostNamed).map(({ row, name, signNo }) => ({ row, name, signNo })), total: stuck.length },
  }
}

/** Takes a payment back that an import has entered: the due is owed again, the ledger keeps both lines. Call in a transaction of its own. */
const takeBack = async (kit: PayKit, db: TenantDb, ctx: Ctx, row: BatchRow): Promise<void> => {
  const due = await lockDue(db, row.payId)
  if (!due) throw new Refused(refusePay('pay/changed-meanwhile', {}))
  const cleared = {
    paid_fen: 0,
    paid_time: null,
    pay_way: null,
    voucher_no: null,
    voucher_file_id: null,
    posted_by: null,
    confirmed_by: null,
    main_id: null,
  }
  if (!(await transition(db, 'exam_pay', due.id, { from: 'paid', to: 'due' }, cleared)))
    throw new Refused(refusePay('pay/changed-meanwhile', {}))
  await addLedger(db, { payId: due.id, kind: 'adjust', amountFen: -row.amountFen, evidence: `undo:${row.id}` })
  await enqueue(db, 'pay.lapse', { payId: due.id }, { runAt: due.deadline, jobKey: `lapse-${due.id}` })
  await mirror(kit, db, due.signupId)
  await tellOwner(kit, db, due, payTexts.payUndone(due.examName, row.amountFen), `payUndone:${row.id}`)
  await audit(db, ctx, {
    action: 'exampay.payment-undone',
    entity: 'exampay',
    entityId: due.id,
    before: { state: 'paid', amountFen: row.amountFen },
    after: { state: 'due' },
  })
}

const undoRows = async (kit: PayKit, ctx: Ctx, rows: readonly BatchRow[]): Promise<{ removed: number } | Refusal> => {
  if (
    !(await ctx.tx(db =>
      reachesDues(
        ctx,
        db,
        rows.map(row => row.payId),
      ),
    ))
  )
    return refuse('kernel/not-found', {})
  const stuck = refuseStuck(rows)
  if (stuck) return stuck
  const open = rows.filter(row => !row.isUndone)
  const dues = open.filter(row => row.kind === 1)
  if (dues.length > 0) {
    const voided = await voidByHand(
      kit,
      ctx,
      dues.map(row => row.payId),
    )
    if (isRefusal(voided)) return voided
  }
  await ctx.tx(async db => {
    // Read again under the locks that follow: a refund may have been asked for meanwhile.
    const again = refuseStuck(
      await listRows(
        db,
        open.filter(row => row.kind === 2).map(row => row.id),
      ),
    )
    if (again) throw new Refused(again)
    for (const row of open.filter(one => one.kind === 2)) await takeBack(kit, db, ctx, row)
    for (const row of dues) {
      const due = await lockDue(db, row.payId)
      if (due) await tellOwner(kit, db, due, payTexts.dueVoided(due.examName, due.payName, due.amountFen), `dueVoided:${due.id}`)
    }
  })
  return { removed: open.length }
}

/**
 * Undoes batches of an import as a whole (domain 5.11). Dues may only be void while none was paid; payments only while nothing was built on them. Safe to repeat when
 * it was cut off: rows that are undone are left alone.
 */
export const undoBatches = async (
  kit: PayKit,
  ctx: Ctx,
  input: { readonly ids: string; readonly examId: string; readonly itemId?: string | undefined },
): Promise<{ removed: number } | Refusal> => {
  const ids = [...new Set(idsOf(input.ids))]
  const { batches, rows } = await ctx.tx(async db => ({ batches: await lockBatches(db, ids), rows: await listBatchRows(db, ids) }))
  const fits = (batch: { examId: string; itemId: string }): boolean =>
    batch.examId === input.examId && (input.itemId === undefined || batch.itemId === input.itemId)
  if (batches.length !== ids.length || !batches.every(fits)) return refuse('kernel/not-found', {})
  if (batches.some(batch => batch.state !== 1)) return refusePay('pay/changed-meanwhile', {})
  const done = await undoRows(kit, ctx, rows)
  if (isRefusal(done)) return done
  await ctx.tx(async db => {
    for (const batch of await lockBatches(db, ids)) {
      if (batch.state !== 1) continue
      await markUndone(db, batch.id)
      await audit(db, ctx, {
        action: 'payrecordmain.batch-undone',
        entity: 'payrecordmain',
        entityId: batch.id,
        before: { state: 1 },
        after: { state: 2, rows: rows.filter(row => row.mainId === batch.id).length },
      })
    }
  })
  return done
}

/** Undoes single rows of batches that are in force. */
export const undoRecords = async (kit: PayKit, ctx: Ctx, idText: string): Promise<{ removed: number } | Refusal> => {
  const ids = [...new Set(idsOf(idText))]
  const rows = await ctx.tx(db => listRows(db, ids))
  if (rows.length !== ids.length) return refuse('kernel/not-found', {})
  if (rows.some(row => row.mainState !== 1 || row.isUndone)) return refusePay('pay/changed-meanwhile', {})
  return undoRows(kit, ctx, rows)
}
