import type { Label } from '#contract/kernel/label.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import type { Pool } from '#kernel/db/pool.ts'
import { type RawBuilder, sql } from '#kernel/db/sql.ts'
import type { Cell, Installation, Sample } from './reading.ts'

/** Rows of every tenant, read as the platform; the reason stands in the log. */
export const rowsOf = <T>({ application: { services }, now }: Installation, statement: RawBuilder<T>): Promise<T[]> =>
  services.scopes.asPlatform('an operator prints the evidence for an assessor', now, db => db.all(statement))

/** The only value of a statement. */
export const singleValue = async <T extends Cell>(at: Installation, statement: RawBuilder<{ value: T }>): Promise<T> => {
  const [row] = await rowsOf(at, statement)
  if (row === undefined) throw new Error('a statement that counts answered no row')
  return row.value
}

/** A parameter of the tenant `t`: its own value, else that of the platform, else the program's. */
export const parameterOf = (key: string, byProgram: string): RawBuilder<unknown> =>
  sql`coalesce((select p.param_value from param p where p.tenant_id = t.tenant_id and p.param_key = ${key} and not p.is_deleted),
    (select d.param_value from platform_param d where d.param_key = ${key}), ${byProgram})`

/** A table of the evidence out of rows of the database. Instants are in the time of Asia/Shanghai. */
export const sampleOf = (title: Label, rows: readonly Readonly<Record<string, unknown>>[]): Sample => ({
  title,
  columns: Object.keys(rows[0] ?? {}),
  rows: rows.map(row =>
    Object.values(row).map(value =>
      value === null || ['string', 'number', 'boolean'].includes(typeof value)
        ? (value as Cell)
        : value instanceof Date
          ? toWireTime(value)
          : JSON.stringify(value),
    ),
  ),
})

/**
 * Tries statements in a transaction that is always rolled back.
 * @returns the message of the database that refused one of them, or `rows: n` of the last one
 */
export const attempt = async (pool: Pool, statements: readonly string[], values: readonly unknown[] = []): Promise<string> => {
  const client = await pool.connect()
  try {
    await client.query('begin')
    let seen = 'rows: 0'
    for (const [i, text] of statements.entries()) {
      const { rowCount } = await client.query(text, i === statements.length - 1 ? [...values] : [])
      seen = `rows: ${rowCount ?? 0}`
    }
    return seen
  } catch (error) {
    return (error as Error).message
  } finally {
    await client.query('rollback')
    client.release()
  }
}

/** One call of the application as it is set up here, through every gate of its server. */
export const call = async (
  { application }: Installation,
  method: 'GET' | 'POST',
  path: string,
  options: { readonly headers?: Readonly<Record<string, string>>; readonly payload?: Readonly<Record<string, unknown>> } = {},
): Promise<{ readonly status: number; readonly body: string; readonly headers: Readonly<Record<string, unknown>> }> => {
  const answer = await application.server.inject({
    method,
    url: path,
    headers: { ...options.headers },
    ...(options.payload ? { payload: options.payload } : {}),
  })
  return { status: answer.statusCode, body: answer.body, headers: answer.headers }
}

/** Names of tables with a tenant. */
export const tenantTables = (at: Installation): Promise<{ name: string; isForced: boolean; policies: number }[]> =>
  rowsOf(
    at,
    sql<{ name: string; isForced: boolean; policies: number }>`
      select c.relname as name, c.relrowsecurity and c.relforcerowsecurity as "isForced",
        (select count(*)::int from pg_catalog.pg_policy p where p.polrelid = c.oid) as policies
      from pg_catalog.pg_class c join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by 1`,
  )
