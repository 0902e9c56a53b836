import { type FormEvent, useRef, useState } from 'react'
import { checkPassword, passwordMessage, passwordPolicyOf } from '#contract/system/password-policy.ts'
import { api } from '../../../kernel/api.ts'
import { isApiError } from '../../../kernel/api-error.ts'
import { encrypt, prepareCipher } from '../../../kernel/cipher.ts'
import { useLabel, useT } from '../../../kernel/i18n/index.ts'
import { notify } from '../../../kernel/notify.ts'
import { strengthOf } from '../../../kernel/password-strength.ts'
import { useSession } from '../../../kernel/session.ts'
import { accountTexts } from '../texts.ts'
import { PasswordField } from './password-field.tsx'

const empty = { oldPassword: '', newPassword: '', newPassword1: '' }
type Name = keyof typeof empty
type Errors = Partial<Record<Name, string>>
const names: readonly Name[] = ['oldPassword', 'newPassword', 'newPassword1']
const levels = { 1: 'password.weak', 2: 'password.fair', 3: 'password.strong' } as const
const policy = passwordPolicyOf('staff')

/** S3.09: the three fields travel sealed by SM2 (S5.30). */
export const PasswordForm = ({ onChanges }: { readonly onChanges: (changed: boolean) => void }) => {
  const t = useT(accountTexts)
  const label = useLabel()
  const account = useSession(session => session.user?.account)
  const form = useRef<HTMLFormElement>(null)
  const [values, setValues] = useState(empty)
  const [errors, setErrors] = useState<Errors>({})
  const [busy, setBusy] = useState(false)
  const set = (name: Name) => (value: string) => {
    const next = { ...values, [name]: value }
    setValues(next)
    setErrors(({ [name]: _mended, ...rest }) => rest)
    onChanges(names.some(each => next[each] !== ''))
  }
  const problems = (): Errors => {
    const [weak] = checkPassword({ password: values.newPassword, ownWords: [account], isCommon: () => false }, policy)
    const { oldPassword, newPassword, newPassword1 } = values
    return {
      ...(oldPassword === '' ? { oldPassword: t('form.required', { label: t('password.old') }) } : {}),
      ...(weak !== undefined
        ? { newPassword: label(passwordMessage(weak, policy)) }
        : newPassword === oldPassword
          ? { newPassword: t('password.same') }
          : {}),
      ...(newPassword1 === ''
        ? { newPassword1: t('form.required', { label: t('password.again') }) }
        : newPassword1 === newPassword
          ? {}
          : { newPassword1: t('password.mismatch') }),
    }
  }
  const show = (found: Errors) => {
    setErrors(found)
    const first = names.find(name => found[name] !== undefined)
    form.current?.querySelector<HTMLInputElement>(`[name=${first}]`)?.focus()
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const found = problems()
    show(found)
    if (Object.keys(found).length > 0 || busy) return
    setBusy(true)
    try {
      await api.call(
        'POST /blade-system/user/update-password',
        async () => {
          const [oldPassword, newPassword, newPassword1] = await Promise.all([
            encrypt(values.oldPassword),
            encrypt(values.newPassword),
            encrypt(values.newPassword1),
          ])
          return { oldPassword, newPassword, newPassword1 }
        },
        { quiet: 'fields' },
      )
      setValues(empty)
      onChanges(false)
      notify('success', t('done.ok'))
    } catch (error) {
      if (isApiError(error)) {
        const fields = Object.fromEntries(error.fields.map(({ field, msg }) => [field, msg]))
        show(error.reason === 'auth/wrong-password' ? { oldPassword: error.message } : fields)
      }
    } finally {
      setBusy(false)
    }
  }
  const strength = strengthOf(values.newPassword, policy.minLength)
  const level = t(levels[strength])
  return (
    <form ref={form} className="info-form" onSubmit={submit} onFocus={prepareCipher} noValidate>
      <input type="text" name="username" autoComplete="username" value={account ?? ''} readOnly hidden />
      <PasswordField
        label={t('password.old')}
        name="oldPassword"
        autoComplete="current-password"
        value={values.oldPassword}
        onValue={set('oldPassword')}
        error={errors.oldPassword}
      />
      <PasswordField
        label={t('password.new')}
        name="newPassword"
        autoComplete="new-password"
        value={values.newPassword}
        onValue={set('newPassword')}
        error={errors.newPassword}
      >
        {values.newPassword === '' ? null : (
          <>
            <div className="strength" data-level={strength} aria-hidden="true">
              <i />
              <i />
              <i />
            </div>
            <p className="info-help" role="status">
              {t('password.strength', { level })}
            </p>
          </>
        )}
        <p className="info-help">{t('password.help', { min: policy.minLength, max: policy.maxLength })}</p>
      </PasswordField>
      <PasswordField
        label={t('password.again')}
        name="newPassword1"
        autoComplete="new-password"
        value={values.newPassword1}
        onValue={set('newPassword1')}
        error={errors.newPassword1}
      />
      <p className="info-help">{t('password.note')}</p>
      <div>
        <button type="submit" className="button button-primary" disabled={busy}>
          {t('action.save')}
        </button>
      </div>
    </form>
  )
}
