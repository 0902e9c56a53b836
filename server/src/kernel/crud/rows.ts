import type { Field } from '#contract/kernel/field.ts'
import type { Resource } from '#contract/kernel/resource.ts'
import { fromWireTime, toWireTime } from '#contract/kernel/when.ts'
import { type RawBuilder, sql } from '../db/sql.ts'
import { snakeCase } from '../names.ts'

export type Row = Readonly<Record<string, unknown>>

/** The select list of a resource: declared columns under their wire names, ids as text. */
export const selectList = (resource: Resource): RawBuilder<unknown> =>
  sql.join([
    sql`id::text as id`,
    ...Object.entries(resource.fields).map(([name, { secret }]) =>
      secret ? sql`'' as ${sql.ref(name)}` : sql`${sql.ref(snakeCase(name))} as ${sql.ref(name)}`,
    ),
    sql`created_at as "createTime"`,
    sql`updated_at as "updateTime"`,
    sql`version`,
  ])

const empty = (field: Field): unknown =>
  field.kind === 'int' || field.kind === 'money' || field.kind === 'bool' ? -1 : field.kind === 'json' ? [] : ''

/** A database row as the wire carries it: instants as Shanghai time, empty values by the service's null policy (decision 3.6). */
export const toWire = (resource: Resource, row: Row): Row => {
  const out: Record<string, unknown> = { ...row }
  for (const [name, field] of Object.entries(resource.fields)) {
    const value = row[name]
    if (value === null || value === undefined) out[name] = resource.nulls === 'empty' ? empty(field) : null
    else if (value instanceof Date) out[name] = toWireTime(value)
    else if (field.kind === 'ref' || field.kind === 'decimal') out[name] = String(value)
    else if (typeof value === 'boolean') out[name] = value ? 1 : 0
  }
  for (const name of ['createTime', 'updateTime']) if (row[name] instanceof Date) out[name] = toWireTime(row[name])
  return out
}

/** A wire value as the database takes it. */
export const toColumn = (field: Field, value: unknown): unknown => {
  if (value === null || value === undefined || (value === '' && !field.required)) return null
  if (field.kind === 'instant') return fromWireTime(String(value)) ?? null
  if (field.kind === 'json') return JSON.stringify(value)
  return value
}
