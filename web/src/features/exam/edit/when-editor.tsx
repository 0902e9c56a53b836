import { useId } from 'react'
import type { VisibleWhen } from '#contract/signup/content.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { editTexts } from '../texts-edit.ts'
import type { SignItem } from '../wire.ts'

const operators = ['eq', 'ne', 'in', 'notEmpty'] as const
const textOf = (value: unknown): string => (Array.isArray(value) ? value.join(',') : value === undefined ? '' : String(value))
const valueFor = (op: VisibleWhen['op'], text: string): unknown =>
  op === 'in' ? text.split(/[,，]/).map(part => part.trim()) : op === 'notEmpty' ? undefined : text

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
  const id = useId()
  const others = items.filter(item => item.itemKey !== own)
  const change = (part: Partial<VisibleWhen> & { readonly text?: string }) => {
    const { text = textOf(value?.value), ...rest } = part
    const next = { key: rest.key ?? value?.key ?? '', op: rest.op ?? value?.op ?? 'eq' } as const
    if (next.key === '') return onChange(null)
    const made = valueFor(next.op, text)
    onChange({ ...next, ...(made === undefined ? {} : { value: made }) })
  }
  return (
    <div className="when-editor">
      <label htmlFor={id}>{t('fields.when')}</label>
      <select id={id} className="input" value={value?.key ?? ''} onChange={event => change({ key: event.target.value })}>
        <option value="">{t('fields.when.always')}</option>
        {others.map(item => (
          <option key={item.itemKey} value={item.itemKey}>
            {item.itemLabel}
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
            <input
              className="input"
              aria-label={t('fields.when.value')}
              value={textOf(value.value)}
              onChange={event => change({ text: event.target.value })}
            />
          )}
        </>
      )}
    </div>
  )
}
