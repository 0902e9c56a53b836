import { useState } from 'react'
import { type ApiOutput, api } from '#web/kernel/api.ts'
import { fieldTexts } from '#web/kernel/field-texts.ts'
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
import { useSaid } from '#web/kernel/said.ts'

type Detail = ApiOutput<'GET /blade-result/result/detail'>
const normal = 1
const isDecimal = (text: string) => /^\d{1,4}(\.\d{1,2})?$/.test(text)

type Moved = NonNullable<Detail['effect']>[number]

/** What a correction would do to the places of the post, before anybody confirms it. */
const Effect = ({ rows }: { readonly rows: readonly Moved[] }) => {
  const t = useT(resultTexts)
  const both = (before: string, after: string) => (before === after ? after : t('correct.change', { before, after }))
  const number = (value: string | number | null) => (value === null ? '-' : String(value))
  const list = (value: number) => (value >= 0 && value <= 3 ? t(`correct.list.${value as 0 | 1 | 2 | 3}`) : '-')
  return (
    <section>
      <h3>{t('correct.effect')}</h3>
      <table className="result-effect">
        <thead>
          <tr>
            {(['name', 'score', 'rank', 'list'] as const).map(key => (
              <th key={key} scope="col">
                {t(`correct.effect.${key}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ signupId, name, before, after, called }) => (
            <tr key={signupId}>
              <td>
                {name} {called === 1 ? <small>{t('correct.effect.called')}</small> : null}
              </td>
              <td>{both(number(before.total ?? before.score), number(after.total ?? after.score))}</td>
              <td>{both(number(before.rank), number(after.rank))}</td>
              <td>{both(list(before.shortlist), list(after.shortlist))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

const Editor = ({ of, onClose, onDone }: { readonly of: Detail; readonly onClose: () => void; readonly onDone: () => void }) => {
  const t = useT(resultTexts)
  const states = useDict('result_state')
  const stateName = (value: number) => states.find(option => option.value === String(value))?.label ?? String(value)
  const [score, setScore] = useState(of.score ?? '')
  const [state, setState] = useState(of.resultState)
  const [bonus, setBonus] = useState(of.bonus)
  const [reason, setReason] = useState('')
  const [remark, setRemark] = useState('')
  const [wrong, setWrong] = useSaid<Readonly<Record<string, string>>>({})
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
  const isOwn = waiting?.own === 1
  const decide = async (correctionId: string, confirm: 0 | 1): Promise<boolean> => {
    if (confirm === 0 && !isOwn && remark.trim() === '') {
      setWrong({ remark: t('correct.reject.bad') })
      return false
    }
    return submit({ id: of.id, correctionId, confirm, ...(confirm === 0 && remark.trim() !== '' ? { reason: remark.trim() } : {}) })
  }
  const decision = (label: string, confirm: 0 | 1, correctionId: string) =>
    ({ label, tone: confirm === 1 ? 'primary' : 'danger', run: () => decide(correctionId, confirm) }) as const
  const total = Number(score) + Number(bonus)
  return (
    <ActionDialog
      title={t('correct.title')}
      onClose={onClose}
      hasChanges={() => reason !== '' || remark !== ''}
      actions={
        waiting === undefined
          ? [{ label: t('action.submit'), run: send }]
          : isOwn
            ? [decision(t('correct.takeBack'), 0, waiting.id)]
            : [decision(t('correct.reject'), 0, waiting.id), decision(t('correct.confirm'), 1, waiting.id)]
      }
    >
      <p>
        {of.name} · {of.ticketNo} · {of.itemName} · {t('correct.current')} <b>{shown(of)}</b>
      </p>
      {waiting === undefined ? (
        <>
          <p className="dialog-lead">{t(of.released === 1 ? 'correct.lead.released' : 'correct.lead')}</p>
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
          {state === normal && total > Number(of.fullScore) ? (
            <p role="note" className="result-warn">
              {t('correct.above', { total: total.toFixed(2), full: of.fullScore })}
            </p>
          ) : null}
          <LabelledInput label={t('correct.reason')} error={wrong.reason} maxLength={200} value={reason} onChange={setReason} />
        </>
      ) : (
        <>
          <p className="dialog-lead">{t(isOwn ? 'correct.own' : 'correct.second', { name: waiting.proposedBy })}</p>
          {of.effect === undefined ? null : <Effect rows={of.effect} />}
          {isOwn ? null : (
            <LabelledInput label={t('correct.reject.reason')} error={wrong.remark} maxLength={200} value={remark} onChange={setRemark} />
          )}
        </>
      )}
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
                {correction.decidedBy === null || correction.decidedTime === null ? null : (
                  <small>
                    {t(`correct.decided.${correction.state as 'applied' | 'rejected'}`, { name: correction.decidedBy })}
                    {correction.decisionRemark === null ? '' : t('correct.because', { reason: correction.decisionRemark })}{' '}
                    {minuteOf(correction.decidedTime)}
                  </small>
                )}
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
