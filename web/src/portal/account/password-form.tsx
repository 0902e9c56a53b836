import { type FormEvent, useRef, useState } from 'react'
import { checkPassword, passwordMessage, passwordPolicyOf } from '#contract/system/password-policy.ts'
import { isApiError } from '#web/kernel/api-error.ts'
import { prepareCipher } from '#web/kernel/cipher.ts'
import { useLang, useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { strengthOf } from '#web/kernel/password-strength.ts'
import { useRead } from '../calls.ts'
import { Button } from '../kit/ui.tsx'
import { writes } from '../writes.ts'
import { meTexts } from './me-texts.ts'
import { PasswordInput } from './password-input.tsx'
import { accountTexts } from './texts.ts'

const policy = passwordPolicyOf('candidate')
type Fields = 'oldPassword' | 'newPassword' | 'newPassword1'

/** S3.09: the three fields travel sealed (S5.30). The strength is advice; the server decides (decision 4.7). */
export const PasswordForm = () => {
  const t = useT(accountTexts)
  const m = useT(meTexts)
  const lang = useLang()
  const me = useRead('me', {})
  const form = useRef<HTMLFormElement>(null)
  const [values, setValues] = useState<Record<Fields, string>>({ oldPassword: '', newPassword: '', newPassword1: '' })
  const [errors, setErrors] = useState<Partial<Record<Fields, string>>>({})
  const [busy, setBusy] = useState(false)
  const set = (key: Fields) => (value: string) => {
    setValues(before => ({ ...before, [key]: value }))
    setErrors(before => ({ ...before, [key]: undefined }))
  }
  const show = (found: Partial<Record<Fields, string>>) => {
    setErrors(found)
    const [first] = Object.keys(found)
    if (first !== undefined) requestAnimationFrame(() => form.current?.querySelector<HTMLInputElement>(`[name="${first}"]`)?.focus())
  }
  const send = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    const found: Partial<Record<Fields, string>> = {}
    if (values.oldPassword === '') found.oldPassword = t('info.oldNeed')
    const [problem] = checkPassword(
      { password: values.newPassword, ownWords: [me.data?.account, me.data?.realName], isCommon: () => false },
      policy,
    )
    if (problem !== undefined) found.newPassword = passwordMessage(problem, policy)[lang]
    else if (values.newPassword === values.oldPassword) found.newPassword = m('password.same')
    if (values.newPassword1 === '') found.newPassword1 = m('password.again')
    else if (values.newPassword1 !== values.newPassword) found.newPassword1 = t('info.differ')
    if (Object.keys(found).length > 0) return show(found)
    setBusy(true)
    try {
      await writes.changePassword(values.oldPassword, values.newPassword)
      notify('success', t('info.changed'))
      setValues({ oldPassword: '', newPassword: '', newPassword1: '' })
    } catch (error) {
      if (isApiError(error))
        show(
          error.reason === 'auth/wrong-password'
            ? { oldPassword: error.message }
            : Object.fromEntries(error.fields.map(field => [field.field, field.msg])),
        )
    } finally {
      setBusy(false)
    }
  }
  const strength = strengthOf(values.newPassword, policy.minLength)
  return (
    <form ref={form} className="p-card p-stack p-gap-l" noValidate onFocus={prepareCipher} onSubmit={event => void send(event)}>
      <input type="text" name="username" autoComplete="username" value={me.data?.account ?? ''} readOnly hidden />
      <PasswordInput
        label={t('info.oldPassword')}
        name="oldPassword"
        autoComplete="current-password"
        value={values.oldPassword}
        error={errors.oldPassword}
        onChange={set('oldPassword')}
      />
      <PasswordInput
        label={t('info.newPassword')}
        name="newPassword"
        autoComplete="new-password"
        help={t('info.passwordHelp')}
        value={values.newPassword}
        error={errors.newPassword}
        onChange={set('newPassword')}
      />
      {values.newPassword !== '' && (
        <div className="p-stack p-gap-s">
          <div className="p-strength" data-level={strength} aria-hidden="true">
            <i />
            <i />
            <i />
          </div>
          <p className="p-help" role="status">
            {m('password.strength', { level: m(`password.${strength}`) })}
          </p>
        </div>
      )}
      <PasswordInput
        label={t('info.newPassword1')}
        name="newPassword1"
        autoComplete="new-password"
        value={values.newPassword1}
        error={errors.newPassword1}
        onChange={set('newPassword1')}
      />
      <p className="p-help">{m('password.note')}</p>
      <Button type="submit" look="primary" block busy={busy}>
        {t('info.change')}
      </Button>
    </form>
  )
}
