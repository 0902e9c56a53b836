import type { Field } from '#contract/kernel/field.ts'
import { useT } from '../kernel/i18n/index.ts'
import { textOf } from './fields.ts'
import { useDict } from './use-dict.ts'

/** A value of a declared field as text; a dictionary key as its label. */
export const FieldText = ({ field, value }: { readonly field: Field; readonly value: unknown }) => {
  const t = useT()
  const options = useDict(field.dict)
  const text = textOf(field, value, t('form.yes'), t('form.no'))
  if (text === '') return <>-</>
  if (field.dict === undefined) return <>{text}</>
  return <>{options.find(option => option.value === text)?.label ?? text}</>
}
