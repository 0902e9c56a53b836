import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#web/kernel/api.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import { LabelledInput } from '#web/ui/labelled.tsx'
import { refreshWork } from './refresh.ts'
import { workTexts } from './texts.ts'

/** The applicant takes back what nobody has decided on. */
export const WithdrawDialog = ({
  processInstanceId,
  name,
  onClose,
}: {
  readonly processInstanceId: string
  readonly name: string
  readonly onClose: () => void
}) => {
  const t = useT(workTexts)
  const client = useQueryClient()
  const [reason, setReason] = useState('')
  const run = async (): Promise<boolean> => {
    const text = reason.trim()
    const done = await api
      .call('POST /blade-flow/work/withdraw-process', { processInstanceId, ...(text === '' ? {} : { reason: text }) })
      .catch(() => null)
    await refreshWork(client)
    if (done === null) return false
    notify('success', t('act.withdraw.done'))
    return true
  }
  return (
    <ActionDialog
      title={t('act.withdraw')}
      actions={[{ label: t('act.withdraw'), tone: 'danger', run }]}
      hasChanges={() => reason !== ''}
      onClose={onClose}
    >
      <p>{t('act.withdraw.lead', { name })}</p>
      <LabelledInput label={t('act.withdraw.reason')} maxLength={500} rows={2} value={reason} onChange={setReason} />
    </ActionDialog>
  )
}
