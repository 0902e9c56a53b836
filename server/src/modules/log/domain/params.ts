import { idPattern } from '#contract/kernel/schema.ts'
import { idCardCheckDigit, isCalendarDate } from '#contract/person/id-card.ts'

type Schema = { readonly [key: string]: unknown }

const maxLength = 2_000
const maxKeys = 40
const maxItems = 20
const maxDepth = 3

/** Never shown, whatever they look like: who somebody is, where they live, what opens a door. */
const secret =
  /pass|pwd|token|secret|captcha|cipher|signature|^sign$|(^|_)(code|key)$|verif|phone|mobile|tel$|id_?card|card|cert|email|mail|address|bank|account|name|birth|content|remark|reason|text|value/i
const known = new Map<string, boolean>()
/** Keys come again with every call; those of strangers do not fill the memory. */
const isSecret = (key: string): boolean => {
  const found = known.get(key)
  if (found !== undefined) return found
  const answer = secret.test(key)
  if (key.length <= 40 && known.size < 5_000) known.set(key, answer)
  return answer
}
const ids = new RegExp(`^${idPattern}(,${idPattern})*$`)
const moment = /^\d{4}-\d{2}-\d{2}( \d{2}:\d{2}:\d{2})?$/
/** An id of ours has 18 digits too; one that checks as an id number is not shown. */
const isIdCard = (text: string): boolean =>
  /^\d{17}[\dX]$/i.test(text) &&
  idCardCheckDigit(text.slice(0, 17)) === text.slice(17).toUpperCase() &&
  isCalendarDate(`${text.slice(6, 10)}-${text.slice(10, 12)}-${text.slice(12, 14)}`)
const looksPersonal = (text: string): boolean =>
  text.length >= 11 && text.split(',').some(part => /^1[3-9]\d{9}$/.test(part) || isIdCard(part))

/** Words that the declaration of a route lists: such a value says which, and cannot be anything else. */
const declares = (schema: Schema | undefined, value: unknown): boolean =>
  schema !== undefined &&
  (schema['const'] === value || ((schema['anyOf'] as Schema[] | undefined) ?? []).some(variant => declares(variant, value)))

const shown = (key: string, value: unknown, schema: Schema | undefined, depth: number): unknown => {
  if (value === null || value === undefined || typeof value === 'boolean') return value
  if (declares(schema, value)) return value
  if (Array.isArray(value))
    return depth >= maxDepth || isSecret(key)
      ? `[${value.length}]`
      : [
          ...value.slice(0, maxItems).map(item => shown(key, item, undefined, depth + 1)),
          ...(value.length > maxItems ? [`+${value.length - maxItems}`] : []),
        ]
  if (typeof value === 'object')
    return depth >= maxDepth || isSecret(key) ? '{}' : fields(value as Record<string, unknown>, schema, depth + 1)
  const text = String(value)
  if (isSecret(key) || looksPersonal(text)) return '***'
  if (typeof value === 'number') return value
  // What people type is known by its length alone: it may be anybody's name.
  return text.length <= 2 || moment.test(text) || (text.length <= 2_000 && ids.test(text)) ? text : `[${text.length}]`
}
const fields = (of: Record<string, unknown>, schema: Schema | undefined, depth: number): Record<string, unknown> => {
  const properties = (schema?.['properties'] ?? {}) as Record<string, Schema>
  const entries = Object.entries(of)
  const kept = entries.slice(0, maxKeys).map(([key, value]) => {
    // A key that nobody declared is somebody's text too.
    const name = /^\w{1,40}$/.test(key) && !looksPersonal(key) ? key : `[${key.length}]`
    return [name, shown(key, value, properties[key], depth)] as const
  })
  return Object.fromEntries(entries.length > maxKeys ? [...kept, ['+', entries.length - maxKeys]] : kept)
}

/**
 * What a call was asked with, as a log may keep it: ids, numbers, times and words that the route declares. Of everything else it keeps the
 * length, and nothing of what names a person or opens a door (security 3.8).
 */
export const paramsOf = (input: unknown, schema: object): string => {
  if (typeof input !== 'object' || input === null) return ''
  const text = JSON.stringify(fields(input as Record<string, unknown>, schema as Schema, 0))
  return text === '{}' ? '' : text.length <= maxLength ? text : `${text.slice(0, maxLength - 1)}…`
}
