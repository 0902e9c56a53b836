import { type HTMLInputTypeAttribute, type ReactNode, useId } from 'react'

interface Props {
  readonly label: string
  readonly error?: string | undefined
  /** The control: it takes the id that its label points at, and says what is wrong with it by `described`. */
  readonly children: (id: string, described: { readonly 'aria-invalid': boolean; readonly 'aria-describedby'?: string }) => ReactNode
}

/** A control of a small dialog with its label above and its error below. */
export const Labelled = ({ label, error, children }: Props) => {
  const id = useId()
  const errorId = `${id}e`
  return (
    <div className="labelled">
      <label htmlFor={id}>{label}</label>
      {children(id, { 'aria-invalid': error !== undefined, ...(error === undefined ? {} : { 'aria-describedby': errorId }) })}
      {error === undefined ? null : (
        <span id={errorId} className="field-error" role="alert">
          {error}
        </span>
      )}
    </div>
  )
}

interface InputProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly error?: string | undefined
  readonly maxLength?: number
  readonly inputMode?: 'text' | 'decimal' | 'numeric'
  readonly type?: HTMLInputTypeAttribute
  readonly disabled?: boolean
  readonly rows?: number
}

/** Text typed in a small dialog; with `rows` several lines of it. */
export const LabelledInput = ({ label, error, value, onChange, rows, type, ...rest }: InputProps) => (
  <Labelled label={label} error={error}>
    {(id, described) =>
      rows === undefined ? (
        <input
          id={id}
          {...described}
          {...rest}
          type={type}
          className="input"
          autoComplete="off"
          value={value}
          onChange={event => onChange(event.target.value)}
        />
      ) : (
        <textarea
          id={id}
          {...described}
          {...rest}
          className="input"
          rows={rows}
          value={value}
          onChange={event => onChange(event.target.value)}
        />
      )
    }
  </Labelled>
)

/** One of a few, chosen in a small dialog. */
export const LabelledSelect = <V extends string | number>({
  label,
  error,
  value,
  options,
  onChange,
}: {
  readonly label: string
  readonly error?: string | undefined
  readonly value: V
  readonly options: readonly { readonly value: V; readonly label: string }[]
  readonly onChange: (value: V) => void
}) => (
  <Labelled label={label} error={error}>
    {(id, described) => (
      <select
        id={id}
        {...described}
        className="input"
        value={value}
        onChange={event => {
          const chosen = options.find(option => String(option.value) === event.target.value)
          if (chosen !== undefined) onChange(chosen.value)
        }}
      >
        {options.map(option => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    )}
  </Labelled>
)

/** Yes or no beside its text. */
export const Check = ({
  label,
  on,
  onChange,
}: {
  readonly label: ReactNode
  readonly on: boolean
  readonly onChange: (on: boolean) => void
}) => (
  <label className="check">
    <input type="checkbox" checked={on} onChange={event => onChange(event.target.checked)} />
    <span>{label}</span>
  </label>
)
