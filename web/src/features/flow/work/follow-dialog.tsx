import { useT } from '#web/kernel/i18n/index.ts'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import { Progress } from './progress.tsx'
import { workTexts } from './texts.ts'

/** Picture and record of one process, over the list it was chosen from. */
export const FollowDialog = ({
  processInstanceId,
  name,
  onClose,
}: {
  readonly processInstanceId: string
  readonly name: string
  readonly onClose: () => void
}) => {
  const t = useT(workTexts)
  return (
    <ActionDialog title={t('follow.title', { name })} size="drawer" onClose={onClose}>
      <Progress processInstanceId={processInstanceId} />
    </ActionDialog>
  )
}
