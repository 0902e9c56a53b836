import { useEffect, useRef, useState } from 'react'
import { passwordPolicyOf } from '#contract/auth/password-policy.ts'
import { api } from '../kernel/api.ts'
import { prepareCipher } from '../kernel/cipher.ts'
import { useT } from '../kernel/i18n/index.ts'
import { notify } from '../kernel/notify.ts'
import { passwordTexts } from '../kernel/password-texts.ts'
import type { TokenAnswer } from '../kernel/session.ts'
import * as settings from '../kernel/settings.ts'
import { StrengthBar } from '../kernel/strength-bar.tsx'
import { type PasswordFieldState, usePasswordChange } from '../kernel/use-password-change.ts'
import { Field } from './field.tsx'
import { ownPasswordTexts } from './own-password-texts.ts'
import { PasswordEye } from './password-eye.tsx'

interface Props {
  /** A session that is good for nothing but this; the browser keeps it when the password is changed. */
  readonly answer: TokenAnswer
  /** What was typed at the login; empty after another door. */
  readonly typed: string
  readonly onLoggedIn: (answer: TokenAnswer) => void
  readonly onBack: () => void
}

const inSession = (answer: TokenAnswer) => ({ 'Blade-Auth': `bearer ${answer.access_token}`, 'Tenant-Id': answer.tenant_id })

const PasswordLine = ({
  label,
  autoComplete,
  ...state
}: PasswordFieldState & { readonly label: string; readonly autoComplete: string }) => {
  const [shown, setShown] = useState(false)
  return (
    <Field
      {...state}
      label={label}
      type={shown ? 'text' : 'password'}
      autoComplete={autoComplete}
      autoCapitalize="off"
      spellCheck={false}
      maxLength={64}
      side={<PasswordEye shown={shown} onToggle={() => setShown(!shown)} />}
    />
  )
}

/** Decision 4.7: a one-time password is replaced before anything else. The login is over when that is done. */
export const OwnPassword = ({ answer, typed, onLoggedIn, onBack }: Props) => {
  const t = useT(ownPasswordTexts)
  const p = useT(passwordTexts)
  const policy = passwordPolicyOf(answer.detail?.userType === 2 ? 'candidate' : 'staff')
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => void heading.current?.focus(), [])
  const { form, field, strength, busy, onSubmit } = usePasswordChange({
    policy,
    ownWords: [answer.account],
    known: typed,
    headers: inSession(answer),
    onDone: () => onLoggedIn(answer),
    onGone: () => {
      notify('error', t('error.tokenExpired'))
      onBack()
    },
  })
  const leave = async () => {
    // Without the server's answer the session that is left, which opens nothing, ends by time.
    await api
      .call('GET /blade-auth/oauth/logout', {}, { quiet: true, timeoutMs: settings.leaveTimeoutMs, headers: inSession(answer) })
      .catch(() => {})
    onBack()
  }
  const old = field('oldPassword')
  const isOldKnown = typed !== '' && old.value === typed && old.error === undefined
  return (
    <div className="login-step">
      <h1 ref={heading} tabIndex={-1}>
        {t('title')}
      </h1>
      <p className="login-step-lead">{t('lead')}</p>
      <form ref={form} className="login-form" onSubmit={onSubmit} onFocus={prepareCipher} noValidate>
        <input type="text" name="username" autoComplete="username" value={answer.account} readOnly hidden />
        {isOldKnown ? null : <PasswordLine {...old} label={t('oneTime')} autoComplete="current-password" />}
        <PasswordLine {...field('newPassword')} label={p('password.new')} autoComplete="new-password" />
        {strength === null ? null : <StrengthBar strength={strength} textClass="login-help" />}
        <p className="login-help">{p('password.help', { min: policy.minLength, max: policy.maxLength })}</p>
        <PasswordLine {...field('newPassword1')} label={p('password.again')} autoComplete="new-password" />
        <button type="submit" className="login-submit" disabled={busy}>
          {t(busy ? 'saving' : 'save')}
        </button>
      </form>
      <button type="button" className="login-quiet" onClick={() => void leave()}>
        {t('back')}
      </button>
    </div>
  )
}
