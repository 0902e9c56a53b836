import { type FormEvent, lazy, Suspense, useId, useState } from 'react'
import type { Field } from '#contract/kernel/field.ts'
import { tidyLine } from '#contract/kernel/tidy-text.ts'
import { useT } from '../kernel/i18n/index.ts'
import { DayInput } from './day-input.tsx'
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
  /** One of some choices. `of`: they are rows of another noun, which is asked for the name of one that is not among them. */
  | (Named & { readonly kind: 'select'; readonly options: readonly Option[]; readonly of?: Field })
  /** A row of another noun. */
  | (Named & { readonly kind: 'ref'; readonly of: Field })
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

const RefInput = lazy(async () => ({ default: (await import('./ref-input.tsx')).RefInput }))

const RefText = lazy(async () => ({ default: (await import('./ref-text.tsx')).RefText }))

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
    // The first day of a range of instants counts from its first second, the last one to its last.
    const ends = [
      { key: field.from, name: t('search.from', { label: field.label }), clock: '00:00:00' },
      { key: field.to, name: t('search.to', { label: field.label }), clock: '23:59:59' },
    ]
    const [from, to] = ends.map(({ key, name, clock }) =>
      field.of === 'number' ? (
        <input
          key={key}
          className="input"
          type="number"
          aria-label={name}
          value={values[key] ?? ''}
          onChange={event => onValue(key, event.target.value)}
        />
      ) : (
        <DayInput
          key={key}
          label={name}
          value={(values[key] ?? '').slice(0, 10)}
          onChange={day => onValue(key, day === '' || field.of === 'date' ? day : `${day} ${clock}`)}
        />
      ),
    )
    return (
      <fieldset className="search-field search-range">
        <legend>{field.label}</legend>
        {from}
        <span aria-hidden="true">–</span>
        {to}
      </fieldset>
    )
  }
  return (
    <div className="search-field">
      <label htmlFor={id}>{field.label}</label>
      {field.kind === 'ref' ? (
        <Suspense fallback={<span className="input" />}>
          <RefInput
            id={id}
            field={{ ...field.of, required: false }}
            value={values[field.key] ?? null}
            onChange={value => onValue(field.key, typeof value === 'string' ? value : '')}
          />
        </Suspense>
      ) : field.kind === 'text' ? (
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

/** What a condition is set to: in words, or the row of another noun whose name says it. */
export const toldOf = (field: SearchField, values: Values): string | { readonly of: Field; readonly id: string } => {
  if (field.kind === 'range') return [values[field.from], values[field.to]].map(text => text?.slice(0, 10) ?? '…').join(' – ')
  const value = values[field.key] ?? ''
  if (field.kind === 'text') return value
  if (field.kind === 'ref') return { of: field.of, id: value }
  return field.options.find(option => option.value === value)?.label ?? (field.of === undefined ? value : { of: field.of, id: value })
}

const Told = ({ field, values }: { readonly field: SearchField; readonly values: Values }) => {
  const told = toldOf(field, values)
  return typeof told === 'string' ? (
    told
  ) : (
    <Suspense fallback="…">
      <RefText field={told.of} id={told.id} />
    </Suspense>
  )
}

/** Conditions that are on without a box in sight: each says what it is and goes by a press. */
const Chips = ({
  fields,
  values,
  onRemove,
}: {
  readonly fields: readonly SearchField[]
  readonly values: Values
  readonly onRemove: (field: SearchField) => void
}) => {
  const t = useT(resourceTexts)
  const on = fields.filter(field => keysOf(field).some(key => values[key]))
  if (on.length === 0) return null
  return (
    <ul className="search-chips" aria-label={t('search.on')}>
      {on.map(field => (
        <li key={field.key}>
          <button type="button" className="search-chip" title={t('search.off')} onClick={() => onRemove(field)}>
            {t('search.chip', { label: field.label })} <Told field={field} values={values} /> <span aria-hidden="true">×</span>
          </button>
        </li>
      ))}
    </ul>
  )
}

/** One row of conditions over a list: Enter searches, more than three fold away. */
export const SearchRow = ({ fields, values, onSearch }: Props) => {
  const t = useT(resourceTexts)
  // Boxes begin anew with each reset: a day that is none stands in its box alone.
  const [resets, setResets] = useState(0)
  const [draft, setDraft] = useState<Values>(values)
  const [open, setOpen] = useState(false)
  // Not an effect: those run again when a hidden tab comes back, and what was typed must stay.
  const [taken, setTaken] = useState(values)
  if (taken !== values) {
    setTaken(values)
    setDraft(values)
  }
  if (fields.length === 0) return null
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSearch(Object.fromEntries(Object.entries(draft).flatMap(([key, value]) => (tidyLine(value) === '' ? [] : [[key, tidyLine(value)]]))))
  }
  return (
    <search>
      <form className="card search-row" aria-label={t('search.label')} onSubmit={submit}>
        {(open ? fields : fields.slice(0, shownFields)).map(field => (
          <Input
            key={`${field.key} ${resets}`}
            field={field}
            values={draft}
            onValue={(key, value) => setDraft(before => ({ ...before, [key]: value }))}
          />
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
              setResets(resets + 1)
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
        {open ? null : (
          <Chips
            fields={fields.slice(shownFields)}
            values={values}
            onRemove={field => onSearch(Object.fromEntries(Object.entries(values).filter(([key]) => !keysOf(field).includes(key))))}
          />
        )}
      </form>
    </search>
  )
}
