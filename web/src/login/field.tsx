import { type InputHTMLAttributes, type ReactNode, useId } from 'react'

interface Props extends Omit<InputHTMLAttributes<HTMLInputElement>, 'id' | 'onChange' | 'value'> {
  readonly label: string
  readonly value: string
  readonly onValue: (value: string) => void
  readonly error: string | undefined
  /** What is said below while there is no error. */
  readonly note?: string | undefined
  /** What stands right of the input: a picture, a button. */
  readonly side?: ReactNode
}

export const Field = ({ label, value, onValue, error, note, side, ...input }: Props) => {
  const id = useId()
  return (
    <div className="login-field">
      <label htmlFor={id}>{label}</label>
      <div className="login-row">
        <input
          {...input}
          id={id}
          value={value}
          onChange={event => onValue(event.target.value)}
          aria-invalid={error !== undefined}
          aria-describedby={(error ?? note) === undefined ? undefined : `${id}-error`}
        />
        {side}
      </div>
      <p id={`${id}-error`} className={error === undefined ? 'login-error is-note' : 'login-error'} aria-live="polite">
        {error ?? note}
      </p>
    </div>
  )
}
