/**
 * One line of the append-only ledger, signed, in fen. What a due counts as paid is the sum of `pay` and `adjust`, as refunded
 * the sum of `refund`. Money that may not be posted is still ours to give back, so it stands in `suspense` until it is
 * refunded (`suspenseRefund`) or accepted (`suspenseRelease` together with `pay`): the sum of all lines is always the sum
 * that lies at the provider.
 */
export type LedgerEntry = {
  readonly kind: 'pay' | 'refund' | 'adjust' | 'suspense' | 'suspenseRefund' | 'suspenseRelease'
  readonly amountFen: number
}
