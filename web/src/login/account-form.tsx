import { type FormEvent, useRef, useState } from 'react'
import { foldWidth } from '#contract/kernel/fold-width.ts'
import { logInByPassword } from '../kernel/ask-token.ts'
import { prepareCipher } from '../kernel/cipher.ts'
import { useT } from '../kernel/i18n/index.ts'
import type { TokenAnswer } from '../kernel/session.ts'
import { readTab } from '../kernel/tab-storage.ts'
import { CaptchaField, useCaptchaProof } from './captcha.tsx'
import { Field } from './field.tsx'
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
  const proof = useCaptchaProof(hasCaptcha)
  const [account, setAccount] = useState(() => readTab<string>('account') ?? '')
  const [password, setPassword] = useState('')
  const [shown, setShown] = useState(false)
  const [checked, setChecked] = useState(false)
  const [busy, setBusy] = useState(false)
  const empty = {
    account: foldWidth(account) === '' ? t('account.empty') : undefined,
    password: password === '' ? t('password.empty') : undefined,
    code: proof.problem,
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
      const { key, code } = await proof.give()
      onLoggedIn(await logInByPassword({ account: foldWidth(account), password, captchaKey: key, captchaCode: code }), password)
    } catch (error) {
      const next = secondStepOf(error)
      if (next !== null) return onNext(next, password)
      // The api client has said why. The captcha is spent, whatever the reason.
      setChecked(false)
      proof.renew()
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
      <CaptchaField proof={proof} error={shownError(empty.code)} />
      <button type="submit" className="login-submit" disabled={busy}>
        {busy ? t(proof.byWork ? 'work.busy' : 'submitting') : t('submit')}
      </button>
    </form>
  )
}
