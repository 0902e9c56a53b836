import { useT } from './i18n/index.ts'
import type { Strength } from './password-strength.ts'
import { passwordTexts } from './password-texts.ts'
import './strength-bar.css'

/** How strong the typed password is, as a bar and in words. */
export const StrengthBar = ({ strength, textClass }: { readonly strength: Strength; readonly textClass: string }) => {
  const t = useT(passwordTexts)
  return (
    <div>
      <div className="strength" data-level={strength} aria-hidden="true">
        <i />
        <i />
        <i />
      </div>
      <p className={textClass} role="status">
        {t('password.strength', { level: t(`password.level.${strength}`) })}
      </p>
    </div>
  )
}
