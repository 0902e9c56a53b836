import { useEffect, useId } from 'react'
import type { Field } from '#contract/kernel/field.ts'
import { useLabel, useT } from '#web/kernel/i18n/index.ts'
import { FieldInput } from '#web/resource/field-input.tsx'
import { earlierOf } from '#web/resource/fields.ts'
import { useProblemText } from '#web/resource/problem-text.ts'
import { editTexts } from '../texts-edit.ts'
import { choices, neededForRelease } from './fields.ts'

interface Props {
  readonly fields: Readonly<Record<string, Field>>
  readonly values: Readonly<Record<string, unknown>>
  readonly onChange: (part: Readonly<Record<string, unknown>>) => void
  /** Texts of the server or of rules over several fields, by name. */
  readonly problems?: Readonly<Record<string, string>>
  /** Shown with what is wrong with them, also when nobody has touched them. */
  readonly strict?: boolean
  /** The field that the cursor is led to. */
  readonly wanted?: string | null
  /** Fields that cannot be changed now, with why; an empty reason says nothing. */
  readonly disabled?: Readonly<Record<string, string>>
  readonly columns?: 1 | 2 | 3
}

/** Declared fields as controls over values that the caller keeps, for forms that live in several steps. */
export const FieldGrid = ({ fields, values, onChange, problems = {}, strict = false, wanted = null, disabled = {}, columns }: Props) => {
  const label = useLabel()
  const t = useT(editTexts)
  const id = useId()
  const problemText = useProblemText()
  useEffect(() => {
    if (wanted !== null) document.getElementById(`${id}${wanted}`)?.focus()
  }, [wanted, id])
  return (
    <div className="exam-grid" data-columns={columns}>
      {Object.entries(fields).map(([name, field]) => {
        const value = values[name]
        const own = problemText(field, value, earlierOf(fields, field, values))
        // An empty field is no mistake before somebody wants to store it.
        const waits = neededForRelease.has(name)
        const text = problems[name] ?? (own?.kind === 'required' && (!strict || waits) ? null : own?.text)
        const options = choices[name]
        const inputId = `${id}${name}`
        return (
          <div key={name} className="exam-field" data-wide={field.widget === 'textarea' || field.widget === 'richtext'} data-field={name}>
            <label htmlFor={inputId}>
              {field.required && !waits ? (
                <span className="exam-star" aria-hidden="true">
                  *
                </span>
              ) : null}
              {label(field.label)}
              {waits ? <small className="exam-later">{t('field.later')}</small> : null}
            </label>
            {options === undefined ? (
              <FieldInput
                field={field}
                id={inputId}
                disabled={disabled[name] !== undefined}
                value={value}
                onChange={next => onChange({ [name]: next })}
              />
            ) : (
              <select
                id={inputId}
                className="input"
                disabled={disabled[name] !== undefined}
                value={String(value ?? '')}
                onChange={event => onChange({ [name]: Number(event.target.value) })}
              >
                {options.map(option => (
                  <option key={option.value} value={option.value}>
                    {label(option.label)}
                  </option>
                ))}
              </select>
            )}
            {text ? (
              <span className="field-error" role="alert">
                {text}
              </span>
            ) : disabled[name] ? (
              <span className="exam-help" id={`${inputId}-why`}>
                {disabled[name]}
              </span>
            ) : field.help === undefined ? null : (
              <span className="exam-help">{label(field.help)}</span>
            )}
          </div>
        )
      })}
    </div>
  )
}
