import { api } from '#web/kernel/api.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { ReasonDialog } from '#web/ui/reason-dialog.tsx'
import { reviewTexts } from '../texts.ts'
import { recuseTexts } from './recuse-texts.ts'

/** A reviewer who knows the candidate says so; somebody else gets the sign-up at once. */
export const RecuseDialog = ({
  signUpId,
  name,
  onDone,
  onClose,
}: {
  readonly signUpId: string
  readonly name: string
  readonly onDone: (nextId: string | null) => void
  readonly onClose: () => void
}) => {
  const t = useT(recuseTexts)
  const declare = useT(reviewTexts)('recuse.button')
  return (
    <ReasonDialog
      title={`${declare} · ${name}`}
      lead={t('recuse.lead')}
      label={t('recuse.reason')}
      missing={t('recuse.need')}
      ok={declare}
      onClose={onClose}
      send={async reason => {
        const { nextId } = await api.call('POST /blade-signup/examine/recuse', { signUpId, reason }, { quiet: 'fields' })
        notify('success', t('recuse.done'))
        onDone(nextId)
      }}
    />
  )
}
