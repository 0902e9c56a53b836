import { useT } from '#web/kernel/i18n/index.ts'
import type { Row } from '#web/resource/fields.ts'
import { payTexts } from './texts.ts'

export const refundReasons = ['postCancelled', 'duplicate', 'mistake', 'other'] as const
/** Why a refund is asked for: one of the reasons, or the person's own words. */
export const RefundReason = ({ due }: { readonly due: Row }) => {
  const t = useT(payTexts)
  const text = String(due.askedReason ?? '')
  const reason = refundReasons.find(one => one === text)
  return reason === undefined ? text || '-' : t(`reason.${reason}`)
}
