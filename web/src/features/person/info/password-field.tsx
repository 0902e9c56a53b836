import { type ReactNode, useState } from 'react'
import { useT } from '#web/kernel/i18n/index.ts'
import { passwordTexts } from '#web/kernel/password-texts.ts'
import { Icon } from '#web/ui/icon.tsx'
import { Labelled } from '#web/ui/labelled.tsx'

interface Props {
  readonly label: string
  readonly name: string
  readonly value: string
  readonly onValue: (value: string) => void
  readonly error: string | undefined
  readonly autoComplete: 'current-password' | 'new-password'
  /** Help, and how strong the password is. */
  readonly children?: ReactNode
}

export const PasswordField = ({ label, name, value, onValue, error, autoComplete, children }: Props) => {
  const t = useT(passwordTexts)
  const [shown, setShown] = useState(false)
  return (
    <Labelled label={label} error={error}>
      {id => (
        <>
          <div className="password-row">
            <input
              id={id}
              name={name}
              className="input"
              type={shown ? 'text' : 'password'}
              autoComplete={autoComplete}
              maxLength={64}
              spellCheck={false}
              value={value}
              onChange={event => onValue(event.target.value)}
              aria-invalid={error !== undefined}
            />
            <button
              type="button"
              className="icon-button"
              aria-pressed={shown}
              aria-label={shown ? t('password.hide') : t('password.show')}
              onClick={() => setShown(!shown)}
            >
              <Icon
                d={`M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8ZM8 6a2 2 0 1 1 0 4 2 2 0 0 1 0-4Z${shown ? '' : 'M3 13 13 3'}`}
              />
            </button>
          </div>
          {children}
        </>
      )}
    </Labelled>
  )
}
