import type { TenantDb } from '#kernel/db/scope.ts'
import { type RawBuilder, sql } from '#kernel/db/sql.ts'

/** How many rows of a table have one of these values and keep the condition. */
export const countWithin = async (
  db: TenantDb,
  table: string,
  of: { readonly column: string; readonly values: readonly string[] },
  condition: RawBuilder<unknown>,
): Promise<number> =>
  (
    await db.one(sql<{ n: number }>`
      select count(*)::int as n from ${sql.table(table)} where ${sql.ref(of.column)}::text = any(${[...of.values]}::text[]) and ${condition}`)
  ).n
