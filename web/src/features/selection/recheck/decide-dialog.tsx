import { useState } from 'react'
import { api } from '#web/kernel/api.ts'
import { isApiError } from '#web/kernel/api-error.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import { LabelledInput } from '#web/ui/labelled.tsx'
import { selectionTexts } from '../texts.ts'

/** Number of domain 13.2. */
const papersMissing = 2106
export type Result = 1 | 2 | 3 | 4

/** A decision of the re-review with what it does, and its reason. */
export const DecideDialog = ({
  person,
  result,
  onDone,
  onClose,
}: {
  readonly person: { readonly signupId: string; readonly name: string }
  readonly result: Result
  readonly onDone: (nextId: string | null) => void
  readonly onClose: () => void
}) => {
  const t = useT(selectionTexts)
  const [remark, setRemark] = useState('')
  const [advice, setAdvice] = useState('')
  const [wrong, setWrong] = useState<'remark' | 'advice' | null>(null)
  const [papers, setPapers] = useState<string>()
  const run = async (): Promise<boolean> => {
    const lines = advice
      .split('\n')
      .map(line => line.trim())
      .filter(line => line !== '')
    const missing = result === 2 ? (lines.length === 0 ? 'advice' : null) : result !== 1 && remark.trim() === '' ? 'remark' : null
    setWrong(missing)
    if (missing !== null) return false
    try {
      setPapers(undefined)
      const done = await api.call('POST /blade-signup/examine/reviewInfo', {
        signUpId: person.signupId,
        examineResult: result,
        ...(remark.trim() === '' ? {} : { remark: remark.trim() }),
        ...(result === 2
          ? { advisementList: lines.map((line, i) => ({ kind: 'other' as const, key: `paper${i + 1}`, advice: line.slice(0, 200) })) }
          : {}),
      })
      notify(
        'success',
        done.substitutes > 0 ? t('decide.done.moved', { count: done.substitutes }) : t('decide.done.of', { name: person.name }),
      )
      onDone(done.nextId)
      return true
    } catch (error) {
      if (isApiError(error) && error.code === papersMissing) setPapers(error.message)
      return false // Said already.
    }
  }
  return (
    <ActionDialog
      title={t(`decide.title.${result}`, { name: person.name })}
      actions={[{ label: t(`decide.${result}`), tone: result === 3 || result === 4 ? 'danger' : 'primary', run }]}
      hasChanges={() => remark !== '' || advice !== ''}
      onClose={onClose}
    >
      <p>{t(`decide.lead.${result}`)}</p>
      {result === 2 ? (
        <LabelledInput
          label={t('decide.advice')}
          error={wrong === 'advice' ? t('decide.advice.bad') : undefined}
          rows={4}
          maxLength={2_000}
          value={advice}
          onChange={setAdvice}
        />
      ) : null}
      <LabelledInput
        label={t(result === 3 || result === 4 ? 'decide.reason' : 'decide.remark')}
        error={wrong === 'remark' ? t('decide.reason.bad') : papers}
        maxLength={500}
        value={remark}
        onChange={setRemark}
      />
    </ActionDialog>
  )
}
