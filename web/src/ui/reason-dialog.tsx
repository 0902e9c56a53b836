import { useState } from 'react'
import { fieldTexts } from '../kernel/field-texts.ts'
import { useSaid } from '../kernel/said.ts'
import { ActionDialog } from './action-dialog.tsx'
import { LabelledInput } from './labelled.tsx'
import { NotDone } from './not-done.ts'

interface Props {
  readonly title: string
  /** What will happen, and to what by name. */
  readonly lead: string
  readonly label: string
  /** Said when no reason was given. */
  readonly missing: string
  readonly ok: string
  /** Sends the trimmed reason; what it throws about a field is shown. */
  readonly send: (reason: string) => Promise<unknown>
  readonly onClose: () => void
}

/** Something that cannot be taken back and is kept with its reason. */
export const ReasonDialog = ({ title, lead, label, missing, ok, send, onClose }: Props) => {
  const [reason, setReason] = useState('')
  const [wrong, setWrong] = useSaid<string | undefined>(undefined)
  const run = async (): Promise<boolean> => {
    const text = reason.trim()
    setWrong(text === '' ? missing : undefined)
    if (text === '') return false
    try {
      await send(text)
      return true
    } catch (error) {
      setWrong(error instanceof NotDone ? error.message : Object.values(fieldTexts(error))[0]) // Without fields the api client has said why.
      return false
    }
  }
  return (
    <ActionDialog title={title} actions={[{ label: ok, tone: 'danger', run }]} hasChanges={() => reason !== ''} onClose={onClose}>
      <p>{lead}</p>
      <LabelledInput label={label} error={wrong} maxLength={200} value={reason} onChange={setReason} />
    </ActionDialog>
  )
}
