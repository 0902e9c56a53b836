import { useState } from 'react'
import { api } from '#web/kernel/api.ts'
import { fieldTexts } from '#web/kernel/field-texts.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useSaid } from '#web/kernel/said.ts'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import { sendAsking } from '#web/ui/ask-doubts.ts'
import { LabelledInput, LabelledSelect } from '#web/ui/labelled.tsx'
import { stageTexts } from './texts.ts'

const medical = 5

/** The outcome of one stage for the chosen people, all or none. */
export const JudgeDialog = ({
  people,
  stage,
  onDone,
  onClose,
}: {
  readonly people: readonly { readonly signupId: string; readonly name: string }[]
  readonly stage: 5 | 6 | 7 | 8
  readonly onDone: () => void
  readonly onClose: () => void
}) => {
  const t = useT(stageTexts)
  const [result, setResult] = useState<1 | 2 | 3 | 4>(1)
  const [date, setDate] = useState('')
  const [remark, setRemark] = useState('')
  const [wrong, setWrong] = useSaid<{ readonly date?: string; readonly remark?: string }>({})
  const results = ([1, 2, 3, 4] as const).filter(value => value !== 4 || stage === medical)
  const run = async (): Promise<boolean> => {
    const found = {
      ...(date === '' || /^\d{4}-\d{2}-\d{2}$/.test(date) ? {} : { date: t('judge.date.bad') }),
      ...((result === 2 || result === 3) && remark.trim() === '' ? { remark: t('judge.remark.bad') } : {}),
    }
    setWrong(found)
    if (Object.keys(found).length > 0) return false
    try {
      const input = {
        ...{ signupIds: people.map(person => person.signupId).join(','), stage, result },
        ...(date === '' ? {} : { date }),
        ...(remark.trim() === '' ? {} : { remark: remark.trim() }),
      }
      const done = await sendAsking((sure, options) => api.call('POST /blade-signup/signup/saveStage', { ...input, ...sure }, options))
      notify(
        'success',
        done.substitutes > 0
          ? t('judge.done.moved', { count: done.saved, moved: done.substitutes })
          : t('judge.done', { count: done.saved }),
      )
    } catch (error) {
      setWrong(fieldTexts(error))
      return false
    }
    onDone()
    return true
  }
  return (
    <ActionDialog
      title={t('stages.judge')}
      actions={[{ label: t('action.save'), tone: result === 2 || result === 3 ? 'danger' : 'primary', run }]}
      hasChanges={() => date !== '' || remark !== ''}
      onClose={onClose}
    >
      <p>{t('judge.lead', { stage: t(`stage.${stage}`), count: people.length, names: people.map(person => person.name).join('、') })}</p>
      <LabelledSelect
        label={t('judge.result')}
        value={result}
        onChange={setResult}
        options={results.map(value => ({ value, label: t(`judge.${value}`) }))}
      />
      <LabelledInput label={t('judge.date')} error={wrong.date} maxLength={10} value={date} onChange={setDate} />
      <LabelledInput label={t('judge.remark')} error={wrong.remark} maxLength={200} value={remark} onChange={setRemark} />
    </ActionDialog>
  )
}
