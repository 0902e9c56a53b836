import { type FormEvent, useId, useState } from 'react'
import { useT } from '../kernel/i18n/index.ts'
import { resourceTexts } from './texts.ts'
import type { Option } from './use-dict.ts'

interface Named {
  readonly key: string
  readonly label: string
  /** `noun.field` of what is searched, where roles may be kept from it: who does not see all of it gets no box (ADR 0064). */
  readonly field?: string
}
export type SearchField =
  | (Named & { readonly kind: 'text' })
  | (Named & { readonly kind: 'select'; readonly options: readonly Option[] })
  /** From and to; `from` and `to` are the two parameters. */
  | (Named & {
      readonly kind: 'range'
      readonly from: string
      readonly to: string
      readonly of: 'date' | 'instant' | 'number'
    })

type Values = Readonly<Record<string, string>>
interface Props {
  readonly fields: readonly SearchField[]
  readonly values: Values
  readonly onSearch: (values: Values) => void
}

/** Shown before "more". */
const shownFields = 3

const keysOf = (field: SearchField): readonly string[] => (field.kind === 'range' ? [field.from, field.to] : [field.key])

/** Whether somebody has typed a condition; what the page itself stands for, such as its examination, is none. */
export const hasConditions = (fields: readonly SearchField[], values: Values): boolean =>
  fields.some(field => keysOf(field).some(key => values[key] !== undefined))

const Input = ({
  field,
  values,
  onValue,
}: {
  readonly field: SearchField
  readonly values: Values
  readonly onValue: (key: string, value: string) => void
}) => {
  const t = useT(resourceTexts)
  const id = useId()
  if (field.kind === 'range') {
    const type = field.of === 'number' ? 'number' : 'date'
    // The first day of a range of instants counts from its first second, the last one to its last.
    const startOf = (day: string) => (field.of === 'instant' && day !== '' ? `${day} 00:00:00` : day)
    const endOf = (day: string) => (field.of === 'instant' && day !== '' ? `${day} 23:59:59` : day)
    const shownOf = (value: string | undefined) => (field.of === 'number' ? (value ?? '') : (value ?? '').slice(0, 10))
    return (
      <fieldset className="search-field search-range">
        <legend>{field.label}</legend>
        <input
          className="input"
          type={type}
          aria-label={t('search.from', { label: field.label })}
          value={shownOf(values[field.from])}
          onChange={event => onValue(field.from, startOf(event.target.value))}
        />
        <span aria-hidden="true">–</span>
        <input
          className="input"
          type={type}
          aria-label={t('search.to', { label: field.label })}
          value={shownOf(values[field.to])}
          onChange={event => onValue(field.to, endOf(event.target.value))}
        />
      </fieldset>
    )
  }
  return (
    <div className="search-field">
      <label htmlFor={id}>{field.label}</label>
      {field.kind === 'text' ? (
        <input
          id={id}
          className="input"
          maxLength={200}
          value={values[field.key] ?? ''}
          onChange={event => onValue(field.key, event.target.value)}
        />
      ) : (
        <select id={id} className="input" value={values[field.key] ?? ''} onChange={event => onValue(field.key, event.target.value)}>
          <option value="">{t('search.all')}</option>
          {field.options.map(option => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </div>
  )
}

/** One row of conditions over a list: Enter searches, more than three fold away. */
export const SearchRow = ({ fields, values, onSearch }: Props) => {
  const t = useT(resourceTexts)
  const [draft, setDraft] = useState<Values>(values)
  const [open, setOpen] = useState(() => fields.slice(shownFields).some(field => keysOf(field).some(key => values[key])))
  // Not an effect: those run again when a hidden tab comes back, and what was typed must stay.
  const [taken, setTaken] = useState(values)
  if (taken !== values) {
    setTaken(values)
    setDraft(values)
  }
  if (fields.length === 0) return null
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSearch(Object.fromEntries(Object.entries(draft).flatMap(([key, value]) => (value.trim() === '' ? [] : [[key, value.trim()]]))))
  }
  return (
    <search>
      <form className="card search-row" aria-label={t('search.label')} onSubmit={submit}>
        {(open ? fields : fields.slice(0, shownFields)).map(field => (
          <Input key={field.key} field={field} values={draft} onValue={(key, value) => setDraft(before => ({ ...before, [key]: value }))} />
        ))}
        <div className="search-buttons">
          <button type="submit" className="button button-primary">
            {t('action.search')}
          </button>
          <button
            type="button"
            className="button"
            onClick={() => {
              setDraft({})
              onSearch({})
            }}
          >
            {t('action.reset')}
          </button>
          {fields.length > shownFields ? (
            <button type="button" className="link-button" aria-expanded={open} onClick={() => setOpen(!open)}>
              {open ? t('action.fold') : t('action.expand')}
            </button>
          ) : null}
        </div>
      </form>
    </search>
  )
}
