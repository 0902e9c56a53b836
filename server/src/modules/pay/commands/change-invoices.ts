import { refuse, refuseField } from '#contract/kernel/errors.ts'
import { idsOf } from '#contract/kernel/ids.ts'
import type { Refusal } from '#contract/kernel/refusal.ts'
import type { InputOf } from '#contract/kernel/route.ts'
import { numberKey, taxNumberOf } from '#contract/pay/numbers.ts'
import { refusePay } from '#contract/pay/pay.errors.ts'
import type { sureInvoice } from '#contract/pay/pay.routes.ts'
import { audit } from '#kernel/audit.ts'
import { type Ctx, sessionOf } from '#kernel/http/context.ts'
import { applyForInvoices, lockDuesForInvoice, lockReceiptNumbers, receiptNumbersOfOthers, recordInvoices } from '../data/invoice.repo.ts'
import { reachesDues } from './pay-scope.ts'

/**
 * A candidate applies for invoices of paid dues (2); finance says that they were issued (1), or that they were not after all (0).
 * Refusals: kernel/forbidden, kernel/not-found, pay/title-needed, pay/receipt-needed, pay/receipt-used, pay/changed-meanwhile.
 */
export const changeInvoices = async (ctx: Ctx, input: InputOf<typeof sureInvoice>): Promise<{ changed: number } | Refusal> => {
  const { userId, userType } = sessionOf(ctx)
  const isApplication = input.isInvoice === 2
  const ids = idsOf(input.ids)
  if ((userType === 2) !== isApplication) return refuse('kernel/forbidden', {})
  if (!(await ctx.tx(db => reachesDues(ctx, db, ids)))) return refuse('kernel/not-found', {})
  const refuseNo = (refusal: Refusal): Refusal => ({ ...refusal, data: { fields: [{ field: 'invoiceNo', msg: ctx.say(refusal.text) }] } })
  const no = input.invoiceNo?.trim() ?? ''
  const title = input.invoiceTitle?.trim() || null
  const typedTaxNo = input.invoiceTaxNo?.trim() ?? ''
  const taxNo = typedTaxNo === '' ? null : (taxNumberOf(typedTaxNo) ?? null)
  if (typedTaxNo !== '' && taxNo === null)
    return refuseField('invoiceTaxNo', {
      zh: '纳税人识别号应为 15、18 或 20 位，且校验位正确',
      en: 'A taxpayer number has 15, 18 or 20 characters with the right check character',
    })
  if (isApplication && title === null) return refusePay('pay/title-needed', {})
  if (input.isInvoice === 1 && no === '') return refuseNo(refusePay('pay/receipt-needed', {}))
  return ctx.asSystem('a candidate may apply for a receipt but not write dues', async db => {
    const dues = await lockDuesForInvoice(db, ids, isApplication ? userId : undefined)
    if (dues.length !== ids.length) return refuse('kernel/not-found', {})
    if (!dues.every(due => due.state === 'paid' && !(isApplication && due.isInvoice === 1))) return refusePay('pay/changed-meanwhile', {})
    if (input.isInvoice === 1) {
      await lockReceiptNumbers(db)
      if ((await receiptNumbersOfOthers(db, [no], ids)).size > 0) return refuseNo(refusePay('pay/receipt-used', {}))
    }
    // A number that was given out is undone first, which its trail shows; another link of the same receipt is no other receipt.
    const issued = dues.find(due => input.isInvoice === 1 && due.isInvoice === 1 && numberKey(due.invoiceNo ?? '') !== numberKey(no))
    if (issued) return refuseNo(refusePay('pay/receipt-issued', { no: issued.invoiceNo ?? '' }))
    if (isApplication) await applyForInvoices(db, ids, { title: title ?? '', taxNo })
    else {
      const invoice = {
        no: no || null,
        url: input.invoiceUrl || null,
        isIssued: input.isInvoice === 1,
        ...(input.isInvoice === 1 ? { title, taxNo } : {}),
      }
      await recordInvoices(db, ids, invoice, userId)
    }
    for (const due of dues)
      await audit(db, ctx, {
        action: 'exampay.invoice-changed',
        entity: 'exampay',
        entityId: due.id,
        before: { isInvoice: due.isInvoice, invoiceNo: due.invoiceNo, title: due.invoiceTitle, taxNo: due.invoiceTaxNo },
        after: {
          isInvoice: input.isInvoice,
          invoiceNo: no || null,
          ...(title === null ? {} : { title }),
          ...(taxNo === null ? {} : { taxNo }),
        },
      })
    return { changed: dues.length }
  })
}
