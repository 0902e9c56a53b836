import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { foldWidth } from '#contract/kernel/fold-width.ts'
import { type ApiOutput, api, report } from '#web/kernel/api.ts'
import { isApiError } from '#web/kernel/api-error.ts'
import { encrypt, prepareCipher } from '#web/kernel/cipher.ts'
import { minuteOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { callKey, useCall } from '#web/kernel/query.ts'
import { useSaid } from '#web/kernel/said.ts'
import { useSession } from '#web/kernel/session.ts'
import { confirm } from '#web/ui/dialog.tsx'
import { Labelled } from '#web/ui/labelled.tsx'
import { AppSecret, RecoveryCodes } from '#web/ui/second-factor/parts.tsx'
import { Loaded } from '#web/ui/states.tsx'
import { accountTexts } from '../texts.ts'
import { factorTexts } from './factor-texts.ts'
import { PasswordField } from './password-field.tsx'

type State = ApiOutput<'GET /blade-auth/second-factor/state'>
type Secret = ApiOutput<'POST /blade-auth/second-factor/begin'>
type Errors = { readonly password?: string; readonly code?: string }
/** What is wrong is said here, beside its field where it has one. */
const quiet = { quiet: true } as const
/** A tab of three codes left is told to make new ones. */
const fewCodes = 3

const CodeField = ({
  label,
  value,
  onValue,
  error,
  isApp,
}: {
  readonly label: string
  readonly value: string
  readonly onValue: (value: string) => void
  readonly error: string | undefined
  /** Six digits only; else a recovery code is one too. */
  readonly isApp: boolean
}) => (
  <Labelled label={label} error={error}>
    {(id, described) => (
      <input
        id={id}
        {...described}
        name="code"
        className="input"
        inputMode={isApp ? 'numeric' : 'text'}
        autoComplete="one-time-code"
        spellCheck={false}
        maxLength={40}
        value={value}
        onChange={event => onValue(isApp ? event.target.value.replace(/\D/g, '').slice(0, 6) : event.target.value)}
      />
    )}
  </Labelled>
)

/** Password and code of somebody who changes their second factor; each act sends both anew. */
const useProof = (needsCode: boolean) => {
  const t = useT(factorTexts)
  const required = useT(accountTexts)
  const form = useRef<HTMLFormElement>(null)
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [errors, setErrors] = useSaid<Errors>({})
  const [busy, setBusy] = useState(false)
  const show = (found: Errors): boolean => {
    setErrors(found)
    const first = found.password !== undefined ? 'password' : found.code !== undefined ? 'code' : null
    if (first !== null) form.current?.querySelector<HTMLInputElement>(`[name=${first}]`)?.focus()
    return first === null
  }
  const check = (): boolean =>
    show({
      ...(password === '' ? { password: required('form.required', { label: t('password') }) } : {}),
      ...(needsCode && foldWidth(code) === '' ? { code: required('form.required', { label: t('code.any') }) } : {}),
    })
  const run = async (work: (proof: () => Promise<{ password: string; code: string }>) => Promise<void>) => {
    if (busy) return
    setBusy(true)
    try {
      await work(async () => ({ password: await encrypt(password), code: foldWidth(code) }))
    } catch (error) {
      // Said once: what belongs to a field stands there, the rest is a message.
      if (isApiError(error) && error.reason === 'auth/wrong-password') show({ password: error.message })
      else if (isApiError(error) && error.reason === 'auth/wrong-code') show({ code: error.message })
      else if (isApiError(error)) report(error, false)
      setCode('')
    } finally {
      setBusy(false)
    }
  }
  const clear = () => {
    setPassword('')
    setCode('')
    setErrors({})
  }
  const field = {
    password: (
      <PasswordField
        label={t('password')}
        name="password"
        autoComplete="current-password"
        value={password}
        onValue={setPassword}
        error={errors.password}
      />
    ),
    code: <CodeField label={t('code.any')} value={code} onValue={setCode} error={errors.code} isApp={false} />,
  }
  return { form, field, check, run, busy, clear, isDirty: password !== '' || code !== '' }
}

/** The secret on the screen and the first code that turns it on. */
const Confirm = (props: { readonly secret: Secret; readonly onOn: (codes: readonly string[]) => void; readonly onCancel: () => void }) => {
  const t = useT(factorTexts)
  const [code, setCode] = useState('')
  const [error, setError] = useSaid<string>()
  const [busy, setBusy] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    if (code.length !== 6) return setError(t('code.help'))
    setBusy(true)
    try {
      props.onOn((await api.call('POST /blade-auth/second-factor/confirm', { code }, quiet)).recoveryCodes)
    } catch (failure) {
      setCode('')
      if (!isApiError(failure)) return
      if (failure.reason === 'auth/wrong-code') return setError(failure.message)
      report(failure, false)
      if (failure.reason === 'auth/enrolment-over') props.onCancel()
    } finally {
      setBusy(false)
    }
  }
  return (
    <form className="info-form" onSubmit={submit} noValidate>
      <AppSecret {...props.secret} />
      <CodeField label={t('code')} value={code} onValue={setCode} error={error} isApp />
      <p className="info-help">{t('code.help')}</p>
      <div className="info-row">
        <button type="submit" className="button button-primary" disabled={busy}>
          {t('confirm')}
        </button>
        <button type="button" className="button" onClick={props.onCancel}>
          {t('cancel')}
        </button>
      </div>
    </form>
  )
}

interface Acts {
  readonly state: State
  readonly onBegun: (secret: Secret) => void
  readonly onCodes: (codes: readonly string[]) => void
  readonly onOff: () => void
  readonly onChanges: (changed: boolean) => void
}

const Prove = ({ state, onBegun, onCodes, onOff, onChanges }: Acts) => {
  const t = useT(factorTexts)
  const account = useSession(session => session.user?.account)
  const { form, field, check, run, busy, clear, isDirty } = useProof(state.isOn)
  useEffect(() => void onChanges(isDirty), [isDirty, onChanges])
  const begin = () =>
    run(async proof => {
      const secret = await api.call('POST /blade-auth/second-factor/begin', proof, quiet)
      clear()
      onBegun(secret)
    })
  const renew = () =>
    run(async proof => {
      const { recoveryCodes } = await api.call('POST /blade-auth/second-factor/recovery', proof, quiet)
      clear()
      notify('success', t('done.codes'))
      onCodes(recoveryCodes)
    })
  const remove = async () => {
    if (!(await confirm({ title: t('remove'), text: t('remove.ask'), ok: t('remove'), danger: true }))) return
    await run(async proof => {
      await api.call('POST /blade-auth/second-factor/remove', proof, quiet)
      clear()
      notify('success', t('done.off'))
      onOff()
    })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (check()) void begin()
  }
  const button = (text: string, act: () => Promise<void>, look = '') => (
    <button type="button" className={`button ${look}`} disabled={busy} onClick={() => check() && void act()}>
      {text}
    </button>
  )
  return (
    <form ref={form} className="info-form" onSubmit={submit} onFocus={prepareCipher} noValidate>
      <input type="text" name="username" autoComplete="username" value={account ?? ''} readOnly hidden />
      <p>{state.isOn ? t('on.lead', { since: minuteOf(state.since), left: state.recoveryLeft }) : t('off.lead')}</p>
      {state.isOn && state.recoveryLeft <= fewCodes ? <p role="status">{t('on.few')}</p> : null}
      {state.isRequired ? <p className="info-help">{t(state.isOn ? 'on.required' : 'off.required')}</p> : null}
      {state.isOn ? <p className="info-help">{t('on.prove')}</p> : null}
      {field.password}
      {state.isOn ? field.code : null}
      <div className="info-row info-acts">
        <button type="submit" className="button button-primary" disabled={busy}>
          {t(state.isOn ? 'change' : 'begin')}
        </button>
        {state.isOn ? button(t('renew'), renew) : null}
        {state.isOn && !state.isRequired ? button(t('remove'), remove, 'button-danger') : null}
      </div>
    </form>
  )
}

/** The second factor of a member of staff: set up, changed, its recovery codes made anew, turned off. */
export const FactorForm = ({ onChanges }: { readonly onChanges: (changed: boolean) => void }) => {
  const t = useT(factorTexts)
  const client = useQueryClient()
  const query = useCall('GET /blade-auth/second-factor/state', {}, { quiet: true })
  const [secret, setSecret] = useState<Secret | null>(null)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const refresh = () => void client.invalidateQueries({ queryKey: callKey('GET /blade-auth/second-factor/state') })
  const shown = (part: ReactNode) => <div className="info-form">{part}</div>
  if (codes !== null)
    return shown(
      <>
        <RecoveryCodes codes={codes} />
        <div>
          <button type="button" className="button button-primary" onClick={() => setCodes(null)}>
            {t('done')}
          </button>
        </div>
      </>,
    )
  if (secret !== null)
    return (
      <Confirm
        secret={secret}
        onCancel={() => setSecret(null)}
        onOn={made => {
          setSecret(null)
          setCodes(made)
          notify('success', t('done.on'))
          refresh()
        }}
      />
    )
  return (
    <Loaded query={query}>
      {state => (
        <Prove
          state={state}
          onChanges={onChanges}
          onBegun={setSecret}
          onCodes={made => {
            setCodes(made)
            refresh()
          }}
          onOff={refresh}
        />
      )}
    </Loaded>
  )
}
