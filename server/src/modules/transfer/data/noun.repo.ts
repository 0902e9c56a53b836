import type { Resource } from '#contract/kernel/resource.ts'
import { findRows } from '#kernel/crud/crud.ts'
import type { Row } from '#kernel/crud/rows.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import { snakeCase } from '#kernel/names.ts'

/** Rows of a plain noun by one of its fields, held until the transaction ends. */
export const lockNouns = (db: TenantDb, resource: Resource, key: string, values: readonly string[]): Promise<Row[]> =>
  findRows(db, resource, sql`${sql.ref(snakeCase(key))} = any(${[...values]})`, true)

export const findNoun = async (db: TenantDb, resource: Resource, id: string): Promise<Row | undefined> =>
  (await findRows(db, resource, sql`id = ${id}`))[0]
