import { type InputHTMLAttributes, type ReactNode, type Ref, type TextareaHTMLAttributes, useId } from 'react'
import { useT } from '#web/kernel/i18n/index.ts'
import { laterTexts } from '../later-texts.ts'
import type { Option } from '../wire.ts'
import { AlertIcon } from './icons.tsx'

export interface FieldProps {
  readonly label: ReactNode
  readonly required?: boolean
  readonly help?: ReactNode
  readonly error?: string | null
  /** A hint that the field is not required. */
  readonly showOptional?: boolean
}

export interface ControlIds {
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': true | undefined
  readonly 'aria-required': true | undefined
}

const Marks = ({ required, showOptional }: Pick<FieldProps, 'required' | 'showOptional'>) => {
  const t = useT(laterTexts)
  if (required)
    return (
      <span className="p-req" aria-hidden="true">
        *
      </span>
    )
  return showOptional ? <span className="p-dim p-small"> {t('field.optional')}</span> : null
}

const Below = ({ id, help, error }: { readonly id: string; readonly help?: ReactNode; readonly error?: string | null }) =>
  error ? (
    <p className="p-error" id={id}>
      <AlertIcon size={16} />
      <span>{error}</span>
    </p>
  ) : help ? (
    <div className="p-help" id={id}>
      {help}
    </div>
  ) : null

/** Label above, control, then the help or the error that replaces it, tied to the control. */
export const Field = ({
  label,
  required,
  help,
  error,
  showOptional,
  wide,
  children,
}: FieldProps & { readonly wide?: boolean; readonly children: (ids: ControlIds) => ReactNode }) => {
  const id = useId()
  const belowId = `${id}-below`
  return (
    <div className={wide ? 'p-field is-wide' : 'p-field'}>
      <label className="p-label" htmlFor={id}>
        {label}
        <Marks required={required} showOptional={showOptional} />
      </label>
      {children({
        id,
        'aria-describedby': error || help ? belowId : undefined,
        'aria-invalid': error ? true : undefined,
        'aria-required': required ? true : undefined,
      })}
      <Below id={belowId} help={help} error={error} />
    </div>
  )
}

/** The same for a group of choices. */
export const FieldSet = ({
  label,
  required,
  help,
  error,
  showOptional,
  wide = true,
  children,
}: FieldProps & { readonly wide?: boolean; readonly children: ReactNode }) => {
  const id = useId()
  return (
    <fieldset className={wide ? 'p-field is-wide' : 'p-field'} aria-describedby={error || help ? id : undefined}>
      <legend className="p-label">
        {label}
        <Marks required={required} showOptional={showOptional} />
      </legend>
      {children}
      <Below id={id} help={help} error={error} />
    </fieldset>
  )
}

type Common = FieldProps & { readonly wide?: boolean; readonly name?: string }

export const TextField = ({
  label,
  required,
  help,
  error,
  showOptional,
  wide,
  side,
  ref,
  ...input
}: Common & { readonly side?: ReactNode; readonly ref?: Ref<HTMLInputElement> } & Omit<
    InputHTMLAttributes<HTMLInputElement>,
    'required'
  >) => (
  <Field label={label} required={required} help={help} error={error} showOptional={showOptional} wide={wide}>
    {ids =>
      side === undefined ? (
        <input {...input} {...ids} ref={ref} className="p-input" />
      ) : (
        <div className="p-with-button">
          <input {...input} {...ids} ref={ref} className="p-input" />
          {side}
        </div>
      )
    }
  </Field>
)

export const TextArea = ({
  label,
  required,
  help,
  error,
  showOptional,
  wide = true,
  ...input
}: Common & Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'required'>) => (
  <Field label={label} required={required} help={help} error={error} showOptional={showOptional} wide={wide}>
    {ids => <textarea {...input} {...ids} className="p-input" />}
  </Field>
)

export const SelectField = ({
  options,
  value,
  onChange,
  onBlur,
  disabled,
  ...field
}: Common & {
  readonly options: readonly Option[]
  readonly value: string
  readonly onChange: (value: string) => void
  readonly onBlur?: () => void
  readonly disabled?: boolean
  /** What no choice means, default "please choose". */
  readonly noneText?: string
}) => {
  const t = useT(laterTexts)
  const { name, noneText, ...rest } = field
  return (
    <Field {...rest}>
      {ids => (
        <select
          {...ids}
          name={name}
          className="p-input"
          value={value}
          disabled={disabled}
          onChange={event => onChange(event.target.value)}
          onBlur={onBlur}
        >
          <option value="">{noneText ?? t('field.choose')}</option>
          {options.map(option => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

export const RadioField = ({
  options,
  value,
  onChange,
  ...field
}: FieldProps & {
  readonly name?: string
  readonly options: readonly { readonly value: string; readonly label: ReactNode }[]
  readonly value: string
  readonly onChange: (value: string) => void
}) => {
  const group = useId()
  const { name, ...rest } = field
  return (
    <FieldSet {...rest}>
      <div className="p-choices">
        {options.map(option => (
          <label key={option.value} className="p-choice">
            <input
              type="radio"
              name={group}
              data-field={name}
              value={option.value}
              checked={value === option.value}
              onChange={() => onChange(option.value)}
            />
            <span>{option.label}</span>
          </label>
        ))}
      </div>
    </FieldSet>
  )
}

export const CheckboxField = ({
  options,
  value,
  onChange,
  ...field
}: FieldProps & {
  readonly name?: string
  readonly options: readonly Option[]
  readonly value: readonly string[]
  readonly onChange: (value: readonly string[]) => void
}) => {
  const { name, ...rest } = field
  return (
    <FieldSet {...rest}>
      <div className="p-choices">
        {options.map(option => (
          <label key={option.value} className="p-choice">
            <input
              type="checkbox"
              data-field={name}
              value={option.value}
              checked={value.includes(option.value)}
              onChange={event =>
                onChange(event.target.checked ? [...value, option.value] : value.filter(existing => existing !== option.value))
              }
            />
            <span>{option.label}</span>
          </label>
        ))}
      </div>
    </FieldSet>
  )
}

/** One box with a sentence beside it. */
export const Tick = ({
  checked,
  onChange,
  error,
  name,
  children,
}: {
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
  readonly error?: string | null
  readonly name?: string
  readonly children: ReactNode
}) => {
  const id = useId()
  return (
    <div>
      <label className="p-check">
        <input
          type="checkbox"
          name={name}
          checked={checked}
          onChange={event => onChange(event.target.checked)}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? id : undefined}
        />
        <span>{children}</span>
      </label>
      <Below id={id} error={error} />
    </div>
  )
}

/** A value that cannot be changed here. */
export const ReadField = ({
  label,
  value,
  help,
  wide,
}: {
  readonly label: ReactNode
  readonly value: ReactNode
  readonly help?: ReactNode
  readonly wide?: boolean
}) => (
  <div className={wide ? 'p-field is-wide' : 'p-field'}>
    <span className="p-label">{label}</span>
    <div className="p-read">{value === '' || value === null || value === undefined ? '—' : value}</div>
    {help !== undefined && <div className="p-help">{help}</div>}
  </div>
)
