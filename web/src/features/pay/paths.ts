import { goTo } from '#web/shell/go.ts'

interface Identified {
  readonly id: string
}
/** Where one due, one order and one refund stand as pages. */
export const duePath = ({ id }: Identified): string => `/pay/examPay/${id}`
export const orderPath = ({ id }: Identified): string => `/pay/payOrder/${id}`
export const refundPath = ({ id }: Identified): string => `/pay/payRefund/${id}`

export const openDue = (row: Identified): void => goTo(duePath(row))
export const openOrder = (row: Identified): void => goTo(orderPath(row))
export const openRefund = (row: Identified): void => goTo(refundPath(row))
