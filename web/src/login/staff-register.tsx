import { type FormEvent, useEffect, useRef, useState } from 'react'
import { checkPassword, passwordMessage, passwordPolicyOf } from '#contract/auth/password-policy.ts'
import { foldWidth } from '#contract/kernel/fold-width.ts'
import { checkMobile, mobileMessages } from '#contract/person/mobile.ts'
import { checkName, nameMessages } from '#contract/person/person-name.ts'
import { isApiError } from '../kernel/api-error.ts'
import { prepareCipher } from '../kernel/cipher.ts'
import { fieldTexts } from '../kernel/field-texts.ts'
import { useLabel, useT } from '../kernel/i18n/index.ts'
import { notify } from '../kernel/notify.ts'
import { strengthOf } from '../kernel/password-strength.ts'
import { passwordTexts } from '../kernel/password-texts.ts'
import { useSaid } from '../kernel/said.ts'
import { StrengthBar } from '../kernel/strength-bar.tsx'
import { CaptchaField, useCaptchaProof } from './captcha.tsx'
import { Field } from './field.tsx'
import { registerStaff } from './login-calls.ts'
import { PasswordEye } from './password-eye.tsx'
import { staffRegisterTexts } from './staff-register-texts.ts'

const names = ['account', 'name', 'phone', 'password', 'captcha'] as const
type Name = (typeof names)[number]
type Errors = Partial<Readonly<Record<Name, string>>>

const policy = passwordPolicyOf('staff')
const accountName = /^[A-Za-z0-9_.@-]{4,60}$/
/** Refusals of one field that do not name it. */
const fieldOf: Readonly<Record<string, Name>> = { 'auth/account-taken': 'account', 'auth/invalid-captcha': 'captcha' }

const Done = ({ account, onBack }: { readonly account: string; readonly onBack: () => void }) => {
  const t = useT(staffRegisterTexts)
  return (
    <div className="login-step" role="status">
      <h1>{t('done')}</h1>
      <p className="login-step-lead">{t('done.lead', { account })}</p>
      {/* biome-ignore lint/a11y/noAutofocus: the only way on */}
      <button type="button" className="login-submit" autoFocus onClick={onBack}>
        {t('back')}
      </button>
    </div>
  )
}

/** A member of staff asks for an account where the tenant lets them (decision 3.12); there is none before somebody has approved. */
export const StaffRegister = ({ hasCaptcha, onBack }: { readonly hasCaptcha: boolean; readonly onBack: () => void }) => {
  const t = useT(staffRegisterTexts)
  const p = useT(passwordTexts)
  const label = useLabel()
  const form = useRef<HTMLFormElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const proof = useCaptchaProof(hasCaptcha)
  const [values, setValues] = useState({ account: '', name: '', phone: '', password: '' })
  const [errors, setErrors] = useSaid<Errors>({})
  const [shown, setShown] = useState(false)
  const [busy, setBusy] = useState(false)
  const [done, setDone] = useState(false)
  useEffect(() => void heading.current?.focus(), [])

  const show = (found: Errors) => {
    setErrors(found)
    const first = names.find(name => found[name] !== undefined)
    if (first !== undefined) form.current?.querySelector<HTMLInputElement>(`[name=${first}]`)?.focus()
  }
  const problemsOf = (): Errors => {
    const { account, password } = values
    const [name, phone] = [checkName(values.name), checkMobile(values.phone)]
    const [weak] = checkPassword(
      { password, ownWords: [account, name.ok ? name.name : undefined, values.phone], isCommon: () => false },
      policy,
    )
    return {
      ...(accountName.test(foldWidth(account)) ? {} : { account: t('account.wrong') }),
      ...(name.ok ? {} : { name: label(nameMessages[name.problem]) }),
      ...(phone.ok ? {} : { phone: label(mobileMessages[phone.problem]) }),
      ...(weak === undefined ? {} : { password: label(passwordMessage(weak, policy)) }),
      ...(proof.problem === undefined ? {} : { captcha: proof.problem }),
    }
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    const found = problemsOf()
    show(found)
    if (Object.keys(found).length > 0) return
    setBusy(true)
    try {
      const { key, code } = await proof.give()
      await registerStaff({ ...values, account: foldWidth(values.account), captchaKey: key, captchaCode: code })
    } catch (error) {
      if (!isApiError(error)) throw error
      if (error.reason === 'auth/registration-waits') return setDone(true)
      // The captcha is spent, whatever the reason.
      proof.renew()
      const field = fieldOf[error.reason ?? '']
      const texts: Errors = field === undefined ? fieldTexts(error) : { [field]: error.message }
      if (names.some(name => texts[name] !== undefined)) show(texts)
      else notify('error', error.message)
    } finally {
      setBusy(false)
    }
  }
  if (done) return <Done account={foldWidth(values.account)} onBack={onBack} />
  const field = (name: Exclude<Name, 'captcha'>) => ({
    name,
    label: t(name),
    value: values[name],
    onValue: (value: string) => {
      setValues({ ...values, [name]: value })
      setErrors(({ [name]: _mended, ...rest }) => rest)
    },
    error: errors[name],
  })
  return (
    <div className="login-step">
      <h1 ref={heading} tabIndex={-1}>
        {t('title')}
      </h1>
      <p className="login-step-lead">{t('lead')}</p>
      <form ref={form} className="login-form" onSubmit={submit} onFocus={prepareCipher} noValidate>
        <Field {...field('account')} autoComplete="username" autoCapitalize="none" spellCheck={false} maxLength={60} />
        <Field {...field('name')} autoComplete="name" maxLength={60} />
        <Field {...field('phone')} type="tel" inputMode="numeric" autoComplete="tel-national" maxLength={24} />
        <Field
          {...field('password')}
          type={shown ? 'text' : 'password'}
          autoComplete="new-password"
          autoCapitalize="off"
          spellCheck={false}
          maxLength={64}
          side={<PasswordEye shown={shown} onToggle={() => setShown(!shown)} />}
        />
        {values.password === '' ? null : <StrengthBar strength={strengthOf(values.password, policy.minLength)} textClass="login-help" />}
        <p className="login-help">{p('password.help', { min: policy.minLength, max: policy.maxLength })}</p>
        {/* Once letters are typed, only what is wrong now is worth saying. */}
        <CaptchaField proof={proof} error={errors.captcha === undefined || proof.code === '' ? errors.captcha : proof.problem} />
        <button type="submit" className="login-submit" disabled={busy}>
          {t(busy ? 'submitting' : 'submit')}
        </button>
      </form>
      <button type="button" className="login-quiet" onClick={onBack}>
        {t('back')}
      </button>
    </div>
  )
}
