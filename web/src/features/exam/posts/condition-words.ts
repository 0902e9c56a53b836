import { listOf } from '../../../kernel/i18n/list.ts'

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The entries of a condition that is a list; nothing for one that is none. */
export const namesOf = (value: unknown): string[] => (Array.isArray(value) ? value.filter(one => typeof one === 'string') : [])

/** The threshold of a condition `{min}`. */
export const lowestOf = (value: unknown): string | undefined => (isRecord(value) && typeof value.min === 'string' ? value.min : undefined)

/** The codes of a condition of majors as they are typed; what is being typed stays as it is. */
export const codesOf = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : Array.isArray(value)
      ? [...new Set(value.flatMap(one => (isRecord(one) && typeof one.code === 'string' && one.code !== '' ? [one.code] : [])))].join('；')
      : ''

/** A condition with a text of its own, as it is typed. */
export const typedOf = (value: unknown): string =>
  typeof value === 'string' ? value : isRecord(value) && typeof value.text === 'string' ? value.text : ''

/**
 * A condition of a post in words (domain 3.5): a list of keys, a threshold, majors with code and name, or a text of its own. Empty when it
 * asks for nothing.
 */
export const wordsOf = (value: unknown, name: (key: string) => string, orAbove: (name: string) => string): string => {
  const min = lowestOf(value)
  if (min !== undefined) return orAbove(name(min))
  if (isRecord(value)) return typeof value.text === 'string' ? value.text : ''
  if (!Array.isArray(value)) return ''
  const entries: unknown[] = value
  return listOf(
    entries.flatMap(one =>
      typeof one === 'string' ? [name(one)] : isRecord(one) ? [`${String(one.name ?? '')} ${String(one.code ?? '')}`.trim()] : [],
    ),
  )
}
