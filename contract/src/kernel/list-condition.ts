import type { Label } from './label.ts'
import type { Route } from './route.ts'

/** Suffixes of the search grammar of the framework (framework-contract 1.6): `account_equal=wang`. `_ignore` is dropped. */
export const conditionSuffixes = [
  '_equal',
  '_notequal',
  '_like',
  '_notlike',
  '_likeleft',
  '_likeright',
  '_ge',
  '_gt',
  '_le',
  '_lt',
  '_datege',
  '_dategt',
  '_datele',
  '_datelt',
  '_dateequal',
  '_null',
  '_notnull',
  '_ignore',
] as const
export type ConditionSuffix = (typeof conditionSuffixes)[number]

/** One condition of a search as it came: `key` is the whole name, `name` the field. */
export interface Condition {
  readonly key: string
  readonly name: string
  readonly suffix: ConditionSuffix
  readonly text: string
}

/** The field and the suffix that a key names; undefined for a key without a known suffix. */
export const conditionKey = (key: string): { readonly name: string; readonly suffix: ConditionSuffix } | undefined => {
  const at = key.lastIndexOf('_')
  const suffix = conditionSuffixes.find(one => one === key.slice(at))
  return at < 1 || suffix === undefined ? undefined : { name: key.slice(0, at), suffix }
}

/** What every list of the framework takes beside its conditions, whatever it does with it. */
const carried: ReadonlySet<string> = new Set(['current', 'size', 'ascs', 'descs', 'blade-auth', 'Blade-Auth'])
export const isCarried = (key: string): boolean => carried.has(key)

type Schema = { readonly [key: string]: unknown }
const propertiesOf = (schema: Schema): Readonly<Record<string, Schema>> => (schema['properties'] ?? {}) as Readonly<Record<string, Schema>>
const rowSchemaOf = ({ output }: Pick<Route, 'output'>): Schema | undefined => {
  const schema = output as unknown as Schema
  const rows = schema['type'] === 'array' ? schema : propertiesOf(schema)['records']
  return rows?.['type'] === 'array' ? ((rows['items'] ?? {}) as Schema) : undefined
}

/** Whether a call answers a list: rows, a page of rows, or a workbook of them. Its query is its search. */
export const isList = (route: Route): boolean => {
  if (route.method !== 'GET' || route.answer === 'bare' || route.answer === 'plain') return false
  // A workbook of rows is searched like their list; a file with an id of its own is not.
  if (route.answer === 'file') return route.columns !== undefined || /\/(export|export-(?!template)[\w-]+)$/.test(route.path)
  return rowSchemaOf(route) !== undefined
}

const scalars: ReadonlySet<unknown> = new Set(['string', 'integer', 'number', 'boolean'])
const isScalar = (schema: Schema): boolean =>
  scalars.has(schema['type']) ||
  scalars.has(typeof schema['const']) ||
  ((schema['anyOf'] as Schema[] | undefined) ?? []).some(one => isScalar(one))

/** The fields of the rows of a list that a condition can be compared with. */
export const rowFieldsOf = (route: Route): ReadonlySet<string> => {
  const row = rowSchemaOf(route)
  return new Set(Object.entries(row ? propertiesOf(row) : {}).flatMap(([name, schema]) => (isScalar(schema) ? [name] : [])))
}

/** What is said of a condition that a list does not know. */
export const unknownCondition = (key: string): Label => {
  const shown = key.slice(0, 60)
  return {
    zh: `“${shown}”不是此列表的查询条件，请检查名称后重试`,
    en: `"${shown}" is no condition of this list; check its name and try again`,
  }
}
/** What is added to the message where conditions were left out. */
export const ignoredConditions = (keys: readonly string[]): Label => {
  const shown = keys.slice(0, 5).map(key => key.slice(0, 60))
  return {
    zh: `；未识别的查询条件已忽略：${shown.join('、')}`,
    en: `; conditions that this list does not know were ignored: ${shown.join(', ')}`,
  }
}
