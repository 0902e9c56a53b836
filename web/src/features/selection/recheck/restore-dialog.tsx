import { useState } from 'react'
import { api } from '#web/kernel/api.ts'
import { fieldTexts } from '#web/kernel/api-error.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import { LabelledInput } from '#web/ui/labelled.tsx'
import { restoreTexts } from './restore-texts.ts'

/** Proposes to restore somebody, or decides on the proposal that waits. */
export const RestoreDialog = ({
  signUpId,
  name,
  waiting,
  onDone,
  onClose,
}: {
  readonly signUpId: string
  readonly name: string
  readonly waiting: { readonly id: string; readonly reason: string } | undefined
  readonly onDone: () => void
  readonly onClose: () => void
}) => {
  const t = useT(restoreTexts)
  const [reason, setReason] = useState('')
  const [wrong, setWrong] = useState('')
  const send = (run: (text: string) => Promise<string>) => async (): Promise<boolean> => {
    const text = reason.trim()
    setWrong(text.length < 2 ? t('restore.missing') : '')
    if (text.length < 2) return false
    try {
      notify('success', await run(text))
      onDone()
      return true
    } catch (error) {
      const said = fieldTexts(error)
      setWrong(said['reason'] ?? said['decision'] ?? '')
      return false
    }
  }
  const propose = send(async text => {
    await api.call('POST /blade-signup/selection/proposeRestore', { signUpId, reason: text }, { quiet: 'fields' })
    return t('restore.proposed.ok')
  })
  const decide = (id: string, outcome: 1 | 2) =>
    send(async decision => {
      const { seats } = await api.call('POST /blade-signup/selection/decideRestore', { id, outcome, decision }, { quiet: 'fields' })
      return seats > 0 ? t('restore.decided.seats', { count: seats }) : t('restore.decided.ok')
    })
  return (
    <ActionDialog
      title={t(waiting === undefined ? 'restore.propose.title' : 'restore.decide.title', { name })}
      actions={
        waiting === undefined
          ? [{ label: t('restore.propose'), tone: 'primary', run: propose }]
          : [
              { label: t('restore.dismiss'), tone: 'danger', run: decide(waiting.id, 2) },
              { label: t('restore.grant'), tone: 'primary', run: decide(waiting.id, 1) },
            ]
      }
      hasChanges={() => reason !== ''}
      onClose={onClose}
    >
      <p>{t(waiting === undefined ? 'restore.propose.lead' : 'restore.decide.lead')}</p>
      {waiting === undefined ? null : <blockquote>{waiting.reason}</blockquote>}
      <LabelledInput
        label={t(waiting === undefined ? 'restore.reason' : 'restore.decision')}
        error={wrong || undefined}
        rows={3}
        maxLength={500}
        value={reason}
        onChange={setReason}
      />
    </ActionDialog>
  )
}
