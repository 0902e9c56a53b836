import type { Label } from '#contract/kernel/label.ts'
import { isTicketNo } from './numbering.ts'

/**
 * What is wrong with a ticket number that an import brings (domain 7.5): 6–20 digits or letters; one of twelve digits must carry its check
 * digit, any other follows a scheme of its own.
 */
export const numberFault = (ticketNo: string): { readonly code: string; readonly reason: Label } | undefined => {
  if (!/^[0-9A-Za-z]{6,20}$/.test(ticketNo))
    return { code: 'ticket-no', reason: { zh: '准考证号须为 6–20 位数字或字母', en: 'A ticket number has 6 to 20 digits or letters' } }
  if (/^\d{12}$/.test(ticketNo) && !isTicketNo(ticketNo))
    return { code: 'check-digit', reason: { zh: '准考证号校验位不正确', en: 'The check digit of the ticket number is wrong' } }
  return undefined
}
