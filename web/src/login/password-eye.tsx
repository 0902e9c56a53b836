import { useT } from '../kernel/i18n/index.ts'
import { passwordTexts } from '../kernel/password-texts.ts'

/** Shows what was typed: on a phone the only way to find a slip. */
export const PasswordEye = ({ shown, onToggle }: { readonly shown: boolean; readonly onToggle: () => void }) => {
  const t = useT(passwordTexts)
  return (
    <button
      type="button"
      className="login-eye"
      aria-pressed={shown}
      aria-label={shown ? t('password.hide') : t('password.show')}
      onClick={onToggle}
    >
      <svg width="18" height="18" viewBox="0 0 18 18" fill="none" stroke="currentColor" strokeWidth="1.4" aria-hidden="true">
        <path d="M1.5 9S4.2 4 9 4s7.5 5 7.5 5-2.7 5-7.5 5S1.5 9 1.5 9Z" />
        <circle cx="9" cy="9" r="2.3" />
        {shown ? null : <path d="M3 15 15 3" />}
      </svg>
    </button>
  )
}
