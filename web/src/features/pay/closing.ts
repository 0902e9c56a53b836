/** Why an order was closed: what the program notes of itself, by the name of its words. */
const closings = {
  expired: 'expired',
  'exam closed': 'examClosed',
  closePayOrder: 'closePayOrder',
  delExamPay: 'delExamPay',
  handleUp: 'handleUp',
  replaced: 'replaced',
  CLOSED: 'atProvider',
  REVOKED: 'atProvider',
} as const
type Closing = (typeof closings)[keyof typeof closings]

/** @returns null for what people wrote, which is shown as it is */
export const closingOf = (reason: unknown): Closing | null => {
  const text = String(reason ?? '')
  return Object.hasOwn(closings, text) ? closings[text as keyof typeof closings] : null
}
