import type { Field } from '#contract/kernel/field.ts'
import { useLabel, useT } from '../kernel/i18n/index.ts'
import { StatusTag } from '../ui/status-tag.tsx'
import { textOf } from './fields.ts'
import { useDict } from './use-dict.ts'

/** A value that its declaration has a word for: the word, coloured where the declaration says how. */
const Word = ({ field, value }: { readonly field: Field; readonly value: string }) => {
  const label = useLabel()
  const t = useT()
  const own = field.words?.[value]
  const word =
    own === undefined
      ? textOf({ ...field, kind: field.widget === 'switch' ? 'bool' : field.kind }, value, t('form.yes'), t('form.no'))
      : label(own)
  const tone = field.tones?.[value]
  return tone === undefined ? word : <StatusTag tone={tone} text={word} />
}

/** A value of a declared field as text; a dictionary key as its label, a value with a word as that. */
export const FieldText = ({ field, value }: { readonly field: Field; readonly value: unknown }) => {
  const t = useT()
  const options = useDict(field.dict)
  const text = textOf(field, value, t('form.yes'), t('form.no'))
  if (text === '') return <>-</>
  if (field.dict !== undefined) return <>{options.find(option => option.value === text)?.label ?? text}</>
  return field.words !== undefined || field.widget === 'switch' ? <Word field={field} value={String(value)} /> : text
}
