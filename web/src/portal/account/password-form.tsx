import { passwordPolicyOf } from '#contract/auth/password-policy.ts'
import { prepareCipher } from '#web/kernel/cipher.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { passwordTexts } from '#web/kernel/password-texts.ts'
import { StrengthBar } from '#web/kernel/strength-bar.tsx'
import { type PasswordFieldState, usePasswordChange } from '#web/kernel/use-password-change.ts'
import { useRead } from '../calls.ts'
import { Button } from '../kit/ui.tsx'
import { PasswordInput } from './password-input.tsx'
import { accountTexts } from './texts.ts'

const policy = passwordPolicyOf('candidate')

/** S3.09. The strength is advice; the server decides (decision 4.7). */
export const PasswordForm = () => {
  const t = useT(accountTexts)
  const p = useT(passwordTexts)
  const me = useRead('me', {})
  const asksOld = me.data?.passwordAsked !== false
  const { form, field, strength, busy, onSubmit } = usePasswordChange({
    policy,
    asksOld,
    ownWords: [me.data?.account, me.data?.realName],
    onDone: () => notify('success', t('info.changed')),
  })
  const input = (name: PasswordFieldState['name']) => {
    const { onValue, ...state } = field(name)
    return { ...state, onChange: onValue }
  }
  return (
    <form ref={form} className="p-card p-stack p-gap-l" noValidate onFocus={prepareCipher} onSubmit={onSubmit}>
      <input type="text" name="username" autoComplete="username" value={me.data?.account ?? ''} readOnly hidden />
      {(asksOld || field('oldPassword').error !== undefined) && (
        <PasswordInput label={p('password.old')} autoComplete="current-password" {...input('oldPassword')} />
      )}
      <PasswordInput label={p('password.new')} autoComplete="new-password" help={t('info.passwordHelp')} {...input('newPassword')} />
      {strength !== null && <StrengthBar strength={strength} textClass="p-help" />}
      <PasswordInput label={p('password.again')} autoComplete="new-password" {...input('newPassword1')} />
      <p className="p-help">{p('password.note')}</p>
      <Button type="submit" look="primary" block busy={busy}>
        {t('info.change')}
      </Button>
    </form>
  )
}
