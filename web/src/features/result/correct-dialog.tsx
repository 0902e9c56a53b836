import { useState } from 'react'
import { type ApiOutput, api } from '#web/kernel/api.ts'
import { fieldTexts } from '#web/kernel/api-error.ts'
import { minuteOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useCall } from '#web/kernel/query.ts'
import { useDict } from '#web/resource/use-dict.ts'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import { LabelledInput, LabelledSelect } from '#web/ui/labelled.tsx'
import { Dialog } from '#web/ui/modal.tsx'
import { Loaded } from '#web/ui/states.tsx'
import { resultTexts } from './texts.ts'
import './result.css'

type Detail = ApiOutput<'GET /blade-result/result/detail'>
const normal = 1
const isDecimal = (text: string) => /^\d{1,4}(\.\d{1,2})?$/.test(text)

const Editor = ({ of, onClose, onDone }: { readonly of: Detail; readonly onClose: () => void; readonly onDone: () => void }) => {
  const t = useT(resultTexts)
  const states = useDict('result_state')
  const stateName = (value: number) => states.find(option => option.value === String(value))?.label ?? String(value)
  const [score, setScore] = useState(of.score ?? '')
  const [state, setState] = useState(of.resultState)
  const [bonus, setBonus] = useState(of.bonus)
  const [reason, setReason] = useState('')
  const [wrong, setWrong] = useState<Readonly<Record<string, string>>>({})
  const waiting = of.corrections.find(correction => correction.state === 'waiting')
  const shown = (value: { readonly score: string | null; readonly resultState: number; readonly bonus: string }) =>
    `${value.resultState === normal ? (value.score ?? '-') : stateName(value.resultState)}${Number(value.bonus) === 0 ? '' : ` +${value.bonus}`}`
  const submit = async (body: NonNullable<Parameters<typeof api.call<'POST /blade-result/result/submit'>>[1]>): Promise<boolean> => {
    try {
      const answer = await api.call('POST /blade-result/result/submit', body, { quiet: 'fields' })
      notify('success', t(`correct.done.${answer.state as 'applied' | 'waiting' | 'rejected'}`))
      onDone()
      return true
    } catch (error) {
      setWrong(fieldTexts(error))
      return false
    }
  }
  const send = async (): Promise<boolean> => {
    const problems: Record<string, string> = {}
    if (state === normal && (!isDecimal(score.trim()) || Number(score) > Number(of.fullScore)))
      problems.score = t('correct.score.bad', { full: of.fullScore })
    if (!isDecimal(bonus.trim())) problems.bonus = t('correct.bonus.bad')
    if (reason.trim() === '') problems.reason = t('withdraw.reason.bad')
    setWrong(problems)
    if (Object.keys(problems).length > 0) return false
    return submit({
      id: of.id,
      version: of.version,
      score: state === normal ? score.trim() : null,
      resultState: state,
      bonus: bonus.trim(),
      reason: reason.trim(),
    })
  }
  const decide = (correctionId: string, confirm: 0 | 1) => submit({ id: of.id, correctionId, confirm })
  const decision = (label: string, confirm: 0 | 1, correctionId: string) =>
    ({ label, tone: confirm === 1 ? 'primary' : 'danger', run: () => decide(correctionId, confirm) }) as const
  return (
    <ActionDialog
      title={t('correct.title')}
      onClose={onClose}
      hasChanges={() => reason !== ''}
      actions={
        waiting === undefined
          ? [{ label: t('action.submit'), run: send }]
          : [decision(t('correct.reject'), 0, waiting.id), decision(t('correct.confirm'), 1, waiting.id)]
      }
    >
      <p>
        {of.name} · {of.ticketNo} · {of.itemName} · {t('correct.current')} <b>{shown(of)}</b>
      </p>
      {waiting === undefined ? (
        <>
          <p className="dialog-lead">{t('correct.lead')}</p>
          <div className="result-grid">
            <LabelledSelect
              label={t('correct.state')}
              value={state}
              options={states.map(option => ({ value: Number(option.value), label: option.label }))}
              onChange={setState}
            />
            <LabelledInput
              label={t('correct.score')}
              error={wrong.score}
              maxLength={8}
              inputMode="decimal"
              disabled={state !== normal}
              value={score}
              onChange={setScore}
            />
            <LabelledInput
              label={t('correct.bonus')}
              error={wrong.bonus}
              maxLength={8}
              inputMode="decimal"
              value={bonus}
              onChange={setBonus}
            />
          </div>
          <LabelledInput label={t('correct.reason')} error={wrong.reason} maxLength={200} value={reason} onChange={setReason} />
        </>
      ) : null}
      {of.corrections.length === 0 ? null : (
        <section>
          <h3>{t('correct.history')}</h3>
          <ul className="result-history">
            {of.corrections.map(correction => (
              <li key={correction.id}>
                <b>{t('correct.change', { before: shown(correction.before), after: shown(correction.after) })}</b>
                <span>{t(`correct.${correction.state as 'waiting' | 'applied' | 'rejected'}`)}</span>
                <small>
                  {t('correct.by', { name: correction.proposedBy, reason: correction.reason })} {minuteOf(correction.proposedTime)}
                </small>
              </li>
            ))}
          </ul>
        </section>
      )}
    </ActionDialog>
  )
}

/** One result mended, with its history; a waiting correction of a released result is decided here by the second person. */
export const CorrectDialog = ({
  id,
  onClose,
  onDone,
}: {
  readonly id: string
  readonly onClose: () => void
  readonly onDone: () => void
}) => {
  const t = useT(resultTexts)
  const detail = useCall('GET /blade-result/result/detail', { id }, { staleTimeMs: 0 })
  if (detail.data !== undefined && !detail.isFetching) return <Editor of={detail.data} onClose={onClose} onDone={onDone} />
  return (
    <Dialog title={t('correct.title')} onClose={onClose}>
      <Loaded query={{ ...detail, data: undefined }} skeletonRows={4}>
        {() => null}
      </Loaded>
    </Dialog>
  )
}
