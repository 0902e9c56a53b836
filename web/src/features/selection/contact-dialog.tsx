import { useState } from 'react'
import { api } from '#web/kernel/api.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useSaid } from '#web/kernel/said.ts'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import { LabelledInput, LabelledSelect } from '#web/ui/labelled.tsx'
import { selectionTexts } from './texts.ts'

/** Notes a telephone call to somebody who was called. */
export const ContactDialog = ({
  callId,
  name,
  onDone,
  onClose,
}: {
  readonly callId: string
  readonly name: string
  readonly onDone: () => void
  readonly onClose: () => void
}) => {
  const t = useT(selectionTexts)
  const [outcome, setOutcome] = useState<1 | 2 | 3 | 4>(1)
  const [note, setNote] = useSaid('')
  const run = async (): Promise<boolean> => {
    try {
      await api.call('POST /blade-signup/selection/noteContact', { callId, outcome, ...(note.trim() === '' ? {} : { note: note.trim() }) })
    } catch {
      return false // Said already.
    }
    notify('success', t('contact.done'))
    onDone()
    return true
  }
  return (
    <ActionDialog title={t('contact.add')} actions={[{ label: t('action.save'), run }]} hasChanges={() => note !== ''} onClose={onClose}>
      <p>{t('contact.lead', { name })}</p>
      <LabelledSelect
        label={t('contact.outcome')}
        value={outcome}
        onChange={setOutcome}
        options={([1, 2, 3, 4] as const).map(value => ({ value, label: t(`contact.${value}`) }))}
      />
      <LabelledInput label={t('contact.note')} maxLength={200} value={note} onChange={setNote} />
    </ActionDialog>
  )
}
