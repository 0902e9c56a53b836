import type { PayChannel } from '#contract/pay/channel.ts'
import { type ApiInput, api } from '#web/kernel/api.ts'
import type { Query } from '#web/kernel/request.ts'
import type { OrderState, Qr } from './wire.ts'

const get = <T>(path: string, query?: Query, signal?: AbortSignal): Promise<T> =>
  api.request<T>({ method: 'GET', path, query, quiet: true, ...(signal === undefined ? {} : { signal }) })

const post = <T>(path: string, body: unknown, quiet: boolean | 'fields' = false): Promise<T> =>
  api.request<T>({ method: 'POST', path, body, quiet })

export type SubmitInput = ApiInput<'POST /blade-signup/signup/submit'>

/** Changing calls, and those that a press asks for. */
export const writes = {
  /** The form shows what is wrong itself. `idempotencyKey` is the same for each try of one submit. */
  submit: (input: SubmitInput, idempotencyKey?: string) =>
    api.call('POST /blade-signup/signup/submit', input, { quiet: true, ...(idempotencyKey === undefined ? {} : { idempotencyKey }) }),
  dropDraft: (examId: string) => api.call('POST /blade-signup/signup/dropDraft', { examId }),
  withdraw: (ids: string) => api.call('POST /blade-signup/signup/remove', { ids }),
  /** The page shows why it was refused. */
  chooseReduction: (of: { signupId: string; choice: 1 | 2; toCode?: string }) =>
    api.call('POST /blade-signup/signup/savePostReductionInfo', of, { quiet: true }),
  payQr: (payId: string, channel: PayChannel) => get<Qr>('/blade-exam/examination/getPayQrcode', { payId, channel }),
  checkOrder: (orderNo: string, signal?: AbortSignal) => get<OrderState>('/blade-exam/examination/checkOrder', { orderNo }, signal),
  payWays: (payId: string) => api.call('GET /pay/wxpay/ways', { payId }, { quiet: true }),
  prepay: (input: ApiInput<'POST /pay/wxpay/prepay'>) => api.call('POST /pay/wxpay/prepay', input, { quiet: true }),
  askInvoice: (ids: string, invoiceTitle: string, invoiceTaxNo: string) =>
    api.call(
      'POST /blade-exam/examination/sureInvoice',
      { ids, isInvoice: 2, invoiceTitle, ...(invoiceTaxNo === '' ? {} : { invoiceTaxNo }) },
      { quiet: 'fields' },
    ),
  closeOrder: (orderNo: string) => post('/blade-exam/examination/closePayOrder', { orderNo }),
  askRefund: (payId: string, reason: string) => post('/blade-exam/examination/backPay', { payId, reason }),
  takeRefundBack: (payId: string) => post('/blade-exam/examination/backPay', { payId, takeBack: 1 }),
  readNotify: (of: { id: string } | { all: 1 }) => post('/blade-exam/examination/readNotify', of, true),
  readNotice: (id: string) => api.call('POST /blade-exam/examination/readNotice', { id }, { quiet: true }),
  /** `textVersion` of a notice: that of the text on the screen. */
  sureNotify: (id: string, textVersion?: number) =>
    post('/blade-exam/examination/sureNotify', { id, ...(textVersion === undefined ? {} : { textVersion }) }),
  /** The rules on the ticket have been read; the server asks for it before it gives the PDF. */
  readTicketNotice: (examId: string) => api.call('POST /blade-ticketNotice/ticketnotice/readTicketNotice', { examId }, { quiet: true }),
  ticketPdf: (id: string, type: number) =>
    api.blob({ method: 'GET', path: '/blade-signup/signup/exportTicket', query: { id, type }, timeoutMs: 120_000 }),
  noteTicketDown: (eid: string, itemId: string, type: number) =>
    post('/blade-ticketNotice/ticketnotice/saveTicketDownInfo', { eid, itemId, type }, true),
} as const
