import { useState } from 'react'
import { fieldTexts } from '#web/kernel/field-texts.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { useSaid } from '#web/kernel/said.ts'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import { LabelledInput } from '#web/ui/labelled.tsx'
import { changeTexts } from './change-texts.ts'

interface Props {
  readonly title: string
  /** What will happen, and to whom by name. */
  readonly lead: string
  /** Of a reset that is recorded with its reason. */
  readonly reason?: { readonly label: string; readonly missing: string }
  readonly send: (given: { readonly reason: string; readonly document: string }) => Promise<unknown>
  readonly onClose: () => void
}

/** Reset of what somebody logs in with: by two persons, at once where both were shown the same document. */
export const ResetDialog = ({ title, lead, reason: asked, send, onClose }: Props) => {
  const t = useT(changeTexts)
  const [reason, setReason] = useState('')
  const [document, setDocument] = useState('')
  const [wrong, setWrong] = useSaid<string | undefined>(undefined)
  const run = async (): Promise<boolean> => {
    const given = { reason: reason.trim(), document: document.trim() }
    const isMissing = asked !== undefined && given.reason === ''
    setWrong(isMissing ? asked.missing : undefined)
    if (isMissing) return false
    try {
      await send(given)
      return true
    } catch (error) {
      setWrong(Object.values(fieldTexts(error))[0]) // Without fields the api client has said why.
      return false
    }
  }
  return (
    <ActionDialog
      title={title}
      actions={[{ label: title, tone: 'danger', run }]}
      hasChanges={() => reason !== '' || document !== ''}
      onClose={onClose}
    >
      <p>{lead}</p>
      {asked === undefined ? null : <LabelledInput label={asked.label} error={wrong} maxLength={200} value={reason} onChange={setReason} />}
      <LabelledInput label={t('document.label')} maxLength={200} value={document} onChange={setDocument} />
    </ActionDialog>
  )
}
