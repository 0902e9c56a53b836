import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { lockDue } from '../data/due.repo.ts'
import { keepReceipt, showLatestReceipt } from '../data/invoice.repo.ts'
import { findOrder } from '../data/order.repo.ts'
import type { PayKit } from '../deps.ts'
import type { ReceiptFact } from '../domain/receipt.ts'
import { payTexts } from '../templates/notices.ts'
import { tellOwner } from './news.ts'

/**
 * A receipt that the provider has made out or reversed by itself, by notice or query. It stands on the due that its payment is for; the receipt of a payment
 * in suspense is kept with the order and leaves the due alone. The same news again, in whatever order, changes nothing.
 */
export const noteReceipt = async (
  kit: PayKit,
  db: TenantDb,
  receipt: ReceiptFact,
): Promise<'issued' | 'reversed' | 'repeat' | 'unknownOrder'> => {
  const order = await findOrder(db, receipt.orderNo)
  const due = order && (await lockDue(db, order.payId))
  if (!order || !due) return 'unknownOrder'
  if (!(await keepReceipt(db, order.id, receipt))) return 'repeat'
  const kind = receipt.isReversed ? 'reversed' : 'issued'
  if (due.orderId !== order.id) return kind
  const latest = await showLatestReceipt(db, due.id, order.id)
  if (kind === 'issued' && latest?.no === receipt.receiptNo)
    await tellOwner(kit, db, due, payTexts.receiptIssued(due.examName, receipt.receiptNo), `receiptIssued:${order.id}:${receipt.receiptNo}`)
  await audit(db, undefined, {
    action: 'exampay.invoice-changed',
    entity: 'exampay',
    entityId: due.id,
    before: { isInvoice: due.isInvoice },
    after: { isInvoice: latest ? 1 : 0, invoiceNo: latest?.no ?? null },
  })
  return kind
}
