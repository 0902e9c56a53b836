import { type FormEvent, useRef, useState } from 'react'
import { loadChunk } from '../kernel/chunk.ts'
import { prepareCipher } from '../kernel/cipher.ts'
import { useT } from '../kernel/i18n/index.ts'
import type { TokenAnswer } from '../kernel/session.ts'
import { CaptchaPicture, useCaptcha } from './captcha.tsx'
import { Field } from './field.tsx'
import { logInByPassword } from './login-calls.ts'
import { PasswordEye } from './password-eye.tsx'
import { type SecondStep, secondStepOf } from './second-step-calls.ts'
import { loginTexts } from './texts.ts'

interface Props {
  /** The tenant asks for one (S9.06: on). */
  readonly hasCaptcha: boolean
  readonly onLoggedIn: (answer: TokenAnswer, typed: string) => void
  readonly onNext: (step: SecondStep, typed: string) => void
}

export const AccountForm = ({ hasCaptcha, onLoggedIn, onNext }: Props) => {
  const t = useT(loginTexts)
  const form = useRef<HTMLFormElement>(null)
  // A picture, or work that the browser does by itself for whoever cannot use a picture.
  const [byWork, setByWork] = useState(false)
  const hasPicture = hasCaptcha && !byWork
  const { captcha, failed, renew } = useCaptcha(hasPicture)
  const [account, setAccount] = useState('')
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [shown, setShown] = useState(false)
  const [checked, setChecked] = useState(false)
  const [busy, setBusy] = useState(false)
  const empty = {
    account: account.trim() === '' ? t('account.empty') : undefined,
    password: password === '' ? t('password.empty') : undefined,
    code: !hasPicture ? undefined : captcha === null ? t('captcha.none') : code.trim() === '' ? t('captcha.empty') : undefined,
  }
  // What was typed belongs to the picture it was typed from.
  const [typedFor, setTypedFor] = useState(captcha)
  if (typedFor !== captcha) {
    setTypedFor(captcha)
    if (typedFor !== null) setCode('')
  }
  const shownError = (error: string | undefined) => (checked ? error : undefined)

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    setChecked(true)
    const first = empty.account ? 'username' : empty.password ? 'password' : empty.code ? 'captcha' : null
    if (first !== null) {
      form.current?.querySelector<HTMLInputElement>(`[name=${first}]`)?.focus()
      return
    }
    setBusy(true)
    try {
      const proof = byWork
        ? await (await loadChunk(() => import('./work.ts'))).workInstead()
        : { key: captcha?.key ?? '', code: code.trim() }
      onLoggedIn(await logInByPassword({ account: account.trim(), password, captchaKey: proof.key, captchaCode: proof.code }), password)
    } catch (error) {
      const next = secondStepOf(error)
      if (next !== null) return onNext(next, password)
      // The api client has said why. The captcha is spent, whatever the reason.
      setCode('')
      setChecked(false)
      renew()
    } finally {
      setBusy(false)
    }
  }

  return (
    <form ref={form} className="login-form" onSubmit={submit} onFocus={prepareCipher} noValidate>
      <Field
        label={t('account')}
        name="username"
        autoComplete="username"
        placeholder={t('account.hint')}
        maxLength={64}
        value={account}
        onValue={setAccount}
        error={shownError(empty.account)}
      />
      <Field
        label={t('password')}
        name="password"
        type={shown ? 'text' : 'password'}
        autoComplete="current-password"
        maxLength={64}
        value={password}
        onValue={setPassword}
        error={shownError(empty.password)}
        side={<PasswordEye shown={shown} onToggle={() => setShown(!shown)} />}
      />
      {hasPicture ? (
        <Field
          label={t('captcha')}
          name="captcha"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          maxLength={8}
          value={code}
          onValue={setCode}
          error={shownError(empty.code)}
          side={<CaptchaPicture captcha={captcha} failed={failed} onRenew={renew} />}
        />
      ) : null}
      {hasCaptcha ? (
        <div className="login-instead">
          <p role="status">{byWork ? t('work.on') : ''}</p>
          <button type="button" onClick={() => setByWork(!byWork)}>
            {t(byWork ? 'work.back' : 'work.use')}
          </button>
        </div>
      ) : null}
      <button type="submit" className="login-submit" disabled={busy}>
        {busy ? t(byWork ? 'work.busy' : 'submitting') : t('submit')}
      </button>
    </form>
  )
}
