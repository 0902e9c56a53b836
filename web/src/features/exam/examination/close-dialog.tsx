import { useState } from 'react'
import { isExamCode } from '#contract/exam/exam-code.ts'
import { fieldTexts } from '#web/kernel/field-texts.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useSaid } from '#web/kernel/said.ts'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import { LabelledInput } from '#web/ui/labelled.tsx'
import { closeExam } from '../calls.ts'
import { examTexts } from '../texts.ts'
import type { ExamRow } from '../wire.ts'

export type Closing = 'close' | 'reopen' | 'archive'
const stateOf = { close: 2, reopen: 1, archive: 3 } as const
const longestReason = 200

/** Closing, opening again and archiving: a reason, and the code typed by hand so that nobody closes the wrong one. */
export const CloseDialog = ({
  exam,
  way,
  onClose,
  onDone,
}: {
  readonly exam: ExamRow
  readonly way: Closing
  readonly onClose: () => void
  readonly onDone: () => void
}) => {
  const t = useT(examTexts)
  const [reason, setReason] = useState('')
  const [code, setCode] = useState('')
  const [wrong, setWrong] = useSaid<Readonly<Record<string, string>>>({})
  const send = async (): Promise<boolean> => {
    const problems = {
      ...(reason.trim() === '' ? { reason: t('close.reason.required') } : {}),
      ...(isExamCode(code, exam.examCode) ? {} : { confirmCode: t('close.code.wrong') }),
    }
    setWrong(problems)
    if (Object.keys(problems).length > 0) return false
    try {
      await closeExam({ id: exam.id, state: stateOf[way], reason: reason.trim(), confirmCode: code.trim() })
    } catch (error) {
      setWrong(fieldTexts(error))
      return false
    }
    notify('success', t(`${way}.done`, { name: exam.examName }))
    onDone()
    return true
  }
  return (
    <ActionDialog
      title={t(`${way}.title`)}
      hasChanges={() => reason !== ''}
      actions={[{ label: t(`exam.${way}`), tone: way === 'reopen' ? 'primary' : 'danger', run: send }]}
      onClose={onClose}
    >
      <p>{t(`${way}.lead`, { name: exam.examName })}</p>
      <LabelledInput
        label={t('close.reason')}
        error={wrong.reason}
        rows={3}
        maxLength={longestReason}
        value={reason}
        onChange={setReason}
      />
      <LabelledInput label={t('close.code', { code: exam.examCode })} error={wrong.confirmCode} value={code} onChange={setCode} />
    </ActionDialog>
  )
}
