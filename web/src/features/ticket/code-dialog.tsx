import { useState } from 'react'
import { useT } from '#web/kernel/i18n/index.ts'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import { LabelledInput } from '#web/ui/labelled.tsx'
import { ticketTexts } from './texts.ts'

/** A question about many tickets at once: the code of the examination is typed by hand. */
export const CodeDialog = ({
  title,
  lead,
  ok,
  examCode,
  onRun,
  onClose,
}: {
  readonly title: string
  readonly lead: string
  readonly ok: string
  readonly examCode: string
  /** Answers whether the dialog may close. */
  readonly onRun: (code: string) => Promise<boolean>
  readonly onClose: () => void
}) => {
  const t = useT(ticketTexts)
  const [code, setCode] = useState('')
  const [wrong, setWrong] = useState(false)
  const run = async (): Promise<boolean> => {
    const differs = code.trim().toUpperCase() !== examCode.toUpperCase()
    setWrong(differs)
    return !differs && onRun(examCode)
  }
  return (
    <ActionDialog title={title} actions={[{ label: ok, tone: 'danger', run }]} onClose={onClose}>
      <p>{lead}</p>
      <LabelledInput
        label={t('confirm.code', { code: examCode })}
        error={wrong ? t('confirm.wrong') : undefined}
        value={code}
        onChange={setCode}
      />
    </ActionDialog>
  )
}
