import { useId } from 'react'
import type { VisibleWhen } from '#contract/signup/content.ts'
import { useLang, useT } from '#web/kernel/i18n/index.ts'
import { useDict } from '#web/resource/use-dict.ts'
import { editTexts } from '../texts-edit.ts'
import type { SignItem } from '../wire.ts'

const operators = ['eq', 'ne', 'in', 'notEmpty'] as const
const textOf = (value: unknown): string => (Array.isArray(value) ? value.join(',') : value === undefined ? '' : String(value))
const valueFor = (op: VisibleWhen['op'], text: string): unknown =>
  op === 'in' ? text.split(/[,，]/).map(part => part.trim()) : op === 'notEmpty' ? undefined : text

const chosenOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value : value === undefined ? [] : [value]).map(String)
/** Fields whose answers are entries of a dictionary: a condition names them by their words. */
const isChoice = (item: SignItem | undefined): boolean => ['select', 'radio', 'checkbox'].includes(item?.fieldType ?? '')

/** What the answer is compared with: chosen where the field has choices, else typed. */
const WhenValue = ({
  value,
  item,
  onChange,
}: {
  readonly value: VisibleWhen
  readonly item: SignItem | undefined
  readonly onChange: (value: unknown) => void
}) => {
  const t = useT(editTexts)
  const dictCode = isChoice(item) ? (item?.dictCode ?? undefined) : undefined
  const entries = useDict(dictCode)
  const name = t('fields.when.value')
  const chosen = chosenOf(value.value)
  // Not by the entries: while they are on their way nobody is to type what they will choose.
  if (dictCode === undefined)
    return (
      <input
        className="input"
        aria-label={name}
        placeholder={value.op === 'in' ? t('fields.when.commas') : undefined}
        value={textOf(value.value)}
        onChange={event => onChange(valueFor(value.op, event.target.value))}
      />
    )
  if (value.op === 'in')
    return (
      <fieldset className="when-choices">
        <legend className="visually-hidden">{name}</legend>
        {entries.map(entry => (
          <label key={entry.value} className="exam-check">
            <input
              type="checkbox"
              checked={chosen.includes(entry.value)}
              onChange={event => onChange(event.target.checked ? [...chosen, entry.value] : chosen.filter(one => one !== entry.value))}
            />
            {entry.label}
          </label>
        ))}
      </fieldset>
    )
  const [one = ''] = chosen
  return (
    <select className="input" aria-label={name} value={one} onChange={event => onChange(event.target.value)}>
      {/* What is stored stays in sight, also when the dictionary no longer has it. */}
      {entries.some(entry => entry.value === one) ? null : <option value={one}>{one === '' ? t('fields.when.choose') : one}</option>}
      {entries.map(entry => (
        <option key={entry.value} value={entry.value}>
          {entry.label}
        </option>
      ))}
    </select>
  )
}

/** When a field or file is asked for (domain 3.3 `visibleWhen`). */
export const WhenEditor = ({
  value,
  items,
  own,
  onChange,
}: {
  readonly value: VisibleWhen | null
  readonly items: readonly SignItem[]
  /** Key of the field itself, which cannot be its own condition. */
  readonly own: string | null
  readonly onChange: (value: VisibleWhen | null) => void
}) => {
  const t = useT(editTexts)
  const lang = useLang()
  const id = useId()
  const others = items.filter(item => item.itemKey !== own)
  const nameOf = (item: SignItem) => (lang === 'en' && item.itemLabelEn) || item.itemLabel
  const change = ({ key, op }: { readonly key?: string; readonly op?: VisibleWhen['op'] }) => {
    const next = { key: key ?? value?.key ?? '', op: op ?? value?.op ?? 'eq' } as const
    if (next.key === '') return onChange(null)
    // Another field has other answers; another comparison of the same field keeps what was named.
    const made = valueFor(next.op, next.key === value?.key ? textOf(value.value) : '')
    onChange({ ...next, ...(made === undefined ? {} : { value: made }) })
  }
  return (
    <div className="when-editor">
      <label htmlFor={id}>{t('fields.when')}</label>
      <select id={id} className="input" value={value?.key ?? ''} onChange={event => change({ key: event.target.value })}>
        <option value="">{t('fields.when.always')}</option>
        {others.map(item => (
          <option key={item.itemKey} value={item.itemKey}>
            {nameOf(item)}
          </option>
        ))}
      </select>
      {value === null ? null : (
        <>
          <select
            className="input"
            aria-label={t('fields.when.op')}
            value={value.op}
            onChange={event => change({ op: event.target.value as VisibleWhen['op'] })}
          >
            {operators.map(op => (
              <option key={op} value={op}>
                {t(`fields.when.${op}`)}
              </option>
            ))}
          </select>
          {value.op === 'notEmpty' ? null : (
            <WhenValue
              value={value}
              item={items.find(item => item.itemKey === value.key)}
              onChange={next => onChange({ key: value.key, op: value.op, value: next })}
            />
          )}
        </>
      )}
    </div>
  )
}
