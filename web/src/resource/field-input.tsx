import { Input, Select, Switch } from 'antd'
import { lazy, Suspense } from 'react'
import type { Field } from '#contract/kernel/field.ts'
import { inSentence } from '#contract/kernel/label.ts'
import { useLabel, useT } from '../kernel/i18n/index.ts'
import { clearByKey } from '../ui/clear-by-key.ts'
import type { InputProps } from './input-props.ts'
import { NumberInput } from './number-input.tsx'
import { RefInput } from './ref-input.tsx'
import { resourceTexts } from './texts.ts'
import { useDict } from './use-dict.ts'

const DateInput = lazy(async () => ({ default: (await import('./date-input.tsx')).DateInput }))
const RichEditor = lazy(async () => ({ default: (await import('../ui/rich-editor.tsx')).RichEditor }))

const DictInput = ({ field, value, onChange, ...rest }: InputProps & { readonly field: Field; readonly disabled?: boolean }) => {
  const t = useT()
  const label = useLabel()
  const options = useDict(field.dict)
  return (
    <Select
      {...rest}
      allowClear={!field.required}
      onKeyDown={field.required ? undefined : clearByKey(() => onChange?.(null))}
      placeholder={t('form.select', { label: label({ ...field.label, en: inSentence(field.label.en) }) })}
      options={[...options]}
      value={value === null || value === undefined || value === '' ? undefined : String(value)}
      onChange={next => onChange?.(next === undefined ? null : field.kind === 'int' ? Number(next) : next)}
    />
  )
}

/** One of the values that the declaration has words for; the number or text of the wire stays what it is. */
const WordInput = ({ field, value, onChange, ...rest }: InputProps & { readonly field: Field; readonly disabled?: boolean }) => {
  const t = useT()
  const label = useLabel()
  // What has a default is never empty.
  const isKept = field.required || field.default !== undefined
  return (
    <Select
      {...rest}
      allowClear={!isKept}
      onKeyDown={isKept ? undefined : clearByKey(() => onChange?.(null))}
      placeholder={t('form.select', { label: label({ ...field.label, en: inSentence(field.label.en) }) })}
      options={Object.entries(field.words ?? {}).map(([key, word]) => ({ value: key, label: label(word) }))}
      value={value === null || value === undefined || value === '' ? undefined : String(value)}
      onChange={next => onChange?.(next === undefined ? null : field.kind === 'int' ? Number(next) : next)}
    />
  )
}

/** Yuan on the screen, fen in the form's values; what cannot be charged is left to the form to name, not mended in silence. */
const MoneyInput = (props: InputProps & { readonly disabled?: boolean }) => {
  const t = useT(resourceTexts)
  return <NumberInput {...props} factor={100} suffix={t('money.yuan')} />
}

/** The control a field asks for by its kind and `widget`. */
export const FieldInput = ({ field, disabled, ...props }: InputProps & { readonly field: Field; readonly disabled: boolean }) => {
  const t = useT()
  const label = useLabel()
  const hint = t('form.input', { label: label({ ...field.label, en: inSentence(field.label.en) }) })
  const { value, onChange, ...rest } = props
  // Words beside a dictionary are those of its entries that may be chosen.
  if (field.dict !== undefined && field.words === undefined) return <DictInput field={field} {...props} disabled={disabled} />
  if (field.ref !== undefined) return <RefInput field={field} {...props} disabled={disabled} />
  if (field.words !== undefined && field.widget !== 'switch') return <WordInput field={field} {...props} disabled={disabled} />
  if (field.kind === 'money') return <MoneyInput {...props} disabled={disabled} />
  if (field.kind === 'bool' || field.widget === 'switch')
    return (
      <Switch
        {...rest}
        disabled={disabled}
        checked={Number(value) === 1}
        onChange={on => onChange?.(on ? 1 : 0)}
        checkedChildren={t('form.yes')}
        unCheckedChildren={t('form.no')}
      />
    )
  if (field.kind === 'int') return <NumberInput {...props} disabled={disabled} placeholder={hint} />
  if (field.kind === 'date' || field.kind === 'instant')
    return (
      <Suspense fallback={<span className="input" />}>
        <DateInput {...props} withTime={field.kind === 'instant'} isEnd={field.isEnd === true} disabled={disabled} />
      </Suspense>
    )
  const text = typeof value === 'string' ? value : ''
  if (field.widget === 'richtext')
    return (
      <Suspense fallback={<div className="input rich-wait" />}>
        <RichEditor {...rest} label={label(field.label)} value={text} onChange={next => onChange?.(next)} disabled={disabled} />
      </Suspense>
    )
  if (field.widget === 'textarea')
    return (
      <Input.TextArea
        {...rest}
        disabled={disabled}
        placeholder={hint}
        rows={3}
        value={text}
        onChange={event => onChange?.(event.target.value)}
        {...(field.max === undefined ? {} : { count: { show: true, max: field.max } })}
      />
    )
  if (field.secret)
    return (
      <Input.Password
        {...rest}
        disabled={disabled}
        placeholder={hint}
        value={text}
        onChange={event => onChange?.(event.target.value)}
        autoComplete="new-password"
      />
    )
  return (
    <Input
      {...rest}
      disabled={disabled}
      placeholder={hint}
      value={text}
      onChange={event => onChange?.(event.target.value)}
      autoComplete="off"
    />
  )
}
