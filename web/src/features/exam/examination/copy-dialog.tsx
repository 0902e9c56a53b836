import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { copyMark } from '#contract/exam/copy-mark.ts'
import { workspacePath } from '#web/console/page-entry.ts'
import { fieldTexts } from '#web/kernel/field-texts.ts'
import { useLabel, useT } from '#web/kernel/i18n/index.ts'
import { useSaid } from '#web/kernel/said.ts'
import { DayInput } from '#web/resource/day-input.tsx'
import { indexOfStep } from '#web/resource/exam-steps.ts'
import { goTo } from '#web/shell/go.ts'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import { LabelledInput } from '#web/ui/labelled.tsx'
import { Loaded } from '#web/ui/states.tsx'
import { freeNoOf, saveExam, useExam } from '../calls.ts'
import { examTexts } from '../texts.ts'
import type { ExamDetail } from '../wire.ts'
import { bodyOf, nameFor } from './copy.ts'

const nextYear = (day: string): string => `${Number(day.slice(0, 4)) + 1}${day.slice(4, 10)}`

/** Four things that a copy cannot have of its pattern; everything else comes along. */
const Form = ({ exam, onClose, onDone }: { readonly exam: ExamDetail; readonly onClose: () => void; readonly onDone: () => void }) => {
  const t = useT(examTexts)
  const [signDay, setSignDay] = useState(exam.signBegin === null ? '' : nextYear(exam.signBegin))
  const label = useLabel()
  const [examName, setExamName] = useState(nameFor(exam.examName, Number(signDay.slice(0, 4)) || exam.year + 1, label(copyMark)))
  const [examCode, setExamCode] = useState('')
  const year = Number(/^2\d{3}/.exec(signDay)?.[0])
  const { data: offered } = useQuery({ queryKey: ['exam-no', year], queryFn: () => freeNoOf(year), enabled: year > 0, gcTime: 0 })
  const [typedNo, setExamNo] = useState<string | null>(null)
  const examNo = typedNo ?? String(offered ?? '')
  const [wrong, setWrong] = useSaid<Readonly<Record<string, string>>>({})
  const send = async (): Promise<boolean> => {
    const problems = {
      ...(examName.trim() === '' ? { examName: t('copy.name.need') } : {}),
      ...(examCode.trim() === '' ? { examCode: t('copy.code.need') } : {}),
      ...(/^\d{1,2}$/.test(examNo.trim()) ? {} : { examNo: t('copy.no.need') }),
      ...(/^\d{4}-\d{2}-\d{2}$/.test(signDay) ? {} : { signBegin: t('copy.day.need') }),
    }
    setWrong(problems)
    if (Object.keys(problems).length > 0) return false
    try {
      const { id } = await saveExam(bodyOf(exam, { examName: examName.trim(), examCode: examCode.trim(), examNo: Number(examNo), signDay }))
      onDone()
      goTo(`${workspacePath(id, 'setup')}?step=${indexOfStep('publish') + 1}`)
    } catch (error) {
      setWrong(fieldTexts(error))
      return false
    }
    return true
  }
  const others = Object.entries(wrong).filter(([field]) => !['examName', 'examCode', 'examNo', 'signBegin'].includes(field))
  return (
    <ActionDialog title={t('exam.copy')} onClose={onClose} actions={[{ label: t('copy.send'), run: send }]}>
      <p>{t('copy.lead', { name: exam.examName })}</p>
      <LabelledInput label={t('exam.name')} error={wrong['examName']} maxLength={100} value={examName} onChange={setExamName} />
      <LabelledInput label={t('exam.code')} error={wrong['examCode']} maxLength={20} value={examCode} onChange={setExamCode} />
      <LabelledInput label={t('copy.no')} error={wrong['examNo']} inputMode="numeric" maxLength={2} value={examNo} onChange={setExamNo} />
      <div className="labelled">
        <span>{t('copy.day')}</span>
        <DayInput label={t('copy.day')} value={signDay} onChange={setSignDay} />
        {wrong['signBegin'] === undefined ? null : (
          <span className="field-error" role="alert">
            {wrong['signBegin']}
          </span>
        )}
      </div>
      {others.map(([field, text]) => (
        <p key={field} className="field-error" role="alert">
          {text}
        </p>
      ))}
    </ActionDialog>
  )
}

/** A new examination after the pattern of another. */
export const CopyDialog = ({
  examId,
  onClose,
  onDone,
}: {
  readonly examId: string
  readonly onClose: () => void
  readonly onDone: () => void
}) => {
  const t = useT(examTexts)
  const exam = useExam(examId)
  if (exam.data !== undefined) return <Form exam={exam.data} onClose={onClose} onDone={onDone} />
  return (
    <ActionDialog title={t('exam.copy')} onClose={onClose}>
      <Loaded query={exam}>{() => null}</Loaded>
    </ActionDialog>
  )
}
