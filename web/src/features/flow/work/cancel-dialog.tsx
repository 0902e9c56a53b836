import { useQueryClient } from '@tanstack/react-query'
import { api } from '#web/kernel/api.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { listKey } from '#web/resource/crud-page.tsx'
import { ReasonDialog } from '#web/ui/reason-dialog.tsx'
import { refreshWork } from './refresh.ts'
import { workTexts } from './texts.ts'

/** Ends a running process for good; it is kept with the reason. */
export const CancelDialog = ({
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
  return (
    <ReasonDialog
      title={t('act.cancel')}
      lead={t('act.cancel.lead', { name })}
      label={t('act.cancel.reason')}
      missing={t('act.cancel.need')}
      ok={t('act.cancel')}
      send={async deleteReason => {
        await api.call('POST /blade-flow/follow/delete-process-instance', { processInstanceId, deleteReason }, { quiet: 'fields' })
        notify('success', t('act.cancel.done'))
        await Promise.all([refreshWork(client), client.invalidateQueries({ queryKey: listKey('flow-follow') })])
      }}
      onClose={onClose}
    />
  )
}
