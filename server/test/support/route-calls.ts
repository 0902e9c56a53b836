import type { Route } from '#contract/kernel/route.ts'
import type { Answer, Person } from './app.ts'

/** Values by the names parameters have. */
export type Known = Readonly<Record<string, readonly string[]>>

export type Schema = { readonly [key: string]: unknown }
/** A value that a schema lets through: a known one by its name, else the least there is. */
const sampleOf = (name: string, schema: Schema, known: Known): unknown => {
  if (schema['const'] !== undefined) return schema['const']
  const variants = schema['anyOf'] as Schema[] | undefined
  if (variants) return sampleOf(name, variants[0] ?? {}, known)
  if (schema['type'] === 'integer' || schema['type'] === 'number') return schema['minimum'] ?? 1
  if (schema['type'] === 'boolean') return true
  if (schema['type'] === 'array') return [sampleOf(name, (schema['items'] ?? {}) as Schema, known)]
  if (schema['type'] === 'object')
    return Object.fromEntries(
      Object.entries((schema['properties'] ?? {}) as Record<string, Schema>).map(([key, value]) => [key, sampleOf(key, value, known)]),
    )
  return (
    known[name]?.[0] ??
    (String(schema['pattern'] ?? '').includes('\\d{4}-') ? '2026-03-17 10:00:00' : 'x'.repeat(Number(schema['minLength'] ?? 1)))
  )
}
/** What a route asks for, and every parameter of a known name. */
export const requiredInput = (route: Route, known: Known): Record<string, unknown> => {
  const { properties = {}, required: names = [] } = route.input as unknown as { properties?: Record<string, Schema>; required?: string[] }
  const wanted = Object.keys(properties).filter(name => names.includes(name) || (known[name] !== undefined && name !== 'tenantId'))
  return Object.fromEntries(wanted.map(name => [name, sampleOf(name, properties[name] ?? {}, known)]))
}
const isLong = Boolean(process.env['KAOPU_LONG'])
/** Of rows in other tables, a declared noun is asked for one in so many. */
const oneIn = 8

/**
 * What a sweep calls a route with: where it takes the id of a row, once with every id that could be meant. A declared noun looks for it in its own table:
 * it is asked for those that stand there, for the newest rows there, and for an eighth of the others, in turns; for all of them in `npm run test:long`.
 * @param ids - rows of every kind
 * @param nouns - rows of declared nouns, the newest first, by the paths of the nouns
 */
export const inputsOf = (
  route: Route,
  known: Known,
  ids: readonly string[],
  nouns: ReadonlyMap<string, readonly string[]>,
): Record<string, unknown>[] => {
  const base = requiredInput(route, known)
  const many = ['id', 'ids'].find(name => name in base)
  if (many === undefined) return [base]
  const own = nouns.get(route.path.slice(0, route.path.lastIndexOf('/')))
  const turn = route.path.length % oneIn
  const newest = (own ?? []).slice(0, 3)
  const others = isLong || own === undefined ? ids : ids.filter((id, at) => own.includes(id) || at % oneIn === turn)
  const asked = [...newest, ...others.filter(id => !newest.includes(id))]
  return asked.map(id => ({ ...base, [many]: id }))
}

/** Calls a route as somebody, its path filled in from the input or from what is known. */
export const callRoute = (
  person: Pick<Person, 'get' | 'post'>,
  route: Route,
  input: Readonly<Record<string, unknown>>,
  known: Known,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> => {
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => String(input[name] ?? known[name]?.[0] ?? '1'))
  const query = Object.fromEntries(
    Object.entries(input).map(([key, value]) => [key, typeof value === 'object' ? JSON.stringify(value) : String(value)]),
  )
  return route.method === 'GET' ? person.get(path, { query, headers }) : person.post(path, { json: input, headers })
}
