import { useState } from 'react'
import { api } from '#web/kernel/api.ts'
import { minuteOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useSaid } from '#web/kernel/said.ts'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import { LabelledInput } from '#web/ui/labelled.tsx'
import { SentPreviews } from './previews.tsx'
import { begunText, type Task } from './shared.tsx'
import { sendTexts } from './texts.ts'

/** The second person's word about a task. */
export const ApproveDialog = ({
  task,
  onDone,
  onClose,
}: {
  readonly task: Task
  readonly onDone: () => void
  readonly onClose: () => void
}) => {
  const t = useT(sendTexts)
  const [reason, setReason] = useState('')
  const [wrong, setWrong] = useSaid<string | undefined>(undefined)
  const decide = async (pass: 0 | 1): Promise<boolean> => {
    const text = reason.trim()
    setWrong(pass === 0 && text === '' ? t('approve.missing') : undefined)
    if (pass === 0 && text === '') return false
    let begun = ''
    try {
      const answer = await api.call('POST /blade-send/send/approve', { sendId: task.id, pass, ...(text === '' ? {} : { reason: text }) })
      begun = answer.waitUntil === null ? t('approve.done') : begunText(t, answer)
    } catch {
      return false // The api client has said why.
    }
    notify('success', pass === 0 ? t('approve.done.refused') : begun)
    onDone()
    return true
  }
  return (
    <ActionDialog
      title={t('approve')}
      actions={[
        { label: t('approve.refuse'), tone: 'danger', run: () => decide(0) },
        { label: t('approve.pass'), run: () => decide(1) },
      ]}
      hasChanges={() => reason !== ''}
      onClose={onClose}
    >
      <p>{t('approve.lead', { title: task.title, total: task.total, parts: task.parts })}</p>
      <p>
        {t('approve.from', {
          name: task.createName,
          time: task.scheduleTime === null ? t('approve.now') : t('scheduled', { time: minuteOf(task.scheduleTime) }),
        })}
      </p>
      <h3>{t('wizard.preview')}</h3>
      <SentPreviews sendId={task.id} channel={task.channel} />
      <LabelledInput label={t('approve.reason')} error={wrong} maxLength={200} value={reason} onChange={setReason} />
    </ActionDialog>
  )
}
