/** A receipt that the provider has made out by itself, or has reversed (冲红). */
export type ReceiptFact = {
  readonly orderNo: string
  readonly receiptNo: string
  readonly url: string | undefined
  readonly isReversed: boolean
  readonly issuedAt: Date
}
