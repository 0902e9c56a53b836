import { useQuery } from '@tanstack/react-query'
import { passwordPolicyOf } from '#contract/auth/password-policy.ts'
import { prepareCipher } from '#web/kernel/cipher.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { passwordTexts } from '#web/kernel/password-texts.ts'
import { useSession } from '#web/kernel/session.ts'
import { StrengthBar } from '#web/kernel/strength-bar.tsx'
import { usePasswordChange } from '#web/kernel/use-password-change.ts'
import { meQuery } from '#web/shell/me.ts'
import { PasswordField } from './password-field.tsx'

const policy = passwordPolicyOf('staff')

/** S3.09, among what is one's own. */
export const PasswordForm = ({ onChanges }: { readonly onChanges: (changed: boolean) => void }) => {
  const t = useT(passwordTexts)
  const account = useSession(session => session.user?.account)
  const asksOld = useQuery(meQuery).data?.passwordAsked !== false
  const onDone = () => notify('success', t('done.ok'))
  const { form, field, strength, busy, onSubmit } = usePasswordChange({ policy, asksOld, ownWords: [account], onDone, onChanges })
  return (
    <form ref={form} className="info-form" onSubmit={onSubmit} onFocus={prepareCipher} noValidate>
      <input type="text" name="username" autoComplete="username" value={account ?? ''} readOnly hidden />
      {asksOld || field('oldPassword').error !== undefined ? (
        <PasswordField label={t('password.old')} autoComplete="current-password" {...field('oldPassword')} />
      ) : null}
      <PasswordField label={t('password.new')} autoComplete="new-password" {...field('newPassword')}>
        {strength === null ? null : <StrengthBar strength={strength} textClass="info-help" />}
        <p className="info-help">{t('password.help', { min: policy.minLength, max: policy.maxLength })}</p>
      </PasswordField>
      <PasswordField label={t('password.again')} autoComplete="new-password" {...field('newPassword1')} />
      <p className="info-help">{t('password.note')}</p>
      <div>
        <button type="submit" className="button button-primary" disabled={busy}>
          {t('action.save')}
        </button>
      </div>
    </form>
  )
}
