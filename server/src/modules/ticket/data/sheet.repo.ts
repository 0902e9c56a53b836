import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'

/** What a ticket shows of the person who sits. */
export interface SheetPerson {
  readonly id: string
  readonly userId: string
  readonly name: string
  readonly sex: number | null
  readonly idCard: Buffer | null
  readonly photoFileId: string | null
}
export const listSheetPeople = (db: TenantDb, signupIds: readonly string[]): Promise<SheetPerson[]> =>
  db.all(sql<SheetPerson>`
    select id::text as id, user_id::text as "userId", coalesce(name, '') as name, sex, id_card_sealed as "idCard", photo_file_id::text as "photoFileId"
    from signup where id = any(${[...signupIds]}::bigint[])`)

/** Answers of sign-ups, as stored. */
export const listAnswers = (
  db: TenantDb,
  signupIds: readonly string[],
): Promise<{ readonly id: string; readonly content: Readonly<Record<string, unknown>> }[]> =>
  db.all(sql<{ readonly id: string; readonly content: Readonly<Record<string, unknown>> }>`
    select id::text as id, content from signup where id = any(${[...signupIds]}::bigint[])`)

/** Gives rows their rendered file; a row that was changed since it was read gets none and is rendered again. */
export const keepPages = async (
  db: TenantDb,
  rows: readonly { readonly id: string; readonly version: number }[],
  fileId: string,
): Promise<void> => {
  await db.run(sql`
    update ticket set pdf_file_id = ${fileId}, pdf_sha256 = (select sha256 from stored_file where id = ${fileId})
    from unnest(${rows.map(row => row.id)}::bigint[], ${rows.map(row => row.version)}::int[]) as r(id, version)
    where ticket.id = r.id and ticket.version = r.version`)
}
