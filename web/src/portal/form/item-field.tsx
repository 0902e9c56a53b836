import { levelsOf } from '#contract/signup/region.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { CheckboxField, RadioField, ReadField, SelectField, TextArea, TextField } from '../kit/field.tsx'
import { Callout } from '../kit/page-ui.tsx'
import { Link } from '../kit/router.tsx'
import type { Advisement, SignItem } from '../wire.ts'
import { displayValue, formOfDay, type Problem } from './model.ts'
import { RegionField, RegionText } from './region-field.tsx'
import { SchoolField } from './school-field.tsx'
import { SignatureField } from './signature-field.tsx'
import { problemOf } from './store.ts'
import { TableField } from './table-field.tsx'
import { formTexts } from './texts.ts'

/** Taken from the id card number, never typed (domain 0). */
const derived = new Set(['birthday', 'sex'])

const autoComplete: Readonly<Record<string, string>> = { phone: 'tel', email: 'email', address: 'street-address' }

export interface ItemFieldProps {
  readonly item: SignItem
  readonly value: unknown
  readonly problems: readonly Problem[]
  readonly locked: boolean
  /** The account says it. */
  readonly own: boolean
  readonly advice?: Advisement | undefined
  readonly onChange: (key: string, value: unknown) => void
  readonly onBlur: (key: string) => void
}

/** Draws a form field by its type. */
const Control = ({ item, value, problems, onChange, onBlur }: Omit<ItemFieldProps, 'locked' | 'own' | 'advice'>) => {
  const { itemKey: key, fieldType } = item
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  const error = problemOf(problems, key)
  const set = (next: unknown) => onChange(key, next)
  const common = {
    label: item.itemLabel,
    required: item.required,
    showOptional: !item.required,
    help: item.help ?? undefined,
    error,
    name: key,
  }
  const blur = () => onBlur(key)
  const options = item.options ?? []
  switch (fieldType) {
    case 'select':
    case 'cascader':
      return <SelectField {...common} options={options} value={text} onChange={set} onBlur={blur} />
    case 'radio':
      return <RadioField {...common} options={options} value={text} onChange={set} />
    case 'checkbox':
      return <CheckboxField {...common} options={options} value={Array.isArray(value) ? value.map(String) : []} onChange={set} />
    case 'textarea':
      return (
        <TextArea
          {...common}
          value={text}
          placeholder={item.placeholder ?? formOfDay[fieldType]}
          onChange={event => set(event.target.value)}
          onBlur={blur}
        />
      )
    case 'region': {
      const levels = levelsOf(text)
      return (
        <RegionField
          label={item.itemLabel}
          required={item.required}
          showOptional={!item.required}
          error={error}
          help={item.help ?? undefined}
          {...levels}
          onChange={region => set(region.area || region.city || region.province)}
          onBlur={blur}
        />
      )
    }
    case 'school':
      return (
        <SchoolField
          label={item.itemLabel}
          required={item.required}
          showOptional={!item.required}
          error={error}
          help={item.help ?? undefined}
          name={key}
          value={text}
          onChange={(name, code) => {
            set(name)
            onChange(`${key}Code`, code ?? '')
          }}
          onBlur={blur}
        />
      )
    case 'table':
      return (
        <TableField
          item={item}
          problems={problems}
          value={Array.isArray(value) ? (value as Readonly<Record<string, unknown>>[]) : []}
          onChange={set}
        />
      )
    case 'image':
    case 'signature':
      return <SignatureField item={item} value={text} error={error} onChange={set} />
    default:
      return (
        <TextField
          {...common}
          type={
            fieldType === 'date' || fieldType === 'month' ? fieldType : fieldType === 'phone' ? 'tel' : key === 'email' ? 'email' : 'text'
          }
          inputMode={fieldType === 'number' ? 'decimal' : undefined}
          autoComplete={autoComplete[key] ?? 'off'}
          autoCapitalize={fieldType === 'idcard' ? 'characters' : undefined}
          spellCheck={false}
          placeholder={item.placeholder ?? undefined}
          min={fieldType === 'date' && item.min ? String(item.min) : undefined}
          max={fieldType === 'date' && item.max ? String(item.max) : undefined}
          value={text}
          onChange={event => set(event.target.value)}
          onBlur={blur}
        />
      )
  }
}

const wideTypes = new Set(['textarea', 'checkbox', 'radio', 'table', 'region', 'image', 'signature'])

export const ItemField = (props: ItemFieldProps) => {
  const t = useT(formTexts)
  const { item, value, locked, own, advice } = props
  const wide = wideTypes.has(item.fieldType)
  const told = advice !== undefined && <Callout tone="warning">{t('form.fix.advice', { advice: advice.advice })}</Callout>
  if (derived.has(item.itemKey)) return <ReadField label={item.itemLabel} value={displayValue(item, value)} help={t('form.derived')} />
  if (own)
    return (
      <div className="p-stack p-gap-s" data-field={item.itemKey}>
        {told}
        <ReadField
          label={item.itemLabel}
          value={displayValue(item, value)}
          help={
            <>
              {t('form.own')} <Link href="/info/index">{t('form.own.change')}</Link>
            </>
          }
        />
      </div>
    )
  if (locked) {
    const shown = item.fieldType === 'region' ? <RegionText {...levelsOf(String(value ?? ''))} /> : displayValue(item, value)
    return <ReadField label={item.itemLabel} value={shown} wide={wide} />
  }
  return (
    <div className={`p-stack p-gap-s${wide ? ' is-wide' : ''}`} data-field={item.itemKey}>
      {told}
      <Control {...props} />
    </div>
  )
}
