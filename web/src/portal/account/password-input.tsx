import { useState } from 'react'
import { useT } from '#web/kernel/i18n/index.ts'
import { TextField } from '../kit/field.tsx'
import { accountTexts } from './texts.ts'

/** A password with a button that shows what was typed: on a phone the only way to find a slip. */
export const PasswordInput = ({
  label,
  name,
  value,
  error,
  help,
  autoComplete,
  onChange,
  onBlur,
}: {
  readonly label: string
  readonly name: string
  readonly value: string
  readonly error?: string | undefined
  readonly help?: string
  readonly autoComplete: 'current-password' | 'new-password'
  readonly onChange: (value: string) => void
  readonly onBlur?: () => void
}) => {
  const t = useT(accountTexts)
  const [shown, setShown] = useState(false)
  return (
    <TextField
      label={label}
      name={name}
      required
      type={shown ? 'text' : 'password'}
      autoComplete={autoComplete}
      autoCapitalize="none"
      spellCheck={false}
      value={value}
      error={error}
      help={help}
      onChange={event => onChange(event.target.value)}
      onBlur={onBlur}
      side={
        <button
          type="button"
          className="p-btn"
          aria-pressed={shown}
          aria-label={t(shown ? 'info.hide' : 'info.show')}
          onClick={() => setShown(!shown)}
        >
          <svg width="22" height="22" viewBox="0 0 24 24" fill="none" stroke="currentColor" strokeWidth="1.8" aria-hidden="true">
            <path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12z" />
            <circle cx="12" cy="12" r="3" />
            {shown && <path d="m4 4 16 16" />}
          </svg>
        </button>
      }
    />
  )
}
