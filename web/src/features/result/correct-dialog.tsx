import { useId, useState } from 'react'
import { type ApiOutput, api } from '#web/kernel/api.ts'
import { isApiError } from '#web/kernel/api-error.ts'
import { minuteOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useCall } from '#web/kernel/query.ts'
import { useDict } from '#web/resource/use-dict.ts'
import { Dialog } from '#web/ui/modal.tsx'
import { Loaded } from '#web/ui/states.tsx'
import { resultTexts } from './texts.ts'
import './result.css'

type Detail = ApiOutput<'GET /blade-result/result/detail'>
const normal = 1
const isDecimal = (text: string) => /^\d{1,4}(\.\d{1,2})?$/.test(text)

const Editor = ({ of, onClose, onDone }: { readonly of: Detail; readonly onClose: () => void; readonly onDone: () => void }) => {
  const t = useT(resultTexts)
  const id = useId()
  const states = useDict('result_state')
  const stateName = (value: number) => states.find(option => option.value === String(value))?.label ?? String(value)
  const [score, setScore] = useState(of.score ?? '')
  const [state, setState] = useState(of.resultState)
  const [bonus, setBonus] = useState(of.bonus)
  const [reason, setReason] = useState('')
  const [wrong, setWrong] = useState<Readonly<Record<string, string>>>({})
  const [busy, setBusy] = useState(false)
  const waiting = of.corrections.find(correction => correction.state === 'waiting')
  const shown = (value: { readonly score: string | null; readonly resultState: number; readonly bonus: string }) =>
    `${value.resultState === normal ? (value.score ?? '-') : stateName(value.resultState)}${Number(value.bonus) === 0 ? '' : ` +${value.bonus}`}`
  const submit = async (body: Parameters<typeof api.call<'POST /blade-result/result/submit'>>[1]) => {
    if (busy || body === undefined) return
    setBusy(true)
    try {
      const answer = await api.call('POST /blade-result/result/submit', body, { quiet: 'fields' })
      notify('success', t(`correct.done.${answer.state as 'applied' | 'waiting' | 'rejected'}`))
      onDone()
      onClose()
    } catch (error) {
      if (isApiError(error)) setWrong(Object.fromEntries(error.fields.map(problem => [problem.field, problem.msg])))
    } finally {
      setBusy(false)
    }
  }
  const send = () => {
    const problems: Record<string, string> = {}
    if (state === normal && (!isDecimal(score.trim()) || Number(score) > Number(of.fullScore)))
      problems.score = t('correct.score.bad', { full: of.fullScore })
    if (!isDecimal(bonus.trim())) problems.bonus = t('correct.bonus.bad')
    if (reason.trim() === '') problems.reason = t('withdraw.reason.bad')
    setWrong(problems)
    if (Object.keys(problems).length > 0) return
    void submit({
      id: of.id,
      version: of.version,
      score: state === normal ? score.trim() : null,
      resultState: state,
      bonus: bonus.trim(),
      reason: reason.trim(),
    })
  }
  const decide = (correctionId: string, confirm: 0 | 1) => void submit({ id: of.id, correctionId, confirm })
  const field = (name: 'score' | 'bonus' | 'reason', label: string, value: string, set: (value: string) => void, disabled = false) => (
    <div className="result-field">
      <label htmlFor={id + name}>{label}</label>
      <input
        id={id + name}
        className="input"
        maxLength={name === 'reason' ? 200 : 8}
        inputMode={name === 'reason' ? 'text' : 'decimal'}
        disabled={disabled}
        aria-invalid={wrong[name] !== undefined}
        value={value}
        onChange={event => set(event.target.value)}
      />
      {wrong[name] === undefined ? null : (
        <span className="field-error" role="alert">
          {wrong[name]}
        </span>
      )}
    </div>
  )
  return (
    <Dialog
      title={t('correct.title')}
      onClose={onClose}
      hasChanges={() => reason !== ''}
      footer={close => (
        <div className="form-footer">
          <button type="button" className="button" onClick={close}>
            {t('action.cancel')}
          </button>
          {waiting === undefined ? (
            <button type="button" className="button button-primary" disabled={busy} onClick={send}>
              {t('action.submit')}
            </button>
          ) : (
            <>
              <button type="button" className="button button-danger" disabled={busy} onClick={() => decide(waiting.id, 0)}>
                {t('correct.reject')}
              </button>
              <button type="button" className="button button-primary" disabled={busy} onClick={() => decide(waiting.id, 1)}>
                {t('correct.confirm')}
              </button>
            </>
          )}
        </div>
      )}
    >
      <div className="result-form">
        <p>
          {of.name} · {of.ticketNo} · {of.itemName} · {t('correct.current')} <b>{shown(of)}</b>
        </p>
        {waiting === undefined ? (
          <>
            <p className="result-note">{t('correct.lead')}</p>
            <div className="result-grid">
              <div className="result-field">
                <label htmlFor={`${id}state`}>{t('correct.state')}</label>
                <select id={`${id}state`} className="input" value={state} onChange={event => setState(Number(event.target.value))}>
                  {states.map(option => (
                    <option key={option.value} value={option.value}>
                      {option.label}
                    </option>
                  ))}
                </select>
              </div>
              {field('score', t('correct.score'), score, setScore, state !== normal)}
              {field('bonus', t('correct.bonus'), bonus, setBonus)}
            </div>
            {field('reason', t('correct.reason'), reason, setReason)}
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
      </div>
    </Dialog>
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
