import type { TenantDb } from '#kernel/db/scope.ts'
import { type RawBuilder, sql } from '#kernel/db/sql.ts'

/** Whether another live row of the examination has this value. */
export const isTaken = async (
  db: TenantDb,
  table: string,
  of: { readonly examId: string; readonly column: string; readonly value: unknown; readonly exceptId: string },
): Promise<boolean> =>
  (await db.maybe(sql`
    select 1 from ${sql.table(table)} where exam_id = ${of.examId} and ${sql.ref(of.column)} = ${of.value} and not is_deleted and id <> ${of.exceptId} limit 1`)) !==
  undefined

/** Rows of examinations that are no drafts any more. */
export const ofReleased = sql`exam_id in (select id from examination where state <> 'draft' and not is_deleted)`

export const ofUnits = (codes: readonly string[]): RawBuilder<unknown> => sql`unit = any(${[...codes]})`
