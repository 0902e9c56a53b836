import { useState } from 'react'
import { api } from '#web/kernel/api.ts'
import { fieldTexts } from '#web/kernel/field-texts.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useCall } from '#web/kernel/query.ts'
import { useSaid } from '#web/kernel/said.ts'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { LabelledInput } from '#web/ui/labelled.tsx'
import { Loaded } from '#web/ui/states.tsx'
import { userTexts } from './texts.ts'

/** What the platform keeps of a user beside the account. */
export const PlatformDialog = ({
  id,
  mayEdit,
  onClose,
}: {
  readonly id: string
  readonly mayEdit: boolean
  readonly onClose: () => void
}) => {
  const t = useT(userTexts)
  const found = useCall('GET /blade-system/user/platform-detail', { id }, { staleTimeMs: 0 })
  const [typed, setTyped] = useState<string | null>(null)
  const [wrong, setWrong] = useSaid<string | undefined>(undefined)
  const save = async (): Promise<boolean> => {
    try {
      await api.call('POST /blade-system/user/update-platform', { userId: id, userExt: typed ?? '' }, { quiet: 'fields' })
    } catch (error) {
      setWrong(Object.values(fieldTexts(error))[0])
      return false
    }
    await found.refetch()
    notify('success', t('done.updated'))
    return true
  }
  return (
    <ActionDialog
      title={t('user.platform')}
      actions={mayEdit ? [{ label: t('action.save'), disabled: typed === null, run: save }] : []}
      hasChanges={() => typed !== null && typed !== found.data?.userExt}
      onClose={onClose}
    >
      <Loaded query={found} skeletonRows={3}>
        {of => (
          <>
            <Facts items={[{ key: 'kind', label: t('user.kind'), value: t(`user.kind.${of.userType as 1 | 2 | 3}`) }]} />
            <LabelledInput
              label={t('user.platform.data')}
              rows={8}
              maxLength={2000}
              disabled={!mayEdit}
              error={wrong}
              value={typed ?? of.userExt}
              onChange={setTyped}
            />
          </>
        )}
      </Loaded>
    </ActionDialog>
  )
}
