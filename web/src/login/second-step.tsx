import { type FormEvent, useEffect, useRef, useState } from 'react'
import { foldGroups, foldWidth } from '#contract/kernel/fold-width.ts'
import { type ApiOutput, report } from '../kernel/api.ts'
import { isApiError } from '../kernel/api-error.ts'
import { useT } from '../kernel/i18n/index.ts'
import { useSaid } from '../kernel/said.ts'
import type { TokenAnswer } from '../kernel/session.ts'
import { AppSecret, RecoveryCodes } from '../ui/second-factor/parts.tsx'
import { Field } from './field.tsx'
import { beginSetUp, type SecondStepAnswer, type SecondStep as Step, sendSecondCode } from './second-step-calls.ts'
import { secondStepTexts } from './second-step-texts.ts'

interface Props {
  readonly step: Step
  readonly onLoggedIn: (answer: TokenAnswer) => void
  /** The ticket is spent or over: the login begins anew. */
  readonly onBack: () => void
}
type Secret = ApiOutput<'POST /blade-auth/oauth/second-factor/begin'>

/** The second step of a login: six digits of the app or a recovery code; for whoever must have an app and has none, its set-up before that. */
export const SecondStep = ({ step, onLoggedIn, onBack }: Props) => {
  const t = useT(secondStepTexts)
  const isSetUp = step.next === 'enrol'
  const [code, setCode] = useState('')
  const [byRecovery, setByRecovery] = useState(false)
  const [error, setError] = useSaid<string>()
  const [busy, setBusy] = useState(false)
  const [secret, setSecret] = useState<Secret | null>(null)
  const [done, setDone] = useState<SecondStepAnswer | null>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const form = useRef<HTMLFormElement>(null)
  const focusCode = () => form.current?.querySelector<HTMLInputElement>('[name=second-code]')?.focus()
  // Where the keyboard and a screen reader go on: at the field, or at the head of a page that has to be read first.
  // biome-ignore lint/correctness/useExhaustiveDependencies: anew for each part of the step
  useEffect(() => {
    if (isSetUp || done !== null) heading.current?.focus()
    else focusCode()
  }, [isSetUp, done, byRecovery])
  useEffect(() => {
    if (!isSetUp) return
    beginSetUp(step).then(setSecret, onBack)
  }, [isSetUp, step, onBack])

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    const typed = foldGroups(code)
    if (typed === '' || (!byRecovery && typed.length !== 6)) {
      setError(t(byRecovery ? 'recovery.empty' : 'code.empty'))
      focusCode()
      return
    }
    setBusy(true)
    try {
      const answer = await sendSecondCode(step, byRecovery ? foldWidth(code) : typed)
      if (answer.recoveryCodes === undefined) onLoggedIn(answer)
      else setDone(answer)
    } catch (failure) {
      if (!isApiError(failure)) throw failure
      // What is said about the code stands at the code, and goes with it.
      if (failure.reason === 'auth/wrong-code') {
        setError(failure.message)
        setCode('')
        focusCode()
        return
      }
      report(failure, false)
      if (failure.reason === 'auth/ticket-over') onBack()
    } finally {
      setBusy(false)
    }
  }
  if (done !== null)
    return (
      <div className="login-step">
        <h1 ref={heading} tabIndex={-1}>
          {t('done.title')}
        </h1>
        <RecoveryCodes codes={done.recoveryCodes ?? []} />
        <button type="button" className="login-submit" onClick={() => onLoggedIn(done)}>
          {t('done.go')}
        </button>
      </div>
    )
  return (
    <div className="login-step">
      <h1 ref={heading} tabIndex={-1}>
        {t(isSetUp ? 'setUp.title' : 'title')}
      </h1>
      <p className="login-step-lead">{t(isSetUp ? 'setUp.lead' : byRecovery ? 'recovery.lead' : 'lead')}</p>
      {isSetUp ? secret === null ? <p role="status">{t('setUp.wait')}</p> : <AppSecret {...secret} /> : null}
      <form ref={form} className="login-form" onSubmit={submit} noValidate>
        {byRecovery ? (
          <Field
            key="recovery"
            label={t('recovery')}
            name="second-code"
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            maxLength={40}
            value={code}
            onValue={value => {
              setCode(value)
              setError(undefined)
            }}
            error={error}
          />
        ) : (
          <Field
            key="code"
            label={t('code')}
            name="second-code"
            inputMode="numeric"
            autoComplete="one-time-code"
            value={code}
            onValue={value => {
              setCode(value.replace(/\D/g, '').slice(0, 6))
              setError(undefined)
            }}
            error={error}
          />
        )}
        <button type="submit" className="login-submit" disabled={busy}>
          {t(busy ? 'sending' : 'send')}
        </button>
      </form>
      {isSetUp ? null : (
        <button
          type="button"
          className="login-quiet"
          onClick={() => {
            setByRecovery(!byRecovery)
            setCode('')
            setError(undefined)
          }}
        >
          {t(byRecovery ? 'useApp' : 'useRecovery')}
        </button>
      )}
      <button type="button" className="login-quiet" onClick={onBack}>
        {t('back')}
      </button>
    </div>
  )
}
