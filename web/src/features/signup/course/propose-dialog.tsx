import { useState } from 'react'
import { api } from '#web/kernel/api.ts'
import { fieldTexts } from '#web/kernel/field-texts.ts'
import { minuteOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useSaid } from '#web/kernel/said.ts'
import { type Heard, HeardText } from '#web/resource/heard.tsx'
import { ToldLines } from '#web/resource/told.tsx'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import { LabelledInput } from '#web/ui/labelled.tsx'
import { standingTexts } from './standing-texts.ts'

export interface Waiting {
  readonly id: string
  readonly reason: string
  /** Of a proposal to disqualify. */
  readonly answerUntil?: string
  /** Of a proposal to disqualify: why it cannot be decided so now. */
  readonly bar?: string | null
  /** Of a proposal to disqualify: what the person answered. */
  readonly heard?: Heard
}

interface Props {
  readonly kind: 'disqualify' | 'restore'
  readonly signup: { readonly id: string; readonly name: string; readonly signVersion: number }
  /** The proposal to decide on; undefined where one is made. */
  readonly waiting: Waiting | undefined
  /** Who moved up in the place of whoever is restored. */
  readonly movedUp: readonly string[]
  readonly onDone: () => void
  readonly onClose: () => void
}

/** Proposes to disqualify or to restore somebody, or decides on the proposal that waits. */
export const ProposeDialog = ({ kind, signup, waiting, movedUp, onDone, onClose }: Props) => {
  const t = useT(standingTexts)
  const [reason, setReason] = useState('')
  const [wrong, setWrong] = useSaid('')
  const send = (run: (text: string) => Promise<string>) => async (): Promise<boolean> => {
    const text = reason.trim()
    setWrong(text.length < 2 ? t('missing') : '')
    if (text.length < 2) return false
    try {
      notify('success', await run(text))
      onDone()
      return true
    } catch (error) {
      const said = fieldTexts(error)
      setWrong(said['reason'] ?? said['decision'] ?? said['examineResultRemark'] ?? '')
      return false
    }
  }
  const propose = send(async text => {
    if (kind === 'restore')
      await api.call('POST /blade-signup/selection/proposeRestore', { signUpId: signup.id, reason: text }, { quiet: 'fields' })
    else
      await api.call(
        'POST /blade-signup/examine/examine',
        { signUpId: signup.id, level: 4, examineResult: 3, examineResultRemark: text, signVersion: signup.signVersion },
        { quiet: 'fields' },
      )
    return t('done.proposed')
  })
  const decide = (id: string, outcome: 1 | 2) =>
    send(async decision => {
      if (kind === 'restore') {
        const { seats } = await api.call('POST /blade-signup/selection/decideRestore', { id, outcome, decision }, { quiet: 'fields' })
        return seats > 0 ? t('done.seats', { count: seats }) : t('done.saved')
      }
      const { substitutes } = await api.call(
        'POST /blade-signup/selection/decideDisqualify',
        { id, outcome, decision },
        { quiet: 'fields' },
      )
      return substitutes > 0 ? t('done.moved', { count: substitutes }) : t('done.saved')
    })
  const title = t(waiting === undefined ? `action.${kind}` : `action.${kind}.decide`)
  return (
    <ActionDialog
      title={t('title.of', { what: title, name: signup.name })}
      actions={
        waiting === undefined
          ? [{ label: title, tone: 'primary', run: propose }]
          : [
              // What somebody loses by is never the one that is pressed without thought, and what leaves everything as it is stands beside it plainly.
              { label: t(`${kind}.no`), tone: kind === 'restore' ? 'danger' : 'plain', run: decide(waiting.id, 2) },
              {
                ...{ label: t(`${kind}.yes`), tone: kind === 'restore' ? 'primary' : 'danger', run: decide(waiting.id, 1) },
                ...{ disabled: Boolean(waiting.bar), why: waiting.bar ?? null },
              },
            ]
      }
      hasChanges={() => reason !== ''}
      onClose={onClose}
    >
      <p>{t(waiting === undefined ? `${kind}.propose.lead` : `${kind}.decide.lead`)}</p>
      {waiting === undefined ? null : <blockquote>{waiting.reason}</blockquote>}
      {movedUp.length === 0 ? null : <p>{t('restore.movedUp', { names: movedUp.join(t('list')) })}</p>}
      {waiting?.answerUntil === undefined ? null : <p>{t('disqualify.early', { time: minuteOf(waiting.answerUntil) })}</p>}
      {waiting?.answerUntil === undefined ? null : <ToldLines of={`disqualification-${waiting.id}`} />}
      {waiting?.heard === undefined ? null : (
        <p>
          <HeardText of={waiting.heard} />
        </p>
      )}
      <LabelledInput
        label={t(waiting === undefined ? `${kind}.reason` : 'decision')}
        error={wrong || undefined}
        rows={3}
        maxLength={500}
        value={reason}
        onChange={setReason}
      />
    </ActionDialog>
  )
}
