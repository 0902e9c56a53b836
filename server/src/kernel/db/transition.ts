import type { TenantDb } from './scope.ts'
import { type RawBuilder, sql } from './sql.ts'

/**
 * The only statement that moves a state column: it writes when the row is still in the expected state and says whether it did.
 *
 * @param set - further columns written together with the state, column name to value
 */
export const transition = async (
  db: TenantDb,
  table: string,
  id: string,
  move: { readonly from: string | readonly string[]; readonly to: string; readonly column?: string },
  set: Readonly<Record<string, unknown>> = {},
): Promise<boolean> => {
  const column = move.column ?? 'state'
  const from = typeof move.from === 'string' ? [move.from] : move.from
  const assignments: RawBuilder<unknown>[] = Object.entries(set).map(([name, value]) => sql`${sql.ref(name)} = ${value}`)
  const changed = await db.run(sql`
    update ${sql.table(table)}
    set ${sql.join([sql`${sql.ref(column)} = ${move.to}`, sql`updated_at = app_now()`, sql`updated_by = ${db.actor.userId}`, sql`version = version + 1`, ...assignments])}
    where id = ${id} and ${sql.ref(column)} = any(${from})`)
  return changed === 1
}
