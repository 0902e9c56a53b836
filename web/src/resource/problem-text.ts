import type { Field } from '#contract/kernel/field.ts'
import { minuteOf, yuanOf } from '../kernel/format.ts'
import { defineTexts, useLabel, useT } from '../kernel/i18n/index.ts'
import { type Earlier, problemOf } from './fields.ts'

const texts = defineTexts(
  {
    patternHow: '{label}格式不正确：{how}',
    integer: '{label}必须是整数',
    places: '{label}最多 {places} 位小数',
    after: '{label}须晚于{other}（{value}）',
    yuan: '{amount} 元',
    money: '{label}最多两位小数',
    date: '“{value}”不是{label}能用的日期，请按 2026-03-01 的样子填写一个存在的日期',
    instant: '“{value}”不是{label}能用的时间，请按 2026-03-01 09:00:00 的样子填写一个存在的时间',
  },
  {
    patternHow: '{label} has the wrong format: {how}',
    integer: '{label} must be a whole number',
    places: '{label} has at most {places} decimals',
    after: '{label} must be later than {other} ({value})',
    yuan: '{amount} yuan',
    money: '{label} has at most two decimals',
    date: '“{value}” is no date for {label}; enter a day that exists, as in 2026-03-01',
    instant: '“{value}” is no time for {label}; enter one that exists, as in 2026-03-01 09:00:00',
  },
)

/** What is wrong with an input and how to mend it, in the reader's language; null when nothing is. */
export const useProblemText = () => {
  const t = useT()
  const own = useT(texts)
  const label = useLabel()
  return (field: Field, value: unknown, before?: Earlier): { readonly kind: string; readonly text: string } | null => {
    const problem = problemOf(field, value, before)
    if (problem === null) return null
    const { kind } = problem
    const named = { label: label(problem.label) }
    const limit = (number: number | undefined) => (field.kind === 'money' ? own('yuan', { amount: yuanOf(number ?? 0) }) : (number ?? 0))
    switch (kind) {
      case 'required':
        return { kind, text: named.label }
      case 'max':
        return { kind, text: t('form.tooLong', { ...named, max: field.max ?? 0 }) }
      case 'pattern':
        return {
          kind,
          text: field.help === undefined ? t('form.pattern', named) : own('patternHow', { ...named, how: label(field.help) }),
        }
      case 'number':
        return { kind, text: t('form.number', named) }
      case 'whole':
        return { kind, text: own(field.kind === 'money' ? 'money' : 'integer', named) }
      case 'least':
        return { kind, text: t('form.min', { ...named, min: limit(field.min) }) }
      case 'most':
        return { kind, text: t('form.max', { ...named, max: limit(field.max) }) }
      case 'places':
        return { kind, text: own('places', { ...named, places: field.places ?? 0 }) }
      case 'after':
        return {
          kind,
          text: own('after', { ...named, other: before === undefined ? '' : label(before.label), value: minuteOf(String(before?.value)) }),
        }
      case 'date':
      case 'instant':
        return { kind, text: own(kind, { ...named, value: String(value) }) }
    }
  }
}
