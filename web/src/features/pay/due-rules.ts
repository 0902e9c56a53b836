import type { Row } from '#web/resource/fields.ts'

/** Numbers of domain 3.13 `examPay.state` and `payWay`. */
export const due = { exempt: 0, waiting: 1, paid: 2, overdue: 5 } as const
const wechat = 1
/** What a due waits for (`waitsFor`). */
export const waits = { approval: 1, confirmation: 2, transfer: 3 } as const
/** Whether the money came by another way than the provider, which then cannot send it back. */
export const cameByHand = (row: Row): boolean => Number(row.payWay ?? wechat) !== wechat

export const fenOfRow = (row: Row, name: string): number => Number(row[name] ?? 0)
/** What may still be asked back of a due or an order, in fen: the server's figure. */
export const refundableFen = (row: Row): number => fenOfRow(row, 'leftAmount')

export type DueWork = 'handUp' | 'confirm' | 'qr' | 'refund' | 'approve' | 'settle' | 'invoice' | 'undo' | 'reveal' | 'void'

/** What can be done about a due as it stands, whoever may do it. */
export const worksOf = (row: Row): readonly DueWork[] => {
  const state = Number(row.state)
  const isOpen = state === due.waiting || state === due.overdue
  const isPaid = state === due.paid
  return [
    // What waits for a person's word stands first.
    ...(fenOfRow(row, 'askedAmount') > 0 ? (['approve'] as const) : []),
    ...(fenOfRow(row, 'failedAmount') > 0 ? (['settle'] as const) : []),
    ...(isOpen ? [fenOfRow(row, 'postedAmount') > 0 ? ('confirm' as const) : ('handUp' as const)] : []),
    ...(state === due.waiting ? (['qr'] as const) : []),
    // What is asked for already waits for the second person, the due being paid meanwhile.
    ...(isPaid && refundableFen(row) > 0 ? (['refund'] as const) : []),
    ...(isPaid ? [Number(row.isInvoice) === 1 ? ('undo' as const) : ('invoice' as const)] : []),
    'reveal',
    ...(isOpen || state === due.exempt ? (['void'] as const) : []),
  ]
}
