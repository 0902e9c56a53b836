import type { TenantDb } from './scope.ts'
import { sql } from './sql.ts'

/** An id before its row is written: what is sealed is sealed for its row. */
export const newId = async (db: TenantDb): Promise<string> => (await db.one(sql<{ id: string }>`select next_id()::text as id`)).id
