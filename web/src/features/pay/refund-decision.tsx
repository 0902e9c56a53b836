import { api } from '#web/kernel/api.ts'
import { yuanOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import type { Row } from '#web/resource/fields.ts'
import { NotDone } from '#web/ui/not-done.ts'
import { ReasonDialog } from '#web/ui/reason-dialog.tsx'
import { booksTexts } from './books-texts.ts'
import { fenOfRow } from './due-rules.ts'

/** It waits for a second person's word and no transfer: those with a voucher are dealt with at their due. */
export const isToApprove = (refund: Row): boolean => Number(refund.waitsFor) === 1

interface Answer {
  readonly done: number
  readonly failed: readonly { readonly refundNo: string; readonly reason: string }[]
}
export const decideRefunds = (body: { readonly ids: string; readonly approve: 1 | 2; readonly reason?: string }): Promise<Answer> =>
  api.request<Answer>({ method: 'POST', path: '/blade-payRefund/payrefund/approve', body, quiet: 'fields' })

/** Refuses a refund and says why: its applicant reads it. */
export const RefuseDialog = ({
  refund,
  onClose,
  onDone,
}: {
  readonly refund: Row
  readonly onClose: () => void
  readonly onDone: () => void
}) => {
  const t = useT(booksTexts)
  const send = async (reason: string) => {
    const { failed } = await decideRefunds({ ids: refund.id, approve: 2, reason })
    const [problem] = failed
    if (problem !== undefined) throw new NotDone(problem.reason)
    notify('success', t('refunds.refused'))
    onDone()
  }
  return (
    <ReasonDialog
      title={t('refunds.refuseTitle')}
      lead={t('refunds.refuseLead', { name: String(refund.name ?? ''), amount: yuanOf(fenOfRow(refund, 'amount')) })}
      label={t('refunds.refuseReason')}
      missing={t('refunds.refuseMissing')}
      ok={t('refunds.refuse')}
      send={send}
      onClose={onClose}
    />
  )
}
