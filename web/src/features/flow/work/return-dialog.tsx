import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { applicantStep } from '#contract/flow/process-graph.ts'
import { api } from '#web/kernel/api.ts'
import { fieldTexts } from '#web/kernel/field-texts.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useSaid } from '#web/kernel/said.ts'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import { LabelledInput, LabelledSelect } from '#web/ui/labelled.tsx'
import { refreshWork } from './refresh.ts'
import { workTexts } from './texts.ts'

interface Props {
  readonly taskId: string
  readonly targets: readonly { readonly key: string; readonly name: string }[]
  readonly onClose: () => void
  readonly onDone: () => void
}

/** Has a passed step done again, or the applicant mend what they asked for. */
export const ReturnDialog = ({ taskId, targets, onClose, onDone }: Props) => {
  const t = useT(workTexts)
  const client = useQueryClient()
  const [to, setTo] = useState(targets[0]?.key ?? '')
  const [comment, setComment] = useState('')
  const [wrong, setWrong] = useSaid<string | undefined>(undefined)
  const run = async (): Promise<boolean> => {
    const text = comment.trim()
    setWrong(text === '' ? t('act.return.need') : undefined)
    if (text === '') return false
    try {
      await api.call('POST /blade-flow/work/return-task', { taskId, to, comment: text }, { quiet: 'fields' })
    } catch (error) {
      setWrong(Object.values(fieldTexts(error))[0])
      return false
    }
    notify('success', t('act.return.done'))
    await refreshWork(client)
    onDone()
    return true
  }
  return (
    <ActionDialog
      title={t('act.return')}
      actions={[{ label: t('act.return'), tone: 'danger', run }]}
      hasChanges={() => comment !== ''}
      onClose={onClose}
    >
      <LabelledSelect
        label={t('act.return.to')}
        value={to}
        options={targets.map(({ key, name }) => ({ value: key, label: name }))}
        onChange={setTo}
      />
      <p className="flow-hint">
        {to === applicantStep
          ? t('act.return.lead.applicant')
          : t('act.return.lead', { step: targets.find(({ key }) => key === to)?.name ?? '' })}
      </p>
      <LabelledInput label={t('act.return.reason')} error={wrong} maxLength={500} rows={3} value={comment} onChange={setComment} />
    </ActionDialog>
  )
}
