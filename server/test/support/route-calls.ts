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
